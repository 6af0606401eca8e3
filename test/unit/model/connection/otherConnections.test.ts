import assert from 'node:assert/strict';
import { changesOf } from '../../../../src/model/account/accountChanges.ts';
import { DEMO_ID } from '../../../../src/model/connection/connection.ts';
import { liveStreams, shownIds } from '../../../../src/model/store/streams.ts';
import { type SideBySide, withTwoServices } from '../../../support/model/sideBySide.ts';

async function bothAreLoaded({ active, others, until, b }: SideBySide): Promise<void> {
  await until('B is open', () => others.all.length === 1);
  await until('both are loaded', () =>
    [active, b()].every(({ store }) => store.snapshot.lists.active.isLoaded && store.snapshot.trouble === undefined),
  );
}

/** Opens one of them in the window. */
async function open({ active, connections, ids }: SideBySide, which: 'A' | 'B'): Promise<void> {
  const stored = await connections.get(ids[which]);
  assert.ok(stored !== undefined);
  active.connection.open(stored);
}

const livesOf = ({ store }: SideBySide['active']) => liveStreams(store.snapshot).length;

const nextTryOf = ({ store }: SideBySide['active']) => store.snapshot.trouble?.nextTryAt ?? 0;

/** Returns how many requests a poll sends to each service. */
async function requestsOfPoll({ services, poll }: SideBySide): Promise<readonly number[]> {
  for (const { control } of Object.values(services)) control.clearRequests();
  await poll();
  return Object.values(services).map(({ control }) => control.requests.length);
}

