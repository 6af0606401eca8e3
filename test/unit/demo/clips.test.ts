import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { readMovie } from '../../../src/demo/site.ts';
import { MESSAGE, type RtmpMessage } from '../../../src/media/chunks.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Clip, framesBetween, readClip } from '../../support/service/clipMessages.ts';
import { publishTo } from '../../support/service/rtmpPublisher.ts';
import { errorsOf, type Fixture, field, MEDIA_ROOT, type Row, send, withDemo } from './demoFixture.ts';

let clip: Clip;
let movie: Clip;

before(async () => {
  clip = await readClip();
  movie = await readClip(readMovie(MEDIA_ROOT));
});

const post = (fixture: Fixture, body: unknown) => fixture.call('/clip', { method: 'POST', body: JSON.stringify(body) });

/** Cuts a clip, and returns its asset as it is then. */
async function cut(fixture: Fixture, body: unknown): Promise<Row> {
  const reply = await post(fixture, body);
  assert.equal(reply.status, 200, reply.text);
  const { task, asset } = JSON.parse(reply.text) as { task: Row; asset: Row };
  assert.equal(typeof task.id, 'string');
  return asset;
}

async function untilMade(fixture: Fixture, { id }: Row): Promise<Row & { readonly status: Row }> {
  const read = async () => (await fixture.row(`/asset/${String(id)}`)) as Row & { readonly status: Row };
  const isOver = ({ status }: { readonly status: Row }) => status.phase === 'ready' || status.phase === 'failed';
  await waitUntil(async () => isOver(await read()));
  return read();
}

const hashOf = (data: Uint8Array) => createHash('sha1').update(data).digest('hex');

/** What an MP4 file shows, by a reader that others wrote: content and time in ms. What only prepares the decoder is left out. */
async function shownFrames(file: Uint8Array) {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  assert.ok(video && audio);
  const read = async (sink: EncodedPacketSink) => {
    const packets = await Array.fromAsync(sink.packets());
    return packets.map(({ data, timestamp, type }) => ({ hash: hashOf(data), ms: Math.round(timestamp * 1000), type }));
  };
  const pictures = await read(new EncodedPacketSink(video));
  assert.equal(pictures[0]?.type, 'key');
  return {
    pictures: pictures.filter(({ ms }) => ms >= 0),
    sound: await read(new EncodedPacketSink(audio)),
    seconds: await input.computeDuration(),
  };
}

/** The pictures that a sender sends from `from` to `to`, in ms. */
function sentPictures(of: Clip, from: number, to: number) {
  const isPicture = ({ type }: RtmpMessage) => type === MESSAGE.video;
  const sent = framesBetween(of, 0, to + 1000).filter(isPicture);
  return sent
    .filter(({ timestamp }) => timestamp >= from && timestamp < to)
    .map(({ timestamp, payload }) => ({ hash: hashOf(payload.subarray(5)), ms: timestamp - from }));
}

async function assertShows(asset: Row, [from, to]: readonly [number, number], of = clip): Promise<void> {
  const file = await send(String(asset.downloadUrl));
  assert.deepEqual([file.status, file.headers['content-type'], file.body.length], [200, 'video/mp4', asset.size]);
  const shown = await shownFrames(file.body);
  const sent = sentPictures(of, from, to);
  assert.deepEqual(fieldsOf(shown.pictures, 'hash'), fieldsOf(sent, 'hash'));
  for (const [index, { ms }] of sent.entries()) assert.ok(Math.abs((shown.pictures[index]?.ms ?? -1e9) - ms) <= 1);
  assert.ok(Math.abs(shown.seconds * 1000 - (to - from)) < 70, `${shown.seconds} s`);
  const [first, last] = [shown.sound[0]?.ms ?? 0, shown.sound.at(-1)?.ms ?? 0];
  assert.ok(
    first > -50 && first <= 0 && last > to - from - 50 && last < to - from + 50,
    `Sound from ${first} to ${last}`,
  );
}

