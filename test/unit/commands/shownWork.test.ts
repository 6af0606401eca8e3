import assert from 'node:assert/strict';
import { runShown, workingView, workText } from '../../../src/commands/shownWork.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** Returns which views showed that a command works, at each request that a run sends. */
async function workAtRequests({ service, work }: Fixture, run: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = [];
  service.control.fault(() => {
    seen.push(work.join());
    return undefined;
  });
  await run();
  return seen;
}

const target = { name: 'YouTube', url: 'rtmp://127.0.0.1:1935/live/secret' };

const CHANGES: readonly (readonly [command: string, args?: Readonly<Record<string, unknown>>])[] = [
  ['createStream', { name: 'Opening', record: false }],
  ['renameStream', { name: 'Next' }],
  ['editTags', { tags: { event: 'Summit' } }],
  ['editRenditions', { profiles: [{ name: '240p', width: 426, height: 240, bitrate: 250_000, fps: 0 }] }],
  ['setPlaybackPolicy', { type: 'public', allowedOrigins: ['https://a.example'] }],
  ['addMultistreamTarget', target],
  ['turnRecordingOn'],
  ['suspendStream'],
  ['resumeStream'],
  ['deleteStream'],
  ['createSigningKey', { name: 'Website' }],
];

describe('A command', () => {
  for (const [command, args] of CHANGES) {
    it(
      `shows that it works while it waits for the service: ${command}`,
      withCommands({ answers: { confirms: [true] } }, async (fixture) => {
        const stream = fixture.service.control.addStream({ name: 'Stage', record: false });
        const given = command.startsWith('create') ? args : { id: stream.id, ...args };
        const seen = await workAtRequests(fixture, () => fixture.run(command, given));
        assert.ok(seen.length > 0, JSON.stringify(fixture.ui.seen.said));
        assert.deepEqual([...new Set(seen)], ['streams']);
        assert.deepEqual([fixture.work, fixture.ui.seen.said.filter(({ severity }) => severity === 'error')], [[], []]);
      }),
    );
  }

  it('shows it in the view that it is about', () => {
    const commands = [
      'createWebhook',
      'resendDelivery',
      'sendTestEvent',
      'createStream',
      'startTestBroadcast',
    ] as const;
    assert.deepEqual(commands.map(workingView), ['webhooks', 'webhooks', 'webhooks', 'streams', 'streams']);
  });

  it('leaves it to its page, and to the Status Bar, where it opens one', () => {
    assert.deepEqual(
      (['checkStream', 'watchStream', 'showStream'] as const).map(workingView),
      Array(3).fill(undefined),
    );
  });

  it('is named by what it does, or by its title', () => {
    assert.equal(workText('createStream', 'Create Stream'), 'Creating stream…');
    assert.equal(workText('retry', 'Retry'), 'Loading…');
    assert.equal(workText('suspendStream', 'Suspend Stream'), 'Suspend Stream…');
  });

  it('shows nothing while it asks the user or shows its own progress', async () => {
    const seen: string[] = [];
    let read = () => '';
    const note = async <A>(what: string, answer: A): Promise<A> => {
      seen.push(`${what}: ${read()}`);
      return answer;
    };
    const ui = {
      input: () => note('input', 'Opening'),
      pick: async () => note('pick', undefined),
      confirm: () => note('confirm', true),
      progress: () => note('progress', []),
    } as unknown as Partial<Fixture['ui']>;
    await withCommands({ ui }, async ({ run, work, context }) => {
      read = () => work.join();
      await run('createStream');
      const ids = [...context.store.snapshot.streams.keys()].slice(0, 2).map((id) => ({ id }));
      await run('deleteStream', ids[0], ids);
      assert.deepEqual(seen, ['input: ', 'pick: ', 'confirm: ', 'progress: ']);
      assert.deepEqual(work, []);
    })();
  });

  it(
    'shows nothing anymore once it has failed, and leaves it to a command that it runs to show that it works',
    withCommands({}, async (fixture) => {
      const { run, work, context, service } = fixture;
      service.control.fault(() => ({ status: 500, body: '{}' }));
      await run('createStream', { name: 'Opening', record: false });
      assert.deepEqual(work, []);
      const seen: string[] = [];
      const note = async (): Promise<void> => void seen.push(work.join());
      const runCommand = note;
      await runShown(
        { ...context, runCommand },
        () => context.showWork('createStream'),
        async (own) => {
          await note();
          await own.runCommand('retry');
          await note();
        },
      );
      assert.deepEqual([seen, work], [['streams', '', 'streams'], []]);
    }),
  );
});

describe('A command that has said what it did', () => {
  it('shows no longer that it works, although it still shows the result', async () => {
    const seen: string[] = [];
    let read = () => '';
    const ui = { reveal: async () => void seen.push(read()) };
    await withCommands({ ui }, async ({ run, work, ui: { seen: shown } }) => {
      read = () => `${shown.flashes.join()} ${work.join()}`;
      await run('createStream', { name: 'Opening', record: false });
      assert.deepEqual(seen, ['Created "Opening" ']);
    })();
  });
});

describe('Creating a stream twice by mistake', () => {
  it(
    'sends one request, says why, and makes others meanwhile',
    withCommands({}, async (fixture) => {
      const { run, ui, service } = fixture;
      const create = (name: string) => run('createStream', { name, record: false });
      await Promise.all([create('Opening'), create('Opening'), create('Closing')]);
      const made = () => service.control.streams().filter(({ name }) => name === 'Opening').length;
      assert.equal(made(), 1);
      assert.equal(service.control.streams().filter(({ name }) => name === 'Closing').length, 1);
      assert.deepEqual(ui.seen.messages, ['"Opening" is already being created.']);
      await create('Opening');
      assert.equal(made(), 2, 'later, a second one with the name is wanted');
    }),
  );
});
