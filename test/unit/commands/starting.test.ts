import assert from 'node:assert/strict';
import { runCommand } from '../../../src/commands/boundary.ts';
import { runAnnounced } from '../../../src/commands/notificationCommands.ts';
import { openAtStart } from '../../../src/model/connection/windowConnection.ts';
import { aConnection } from '../../support/model/builders.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** A window whose secret storage lists its keys only once it is let. */
function slowStorage() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let fixture: Fixture | undefined;
  const keys = async (): Promise<readonly string[]> => {
    await promise;
    return [...(fixture?.secretStore.values.keys() ?? [])];
  };
  /** Stores a connection as another window would have, and starts to open it. */
  const start = (given: Fixture): Promise<void> => {
    fixture = given;
    const { baseUrl, apiKey } = given.service;
    const secret = { name: 'Production', baseUrl, apiKey, insecureAccepted: false };
    given.secretStore.values.set('connection/one', JSON.stringify(secret));
    return openAtStart(given.context);
  };
  return { secrets: { keys }, start, answer: resolve };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('A command that is run while the window is starting', () => {
  const waiting = slowStorage();
  it(
    'waits for the connection, and then does what was asked',
    withCommands({ isConnected: false, secrets: waiting.secrets }, async (fixture) => {
      const { context, ui, service, requests } = fixture;
      const started = waiting.start(fixture);
      const [stream] = service.control.streams();
      assert.ok(stream);
      const running = [runCommand(context, 'copyStreamKey', [stream.id]), runCommand(context, 'deleteStream')];
      await turns();
      assert.deepEqual([ui.seen.said, ui.seen.copied, requests()], [[], [], []]);
      waiting.answer();
      await Promise.all([started, ...running]);
      assert.deepEqual(ui.seen.copied, [stream.streamKey]);
      assert.deepEqual(ui.seen.said, []);
    }),
  );

  const announced = slowStorage();
  it(
    'waits for the connection that it is for, as the button of a notification does',
    withCommands({ isConnected: false, secrets: announced.secrets }, async (fixture) => {
      const { context, ui, service, played } = fixture;
      const started = announced.start(fixture);
      const stream = service.control.streams().find(({ playbackId }) => playbackId !== undefined);
      assert.ok(stream);
      const connection = aConnection({ id: 'one', name: 'Production' });
      const running = runAnnounced(context, { kind: 'watch', streamId: stream.id }, connection);
      await turns();
      announced.answer();
      await Promise.all([started, running]);
      assert.deepEqual([played, ui.seen.said], [[`stream ${stream.id}`], []]);
    }),
  );

  const closing = slowStorage();
  it(
    'is not run any more when the window has closed meanwhile',
    withCommands({ isConnected: false, secrets: closing.secrets }, async (fixture) => {
      const { context, ui, requests } = fixture;
      const started = closing.start(fixture);
      let isDisposed = false;
      const running = runCommand({ ...context, isDisposed: () => isDisposed }, 'refresh');
      isDisposed = true;
      closing.answer();
      await Promise.all([started, running]);
      assert.deepEqual([ui.seen.said, requests()], [[], []]);
    }),
  );

  const never = slowStorage();
  it(
    'is told after a while that the connections are still being read, and can be tried again; nothing else is offered',
    withCommands({ isConnected: false, secrets: never.secrets, isHurried: true }, async (fixture) => {
      const { context, ui } = fixture;
      const started = never.start(fixture);
      await runCommand(context, 'refresh');
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'info',
          message: 'Still loading connections. Try again in a moment.',
          actions: ['Retry'],
        },
      ]);
      never.answer();
      await started;
    }),
  );

  const slow = slowStorage();
  it(
    'does not wait where it is a way to a connection, or needs none',
    withCommands({ isConnected: false, secrets: slow.secrets }, async (fixture) => {
      const { context, ui, demoCalls } = fixture;
      const started = slow.start(fixture);
      for (const id of ['startDemo', 'showLog', 'addConnection', 'openProxySettings']) await runCommand(context, id);
      assert.deepEqual([demoCalls, ui.seen.logShown, ui.seen.picks.length], [['start'], [1], 1]);
      assert.equal(context.store.snapshot.connection.kind, 'starting');
      slow.answer();
      await started;
    }),
  );
});
