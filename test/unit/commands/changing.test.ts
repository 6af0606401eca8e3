import assert from 'node:assert/strict';
import type { CommandId } from '../../../src/commands/table.ts';
import type { DemoStream } from '../../../src/demo/demoState.ts';
import { changesOf } from '../../../src/model/account/accountChanges.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import type { ConnectionInfo } from '../../../src/model/store/snapshot.ts';
import type { Ui } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const HURRIED = { isHurried: true } as const;

function rowOf({ id }: { readonly id: string }): Node {
  return { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id };
}

/** Streams with these names that the store knows. */
async function streamsNamed({ service, context }: Fixture, names: readonly string[], fields: Partial<DemoStream> = {}) {
  const made = names.map((name) => service.control.addStream({ name, ...fields }));
  await context.loader.refreshActive();
  await context.loader.reloadList('idle');
  service.control.clearRequests();
  return made;
}

async function streamNamed(fixture: Fixture, name: string, fields: Partial<DemoStream> = {}): Promise<DemoStream> {
  const [stream] = await streamsNamed(fixture, [name], fields);
  assert.ok(stream);
  return stream;
}

/** Changes that reached the service, without the base path. */
function changes({ requests }: Fixture): readonly string[] {
  return requests()
    .filter((request) => !request.startsWith('GET '))
    .map((request) => request.replace('/api/stream', ''));
}

function running({ context }: Fixture): readonly string[] {
  return [...context.store.snapshot.operations.values()];
}

const demoStream = ({ service }: Fixture, id: string) => service.control.streams().find((each) => each.id === id);

