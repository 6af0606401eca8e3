import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandContext } from '../../../src/commands/context.ts';
import type { BroadcastListener, BroadcastPlan } from '../../../src/model/broadcasts/testBroadcasts.ts';
import { runningSession } from '../../../src/model/store/sessions.ts';
import type { DemoControl } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { createPatientClock, createTestClock } from '../../support/model/testClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import {
  freePort,
  type MediaServer,
  type RtmpServer,
  startMediaServer,
  startRtmpServer,
} from '../../support/service/rtmpServer.ts';
import { type Fixture, type FixtureOptions, MEDIA_ROOT, withCommands } from './fixture.ts';

const PATTERN = { source: 'pattern', seconds: 30 };

describe('A test broadcast', () => {
  let server: MediaServer;
  before(async function () {
    this.timeout(60_000);
    server = await startMediaServer();
  });
  after(() => server.close());

  const withServer = (options: FixtureOptions, test: (fixture: Fixture) => Promise<void>) => () =>
    withCommands({ addresses: { rtmp: rtmpAt(server.rtmpPort) }, ...options }, test)();

  it(
    'asks first, shows in the row how long it goes on, and is stopped by a command',
    withServer({ answers: { confirms: [true] } }, async ({ run, ui, service, context }) => {
      const { id } = idleStream(service, 0);
      await run('startTestBroadcast', { id, ...PATTERN });
      const [question] = ui.seen.questions;
      assert.match(question?.message ?? '', /^Start a test broadcast to ".+"\?$/);
      assert.match(question?.detail ?? '', /^Viewers will see the test pattern\.\n/);
      const shown = () => context.store.snapshot.testBroadcasts.get(id);
      assert.deepEqual([shown()?.state, shown()?.secondsLeft], ['live', 30]);
      await run('stopTestBroadcast');
      assert.equal(shown(), undefined);
      assert.equal(ui.seen.flashes.length, 1);
    }),
  ).timeout(20_000);

  it(
    'says that the stream is live once the service says so, with a button to watch it',
    withServer({ answers: { confirms: [true], presses: ['Watch'] } }, async ({ run, ui, service, context, played }) => {
      const stream = idleStream(service, 1);
      await run('startTestBroadcast', { id: stream.id, ...PATTERN });
      assert.equal(ui.seen.said.length, 0);
      service.control.startBroadcast(stream.id);
      await waitUntil(() => played.length > 0);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Watch', 'Stop']);
      assert.match(ui.seen.said[0]?.message ?? '', /is live with your test broadcast/);
      context.testBroadcasts.dispose();
      await waitUntil(() => context.testBroadcasts.running.length === 0);
    }),
  ).timeout(20_000);

  it(
    'does not offer to watch what is being watched',
    withServer({ answers: { confirms: [true] } }, async ({ run, ui, service, context }) => {
      const { id } = idleStream(service, 1);
      const page = { connection: context.connection.info?.id ?? '', kind: 'stream', id, isPlayer: true } as const;
      let isAsked = false;
      const findPage = () => {
        isAsked = true;
        return page;
      };
      Object.assign(context, { findPage } satisfies Partial<CommandContext>);
      await run('startTestBroadcast', { id, ...PATTERN });
      isAsked = false;
      service.control.startBroadcast(id);
      await waitUntil(() => isAsked);
      await run('stopTestBroadcast');
      assert.deepEqual(ui.seen.said, []);
      assert.match(ui.seen.flashes.join(), /has ended/);
    }),
  ).timeout(20_000);

  it(
    'runs once for each stream, and offers to stop the one that runs',
    withServer({ answers: { confirms: [true], presses: ['Stop'] } }, async ({ run, ui, service, context }) => {
      const { id } = idleStream(service, 2);
      await run('startTestBroadcast', { id, ...PATTERN });
      await run('startTestBroadcast', { id, ...PATTERN });
      assert.match(ui.seen.said[0]?.message ?? '', /already sending a test broadcast/);
      await waitUntil(() => context.testBroadcasts.running.length === 0);
    }),
  ).timeout(20_000);

  it(
    'runs once if it is started twice at the same time, and the one that runs can be stopped',
    withServer({ answers: { confirms: [true, true] } }, async ({ run, ui, service, context }) => {
      const { id } = idleStream(service, 2);
      await Promise.all([run('startTestBroadcast', { id, ...PATTERN }), run('startTestBroadcast', { id, ...PATTERN })]);
      assert.equal(context.testBroadcasts.running.length, 1);
      await run('stopTestBroadcast', id);
      assert.equal(context.testBroadcasts.running.length, 0);
      assert.equal(ui.seen.flashes.length, 1);
    }),
  ).timeout(20_000);

  it(
    'sends a video file, and asks for the file and the time',
    withServer({}, async ({ run, ui, service, context }) => {
      const stream = idleStream(service, 3);
      ui.answers.picks.push('Video File…', '1 minute');
      ui.answers.files.push(join(MEDIA_ROOT, 'source.mp4'));
      ui.answers.confirms.push(true);
      await run('startTestBroadcast', stream.id);
      assert.match(ui.seen.questions[0]?.detail ?? '', /will see the video "source\.mp4"/);
      assert.equal(context.testBroadcasts.running.length, 1);
      await run('stopTestBroadcast', { id: stream.id });
    }),
  ).timeout(20_000);

  it(
    'lists idle streams first and live ones last, and names the stream while it asks',
    withServer({ demo: { streamCount: 0 } }, async ({ run, ui, service, context }) => {
      const live = service.control.addStream({ name: 'On air', isActive: true, lastSeen: Date.now() });
      await context.connection.account.readStream(live.id, { settle: true });
      service.control.addStream({ name: 'Free' });
      ui.answers.picks.push('Free', 'Test Pattern', '1 minute');
      ui.answers.confirms.push(false);
      await run('startTestBroadcast');
      const [streams, ...boxes] = ui.seen.picks;
      assert.deepEqual(fieldsOf(streams?.items, 'label'), ['Idle', 'Free', 'Live', 'On air']);
      assert.deepEqual(fieldsOf(boxes, 'title'), ['Start Test Broadcast to "Free"', 'Start Test Broadcast to "Free"']);
    }),
  ).timeout(20_000);

  it(
    'goes on when another connection is opened, and its stream key is nowhere',
    withServer({ answers: { confirms: [true] } }, async ({ run, service, context, readable }) => {
      const stream = idleStream(service, 4);
      await run('startTestBroadcast', { id: stream.id, ...PATTERN });
      context.store.connected({ kind: 'none' });
      assert.equal(context.store.snapshot.testBroadcasts.size, 1);
      await run('stopTestBroadcast');
      assert.equal(context.store.snapshot.testBroadcasts.size, 0);
      assert.ok(stream.streamKey && !readable().includes(stream.streamKey));
    }),
  ).timeout(20_000);
});

