import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { locateMedia } from '../../../../src/model/playback/locateMedia.ts';
import { type FeedReply, MediaFeed, MOST_BYTES_UNDER_WAY } from '../../../../src/model/playback/mediaFeed.ts';
import { type MediaRequest, parseNumberedUrl } from '../../../../src/util/numberedUrl.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { createClient, describeWith, hidesRedirects, MEDIA_CLIENTS } from '../../../support/service/clients.ts';
import { type MediaServer, masterOf, playlistOf, startMediaServer } from '../../../support/service/mediaServer.ts';

type Outcome = Exclude<FeedReply, { readonly kind: 'progress' }>;

describeWith(MEDIA_CLIENTS, 'What a player gets from the host', (client) => {
  let media: MediaServer;
  let warnings: string[];
  const clock = createTestClock();
  const log = { ...fakeLog(), warn: (text: string) => void warnings.push(text) };
  const network = createClient(client, {
    settings: () => ({ timeoutMs: 3000 }),
    clock,
    log,
    random: () => -0.45,
  });

  before(async () => {
    media = await startMediaServer();
  });
  beforeEach(() => {
    warnings = [];
  });
  after(() => {
    media.close();
    network.dispose();
  });

  /** Opens a source as the finder does. */
  async function open(path: string, kind: 'hls' | 'mp4' = 'hls') {
    const connection = { baseUrl: 'http://127.0.0.1:3004/api' };
    const url = `${media.origin}${path}`;
    const located = await locateMedia({ url, kind, connection, transport: network });
    assert.ok(located.ok, JSON.stringify(located));
    const feed = new MediaFeed({ media: located.media, network, clock, log });
    let id = 0;
    const replies: FeedReply[] = [];
    const ask = async (resource: number, rest: Partial<MediaRequest> = {}): Promise<Outcome> => {
      id += 1;
      const own = id;
      await feed.request({ id: own, resource, ...rest }, (reply) => replies.push(reply));
      const outcome = replies.find((reply): reply is Outcome => reply.id === own && reply.kind !== 'progress');
      assert.ok(outcome, 'no outcome');
      return outcome;
    };
    return { feed, ask, replies };
  }

  function bodyOf(outcome: Outcome): string | ArrayBuffer {
    assert.ok(outcome.kind === 'loaded', JSON.stringify(outcome));
    return outcome.body;
  }

  function numbersIn(outcome: Outcome): readonly number[] {
    const lines = String(bodyOf(outcome)).split('\n');
    const uris = lines.flatMap((line) => (line.startsWith('#') ? [/URI="([^"]*)"/.exec(line)?.[1] ?? ''] : [line]));
    return uris.flatMap((uri) => parseNumberedUrl(uri)?.number ?? []);
  }

  /** A recording of these segments, opened down to its playlist. */
  async function openSegments(name: string, segments: readonly string[]) {
    media.serve(`/${name}.m3u8`, { body: playlistOf(segments) });
    const opened = await open(`/${name}.m3u8`);
    return { ...opened, numbers: numbersIn(await opened.ask(0)) };
  }

  it('is playlists with numbers for URLs, and the bytes that these stand for', async () => {
    media.serve('/whole.m3u8', { body: masterOf(['high.m3u8?token=secret']) });
    media.serve('/high.m3u8', { body: playlistOf(['0.ts', '1.ts']) });
    media.serve('/1.ts', { type: 'video/mp2t', body: 'second' });
    const { ask } = await open('/whole.m3u8');
    const master = await ask(0);
    assert.doesNotMatch(String(bodyOf(master)), /secret|127\.0\.0\.1/);
    const [rendition = -1] = numbersIn(master);
    const [, second = -1] = numbersIn(await ask(rendition));
    assert.equal(Buffer.from(bodyOf(await ask(second)) as ArrayBuffer).toString(), 'second');
    assert.deepEqual(media.keys, []);
  });

  it('includes the playlist by which the source was found, without a second request', async () => {
    media.serve('/once.m3u8', { body: playlistOf(['0.ts']) });
    const { ask } = await open('/once.m3u8');
    const count = () => media.requests.filter((path) => path === '/once.m3u8').length;
    await ask(0);
    assert.equal(count(), 1);
    await ask(0);
    assert.equal(count(), 2);
  });

  it('is refused and logged where no playlist of the source names it, and nothing is requested', async () => {
    const { ask } = await openSegments('mine', ['0.ts']);
    const before = media.requests.length;
    for (const resource of [2, 77, 1e9]) {
      assert.deepEqual(await ask(resource), {
        kind: 'failed',
        id: resource === 2 ? 2 : resource === 77 ? 3 : 4,
        problem: { kind: 'stopped' },
        code: 499,
      });
    }
    assert.equal(warnings.length, 3);
    assert.equal(media.requests.length, before);
  });

  it('keeps the number of a URL while playlists name the URL, and forgets it later', async () => {
    const { ask } = await openSegments('live', ['0.ts', '1.ts']);
    const [, one = -1] = numbersIn(await ask(0));
    media.serve('/live.m3u8', { body: playlistOf(['1.ts', '2.ts']) });
    assert.equal(numbersIn(await ask(0))[0], one);
    media.serve('/live.m3u8', { body: playlistOf(['8.ts']) });
    await ask(0);
    await ask(0);
    const gone = await ask(one);
    assert.ok(gone.kind === 'failed' && gone.problem.kind === 'stopped');
  });

  it('asks again only for what has changed of a playlist that grows', async () => {
    const etags: (string | undefined)[] = [];
    const growing = playlistOf(['0.ts']).replace('#EXT-X-ENDLIST', '');
    media.serve('/growing.m3u8', (request, response) => {
      etags.push(request.headers['if-none-match']);
      const isSame = request.headers['if-none-match'] === '"one"';
      response.writeHead(isSame ? 304 : 200, { etag: '"one"' }).end(isSame ? undefined : growing);
    });
    const { ask } = await open('/growing.m3u8');
    await ask(0);
    const second = await ask(0);
    const third = await ask(0);
    assert.deepEqual(etags, [undefined, undefined, '"one"']);
    assert.equal(bodyOf(third), bodyOf(second));
  });

  it('takes part in blocking reloads of low-latency HLS', async () => {
    media.serve('/low.m3u8', { body: playlistOf(['0.ts']) });
    const { ask } = await open('/low.m3u8?a=b');
    await ask(0, { directives: '_HLS_msn=12&_HLS_part=3' });
    assert.equal(media.requests.at(-1), '/low.m3u8?a=b&_HLS_msn=12&_HLS_part=3');
  });

  it('is a part of a file where one is asked for, whether or not the server knows ranges', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
    media.serve('/knows.mp4', (request, response) => {
      const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const end = Math.min(Number(to), 999);
      const headers = { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${end}/1000` };
      response.writeHead(206, headers).end(bytes.subarray(Number(from), end + 1));
    });
    media.serve('/knows-not.mp4', { type: 'video/mp4', body: bytes, headers: { 'content-length': '1000' } });
    media.serve('/knows-nothing.mp4', { type: 'video/mp4', body: bytes });
    for (const path of ['/knows.mp4', '/knows-not.mp4', '/knows-nothing.mp4']) {
      const { ask } = await open(path, 'mp4');
      const part = await ask(0, { range: { start: 400, end: 420 } });
      assert.deepEqual(Buffer.from(bodyOf(part) as ArrayBuffer), bytes.subarray(400, 420), path);
      assert.equal(part.kind === 'loaded' && part.size, 1000, path);
    }
  });

  it('says what came instead of media', async () => {
    const { ask, numbers } = await openSegments('odd', ['none.ts', 'page.ts', 'empty.ts', 'busy.ts', 'file.m3u8']);
    media.serve('/page.ts', { type: 'video/mp2t', body: ' <!DOCTYPE html>' });
    media.serve('/empty.ts', { type: 'video/mp2t', body: '' });
    media.serve('/busy.ts', { status: 503 });
    const { host } = new URL(media.origin);
    const outcomes = [];
    for (const number of numbers.slice(0, 4)) {
      const outcome = await ask(number);
      outcomes.push(outcome.kind === 'failed' ? [outcome.problem, outcome.code] : 'loaded');
    }
    assert.deepEqual(outcomes, [
      [{ kind: 'segmentStatus', status: 404, host }, 404],
      [{ kind: 'htmlSegment' }, 499],
      [{ kind: 'truncatedSegment' }, 0],
      [{ kind: 'segmentStatus', status: 503, host }, 503],
    ]);
  });

  it('is nothing of another scheme, of this computer for a service elsewhere, or behind a redirect to either', async () => {
    const connection = { baseUrl: 'https://service.test/api' };
    const port = new URL(media.origin).port;
    const body = masterOf([`http://127.0.0.1:${port}/a.m3u8`, 'http://plain.test/b.m3u8', 'https://u:p@x.test/c']);
    const fake = {
      ...network,
      send: async () => ({ status: 200, headers: {}, body: new TextEncoder().encode(body) }),
    };
    const located = await locateMedia({ url: 'https://cdn.test/a.m3u8', kind: 'hls', connection, transport: fake });
    assert.ok(located.ok);
    const before = media.requests.length;
    const feed = new MediaFeed({ media: located.media, network, clock, log });
    const replies: FeedReply[] = [];
    for (const resource of [0, 1, 2, 3]) await feed.request({ id: resource, resource }, (reply) => replies.push(reply));
    assert.deepEqual(
      replies.slice(1).map((reply) => reply.kind === 'failed' && 'sentence' in reply.problem && reply.problem.sentence),
      [
        `The playlist points to 127.0.0.1:${port}, which is this computer.`,
        'The playlist points to plain.test, which uses HTTP instead of HTTPS.',
        'The playlist points to a URL on x.test that contains a user name or password.',
      ],
    );
    assert.equal(media.requests.length, before);
  });

  it('follows five redirects of a segment and no sixth', async () => {
    for (let hop = 0; hop < 6; hop++) {
      media.serve(`/hop${hop}.ts`, { status: 302, headers: { location: `/hop${hop + 1}.ts` } });
    }
    media.serve('/hop6.ts', { type: 'video/mp2t', body: 'there' });
    const { ask, numbers } = await openSegments('hops', ['hop1.ts', 'hop0.ts']);
    assert.equal((await ask(numbers[0] ?? -1)).kind, 'loaded');
    const sixth = await ask(numbers[1] ?? -1);
    if (hidesRedirects(client)) return assert.equal(sixth.kind, 'loaded');
    assert.ok(sixth.kind === 'failed' && sixth.problem.kind === 'tooManyRedirects', JSON.stringify(sixth));
  });

  it('is bounded: six requests at once, 32 MB, and a key of 64 KB', async () => {
    const held: ServerResponse[] = [];
    media.serve('/held.ts', (_, response) => void held.push(response));
    media.serve('/huge.ts', (_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': String(4 * 2 ** 30) });
      response.write('begin');
    });
    media.serve('/endless.ts', (_, response) => void sendForEver(response));
    media.serve('/key', (_, response) => void sendForEver(response));
    const text = playlistOf(['held.ts', 'huge.ts', 'endless.ts']);
    media.serve('/bounded.m3u8', { body: text.replace('#EXTINF', '#EXT-X-KEY:METHOD=AES-128,URI="key"\n#EXTINF') });
    const { ask, feed, replies } = await open('/bounded.m3u8');
    const [key = -1, slow = -1, huge = -1, endless = -1] = numbersIn(await ask(0));
    for (const number of [huge, endless]) {
      const outcome = await ask(number);
      assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'largeSegment', JSON.stringify(outcome));
    }
    const keyOutcome = await ask(key);
    assert.ok(keyOutcome.kind === 'failed' && keyOutcome.problem.kind === 'brokenSegment', JSON.stringify(keyOutcome));
    const asked = Array.from({ length: 8 }, (_, index) =>
      feed.request({ id: 100 + index, resource: slow }, (reply) => replies.push(reply)),
    );
    await waitUntil(async () => held.length === 6);
    feed.cancel(100);
    await waitUntil(async () => held.length === 7);
    feed.dispose();
    await Promise.all(asked);
    assert.equal(held.length, 7, 'a canceled request that waited is never sent');
    assert.ok(
      replies.every(({ id }) => id < 100),
      'no reply to what was canceled',
    );
  });

  it('waits for others however many requests that waited were canceled', async () => {
    const held: ServerResponse[] = [];
    media.serve('/hanging.ts', (_, response) => void held.push(response));
    const { ask, feed, numbers } = await openSegments('queue', ['hanging.ts']);
    const resource = numbers[0] ?? -1;
    const never = () => assert.fail('There is no reply to what was canceled');
    const running = Array.from({ length: 6 }, (_, index) => feed.request({ id: 100 + index, resource }, never));
    await waitUntil(async () => held.length === 6);
    for (let id = 200; id < 300; id++) {
      const canceled = feed.request({ id, resource }, never);
      feed.cancel(id);
      await canceled;
    }
    const last = ask(resource);
    feed.cancel(100);
    await waitUntil(async () => held.length === 7);
    held[6]?.writeHead(200, { 'content-type': 'video/mp2t' }).end('last');
    assert.equal(Buffer.from(bodyOf(await last) as ArrayBuffer).toString(), 'last');
    feed.dispose();
    await Promise.all(running);
    assert.deepEqual(warnings, []);
  });

  it('lets segments wait that would exceed the limit together', async () => {
    const size = MOST_BYTES_UNDER_WAY / 2 + 1;
    const held: ServerResponse[] = [];
    const serve = (path: string) =>
      media.serve(path, (_, response) => {
        response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': String(size) }).write('first');
        held.push(response);
      });
    serve('/big0.ts');
    serve('/big1.ts');
    const { ask, numbers } = await openSegments('big', ['big0.ts', 'big1.ts']);
    const both = numbers.map((number) => ask(number));
    await waitUntil(async () => held.length === 2);
    for (const response of held) response.end(Buffer.alloc(size - 5, 1));
    for (const outcome of await Promise.all(both)) assert.equal((bodyOf(outcome) as ArrayBuffer).byteLength, size);
  });

  it('reports progress of what takes long', async () => {
    const sent: ServerResponse[] = [];
    media.serve('/long.ts', (_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t' }).write('a');
      sent.push(response);
    });
    const { ask, numbers, replies } = await openSegments('long', ['long.ts']);
    const outcome = ask(numbers[0] ?? -1);
    await waitUntil(async () => {
      sent[0]?.write('b');
      return replies.some(({ kind }) => kind === 'progress');
    });
    sent[0]?.end('c');
    assert.equal((await outcome).kind, 'loaded');
  });
});

async function sendForEver(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'video/mp2t' });
  const chunk = Buffer.alloc(1024 * 1024, 1);
  response.on('error', () => {});
  while (!response.destroyed) {
    if (!response.write(chunk)) await new Promise((resolve) => setImmediate(resolve));
  }
}
