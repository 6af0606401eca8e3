import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { startDemo } from '../../support/demo/demoService.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { type Fixture, field, filters, MEDIA_ROOT, send, withDemo } from './demoFixture.ts';

const MINUTE = 60_000;
const streamOf = ({ demo }: Fixture, id: string) => {
  const stream = demo.control.streams().find((it) => it.id === id);
  assert.ok(stream);
  return stream;
};

const idOf = ({ demo }: Fixture, name: string) => {
  const stream = demo.control.streams().find((it) => it.name === name);
  assert.ok(stream);
  return stream.id;
};
const liveIds = async ({ rows }: Fixture) =>
  new Set(field(await rows(`/stream?${filters({ id: 'isActive', value: true })}`), 'id').map(String));

describe('the demo’s life', () => {
  it(
    'moves counts and lastSeen of a broadcast with the clock, and nothing while it is held',
    withDemo({ streamCount: 1, liveCount: 0 }, async (fixture) => {
      const { demo, clock } = fixture;
      const { id } = demo.control.addStream({ profiles: [{}, {}] });
      demo.control.startBroadcast(id);
      const start = streamOf(fixture, id);
      assert.deepEqual([start.isActive, start.lastSeen, start.sourceSegments], [true, clock.now(), 0]);
      await clock.advance(10_500);
      const later = streamOf(fixture, id);
      assert.equal(later.lastSeen, start.lastSeen + 10_000);
      assert.deepEqual([later.sourceSegments, later.transcodedSegments], [5, 10]);
      assert.deepEqual([later.sourceSegmentsDuration, later.transcodedSegmentsDuration], [10, 20]);
      assert.deepEqual(streamOf(fixture, id), later);
    }),
  );

  it(
    'makes the recording of a broadcast ready 70 s after its end',
    withDemo({ streamCount: 1, liveCount: 0 }, async ({ demo, clock, row }) => {
      const { id } = demo.control.addStream({ record: true });
      const session = demo.control.startBroadcast(id);
      await clock.advance(MINUTE);
      demo.control.endBroadcast(id);
      const waiting = await row(`/session/${session.id}`);
      assert.deepEqual([waiting.recordingStatus, waiting.mp4Url], ['waiting', undefined]);
      assert.match(String(waiting.recordingUrl), /index\.m3u8$/);
      await clock.advance(69_000);
      assert.equal((await row(`/session/${session.id}`)).recordingStatus, 'waiting');
      await clock.advance(1000);
      const ready = await row(`/session/${session.id}`);
      assert.equal(ready.recordingStatus, 'ready');
      assert.match(String(ready.mp4Url), /source\.mp4$/);
      assert.equal(ready.sourceSegmentsDuration, 60);
    }),
  );

  it(
    'changes nothing in its first five minutes',
    withDemo({ isLively: true }, async (fixture) => {
      const { demo, clock } = fixture;
      const idleOrder = () => {
        const idle = demo.control.streams().filter(({ isActive }) => !isActive);
        return idle.toSorted((a, b) => b.lastSeen - a.lastSeen || b.createdAt - a.createdAt).map(({ id }) => id);
      };
      const before = { live: [...(await liveIds(fixture))].sort(), idle: idleOrder() };
      for (let step = 0; step < 60; step++) {
        await clock.advance(5000);
        assert.deepEqual({ live: [...(await liveIds(fixture))].sort(), idle: idleOrder() }, before);
      }
    }),
  );

  it('starts or ends a broadcast about every ten minutes, and keeps four to six active, two of them for ever', async () => {
    for (const chance of sampleOf([1, 2, 3], 1)) {
      await withDemo({ isLively: true, chance }, async (fixture) => {
        const alwaysLive = ['Keynote', 'Bird nest cam'].map((name) => idOf(fixture, name));
        let changes = 0;
        let before = await liveIds(fixture);
        for (let minute = 0; minute < 600; minute++) {
          await fixture.clock.advance(MINUTE);
          const after = await liveIds(fixture);
          assert.ok(after.size >= 4 && after.size <= 6, String(after.size));
          assert.ok(alwaysLive.every((id) => after.has(id)));
          changes += [...before, ...after].filter((id) => !(before.has(id) && after.has(id))).length;
          before = after;
        }
        assert.ok(changes >= 50 && changes <= 72, `${changes} changes in ten hours`);
      })();
    }
  });

  it(
    'ends no broadcast while somebody watches the stream',
    withDemo({ isLively: true }, async (fixture) => {
      const { clock, origin } = fixture;
      const watched = ['Quiz Night with Ola', 'Conference room 4B'].map((name) =>
        streamOf(fixture, idOf(fixture, name)),
      );
      const areLive = () => watched.map(({ id }) => streamOf(fixture, id).isActive);
      for (let second = 0; second < 4 * 3600; second += 20) {
        await clock.advance(20_000);
        for (const { playbackId } of watched) await send(`${origin}/hls/${playbackId}/high.m3u8`);
        assert.deepEqual(areLive(), [true, true]);
      }
      await clock.advance(4 * 60 * MINUTE);
      assert.ok(areLive().includes(false), 'nobody watches any longer');
    }),
  );

  it(
    'lives through a night of sleep in a moment, without a timer',
    withDemo({ isLively: true }, async ({ demo, clock, rows }) => {
      await clock.advance(9 * 60 * MINUTE);
      const live = await rows('/stream?active=true');
      assert.ok(live.length >= 4 && live.length <= 6);
      assert.equal(clock.timerCount, 0);
      assert.ok(demo.control.streams().every((stream) => stream.lastSeen <= clock.now()));
    }),
  );

  it('gets the recording ready that waits at the start, unless it is told to be quiet', async () => {
    for (const isLively of [true, false]) {
      await withDemo({ isLively }, async ({ demo, clock, row }) => {
        const stream = demo.control.streams().find((it) => it.name === 'Slow Kitchen: bread week');
        const [session] = demo.control.sessions(stream?.id ?? '');
        assert.equal(session?.recordingStatus, 'waiting');
        await clock.advance(MINUTE);
        assert.equal((await row(`/session/${session?.id}`)).recordingStatus, isLively ? 'ready' : 'waiting');
      })();
    }
  });

  it(
    'begins with five live, one stale and one recorded, one suspended and one never seen',
    withDemo({}, async ({ demo, clock }) => {
      const streams = demo.control.streams().filter((it) => it.parentId === undefined);
      const live = streams.filter((it) => it.isActive);
      assert.equal(live.length, 5);
      const ages = live.map((it) => clock.now() - it.lastSeen).sort((a, b) => a - b);
      assert.ok((ages[3] ?? 0) < 3000 && Math.abs((ages[4] ?? 0) - 4 * MINUTE) < 3000);
      assert.equal(live.filter((it) => it.record).length, 1);
      assert.equal(streams.filter((it) => it.suspended).length, 1);
      assert.equal(streams.filter((it) => it.lastSeen === 0).length, 1);
      assert.ok(streams.some((it) => it.name === '') && streams.some((it) => it.name.length > 200));
      assert.ok(streams.some((it) => it.profiles.length > 0) && streams.some((it) => it.issues !== undefined));
    }),
  );

  it(
    'stays as it is set from behind',
    withDemo({ streamCount: 1, liveCount: 0 }, async (fixture) => {
      const { demo, clock, row, call } = fixture;
      const { id } = demo.control.addStream({ isActive: true });
      demo.control.setStream(id, { lastSeen: clock.now() - 500, name: 'Held' });
      await clock.advance(MINUTE);
      assert.deepEqual(
        [streamOf(fixture, id).isActive, streamOf(fixture, id).lastSeen],
        [true, clock.now() - MINUTE - 500],
      );
      const session = demo.control.addSession(id, { record: true });
      demo.control.setSession(session.id, { recordingStatus: 'odd', recordingUrl: 'javascript:alert(1)' });
      assert.equal((await row(`/session/${session.id}`)).recordingUrl, 'javascript:alert(1)');
      demo.control.deleteStream(id);
      assert.equal((await call(`/stream/${id}`)).status, 404);
      assert.throws(() => demo.control.endBroadcast(id), /no stream/);
    }),
  );
});

