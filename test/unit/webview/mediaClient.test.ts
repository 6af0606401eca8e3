import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js';
import { type MediaReply, type MediaRequest, numberedUrl, parseNumberedUrl } from '../../../src/util/numberedUrl.ts';
import { MediaClient } from '../../../src/webview/player/mediaClient.ts';
import { createLoader } from '../../../src/webview/player/mediaLoader.ts';
import type { MetProblem } from '../../../src/webview/player/messages.ts';

function openClient() {
  const requests: MediaRequest[] = [];
  const canceled: number[] = [];
  const outcomes: string[] = [];
  const client = new MediaClient({
    request: (request) => requests.push(request),
    cancel: (id) => canceled.push(id),
  });
  const handlers = {
    onProgress: (loaded: number) => outcomes.push(`progress ${loaded}`),
    onLoaded: ({ body }: { readonly body: string | ArrayBuffer }) => outcomes.push(`loaded ${String(body)}`),
    onFailed: ({ problem, code }: { readonly problem: { readonly kind: string }; readonly code: number }) =>
      outcomes.push(`failed ${problem.kind} ${code}`),
  };
  return { client, requests, canceled, outcomes, handlers };
}

const TIMES = { size: undefined, firstByteMs: 20, totalMs: 120 };

function loaded(id: number, body: string | ArrayBuffer): MediaReply<MetProblem> {
  return { kind: 'loaded', id, body, ...TIMES };
}

describe('A URL that stands for a number', () => {
  it('is read back with its query, and no other URL is', () => {
    assert.deepEqual(parseNumberedUrl(numberedUrl(12)), { number: 12, query: '' });
    assert.deepEqual(parseNumberedUrl(`${numberedUrl(0)}?_HLS_msn=3`), { number: 0, query: '_HLS_msn=3' });
    for (const other of ['https://numbered.invalid/', 'https://numbered.invalid/1/2', 'https://cdn.test/12', '12']) {
      assert.equal(parseNumberedUrl(other), undefined, other);
    }
  });
});

describe('The requests of a page', () => {
  it('go to the host by number, with range and directives, and end with its reply', () => {
    const { client, requests, outcomes, handlers } = openClient();
    client.fetch({ url: `${numberedUrl(4)}?_HLS_msn=3`, range: { start: 1, end: 5 } }, handlers);
    const [request] = requests;
    assert.ok(request);
    assert.deepEqual([request.resource, request.range, request.directives], [4, { start: 1, end: 5 }, '_HLS_msn=3']);
    client.receive({ kind: 'progress', id: request.id, loaded: 7 });
    client.receive(loaded(request.id, 'text'));
    client.receive(loaded(request.id, 'again'));
    assert.deepEqual(outcomes, ['progress 7', 'loaded text']);
  });

  it('get no reply once they are canceled, or another source is shown', () => {
    const { client, requests, canceled, outcomes, handlers } = openClient();
    const cancel = client.fetch({ url: numberedUrl(1) }, handlers);
    client.fetch({ url: numberedUrl(2) }, handlers);
    cancel();
    cancel();
    client.reset();
    for (const { id } of requests) client.receive(loaded(id, 'late'));
    assert.deepEqual(canceled, [requests[0]?.id]);
    assert.deepEqual(outcomes, []);
  });

  it('never leave the page for a URL that stands for no number', async () => {
    const { client, requests, outcomes, handlers } = openClient();
    for (const url of ['https://evil.test/a.ts', 'data:text/plain,x', 'a.ts']) client.fetch({ url }, handlers);
    await Promise.resolve();
    assert.deepEqual(requests, []);
    assert.deepEqual(outcomes, [
      'failed foreignScheme 499',
      'failed foreignScheme 499',
      'failed malformedPlaylist 499',
    ]);
  });
});

describe('What hls.js loads', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function openLoader(context: Partial<LoaderContext> & { readonly keyInfo?: object } = {}) {
    const opened = openClient();
    const adapted: string[] = [];
    const heard: unknown[] = [];
    const Loader = createLoader(opened.client, {
      adaptPlaylist: (text) => text.toUpperCase(),
      async adaptSegment(bytes) {
        adapted.push(new TextDecoder().decode(bytes));
        return adapted[0] === 'sound' ? { kind: 'soundFormat' } : undefined;
      },
    });
    const loader = new Loader({} as never);
    const callbacks = {
      onSuccess: ({ data }: { readonly data: unknown }) => heard.push(data),
      onError: ({ code }: { readonly code: number }, _: unknown, details: unknown) => heard.push([code, details]),
      onTimeout: () => heard.push('timeout'),
      onAbort: () => heard.push('aborted'),
    } as unknown as LoaderCallbacks<LoaderContext>;
    const config = { loadPolicy: { maxLoadTimeMs: 1000 } } as LoaderConfiguration;
    loader.load(
      { url: numberedUrl(3), responseType: 'text', frag: {}, ...context } as LoaderContext,
      config,
      callbacks,
    );
    const id = opened.requests[0]?.id ?? -1;
    return { ...opened, loader, adapted, heard, id };
  }

  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;

  it('is adapted for the editor, except keys', async () => {
    const playlist = openLoader();
    playlist.client.receive(loaded(playlist.id, 'text'));
    await settle();
    assert.deepEqual(playlist.heard, ['TEXT']);
    const segment = openLoader();
    segment.client.receive(loaded(segment.id, bytesOf('abc')));
    assert.deepEqual(segment.adapted, ['abc']);
    const key = openLoader({ keyInfo: {} });
    key.client.receive(loaded(key.id, bytesOf('key')));
    assert.deepEqual(key.adapted, []);
    const sound = openLoader();
    sound.client.receive(loaded(sound.id, bytesOf('sound')));
    await settle();
    assert.deepEqual(sound.heard, [[499, { kind: 'soundFormat' }]]);
  });

  it('has the times of the host’s request, not of the way to the page', () => {
    const { loader, client, id } = openLoader();
    client.receive(loaded(id, bytesOf('abc')));
    const { start, first, end } = loader.stats.loading;
    assert.deepEqual([Math.round(first - start), Math.round(end - start), loader.stats.loaded], [20, 120, 3]);
  });

  it('counts as aborted only if it was under way, so that hls.js measures the bandwidth by it', async () => {
    const whole = openLoader();
    whole.client.receive(loaded(whole.id, bytesOf('abc')));
    await settle();
    whole.loader.destroy();
    const broken = openLoader();
    broken.loader.destroy();
    assert.deepEqual([whole.loader.stats.aborted, broken.loader.stats.aborted], [false, true]);
  });

  it('asks for a part of a resource where the playlist names one', () => {
    const { requests } = openLoader({ rangeStart: 100, rangeEnd: 200 });
    assert.deepEqual(requests[0]?.range, { start: 100, end: 200 });
  });

  it('passes on what the host found wrong', () => {
    const { client, heard, id } = openLoader();
    const problem = { kind: 'htmlSegment' } as const;
    client.receive({ kind: 'failed', id, problem, code: 499 });
    assert.deepEqual(heard, [[499, problem]]);
  });

  it('ends once: with a timeout, an abort, or a reply', () => {
    const late = openLoader();
    mock.timers.tick(1000);
    late.client.receive(loaded(late.id, 'text'));
    assert.deepEqual([late.heard, late.canceled], [['timeout'], [late.id]]);
    const aborted = openLoader();
    aborted.loader.abort();
    aborted.loader.abort();
    mock.timers.tick(1000);
    assert.deepEqual([aborted.heard, aborted.canceled], [['aborted'], [aborted.id]]);
  });
});