describe('Another connection beside the active one', () => {
  it(
    'is polled like the active one, with one conditional request for 50 live streams',
    withTwoServices({ streamCount: 60, liveCount: 50 }, async (sides) => {
      await bothAreLoaded(sides);
      assert.deepEqual([livesOf(sides.active), livesOf(sides.b())], [50, 50]);
      for (let poll = 0; poll < 3; poll += 1) {
        for (const { control } of Object.values(sides.services)) control.clearRequests();
        await sides.poll();
        const asked = Object.values(sides.services).map(({ control }) =>
          // The health of streams with multistream targets is read beside it.
          control.requests
            .filter(({ path }) => !path.endsWith('/health'))
            .map(({ method, path, headers }) => {
              return [method, path, headers['if-none-match'] === undefined ? 'unconditional' : 'conditional'].join(' ');
            }),
        );
        assert.deepEqual(asked, [['GET /api/stream conditional'], ['GET /api/stream conditional']]);
      }
    }),
  );

  it(
    'is not polled while nobody looks',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.become(false);
      assert.deepEqual(await requestsOfPoll(sides), [0, 0]);
    }),
  );

  it(
    'keeps to itself what it knows, though ids are the same',
    withTwoServices({ liveCount: 0 }, async (sides) => {
      await bothAreLoaded(sides);
      const [stream] = sides.services.B.control.streams().filter(({ parentId }) => parentId === undefined);
      assert.ok(stream !== undefined);
      sides.services.B.control.startBroadcast(stream.id);
      await sides.poll();
      assert.deepEqual([livesOf(sides.active), livesOf(sides.b())], [0, 1]);
      const before = sides.active.store.snapshot;
      await changesOf(sides.b().connection.account).change(stream.id, { operation: 'renaming', name: 'Of B alone' });
      assert.equal(sides.active.store.snapshot, before);
      assert.equal(sides.b().store.snapshot.streams.get(stream.id)?.stream.name, 'Of B alone');
    }),
  );

  it(
    'says when what is known of it changes, and when it comes or goes',
    withTwoServices({ liveCount: 0 }, async (sides) => {
      let updates = 0;
      sides.others.onDidUpdate(() => {
        updates += 1;
      });
      await bothAreLoaded(sides);
      assert.ok(updates > 0);
      updates = 0;
      sides.services.B.control.addStream({ isActive: true });
      await sides.poll();
      assert.equal(livesOf(sides.b()), 1);
      assert.ok(updates > 0);
      updates = 0;
      await sides.connections.remove(sides.ids.B);
      await sides.until('B is closed', () => sides.others.all.length === 0);
      assert.ok(updates > 0);
    }),
  );

  it(
    'says that its key is refused, and leaves the active one as it is',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.services.B.control.revokeKey();
      await sides.poll();
      assert.equal(sides.b().store.snapshot.connection.kind, 'refused');
      assert.equal(sides.active.store.snapshot.connection.kind, 'open');
      assert.equal(sides.active.store.snapshot.trouble, undefined);
      assert.deepEqual(await requestsOfPoll(sides), [1, 0]);
    }),
  );

  it(
    'is not asked again after its key was refused because another connection is changed',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.services.B.control.revokeKey();
      await sides.poll();
      const { connections, ids, services, until, active } = sides;
      const before = sides.b().store.snapshot;
      services.B.control.clearRequests();
      await connections.add({ name: 'C', ...services.A, insecureAccepted: false });
      await connections.update(ids.A, { name: 'Renamed' });
      await until('C is open', () => sides.others.all.length === 2);
      assert.equal(sides.b().store.snapshot.generation, before.generation);
      assert.deepEqual(services.B.control.requests, []);
      assert.equal(active.store.snapshot.connection.kind, 'open');
    }),
  );

  it(
    'goes on with a new key that was set in another window',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.services.B.control.revokeKey();
      await sides.poll();
      const { active, connections, ids, b, until, services } = sides;
      const before = active.store.snapshot.generation;
      services.B.control.restoreKey();
      await connections.update(ids.B, { baseUrl: `${services.B.baseUrl}/` });
      await until('B is open again', () => b().store.snapshot.connection.kind === 'open');
      assert.equal(active.store.snapshot.generation, before);
    }),
  );

  it(
    'backs off by itself while its service fails',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.services.B.control.fault(() => ({ status: 503 }));
      await sides.poll();
      // It was asked once more before it counts as failed.
      await sides.clock.advance(2000);
      await sides.until('B has failed', () => sides.b().store.snapshot.trouble?.error.reason === 'unavailable');
      assert.equal(sides.active.store.snapshot.trouble, undefined);
      await sides.poll();
      await sides.clock.advance(2000);
      await sides.until('it has failed again', () => nextTryOf(sides.b()) > sides.clock.now() + 15_000);
      assert.deepEqual(await requestsOfPoll(sides), [1, 0]);
    }),
  );

  it(
    'is tried again once the current one is reached again, which may have been offline with it',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { active, b, clock, services, until } = sides;
      const waitOf = (model: SideBySide['active']) => nextTryOf(model) - clock.now();
      services.B.control.fault(() => ({ status: 503 }));
      for (let polls = 0; polls < 20 && waitOf(b()) < 90_000; polls += 1) {
        await sides.poll();
        await clock.advance(2000);
      }
      services.A.control.fault(() => ({ status: 503 }));
      await sides.poll();
      await clock.advance(2000);
      await until('A has failed', () => active.store.snapshot.trouble !== undefined);
      for (const { control } of Object.values(services)) control.fault(undefined);
      assert.ok(waitOf(active) + 20_000 < waitOf(b()), 'B would wait longer');
      await clock.advance(waitOf(active) + 1);
      await until('both are reached', () => [active, b()].every(({ store }) => store.snapshot.trouble === undefined));
    }),
  );

  it(
    'does not hold up the active one while its service never answers',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      sides.services.B.control.fault(() => 'hang');
      for (const { control } of Object.values(sides.services)) control.clearRequests();
      for (let at = 1; at <= 3; at += 1) {
        await sides.clock.advance(15_000);
        await sides.until('A was asked', () => sides.services.A.control.requests.length === at);
        await sides.until('A has answered', () => sides.services.A.control.requests.every(({ status }) => status > 0));
      }
      assert.equal(sides.services.B.control.requests.length, 1);
    }),
  );

  it(
    'is closed once it is removed, in this window or another',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const model = sides.b();
      let fired = 0;
      sides.others.onDidChange(() => {
        fired += 1;
      });
      await sides.connections.remove(sides.ids.B);
      await sides.until('B is closed', () => sides.others.all.length === 0);
      assert.equal(fired, 1);
      assert.throws(() => model.connection.account, { tag: 'NoConnectionError' });
      assert.deepEqual(await requestsOfPoll(sides), [1, 0]);
    }),
  );

  it(
    'changes places with the active one, and is never open twice',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { active, connections, ids, others, until } = sides;
      const stored = await connections.get(ids.B);
      assert.ok(stored !== undefined);
      active.connection.open(stored);
      assert.equal(others.get(ids.B), undefined);
      await until('A is another one now', () => others.get(ids.A) !== undefined);
      assert.deepEqual(
        others.all.map(({ connection }) => connection.info?.name),
        ['A'],
      );
    }),
  );

  it(
    'takes along what is known of it when it becomes the current one, though its service is away, and asks at once',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { active, b, services, clock } = sides;
      services.B.control.fault(() => ({ status: 503 }));
      await sides.poll();
      await clock.advance(2000);
      await sides.until('B has failed', () => b().store.snapshot.trouble !== undefined);
      const { lists, trouble } = b().store.snapshot;
      services.B.control.clearRequests();
      const changes: (readonly [boolean, boolean])[] = [];
      active.store.onDidChange(({ current }) => {
        changes.push([current.lists.active.isLoaded, current.trouble !== undefined]);
      });
      await open(sides, 'B');
      const after = active.store.snapshot;
      assert.deepEqual(changes[0], [true, true], 'its rows are there at once, and marked as old');
      assert.ok(livesOf(active) > 0);
      assert.equal(after.lists.active.loadedAt, lists.active.loadedAt);
      assert.equal(after.trouble?.error, trouble?.error);
      await sides.until('it is asked', () => services.B.control.requests.length > 0);
      services.B.control.fault(undefined);
      services.B.control.addStream({ name: 'New since', isActive: true });
      await clock.advance(60_000);
      await sides.until('it is reached', () => active.store.snapshot.trouble === undefined);
      const names = liveStreams(active.store.snapshot).map(({ stream }) => stream.name);
      assert.ok(names.includes('New since'), 'answers outweigh what was taken over');
    }),
  );

  it(
    'knows which streams were created while it was the current one, before and after it is shown beside',
    withTwoServices({ liveCount: 0 }, async (sides) => {
      const { active, until, b } = sides;
      await bothAreLoaded(sides);
      const create = async (name: string) => {
        const outcome = await changesOf(active.connection.account).create({ name });
        return outcome.kind === 'done' ? outcome.stream.id : assert.fail();
      };
      const created = new Set([await create('Of A')]);
      await open(sides, 'B');
      created.add(await create('Of B'));
      await open(sides, 'A');
      await until('B is beside', () => sides.others.get(sides.ids.B) !== undefined);
      for (const { store } of [active, b()]) assert.deepEqual(store.snapshot.createdIds, created);
    }),
  );

  it(
    'takes along that its key is rejected, and learns at once that it no longer is',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { active, b, services, until } = sides;
      services.B.control.revokeKey();
      await sides.poll();
      const lives = livesOf(b());
      await open(sides, 'B');
      assert.deepEqual([active.store.snapshot.connection.kind, livesOf(active)], ['refused', lives]);
      await open(sides, 'A');
      await until('B is beside again', () => sides.others.get(sides.ids.B) !== undefined);
      assert.deepEqual([b().store.snapshot.connection.kind, livesOf(b())], ['refused', lives]);
      services.B.control.restoreKey();
      await open(sides, 'B');
      await until('B is accepted', () => active.store.snapshot.connection.kind === 'open');
    }),
  );

  it(
    'leaves behind what is known of an account with another key',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const stored = await sides.connections.get(sides.ids.B);
      assert.ok(stored !== undefined);
      sides.active.connection.open({ ...stored, apiKey: 'of another account' });
      const { streams, lists } = sides.active.store.snapshot;
      assert.deepEqual([streams.size, lists.active.isLoaded], [0, false]);
    }),
  );

  it(
    'goes on with all pages that were loaded, and the next one',
    withTwoServices({ streamCount: 170, liveCount: 0 }, async (sides) => {
      await bothAreLoaded(sides);
      const { active, b, ids } = sides;
      const idleOf = ({ store }: SideBySide['active']) => shownIds(store.snapshot, 'idle').length;
      await b().loader.ensureList('idle');
      await b().loader.loadMore('idle');
      const before = idleOf(b());
      await open(sides, 'B');
      assert.equal(idleOf(active), before);
      await active.loader.loadMore('idle');
      const more = idleOf(active);
      assert.ok(more > before, 'Load More adds rows');
      await active.loader.refresh();
      assert.equal(idleOf(active), more);
      await open(sides, 'A');
      await sides.until('B is beside again', () => sides.others.get(ids.B) !== undefined);
      assert.equal(idleOf(b()), more);
    }),
  );

  it(
    'is told from the others by its name, and takes over a new one without loading again',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const before = sides.b().store.snapshot.generation;
      await sides.connections.update(sides.ids.B, { name: 'Renamed' });
      await sides.until('it has the name', () => sides.b().connection.info?.name === 'Renamed');
      assert.equal(sides.b().store.snapshot.generation, before);
      assert.equal(sides.b().store.snapshot.connectionCount, 2);
    }),
  );

  it(
    'leaves no timer and no account behind',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const model = sides.b();
      sides.others.dispose();
      assert.equal(model.connection.isOpen, false);
      for (const { control } of Object.values(sides.services)) control.clearRequests();
      await sides.poll();
      assert.equal(sides.services.B.control.requests.length, 0);
    }),
  );
});