describe('What a test broadcast changes at the service', () => {
  const OPTIONS = { answers: { confirms: [true] }, demo: { clock: createTestClock() } };
  /** How often the stream, its health, and its sessions were requested. */
  const countsOf = (lines: readonly string[]) =>
    [/\/stream\/[\w-]+$/, /\/health$/, /\/sessions\?/].map((path) => lines.filter((line) => path.test(line)).length);

  it(
    'is read at once when it begins, until the session is known, and when it ends, without polls',
    withCommands(OPTIONS, async ({ run, service, context, requests }) => {
      const { store, loader } = context;
      const { id } = idleStream(service, 0);
      await run('addMultistreamTarget', { id, name: 'Club channel', url: 'rtmps://live.example.com/app/a-key' });
      await loader.ensureSessions(id);
      service.control.clearRequests();
      await run('startTestBroadcast', { id, ...PATTERN });
      const isTargetConnected = () => store.snapshot.health.get(id)?.find(({ target }) => target !== undefined)?.isMet;
      await waitUntil(() => isTargetConnected() === true && runningSession(store.snapshot, id) !== undefined);
      const [reads = 0, health, sessions = 0] = countsOf(requests());
      assert.deepEqual([reads <= 5, health, sessions <= 4], [true, 1, true], requests().join('\n'));
      await run('stopTestBroadcast', id);
      await waitUntil(() => store.snapshot.streams.get(id)?.stream.isActive === false);
      await waitUntil(() => (countsOf(requests())[2] ?? 0) > sessions);
    }),
  ).timeout(60_000);

  it(
    'is read without its sessions where nobody has seen them',
    withCommands(OPTIONS, async ({ run, service, context, requests }) => {
      const { id } = idleStream(service, 0);
      await run('startTestBroadcast', { id, ...PATTERN });
      await waitUntil(() => context.store.snapshot.health.get(id) !== undefined);
      assert.deepEqual(countsOf(requests()).slice(1), [1, 0]);
    }),
  ).timeout(60_000);
});

/** Each test has its own: the server may still hold the one before. */
function idleStream(service: Fixture['service'], index: number): ReturnType<DemoControl['streams']>[number] {
  const stream = service.control.streams().filter(({ isActive }) => !isActive)[index];
  assert.ok(stream);
  return stream;
}

