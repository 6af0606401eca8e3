import assert from 'node:assert/strict';
import { openAtStart } from '../../../../src/model/connection/windowConnection.ts';
import { streamsContext } from '../../../../src/tree/viewContext.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { heldClock, settle } from '../../../support/model/heldClock.ts';
import { type Fixture, type FixtureOptions, withCommands } from '../../commands/fixture.ts';

/** A keyring that is locked: nothing is answered before it is unlocked, or dismissed. */
function lockedKeyring() {
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {});
  return {
    unlock: () => opened.resolve(),
    dismiss: () => opened.reject(new Error('dismissed')),
    /** As a secret storage over what is kept. */
    over: (kept: Map<string, string>): FixtureOptions['secrets'] => ({
      keys: () => opened.promise.then(() => [...kept.keys()]),
      get: (key) => opened.promise.then(() => kept.get(key)),
      store: (key, value) => opened.promise.then(() => void kept.set(key, value)),
      delete: (key) => opened.promise.then(() => void kept.delete(key)),
    }),
  };
}

const STUDIO = JSON.stringify({
  name: 'Studio',
  baseUrl: 'https://s.test/api',
  apiKey: 'k3y',
  insecureAccepted: false,
});

function starting(fixture: Fixture, clock = heldClock()) {
  const { context } = fixture;
  const start = async () => {
    fixture.demoCalls.push('start');
    context.connection.open({ ...fixture.service, id: 'demo', name: 'Demo', insecureAccepted: false }, true);
  };
  return { clock, opening: openAtStart({ ...context, clock, demo: { start } }) };
}

const stateOf = ({ context }: Fixture) => streamsContext(context.store.snapshot);

describe('A secret storage that does not answer', () => {
  const withKeyring = (
    test: (
      fixture: Fixture,
      keyring: ReturnType<typeof lockedKeyring>,
      secretClock: ReturnType<typeof heldClock>,
    ) => Promise<void>,
    kept = new Map([['connection/one', STUDIO]]),
  ) => {
    const keyring = lockedKeyring();
    const secretClock = heldClock();
    const options = { isConnected: false, secrets: keyring.over(kept) ?? {}, secretClock };
    return withCommands(options, (fixture) => test(fixture, keyring, secretClock));
  };

  it(
    'is said to be waited for after 5 s, and its connection opens once it answers',
    withKeyring(async (fixture, { unlock }) => {
      const { clock, opening } = starting(fixture);
      await clock.advance(4999);
      assert.equal(stateOf(fixture), 'starting');
      await clock.advance(1);
      assert.equal(stateOf(fixture), 'waiting');
      unlock();
      await opening;
      assert.equal(fixture.context.connection.info?.name, 'Studio');
      assert.deepEqual([clock.timerCount, fixture.context.store.snapshot.connectionCount], [0, 1]);
    }),
  );

  it(
    'is not said to be waited for when it answers in time',
    withKeyring(async (fixture, { unlock }) => {
      const { clock, opening } = starting(fixture);
      await clock.advance(4000);
      unlock();
      await opening;
      await clock.advance(60_000);
      assert.equal(stateOf(fixture), 'loaded');
    }),
  );

  it(
    'is said to fail when it answers with an error in the end',
    withKeyring(async (fixture, { dismiss }) => {
      const { clock, opening } = starting(fixture);
      await clock.advance(6000);
      dismiss();
      await opening;
      assert.equal(stateOf(fixture), 'none');
      assert.match(
        fixture.ui.seen.said[0]?.message ?? '',
        /^Couldn't read from secret storage\. Set the API key again\. This may be necessary each time you start VS Code\./,
      );
    }),
  );

  it(
    'leaves the demo as it is when it answers after that was started',
    withKeyring(async (fixture, { unlock }) => {
      const { clock, opening } = starting(fixture);
      await clock.advance(6000);
      await fixture.run('startDemo');
      assert.deepEqual(fixture.demoCalls, ['start']);
      fixture.context.connection.open({ ...fixture.service, id: 'demo', name: 'Demo', insecureAccepted: false }, true);
      assert.equal(stateOf(fixture), 'loaded');
      unlock();
      await opening;
      assert.equal(fixture.context.connection.info?.name, 'Demo');
      assert.equal(fixture.context.store.snapshot.connectionCount, 1);
    }),
  );

  it(
    'does not keep the demo from starting with the window where it was on',
    withKeyring(async (fixture) => {
      await fixture.context.connections.noteDemo(true);
      starting(fixture);
      await settle();
      assert.equal(fixture.context.connection.info?.name, 'Demo');
    }),
  );

  describe('a new connection', () => {
    const kept = new Map<string, string>();
    beforeEach(() => kept.clear());

    async function addWhileLocked(fixture: Fixture, secretClock: ReturnType<typeof heldClock>) {
      const { service, context } = fixture;
      const { baseUrl, apiKey } = service;
      const added = fixture.run('addConnection', { name: 'New', baseUrl, apiKey });
      await until(async () => {
        await secretClock.advance(5000);
        return context.connection.info !== undefined;
      });
      await added;
      assert.equal(context.connection.info?.name, 'New');
      return `connection/${context.connection.info?.id}`;
    }

    it(
      'stores a new connection once it answers, as the message says',
      withKeyring(async (fixture, { unlock }, secretClock) => {
        const key = await addWhileLocked(fixture, secretClock);
        assert.deepEqual(fixture.ui.seen.messages, [
          "Secret storage isn't responding. Unlock your keyring if prompted, or reopen this window and set the API key again.",
        ]);
        assert.deepEqual([...kept.keys()], []);
        unlock();
        await settle();
        assert.deepEqual([...kept.keys()], [key]);
        kept.set(key, STUDIO);
        const { connections } = fixture.context;
        assert.equal((await connections.get(key.slice('connection/'.length)))?.name, 'Studio', 'it is read from there');
        assert.equal(secretClock.timerCount, 0);
      }, kept),
    );

    it(
      'keeps a new connection for the window if it refuses in the end',
      withKeyring(async (fixture, { dismiss }, secretClock) => {
        await addWhileLocked(fixture, secretClock);
        dismiss();
        await settle();
        assert.deepEqual(fieldsOf(await fixture.context.connections.list(), 'name', 'hasKey'), [['New', true]]);
        assert.match(fixture.log.lines.join('\n'), /refused \(store\): dismissed/);
      }, kept),
    );

    it(
      'does not bring a new connection back if it was removed meanwhile',
      withKeyring(async (fixture, { unlock }, secretClock) => {
        const { connections } = fixture.context;
        const key = await addWhileLocked(fixture, secretClock);
        await connections.remove(key.slice('connection/'.length));
        unlock();
        await settle();
        assert.deepEqual([...kept.keys()], []);
        assert.deepEqual(await connections.list(), []);
      }, kept),
    );
  });

  it(
    'is not asked again and again while it owes an answer, and is read once it has answered',
    withKeyring(async ({ context: { connections } }, { unlock }, secretClock) => {
      const first = connections.list();
      await secretClock.advance(5000);
      assert.deepEqual(await first, []);
      assert.deepEqual(await connections.list(), []);
      assert.equal(secretClock.timerCount, 0);
      unlock();
      await settle();
      assert.deepEqual(fieldsOf(await connections.list(), 'name'), ['Studio']);
    }),
  );
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail('It did not come to be');
}
