import assert from 'node:assert/strict';
import { type Fixture, withCommands } from './fixture.ts';

const HURRIED = { isHurried: true } as const;

/** Reads by id find nothing, so many times: they come from a replica, which does not have the stream yet. */
function lag({ service }: Fixture, times: number): void {
  let left = times;
  service.control.fault(({ method, path }) => {
    if (method !== 'GET' || !/\/stream\/[^/?]+$/.test(path) || left === 0) return undefined;
    left -= 1;
    return { status: 404 };
  });
}

async function created(fixture: Fixture): Promise<string> {
  await fixture.run('createStream', { name: 'Old', record: false });
  const id = fixture.service.control.streams().find((stream) => stream.name === 'Old')?.id;
  assert.ok(id);
  fixture.service.control.clearRequests();
  return id;
}

describe('A stream that a replica does not have yet', () => {
  it(
    'is read again after a change, and its row stays meanwhile',
    withCommands(HURRIED, async (fixture) => {
      const { context, requests, run, ui } = fixture;
      const id = await created(fixture);
      lag(fixture, 2);
      const wasThere: boolean[] = [];
      context.store.onDidChange(({ current }) => wasThere.push(current.streams.has(id)));
      await run('renameStream', id, 'New');
      assert.ok(wasThere.length > 0 && wasThere.every((isThere) => isThere));
      assert.equal(context.store.snapshot.streams.get(id)?.stream.name, 'New');
      assert.equal(requests().filter((request) => request === `GET /api/stream/${id}`).length, 3);
      assert.deepEqual(ui.seen.flashes.at(-1), 'Renamed the stream to "New"');
    }),
  );

  it(
    'keeps its row though it is found at none of three tries, and though it is looked up: it was made a moment ago',
    withCommands(HURRIED, async (fixture) => {
      const { context, run, ui } = fixture;
      const id = await created(fixture);
      lag(fixture, Number.POSITIVE_INFINITY);
      await run('turnRecordingOn', id);
      assert.ok(context.store.snapshot.streams.has(id));
      await context.loader.reloadList('idle');
      await run('goToStream', id);
      assert.ok(context.store.snapshot.streams.has(id));
      assert.deepEqual(
        ui.seen.said.filter(({ severity }) => severity !== 'info'),
        [],
      );
    }),
  );
});

describe('A stream that is gone', () => {
  it(
    'is believed to be gone after three tries, where nothing newer is known',
    withCommands(HURRIED, async (fixture) => {
      const { context, requests, run, service, ui } = fixture;
      const { id } = service.control.addStream({ name: 'Keynote' });
      await context.loader.reloadList('idle');
      service.control.clearRequests();
      service.control.fault(({ method }) => {
        if (method !== 'PATCH') return undefined;
        service.control.deleteStream(id);
        return { status: 500 };
      });
      await run('renameStream', id, 'New');
      assert.equal(requests().filter((request) => request === `GET /api/stream/${id}`).length, 3);
      assert.equal(ui.seen.said[0]?.message, '"Keynote" no longer exists.');
      assert.equal(context.store.snapshot.streams.has(id), false);
    }),
  );

  it(
    'is believed to be at once after its deletion, though it was renamed a moment ago',
    withCommands({ ...HURRIED, answers: { confirms: [true] } }, async (fixture) => {
      const { context, requests, run } = fixture;
      const id = await created(fixture);
      await run('renameStream', id, 'New');
      fixture.service.control.clearRequests();
      await run('deleteStream', id);
      assert.deepEqual(
        requests().filter((request) => request.startsWith('GET ')),
        [`GET /api/stream/${id}`],
      );
      assert.equal(context.store.snapshot.streams.has(id), false);
    }),
  );
});
