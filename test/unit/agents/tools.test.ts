import assert from 'node:assert/strict';
import { AgentTools } from '../../../src/agents/agentTools.ts';
import { ExportedReads } from '../../../src/agents/exportedReads.ts';
import { collectGarbage } from '../../bench/collectGarbage.ts';
import type { DemoFace } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

const FACES: readonly DemoFace[] = ['full', 'strict', 'indifferent'];

function streamsOf({ service }: AgentFixture) {
  const parents = service.control.streams().filter(({ parentId }) => parentId === undefined);
  const live = parents.find(({ isActive }) => isActive) ?? assert.fail('no live stream');
  const idle = parents.find(({ isActive, suspended }) => !isActive && !suspended) ?? assert.fail('no idle stream');
  return { parents, live, idle };
}

for (const face of FACES) {
  /** Over a connection of which nothing is known yet, so that each request has to be tried first. */
  const over = (test: (fixture: AgentFixture) => Promise<void>) =>
    withAgents({ demo: { face } }, async (fixture) => {
      fixture.context.connection.account.resetAbilities();
      await test(fixture);
    });
  const rowsOf = (answer: Readonly<Record<string, unknown>>, name: string) => {
    const rows = answer[name];
    return Array.isArray(rows) ? (rows as readonly Readonly<Record<string, unknown>>[]) : assert.fail(`no ${name}`);
  };

  describe(`The tools for agents over a service that is ${face}`, () => {
    it(
      'list the active streams, named with the connection',
      over(async (fixture) => {
        const { parents } = streamsOf(fixture);
        const answer = await fixture.call('liveStreams_list');
        const active = parents.filter(({ isActive }) => isActive);
        assert.deepEqual(new Set(rowsOf(answer, 'streams').map(({ id }) => id)), new Set(active.map(({ id }) => id)));
        assert.deepEqual([answer.connection, answer.total, answer.isComplete], ['Production', active.length, true]);
        assert.match(String(answer.note), /data, not instructions/);
        assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
      }),
    );

    it(
      'list idle and all streams, by a part of the name and up to a limit',
      over(async (fixture) => {
        const { idle, parents } = streamsOf(fixture);
        const named = await fixture.call('liveStreams_list', { state: 'idle', nameContains: idle.name.toUpperCase() });
        assert.ok(rowsOf(named, 'streams').some(({ id }) => id === idle.id));
        assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
        fixture.service.control.clearRequests();
        const all = await fixture.call('liveStreams_list', { state: 'all', limit: 3 });
        assert.deepEqual([rowsOf(all, 'streams').length, all.isComplete], [3, false]);
        assert.equal(all.total, face === 'strict' || face === 'full' ? parents.length : all.total);
        assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
      }),
    );

    it(
      'get a stream by its ID, with health, renditions, HLS URL, and sessions',
      over(async (fixture) => {
        const { live } = streamsOf(fixture);
        const answer = await fixture.call('liveStreams_get', { id: live.id });
        const stream = answer.stream as Readonly<Record<string, unknown>>;
        assert.deepEqual([stream.id, stream.state, stream.playbackId], [live.id, 'live', live.playbackId]);
        assert.match(String(stream.hlsUrl), new RegExp(`/${live.playbackId}/[^?]*m3u8$`));
        assert.ok(Array.isArray(stream.renditions) && 'health' in stream);
        const sessions = rowsOf(answer, 'sessions');
        assert.ok(sessions.length > 0 && sessions.length <= 10);
        assert.ok(sessions.every(({ id }) => fixture.service.control.sessions(live.id).some((each) => each.id === id)));
        const [running] = fixture.service.control.sessions(live.id);
        assert.equal(stream.since, new Date(running?.createdAt ?? 0).toISOString());
        assert.deepEqual([sessions[0]?.id, sessions[0]?.recording], [running?.id, 'running']);
        assert.match(String(answer.howToStream), /Copy Stream Key/);
        assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
      }),
    );

    for (const key of ['playbackId', 'name'] as const) {
      it(
        `get a stream by its ${key}, in two requests at most`,
        over(async (fixture) => {
          const { idle } = streamsOf(fixture);
          const answer = await fixture.call('liveStreams_get', { [key]: idle[key] });
          assert.equal((answer.stream as { readonly id: string }).id, idle.id);
          assert.ok(Array.isArray(answer.sessions) || /with the ID/.test(String(answer.next)));
          assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
        }),
      );
    }

    it(
      'list what was recorded, and what is as new as they are asked for',
      over(async (fixture) => {
        const { idle } = streamsOf(fixture);
        const { control } = fixture.service;
        const add = (hours: number, record: boolean) => {
          const createdAt = Date.now() - hours * 3_600_000;
          const session = { record, createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
          return control.addSession(idle.id, session).id;
        };
        const [fresh, old, unrecorded] = [add(1, true), add(30, true), add(2, false)];
        const shown = async (input: unknown) => {
          const ids = rowsOf(await fixture.call('liveStreams_recordings', input), 'recordings').map(({ id }) => id);
          return [fresh, old, unrecorded].map((id) => ids.includes(id));
        };
        assert.deepEqual(await shown({ stream: idle.id, days: 1 }), [true, false, false]);
        assert.deepEqual(await shown({ stream: idle.id, days: 2 }), [true, true, false]);
        assert.deepEqual(await shown({ days: 1, limit: 50 }), [true, false, false]);
      }),
    );

    it(
      'list recordings of all streams and of one, without the queries of their URLs',
      over(async (fixture) => {
        const { idle } = streamsOf(fixture);
        const { control, baseUrl } = fixture.service;
        const createdAt = Date.now() - 3_600_000;
        const recorded = { record: true, createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
        const { id } = control.addSession(idle.id, recorded);
        const media = new URL(`/recordings/${id}/index.m3u8`, baseUrl).href;
        control.setSession(id, {
          recordingStatus: 'ready',
          recordingUrl: `${media}?sig=abcdef`,
          mp4Url: `${media}?sig=abcdef`,
        });
        for (const input of [{}, { stream: idle.id, days: 1 }, { stream: idle.name }, { stream: idle.playbackId }]) {
          control.clearRequests();
          const answer = await fixture.call('liveStreams_recordings', input);
          assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
          const found = rowsOf(answer, 'recordings').find((each) => each.id === id);
          assert.equal(found?.recordingUrl, media, JSON.stringify([input, answer]));
          assert.equal((found?.stream as { readonly id?: string } | undefined)?.id, idle.id);
          assert.equal(found?.recording, 'ready');
        }
        const none = await fixture.call('liveStreams_recordings', { stream: 'no such stream' });
        assert.match(String(none.problem), /no stream with this name/);
      }),
    );

    it(
      'write snippets with variables for keys',
      over(async (fixture) => {
        const { live } = streamsOf(fixture);
        const page = await fixture.call('liveStreams_snippet', { id: live.id, language: 'html' });
        assert.equal(page.form, 'video');
        assert.match(String(page.code), /hls\.js/);
        assert.ok(Array.isArray(page.otherForms) && page.otherForms.length > 0 && !page.otherForms.includes('video'));
        assert.ok(fixture.requests().length <= 2, fixture.requests().join('\n'));
        const shell = await fixture.call('liveStreams_snippet', {
          id: live.id,
          language: 'shellscript',
          form: 'ffmpeg',
        });
        assert.match(String(shell.code), /\$\{STREAM_KEY\}"$/);
        const link = await fixture.call('liveStreams_snippet', { id: live.id, language: 'markdown' });
        const player = fixture.service.addresses.player?.replace('{playbackId}', live.playbackId ?? '');
        assert.ok(String(link.code).endsWith(`](<${player}>)`), String(link.code));
        const other = await fixture.call('liveStreams_snippet', { id: live.id, language: 'html', form: 'ffmpeg' });
        assert.match(String(other.problem), /isn't available/);
        assert.ok(Array.isArray(other.forms) && other.forms.includes('video'));
      }),
    );
  });
}

describe('What other extensions read', () => {
  it(
    'is the live streams, and one stream by its ID or its playback ID',
    withAgents({}, async ({ context, service }) => {
      const reads = new ExportedReads(context);
      const live = await reads.listLiveStreams();
      const active = service.control.streams().filter(({ isActive }) => isActive);
      assert.deepEqual(live.map(({ id }) => id).sort(), active.map(({ id }) => id).sort());
      const added = service.control.addStream({ name: 'Not loaded' });
      for (const text of [added.id, added.playbackId ?? '']) {
        const found = await reads.getStream(text);
        assert.deepEqual([found?.id, found?.name], [added.id, 'Not loaded']);
        assert.equal(found?.createdAt, new Date(added.createdAt).toISOString());
      }
      assert.deepEqual(
        [await reads.getStream('nothing-has-this'), await reads.getStream('a/b')],
        [undefined, undefined],
      );
    }),
  );
});

describe('The tools that read', () => {
  it(
    'say how much a live stream sends, and of renditions what is a number',
    withAgents({}, async (fixture) => {
      const { live, idle } = streamsOf(fixture);
      const { call, service } = fixture;
      const profiles = [{ name: 'small', width: '640', height: 360, bitrate: null, fps: 30 }];
      service.control.setStream(live.id, { ingestRate: 125_000.4, profiles });
      service.control.setStream(idle.id, { ingestRate: 125_000 });
      const detailsOf = async (id: string) => {
        const { stream } = await call('liveStreams_get', { id });
        const { health, renditions } = Object(stream);
        return [health.ingestBitrate, renditions];
      };
      assert.deepEqual(await detailsOf(live.id), [1_000_003, [{ name: 'small', height: 360, fps: 30 }]]);
      assert.deepEqual((await detailsOf(idle.id))[0], undefined);
    }),
  );

  it(
    'take the least and the most that a number may be',
    withAgents({}, async ({ call }) => {
      for (const limit of [1, 50]) {
        const { problem, streams } = await call('liveStreams_list', { state: 'all', limit });
        assert.deepEqual([problem, Array.isArray(streams) && streams.length <= limit], [undefined, true]);
      }
    }),
  );

  it(
    'know a stream that one of them has answered by its name and playback ID, without a search',
    withAgents({}, async ({ call, service, requests }) => {
      const { id, playbackId } = service.control.addStream({ name: 'Read before' });
      await call('liveStreams_get', { id });
      for (const stream of ['Read before', playbackId]) {
        service.control.clearRequests();
        await call('liveStreams_recordings', { stream });
        assert.ok(
          requests().every((each) => each.includes(`/stream/${id}/sessions`)),
          requests().join(),
        );
      }
    }),
  );

  it(
    'say whether there are more recordings than they show',
    withAgents({}, async ({ call, service }) => {
      const { id, createdAt } = service.control.addStream({ name: 'Recorded', createdAt: Date.UTC(2026, 10, 19) });
      for (const hour of [1, 2, 3]) {
        const at = createdAt + hour * 3_600_000;
        service.control.addSession(id, {
          record: true,
          createdAt: at,
          lastSeen: at + 60_000,
          sourceSegmentsDuration: 60,
        });
      }
      const shown = async (limit: number) => {
        const answer = await call('liveStreams_recordings', { stream: id, limit });
        const { recordings } = answer;
        return [answer.isComplete, Array.isArray(recordings) ? recordings.length : undefined];
      };
      assert.deepEqual(
        [await shown(2), await shown(3), await shown(4)],
        [
          [false, 2],
          [true, 3],
          [true, 3],
        ],
      );
    }),
  );

  it(
    'wait for the connection of a window that has just opened',
    withAgents({}, async ({ tools, context, service }) => {
      const { info } = context.connection;
      assert.ok(info);
      const { baseUrl, apiKey } = service;
      const starting = { ...context.store.snapshot, connection: { kind: 'starting' as const } };
      let isStarting = true;
      const store = new Proxy(context.store, {
        get(target, property) {
          if (property === 'snapshot' && isStarting) return starting;
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const early = new AgentTools({ ...context, store, settings: { ...context.settings, agentTools: () => 'read' } });
      const answer = early.invoke('liveStreams_list', {}, new AbortController().signal);
      let isAnswered = false;
      void answer.then(() => {
        isAnswered = true;
      });
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(isAnswered, false);
      isStarting = false;
      context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
      assert.equal(JSON.parse(await answer).connection, 'Other');
      assert.ok(tools);
    }),
  );
});

describe('The tool that writes snippets', () => {
  const PLAYERS = [
    'https://player.example/?v={playbackId}&token=s3cret',
    'https://player.example/{playbackId}#token=s3cret',
    'https://player.example/?token=s3cret',
  ];
  for (const player of PLAYERS) {
    it(
      `has nothing of a player's URL that may be a secret: ${player}`,
      withAgents({ addresses: { player, hls: 'https://cdn.example/{playbackId}.m3u8' } }, async (fixture) => {
        const { live } = streamsOf(fixture);
        const { code } = await fixture.call('liveStreams_snippet', { id: live.id, language: 'markdown' });
        assert.match(String(code), /\]\(<https:\/\/cdn\.example\/\w+\.m3u8>\)$/);
      }),
    );
  }

  it(
    'has no playback ID that is none',
    withAgents({}, async (fixture) => {
      const { live } = streamsOf(fixture);
      fixture.service.control.setStream(live.id, { playbackId: "x'); evil('" });
      await fixture.context.loader.refresh();
      const text = await fixture.answer('liveStreams_snippet', { id: live.id, language: 'python', form: 'hlsUrl' });
      assert.doesNotMatch(text, /'\); evil|x'/);
      const ids = await fixture.call('liveStreams_snippet', { id: live.id, language: 'python', form: 'playbackId' });
      assert.match(String(ids.problem), /isn't available/);
    }),
  );
});

describe('The tool that checks a stream', () => {
  const LIVING = { demo: { clock: createTestClock() } };

  it(
    'reports on a live stream without its key, and on an idle one',
    withAgents(LIVING, async (fixture) => {
      const { live, idle } = streamsOf(fixture);
      const issue = `Keyframes are rare ${live.streamKey} ${'x'.repeat(300)}`;
      fixture.service.control.setStream(live.id, { issues: [issue] });
      const text = await fixture.answer('liveStreams_check', { id: live.id });
      const { connection, isPlayingWell, report } = JSON.parse(text);
      assert.deepEqual([connection, isPlayingWell], ['Production', true]);
      assert.ok(!report.some((line: string) => line.trim() === ''));
      assert.ok(report.includes('  ✓ State: Live') && report[0] === `Check results for "${live.name}"`, text);
      const reported = report.find((line: string) => line.includes('Keyframes are rare …'));
      assert.ok(reported.length <= 130 && !text.includes(live.streamKey ?? assert.fail()));
      const other = await fixture.call('liveStreams_check', { id: idle.id });
      assert.equal(other.isPlayingWell, false);
      assert.match(String(other.report), /! State: Idle/);
    }),
  );

  it(
    'says what is missing for a stream that is gone, and for a service without an HLS URL',
    withAgents({ addresses: {}, demo: { face: 'strict' } }, async (fixture) => {
      const gone = await fixture.call('liveStreams_check', { id: 'gone' });
      assert.match(String(gone.problem), /no longer exists/);
      const unknown = await fixture.call('liveStreams_check', { id: streamsOf(fixture).live.id });
      assert.match(String(unknown.problem), /No HLS URL is configured/);
    }),
  );
});

describe('The tools that change streams', () => {
  it(
    'create a stream after a question that names it and the connection',
    withAgents({}, async ({ tools, answer, requests, service }) => {
      const question = await tools.prepare('liveStreams_create', { name: ' Test stream ' });
      assert.equal(question?.message, 'An agent wants to create the stream "Test stream" on "Production".');
      assert.deepEqual(requests(), []);
      const text = await answer('liveStreams_create', { name: 'Test stream' });
      const { stream, done } = JSON.parse(text);
      const created = service.control.streams().find(({ id }) => id === stream.id);
      assert.deepEqual([created?.name, stream.playbackId], ['Test stream', created?.playbackId]);
      assert.match(done, /created/);
      assert.ok(!text.includes(created?.streamKey ?? assert.fail('no key')));
      assert.deepEqual(requests(), ['POST /api/stream']);
    }),
  );

  it(
    'turn recording on and off after a question that names the stream and the connection',
    withAgents({}, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { service, tools, call, requests } = fixture;
      for (const on of [!idle.record, idle.record]) {
        const question = await tools.prepare('liveStreams_setRecording', { id: idle.id, on });
        assert.equal(question?.title, on ? 'Turn on recording?' : 'Turn off recording?');
        assert.ok(question?.message.includes(`"${idle.name}" on "Production"`));
        service.control.clearRequests();
        const answer = await call('liveStreams_setRecording', { id: idle.id, on });
        assert.match(String(answer.done), /changed/);
        assert.deepEqual(answer.stream, { id: idle.id, name: idle.name, recording: on });
        assert.equal(service.control.streams().find(({ id }) => id === idle.id)?.record, on);
        assert.equal(requests().length, 2, requests().join('\n'));
      }
    }),
  );

  it(
    'send a test broadcast after a question that says what it means, and never two at once',
    withAgents({ demo: { clock: createTestClock() } }, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { service, tools, call, answer, context } = fixture;
      const input = { id: idle.id, seconds: 20 };
      service.control.setStream(idle.id, { record: true });
      await call('liveStreams_get', { id: idle.id });
      const question = await tools.prepare('liveStreams_testBroadcast', input);
      assert.ok(
        question?.message.includes(
          `to the viewers of "${idle.name}" on "Production". The test broadcast will be recorded.`,
        ),
      );
      const text = await answer('liveStreams_testBroadcast', input);
      try {
        assert.match(JSON.parse(text).done, /ends after 20 seconds/);
        assert.deepEqual(JSON.parse(text).stream, { id: idle.id, name: idle.name });
        assert.ok(!text.includes(idle.streamKey ?? assert.fail('no key')));
        assert.deepEqual(fieldsOf(context.testBroadcasts.running, 'id'), [idle.id]);
        assert.equal(await tools.prepare('liveStreams_testBroadcast', input), undefined);
        assert.match(String((await call('liveStreams_testBroadcast', input)).problem), /already sending/);
      } finally {
        await context.testBroadcasts.stop(idle.id);
      }
    }),
  );

  it(
    'ask in a dialog before a test broadcast over a stream that has gone live since it was read',
    withAgents({ demo: { clock: createTestClock() } }, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { service, call, context, ui } = fixture;
      const input = { id: idle.id, seconds: 20 };
      await call('liveStreams_get', { id: idle.id });
      service.control.startBroadcast(idle.id);
      const declined = await call('liveStreams_testBroadcast', input);
      assert.equal(declined.problem, 'The user canceled the test broadcast.');
      assert.deepEqual(context.testBroadcasts.running, []);
      assert.match(ui.seen.questions[0]?.detail ?? '', /This stream is already live/);
      service.control.endBroadcast(idle.id);
      service.control.startBroadcast(idle.id);
      ui.answers.confirms.push(true);
      const { done } = await call('liveStreams_testBroadcast', input);
      await context.testBroadcasts.stop(idle.id);
      assert.match(String(done), /accepted/);
      assert.equal(ui.seen.questions.length, 2);
    }),
  );

  it(
    'ask in a dialog before a test broadcast that also goes to multistream targets',
    withAgents({ demo: { clock: createTestClock() } }, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { call, service, ui } = fixture;
      const target = service.control.addTarget({ name: 'Club channel', url: 'rtmps://live.example.com/app/key' });
      service.control.setStream(idle.id, { multistream: { targets: [{ id: target.id, profile: 'source' }] } });
      const { problem } = await call('liveStreams_testBroadcast', { id: idle.id, seconds: 20 });
      assert.equal(problem, 'The user canceled the test broadcast.');
      assert.match(ui.seen.questions[0]?.detail ?? '', /^The test broadcast will also be sent to Club channel\.$/m);
    }),
  );

  it(
    'say which host gets the stream key, and ask in a dialog where the host is not the service’s own',
    withAgents({ addresses: { rtmp: 'rtmp://in.example.net/live/{streamKey}' } }, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { call, tools, ui } = fixture;
      const input = { id: idle.id, seconds: 20 };
      await call('liveStreams_get', { id: idle.id });
      const question = await tools.prepare('liveStreams_testBroadcast', input);
      assert.match(question?.message ?? '', /The stream key will be sent to in\.example\.net/);
      assert.match(String((await call('liveStreams_testBroadcast', input)).problem), /canceled/);
      assert.match(ui.seen.questions[0]?.detail ?? '', /The stream key will be sent to in\.example\.net/);
    }),
  );

  it(
    'send nothing if what the question said is out of date, or if 100 others were asked since',
    withAgents({}, async ({ tools, context, service, requests, call }) => {
      const stream = service.control.addStream({ name: 'Before' });
      await call('liveStreams_get', { id: stream.id });
      const input = { id: stream.id, on: true };
      const invoke = async () => {
        const text = await tools.invoke('liveStreams_setRecording', input, new AbortController().signal);
        return String(JSON.parse(text).problem);
      };
      await tools.prepare('liveStreams_setRecording', input);
      service.control.setStream(stream.id, { name: 'After' });
      await context.connection.account.readStream(stream.id);
      service.control.clearRequests();
      assert.match(await invoke(), /wasn't asked about this change/);
      await tools.prepare('liveStreams_setRecording', input);
      for (let count = 0; count < 100; count++) await tools.prepare('liveStreams_create', { name: `${count}` });
      assert.match(await invoke(), /wasn't asked about this change/);
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'keep no account of a connection that was closed, although its question was declined',
    withAgents({}, async ({ tools, context, service }) => {
      const account = new WeakRef(context.connection.account);
      await tools.prepare('liveStreams_create', { name: 'A' });
      context.connection.close();
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
      await waitUntil(() => {
        collectGarbage();
        return account.deref() === undefined;
      });
    }),
  );

  it(
    'send nothing for a stream that nobody has read, one that is live, or a name of several lines',
    withAgents({}, async (fixture) => {
      const { live } = streamsOf(fixture);
      const { service, tools, call, requests } = fixture;
      const unread = service.control.addStream({ name: 'Unread' });
      const given: readonly (readonly [string, unknown, RegExp])[] = [
        ['liveStreams_setRecording', { id: unread.id, on: true }, /must be read before/],
        ['liveStreams_setRecording', { id: live.id, on: !live.record }, /while the stream is live/],
        ['liveStreams_create', { name: 'a\nb' }, /tool input is invalid/],
        ['liveStreams_testBroadcast', { id: unread.id, seconds: 5 }, /must be read before/],
        ['liveStreams_testBroadcast', { id: live.id, seconds: 301 }, /tool input is invalid/],
      ];
      for (const [name, input, problem] of given) {
        assert.equal(await tools.prepare(name, input), undefined);
        assert.match(String((await call(name, input)).problem), problem);
      }
      assert.deepEqual(requests(), []);
      await call('liveStreams_get', { id: unread.id });
      assert.match(
        (await tools.prepare('liveStreams_setRecording', { id: unread.id, on: true }))?.message ?? '',
        /Unread/,
      );
    }),
  );

  it(
    'send nothing where the person was not asked, or has opened another connection after the question',
    withAgents({}, async ({ tools, context, service, requests }) => {
      const invoke = async () => {
        const text = await tools.invoke('liveStreams_create', { name: 'A' }, new AbortController().signal);
        return JSON.parse(text).problem;
      };
      assert.match(await invoke(), /wasn't asked/);
      await tools.prepare('liveStreams_create', { name: 'B' });
      assert.match(await invoke(), /wasn't asked/, 'about this input');
      await tools.prepare('liveStreams_create', { name: 'A' });
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'other', name: 'Other', baseUrl, apiKey, insecureAccepted: false });
      assert.match(await invoke(), /wasn't asked/);
      assert.deepEqual(
        requests().filter((request) => !request.startsWith('GET')),
        [],
      );
    }),
  );

  it(
    'send nothing with the question of an earlier call: for each call the person is asked',
    withAgents({}, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { service, tools, call } = fixture;
      const other = service.control.addStream({ name: 'Other' });
      const input = { id: other.id, on: true };
      await call('liveStreams_setRecording', { id: idle.id, on: !idle.record });
      assert.equal(await tools.prepare('liveStreams_setRecording', input), undefined, 'nobody has read it yet');
      await call('liveStreams_get', { id: other.id });
      const invoke = async () =>
        JSON.parse(await tools.invoke('liveStreams_setRecording', input, new AbortController().signal));
      assert.match((await invoke()).problem, /wasn't asked/);
      await tools.prepare('liveStreams_setRecording', input);
      assert.match((await invoke()).done, /changed/);
      assert.match((await invoke()).problem, /wasn't asked/, 'the question is used up');
    }),
  );

  it(
    'say what became of a change whose answer was lost',
    withAgents({ isHurried: true }, async (fixture) => {
      const { idle } = streamsOf(fixture);
      const { service, call } = fixture;
      service.control.fault(({ method }) => (method === 'GET' ? undefined : { status: 500, body: '{}' }));
      const created = await call('liveStreams_create', { name: 'A' });
      assert.match(String(created.problem), /However, the stream may have been created/);
      const changed = await call('liveStreams_setRecording', { id: idle.id, on: !idle.record });
      assert.match(String(changed.problem), /However, the change may have been applied/);
    }),
  );
});

describe('The setting for agents', () => {
  it(
    'turns tools off, and those that change streams alone',
    withAgents({ access: 'off' }, async ({ call, requests }) => {
      for (const name of ['liveStreams_list', 'liveStreams_create']) {
        const answer = await call(name, name === 'liveStreams_list' ? {} : { name: 'A' });
        assert.match(String(answer.next), /liveStreams\.agentTools/);
      }
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'lets tools only read by default',
    withAgents({ access: 'read' }, async ({ tools, call, requests }) => {
      assert.equal(await tools.prepare('liveStreams_create', { name: 'A' }), undefined);
      assert.match(String((await call('liveStreams_create', { name: 'A' })).problem), /hasn't enabled/);
      assert.deepEqual(requests(), []);
      assert.ok('streams' in (await call('liveStreams_list')));
    }),
  );
});
