import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';
import { oneLine } from '../util/text.ts';
import { literal, scriptString, shellWord } from './literals.ts';

/** What is public of a stream or of a recording. There is no key among it, so no snippet can hold one. */
export interface SnippetFacts {
  readonly id: string;
  readonly name: string;
  readonly playbackId?: string | undefined;
  /** Of the stream, or of the recording. */
  readonly hlsUrl?: string | undefined;
  readonly playerUrl?: string | undefined;
  readonly mp4Url?: string | undefined;
  /** Opens the row in the editor. */
  readonly link?: string | undefined;
  /** GET of it needs the API key. */
  readonly apiUrl?: string | undefined;
  /** The ingest URL around the stream key. */
  readonly ingest?: { readonly before: string; readonly after: string } | undefined;
}

export type FormId = keyof typeof FORMS;

export interface SnippetForm {
  readonly id: FormId;
  readonly label: string;
  readonly text: string;
}

interface Form {
  readonly label: () => string;
  /** undefined where what it needs isn't known. */
  readonly write: (facts: SnippetFacts, languageId: string) => string | undefined;
  /** Whether it is one value, so that several become a list. */
  readonly isValue?: boolean;
  /** Whether it declares names, so that it can't stand twice in a file. */
  readonly isSingle?: boolean;
}

const PLAYER_TAG = 'controls muted playsinline';

