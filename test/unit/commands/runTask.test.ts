import assert from 'node:assert/strict';
import { runTask } from '../../../src/commands/runTask.ts';
import type { TestBroadcasts } from '../../../src/model/broadcasts/testBroadcasts.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, openNextWhileWaiting, withCommands } from './fixture.ts';

/** Runs a task as VS Code does. Returns whether it succeeded, and what it wrote. */
async function run(
  { context }: Fixture,
  definition: unknown,
  { isTrusted = true, signal = new AbortController().signal } = {},
): Promise<readonly [hasSucceeded: boolean, text: string]> {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const hasSucceeded = await runTask(context, definition, { write, signal, isTrusted });
  return [hasSucceeded, lines.join('\n')];
}

const clock = createTestClock(4);
const LIVING = { clock, demo: { clock } };
const streamsOf = ({ service }: Fixture) => service.control.streams().filter(({ parentId }) => parentId === undefined);

describe('A task of tasks.json', () => {
  it(
    'checks a live stream by its ID or its name, without its key',
    withCommands(LIVING, async (fixture) => {
      const live = streamsOf(fixture).find(({ isActive }) => isActive) ?? assert.fail('No stream is live');
      for (const stream of [live.id, live.name]) {
        const [hasSucceeded, text] = await run(fixture, { type: 'liveStreams', task: 'check', stream });
        assert.ok(hasSucceeded, text);
        assert.ok(text.startsWith(`Check results for "${live.name}"\n`));
        assert.ok(live.streamKey && !text.includes(live.streamKey));
      }
      assert.deepEqual(fixture.ui.seen.said, []);
    }),
  );

  it(
    'succeeds with warnings',
    withCommands(LIVING, async (fixture) => {
      const live = streamsOf(fixture).find(({ isActive }) => isActive) ?? assert.fail('No stream is live');
      fixture.service.control.setStream(live.id, { issues: ['Keyframe interval is 8 s'] });
      const [hasSucceeded, text] = await run(fixture, { task: 'check', stream: live.id });
      assert.ok(hasSucceeded, text);
      // A busy machine adds that the service is slow.
      assert.match(text, /^\d+ warnings?, \d+ checks? passed$/m);
      assert.match(text, /^ {2}! .*\n? *Keyframe interval is 8 s/m);
    }),
  );

  it(
    'succeeds with a warning if a multistream target does not receive the broadcast',
    withCommands(LIVING, async (fixture) => {
      const { control } = fixture.service;
      const live = streamsOf(fixture).find(({ isActive }) => isActive) ?? assert.fail('No stream is live');
      const { id } = control.addTarget({ url: 'rtmp://127.0.0.1:9/live/x', name: 'Nowhere', isFailing: true });
      const targets = [{ profile: 'source', id, videoOnly: false }];
      control.setStream(live.id, { multistream: { targets } });
      const [hasSucceeded, text] = await run(fixture, { task: 'check', stream: live.id });
      assert.equal(hasSucceeded, true);
      assert.match(text, /^1 warning, /m);
      assert.match(text, /^ {2}! Nowhere: Failing/m);
    }),
  );

  it(
    'fails with the report if there are problems, or if the stream is not live',
    withCommands(LIVING, async (fixture) => {
      const live = streamsOf(fixture).find(({ isActive }) => isActive)?.id ?? '';
      const idle = streamsOf(fixture).find(({ isActive }) => !isActive)?.id ?? '';
      fixture.service.control.fault(({ path }) => (path.startsWith('/segments/') ? { status: 404 } : undefined));
      const [isLiveGood, broken] = await run(fixture, { task: 'check', stream: live });
      assert.deepEqual([isLiveGood, /✗ Segment of \d+ × \d+: /.test(broken)], [false, true], broken);
      const [isIdleGood, report] = await run(fixture, { task: 'check', stream: idle });
      assert.deepEqual([isIdleGood, report.includes('! State: Idle')], [false, true]);
    }),
  );

  it(
    'starts a test broadcast after the question of the command, and ends once the stream is live',
    withCommands({ ...LIVING, answers: { confirms: [true] } }, async (fixture) => {
      const { id, name } = streamsOf(fixture).find(({ isActive, suspended }) => !isActive && !suspended) ?? {};
      const result = await run(fixture, { task: 'testBroadcast', stream: id, seconds: 30 });
      assert.deepEqual(result, [true, `"${name}" is live with your test broadcast.`]);
      assert.match(fixture.ui.seen.questions[0]?.detail ?? '', /The test broadcast will end after 30 s/);
      await fixture.run('stopTestBroadcast', id);
      const dismissed = await run(fixture, { task: 'testBroadcast', stream: id });
      assert.deepEqual(dismissed, [false, `The test broadcast to "${name}" wasn't started.`]);
    }),
  ).timeout(60_000);

  it(
    'says in the terminal why a test broadcast cannot start, and asks nothing',
    withCommands({ demo: { ...LIVING.demo, saysAddresses: false }, addresses: {} }, async (fixture) => {
      const stream = streamsOf(fixture).find(({ isActive }) => !isActive)?.id;
      const [hasSucceeded, text] = await run(fixture, { task: 'testBroadcast', stream });
      assert.deepEqual([hasSucceeded, /^No RTMP URL is configured/.test(text)], [false, true], text);
      const [, duration] = await run(fixture, { task: 'testBroadcast', stream, seconds: 1e9 });
      assert.equal(duration, 'Specify a duration from 1 to 14400 seconds.');
      assert.deepEqual([fixture.ui.seen.questions, fixture.ui.seen.said], [[], []]);
    }),
  );

  const refusals: readonly (readonly [what: string, definition: unknown, sentence: RegExp])[] = [
    [
      'another task',
      { task: 'delete', stream: 'a' },
      /^Set "task" to "check", "testBroadcast", or "listen" in tasks\.json\.$/,
    ],
    ['no stream', { task: 'check', stream: ' ' }, /^Set "stream" to the ID or name/],
    ['a stream that is none', { task: 'check', stream: 'Nobody' }, /^No stream has the ID or name "Nobody"\.$/],
    ['a path', { task: 'check', stream: '../session' }, /^No stream has the ID or name/],
    ['no definition', undefined, /^Set "task"/],
    ['odd values', { task: 'check', stream: { id: 'a' } }, /^Set "stream"/],
  ];
  for (const [what, definition, sentence] of refusals) {
    it(
      `says what is wrong with ${what}`,
      withCommands({}, async (fixture) => {
        const [hasSucceeded, text] = await run(fixture, definition);
        assert.equal(hasSucceeded, false);
        assert.match(text, sentence);
      }),
    );
  }

  it(
    'does not guess which of several streams of one name is meant',
    withCommands({}, async (fixture) => {
      for (const _ of [1, 2]) fixture.service.control.addStream({ name: 'Twin' });
      const [, text] = await run(fixture, { task: 'check', stream: 'Twin' });
      assert.equal(text, 'More than one stream is named "Twin". Use a stream ID instead.');
    }),
  );

  it(
    'finds its stream although one way of searching fails',
    withCommands({}, async (fixture) => {
      const { control } = fixture.service;
      const { id } = control.addStream({ name: 'OnlyOneStream' });
      const failing = (word: string) =>
        control.fault(({ path, query }) =>
          path.endsWith('/stream') && query.includes(word) ? { status: 403, body: '{}' } : undefined,
        );
      failing('playbackId');
      const [, byName] = await run(fixture, { task: 'check', stream: 'OnlyOneStream' });
      assert.match(byName, /^Check results for "OnlyOneStream"/);
      failing('filters');
      const [, byId] = await run(fixture, { task: 'check', stream: id });
      assert.match(byId, /^Check results for "OnlyOneStream"/);
      control.fault(() => ({ status: 403, body: '{}' }));
      const [, none] = await run(fixture, { task: 'check', stream: 'OnlyOneStream' });
      assert.match(none, /doesn't have permission/);
    }),
  );

  it(
    'sends nothing in Restricted Mode, without a connection, or once it was ended',
    withCommands({}, async (fixture) => {
      const before = fixture.requests().length;
      const given = { task: 'check', stream: streamsOf(fixture)[0]?.id };
      const [isTrusted, restricted] = await run(fixture, given, { isTrusted: false });
      assert.deepEqual(
        [isTrusted, restricted],
        [false, "Tasks don't run in Restricted Mode. Trust the workspace first."],
      );
      assert.deepEqual(await run(fixture, given, { signal: AbortSignal.abort() }), [false, '']);
      fixture.context.connection.close();
      assert.deepEqual(await run(fixture, given), [false, 'Connect to a service first.']);
      assert.equal(fixture.requests().length, before);
    }),
  );

  it(
    'says why the service failed',
    withCommands({}, async (fixture) => {
      fixture.service.control.fault(() => ({ status: 401 }));
      const [, text] = await run(fixture, { task: 'check', stream: 'Keynote' });
      assert.equal(text, 'The API key was rejected.');
    }),
  );
});

describe('A task that starts a test broadcast', () => {
  const idleOf = (fixture: Fixture) =>
    streamsOf(fixture).find(({ isActive, suspended }) => !isActive && !suspended) ?? assert.fail('No stream is idle');

  it(
    'asks each time, whatever an earlier version stored, and for a live stream, too',
    withCommands({ ...LIVING, answers: { confirms: [true] } }, async (fixture) => {
      const { context, ui, service } = fixture;
      await context.workspace.set('broadcastTasks', [`${context.connection.info?.id} file:///work/keynote`]);
      const { id } = idleOf(fixture);
      const [isStarted] = await run(fixture, { task: 'testBroadcast', stream: id, seconds: 30 });
      assert.deepEqual([isStarted, ui.seen.questions.length], [true, 1]);
      await fixture.run('stopTestBroadcast', id);
      await waitUntil(() => service.control.streams().every((each) => each.id !== id || !each.isActive));
      const [isStartedAgain] = await run(fixture, { task: 'testBroadcast', stream: id, seconds: 30 });
      assert.deepEqual([isStartedAgain, ui.seen.questions.length], [false, 2]);
      const live = streamsOf(fixture).find(({ isActive }) => isActive)?.id;
      await run(fixture, { task: 'testBroadcast', stream: live });
      assert.equal(ui.seen.questions.length, 3);
      assert.match(ui.seen.questions.at(-1)?.detail ?? '', /already live/);
    }),
  ).timeout(60_000);

  it(
    'is not started if another connection is opened while it asks',
    withCommands(LIVING, async (fixture) => {
      const { context } = fixture;
      const confirm = async () => {
        context.connection.close();
        return true;
      };
      Object.assign(context, { ui: { ...fixture.ui, confirm } });
      const result = await run(fixture, { task: 'testBroadcast', stream: idleOf(fixture).id });
      assert.deepEqual([result, context.testBroadcasts.running], [[false, ''], []]);
    }),
  );

  it(
    'fails with a sentence if another connection is opened while it waits for the stream to go live',
    withCommands({ ...LIVING, answers: { confirms: [true] } }, async (fixture) => {
      const { context, service } = fixture;
      const { id } = idleOf(fixture);
      const start: TestBroadcasts['start'] = async ({ source }) => {
        source.dispose();
        openNextWhileWaiting(fixture, id);
        service.control.clearRequests();
        return true;
      };
      Object.assign(context.testBroadcasts, { start });
      const result = await run(fixture, { task: 'testBroadcast', stream: id });
      assert.deepEqual(result, [false, 'The command was canceled because you switched connections.']);
      assert.equal(service.control.requests.filter(({ path }) => path.endsWith(`/stream/${id}`)).length, 1);
    }),
  );
});