it('ends with the window within a second', async () => {
  const server = await startRtmpServer();
  const options = { answers: { confirms: [true] }, addresses: { rtmp: rtmpAt(server.port) } };
  await withCommands(options, async ({ run, service, context }) => {
    await run('startTestBroadcast', { id: idleStream(service, 0).id, ...PATTERN });
    const [socket] = server.sockets;
    assert.ok(socket && !socket.destroyed);
    const closed = once(socket, 'close');
    let isLate = false;
    const timer = createPatientClock().setTimeout(() => {
      isLate = true;
    }, 1000);
    context.testBroadcasts.dispose();
    await closed;
    timer.dispose();
    assert.equal(isLate, false);
  })();
  await server.close();
}).timeout(20_000);

function rtmpAt(port: number): string {
  return `rtmp://127.0.0.1:${port}/live/{streamKey}`;
}

describe('A test broadcast that cannot start', () => {
  const saysOf = (
    options: FixtureOptions,
    given: (fixture: Fixture) => Promise<readonly unknown[]> | readonly unknown[],
    words: RegExp,
  ) =>
    withCommands({ answers: { confirms: [true] }, ...options }, async (fixture) => {
      await fixture.run('startTestBroadcast', ...(await given(fixture)));
      assert.match(fixture.ui.seen.said[0]?.message ?? 'nothing', words);
      assert.equal(fixture.context.testBroadcasts.running.length, 0);
      assert.equal(fixture.context.store.snapshot.testBroadcasts.size, 0);
    });
  const first = ({ service }: Fixture, more: object = PATTERN) => [{ id: service.control.streams()[0]?.id, ...more }];

  it('says that nobody listens, by host and port', async () => {
    const port = await freePort();
    await saysOf(
      { addresses: { rtmp: rtmpAt(port) } },
      first,
      new RegExp(`^Nothing is listening at 127.0.0.1:${port}`),
    )();
  });

  it('says that the key was rejected', async function () {
    this.timeout(60_000);
    const locked = await startMediaServer({ isLocked: true });
    await withCommands(
      { answers: { confirms: [true] }, addresses: { rtmp: rtmpAt(locked.rtmpPort) } },
      async ({ run, ui, service }) => {
        await run('startTestBroadcast', { id: service.control.streams()[0]?.id, ...PATTERN });
        await waitUntil(() => ui.seen.said.length > 0);
        assert.match(
          ui.seen.said[0]?.message ?? '',
          / didn't accept the stream key\. Check that the stream isn't suspended/,
        );
      },
    )();
    await locked.close();
  });

  it(
    'says that there is no RTMP URL',
    saysOf({ addresses: {}, demo: { saysAddresses: false } }, first, /No RTMP URL is configured/),
  );
  it(
    'says that the URL has no place for the key',
    saysOf({ addresses: { rtmp: 'rtmp://127.0.0.1/live/x' } }, first, /doesn't include the stream key/),
  );
  it(
    'says that the URL is of another protocol',
    saysOf({ addresses: { rtmp: 'srt://127.0.0.1:9000?streamid={streamKey}' } }, first, /rtmp:\/\/ or rtmps:\/\//),
  );
  it(
    'refuses a time that is none',
    saysOf({}, (f) => first(f, { seconds: 0 }), /duration from 1 to 14400/),
  );
  it(
    'refuses a source that is none',
    saysOf({}, (f) => first(f, { source: 'some.mp4' }), /"pattern", "clock", or/),
  );
  it(
    'says that the file is missing',
    saysOf({}, (f) => first(f, { source: '/no/such/file.mp4', seconds: 5 }), /video file doesn't exist/),
  );

  it(
    'does nothing when the question is dismissed',
    withCommands({ answers: { confirms: [false] } }, async ({ run, ui, service, context }) => {
      await run('startTestBroadcast', { id: service.control.streams()[0]?.id, ...PATTERN });
      assert.equal(ui.seen.questions.length, 1);
      assert.deepEqual([ui.seen.said, context.testBroadcasts.running], [[], []]);
    }),
  );

  it(
    'says in the question which host gets the stream key, unless it is the service’s own',
    withCommands({ addresses: { rtmp: 'rtmp://in.example.net/live/{streamKey}' } }, async ({ run, ui, service }) => {
      await run('startTestBroadcast', { id: idleStream(service, 0).id, ...PATTERN });
      const sentence = "The stream key will be sent to in.example.net, which isn't the service's host.";
      assert.ok(ui.seen.questions[0]?.detail?.split('\n').includes(sentence), ui.seen.questions[0]?.detail);
    }),
  );

  it(
    'says nothing of the host where it is the service’s own',
    withCommands({ addresses: { rtmp: 'rtmp://127.0.0.1:1/live/{streamKey}' } }, async ({ run, ui, service }) => {
      await run('startTestBroadcast', { id: idleStream(service, 0).id, ...PATTERN });
      assert.doesNotMatch(ui.seen.questions[0]?.detail ?? assert.fail('No question'), /stream key/);
    }),
  );

  it(
    'says in the question that the stream is live, or suspended',
    withCommands({}, async ({ run, ui, service }) => {
      const live = service.control.streams().find(({ isActive }) => isActive);
      await run('startTestBroadcast', { id: live?.id, ...PATTERN });
      assert.match(ui.seen.questions[0]?.detail ?? '', /already live/);
      const idle = service.control.streams().find(({ isActive }) => !isActive);
      await run('suspendStream', idle?.id);
      await run('startTestBroadcast', { id: idle?.id, ...PATTERN });
      assert.match(ui.seen.questions.at(-1)?.detail ?? '', /suspended/);
    }),
  );

  it(
    'names in the question the multistream targets that will get it too, but none that is off',
    withCommands({}, async ({ run, ui, service }) => {
      const { id } = idleStream(service, 0);
      for (const name of ['Club channel', 'Backup']) {
        await run('addMultistreamTarget', { id, name, url: `rtmps://live.example.com/app/${name.length}-key` });
      }
      const backup = service.control.targets().find(({ name }) => name === 'Backup');
      await run('turnOffMultistreamTarget', { id, targetId: backup?.id });
      await run('startTestBroadcast', { id, ...PATTERN });
      const lines = ui.seen.questions.at(-1)?.detail?.split('\n') ?? [];
      assert.ok(lines.includes('The test broadcast will also be sent to Club channel.'), lines.join('\n'));
    }),
  );

  it(
    'stops nothing where nothing runs',
    withCommands({}, async ({ run, ui }) => {
      await run('stopTestBroadcast');
      assert.match(ui.seen.said[0]?.message ?? '', /No test broadcast is running/);
    }),
  );
});

describe('A test broadcast of a file', () => {
  const source = readFileSync(join(MEDIA_ROOT, 'source.mp4'));
  let server: RtmpServer;
  let path: string;
  before(async () => {
    server = await startRtmpServer();
    path = join(makeTemporaryFolder('file'), 'talk.mp4');
  });
  after(async () => {
    await server.close();
    rmSync(dirname(path), { recursive: true });
  });
  const withSink =
    (test: (fixture: Fixture) => Promise<void>, answers: FixtureOptions['answers'] = {}) =>
    () =>
      withCommands({ answers: { confirms: [true], ...answers }, addresses: { rtmp: rtmpAt(server.port) } }, test)();

  it(
    'ends with the cut if its file is cut off while it is sent, and leaves nothing in the row',
    withSink(async ({ run, ui, service, context }) => {
      writeFileSync(path, source);
      const { id, name } = idleStream(service, 0);
      await run('startTestBroadcast', { id, source: path, seconds: 60 });
      truncateSync(path, 20_000);
      await waitUntil(() => ui.seen.said.length > 0);
      const [said] = ui.seen.said;
      assert.deepEqual(
        [said?.severity, said?.message, said?.actions],
        ['error', `The test broadcast to "${name}" has ended. The video file is incomplete.`, ['Retry…']],
      );
      assert.deepEqual([context.testBroadcasts.running, context.store.snapshot.testBroadcasts.size], [[], 0]);
    }),
  ).timeout(60_000);

  it(
    'keeps no file open if another connection is opened while it asks',
    withCommands(
      { addresses: { rtmp: 'rtmp://127.0.0.1:1/live/{streamKey}' } },
      async ({ run, ui, service, context }) => {
        const folder = makeTemporaryFolder('asked');
        const path = join(folder, 'asked.mp4');
        writeFileSync(path, source);
        const descriptors = () =>
          readdirSync('/proc/self/fd').filter((name) => readLink(join('/proc/self/fd', name)) === path);
        let open = 0;
        // Node closes what is forgotten at some time, with a warning.
        const warnings: Error[] = [];
        const onWarning = (warning: Error) => void warnings.push(warning);
        process.on('warning', onWarning);
        const confirm = async () => {
          open = descriptors().length;
          const { baseUrl, apiKey } = service;
          context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
          return true;
        };
        Object.assign(context, { ui: { ...ui, confirm } });
        await run('startTestBroadcast', { id: idleStream(service, 0).id, source: path, seconds: 5 });
        assert.match(ui.seen.said[0]?.message ?? '', /you switched connections/);
        assert.equal(open, 1);
        await waitUntil(() => descriptors().length === 0);
        process.off('warning', onWarning);
        assert.deepEqual(warnings, []);
        rmSync(folder, { recursive: true });
      },
    ),
  );

  it(
    'says where to look if it fails in a way that nobody foresaw, and offers the log',
    withSink(async ({ run, ui, service, context, log }) => {
      const start = async ({ source }: BroadcastPlan, { onEnd }: BroadcastListener) => {
        source.dispose();
        onEnd(undefined, new Error('unforeseen'));
        return true;
      };
      Object.assign(context.testBroadcasts, { start });
      const { id, name } = idleStream(service, 0);
      await run('startTestBroadcast', { id, ...PATTERN });
      const message = `The test broadcast to "${name}" has ended. Something went wrong. See the log for details.`;
      assert.deepEqual(ui.seen.said, [{ severity: 'error', message, actions: ['Retry…', 'Show Log'] }]);
      assert.match(log.lines.join('\n'), /A test broadcast failed.*unforeseen/);
    }),
  );

  it(
    'goes on if its file is deleted while it is sent',
    withSink(async ({ run, ui, service, context }) => {
      writeFileSync(path, source);
      const { id } = idleStream(service, 0);
      await run('startTestBroadcast', { id, source: path, seconds: 60 });
      rmSync(path);
      const before = server.received().length;
      await waitUntil(() => server.received().length > before + 50);
      assert.equal(context.store.snapshot.testBroadcasts.get(id)?.state, 'live');
      await run('stopTestBroadcast', id);
      assert.deepEqual([ui.seen.said, ui.seen.flashes.length], [[], 1]);
    }),
  ).timeout(60_000);

  it(
    'says how much was left out because the network is too slow: while it is sent, and at its end',
    withSink(async ({ run, ui, service, context }) => {
      // Each frame is 400 KB of nothing, from the beginning of the file.
      const large = Buffer.from(source);
      large.writeUInt32BE(400_000, large.indexOf('stsz') + 8);
      writeFileSync(path, large);
      truncateSync(path, 1_000_000);
      const { id } = idleStream(service, 0);
      await run('startTestBroadcast', { id, source: path, seconds: 60 });
      for (const socket of server.sockets) socket.pause();
      const share = () => context.store.snapshot.testBroadcasts.get(id)?.droppedPercent ?? 0;
      await waitUntil(() => share() > 0);
      for (const socket of server.sockets) socket.resume();
      await run('stopTestBroadcast', id);
      await waitUntil(() => ui.seen.said.length > 0);
      assert.equal(ui.seen.said[0]?.severity, 'warning');
      assert.match(
        ui.seen.said[0]?.message ?? '',
        /has ended\. [1-9]\d?% of its frames were dropped because the network was too slow\.$/,
      );
    }),
  ).timeout(60_000);

  it(
    'names what is not supported in words',
    withSink(async ({ run, ui, service, context }) => {
      Object.assign(context, { settings: { ...context.settings, ffmpeg: () => 'no-such-program' } });
      const fragmented = Buffer.from(source.toString('latin1').replace('udta', 'mvex'), 'latin1');
      const hevc = Buffer.from(source.toString('latin1').replace('avc1\0', 'hvc1\0'), 'latin1');
      for (const [bytes, words] of [
        [fragmented, 'fragmented MP4'],
        [hevc, 'HEVC'],
      ] as const) {
        writeFileSync(path, bytes);
        const { id } = idleStream(service, 0);
        await run('startTestBroadcast', { id, source: path, seconds: 60 });
        assert.ok(ui.seen.said.at(-1)?.message.includes(`(${words})`), ui.seen.said.at(-1)?.message);
      }
    }),
  );
});

describe('ffmpeg', () => {
  let folder: string;
  before(() => {
    folder = makeTemporaryFolder('ffmpeg');
    mkdirSync(folder, { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is not offered if it is missing or not ffmpeg', async () => {
    const other = join(folder, 'other');
    writeFileSync(other, '#!/bin/sh\necho hello\n', { mode: 0o755 });
    for (const program of ['no-such-program', other]) {
      await withCommands({}, async ({ run, ui, service, context }) => {
        const settings = { ...context.settings, ffmpeg: () => program };
        Object.assign(context, { settings });
        await run('startTestBroadcast', service.control.streams()[0]?.id);
        assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label'), ['Test Pattern', 'Video File…']);
        await run('startTestBroadcast', { id: service.control.streams()[0]?.id, source: 'clock', seconds: 5 });
        assert.match(ui.seen.said.at(-1)?.message ?? '', /needs ffmpeg, which wasn't found/);
      })();
    }
  });
});

/** Undefined for a descriptor that was closed meanwhile. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