const FORMS = {
  video: {
    label: () => t('Video with hls.js'),
    write: ({ id, hlsUrl }) => hlsUrl && id && htmlVideo(hlsUrl, id),
  },
  component: program(() => t('Video with hls.js'), 'hlsUrl', component),
  hlsJs: program(() => t('Playback with hls.js'), 'hlsUrl', hlsJs),
  fetch: program(() => t('Request to the API'), 'apiUrl', fetchCall),
  markdown: {
    label: () => t('Link'),
    write: ({ name, playerUrl, mp4Url, hlsUrl }) => {
      const url = playerUrl ?? mp4Url ?? hlsUrl;
      return url && `[${oneLine(name, 100).replace(/[!-/:-@[-`{-~]/g, '\\$&')}](<${url}>)`;
    },
  },
  curl: {
    label: () => t('curl request to the API'),
    write: ({ apiUrl }) => apiUrl && `curl --header "Authorization: Bearer $LIVEPEER_API_KEY" ${shellWord(apiUrl)}`,
  },
  ffmpeg: {
    label: () => t('ffmpeg broadcast'),
    write: ({ ingest }) =>
      ingest &&
      `ffmpeg -re -i input.mp4 -c:v libx264 -preset veryfast -c:a aac -f flv "${inQuotes(ingest.before)}\${STREAM_KEY}${inQuotes(ingest.after)}"`,
  },
  ffplay: { label: () => t('ffplay playback'), write: ({ hlsUrl }) => hlsUrl && `ffplay ${shellWord(hlsUrl)}` },
  dotenv: {
    label: () => t('Variables'),
    write: ({ playbackId, hlsUrl }) => {
      const lines = [playbackId && `PLAYBACK_ID=${shellWord(playbackId)}`, hlsUrl && `HLS_URL=${shellWord(hlsUrl)}`];
      return lines.filter(Boolean).join('\n') || undefined;
    },
    isSingle: true,
  },
  json: { label: () => t('Object'), write: (facts) => JSON.stringify(publicFacts(facts), undefined, 2) },
  yaml: {
    label: () => t('Mapping'),
    write: (facts) =>
      Object.entries(publicFacts(facts))
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
        .join('\n'),
  },
  hlsUrl: value(() => t('HLS URL'), 'hlsUrl'),
  mp4Url: value(() => t('MP4 URL'), 'mp4Url'),
  playbackId: value(() => t('Playback ID'), 'playbackId'),
  id: value(() => t('ID'), 'id'),
  link: value(() => t('VS Code Link'), 'link'),
} as const satisfies Readonly<Record<string, Form>>;

const EVERYWHERE = ['hlsUrl', 'mp4Url', 'playbackId', 'id', 'link'] as const;
const SCRIPT = ['hlsJs', 'fetch'] as const;
const COMPONENT = ['component', ...SCRIPT] as const;

export const FORM_IDS = Object.keys(FORMS) as readonly FormId[];

/** The forms of a language, the likeliest first; every language has those of EVERYWHERE as well. */
const OF_LANGUAGE: Readonly<Record<string, readonly FormId[]>> = {
  html: ['video'],
  markdown: ['markdown'],
  javascript: SCRIPT,
  typescript: SCRIPT,
  javascriptreact: COMPONENT,
  typescriptreact: COMPONENT,
  vue: ['component'],
  svelte: ['component'],
  shellscript: ['curl', 'ffmpeg', 'ffplay'],
  dotenv: ['dotenv'],
  properties: ['dotenv'],
  json: ['json'],
  jsonc: ['json'],
  yaml: ['yaml'],
};

/** Returns how rows can be written in a language, the likeliest form first. Several rows become a list where it has one. */
export function snippetForms(languageId: string, rows: readonly SnippetFacts[]): readonly SnippetForm[] {
  const safe = rows.map(withoutCode);
  return [...(OF_LANGUAGE[languageId] ?? []), ...EVERYWHERE].flatMap((id) => {
    const form: Form = FORMS[id];
    if (form.isSingle === true && safe.length > 1) return [];
    const texts = safe
      .map((facts) => form.write(facts, languageId))
      .filter((text) => text !== undefined && text !== '');
    if (texts.length === 0 || texts.length < safe.length) return [];
    const [only = ''] = texts;
    const text = texts.length === 1 ? only : several(texts as readonly string[], form, languageId);
    return [{ id, label: form.label(), text }];
  });
}

/**
 * The facts, without ids and URLs that are none. Also URLs are data of a service: what is code somewhere is encoded in
 * them, because a snippet may be put into a string, or into a language that isn't known.
 */
function withoutCode(facts: SnippetFacts): SnippetFacts {
  const { id, playbackId, hlsUrl, playerUrl, mp4Url, link, apiUrl, ingest } = facts;
  return {
    ...{ id: isId(id) ? id : '', name: facts.name, playbackId: isId(playbackId) ? playbackId : undefined },
    ...{ hlsUrl: plainUrl(hlsUrl), playerUrl: plainUrl(playerUrl), mp4Url: plainUrl(mp4Url) },
    ...{ link: link && encodeCode(link), apiUrl: plainUrl(apiUrl) },
    ingest: ingest !== undefined && INGEST.test(ingest.before + ingest.after) ? ingest : undefined,
  };
}

const INGEST = /^rtmps?:\/\/[A-Za-z0-9_.:[\]~/?&=@%+,;-]+$/i;

function plainUrl(url: string | undefined): string | undefined {
  const parsed = URL.parse(url ?? '');
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.hash !== '') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return parsed.origin + encodeCode(parsed.href.slice(parsed.origin.length));
}

function encodeCode(url: string): string {
  return url.replace(/[^!%&()+,\-./:;=?@\w~]/g, (character) => {
    const bytes = Buffer.from(character.toWellFormed());
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}

function value(label: Form['label'], fact: 'hlsUrl' | 'mp4Url' | 'playbackId' | 'id' | 'link'): Form {
  return { label, write: ({ [fact]: known }, languageId) => known && literal(known, languageId), isValue: true };
}

/** Code that does something with a URL, and declares names for it. */
function program(
  label: Form['label'],
  fact: 'hlsUrl' | 'apiUrl',
  write: (url: string, languageId: string) => string,
): Form {
  return { label, write: ({ [fact]: url }, languageId) => url && write(url, languageId), isSingle: true };
}

function publicFacts({ id, name, playbackId, hlsUrl, mp4Url }: SnippetFacts): Readonly<Record<string, string>> {
  const facts = { id: id || undefined, name, playbackId, hlsUrl, mp4Url };
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined));
}

/** Brackets of a list; undefined brackets are a list of lines. */
const LISTS: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(
    [
      'javascript',
      'javascriptreact',
      'typescript',
      'typescriptreact',
      'python',
      'ruby',
      'php',
      'json',
      'jsonc',
      'vue',
      'svelte',
    ].map((id) => [id, ['[', ']'] as const]),
  ),
  go: ['[]string{', '}'],
  java: ['List.of(', ')'],
  csharp: ['new[] {', '}'],
  rust: ['vec![', ']'],
};

function several(texts: readonly string[], { isValue }: Form, languageId: string): string {
  const brackets = LISTS[languageId];
  if (languageId === 'yaml') return texts.map((text) => listItem(text)).join('\n');
  const isList = brackets !== undefined && (isValue === true || languageId.startsWith('json'));
  if (!isList) return texts.join(isValue === true ? '\n' : '\n\n');
  // Of these, Go alone needs a comma after the last one, and Java and JSON allow none.
  const last = languageId === 'go' ? ',' : '';
  return `${brackets[0]}\n${texts.map((text) => `  ${text.replaceAll('\n', '\n  ')}`).join(',\n')}${last}\n${brackets[1]}`;
}

/** Lines of a mapping stand below the hyphen, so that they fit whatever the editor indents them by. */
function listItem(text: string): string {
  return text.includes('\n') ? `-\n  ${text.replaceAll('\n', '\n  ')}` : `- ${text}`;
}

function htmlVideo(url: string, id: string): string {
  const element = `stream-${id}`;
  return `<video id="${element}" ${PLAYER_TAG}></video>
