import assert from 'node:assert/strict';
import type { DemoClip } from '../../../../src/demo/demoState.ts';
import { findAnySession, readSubject } from '../../../../src/panels/player/playerSubject.ts';
import { formatDayAndClock } from '../../../../src/util/dates.ts';
import { aSession } from '../../../support/model/builders.ts';
import { type Fixture, withCommands } from '../../commands/fixture.ts';

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

const READY = {
  ...{ record: true, recordingStatus: 'ready', recordingUrl: 'https://media.example/a.m3u8' },
  ...{ createdAt: Date.UTC(2026, 10, 20, 8), lastSeen: Date.UTC(2026, 10, 20, 9), sourceSegmentsDuration: 60 },
};

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
    'is gone where no page has the session',
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
      await context.loader.ensureClips([stream.id]);
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

describe('What a player reads', () => {
  const read = ({ context }: Fixture, kind: 'stream' | 'session', id: string) =>
    readSubject(context, { kind, id }, { name: '', prefersMp4: false });
  const isOfStream = (line: string) => line.includes('/api/stream/');

  it(
    'is not a stream that is known to be live, but one that is not',
    withCommands({}, async (fixture) => {
      const { control } = fixture.service;
      const { id } = control.addStream({ name: 'Talk' });
      control.startBroadcast(id);
      await fixture.context.connection.account.readStream(id);
      control.clearRequests();
      await read(fixture, 'stream', id);
      assert.deepEqual(fixture.requests().filter(isOfStream), []);
      control.endBroadcast(id);
      await fixture.context.connection.account.readStream(id);
      control.clearRequests();
      await read(fixture, 'stream', id);
      assert.equal(fixture.requests().filter(isOfStream)[0], `GET /api/stream/${id}`);
    }),
  );

  it(
    'is the name of a session’s stream, if that is not known and can be read',
    withCommands({}, async (fixture) => {
      const { control } = fixture.service;
      const { id } = control.addStream({ name: 'Talk' });
      const session = control.addSession(id, READY);
      control.fault(({ path }) => (path.endsWith(`/stream/${id}`) ? { status: 403, body: '{}' } : undefined));
      assert.equal((await read(fixture, 'session', session.id)).heading.title, 'Recording');
      control.fault(undefined);
      assert.equal((await read(fixture, 'session', session.id)).heading.title, 'Talk');
    }),
  );

  it(
    'is a session without a known start, whose tab has no start in its title',
    withCommands({}, async (fixture) => {
      const session = aSession({ id: 'x1', parentName: 'Talk', ...READY, createdAt: undefined });
      const given = { name: '', prefersMp4: false, session };
      const { tab } = await readSubject(fixture.context, { kind: 'session', id: 'x1' }, given);
      assert.equal(tab, 'Talk');
    }),
  );

  it(
    'is an MP4 of a recording only if that is preferred, or if there is nothing else',
    withCommands({}, async (fixture) => {
      const mp4Url = 'https://media.example/a.mp4';
      const mediaOf = async (fields: Partial<ReturnType<typeof aSession>>, prefersMp4: boolean) => {
        const session = aSession({ id: 'x1', ...READY, ...fields });
        const given = { name: '', prefersMp4, session };
        return (await readSubject(fixture.context, { kind: 'session', id: 'x1' }, given)).media;
      };
      const [hls, mp4] = [
        { kind: 'hls', url: READY.recordingUrl },
        { kind: 'mp4', url: mp4Url },
      ];
      assert.deepEqual(await mediaOf({ mp4Url }, false), hls);
      assert.deepEqual(await mediaOf({ mp4Url }, true), mp4);
      assert.deepEqual(await mediaOf({}, true), hls);
      assert.deepEqual(await mediaOf({ mp4Url, recordingUrl: undefined }, false), mp4);
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
      assert.match(words[2] ?? '', /^no MP4 yet$/, 'what there is of it plays');
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

describe('A clip in a player', () => {
  const inPlayer = { name: '', prefersMp4: false };
  const made = async ({ service }: Fixture, fields: Partial<DemoClip> = {}) => {
    const stream = service.control.addStream({ name: 'Keynote', record: true });
    const session = service.control.startBroadcast(stream.id);
    return service.control.addClip(session.id, { name: 'Goal', createdAt: 5, excerpt: { from: 0, to: 2 }, ...fields });
  };

  it(
    'is what the service has of it: HLS, or else its file',
    withCommands({}, async (fixture) => {
      const { id } = await made(fixture);
      const file = await readSubject(fixture.context, { kind: 'clip', id }, inPlayer);
      assert.deepEqual([file.tab, file.media?.kind, file.offers], ['Goal', 'mp4', ['copyClipUrl', 'downloadMp4']]);
      assert.match(file.media?.url ?? '', /\/clips\/[\w-]+\/source\.mp4$/);
      assert.match(file.heading.facts.join(' | '), /^Created: Jan 1, 1970 \d\d:00 \| 0:02$/);
      for (const stream of fixture.service.control.streams().filter(({ name }) => name === 'Keynote')) {
        await fixture.context.connection.account.readStream(stream.id);
        await fixture.context.loader.ensureClips([stream.id]);
      }
      const { heading } = await readSubject(fixture.context, { kind: 'clip', id }, inPlayer);
      assert.deepEqual(heading.facts, ['Keynote', ...file.heading.facts]);
      const both = await made(fixture, { playbackUrl: 'https://example.com/clip/index.m3u8' });
      const { media } = await readSubject(fixture.context, { kind: 'clip', id: both.id }, inPlayer);
      assert.deepEqual(media, { kind: 'hls', url: 'https://example.com/clip/index.m3u8' });
    }),
  );

  it(
    'says what it is of: the stream, when that was broadcast, and where in it',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const stream = service.control.addStream({ name: 'Keynote', record: true });
      const session = service.control.addSession(stream.id, READY);
      const { id } = service.control.addClip(session.id, { name: 'Goal', createdAt: 5, excerpt: { from: 61, to: 90 } });
      await context.connection.account.readStream(stream.id);
      await context.loader.ensureSessions(stream.id);
      await context.loader.ensureClips([stream.id]);
      const { heading } = await readSubject(context, { kind: 'clip', id }, inPlayer);
      const broadcast = formatDayAndClock(session.createdAt, context.drawing());
      assert.deepEqual(heading.facts, ['Keynote', broadcast, '1:01–1:30']);
    }),
  );

  it(
    'says that it is still being created, or could not be, or is gone',
    withCommands({}, async (fixture) => {
      const { context, service } = fixture;
      const later = await made(fixture, { createdAt: Number.MAX_SAFE_INTEGER });
      const subject = await readSubject(context, { kind: 'clip', id: later.id }, inPlayer);
      assert.deepEqual(
        [subject.isPending, subject.problem],
        [true, { kind: 'said', sentence: 'This clip is still being created.', actions: ['retry'] }],
      );
      service.control.failClips('No disk');
      const failed = await made(fixture);
      const { problem } = await readSubject(context, { kind: 'clip', id: failed.id }, inPlayer);
      assert.deepEqual(problem, { kind: 'said', sentence: "This clip couldn't be created.", actions: [] });
      service.control.deleteClip(later.id);
      const gone = { name: 'Refusal', sentence: 'This clip no longer exists.' };
      await assert.rejects(readSubject(context, { kind: 'clip', id: later.id }, inPlayer), gone);
      await assert.rejects(readSubject(context, { kind: 'clip', id: 'none' }, inPlayer), gone);
    }),
  );
});

describe('What is recorded', () => {
  it(
    'is offered for a clip where the service has clips',
    withCommands({}, async (fixture) => {
      const { context, service } = fixture;
      const stream = service.control.addStream({ name: 'Keynote', record: true, isActive: true });
      const unrecorded = service.control.addStream({ name: 'Talk', isActive: true });
      const offersOf = async (id: string) =>
        (await readSubject(context, { kind: 'stream', id }, { name: '', prefersMp4: false })).offers;
      assert.ok((await offersOf(stream.id)).includes('createClip'));
      assert.ok(!(await offersOf(unrecorded.id)).includes('createClip'));
      context.connection.account.lateRequests.lose('clips');
      assert.ok(!(await offersOf(stream.id)).includes('createClip'));
    }),
  );
});
