import { t } from '@vscode/l10n';
import { isId } from '../../api/ids.ts';
import { ownValue } from '../../util/ownValue.ts';
import { oneLine } from '../../util/text.ts';
import { literal, shellWord, stringContent } from '../literals.ts';
import { indent } from './changes.ts';
import { linesBelowImports, writeImports } from './imports.ts';
import type { Place } from './place.ts';
import { component, hlsJs, iframe, type Program, platformPlayer, playerName, videoElement } from './players.ts';
import { type ApiRequest, requestCode } from './requests.ts';

/** The public data of a stream or recording. It has no key, so no snippet can contain one. */
export interface SnippetFacts {
  readonly id: string;
  readonly name: string;
  readonly isSession?: boolean;
  readonly playbackId?: string | undefined;
  /** Whether its URLs play only with a signed token. */
  readonly needsToken?: boolean;
  /** The URL of the stream, or of the recording. */
  readonly hlsUrl?: string | undefined;
  readonly playerUrl?: string | undefined;
  readonly mp4Url?: string | undefined;
  /** Opens the row in the editor. */
  readonly link?: string | undefined;
  /** Requests that need the API key. */
  readonly requests?: readonly ApiRequest[];
  /** The parts of the ingest URL before and after the stream key. */
  readonly ingest?: { readonly before: string; readonly after: string } | undefined;
}

/** Whether code plays a stream whose viewers need a token, which code never contains. */
export function lacksToken({ needsToken, hlsUrl, playerUrl }: SnippetFacts, code: string): boolean {
  return needsToken === true && [hlsUrl, playerUrl].some((url) => url !== undefined && code.includes(url));
}

export type FormId = keyof typeof FORMS;

/** A value, which is inserted at the cursor, or a program, which is inserted on its own lines. */
export type Snippet = { readonly kind: 'value'; readonly text: string } | ({ readonly kind: 'program' } & Program);

export interface SnippetForm {
  readonly id: FormId;
  readonly label: string;
  /** The whole text, as in a file of its own. */
  readonly text: string;
  readonly snippet: Snippet;
}

interface Form {
  readonly label: (place: Place, rows: readonly SnippetFacts[]) => string;
  /** Returns undefined if a fact that it needs is unknown. A string is a value. */
  readonly write: (facts: SnippetFacts, place: Place) => string | Program | undefined;
  /** Whether it's one value, so that several become a list. */
  readonly isValue?: boolean;
}

