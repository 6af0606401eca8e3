import { randomBytes } from 'node:crypto';
import { t } from '@vscode/l10n';
import { escapeHtml, isBlank } from '../util/text.ts';
import type { DemoState, DemoStream } from './demoState.ts';
import type { Answer, DemoRequest } from './http.ts';

const STYLE = `body{margin:0;padding:2rem;font:16px/1.5 system-ui,sans-serif;background:#15202b;color:#e8eef2}
main{max-width:60rem;margin:auto}video{width:100%;background:#000}a{color:#7fd1ae}h1{font-size:1.3rem;overflow-wrap:anywhere}
td,th{padding:.2rem 1rem .2rem 0;text-align:start;overflow-wrap:anywhere}td{white-space:nowrap}`;

/**
 * Answers the pages that commands open in a browser; undefined for other paths. The pages run no script and show no
 * secrets.
 */
export function answerBrowserPage(state: DemoState, request: DemoRequest): Answer | undefined {
  const query = new URLSearchParams(request.query);
  if (request.path === '/player') return page(t('Demo player'), playerBody(state, query));
  if (request.path === '/' || request.path === '/dashboard')
    return page(t('Demo dashboard'), dashboardBody(state, query.get('stream')));
  if (request.path === '/dashboard/keys') {
    return page(
      t('Demo dashboard'),
      paragraph(t('The demo creates its own API key and discards it when its window closes.')),
    );
  }
  return undefined;
}

export function notFoundPage(): Answer {
  return { ...page(t('Demo dashboard'), '<h1>404</h1>'), status: 404 };
}

function page(title: string, body: string): Answer {
  const nonce = randomBytes(16).toString('base64url');
  const policy = `default-src 'none'; media-src 'self'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><html><head>${head}<style nonce="${nonce}">${STYLE}</style></head><body><main>${body}</main></body></html>`,
  };
}

function playerBody(state: DemoState, query: URLSearchParams): string {
  const playbackId = query.get('v');
  if (playbackId !== null) return livePlayer(state, playbackId);
  return recordingPlayer(state, query.get('url') ?? '');
}

function livePlayer(state: DemoState, playbackId: string): string {
  const stream = [...state.streams.values()].find((it) => it.playbackId === playbackId);
  if (!stream) return paragraph(t('No stream has the playback ID "{0}".', playbackId));
  const heading = `<h1 dir="auto">${escapeHtml(isBlank(stream.name) ? stream.id : stream.name)}</h1>`;
  if (!stream.isActive) return heading + paragraph(t("This stream isn't live."));
  return heading + video([`hls/${encodeURIComponent(playbackId)}/index.m3u8`]);
}

/** Plays only this service's recordings. Their addresses become relative to work through a forwarded port too. */
function recordingPlayer(state: DemoState, url: string): string {
  const prefix = `${state.origin}/recordings/`;
  const relative = url.startsWith(prefix) ? url.slice(state.origin.length + 1) : undefined;
  if (relative === undefined) return paragraph(t("This player only plays the demo's own recordings."));
  const heading = `<h1>${escapeHtml(t('Recording'))}</h1>`;
  return heading + video([relative, relative.replace('/index.m3u8', '/source.mp4')]);
}

function video(sources: readonly string[]): string {
  const elements = sources.map((source) => `<source src="${escapeHtml(source)}" type="${typeOf(source)}">`);
  const link = `<a href="${escapeHtml(sources[0] ?? '')}">${escapeHtml(t('Open the HLS playlist'))}</a>`;
  return `<video controls autoplay muted loop playsinline>${elements.join('')}</video><p>${link}</p>`;
}

function typeOf(source: string): string {
  return source.includes('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4';
}

function dashboardBody(state: DemoState, id: string | null): string {
  const stream = state.streams.get(id ?? '');
  const heading = `<h1>${escapeHtml(t('Demo dashboard'))}</h1>`;
  if (id !== null && !stream) return heading + paragraph(t('This stream no longer exists.'));
  const streams = stream
    ? [stream]
    : [...state.streams.values()].filter((it) => it.parentId === undefined).slice(0, 100);
  return `${heading}<table>${streams.map(dashboardRow).join('')}</table>`;
}

function dashboardRow(stream: DemoStream): string {
  const state = stream.isActive ? t('live') : stream.suspended ? t('suspended') : t('idle');
  return `<tr><th dir="auto">${escapeHtml(isBlank(stream.name) ? stream.id : stream.name)}</th><td>${escapeHtml(state)}</td></tr>`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}