describe('the demo as a whole', () => {
  const start = (seed: number, streamCount = 60) =>
    startDemo({ clock: heldClock(), mediaRoot: MEDIA_ROOT, seed, isLively: true, streamCount });

  it('has the same data for the same seed and clock, and other data for another seed', async () => {
    const demos = await Promise.all([start(5), start(5), start(6)]);
    const [first, second, third] = demos.map(({ control }) => {
      const streams = control.streams();
      return JSON.stringify([streams, streams.map(({ id }) => control.sessions(id))]).replace(
        /127\.0\.0\.1:\d+/g,
        'HOST',
      );
    });
    for (const demo of demos) demo.dispose();
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  it('has the same ids for the same seed at another time, and new ones for what is made after the start', async () => {
    const at = async (later: number, chance: number) => {
      const clock = heldClock();
      await clock.advance(later);
      const options = { clock, mediaRoot: MEDIA_ROOT, seed: 5, chance, isLively: false };
      const { control, dispose } = await startDemo(options);
      const streams = control.streams();
      const made = [control.addStream().id, control.startBroadcast(streams[9]?.id ?? '').id];
      dispose();
      const sessions = streams.map(({ id }) => control.sessions(id).filter((session) => !made.includes(session.id)));
      return { streams, sessions: sessions.flat(), made };
    };
    const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    const first = await at(0, 1);
    assert.equal(new Set(idsOf(first.sessions)).size, first.sessions.length);
    for (const later of [10 * MINUTE, 26 * 60 * MINUTE]) {
      const second = await at(later, 2);
      const isChild = (stream: { readonly parentId?: string }) => stream.parentId !== undefined;
      assert.deepEqual(
        idsOf(second.streams.filter((stream) => !isChild(stream))),
        idsOf(first.streams.filter((stream) => !isChild(stream))),
      );
      const known = new Map(first.sessions.map((session) => [session.id, session]));
      const kept = second.sessions.filter(({ id }) => known.has(id));
      const lost = later < 60 * MINUTE ? 0 : 0.2;
      assert.ok(kept.length >= first.sessions.length * (1 - lost), `${kept.length} of ${first.sessions.length}`);
      const elsewhere = kept.filter(({ id, parentId }) => known.get(id)?.parentId !== parentId);
      assert.deepEqual(elsewhere, []);
      assert.deepEqual(
        second.made.filter((id) => first.made.includes(id)),
        [],
      );
    }
  });

  it('makes 100,000 streams within a second of work, each with an id of its own', async function () {
    this.timeout(120_000);
    const make = async (count: number) => {
      const before = process.cpuUsage();
      const demo = await start(1, count);
      const { user } = process.cpuUsage(before);
      const ids = new Set(demo.control.streams().map(({ id }) => id));
      demo.dispose();
      assert.ok(ids.size >= count);
      return user / 1000;
    };
    const [few, many] = [await make(10_000), await make(100_000)];
    // On a busy machine, both take longer.
    assert.ok(many < Math.max(2000, 20 * few), `${many} ms, and ${few} ms for a tenth`);
  });

  it('ends at once, with requests under way', async () => {
    const demo = await start(1);
    demo.control.fault(() => 'hang');
    const hanging = send(`${demo.baseUrl}/stream`);
    while (demo.control.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    demo.dispose();
    demo.dispose();
    await assert.rejects(hanging);
    await assert.rejects(send(`${demo.baseUrl}/stream`), /ECONNREFUSED/);
  });

  it('leaves nothing behind that would keep a process alive', async function () {
    this.timeout(15_000);
    const module = JSON.stringify(new URL('../../support/demo/demoService.ts', import.meta.url).href);
    const script = `const { startDemo } = await import(${module});
      const clock = { now: Date.now, setTimeout: () => { throw new Error('no timers') } };
      const demo = await startDemo({ clock, mediaRoot: '.' });
      const { status } = await fetch(demo.baseUrl + '/stream', { headers: { authorization: 'Bearer ' + demo.apiKey } });
      demo.dispose();
      console.log(status);`;
    const output = await new Promise<string>((resolve, reject) => {
      const done = (error: unknown, stdout: string) => (error ? reject(error) : resolve(stdout));
      execFile(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 }, done);
    });
    assert.equal(output.trim(), '200');
  });
});
