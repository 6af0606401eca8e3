import assert from 'node:assert/strict';
import { type LocateRequest, locateMedia } from '../../../../src/model/playback/locateMedia.ts';
import type { HttpRequest, HttpResponse, Transport } from '../../../../src/services.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { createClient, describeWith, hidesRedirects, MEDIA_CLIENTS } from '../../../support/service/clients.ts';
import { type MediaServer, masterOf, playlistOf, startMediaServer } from '../../../support/service/mediaServer.ts';

/** Sends what is for far.test to this machine, as a name server could. */
function withFarHere({ send }: Transport): Transport {
  return { send: (request) => send({ ...request, url: request.url.replace('//far.test:', '//127.0.0.1:') }) };
}

describeWith(MEDIA_CLIENTS, 'Finding where something plays', (client) => {
  let media: MediaServer;
  const transport = createClient(client, {
    settings: () => ({ timeoutMs: 3000 }),
    clock: createTestClock(),
    log: fakeLog(),
    random: () => -0.45,
  });
  before(async () => {
    media = await startMediaServer();
  });
  after(() => {
    media.close();
    transport.dispose();
  });

  const locate = (path: string, given: Partial<LocateRequest> = {}) =>
    locateMedia({
      url: `${media.origin}${path}`,
      kind: 'hls',
      connection: { baseUrl: 'https://service.test/api' },
      transport,
      // Media are on this machine here, as where the settings say so.
      isOwn: true,
      ...given,
    });

  it('follows redirects to the last address', async () => {
    media.serve('/first.m3u8', { status: 302, headers: { location: '/second.m3u8?sig=a%2Fb%2Bc%3D' } });
    media.serve('/second.m3u8', { body: masterOf(['high.m3u8', 'https://far.test/low.m3u8']) });
    const found = await locate('/first.m3u8');
    assert.ok(found.ok);
    assert.equal(found.media.url, `${media.origin}/second.m3u8?sig=a%2Fb%2Bc%3D`);
    assert.deepEqual(media.keys, []);
  });

  it('follows five redirects and no sixth', async () => {
    for (let hop = 0; hop < 6; hop++) {
      media.serve(`/hop${hop}`, { status: 301, headers: { location: `/hop${hop + 1}` } });
    }
    media.serve('/hop6', { body: playlistOf(['0.ts']) });
    assert.equal((await locate('/hop1')).ok, true);
    const sixth = await locate('/hop0');
    // A fetch that hides redirects counts them by itself, up to 20.
    if (hidesRedirects(client)) assert.equal(sixth.ok, true);
    else assert.deepEqual(sixth, { ok: false, problem: { kind: 'tooManyRedirects' } });
  });

  it('plays nothing of a redirect without an end', async () => {
    media.serve('/circle', { status: 302, headers: { location: '/circle' } });
    assert.deepEqual(await locate('/circle'), { ok: false, problem: { kind: 'tooManyRedirects' } });
  });

  it('judges the target of a redirect before it uses the response', async () => {
    media.serve('/here.m3u8', { body: playlistOf(['0.ts']) });
    media.serve('/there.m3u8', { status: 307, headers: { location: `${media.origin}/here.m3u8` } });
    const { port } = new URL(media.origin);
    const found = await locate('', {
      url: `http://far.test:${port}/there.m3u8`,
      connection: { baseUrl: 'http://far.test' },
      transport: withFarHere(transport),
    });
    assert.ok(!found.ok && found.problem.kind === 'refusedAddress', JSON.stringify(found));
  });

  it('asks nothing of a redirect to another scheme, nor to this machine from elsewhere', async () => {
    const asked: string[] = [];
    const redirecting = (location: string): Transport => ({
      async send({ url }: HttpRequest): Promise<HttpResponse> {
        asked.push(url);
        return { status: 302, headers: { location }, body: new Uint8Array() };
      },
    });
    for (const location of [
      'file:///etc/passwd',
      'http://far.test/',
      'http://127.0.0.1:1/',
      'https://localhost/',
      'http://0.0.0.0:1/',
      'https://[::]/',
    ]) {
      asked.length = 0;
      const found = await locate('', { url: 'https://cdn.test/a.m3u8', transport: redirecting(location) });
      assert.ok(!found.ok && found.problem.kind === 'refusedAddress', location);
      assert.deepEqual(asked, ['https://cdn.test/a.m3u8']);
    }
  });

  it('says whose address is refused: of the service, of the settings, or of a redirect', async () => {
    const sentence = async (url: string, given: Partial<LocateRequest>) => {
      const found = await locate('', { url, ...given });
      return !found.ok && found.problem.kind === 'refusedAddress' && found.problem.sentence;
    };
    const toPlain: Transport = {
      send: async () => ({ status: 302, headers: { location: 'http://far.test/' }, body: new Uint8Array() }),
    };
    assert.deepEqual(
      [
        await sentence('http://cdn.test/a.m3u8', { isOwn: false }),
        await sentence('http://cdn.test/a.m3u8', { isOwn: true }),
        await sentence('https://cdn.test/a.m3u8', { isOwn: true, transport: toPlain }),
        await sentence('https://cdn.test/a.m3u8', { isOwn: false, transport: toPlain }),
      ],
      [
        "The URL wasn't opened because it uses HTTP instead of HTTPS.",
        "The URL in liveStreams.addresses wasn't opened because it uses HTTP instead of HTTPS.",
        "The URL wasn't opened because it redirects to an HTTP URL.",
        "The URL wasn't opened because it redirects to an HTTP URL.",
      ],
    );
  });

  for (const kind of ['hls', 'mp4'] as const) {
    it(`asks nothing of this machine where a service elsewhere names it (${kind})`, async () => {
      const before = media.requests.length;
      const { port } = new URL(media.origin);
      for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::]']) {
        const url = `http://${host}:${port}/index.m3u8`;
        const found = await locate('', { url, kind, isOwn: false });
        assert.ok(!found.ok && found.problem.kind === 'refusedAddress', url);
        assert.match(found.problem.sentence, /this computer/);
      }
      assert.equal(media.requests.length, before);
    });
  }

  it('may be on this machine for a service on this machine', async () => {
    media.serve('/here.m3u8', { body: playlistOf(['0.ts']) });
    const connection = { baseUrl: 'http://127.0.0.1:3004/api' };
    assert.equal((await locate('/here.m3u8', { isOwn: false, connection })).ok, true);
  });

  it('says what a server answered instead of a playlist', async () => {
    media.serve('/forbidden', { status: 403 });
    media.serve('/page', { type: 'text/html', body: '<html>' });
    const { host } = new URL(media.origin);
    assert.deepEqual(await locate('/forbidden'), { ok: false, problem: { kind: 'status', status: 403, host } });
    assert.deepEqual(await locate('/page'), { ok: false, problem: { kind: 'htmlPlaylist' } });
    assert.deepEqual(await locate('/page', { kind: 'mp4' }), { ok: false, problem: { kind: 'htmlMedia' } });
    const gone = await locate('', { url: 'http://127.0.0.1:1/a.m3u8' });
    assert.ok(!gone.ok && gone.problem.kind === 'unreachable');
  });

  it('says of a server that resets the connection that it cannot be reached, as nothing has played yet', async () => {
    media.serve('/reset', (_request, response) => void response.destroy());
    const found = await locate('/reset');
    const sentence = `Couldn't reach ${new URL(media.origin).host}. Check your network and proxy settings.`;
    assert.deepEqual(found, { ok: false, problem: { kind: 'unreachable', sentence } });
  });

  it('finds a file though the server sends it whole where its beginning was asked for', async () => {
    media.serve('/big.mp4', { type: 'video/mp4', body: new Uint8Array(300_000) });
    const found = await locate('/big.mp4', { kind: 'mp4' });
    assert.ok(found.ok && found.media.kind === 'mp4');
  });

  it('finds such a file where it was redirected to, not where it is not', async () => {
    const elsewhere = await startMediaServer();
    elsewhere.serve('/big.mp4', { type: 'video/mp4', body: new Uint8Array(300_000) });
    media.serve('/moved.mp4', { status: 302, headers: { location: `${elsewhere.origin}/big.mp4` } });
    const found = await locate('/moved.mp4', { kind: 'mp4' });
    elsewhere.close();
    assert.ok(found.ok);
    assert.deepEqual([found.media.kind, found.media.url], ['mp4', `${elsewhere.origin}/big.mp4`]);
  });

  it('takes headers without an end for no file and no playlist', async () => {
    media.serve('/headers', { headers: { 'x-long': 'x'.repeat(100_000) } });
    for (const kind of ['hls', 'mp4'] as const) {
      const found = await locate('/headers', { kind });
      assert.ok(!found.ok && found.problem.kind === 'unreachable', JSON.stringify(found));
      assert.match(found.problem.sentence, /The response from .+ is too large\./);
    }
  });
});