describe('The demo beside the active connection', () => {
  it(
    'is one of the others while it runs, with what was known of it',
    withTwoServices({ liveCount: 2 }, async (sides) => {
      await bothAreLoaded(sides);
      const { active, others, demo, until } = sides;
      await demo.start();
      await until('it is loaded', () => active.store.snapshot.lists.active.isLoaded);
      assert.equal(others.get(DEMO_ID), undefined, 'it is the active one');
      const { streams } = active.store.snapshot;
      await open(sides, 'A');
      await until('it is beside', () => others.get(DEMO_ID) !== undefined);
      const beside = others.get(DEMO_ID);
      assert.deepEqual([beside?.connection.info?.isDemo, beside?.connection.info?.name], [true, 'Demo']);
      assert.deepEqual(beside && [...beside.store.snapshot.streams.keys()], [...streams.keys()]);
      await demo.start();
      assert.deepEqual([active.connection.info?.id, others.get(DEMO_ID)], [DEMO_ID, undefined]);
    }),
  );

  it(
    'is no longer one of them, and not a removed one, once it is stopped',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { others, demo, until } = sides;
      await demo.start();
      await open(sides, 'A');
      await until('it is beside', () => others.get(DEMO_ID) !== undefined);
      let changes = 0;
      others.onDidChange(() => {
        changes += 1;
      });
      await demo.stop();
      assert.deepEqual([others.get(DEMO_ID), others.removed, changes], [undefined, [], 1]);
      await sides.connections.update(sides.ids.B, { name: 'Renamed' });
      await until('the connections are read', () => sides.b().connection.info?.name === 'Renamed');
      assert.equal(others.get(DEMO_ID), undefined);
    }),
  );

  it(
    'is not beside after it was stopped while it was the active one',
    withTwoServices({}, async (sides) => {
      await bothAreLoaded(sides);
      const { active, others, demo, until, ids } = sides;
      await demo.start();
      await until('A is beside', () => others.get(ids.A) !== undefined);
      await demo.stop();
      await until('one is beside', () => others.all.length === 1);
      assert.equal(active.connection.info?.isDemo, false);
      assert.equal(others.get(DEMO_ID), undefined);
    }),
  );
});
