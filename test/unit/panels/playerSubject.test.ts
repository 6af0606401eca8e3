import assert from 'node:assert/strict';
import { findAnySession, readSubject } from '../../../src/panels/playerSubject.ts';
import { type Fixture, withCommands } from '../commands/fixture.ts';

/** A service that knows no session by its id, and lists these pages of the account's sessions. */
function servePages(
  { service }: Fixture,
  pages: readonly (readonly string[])[],
  next = (page: number) => `skip${page}`,
) {
  service.control.fault(({ path, query }) => {
    if (path.endsWith('/session/s')) return { status: 404, body: '{"errors":["not found"]}' };
    if (!path.endsWith('/session')) return undefined;
    const page = Number(/cursor=skip(\d+)/.exec(query)?.[1] ?? 0);
    const link = `<http://x/?cursor=${next(page + 1)}>; rel="next"`;
    const headers = page + 1 < pages.length ? { link } : {};
    return { status: 200, headers, body: JSON.stringify(pages[page]?.map((id) => ({ id, name: `of ${id}` })) ?? []) };
  });
}

const lists = ({ requests }: Fixture) => requests().filter((request) => request.startsWith('GET /api/session?')).length;

describe('A session that comes back with a window by its id alone', () => {
  it(
    'is looked for among the account’s sessions, page after page, where the service does not know it by its id',
    withCommands({ isConnected: true }, async (fixture) => {
      servePages(fixture, [['a'], ['b'], ['s']]);
      assert.equal((await findAnySession(fixture.context, 's')).id, 's');
      // The newest page is asked for before, as for every session.
      assert.equal(lists(fixture), 4);
    }),
  );

  it(
    'is gone where no page has it',
    withCommands({}, async (fixture) => {
      servePages(fixture, [['a'], ['b']]);
      await assert.rejects(findAnySession(fixture.context, 's'), { name: 'Refusal', sentence: /no longer exists/ });
      assert.equal(lists(fixture), 3);
    }),
  );

  it(
    'is looked for on twenty pages at most, and on none twice',
    withCommands({}, async (fixture) => {
      servePages(
        fixture,
        Array.from({ length: 30 }, (_, page) => [`r${page}`]),
      );
      await assert.rejects(findAnySession(fixture.context, 's'), { name: 'Refusal' });
      assert.equal(lists(fixture), 21);
      servePages(fixture, [['a'], ['b'], ['c']], () => 'skip1');
      fixture.service.control.clearRequests();
      await assert.rejects(findAnySession(fixture.context, 's'), { name: 'Refusal' });
      assert.equal(lists(fixture), 3);
    }),
  );

  it(
    'is asked for with its stream where that is known',
    withCommands({}, async (fixture) => {
      const { context, service, requests } = fixture;
      const stream = service.control.addStream({ name: 'Keynote' });
      const { id } = service.control.addSession(stream.id, { record: true, lastSeen: 5, sourceSegmentsDuration: 60 });
      await context.loader.ensureSessions(stream.id);
      service.control.clearRequests();
      service.control.fault(({ path }) => (path.endsWith(`/session/${id}`) ? { status: 404, body: '{}' } : undefined));
      assert.equal((await findAnySession(context, id)).id, id);
      assert.deepEqual(requests(), [`GET /api/session/${id}`, `GET /api/stream/${stream.id}/sessions?limit=1000`]);
    }),
  );

  it(
    'is not called gone where the service could not be asked',
    withCommands({ isHurried: true }, async (fixture) => {
      fixture.service.control.fault(() => ({ status: 403, body: '{}' }));
      await assert.rejects(findAnySession(fixture.context, 's'), { tag: 'ApiError', reason: 'forbidden' });
    }),
  );
});

describe('The header of a player', () => {
  const facts = async ({ context }: Fixture, kind: 'stream' | 'session', id: string) => {
    const subject = await readSubject(context, { kind, id }, { name: '', prefersMp4: false });
    return subject.heading.facts;
  };

  it(
    'says of a session what became of its recording, unless it plays or the player says why not',
    withCommands({}, async (fixture) => {
      const { control } = fixture.service;
      const { id } = control.addStream({ name: 'Keynote' });
      const ended = { record: true, sourceSegmentsDuration: 3720 };
      const failed = control.addSession(id, { ...ended, recordingStatus: 'failed' });
      assert.deepEqual(
        (await facts(fixture, 'session', failed.id)).slice(1),
        ['1 h 2 min'],
        'a sentence below says so',
      );
      const waiting = control.addSession(id, {
        ...ended,
        recordingStatus: 'waiting',
        recordingUrl: 'https://x.test/a',
      });
      const words = await facts(fixture, 'session', waiting.id);
      assert.match(words[2] ?? '', /^Processing recording/, 'what there is of it plays');
      const ready = control.addSession(id, { ...ended, recordingStatus: 'ready' });
      assert.deepEqual((await facts(fixture, 'session', ready.id)).slice(1), ['1 h 2 min'], 'it plays');
    }),
  );

  it(
    'says when a stream was last live',
    withCommands({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({
        name: 'Keynote',
        lastSeen: fixture.context.drawing().now - 7_200_000,
      });
      assert.deepEqual(await facts(fixture, 'stream', id), ['last live 2 h ago']);
    }),
  );
});