describe('Changing one stream', () => {
  it(
    'turns recording on and off, and reads the stream back',
    withCommands({}, async (fixture) => {
      const { run, ui, context, requests } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      await run('turnRecordingOn', rowOf(stream), [rowOf(stream)]);
      assert.deepEqual(requests(), [`PATCH /api/stream/${stream.id}`, `GET /api/stream/${stream.id}`]);
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.record, true);
      await run('turnRecordingOff', stream.id);
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.record, false);
      assert.deepEqual(ui.seen.flashes, ['Turned on recording for "Keynote"', 'Turned off recording for "Keynote"']);
      assert.deepEqual([ui.seen.questions, ui.seen.said, running(fixture)], [[], [], []]);
    }),
  );

  it(
    'says in its row what is being done, until it is read back',
    withCommands({}, async (fixture) => {
      const { run, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      const seen: unknown[] = [];
      service.control.fault(({ method }) => {
        seen.push([method, context.store.snapshot.operations.get(stream.id)]);
        return undefined;
      });
      await run('suspendStream', { id: stream.id });
      assert.deepEqual(seen, [
        ['PATCH', 'suspending'],
        ['GET', 'suspending'],
      ]);
      assert.deepEqual(running(fixture), []);
    }),
  );

  it(
    'does not ask the service to change the recording of a stream that is live',
    withCommands({}, async (fixture) => {
      const { run, ui, requests } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      await run('turnRecordingOn', rowOf(stream));
      assert.deepEqual(requests(), []);
      await run('turnRecordingOff', rowOf(stream));
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'info',
          message: '"Keynote" is live. You can turn recording on or off after the broadcast ends.',
          actions: [],
        },
        { severity: 'info', message: 'Recording is already off for "Keynote".', actions: [] },
      ]);
    }),
  );

  it(
    'says the same when it is the service that knows better',
    withCommands({}, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.startBroadcast(stream.id);
      await run('turnRecordingOn', rowOf(stream));
      assert.deepEqual(changes(fixture), [`PATCH /${stream.id}`]);
      assert.equal(
        ui.seen.said[0]?.message,
        '"Keynote" is live. You can turn recording on or off after the broadcast ends.',
      );
    }),
  );

  it(
    'looks at the live streams first when the last look is old',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.startBroadcast(stream.id);
      const { now } = context.clock;
      await run('suspendStream', rowOf(stream));
      assert.equal(ui.seen.questions.length, 0, 'what was seen a moment ago is believed');
      service.control.setStream(stream.id, { suspended: false });
      const old = { ...context, clock: { ...context.clock, now: () => now() + 31_000 } };
      const { suspendStream } = await import('../../../src/commands/changes/changeCommands.ts');
      service.control.startBroadcast(stream.id);
      await suspendStream(old, rowOf(stream));
      assert.equal(ui.seen.questions[0]?.message, 'Suspend "Keynote"?');
    }),
  );

  it(
    'asks before it suspends a live stream, and not before it suspends an idle one or resumes',
    withCommands({}, async (fixture) => {
      const { run, ui } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      await run('suspendStream', rowOf(stream));
      assert.deepEqual(ui.seen.questions, [
        {
          message: 'Suspend "Keynote"?',
          detail:
            "This stream is live. Its broadcast will end.\nThe stream won't accept broadcasts until you resume it.",
          act: 'Suspend',
        },
      ]);
      assert.deepEqual(changes(fixture), [], 'dismissed');
      const [other] = await streamsNamed(fixture, ['Other']);
      await run('suspendStream', other?.id);
      await run('resumeStream', other?.id);
      assert.equal(ui.seen.questions.length, 1);
      assert.deepEqual(changes(fixture), [`PATCH /${other?.id}`, `PATCH /${other?.id}`]);
      assert.deepEqual(ui.seen.flashes, ['Suspended "Other"', 'Resumed "Other"']);
    }),
  );

  it(
    'deletes after asking, and says that recordings stay; the row goes',
    withCommands({ answers: { confirms: [false, true] } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      await run('deleteStream', rowOf(stream), [rowOf(stream)]);
      assert.deepEqual(changes(fixture), []);
      await run('deleteStream', rowOf(stream), [rowOf(stream)]);
      assert.deepEqual(ui.seen.questions[1], {
        message: 'Delete "Keynote"?',
        detail:
          "This stream is live. Its broadcast will end.\nIts stream key and playback ID will stop working. Past sessions and recordings are kept. You can't undo this.",
        act: 'Delete',
      });
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}`]);
      assert.equal(context.store.snapshot.streams.has(stream.id), false);
      assert.deepEqual([ui.seen.flashes, ui.seen.said], [['Deleted "Keynote"'], []]);
    }),
  );

  it(
    'names the connection in questions and messages when there are several',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      context.store.setConnectionCount(2);
      await run('endBroadcast', rowOf(stream));
      assert.deepEqual(ui.seen.questions, [
        {
          message: 'End the broadcast of "Keynote" (Production)?',
          detail: 'The encoder may reconnect immediately. To prevent this, suspend the stream.',
          act: 'End Broadcast',
        },
      ]);
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}/terminate`]);
      assert.deepEqual(ui.seen.flashes, ['Ended the broadcast of "Keynote" (Production)']);
      assert.equal(demoStream(fixture, stream.id)?.isActive, false);
    }),
  );

  it(
    'asks the service before it says that a stream is not live',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      await run('endBroadcast', stream.id);
      assert.deepEqual([changes(fixture), ui.seen.said[0]?.message], [[], '"Keynote" isn\'t live.']);
      service.control.startBroadcast(stream.id);
      await run('endBroadcast', stream.id);
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}/terminate`]);
    }),
  );

  it(
    'reads a suspended stream again, ends what is still broadcast to it, and gives no advice to suspend it',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const ended = await streamNamed(fixture, 'Keynote', { isActive: true, suspended: true });
      service.control.endBroadcast(ended.id);
      await run('endBroadcast', ended.id);
      assert.deepEqual([changes(fixture), ui.seen.messages], [[], ['"Keynote" isn\'t live.']]);
      const live = await streamNamed(fixture, 'Talk', { isActive: true, suspended: true });
      await run('endBroadcast', live.id);
      assert.deepEqual(ui.seen.questions, [{ message: 'End the broadcast of "Talk"?', act: 'End Broadcast' }]);
      assert.deepEqual(changes(fixture), [`DELETE /${live.id}/terminate`]);
    }),
  );

  it(
    'renames; the box holds the name it has, and takes no empty, blank or endless one',
    withCommands({ answers: { inputs: ['', '  ', 'x'.repeat(10_000), ' New name '] } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const stream = await streamNamed(fixture, 'Old name');
      await run('renameStream', rowOf(stream));
      assert.equal(ui.seen.inputs[0]?.value, 'Old name');
      assert.equal(ui.seen.inputs[0]?.warn?.('old name'), undefined, 'its own');
      assert.match(ui.seen.inputs[0]?.warn?.('keynote') ?? '', /^A stream named "Keynote" already exists\./);
      assert.deepEqual(ui.seen.corrections, [
        'Enter a name.',
        'Enter a name.',
        'Enter a name of up to 500 characters.',
      ]);
      assert.deepEqual(changes(fixture), [`PATCH /${stream.id}`]);
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.name, 'New name');
      assert.deepEqual(ui.seen.flashes, ['Renamed the stream to "New name"']);
    }),
  );

  it(
    'takes the new name as an argument, allows one that another stream has, and asks nothing for the same again',
    withCommands({}, async (fixture) => {
      const { run, ui } = fixture;
      const [one, other] = await streamsNamed(fixture, ['One', 'Other']);
      await run('renameStream', { id: one?.id, name: 'Other' });
      await run('renameStream', other?.id, 'One');
      await run('renameStream', other?.id, 'One');
      await run('renameStream', other?.id, '  ');
      assert.deepEqual(changes(fixture), [`PATCH /${one?.id}`, `PATCH /${other?.id}`]);
      assert.deepEqual(ui.seen.messages, ['Enter a name.']);
    }),
  );

  it(
    'says that a stream is gone, and takes its row away',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.deleteStream(stream.id);
      await run('deleteStream', rowOf(stream));
      assert.equal(ui.seen.said[0]?.message, '"Keynote" no longer exists.');
      assert.equal(context.store.snapshot.streams.has(stream.id), false);
      assert.equal(context.store.snapshot.abilities.delete, true);
    }),
  );

  it(
    'tells a change that the service does not offer from a stream that is gone',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(({ method }) => (method === 'GET' ? undefined : { status: 405 }));
      const { host } = new URL(service.baseUrl);
      await run('deleteStream', rowOf(stream));
      await run('renameStream', stream.id, 'New');
      await run('suspendStream', stream.id);
      await run('turnRecordingOn', stream.id);
      assert.deepEqual(ui.seen.messages, [
        `${host} doesn't support deleting streams.`,
        `${host} doesn't support renaming streams.`,
        `${host} doesn't support suspending streams.`,
        `${host} doesn't support turning recording on or off.`,
      ]);
      assert.ok(context.store.snapshot.streams.has(stream.id));
      const { abilities } = context.store.snapshot;
      assert.deepEqual([abilities.delete, abilities.patch, abilities.suspend], [false, false, false]);
      await run('refresh');
      assert.equal(context.store.snapshot.abilities.delete, true);
    }),
  );

  it(
    'does not touch the stream of a session that was chosen, nor a deprecated child stream',
    withCommands({ answers: { confirms: [true, true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      const session: Node = { kind: 'session', id: 'x', list: 'idle', streamId: stream.id, sessionId: 'session1' };
      await run('deleteStream', session, [session]);
      const child = service.control.addStream({ name: 'Child', parentId: stream.id });
      await run('deleteStream', child.id);
      assert.deepEqual([changes(fixture), ui.seen.questions], [[], []]);
      assert.deepEqual(ui.seen.messages, [
        'Select a stream first.',
        '"Child" is a deprecated child stream. You can\'t change deprecated child streams.',
      ]);
    }),
  );

  it(
    'is not asked for while another change of the stream is under way',
    withCommands({ answers: { confirms: [true, true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      const held = Promise.withResolvers<undefined>();
      service.control.fault(({ method }) => (method === 'DELETE' ? held.promise : undefined));
      const first = run('deleteStream', stream.id);
      while (changes(fixture).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await run('deleteStream', stream.id);
      assert.match(ui.seen.said[0]?.message ?? '', /^"Keynote" is being changed\./);
      held.resolve(undefined);
      await first;
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}`]);
      assert.deepEqual(ui.seen.flashes, ['Deleted "Keynote"']);
    }),
  );
});

describe('A change whose answer is lost or a 5xx', () => {
  it(
    'is done when the stream that was read back shows the change, or a deleted stream is a 404',
    withCommands({ ...HURRIED, answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(({ method }) => {
        if (method !== 'DELETE') return undefined;
        service.control.deleteStream(stream.id);
        return 'reset';
      });
      await run('deleteStream', rowOf(stream));
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}`]);
      const [said] = ui.seen.said;
      assert.equal(said?.severity, 'info');
      assert.match(
        said?.message ?? '',
        /^Lost the connection to .* However, the change was applied: Deleted "Keynote"\.$/,
      );
      assert.equal(context.store.snapshot.streams.has(stream.id), false);
    }),
  );

  it(
    'may have happened when the stream does not show it, and is not sent a second time',
    withCommands(HURRIED, async (fixture) => {
      const { run, ui, service, requests, log } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(({ method }) => (method === 'GET' ? undefined : { status: 500, body: '<html>' }));
      await run('renameStream', stream.id, 'New');
      assert.deepEqual(changes(fixture), [`PATCH /${stream.id}`]);
      assert.equal(requests().filter((request) => request === `GET /api/stream/${stream.id}`).length, 3);
      const [said] = ui.seen.said;
      assert.equal(said?.severity, 'error');
      assert.match(said?.message ?? '', /unavailable \(500\)\. The change to "Keynote" may still have been applied\./);
      assert.deepEqual(said?.actions, ['Refresh', 'Show Log']);
      assert.match(log.lines.join('\n'), /renaming .* failed \(unavailable\)/);
    }),
  );

  it(
    'may have happened, and leads back to the name that was typed',
    withCommands({ ...HURRIED, answers: { inputs: ['New', 'Newer'], presses: ['Edit…'] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      let isDown = true;
      service.control.fault(({ method }) => (isDown && method === 'PATCH' ? { status: 503 } : undefined));
      const asked = ui.input;
      ui.input = (options) => {
        isDown = ui.seen.inputs.length === 0;
        return asked(options);
      };
      await run('renameStream', stream.id);
      await waitUntil(() => ui.seen.flashes.includes('Renamed the stream to "Newer"'));
      const [said] = ui.seen.said;
      assert.match(said?.message ?? '', /unavailable \(503\)\. The change to "Keynote" may still have been applied\./);
      assert.deepEqual(said?.actions, ['Refresh', 'Edit…', 'Show Log']);
      const [first, second] = ui.seen.inputs;
      assert.deepEqual([first?.value, second?.value], ['Keynote', 'New']);
      assert.equal(second?.problem?.sentence, said?.message);
    }),
  );

  it(
    'may have happened when it cannot be read back',
    withCommands({ ...HURRIED, answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(() => ({ status: 500 }));
      await run('deleteStream', stream.id);
      assert.deepEqual(changes(fixture), [`DELETE /${stream.id}`]);
      assert.match(ui.seen.said[0]?.message ?? '', /The change to "Keynote" may still have been applied/);
      assert.ok(context.store.snapshot.streams.has(stream.id));
      assert.deepEqual(running(fixture), []);
    }),
  );

  it(
    'is plainly not made when the service refused it, with another try on offer',
    withCommands({}, async (fixture) => {
      const { run, ui, service, requests } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(() => ({ status: 403, body: '{"errors":["no"]}' }));
      await run('renameStream', stream.id, 'New');
      assert.deepEqual(requests(), [`PATCH /api/stream/${stream.id}`]);
      assert.doesNotMatch(ui.seen.said[0]?.message ?? '', /all the same/);
    }),
  );

  it(
    'is believed when the service says it is done, though a replica still shows the stream',
    withCommands({ ...HURRIED, answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context, requests } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      service.control.fault(({ method }) => (method === 'DELETE' ? { status: 204 } : undefined));
      await run('deleteStream', stream.id);
      assert.equal(requests().length, 1 + 3);
      assert.deepEqual(ui.seen.flashes, ['Deleted "Keynote"']);
      assert.equal(context.store.snapshot.streams.has(stream.id), false);
    }),
  );

  it(
    'does not let a replica’s old answer outweigh a list that knows better',
    withCommands(HURRIED, async (fixture) => {
      const { run, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Old', { isActive: true });
      const old = JSON.stringify(demoStream(fixture, stream.id));
      service.control.fault(({ method, path }) =>
        method === 'GET' && path.endsWith(stream.id) ? { status: 200, body: old } : undefined,
      );
      await run('renameStream', stream.id, 'New');
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.name, 'Old');
      await context.loader.refreshActive();
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.name, 'New');
    }),
  );
});

