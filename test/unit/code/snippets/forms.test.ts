import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { emptyFile, snippetForms as formsAt, type SnippetFacts } from '../../../../src/code/snippets/forms.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { inProject, inTestFolder } from '../../../support/projectFolder.ts';
import { FUZZ_RUNS } from '../../../support/runner/fuzzRuns.ts';

const KEYNOTE: SnippetFacts = {
  id: '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11',
  name: 'Keynote',
  playbackId: 'abcd1234efgh5678',
  hlsUrl: 'https://playback.example/hls/abcd1234efgh5678/index.m3u8',
  playerUrl: 'https://player.example/?v=abcd1234efgh5678&x=1',
  link: 'vscode://live-streams.live-streams/stream/0b9e7a52?connection=a',
  requests: [
    { kind: 'getStream', url: 'https://service.example/api/stream/0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11' },
    { kind: 'listSessions', url: 'https://service.example/api/stream/0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11/sessions' },
    { kind: 'createStream', url: 'https://service.example/api/stream' },
  ],
  ingest: { before: 'rtmp://ingest.example/live/', after: '' },
};
const OTHER: SnippetFacts = { ...KEYNOTE, id: 'b', playbackId: 'bbbb', hlsUrl: 'https://playback.example/b.m3u8' };
const LANGUAGES = [
  ...['html', 'markdown', 'javascript', 'typescript', 'javascriptreact', 'typescriptreact', 'vue', 'svelte', 'python'],
  ...[
    'go',
    'swift',
    'kotlin',
    'dart',
    'ruby',
    'php',
    'java',
    'csharp',
    'rust',
    'shellscript',
    'dotenv',
    'json',
    'jsonc',
    'yaml',
    'plaintext',
    'css',
  ],
];

const snippetForms = (languageId: string, rows: readonly SnippetFacts[]) => formsAt(emptyFile(languageId), rows);

