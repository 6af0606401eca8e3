import assert from 'node:assert/strict';
import { collectRows } from '../../../src/commands/jsonDocuments.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { withCommands } from './fixture.ts';

describe('documents', () => {
  it(
    'show a stream as it was sent, its secrets masked until they are revealed',
    withCommands({}, async ({ run, ui, service, context, readable }) => {
      const stream = service.control.addStream({ name: 'a/b: "Keynote"', pull: { headers: { 'X-Cam': 'h3ader' } } });
      await run('openJson', stream.id);
      const [document] = ui.seen.documents;
      assert.equal(document?.fileName, 'a-b- -Keynote-.json');
      assert.equal(document?.key, `${context.connection.info?.id}/stream/${stream.id}`);
      assert.equal(JSON.parse(document?.revealed ?? '').streamKey, stream.streamKey);
      assert.ok(!document?.masked.includes(stream.streamKey ?? ''));
      assert.ok(!document?.masked.includes('h3ader'));
      assert.equal(JSON.parse(document?.masked ?? '').playbackId, stream.playbackId);
      assert.ok(!readable().includes(stream.streamKey ?? ''));
    }),
  );

  it(
    'show a session',
    withCommands({}, async ({ run, ui, service }) => {
      const [stream] = service.control.streams();
      const session = service.control.addSession(stream?.id ?? '');
      await run('openJson', session.id);
      assert.equal(JSON.parse(ui.seen.documents[0]?.revealed ?? '').id, session.id);
      assert.match(ui.seen.documents[0]?.fileName ?? '', / session\.json$/);
    }),
  );

  it(
    'say what is gone, and refuse what is no id before any request',
    withCommands({}, async ({ run, ui, service, context, requests }) => {
      await run('openJson', '../x');
      await run('openJson', '');
      assert.deepEqual(requests(), []);
      const [stream] = [...context.store.snapshot.streams.values()];
      const id = stream?.stream.id ?? '';
      service.control.deleteStream(id);
      await run('openJson', id);
      await run('openJson', 'nobody');
      assert.equal(ui.seen.said.length, 4);
      assert.match(ui.seen.said[2]?.message ?? '', /no longer exists/);
      assert.match(ui.seen.said[3]?.message ?? '', /"nobody" no longer exists/);
      assert.equal(context.store.snapshot.streams.has(id), false);
      assert.deepEqual(ui.seen.documents, []);
    }),
  );

  it(
    'leave out no stream that goes live while pages are read',
    withCommands({ demo: { streamCount: 1100 } }, async ({ run, ui, service }) => {
      const ids = service.control.streams().flatMap(({ id, parentId }) => (parentId === undefined ? [id] : []));
      const waiting = service.control.addStream({ name: 'Goes live', createdAt: 1 });
      service.control.fault(({ query }) => {
        if (query.includes('cursor')) service.control.startBroadcast(waiting.id);
        return undefined;
      });
      await run('openJson', { which: 'all' });
      const listed = JSON.parse(ui.seen.documents.at(-1)?.revealed ?? '').map(({ id }: { id: string }) => id);
      assert.deepEqual(new Set(listed), new Set([...ids, waiting.id]));
    }),
  );

  it(
    'list all streams over all pages, filtered, with or without deprecated child streams, masked',
    withCommands({ demo: { streamCount: 30 } }, async ({ run, ui, service }) => {
      const all = service.control.streams();
      const parents = all.filter((stream) => stream.parentId === undefined);
      const count = async (given: object) => {
        await run('openJson', given);
        const document = ui.seen.documents.at(-1);
        for (const { streamKey } of all) assert.ok(streamKey === undefined || !document?.masked.includes(streamKey));
        return JSON.parse(document?.revealed ?? '').length;
      };
      assert.equal(await count({ which: 'all', historicChildStreams: true }), all.length);
      assert.equal(await count({ which: 'all' }), parents.length);
      assert.equal(await count({ which: 'active' }), parents.filter((stream) => stream.isActive).length);
      assert.equal(await count({ which: 'idle' }), parents.filter((stream) => !stream.isActive).length);
      assert.equal(await count({ which: 'recording' }), parents.filter((stream) => stream.record).length);
      assert.ok(all.length > parents.length);
      assert.equal(new Set(ui.seen.documents.map(({ key }) => key)).size, 5);
    }),
  );

  it(
    'end where VS Code could not show more, and say so',
    withCommands({}, async ({ run, context, ui }) => {
      async function* listStreamsJson() {
        for (let page = 0; page < 50; page++) yield [{ id: `s${page}`, name: 'x'.repeat(1024 * 1024) }];
      }
      Object.assign(context.connection.account, { listStreamsJson });
      await run('openJson', { which: 'all' });
      const [document] = ui.seen.documents;
      assert.equal(JSON.parse(document?.masked ?? '').length, 39);
      assert.ok((document?.masked.length ?? 0) < 50 * 1024 * 1024);
      assert.deepEqual(ui.seen.messages, ["Only the first 39 streams are shown. VS Code can't open larger documents."]);
    }),
  );

  it(
    'ask which streams to list, and end silently when cancelled',
    withCommands({ answers: { picks: ['Recording On'] } }, async ({ run, ui, requests }) => {
      await run('openJson');
      assert.equal(ui.seen.documents.length, 1);
      assert.ok(requests().every((request) => request.includes('streamsonly') && request.includes('record')));
      await run('openJson');
      assert.equal(ui.seen.documents.length, 1);
      assert.deepEqual(ui.seen.said, []);
    }),
  );

  it(
    'ask for child streams only where the view shows them',
    withCommands(
      { answers: { picks: ['Recording On', 'With Deprecated Child Streams'] } },
      async ({ run, ui, requests, context }) => {
        Object.assign(context.settings, { showHistoricChildStreams: () => true });
        await run('openJson');
        assert.equal(ui.seen.documents.length, 1);
        assert.ok(requests().every((request) => !request.includes('streamsonly') && request.includes('record')));
      },
    ),
  );

  it(
    'list the streams of a group whose row is given, without asking',
    withCommands({}, async ({ run, ui, service }) => {
      await run('openJson', { kind: 'group', id: 'active', list: 'active' });
      const live = service.control.streams().filter(({ isActive, parentId }) => isActive && parentId === undefined);
      assert.equal(JSON.parse(ui.seen.documents[0]?.masked ?? '').length, live.length);
      assert.deepEqual(ui.seen.picks, []);
    }),
  );

  it(
    'ask which stream or session, where one is wanted',
    withCommands({ answers: { picks: ['One Stream…', 'Nowhere else'] } }, async ({ run, ui, service }) => {
      const { id } = service.control.addStream({ name: 'Nowhere else' });
      await run('openJson');
      assert.equal(JSON.parse(ui.seen.documents[0]?.masked ?? '').id, id);
      ui.answers.picks.push('One Session…');
      await run('openJson');
      assert.deepEqual(fieldsOf(ui.seen.picks, 'title'), Array(4).fill('Open as JSON'));
    }),
  );

  it(
    'are not shown when listing is cancelled',
    withCommands({ ui: { progress: (_title, task) => task(() => {}, AbortSignal.abort()) } }, async ({ run, ui }) => {
      await run('openJson', { which: 'all' });
      assert.deepEqual([ui.seen.documents, ui.seen.said], [[], []]);
    }),
  );

  it(
    'reveal their secrets only where one is in front',
    withCommands({}, async ({ run, ui, service }) => {
      await run('revealSecrets');
      assert.match(ui.seen.said[0]?.message ?? '', /To reveal secrets, first open a stream or session as JSON\./);
      await run('openJson', service.control.streams()[0]?.id);
      await run('revealSecrets');
      assert.equal(ui.seen.said.length, 1);
    }),
  );
});

describe('Rows that are collected for a document', () => {
  const asked: number[] = [];
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    for (let page = 0; page < 3; page++) {
      asked.push(page);
      yield [{ id: `a${page}` }, { id: `b${page}` }];
    }
  }
  /** Of each row: `{ "id": "a0" }` over three lines. */
  const SIZE = JSON.stringify({ id: 'a0' }, null, 2).length;
  beforeEach(() => asked.splice(0));

  it('are all rows of all pages while they fit', async () => {
    const counts: number[] = [];
    const { rows, isCut } = await collectRows(pages(), { most: 6 * SIZE, onCount: (count) => counts.push(count) });
    assert.deepEqual([rows.length, isCut, counts], [6, false, [2, 4, 6]]);
  });

  it('end with the last that fits, and no further page is asked for', async () => {
    const { rows, isCut } = await collectRows(pages(), { most: 4 * SIZE - 1, onCount() {} });
    assert.deepEqual([rows.length, isCut, asked], [3, true, [0, 1]]);
  });
});