const FORMS = {
  video: {
    label: () => t('Video with hls.js'),
    write: ({ id, hlsUrl }) => (hlsUrl && id ? videoElement(hlsUrl, id) : undefined),
  },
  iframe: {
    label: () => t('Player in an iframe'),
    write: ({ name, playerUrl }) => (playerUrl ? iframe(playerUrl, oneLine(name, 100)) : undefined),
  },
  component: {
    label: () => t('Component with hls.js'),
    write: ({ hlsUrl }, place) => (hlsUrl ? component(hlsUrl, place) : undefined),
  },
  hlsJs: {
    label: () => t('Playback with hls.js'),
    write: ({ hlsUrl }, place) => (hlsUrl ? hlsJs(hlsUrl, place) : undefined),
  },
  player: {
    label: ({ languageId }) => t('Video with {0}', playerName(languageId)),
    write: ({ hlsUrl }, place) => (hlsUrl ? platformPlayer(hlsUrl, place) : undefined),
  },
  getStream: request(() => t('Get the stream from the API'), 'getStream'),
  getSession: request(() => t('Get the session from the API'), 'getSession'),
  listSessions: request(() => t('List the sessions of the stream'), 'listSessions'),
  createStream: request(() => t('Create a stream'), 'createStream'),
  markdown: {
    label: () => t('Link'),
    write: ({ name, playerUrl, mp4Url, hlsUrl }) => {
      const url = playerUrl ?? mp4Url ?? hlsUrl;
      return url && `[${oneLine(name, 100).replace(/[!-/:-@[-`{-~]/g, '\\$&')}](<${url}>)`;
    },
  },
  ffmpeg: {
    label: () => t('ffmpeg broadcast'),
    write: ({ ingest }) =>
      ingest &&
      lines(
        `ffmpeg -re -i input.mp4 -c:v libx264 -preset veryfast -c:a aac -f flv "${inQuotes(ingest.before)}\${STREAM_KEY}${inQuotes(ingest.after)}"`,
      ),
  },
  ffplay: {
    label: () => t('ffplay playback'),
    write: ({ hlsUrl }) => (hlsUrl ? lines(`ffplay ${shellWord(hlsUrl)}`) : undefined),
  },
  dotenv: {
    label: () => t('Environment variables'),
    write: ({ playbackId, hlsUrl }) => {
      const known = [playbackId && `PLAYBACK_ID=${shellWord(playbackId)}`, hlsUrl && `HLS_URL=${shellWord(hlsUrl)}`];
      const code = known.filter(Boolean).join('\n');
      return code === '' ? undefined : lines(code);
    },
  },
  json: { label: () => t('JSON object'), write: (facts) => JSON.stringify(publicFacts(facts), undefined, 2) },
  yaml: {
    label: () => t('YAML mapping'),
    write: (facts) =>
      Object.entries(publicFacts(facts))
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
        .join('\n'),
  },
  hlsUrl: value(() => t('HLS URL'), 'hlsUrl'),
  mp4Url: value(() => t('MP4 URL'), 'mp4Url'),
  playbackId: value(() => t('Playback ID'), 'playbackId'),
  id: value((_, rows) => idLabel(rows), 'id'),
  link: value(() => t('VS Code Link'), 'link'),
} as const satisfies Readonly<Record<string, Form>>;

const EVERYWHERE = ['hlsUrl', 'mp4Url', 'playbackId', 'id', 'link'] as const;
const REQUESTS = ['getStream', 'getSession', 'listSessions', 'createStream'] as const;
const SCRIPT = ['hlsJs', ...REQUESTS] as const;
const COMPONENT = ['component', ...SCRIPT] as const;
const PLATFORM = ['player', ...REQUESTS] as const;

export const FORM_IDS = Object.keys(FORMS) as readonly FormId[];

/** The forms of a language, most likely first; every language has those of EVERYWHERE as well. */
const OF_LANGUAGE: Readonly<Record<string, readonly FormId[]>> = {
  html: ['video', 'iframe'],
  markdown: ['markdown'],
  javascript: SCRIPT,
  typescript: SCRIPT,
  javascriptreact: COMPONENT,
  typescriptreact: COMPONENT,
  vue: ['component'],
  svelte: ['component'],
  python: REQUESTS,
  go: REQUESTS,
  swift: PLATFORM,
  kotlin: PLATFORM,
  dart: PLATFORM,
  shellscript: ['ffplay', 'ffmpeg', ...REQUESTS],
  dotenv: ['dotenv'],
  properties: ['dotenv'],
  json: ['json'],
  jsonc: ['json'],
  yaml: ['yaml'],
};
/** A page can't keep an API key secret. */
const OF_PAGE_SCRIPT: readonly FormId[] = ['hlsJs'];

/** Returns the place in an empty file. */
export function emptyFile(languageId: string): Place {
  return { languageId, fileLanguageId: languageId, isInString: false, depth: 0 };
}

/**
 * Returns the forms in which rows can be written at a place, most likely first. Several rows become a list if possible.
 */
export function snippetForms(place: Place, rows: readonly SnippetFacts[]): readonly SnippetForm[] {
  const safe = rows.map(withoutCode);
  return formIdsOf(place).flatMap((id) => {
    const form: Form = FORMS[id];
    const written = safe.map((facts) => form.write(facts, place) ?? '').filter((each) => each !== '');
    if (written.length === 0 || written.length < safe.length) return [];
    const snippet = toSnippet(written, form, place);
    return snippet === undefined
      ? []
      : [{ id, label: form.label(place, rows), text: wholeText(snippet, place), snippet }];
  });
}

/** Returns why only values fit a place. undefined if code does too. */
export function whyOnlyValues(place: Place): 'string' | 'language' | undefined {
  if (place.isInString) return 'string';
  if (place.jsx !== undefined) return undefined;
  return formIdsOf(place).length > EVERYWHERE.length ? undefined : 'language';
}

function formIdsOf({ languageId, fileLanguageId, isInString, jsx }: Place): readonly FormId[] {
  if (isInString || jsx === 'tag') return EVERYWHERE;
  if (jsx !== undefined) return ['component', ...EVERYWHERE];
  const isEmbedded = languageId !== fileLanguageId;
  const ofPage = /^(?:java|type)script$/.test(languageId) ? OF_PAGE_SCRIPT : [];
  return [...(isEmbedded ? ofPage : (ownValue(OF_LANGUAGE, languageId) ?? [])), ...EVERYWHERE];
}

/**
 * Returns the facts without invalid IDs and URLs. URLs come from a service too: characters that are code in some
 * language are encoded, because a snippet may end up in a string, or in an unknown language.
 */
function withoutCode(facts: SnippetFacts): SnippetFacts {
  const { id, playbackId, hlsUrl, playerUrl, mp4Url, link, requests = [], ingest } = facts;
  return {
    ...{ id: isId(id) ? id : '', name: facts.name, playbackId: isId(playbackId) ? playbackId : undefined },
    ...{ hlsUrl: plainUrl(hlsUrl), playerUrl: plainUrl(playerUrl), mp4Url: plainUrl(mp4Url) },
    link: link && encodeCode(link),
    requests: requests.map(({ kind, url }) => ({ kind, url: plainUrl(url) ?? '' })).filter(({ url }) => url !== ''),
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
  const write: Form['write'] = ({ [fact]: known }, { languageId, isInString }) =>
    known && (isInString ? stringContent(known, languageId) : literal(known, languageId));
  return { label, write, isValue: true };
}

function idLabel(rows: readonly SnippetFacts[]): string {
  const sessions = rows.filter(({ isSession }) => isSession === true).length;
  if (sessions === 0) return t('Stream ID');
  return sessions === rows.length ? t('Session ID') : t('ID');
}

function request(label: Form['label'], kind: ApiRequest['kind']): Form {
  const write: Form['write'] = ({ requests = [] }, place) => {
    const found = requests.find((each) => each.kind === kind);
    return found && requestCode(found, place);
  };
  return { label, write };
}

function lines(code: string): Program {
  return { imports: [], code };
}

/** Returns undefined for several programs: they declare the same names. */
function toSnippet(written: readonly (string | Program)[], form: Form, place: Place): Snippet | undefined {
  const [first] = written;
  if (written.length === 1 && typeof first === 'object') return { kind: 'program', ...first };
  const texts = written.filter((each) => typeof each === 'string');
  if (texts.length < written.length || first === undefined) return undefined;
  const text = texts.length === 1 ? (texts[0] ?? '') : several(texts, form, place);
  return { kind: 'value', text: place.jsx === 'content' ? `{${text}}` : text };
}

const UNITS: Readonly<Record<string, string>> = { python: '    ', swift: '    ', kotlin: '    ', go: '\t' };

export function wholeText(snippet: Snippet, { languageId }: Place): string {
  if (snippet.kind === 'value') return snippet.text;
  const imports = writeImports(languageId, snippet.imports);
  if (snippet.setup !== undefined) return wholeComponent(snippet, languageId);
  const gap = '\n'.repeat(linesBelowImports(languageId, snippet.code) + 1);
  return [imports, indent(snippet.code, ownValue(UNITS, languageId) ?? '  ')].filter(Boolean).join(gap);
}

/** Returns a component for an otherwise empty file. Each of its levels is indented by two spaces. */
export function wholeComponent({ imports, setup = '', code }: Program, languageId: string): string {
  return `${componentScript({ imports, setup, code }, languageId)}\n\n${componentMarkup(code, languageId)}`;
}

export function componentScript({ imports, setup = '' }: Program, languageId: string): string {
  const script = [...imports, '', setup].join('\n');
  return languageId === 'vue'
    ? `<script setup>\n${script}\n</script>`
    : `<script>\n${script.replace(/^(?=.)/gm, '  ')}\n</script>`;
}

export function componentMarkup(code: string, languageId: string): string {
  return languageId === 'vue' ? `<template>\n  ${code}\n</template>` : code;
}

function publicFacts({ id, name, playbackId, hlsUrl, mp4Url }: SnippetFacts): Readonly<Record<string, string>> {
  const facts = { id: id || undefined, name, playbackId, hlsUrl, mp4Url };
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined));
}

/** The brackets of a list; without brackets, a list of lines. */
const LISTS: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(
    ['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'python', 'ruby', 'php', 'json', 'jsonc'].map(
      (id) => [id, ['[', ']'] as const],
    ),
  ),
  go: ['[]string{', '}'],
  java: ['List.of(', ')'],
  csharp: ['new[] {', '}'],
  rust: ['vec![', ']'],
};

function several(texts: readonly string[], { isValue }: Form, { languageId, isInString }: Place): string {
  if (isInString) return texts.join(',');
  const brackets = ownValue(LISTS, languageId);
  if (languageId === 'yaml') return texts.map((text) => listItem(text)).join('\n');
  const isList = brackets !== undefined && (isValue === true || languageId.startsWith('json'));
  if (!isList) return texts.join(isValue === true ? '\n' : '\n\n');
  // Only Go needs a comma after the last item, and Java and JSON don't allow one.
  const last = languageId === 'go' ? ',' : '';
  return `${brackets[0]}\n${texts.map((text) => `  ${text.replaceAll('\n', '\n  ')}`).join(',\n')}${last}\n${brackets[1]}`;
}

/** Puts the lines of a mapping below the hyphen, so that they fit any indentation by the editor. */
function listItem(text: string): string {
  return text.includes('\n') ? `-\n  ${text.replaceAll('\n', '\n  ')}` : `- ${text}`;
}

function inQuotes(text: string): string {
  return text.replace(/["$`\\]/g, '\\$&');
}