describe('Ending a broadcast twice', () => {
  it('waits until 5 s have passed, and says so', async () => {
    const clock = heldClock();
    const titles: string[] = [];
    const progress: Ui['progress'] = (title, task) => {
      titles.push(title);
      return Promise.all([task(() => {}, new AbortController().signal), clock.advance(5000)]).then(([done]) => done);
    };
    const options = { ...HURRIED, demo: { clock }, ui: { progress }, answers: { confirms: [true, true] } };
    await withCommands(options, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      await run('endBroadcast', stream.id);
      service.control.startBroadcast(stream.id);
      await fixture.context.loader.refreshActive();
      await run('endBroadcast', stream.id);
      assert.equal(titles.length, 1);
      assert.match(
        titles[0] ?? '',
        /^Waiting [1-5] s to end the broadcast of "Keynote", because the previous one just ended$/,
      );
      assert.deepEqual(changes(fixture), Array(2).fill(`DELETE /${stream.id}/terminate`));
      assert.deepEqual([ui.seen.said, ui.seen.flashes.length], [[], 2]);
    })();
  });

  it('is not waited for where the service refused the first try', async () => {
    const titles: string[] = [];
    const progress: Ui['progress'] = (title, task) => {
      titles.push(title);
      return task(() => {}, new AbortController().signal);
    };
    await withCommands({ ui: { progress }, answers: { confirms: [true, true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      service.control.fault(({ method }) => (method === 'DELETE' ? { status: 403, body: '{}' } : undefined));
      await run('endBroadcast', stream.id);
      assert.equal(ui.seen.said.length, 1);
      service.control.fault(() => undefined);
      await run('endBroadcast', stream.id);
      assert.deepEqual([titles, ui.seen.flashes.length], [[], 1]);
    })();
  });

  it(
    'asks nobody when the wait is cancelled',
    withCommands(
      {
        answers: { confirms: [true, true] },
        ui: { progress: (_title, task) => task(() => {}, AbortSignal.abort()) },
      },
      async (fixture) => {
        const { run, ui, service, context } = fixture;
        const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
        await run('endBroadcast', stream.id);
        service.control.startBroadcast(stream.id);
        await context.loader.refreshActive();
        await run('endBroadcast', stream.id);
        assert.deepEqual(changes(fixture), [`DELETE /${stream.id}/terminate`]);
        assert.deepEqual([ui.seen.said, running(fixture)], [[], []]);
      },
    ),
  );

  it(
    'says when, where it is the service that will not, and does not try by itself',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: true });
      service.control.fault(({ method }) =>
        method === 'DELETE' ? { status: 429, headers: { 'retry-after': '4' } } : undefined,
      );
      await run('endBroadcast', stream.id);
      assert.equal(changes(fixture).length, 1);
      assert.match(ui.seen.said[0]?.message ?? '', /^End Broadcast: Too many requests\. Try again in [1-4] s\.$/);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Retry', 'Show Log']);
    }),
  );

  const tries: readonly [CommandId, Partial<DemoStream>, ...(readonly string[])][] = [
    ['renameStream', {}, 'Opening'],
    ['turnRecordingOn', {}],
    ['turnRecordingOff', { record: true }],
    ['suspendStream', {}],
    ['resumeStream', { suspended: true }],
    ['endBroadcast', { isActive: true }],
    ['deleteStream', {}],
  ];
  for (const [command, fields, ...rest] of tries) {
    it(
      `sends the same change to the same stream when it is tried again: ${command}`,
      withCommands({ isHurried: true }, async (fixture) => {
        const { run, ui, service, context } = fixture;
        const stream = await streamNamed(fixture, 'Keynote', fields);
        service.control.fault(({ method }) => (method === 'GET' ? undefined : { status: 429 }));
        const notify: Ui['notify'] = async (_severity, message) => {
          assert.equal(message, `${context.commandTitle(command)}: Too many requests.`);
          service.control.fault(() => undefined);
          return 'Retry';
        };
        Object.assign(ui, { notify, confirm: async () => true });
        await run(command, stream.id, ...rest);
        await waitUntil(async () => ui.seen.flashes.length > 0);
        const [first, second, ...more] = changes(fixture);
        assert.ok(first?.includes(stream.id));
        assert.deepEqual([second, more], [first, []]);
        assert.deepEqual(ui.seen.picks, []);
        if (command === 'renameStream') assert.equal(demoStream(fixture, stream.id)?.name, 'Opening');
      }),
    );
  }
});