describe('Clips of the demo', () => {
  it(
    'show exactly the chosen frames of what was sent, also while it goes on and after it has ended',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { demo, clock, row } = fixture;
      const stream = demo.control.addStream({ name: 'Sent', record: true });
      const publisher = await publishTo((demo.addresses.rtmp ?? '').replace('{streamKey}', stream.streamKey ?? ''));
      publisher.send([...clip.formats, ...framesBetween(clip, 0, 14_050)]);
      const segments = async () => Number((await row(`/stream/${stream.id}`)).sourceSegments);
      await waitUntil(async () => (await segments()) >= 7);
      const began = clock.now();
      const order = { playbackId: stream.playbackId, startTime: began + 3_333, endTime: began + 9_400, name: 'Goal' };
      const asset = await cut(fixture, order);
      assert.deepEqual([asset.name, (asset.status as Row).phase], ['Goal', 'waiting']);
      assert.deepEqual(asset.source, {
        type: 'clip',
        sessionId: demo.control.sessions(stream.id)[0]?.id,
        playbackId: stream.playbackId,
      });
      await clock.advance(2500);
      assert.deepEqual((await row(`/asset/${String(asset.id)}`)).status, {
        phase: 'processing',
        updatedAt: clock.now(),
        progress: 0.5,
      });
      await clock.advance(2500);
      await assertShows(await untilMade(fixture, asset), [3_333, 9_400]);

      // What isn't recorded yet is waited for, until the broadcast ends.
      const late = await cut(fixture, { ...order, startTime: began + 13_000, endTime: began + 15_000 });
      await clock.advance(5000);
      assert.equal(((await row(`/asset/${String(late.id)}`)).status as Row).phase, 'processing');
      publisher.socket.destroy();
      await assertShows(await untilMade(fixture, late), [13_000, 14_067]);

      await clock.advance(20_000);
      const [session] = demo.control.sessions(stream.id);
      assert.equal(session?.recordingStatus, 'ready');
      const whole = await cut(fixture, { ...order, startTime: began, endTime: undefined, sessionId: session?.id });
      const after = await cut(fixture, { ...order, startTime: began + 90_000, endTime: began + 91_000 });
      await clock.advance(4000);
      await assertShows(await untilMade(fixture, whole), [0, 14_067]);
      assert.deepEqual((await untilMade(fixture, after)).status, {
        phase: 'failed',
        updatedAt: clock.now(),
        errorMessage: 'There is nothing at this time in the recording',
      });
    }),
  );

  it(
    'show exactly the chosen frames of simulated broadcasts, and parts of their files are sent',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { demo, clock } = fixture;
      const stream = demo.control.addStream({ name: 'Simulated', record: true });
      const session = demo.control.startBroadcast(stream.id);
      await clock.advance(60_000);
      const { playbackId } = stream;
      const startTime = session.createdAt + 10_500;
      const asset = await cut(fixture, { playbackId, startTime, endTime: startTime + 15_000 });
      assert.match(String(asset.name), /^clip-\w{16}$/);
      await clock.advance(4000);
      const made = await untilMade(fixture, asset);
      assert.deepEqual(made.videoSpec, { format: 'mp4', duration: 15 });
      await assertShows(made, [10_500, 25_500], movie);
      const whole = (await send(String(made.downloadUrl))).body;
      for (const [from, to] of [
        [0, 9],
        [20, 5000],
        [whole.length - 300, whole.length - 1],
      ] as const) {
        const part = await send(String(made.downloadUrl), { headers: { range: `bytes=${from}-${to}` } });
        assert.equal(part.status, 206);
        assert.ok(part.body.equals(whole.subarray(from, to + 1)));
      }
    }),
  );

  const aBroadcast = async ({ demo, clock }: Fixture, fields: { readonly record?: boolean } = { record: true }) => {
    const stream = demo.control.addStream({ name: 'Talk', ...fields });
    const session = demo.control.startBroadcast(stream.id);
    await clock.advance(60_000);
    const order = { playbackId: stream.playbackId, startTime: clock.now() - 30_000 };
    return { stream, session, order };
  };

  it(
    'are listed by session and by stream, and deleted',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { call, rows, clock } = fixture;
      const { stream, session, order } = await aBroadcast(fixture);
      const first = await cut(fixture, { ...order, name: 'First' });
      await clock.advance(10);
      const second = await cut(fixture, { ...order, name: 'Second', sessionId: session.id });
      for (const path of [`/session/${session.id}/clips`, `/stream/${stream.id}/clips`, `/clip/${session.id}`]) {
        assert.deepEqual(field(await rows(path), 'name'), ['Second', 'First']);
      }
      assert.deepEqual(field(await rows(`/session/${session.id}/clips?limit=1&cursor=skip1`), 'id'), [first.id]);
      const [task = assert.fail()] = await rows('/task?filters=[{"id":"type","value":"clip"}]');
      const { clip: made } = task.params as { readonly clip: { readonly clipStrategy: Row } };
      const { playbackId, startTime } = made.clipStrategy;
      assert.deepEqual([task.outputAssetId, { playbackId, startTime }], [second.id, order]);
      const path = `/asset/${String(second.id)}`;
      assert.equal((await call(path, { method: 'DELETE' })).status, 204);
      assert.deepEqual(field(await rows(`/session/${session.id}/clips`), 'id'), [first.id]);
      const again = await call(path, { method: 'DELETE' });
      assert.deepEqual([again.status, errorsOf(again)], [400, ['asset is already deleted']]);
      assert.equal((await call('/asset/none', { method: 'DELETE' })).status, 404);
      assert.equal((await call('/session/none/clips')).status, 404);
    }),
  );

  it(
    'are refused as the public service refuses them',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { demo, clock } = fixture;
      const { stream, order } = await aBroadcast(fixture);
      const other = demo.control.addStream({ name: 'Other' });
      const [stranger] = [demo.control.startBroadcast(other.id)];
      const { startTime } = order;
      for (const [body, status, error] of [
        [{ ...order, endTime: startTime }, 422, 'endTime must occur after startTime'],
        [{ startTime }, 422, undefined],
        [{ ...order, length: 5 }, 422, undefined],
        [{ ...order, startTime: '5' }, 422, undefined],
        [{ ...order, playbackId: 'none' }, 404, 'Content not found'],
        [{ ...order, sessionId: 'none' }, 404, 'Session not found'],
        [{ ...order, sessionId: stranger.id }, 404, 'The provided session id does not belong to this stream'],
      ] as const) {
        const reply = await post(fixture, body);
        assert.equal(reply.status, status, JSON.stringify(body));
        if (error !== undefined) assert.deepEqual(errorsOf(reply), [error]);
      }
      for (let nth = 0; nth < 5; nth++) await cut(fixture, order);
      const sixth = await post(fixture, order);
      assert.deepEqual([sixth.status, errorsOf(sixth)], [403, ['Too many clips are being processed.']]);
      await clock.advance(4000);
      assert.equal((await post(fixture, order)).status, 200);
      demo.control.setStream(stream.id, { suspended: true });
      assert.equal((await post(fixture, order)).status, 404);
    }),
  );

  it(
    'fail where nothing is recorded',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { order } = await aBroadcast(fixture, { record: false });
      const asset = await cut(fixture, order);
      await fixture.clock.advance(4000);
      const { status } = await untilMade(fixture, asset);
      assert.deepEqual([status.phase, status.errorMessage], ['failed', 'There is no recording of this session']);
    }),
  );

  it(
    'are not there where only what is stated is',
    withDemo({ face: 'strict' }, async (fixture) => {
      const { order, session } = await aBroadcast(fixture);
      assert.equal((await post(fixture, order)).status, 404);
      assert.equal((await fixture.call(`/session/${session.id}/clips`)).status, 404);
    }),
  );

  it(
    'are all listed by a service that ignores parameters',
    withDemo({ face: 'indifferent' }, async (fixture) => {
      const { order, session } = await aBroadcast(fixture);
      await cut(fixture, order);
      await cut(fixture, order);
      assert.equal((await fixture.rows(`/session/${session.id}/clips?limit=1`)).length, 2);
    }),
  );
});