<script src="https://cdn.jsdelivr.net/npm/hls.js@1"></script>
<script>
  {
    const video = document.getElementById(${scriptString(element)});
    const source = ${scriptString(url)};
    if (Hls.isSupported()) {
      const hls = new Hls();
      hls.loadSource(source);
      hls.attachMedia(video);
    } else {
      video.src = source;
    }
  }
</script>`;
}

function component(url: string, languageId: string): string {
  if (languageId === 'vue') {
    return `<script setup>
import Hls from 'hls.js';
import { onBeforeUnmount, onMounted, useTemplateRef } from 'vue';

const video = useTemplateRef('video');
const hls = new Hls();
onMounted(() => {
  hls.loadSource(${scriptString(url)});
  hls.attachMedia(video.value);
});
onBeforeUnmount(() => hls.destroy());
</script>

<template>
  <video ref="video" ${PLAYER_TAG}></video>
</template>`;
  }
  if (languageId === 'svelte') {
    return `<script>
  import Hls from 'hls.js';

  function play(video) {
    const hls = new Hls();
    hls.loadSource(${scriptString(url)});
    hls.attachMedia(video);
    return { destroy: () => hls.destroy() };
  }
</script>

<video use:play ${PLAYER_TAG}></video>`;
  }
  const element = languageId === 'typescriptreact' ? '<HTMLVideoElement>' : '';
  return `import Hls from 'hls.js';
import { useEffect, useRef } from 'react';

export function LivePlayer() {
  const video = useRef${element}(null);
  useEffect(() => {
    if (video.current === null) return;
    const hls = new Hls();
    hls.loadSource(${scriptString(url)});
    hls.attachMedia(video.current);
    return () => hls.destroy();
  }, []);
  return <video ref={video} controls muted playsInline />;
}`;
}

function hlsJs(url: string, languageId: string): string {
  return `import Hls from 'hls.js';

const video = document.querySelector('video');
if (video !== null) {
  const hls = new Hls();
  hls.loadSource(${literal(url, languageId)});
  hls.attachMedia(video);
}`;
}

function fetchCall(url: string, languageId: string): string {
  return `const response = await fetch(${literal(url, languageId)}, {
  headers: { authorization: \`Bearer \${process.env.LIVEPEER_API_KEY}\` },
});
if (!response.ok) throw new Error(\`The API answered \${response.status}\`);
const stream = await response.json();`;
}

function inQuotes(text: string): string {
  return text.replace(/["$`\\]/g, '\\$&');
}