/** As `withCommands`, with a service that was found to delete streams one by one. */
const oneByOne: typeof withCommands = (options, test) =>
  withCommands(options, async (fixture) => {
    const { context, service } = fixture;
    service.control.fault(() => ({ status: 405 }));
    await changesOf(context.connection.account).deleteTogether(['none']);
    service.control.fault(undefined);
    service.control.clearRequests();
    await test(fixture);
  });

describe('Changing several streams', () => {
  const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];

  it(
    'asks once, with the count, how many are live, and the first five names',
    oneByOne({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const streams = await streamsNamed(fixture, NAMES);
      const live = await streamNamed(fixture, 'Live', { isActive: true });
      context.store.setConnectionCount(2);
      const rows = [...streams, live].map(rowOf);
      // A stream can be two rows.
      await run('deleteStream', rows[0], [...rows, { ...rowOf(live), id: `active/${live.id}`, list: 'active' }]);
      assert.deepEqual(ui.seen.questions, [
        {
          message: 'Delete 7 streams (Production)?',
          detail:
            'One of them is live. Its broadcast will end.\n"A", "B", "C", "D", "E", and 2 more\n' +
            "Their stream keys and playback IDs will stop working. Past sessions and recordings are kept. You can't undo this.",
          act: 'Delete',
        },
      ]);
      assert.deepEqual(
        changes(fixture),
        [...streams, live].map(({ id }) => `DELETE /${id}`),
      );
      assert.deepEqual([ui.seen.flashes, ui.seen.said], [['Deleted 7 streams (Production)'], []]);
      assert.ok([...streams, live].every(({ id }) => !context.store.snapshot.streams.has(id)));
    }),
  );

  it(
    'goes on after a failure, deletes nothing twice, and sums up exactly once',
    oneByOne({ ...HURRIED, answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const streams = await streamsNamed(fixture, NAMES);
      const [a, b, c, d, e, f] = streams.map(({ id }) => id);
      service.control.fault(({ method, path }) => {
        const id = path.split('/').at(-1);
        if (method !== 'DELETE') return undefined;
        if (id === b || id === e) return { status: 503 };
        if (id === d) return { status: 403, body: '{"errors":["not yours"]}' };
        if (id !== c) return undefined;
        service.control.deleteStream(id ?? '');
        return { status: 500 };
      });
      await run('deleteStream', undefined, streams.map(rowOf));
      assert.deepEqual(
        changes(fixture),
        [a, b, c, d, e, f].map((id) => `DELETE /${id}`),
      );
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'warning',
          message:
            `Deleted 3 of 6 streams. "B", "E": ${host} is unavailable (503). The change may still have been applied. Refresh to check. ` +
            `"D": ${host} rejected the request: "not yours."`,
          actions: ['Refresh', 'Show Log'],
        },
      ]);
      const left = service.control.streams().filter(({ name }) => NAMES.includes(name));
      assert.deepEqual(left.map(({ name }) => name).sort(), ['B', 'D', 'E']);
      assert.deepEqual(running(fixture), []);
    }),
  );

  it(
    'names those that are live where recording was to be changed, and those that are gone',
    oneByOne({}, async (fixture) => {
      const { run, ui, service } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B']);
      const live = await streamNamed(fixture, 'Live', { isActive: true });
      service.control.deleteStream(streams[1]?.id ?? '');
      await run('turnRecordingOn', undefined, [...streams, live].map(rowOf));
      assert.deepEqual(changes(fixture).length, 2);
      assert.equal(
        ui.seen.said[0]?.message,
        'Turned on recording for 1 of 3 streams. "B": Already deleted. "Live": You can\'t turn recording on or off while a stream is live.',
      );
    }),
  );

  it(
    'leaves alone what went live after it was asked for, and says so',
    oneByOne({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service } = fixture;
      for (const [command, done] of [
        ['suspendStream', 'Suspended'],
        ['deleteStream', 'Deleted'],
      ] as const) {
        const [first, second, third] = await streamsNamed(fixture, ['A', 'B', 'C']);
        assert.ok(first && second && third);
        service.control.fault(({ method, path }) => {
          // While the first is changed, the second goes live.
          if (method !== 'GET' && path.endsWith(first.id)) service.control.startBroadcast(second.id);
          return undefined;
        });
        await run(command, undefined, [first, second, third].map(rowOf));
        service.control.fault(undefined);
        assert.deepEqual(
          changes(fixture).map((change) => change.split('/').at(-1)),
          [first.id, third.id],
        );
        assert.equal(demoStream(fixture, second.id)?.isActive, true);
        assert.equal(ui.seen.said.at(-1)?.message, `${done} 2 of 3 streams. "B": Not changed because it went live.`);
      }
      assert.equal(ui.seen.questions.length, 1, 'suspending idle streams asks nothing');
    }),
  );

  it(
    'asks before it suspends several of which one is live, and includes the live one',
    oneByOne({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui } = fixture;
      const [idle] = await streamsNamed(fixture, ['A']);
      const live = await streamNamed(fixture, 'Live', { isActive: true });
      assert.ok(idle);
      await run('suspendStream', undefined, [idle, live].map(rowOf));
      assert.match(ui.seen.questions[0]?.detail ?? '', /One of them is live/);
      assert.equal(changes(fixture).length, 2);
    }),
  );

  it('changes only what the question named, though more could be changed by the time it is answered', async () => {
    let end = (): void => {};
    const confirm: Ui['confirm'] = async () => {
      end();
      return true;
    };
    await oneByOne({ ui: { confirm } }, async (fixture) => {
      const { run, ui, context } = fixture;
      const [first, second] = await streamsNamed(fixture, ['A', 'B']);
      assert.ok(first && second);
      const busy = context.connection.account.writer.beginOperation(second.id, 'renaming');
      end = () => busy.dispose();
      await run('deleteStream', undefined, [first, second].map(rowOf));
      assert.deepEqual(changes(fixture), [`DELETE /${first.id}`]);
      assert.equal(ui.seen.said[0]?.message, 'Deleted 1 of 2 streams. "B": Another change is in progress.');
    })();
  });

  it('begins nothing more once it is cancelled, and says what was not begun', async () => {
    const cancelling = new AbortController();
    const progress: Ui['progress'] = (_title, task) => task(() => {}, cancelling.signal);
    await oneByOne({ answers: { confirms: [true] }, ui: { progress } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
      service.control.fault(({ method, path }) => {
        if (method === 'DELETE' && path.endsWith(streams[1]?.id ?? '')) cancelling.abort();
        return undefined;
      });
      await run('deleteStream', undefined, streams.map(rowOf));
      assert.equal(changes(fixture).length, 2);
      assert.deepEqual(fieldsOf(ui.seen.said, 'severity', 'message'), [
        ['info', 'Deleted 2 of 3 streams. "C": Not started.'],
      ]);
    })();
  });

  it(
    'stops where the rest would be answered the same: not offered, key refused',
    oneByOne({ answers: { confirms: [true, true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
      const { host } = new URL(service.baseUrl);
      const expected: readonly (readonly [number, string])[] = [
        [405, `"A": ${host} doesn't support deleting streams. "B", "C": Not started.`],
        [401, '"A": The API key was rejected. "B", "C": Not started.'],
      ];
      for (const [status, words] of expected) {
        service.control.clearRequests();
        service.control.fault(({ method }) => (method === 'DELETE' ? { status } : undefined));
        await run('deleteStream', undefined, streams.map(rowOf));
        assert.equal(changes(fixture).length, 1);
        assert.equal(ui.seen.said.at(-1)?.message, `Deleted 0 of 3 streams. ${words}`);
      }
      assert.deepEqual(ui.seen.said.at(-1)?.actions, ['Set API Key…', 'Show Log']);
      assert.equal(context.store.snapshot.connection.kind, 'refused');
    }),
  );

  describe('too many requests', () => {
    /** Answers the first changes of a stream so, as a gateway does before the service hears of them. */
    const refuse = (fixture: Fixture, id: string | undefined, times: number, headers: Record<string, string>) => {
      let left = times;
      fixture.service.control.fault(({ method, path }) => {
        const isMeant = method === 'DELETE' && path.endsWith(id ?? '') && left > 0;
        if (!isMeant) return undefined;
        left -= 1;
        return { status: 429, headers };
      });
    };
    const told: string[] = [];
    const progress: Ui['progress'] = (_title, task) =>
      task((message) => told.push(message), new AbortController().signal);
    const options = (confirms = [true]) => ({ isHurried: true, answers: { confirms }, ui: { progress } });

    it(
      'waits as long as told, says so, and goes on with the refused stream and the rest',
      oneByOne(options(), async (fixture) => {
        told.splice(0);
        const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
        refuse(fixture, streams[1]?.id, 1, { 'retry-after': '2' });
        await fixture.run('deleteStream', undefined, streams.map(rowOf));
        const [a, b, c] = streams.map(({ id }) => `DELETE /${id}`);
        assert.deepEqual(changes(fixture), [a, b, b, c]);
        assert.deepEqual([fixture.ui.seen.said, fixture.ui.seen.flashes], [[], ['Deleted 3 streams']]);
        assert.deepEqual(told, ['1 of 3', '2 of 3', '2 of 3 (too many requests, continuing in 2 s)', '3 of 3']);
      }),
    );

    it(
      'waits longer each time where it is not told how long',
      oneByOne(options(), async (fixture) => {
        told.splice(0);
        const streams = await streamsNamed(fixture, ['A', 'B']);
        refuse(fixture, streams[0]?.id, 3, {});
        await fixture.run('deleteStream', undefined, streams.map(rowOf));
        assert.equal(changes(fixture).length, 5);
        const waits = told.flatMap((message) => /continuing in (\d+) s/.exec(message)?.[1] ?? []);
        assert.deepEqual(waits, ['5', '10', '20']);
        assert.deepEqual(fixture.ui.seen.flashes, ['Deleted 2 streams']);
      }),
    );

    it(
      'stops where it would be for more than a minute, and names what was not begun',
      oneByOne(options([true, true]), async (fixture) => {
        const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
        refuse(fixture, streams[1]?.id, 1, { 'retry-after': '300' });
        await fixture.run('deleteStream', undefined, streams.map(rowOf));
        assert.equal(changes(fixture).length, 2);
        assert.equal(
          fixture.ui.seen.said.at(-1)?.message,
          'Deleted 1 of 3 streams. "B": Too many requests. Try again in 5 min. "C": Not started.',
        );
        fixture.service.control.clearRequests();
        refuse(fixture, streams[1]?.id, 1000, { 'retry-after': '20' });
        await fixture.run('deleteStream', undefined, streams.slice(1).map(rowOf));
        assert.equal(changes(fixture).length, 4, 'three pauses of 20 s');
        assert.match(fixture.ui.seen.said.at(-1)?.message ?? '', /^Deleted 0 of 2 streams\. .*"C": Not started\.$/);
      }),
    );

    it('ends at once when the wait is cancelled, with nothing half done', async () => {
      const cancelling = new AbortController();
      const cancel: Ui['progress'] = (_title, task) =>
        task((message) => {
          if (message.includes('too many')) setImmediate(() => cancelling.abort());
        }, cancelling.signal);
      await oneByOne({ answers: { confirms: [true] }, ui: { progress: cancel } }, async (fixture) => {
        const streams = await streamsNamed(fixture, ['A', 'B', 'C']);
        refuse(fixture, streams[1]?.id, 1, { 'retry-after': '50' });
        await fixture.run('deleteStream', undefined, streams.map(rowOf));
        assert.equal(changes(fixture).length, 2);
        assert.equal(fixture.ui.seen.said.at(-1)?.message, 'Deleted 1 of 3 streams. "B", "C": Not started.');
      })();
    });
  });

  it(
    'leaves the streams of another connection alone that was opened meanwhile',
    oneByOne({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const streams = await streamsNamed(fixture, ['A', 'B']);
      const { info } = context.connection;
      service.control.fault(({ method }) => {
        if (method === 'DELETE') context.connection.open({ ...service, ...otherThan(info), insecureAccepted: false });
        return undefined;
      });
      await run('deleteStream', undefined, streams.map(rowOf));
      assert.equal(changes(fixture).length, 1);
      assert.match(ui.seen.said[0]?.message ?? '', /^Deleted 1 of 2 streams\. "B": Not started\.$/);
      assert.equal(context.store.snapshot.streams.size, 0);
    }),
  );
});

