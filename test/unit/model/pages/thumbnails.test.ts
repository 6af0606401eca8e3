import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/errors.ts';
import { imageAddress } from '../../../../src/model/account/account.ts';
import { Thumbnails } from '../../../../src/model/pages/thumbnails.ts';
import type { HttpRequest, HttpResponse } from '../../../../src/services.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { heldClock, settle } from '../../../support/model/heldClock.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { assertBounded } from '../../../support/process/runCost.ts';
import { itInFuzz } from '../../../support/runner/fuzzRuns.ts';
import { createClient, describeWith, MEDIA_CLIENTS } from '../../../support/service/clients.ts';
import { type MediaServer, startMediaServer } from '../../../support/service/mediaServer.ts';

/** As far as its size is told. */
const jpegOf = (width: number, height: number): Uint8Array =>
  Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1]);
const JPEG = jpegOf(320, 180);
const PICTURE = `data:image/jpeg;base64,${Buffer.from(JPEG).toString('base64')}`;
const URL_OF_PICTURE = 'https://cdn.example/latest.jpg?sig=secret';
const OF = { connection: { id: 'c1', baseUrl: 'https://service.example/api' }, playbackId: 'p1' };

describe('The current picture of a stream', () => {
  type Answer = Partial<HttpResponse> | Error | Promise<Partial<HttpResponse>>;

  function make(answers: Readonly<Record<string, Answer>>, info: unknown = infoOf(URL_OF_PICTURE), token?: string) {
    const sent: HttpRequest[] = [];
    const asked: string[] = [];
    const clock = heldClock();
    const log = fakeLog();
    const transport = {
      async send(request: HttpRequest): Promise<HttpResponse> {
        sent.push(request);
        const answer = await answers[request.url];
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('Not expected');
        return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: JPEG, ...answer };
      },
    };
    const account = {
      async readThumbnailUrl(playbackId: string): Promise<string | undefined> {
        asked.push(playbackId);
        if (info instanceof Error) throw info;
        return imageAddress(info);
      },
      viewerToken: async () => token,
    };
    const thumbnails = new Thumbnails({ transport, clock, log });
    return {
      get: (playbackId = 'p1', signal?: AbortSignal, connection = OF.connection) =>
        thumbnails.get({ connection, account, playbackId }, signal),
      sent,
      asked,
      clock,
      log,
    };
  }

  it('is found among the sources of the playback info, as the first that is an image', () => {
    assert.equal(imageAddress(infoOf(URL_OF_PICTURE)), URL_OF_PICTURE);
    for (const type of ['text/vtt', 'image/svg+xml', 'html5/video/mp4', '', 7]) {
      assert.equal(imageAddress({ meta: { source: [{ type, url: URL_OF_PICTURE }] } }), undefined);
    }
    for (const info of [
      undefined,
      null,
      'x',
      {},
      { meta: null },
      { meta: { source: {} } },
      { meta: { source: [null] } },
    ]) {
      assert.equal(imageAddress(info), undefined);
    }
    assert.equal(imageAddress({ meta: { source: [{ type: 'image/jpeg', url: 7 }] } }), undefined);
  });

  it('is fetched with a token for viewers if the stream needs one', async () => {
    const { get, sent } = make({ [`${URL_OF_PICTURE}&jwt=a.b.c`]: {} }, undefined, 'a.b.c');
    assert.equal(await get(), PICTURE);
    assert.equal(sent.length, 1);
  });

  it('comes as data, fetched without a key and within 64 KB', async () => {
    const { get, sent } = make({ [URL_OF_PICTURE]: {} });
    assert.equal(await get(), PICTURE);
    assert.equal(sent.length, 1);
    const { signal, ...request } = sent[0] ?? {};
    assert.deepEqual(request, {
      method: 'GET',
      url: URL_OF_PICTURE,
      headers: { accept: 'image/*' },
      maxBytes: 64 * 1024,
    });
    assert.equal(signal?.aborted, false);
  });

  it('may have 4096 pixels each way', async () => {
    const { get } = make({ [URL_OF_PICTURE]: { body: jpegOf(4096, 4096) } });
    assert.match((await get()) ?? '', /^data:image\/jpeg/);
  });

  it('is kept for ten seconds, and shared by those who ask meanwhile', async () => {
    const { get, asked, clock } = make({ [URL_OF_PICTURE]: {} });
    await Promise.all([get(), get()]);
    await clock.advance(9999);
    await get();
    assert.deepEqual(asked, ['p1']);
    await clock.advance(1);
    await get();
    await get('p2');
    assert.deepEqual(asked, ['p1', 'p1', 'p2']);
  });

  it('is not fetched again at once where it failed', async () => {
    const { get, asked } = make({}, new ApiError('notFound', 'none'));
    assert.equal(await get(), undefined);
    assert.equal(await get(), undefined);
    assert.equal(asked.length, 1);
  });

  it('is asked for anew after the pointer has left before it came', async () => {
    const { get, sent, asked } = make({ [URL_OF_PICTURE]: {} });
    const controller = new AbortController();
    const first = get('p1', controller.signal);
    controller.abort();
    await first;
    assert.ok(sent.every(({ signal }) => signal?.aborted === true));
    assert.equal(await get(), PICTURE);
    assert.deepEqual(asked, ['p1', 'p1']);
  });

  it('comes to those who wait for it though who asked first has left, and is ended once all have', async () => {
    const held = Promise.withResolvers<Partial<HttpResponse>>();
    const { get, sent, asked } = make({ [URL_OF_PICTURE]: held.promise });
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const pictures = [first, second, third].map(({ signal }) => get('p1', signal));
    await settle();
    first.abort();
    assert.equal(await pictures[0], undefined);
    assert.deepEqual([sent.length, sent[0]?.signal?.aborted], [1, false]);
    held.resolve({});
    assert.deepEqual(await Promise.all(pictures), [undefined, PICTURE, PICTURE]);
    second.abort();
    third.abort();
    assert.equal(await get(), PICTURE);
    assert.deepEqual([asked.length, sent[0]?.signal?.aborted], [1, false], 'what came is kept');
  });

  it('is ended once all who wait for it have left', async () => {
    const { get, sent } = make({ [URL_OF_PICTURE]: new Promise(() => {}) });
    const controllers = [new AbortController(), new AbortController()];
    const pictures = controllers.map(({ signal }) => get('p1', signal));
    await settle();
    for (const controller of controllers) controller.abort();
    assert.deepEqual(await Promise.all(pictures), [undefined, undefined]);
    assert.equal(sent[0]?.signal?.aborted, true);
  });

  for (const url of [
    'http://cdn.example/a.jpg',
    'file:///etc/passwd',
    'data:image/jpeg;base64,AAAA',
    'javascript:alert(1)',
    '/relative.jpg',
    'command:x',
  ]) {
    it(`is not asked for at ${url}`, async () => {
      const { get, sent } = make({}, infoOf(url));
      assert.equal(await get(), undefined);
      assert.deepEqual(sent, []);
    });
  }

  it('is asked for on this machine by a service on this machine alone', async () => {
    const here = 'http://127.0.0.1:9000/a.jpg';
    const { get, sent } = make({ [here]: {} }, infoOf(here));
    assert.equal(await get(), undefined);
    assert.deepEqual(sent, []);
    const own = make({ [here]: {} }, infoOf(here));
    const connection = { id: 'c2', baseUrl: 'http://localhost:9000/api' };
    assert.match((await own.get('p1', undefined, connection)) ?? '', /^data:image\/jpeg/);
  });

  it('follows a redirect that the rules allow', async () => {
    const next = 'https://other.example/b.jpg';
    const { get } = make({ [URL_OF_PICTURE]: { status: 302, headers: { location: next } }, [next]: {} });
    assert.equal(await get(), PICTURE);
  });

  for (const location of [
    'http://cdn.example/b.jpg',
    'http://127.0.0.1:80/b.jpg',
    'https://localhost/b.jpg',
    'file:///b.jpg',
    '',
  ]) {
    it(`does not follow one to "${location}"`, async () => {
      const { get, sent } = make({ [URL_OF_PICTURE]: { status: 302, headers: { location } } });
      assert.equal(await get(), undefined);
      assert.equal(sent.length, 1);
    });
  }

  it('does not follow redirects for ever', async () => {
    const { get, sent } = make({ [URL_OF_PICTURE]: { status: 302, headers: { location: URL_OF_PICTURE } } });
    assert.equal(await get(), undefined);
    assert.equal(sent.length, 6);
  });

  it('is asked for anew after ten seconds though the clock is set back meanwhile', async () => {
    const { get, sent, clock } = make({ [URL_OF_PICTURE]: {} });
    await get();
    clock.jump(-2 * 60 * 60_000);
    await clock.advance(10_000);
    await get();
    assert.equal(sent.length, 2);
  });

  const bad: Readonly<Record<string, Answer>> = {
    'a page': { headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode('<html>') },
    'a page that is called an image': { body: new TextEncoder().encode('<html>') },
    'a drawing': { headers: { 'content-type': 'image/svg+xml' }, body: new TextEncoder().encode('<svg onload="x">') },
    'a picture that is called a page': { headers: { 'content-type': 'text/html' } },
    nothing: { body: new Uint8Array() },
    'more than 64 KB': { body: Uint8Array.from([...JPEG, ...new Uint8Array(64 * 1024)]) },
    'a picture of too many pixels a line': { body: jpegOf(4097, 1) },
    'a picture of too many lines': { body: jpegOf(1, 4097) },
    'a picture that does not say how large it is': { body: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]) },
    'a picture of 62 bytes and 23,000 × 23,000 pixels': {
      body: Buffer.from('474946383961d859d859800000000000ffffff2c00000000010001000002024401003b', 'hex'),
    },
    'not found': { status: 404 },
    'a part': { status: 206 },
    'too much': new ApiError('invalidResponse', 'too much', { why: 'tooLarge' }),
    'no answer': new ApiError('timeout', 'late'),
  };
  for (const [what, answer] of Object.entries(bad)) {
    it(`is left out where the answer is ${what}, with a line in the log that holds no address`, async () => {
      const { get, log } = make({ [URL_OF_PICTURE]: answer });
      assert.equal(await get(), undefined);
      assert.ok(log.lines.length > 0);
      assert.doesNotMatch(log.lines.join(), /secret|latest/);
    });
  }
});