describe('A row as code', () => {
  const textOf = (language: string, form: string, ...rows: readonly SnippetFacts[]) =>
    snippetForms(language, rows.length === 0 ? [KEYNOTE] : rows).find(({ id }) => id === form)?.text ??
    assert.fail(`No ${form} in ${language}`);
  const firstOf = (language: string) => snippetForms(language, [KEYNOTE])[0]?.id;

  it('says whose ID it has', () => {
    const labelOf = (...rows: readonly SnippetFacts[]) =>
      snippetForms('plaintext', rows).find(({ id }) => id === 'id')?.label;
    const session = { ...OTHER, isSession: true };
    assert.deepEqual([labelOf(KEYNOTE), labelOf(KEYNOTE, OTHER)], ['Stream ID', 'Stream ID']);
    assert.deepEqual([labelOf(session), labelOf(session, session)], ['Session ID', 'Session ID']);
    assert.equal(labelOf(KEYNOTE, session), 'ID');
  });

  it('has the likeliest form of its language first', () => {
    const first = Object.fromEntries(LANGUAGES.map((language) => [language, firstOf(language)]));
    assert.deepEqual(first, {
      ...{
        html: 'video',
        markdown: 'markdown',
        javascript: 'hlsJs',
        typescript: 'hlsJs',
        javascriptreact: 'component',
      },
      ...{ typescriptreact: 'component', vue: 'component', svelte: 'component', python: 'getStream', go: 'getStream' },
      ...{ swift: 'player', kotlin: 'player', dart: 'player' },
      ...{ ruby: 'hlsUrl', php: 'hlsUrl', java: 'hlsUrl', csharp: 'hlsUrl', rust: 'hlsUrl', shellscript: 'ffplay' },
      ...{ dotenv: 'dotenv', json: 'json', jsonc: 'json', yaml: 'yaml', plaintext: 'hlsUrl', css: 'hlsUrl' },
    });
  });

  it('is labeled with what it needs', () => {
    const labels = ['html', 'vue', 'typescript', 'swift', 'kotlin', 'dart'].map((language) => {
      return snippetForms(language, [KEYNOTE])[0]?.label;
    });
    assert.deepEqual(labels, [
      ...['Video with hls.js', 'Component with hls.js', 'Playback with hls.js'],
      ...['Video with AVPlayer', 'Video with ExoPlayer', 'Video with video_player'],
    ]);
  });

  it('has its ID, playback ID, HLS URL and link everywhere', () => {
    for (const language of LANGUAGES) {
      const ids = snippetForms(language, [KEYNOTE]).map(({ id }) => id);
      for (const id of ['hlsUrl', 'playbackId', 'id', 'link'] as const)
        assert.ok(ids.includes(id), `${id} in ${language}`);
    }
  });

  it('leaves out what isn’t known', () => {
    const { hlsUrl: _, playerUrl: __, requests: ___, ingest: ____, ...bare } = KEYNOTE;
    assert.deepEqual(fieldsOf(snippetForms('shellscript', [bare]), 'id'), ['playbackId', 'id', 'link']);
  });

  it('is a list where there are several', () => {
    const rows = [KEYNOTE, OTHER];
    assert.equal(textOf('typescript', 'playbackId', ...rows), "[\n  'abcd1234efgh5678',\n  'bbbb'\n]");
    assert.equal(textOf('go', 'playbackId', ...rows), '[]string{\n  "abcd1234efgh5678",\n  "bbbb",\n}');
    assert.equal(textOf('plaintext', 'playbackId', ...rows), 'abcd1234efgh5678\nbbbb');
    assert.deepEqual(
      JSON.parse(textOf('json', 'json', ...rows)).map(({ id }: SnippetFacts) => id),
      [KEYNOTE.id, 'b'],
    );
    assert.match(textOf('yaml', 'yaml', ...rows), /^-\n {2}id: "0b9e.*\n {2}name: "Keynote"/);
  });

  it('has no form that declares names twice, where there are several', () => {
    const rows = [KEYNOTE, OTHER];
    assert.equal(snippetForms('typescript', rows)[0]?.id, 'hlsUrl');
    for (const language of ['typescriptreact', 'vue', 'svelte', 'dotenv']) {
      const ids = snippetForms(language, rows).map(({ id }) => id);
      for (const id of ['component', 'hlsJs', 'getStream', 'dotenv'] as const) assert.ok(!ids.includes(id), language);
    }
  });

  const EVIL = `$(touch x)\`touch x\`${'$'}{x}#{x}$x'"<script>*/\\`;

  it('has nothing that a service put into an ID that is none', () => {
    for (const language of LANGUAGES) {
      const evil = { ...KEYNOTE, id: EVIL, playbackId: EVIL };
      const forms = snippetForms(language, [evil]);
      assert.deepEqual(
        forms.filter(({ id }) => id === 'id' || id === 'playbackId' || id === 'video'),
        [],
      );
      assert.ok(!forms.some(({ text }) => text.includes('touch')));
    }
    assert.deepEqual(Object.keys(JSON.parse(textOf('json', 'json', { ...KEYNOTE, id: EVIL, playbackId: EVIL }))), [
      ...['name', 'hlsUrl'],
    ]);
  });

  it('has URLs without a character that is code in any language', () => {
    const odd = EVIL.replaceAll('#', '');
    const url = `https://h.example/${odd}[a](javascript:b)/*/a.m3u8?x=${odd}`;
    const evil = {
      ...KEYNOTE,
      hlsUrl: url,
      mp4Url: url,
      playerUrl: url,
      requests: [{ kind: 'getStream', url } as const],
      link: `vscode://a/${odd}`,
    };
    for (const language of [...LANGUAGES, ...['xml', 'kotlin', 'dart', 'perl', 'powershell']]) {
      for (const { id, text } of snippetForms(language, [evil])) {
        const values = text.match(/(?:https|vscode):\/\/[^\s"'>]+/g) ?? [];
        for (const value of values) assert.doesNotMatch(value, /[$`{}"'<>[\]*\\]/, `${id} in ${language}: ${value}`);
      }
    }
    assert.match(textOf('plaintext', 'hlsUrl', evil), /^https:\/\/h\.example\/%24\(touch%20x\)%60touch/);
  });

  it('keeps what a URL says', () => {
    const urls = [
      'https://h.example:8080/a%20b/c+d,e;f=g@h/~i-j_k.m3u8?l=m%2Fn&o=p!',
      'https://[2001:db8::1]/a.m3u8',
      'http://h.example/%E4%BD%A0.m3u8',
    ];
    for (const hlsUrl of urls) assert.equal(textOf('plaintext', 'hlsUrl', { ...KEYNOTE, hlsUrl }), hlsUrl);
    const escaped = { ...KEYNOTE, hlsUrl: "https://H.example/a'b$c/ä" };
    assert.equal(textOf('plaintext', 'hlsUrl', escaped), 'https://h.example/a%27b%24c/%C3%A4');
  });

  it('has no URL that is none, has a fragment, or has a password', () => {
    const urls = ['javascript:alert(1)', 'https://h/a#b', 'https://a:b@h/c', 'file:///etc/passwd', '//h/a', '', 'a b'];
    for (const url of urls) {
      const forms = snippetForms('plaintext', [{ ...KEYNOTE, hlsUrl: url, mp4Url: url }]).map(({ id }) => id);
      assert.deepEqual(forms, ['playbackId', 'id', 'link'], url);
    }
  });

  it('has no ingest server with code in it', () => {
    const isThere = (before: string, after = '') =>
      snippetForms('shellscript', [{ ...KEYNOTE, ingest: { before, after } }]).some(({ id }) => id === 'ffmpeg');
    assert.ok(isThere('rtmps://h.example:443/live/', '?x=1'));
    for (const before of ['rtmp://h/$(touch x)/', 'rtmp://h/`x`/', 'rtmp://h/!x/', 'rtmp://h/"x/', 'http://h/', 'x']) {
      assert.equal(isThere(before), false, before);
      assert.equal(isThere('rtmp://h/live/', before), before === 'x' || before === 'http://h/', before);
    }
  });

  it('is one link in Markdown, whatever its name is', () => {
    const names = [
      '](javascript:x)',
      '![x](y)',
      '<b>',
      '&copy;',
      '`a`',
      '**b**',
      'a\nb',
      '\\',
      '|',
      'https://h.example',
    ];
    for (const name of names) {
      const text = textOf('markdown', 'markdown', { ...KEYNOTE, name });
      const [, label = '', url] = /^\[((?:[^[\]]|\\[[\]])*)\]\(<([^<>]+)>\)$/s.exec(text) ?? [];
      assert.equal(url, KEYNOTE.playerUrl, text);
      assert.equal(label.replace(/\\([!-/:-@[-`{-~])/g, ''), label.replace(/[^\w\s]/g, ''), text);
    }
  });

  it('is what the languages themselves can read', () => {
    for (const language of ['javascript', 'typescript', 'javascriptreact', 'typescriptreact']) {
      for (const { id, text } of snippetForms(language, [{ ...KEYNOTE, name: "it's" }])) {
        assert.deepEqual(syntaxFaults(text, language.endsWith('react')), [], id);
      }
    }
    const odd = { ...KEYNOTE, hlsUrl: "https://h/a'b$(c).m3u8?x=1&y" };
    for (const { id, text } of snippetForms('shellscript', [odd])) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      assert.equal(status, 0, `${id}: ${stderr}`);
    }
    // Python's strings and lists are written as those of JavaScript are.
    const texts = (language: string) => snippetForms(language, [KEYNOTE, OTHER]).map(({ text }) => text);
    assert.deepEqual(texts('python'), texts('javascript'));
  });

  it('has types in TypeScript', () => {
    const folder = inTestFolder('snippets');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'react.d.ts'), REACT);
    for (const [language, ending] of [
      ['typescript', 'ts'],
      ['typescriptreact', 'tsx'],
    ] as const) {
      for (const { id, text } of snippetForms(language, [KEYNOTE])) {
        writeFileSync(join(folder, `${id}.${ending}`), `${text}\nexport {};\n`);
      }
    }
    const compilerOptions = {
      ...{ strict: true, noEmit: true, jsx: 'preserve', module: 'preserve', target: 'esnext' },
      ...{ lib: ['esnext', 'dom'], types: ['node'], skipLibCheck: true },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { status, stdout } = spawnSync(process.execPath, [inProject('node_modules/.bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

  it('is YAML and JSON that has its facts, whatever its name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3 }), (name, count) => {
        const rows = Array.from({ length: count }, () => ({ ...KEYNOTE, name }));
        const facts = rows.map(() => expectedOf(name));
        const expected = count === 1 ? facts[0] : facts;
        assert.deepEqual(load(textOf('yaml', 'yaml', ...rows)), expected);
        assert.deepEqual(JSON.parse(textOf('json', 'json', ...rows)), expected);
      }),
      { numRuns: Math.ceil(FUZZ_RUNS / 10) },
    );
    for (const name of ['\u0000\u0007\u0085\u009f\ufeff\u2028', '\ud800', '- a: b #c', '']) {
      assert.deepEqual(load(textOf('yaml', 'yaml', { ...KEYNOTE, name })), expectedOf(name));
    }
  });

  it('embeds the player of the service in a page, whatever the stream is named', () => {
    assert.match(textOf('html', 'iframe'), /^<iframe\n {2}src="https:\/\/player\.example\/\?v=abcd1234efgh5678&x=1"\n/);
    const named = (name: string) => textOf('html', 'iframe', { ...KEYNOTE, name }).match(/title=.*/)?.[0];
    assert.equal(named('Talk'), 'title="Talk"');
    assert.equal(named('"><script>\nTalk'), 'title="&#34;&#62;&#60;script&#62; Talk"');
    assert.ok(snippetForms('html', [{ ...KEYNOTE, playerUrl: undefined }]).every(({ id }) => id !== 'iframe'));
  });

  it('takes the key of an account from a variable', () => {
    assert.match(textOf('shellscript', 'getStream'), /"Authorization: Bearer \$LIVEPEER_API_KEY"/);
    assert.match(textOf('shellscript', 'ffmpeg'), /"rtmp:\/\/ingest\.example\/live\/\$\{STREAM_KEY\}"$/);
    assert.match(textOf('typescript', 'getStream'), /Bearer \$\{process\.env\.LIVEPEER_API_KEY\}/);
  });

  it('survives any name and URL', () => {
    const facts = fc.record({ name: fc.string({ unit: 'binary' }), hlsUrl: fc.webUrl({ withQueryParameters: true }) });
    fc.assert(
      fc.property(facts, fc.constantFrom(...LANGUAGES), (given, language) => {
        for (const { id, text } of snippetForms(language, [{ ...KEYNOTE, ...given }])) {
          if (language === 'json' && id === 'json')
            assert.equal(
              JSON.parse(text).name,
              given.name.toWellFormed() === given.name ? given.name : JSON.parse(text).name,
            );
          if (language === 'html' && id === 'video') assert.equal(text.match(/<\/script>/g)?.length, 2);
          if (language === 'typescript') assert.deepEqual(syntaxFaults(text, false), []);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function expectedOf(name: string) {
  const { id, playbackId, hlsUrl } = KEYNOTE;
  return { id, name, playbackId, hlsUrl };
}

/** What the snippets use of React, whose types the project doesn't have. */
const REACT = `
declare module 'react' {
  export function useRef<T>(initial: null): { current: T | null };
  export function useEffect(effect: () => undefined | (() => void), needs: readonly unknown[]): void;
}
declare namespace JSX {
  interface IntrinsicElements {
    video: { ref: { current: HTMLVideoElement | null }; controls: true; muted: true; playsInline: true };
  }
}
`;

function syntaxFaults(text: string, isJsx: boolean): readonly string[] {
  try {
    transformSync(text, {
      loader: isJsx ? 'tsx' : 'ts',
      format: 'esm',
      target: 'esnext',
      jsx: 'preserve',
      logLevel: 'silent',
    });
    return [];
  } catch (error) {
    return [String(error)];
  }
}