function otherThan(info: ConnectionInfo | undefined) {
  return { id: `other than ${info?.id}`, name: 'Other' };
}

describe('A service that answers one change with 404', () => {
  it(
    'keeps its commands, is told once, and takes the next try',
    withCommands({}, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const stream = await streamNamed(fixture, 'Keynote');
      let failures = 1;
      service.control.fault(({ method }) => (method === 'PATCH' && failures-- > 0 ? { status: 404 } : undefined));
      await run('renameStream', stream.id, 'Opening');
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        [`Rename Stream: ${host} couldn't make this change. Try again in a moment.`, ['Retry', 'Show Log']],
      ]);
      assert.equal(context.store.snapshot.abilities.patch, true);
      assert.equal(context.store.snapshot.streams.get(stream.id)?.stream.name, 'Keynote');
      await run('renameStream', stream.id, 'Opening');
      assert.equal(ui.seen.said.length, 1);
      assert.equal(demoStream(fixture, stream.id)?.name, 'Opening');
    }),
  );
});

describe('A change that is answered with a success and with errors', () => {
  it(
    'was not made, and the words of the service are said',
    withCommands({}, async (fixture) => {
      const { run, ui, service } = fixture;
      const stream = await streamNamed(fixture, 'Keynote', { isActive: false, record: false });
      const refused = { status: 200, body: '{"errors":["denied by the owner"]}' };
      service.control.fault(({ method }) => (method === 'PATCH' ? refused : undefined));
      await run('turnRecordingOn', stream.id);
      assert.deepEqual(ui.seen.flashes, []);
      assert.match(ui.seen.said[0]?.message ?? '', /denied by the owner/);
    }),
  );
});

describe('The question before a change', () => {
  for (const name of ['"? Its sessions and recordings stay. "', 'a “b” „c“ «d» 「e」']) {
    it(`holds the name ${name} in quotes that it cannot end`, async () => {
      await withCommands({}, async (fixture) => {
        const { run, ui, service } = fixture;
        const { id } = service.control.addStream({ name });
        await run('deleteStream', id);
        const { message = '' } = ui.seen.questions[0] ?? {};
        assert.match(message, /^Delete "[^"“”„«»「」]+"\?$/);
      })();
    });
  }

  it(
    'names a stream without a name that can be seen by its id',
    withCommands({}, async ({ run, ui, service }) => {
      for (const name of ['\u200b\u00ad', '\u2800\u3164', ' ']) {
        const { id } = service.control.addStream({ name });
        await run('deleteStream', id);
        assert.ok(ui.seen.questions.at(-1)?.message.includes(id), JSON.stringify(name));
      }
    }),
  );
});