function infoOf(url: string): unknown {
  const hls = { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: 'https://cdn.example/index.m3u8' };
  return { type: 'live', meta: { live: 1, source: [hls, { hrn: 'Thumbnail (JPEG)', type: 'image/jpeg', url }] } };
}

describeWith(MEDIA_CLIENTS, 'The picture of a stream, over the network', (client) => {
  async function latestOf({ origin }: MediaServer): Promise<string | undefined> {
    const clock = createTestClock();
    const transport = createClient(client, { settings: () => ({ timeoutMs: 8000 }), clock, log: fakeLog() });
    const thumbnails = new Thumbnails({ transport, clock, log: fakeLog() });
    const connection = { id: 'c1', baseUrl: origin };
    const account = { readThumbnailUrl: async () => `${origin}/latest.jpg`, viewerToken: async () => undefined };
    try {
      return await thumbnails.get({ connection, account, playbackId: 'p1' });
    } finally {
      transport.dispose();
    }
  }

  it('is found where it was redirected to, without a key', async () => {
    const media = await startMediaServer();
    media.serve('/latest.jpg', { status: 302, headers: { location: '/there/1.jpg' } });
    media.serve('/there/1.jpg', { type: 'image/jpeg', body: JPEG });
    assert.equal(await latestOf(media), PICTURE);
    assert.deepEqual(media.keys, []);
    media.close();
  });

  // What was received is looked at alike.
  const ifFirst = client === MEDIA_CLIENTS[0] ? it : itInFuzz;
  const frame = (side: number) => [0xff, 0xc0, 0, 11, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0];
  // Decoders skip ff 00, and so find the first frame. Whoever takes it for a segment finds the second.
  const hidden = [0xff, 0x00, 0, 2 + frame(0).length, ...frame(20_000), ...frame(16)];
  for (const [where, rest] of Object.entries({ openly: frame(20_000), 'in what is no segment': hidden })) {
    ifFirst(`is left out where a JPEG of 265 bytes claims 20,000 pixels each way, ${where}`, async () => {
      const media = await startMediaServer();
      const body = Buffer.concat([Uint8Array.from([0xff, 0xd8, ...rest])], 265);
      media.serve('/latest.jpg', { type: 'image/jpeg', body });
      const shown = await assertBounded(() => latestOf(media));
      assert.deepEqual([shown, media.requests], [undefined, ['/latest.jpg']]);
      media.close();
    });
  }
});
