import assert from 'node:assert/strict';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type PlayerFixture, withPlayer } from './playerFixture.ts';

/** Opens a stream that is idle, which the player waits for. */
async function awaitStream({ service, open, untilProblem }: PlayerFixture) {
  const { id } = service.control.addStream({ name: 'Talk' });
  const part = await open('stream', id);
  await untilProblem('notLive');
  return { id, part };
}

async function readNow({ context }: PlayerFixture, id: string): Promise<void> {
  await context.connection.account.readStream(id);
}

describe('A player that waits for its stream', () => {
  it(
    'begins at once when the stream goes live, once',
    withPlayer(async (fixture) => {
      const { service, untilProblem, asked, serial } = fixture;
      const { id, part } = await awaitStream(fixture);
      assert.deepEqual(asked, []);
      service.control.startBroadcast(id);
      await readNow(fixture, id);
      part.followStream();
      const { source, heading } = await untilProblem(undefined);
      assert.ok(source?.startsItself);
      assert.equal(heading.isLive, true);
      const before = [asked.length, serial()];
      part.followStream();
      assert.deepEqual([asked.length, serial()], before);
    }),
  );

  it(
    'asks for nothing while it is hidden, and shows the new state when it is seen again',
    withPlayer(async (fixture) => {
      const { service, asked, page, see } = fixture;
      const { id, part } = await awaitStream(fixture);
      see(false);
      service.control.startBroadcast(id);
      await readNow(fixture, id);
      part.followStream();
      assert.deepEqual(asked, []);
      assert.equal(page().heading.isLive, false, 'the page was told nothing but its heading');
      part.sendShown();
      assert.deepEqual([page().heading.isLive, page().problem?.kind], [true, 'notLive']);
    }),
  );
});

describe('A player of a stream that is live', () => {
  it(
    'knows when what it shows was broadcast, until something else is shown',
    withPlayer(async ({ service, open, untilProblem }) => {
      const { id } = service.control.addStream({ name: 'Talk', isActive: true });
      const part = await open('stream', id);
      await untilProblem(undefined);
      assert.equal(part.read.watchedAt, undefined);
      await part.receive({ kind: 'watched', date: 5000 });
      assert.equal(part.read.watchedAt, 5000);
      await part.load({ startsItself: true });
      assert.equal(part.read.watchedAt, undefined);
    }),
  );

  it(
    'plays on while the service rejects the key, says so, and has the button that mends it until then',
    withPlayer(async (fixture) => {
      const { service, context, open, told, page, untilProblem, acted } = fixture;
      const { id } = service.control.addStream({ name: 'Talk', isActive: true });
      const part = await open('stream', id);
      await untilProblem(undefined);
      assert.equal(page().heading.way, undefined);
      const heading = () => told.flatMap((each) => (each.kind === 'heading' ? [each.heading] : [])).at(-1);
      service.control.revokeKey();
      await assert.rejects(readNow(fixture, id));
      part.followStream();
      assert.deepEqual([heading()?.way, heading()?.facts[0], part.hasSource], ['setApiKey', 'API key rejected', true]);
      await part.receive({ kind: 'act', action: 'setApiKey' });
      assert.deepEqual(acted, ['setApiKey']);
      service.control.restoreKey();
      await context.loader.refresh();
      assert.equal(context.store.snapshot.connection.kind, 'open');
      part.followStream();
      assert.deepEqual([heading()?.way, heading()?.facts.includes('API key rejected')], [undefined, false]);
    }),
  );

  it(
    'is told since when, once its sessions are known',
    withPlayer(async (fixture) => {
      const { service, context, open, page, untilProblem } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.startBroadcast(id);
      const [session] = service.control.sessions(id);
      service.control.setSession(session?.id ?? '', {
        ...{ lastSeen: (session?.createdAt ?? 0) + 8000, sourceSegmentsDuration: 8 },
      });
      const part = await open('stream', id);
      await untilProblem(undefined);
      await waitUntil(async () => context.store.snapshot.sessions.get(id)?.isLoaded === true);
      part.followStream();
      part.sendShown();
      assert.equal(page().heading.beganAt, session?.createdAt);
      service.control.endBroadcast(id);
      await readNow(fixture, id);
      part.followStream();
      part.sendShown();
      assert.equal(page().heading.beganAt, undefined);
    }),
  );
});

