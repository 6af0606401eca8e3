import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { type SnippetFacts, snippetForms } from '../../../src/code/snippets.ts';
import { inProject, inTestFolder } from '../../support/projectFolder.ts';

const KEYNOTE: SnippetFacts = {
  id: '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11',
  name: 'Keynote',
  playbackId: 'abcd1234efgh5678',
  hlsUrl: 'https://playback.example/hls/abcd1234efgh5678/index.m3u8',
  playerUrl: 'https://player.example/?v=abcd1234efgh5678&x=1',
  link: 'vscode://live-streams.live-streams/stream/0b9e7a52?connection=a',
  apiUrl: 'https://service.example/api/stream/0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11',
  ingest: { before: 'rtmp://ingest.example/live/', after: '' },
};
const OTHER: SnippetFacts = { ...KEYNOTE, id: 'b', playbackId: 'bbbb', hlsUrl: 'https://playback.example/b.m3u8' };
const LANGUAGES = [
  ...['html', 'markdown', 'javascript', 'typescript', 'javascriptreact', 'typescriptreact', 'vue', 'svelte', 'python'],
  ...[
    'go',
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

describe('A row as code', () => {
  const textOf = (language: string, form: string, ...rows: readonly SnippetFacts[]) =>
    snippetForms(language, rows.length === 0 ? [KEYNOTE] : rows).find(({ id }) => id === form)?.text ??
    assert.fail(`No ${form} in ${language}`);
  const firstOf = (language: string) => snippetForms(language, [KEYNOTE])[0]?.id;

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
      ...{ typescriptreact: 'component', vue: 'component', svelte: 'component', python: 'hlsUrl', go: 'hlsUrl' },
      ...{ ruby: 'hlsUrl', php: 'hlsUrl', java: 'hlsUrl', csharp: 'hlsUrl', rust: 'hlsUrl', shellscript: 'curl' },
      ...{ dotenv: 'dotenv', json: 'json', jsonc: 'json', yaml: 'yaml', plaintext: 'hlsUrl', css: 'hlsUrl' },
    });
  });

  it('has its ID, playback ID, HLS URL and link everywhere', () => {
    for (const language of LANGUAGES) {
      const ids = snippetForms(language, [KEYNOTE]).map(({ id }) => id);
      for (const id of ['hlsUrl', 'playbackId', 'id', 'link'] as const)
        assert.ok(ids.includes(id), `${id} in ${language}`);
    }
  });

  it('leaves out what isn’t known', () => {
    const { hlsUrl: _, playerUrl: __, apiUrl: ___, ingest: ____, ...bare } = KEYNOTE;
    assert.deepEqual(
      snippetForms('shellscript', [bare]).map(({ id }) => id),
      ['playbackId', 'id', 'link'],
    );
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
      for (const id of ['component', 'hlsJs', 'fetch', 'dotenv'] as const) assert.ok(!ids.includes(id), language);
    }
  });

  it('runs nothing that a service put into an id', () => {
    const evil = {
      ...KEYNOTE,
      id: 'a"onfocus=alert(1)',
      playbackId: '$(touch x)',
      hlsUrl: 'https://h/$(touch x).m3u8',
    };
    assert.match(textOf('dotenv', 'dotenv', evil), /^PLAYBACK_ID='\$\(touch x\)'\nHLS_URL='https:/);
    assert.ok(!snippetForms('html', [evil]).some(({ id }) => id === 'video'));
  });

  it('is what the languages themselves can read', () => {
    for (const language of ['javascript', 'typescript', 'javascriptreact', 'typescriptreact']) {
      for (const { id, text } of snippetForms(language, [{ ...KEYNOTE, name: "it's" }])) {
        assert.deepEqual(syntaxFaults(text, language.endsWith('react')), [], id);
      }
    }
    for (const { id, text } of snippetForms('shellscript', [{ ...KEYNOTE, hlsUrl: "https://h/a'b$(c).m3u8?x=1&y" }])) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      assert.equal(status, 0, `${id}: ${stderr}`);
    }
    // Python's strings and lists are written as those of JavaScript are.
    assert.deepEqual(snippetForms('python', [KEYNOTE, OTHER]), snippetForms('javascript', [KEYNOTE, OTHER]));
  });

  it('has types, too', () => {
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
      { numRuns: 40 },
    );
    for (const name of ['\u0000\u0007\u0085\u009f\ufeff\u2028', '\ud800', '- a: b #c', '']) {
      assert.deepEqual(load(textOf('yaml', 'yaml', { ...KEYNOTE, name })), expectedOf(name));
    }
  });

  it('takes the key of an account from a variable', () => {
    assert.match(textOf('shellscript', 'curl'), /"Authorization: Bearer \$LIVEPEER_API_KEY"/);
    assert.match(textOf('shellscript', 'ffmpeg'), /"rtmp:\/\/ingest\.example\/live\/\$\{STREAM_KEY\}"$/);
    assert.match(textOf('typescript', 'fetch'), /Bearer \$\{process\.env\.LIVEPEER_API_KEY\}/);
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