describe('A player of a broadcast that has just begun', () => {
  it(
    'reads its sessions with each read of the stream until the service lists the one of the broadcast',
    withPlayer(async (fixture) => {
      const { service, open, page, untilProblem } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.startBroadcast(id);
      const [session] = service.control.sessions(id);
      const isList = (path: string) => path === `/api/stream/${id}/sessions`;
      const lists = () => service.control.requests.filter(({ path, status }) => isList(path) && status === 200).length;
      const part = await open('stream', id);
      await untilProblem(undefined);
      await waitUntil(async () => lists() === 1);
      const follow = async () => {
        await readNow(fixture, id);
        part.followStream();
      };
      await follow();
      await waitUntil(async () => lists() === 2);
      part.followStream();
      part.sendShown();
      assert.equal(page().heading.beganAt, undefined);
      const createdAt = session?.createdAt ?? 0;
      service.control.setSession(session?.id ?? '', { lastSeen: createdAt + 8000, sourceSegmentsDuration: 8 });
      await follow();
      await waitUntil(async () => {
        part.followStream();
        part.sendShown();
        return page().heading.beganAt === createdAt;
      });
      await follow();
      assert.equal(lists(), 3, 'no longer');
    }),
  );
});

describe('A player of a stream that is gone', () => {
  it(
    'says so once its broadcast has no playlist any more, without the live badge',
    withPlayer(async (fixture) => {
      const { service, open, untilProblem, media, page, serial } = fixture;
      const { id } = service.control.addStream({ name: 'Talk', isActive: true });
      const part = await open('stream', id);
      await untilProblem(undefined);
      service.control.deleteStream(id);
      media(404);
      await part.receive({
        kind: 'failed',
        serial: serial(),
        problem: { kind: 'status', status: 404, host: 'x.test' },
      });
      part.followStream();
      const { problem, heading, offers } = page();
      const sentence = 'This stream was deleted. Its stream key and playback URLs no longer work.';
      assert.deepEqual(problem, { kind: 'said', sentence, actions: [] });
      assert.deepEqual([heading, offers], [{ title: 'Talk', facts: ['Deleted'], isLive: false }, []]);
    }),
  );

  it(
    'stays as it is',
    withPlayer(async ({ open, untilProblem, page }) => {
      const part = await open('stream', 'gone');
      const { serial } = await untilProblem('said');
      part.followStream();
      assert.equal(page().serial, serial);
    }),
  );
});

describe('A player of a live stream', () => {
  it(
    'goes on with what it plays when the stream is renamed or ends, under the new heading',
    withPlayer(async (fixture) => {
      const { service, open, untilProblem, asked, page } = fixture;
      const stream = service.control.addStream({ name: 'Talk', isActive: true });
      const part = await open('stream', stream.id);
      const { source } = await untilProblem(undefined);
      const before = asked.length;
      service.control.setStream(stream.id, { name: 'Another talk' });
      await readNow(fixture, stream.id);
      part.followStream();
      service.control.endBroadcast(stream.id);
      await readNow(fixture, stream.id);
      part.followStream();
      part.sendShown();
      assert.deepEqual([page().heading.title, page().heading.isLive], ['Another talk', false]);
      assert.deepEqual([page().source, asked.length], [source, before]);
      assert.deepEqual(fixture.tabs, ['Talk', 'Another talk']);
    }),
  );
});

describe('A player that waits for a recording', () => {
  it(
    'loads it once it is ready, and not before',
    withPlayer(async (fixture) => {
      const { service, open, untilProblem, asked } = fixture;
      const stream = service.control.addStream({ name: 'Talk' });
      const waiting = { record: true, recordingStatus: 'waiting', lastSeen: Date.now(), sourceSegmentsDuration: 60 };
      const { id } = service.control.addSession(stream.id, waiting);
      const part = await open('session', id);
      await untilProblem('processing');
      const read = async () => {
        const session = await fixture.context.connection.account.findSession(id);
        assert.ok(session);
        return session;
      };
      part.followSession(await read(), { startsItself: false });
      assert.deepEqual(asked, []);
      const recordingUrl = 'https://media.example/a.m3u8';
      service.control.setSession(id, { recordingStatus: 'ready', recordingUrl });
      part.followSession(await read(), { startsItself: false });
      const { source } = await untilProblem(undefined);
      assert.equal(source?.startsItself, false);
      assert.deepEqual([...new Set(asked)], [recordingUrl]);
    }),
  );
});
