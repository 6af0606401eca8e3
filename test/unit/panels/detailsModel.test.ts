import assert from 'node:assert/strict';
import { DetailsModel, isOther } from '../../../src/panels/detailsModel.ts';
import { aSession, aSnapshot, aStream, aTrouble, DAY, HOUR } from '../../support/model/builders.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from '../commands/fixture.ts';

function compose({ context, service }: Fixture) {
  const stream = service.control.addStream({ name: 'Talk' });
  const session = service.control.addSession(stream.id, {
    ...{ record: true, recordingStatus: 'waiting', lastSeen: Date.now(), sourceSegmentsDuration: 60 },
  });
  const target = { connection: context.connection.info?.id ?? '', kind: 'session', id: session.id } as const;
  return { stream, session, subject: new DetailsModel(context, target) };
}

/** Holds the answers to reads of this session; each is released with the session as it was when it was asked for. */
function holdReads({ service, requests }: Fixture, id: string) {
  const held: (() => void)[] = [];
  const own = (path: string) => path.endsWith(`/session/${id}`);
  service.control.fault(async ({ path }) => {
    if (!own(path)) return undefined;
    const body = JSON.stringify(allSessions({ service }).find((session) => session.id === id));
    await new Promise<void>((resolve) => held.push(resolve));
    return { status: 200, body };
  });
  const untilAsked = (count: number) =>
    waitUntil(async () => requests().filter((line) => line.includes(id)).length >= count);
  return { held, untilAsked };
}

const allSessions = ({ service }: Pick<Fixture, 'service'>) =>
  service.control.streams().flatMap(({ id }) => service.control.sessions(id));

describe('The session of a details page', () => {
  it(
    'is that of the read that was asked for last, though an earlier one ends later',
    withCommands({}, async (fixture) => {
      const { service } = fixture;
      const { session, subject } = compose(fixture);
      await subject.load('');
      assert.equal(subject.session?.recordingStatus, 'waiting');
      const { held, untilAsked } = holdReads(fixture, session.id);
      service.control.clearRequests();
      const first = subject.poll('', 0);
      await untilAsked(1);
      service.control.setSession(session.id, {
        recordingStatus: 'ready',
        recordingUrl: 'https://media.example/a.m3u8',
      });
      const second = subject.poll('', 0);
      await untilAsked(2);
      held[1]?.();
      await second;
      assert.equal(subject.session?.recordingStatus, 'ready');
      held[0]?.();
      await first;
      assert.equal(subject.session?.recordingStatus, 'ready');
    }),
  );

  it(
    'is that of a load that began while a poll was under way',
    withCommands({}, async (fixture) => {
      const { service } = fixture;
      const { session, subject } = compose(fixture);
      await subject.load('');
      const { held, untilAsked } = holdReads(fixture, session.id);
      service.control.clearRequests();
      const polling = subject.poll('', 0);
      await untilAsked(1);
      // As when its connection was opened again.
      subject.forgetSession();
      service.control.setSession(session.id, {
        recordingStatus: 'ready',
        recordingUrl: 'https://media.example/a.m3u8',
      });
      const loading = subject.load('');
      await untilAsked(2);
      held[1]?.();
      assert.equal(await loading, true);
      held[0]?.();
      await polling;
      assert.equal(subject.session?.recordingStatus, 'ready');
    }),
  );
});

describe('The sessions of a details page of a stream', () => {
  it(
    'are polled only while one of them can still change',
    withCommands({}, async (fixture) => {
      const { service, context, requests } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      const past = { record: true, lastSeen: Date.now(), sourceSegmentsDuration: 60 };
      const media = { recordingStatus: 'ready', recordingUrl: 'https://media.example/a.m3u8' } as const;
      const session = service.control.addSession(id, { ...past, ...media });
      const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
      const subject = new DetailsModel(context, target);
      await subject.load('');
      const areSessionsPolled = async () => {
        service.control.clearRequests();
        await subject.poll('', 0);
        return requests().some((line) => line.includes('session'));
      };
      assert.equal(await areSessionsPolled(), false);
      service.control.setSession(session.id, { recordingStatus: 'waiting' });
      await context.loader.pollSessions([id]);
      assert.equal(await areSessionsPolled(), true);
    }),
  );

  it(
    'are polled once more when the broadcast has ended that was live before',
    withCommands({}, async ({ service, context, requests }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.startBroadcast(id);
      const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
      const subject = new DetailsModel(context, target);
      await subject.load('');
      service.control.endBroadcast(id);
      for (const count of [1, 0]) {
        service.control.clearRequests();
        await subject.poll('', 0);
        assert.equal(requests().filter((line) => line.includes('session')).length, count);
      }
    }),
  );

  it('are kept for when the stream is gone, though the list becomes empty, and are none on a session’s page', () => {
    const context = {} as unknown as Fixture['context'];
    const snapshotWith = (...ids: readonly string[]) =>
      aSnapshot({ sessions: { s1: ids.map((id) => aSession({ id })) } });
    const leftOf = (kind: 'stream' | 'session') => {
      const subject = new DetailsModel(context, { connection: 'one', kind, id: 's1' });
      for (const snapshot of [snapshotWith('x1'), snapshotWith(), aSnapshot()]) subject.keepKnown(snapshot);
      return subject.parts('').formerSessions?.map(({ id }) => id);
    };
    assert.deepEqual([leftOf('stream'), leftOf('session')], [['x1'], []]);
  });
});

describe('A load of a details page', () => {
  const targetOf = ({ context }: Fixture, kind: 'stream' | 'session', id: string) =>
    ({ connection: context.connection.info?.id ?? '', kind, id }) as const;
  const readsOfStream = ({ requests }: Fixture) => requests().filter((line) => /\/api\/stream\/[^/]+$/.test(line));

  it(
    'reads the stream of a session only if the stream is not known',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const { stream, session, subject } = compose(fixture);
      await subject.load('');
      assert.deepEqual(readsOfStream(fixture), [`GET /api/stream/${stream.id}`]);
      service.control.clearRequests();
      await new DetailsModel(context, targetOf(fixture, 'session', session.id)).load('');
      assert.deepEqual(readsOfStream(fixture), []);
      const orphan = aSession({ id: 'orphan', recordingUrl: 'https://media.example/a.m3u8' });
      const given = { ...targetOf(fixture, 'session', 'orphan'), session: orphan };
      const alone = new DetailsModel(context, given);
      assert.equal(await alone.load(''), true);
      assert.deepEqual([alone.trouble, readsOfStream(fixture)], [undefined, []]);
    }),
  );

  it(
    'shows a session whose stream cannot be read',
    withCommands({}, async (fixture) => {
      const { stream, session, subject } = compose(fixture);
      fixture.service.control.fault(({ path }) =>
        path.endsWith(`/stream/${stream.id}`) ? { status: 403, body: '{}' } : undefined,
      );
      await subject.load('');
      assert.deepEqual([subject.session?.id, subject.trouble], [session.id, undefined]);
    }),
  );

  it(
    'fails for good if the stream or session is gone, and may be repeated if it failed otherwise',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const { session, subject } = compose(fixture);
      service.control.fault(() => ({ status: 403, body: '{}' }));
      await subject.load('');
      const { trouble, canRecover, isBroken } = subject;
      assert.deepEqual(
        [trouble, canRecover, isBroken],
        ["This API key doesn't have permission to do that.", true, true],
      );
      service.control.fault(undefined);
      await subject.load('');
      assert.deepEqual([subject.trouble, subject.isBroken, subject.session?.id], [undefined, false, session.id]);
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.deleteStream(id);
      const gone = new DetailsModel(context, targetOf(fixture, 'stream', id));
      await gone.load('Talk');
      assert.deepEqual([gone.trouble, gone.isBroken], ['This stream no longer exists.', false]);
      await gone.load('');
      assert.equal(gone.trouble, `"${id}" no longer exists.`, 'where no title names it');
    }),
  );

  it(
    'does not look for recordings of a session that is gone',
    withCommands({}, async (fixture) => {
      const subject = new DetailsModel(fixture.context, targetOf(fixture, 'session', 'gone'));
      await subject.load('');
      assert.equal(subject.trouble, 'This session no longer exists.');
      assert.ok(!fixture.requests().some((line) => line.includes('/stream/')), fixture.requests().join());
    }),
  );

  it(
    'finds where the stream of its page plays, and no session’s',
    withCommands({}, async (fixture) => {
      const { stream, subject } = compose(fixture);
      const ofStream = new DetailsModel(fixture.context, targetOf(fixture, 'stream', stream.id));
      for (const each of [subject, ofStream]) await each.load('');
      const url = fixture.service.addresses.hls?.replace('{playbackId}', stream.playbackId ?? '');
      assert.deepEqual([subject.parts('').hlsUrl, ofStream.parts('').hlsUrl], [undefined, url]);
    }),
  );

  it(
    'remembers the stream of a session when its connection is opened a second and a third time',
    withCommands({}, async (fixture) => {
      const { stream, subject } = compose(fixture);
      await subject.load('');
      for (let times = 0; times < 2; times++) {
        subject.forgetSession();
        assert.deepEqual([subject.session, subject.parts('').parentId], [undefined, stream.id]);
      }
    }),
  );

  it(
    'notes when the session was read, and keeps that while nothing new is read',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const { session, subject } = compose(fixture);
      let now = 1000;
      Object.assign(context, { drawing: () => ({ now, locale: 'en', timeZone: 'UTC' }) });
      assert.equal(subject.parts('').readAt, undefined);
      await subject.load('');
      now = 2000;
      assert.equal(subject.parts('').readAt, 1000);
      assert.equal(await subject.poll('', 0), true);
      assert.equal(subject.parts('').readAt, 2000);
      service.control.setSession(session.id, { recordingStatus: 'failed' });
      await subject.poll('', 0);
      now = 3000;
      assert.equal(await subject.poll('', 0), true);
      assert.equal(subject.parts('').readAt, 2000, 'it cannot change any more');
    }),
  );

  it(
    'is repeated once the service responds again, if it failed',
    withCommands({}, async (fixture) => {
      const { subject } = compose(fixture);
      const [up, down] = [aSnapshot(), aSnapshot({ trouble: aTrouble('network') })];
      const changes = [
        { previous: down, current: up },
        { previous: up, current: down },
        { previous: up, current: up },
        { previous: down, current: down },
      ];
      assert.deepEqual(
        changes.map((change) => subject.isRecoveredBy(change)),
        [false, false, false, false],
      );
      fixture.service.control.fault(() => ({ status: 403, body: '{}' }));
      await subject.load('');
      assert.deepEqual(
        changes.map((change) => subject.isRecoveredBy(change)),
        [true, false, false, false],
      );
      assert.equal(await subject.poll('', 0), true, 'nothing is to be read');
    }),
  );

  it(
    'is repeated then if the service couldn’t say where a stream plays, which is known afterwards',
    withCommands({ addresses: {} }, async (fixture) => {
      const { context, service } = fixture;
      const { stream } = compose(fixture);
      await context.loader.reloadList('idle');
      const connection = context.connection.info?.id ?? '';
      const subject = new DetailsModel(context, { connection, kind: 'stream', id: stream.id });
      service.control.fault(() => 'reset');
      await subject.load('');
      assert.deepEqual([subject.isBroken, subject.parts('').hlsUrl], [false, undefined]);
      const back = { previous: aSnapshot({ trouble: aTrouble('network') }), current: aSnapshot() };
      assert.equal(subject.isRecoveredBy(back), true);
      service.control.fault(undefined);
      await subject.load('');
      assert.match(subject.parts('').hlsUrl ?? '', /\.m3u8$/);
      assert.equal(subject.isRecoveredBy(back), false, 'nothing is missing');
    }),
  );

  it(
    'is followed by polls that say whether the service responded',
    withCommands({ isHurried: true }, async (fixture) => {
      const { subject } = compose(fixture);
      await subject.load('');
      fixture.service.control.fault(() => ({ status: 403, body: '{}' }));
      assert.equal(await subject.poll('', 0), false);
    }),
  );
});

describe('The health of a stream on its page', () => {
  async function watch({ service, context }: Fixture) {
    const { id } = service.control.addStream({ name: 'Talk' });
    service.control.startBroadcast(id);
    const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
    const subject = new DetailsModel(context, target);
    await subject.load('');
    await subject.readHealth();
    return { id, subject };
  }

  it(
    'is read once in a while, and forgotten once the broadcast has ended',
    withCommands({}, async (fixture) => {
      const { service, context, requests } = fixture;
      const { id, subject } = await watch(fixture);
      const known = () => context.store.snapshot.health.get(id);
      assert.ok(known()?.some(({ isMet }) => isMet === true));
      service.control.clearRequests();
      await subject.readHealth();
      assert.deepEqual(requests(), []);
      service.control.endBroadcast(id);
      await context.connection.account.readStream(id);
      service.control.clearRequests();
      await subject.readHealth();
      assert.deepEqual([known(), requests()], [undefined, []]);
    }),
  );

  it(
    'is read for the page of the session that is running, and for no other of its sessions',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      const running = service.control.startBroadcast(id);
      const { createdAt } = running;
      // The service lists no session that nothing was sent in.
      const sent = { sourceSegments: 3, sourceSegmentsDuration: 6 };
      service.control.setSession(running.id, { ...sent, lastSeen: createdAt });
      const before = { createdAt: createdAt - DAY, lastSeen: createdAt - HOUR };
      const past = service.control.addSession(id, { ...sent, ...before });
      await context.connection.account.readStream(id);
      await context.loader.ensureSessions(id);
      const readFor = async (session: { readonly id: string }) => {
        const subject = new DetailsModel(context, {
          ...{ connection: context.connection.info?.id ?? '', kind: 'session', id: session.id },
        });
        await subject.load('');
        await subject.readHealth();
        return context.store.snapshot.health.has(id);
      };
      assert.deepEqual([await readFor(past), await readFor(running)], [false, true]);
    }),
  );
});

describe('Why the recording of a session failed', () => {
  it(
    'is read once from its asset, and is forgotten with its connection',
    withCommands({}, async (fixture) => {
      const { service, requests } = fixture;
      const { session, subject } = compose(fixture);
      await subject.load('');
      await subject.readFailure();
      assert.ok(!requests().some((line) => line.includes('/asset/')), 'not while it is processed');
      service.control.setSession(session.id, { recordingStatus: 'failed' });
      await subject.poll('', 0);
      await subject.readFailure();
      assert.equal(subject.parts('').failure, 'Could not write the recording to storage');
      await subject.readFailure();
      assert.equal(requests().filter((line) => line.includes('/asset/')).length, 1);
      subject.forgetSession();
      assert.equal(subject.parts('').failure, undefined);
    }),
  );

  it(
    'is not known where the service does not give a reason, and holds no key',
    withCommands({}, async (fixture) => {
      const { service, context } = fixture;
      const { stream, session, subject } = compose(fixture);
      await context.connection.account.readStream(stream.id);
      service.control.setSession(session.id, { recordingStatus: 'failed' });
      const answers = [
        { status: 404, body: '{"errors":["not found"]}' },
        { status: 500, body: '' },
        { status: 200, body: JSON.stringify({ id: session.id, status: { phase: 'failed' } }) },
        { status: 200, body: JSON.stringify({ id: session.id, status: { errorMessage: `No ${stream.streamKey}\n` } }) },
      ];
      const found: (string | undefined)[] = [];
      for (const answer of answers) {
        service.control.fault(({ path }) => (path.includes('/asset/') ? answer : undefined));
        subject.forgetSession();
        await subject.load('');
        await subject.readFailure();
        found.push(subject.parts('').failure);
      }
      assert.deepEqual(found.slice(0, 3), [undefined, undefined, undefined]);
      assert.match(found[3] ?? '', /^No \S+$/);
      assert.ok(!found[3]?.includes(String(stream.streamKey)), found[3]);
    }),
  );
});

describe('The clips of a session on its page', () => {
  it(
    'are read once after the page is shown, and again while one is being created',
    withCommands({}, async (fixture) => {
      const { service, context, requests } = fixture;
      const { stream, session, subject } = compose(fixture);
      let phase = 'processing';
      service.control.fault(({ path }) => {
        const clip = { id: 'c1', source: { sessionId: session.id }, status: { phase } };
        return path.endsWith('/clips') ? { status: 200, body: JSON.stringify([clip]) } : undefined;
      });
      const known = () => context.store.snapshot.clips.get(stream.id)?.map((clip) => clip.phase);
      const reads = () => requests().filter((line) => line.includes('/clips')).length;
      await subject.load('');
      assert.deepEqual([known(), reads()], [undefined, 0]);
      await subject.readClips();
      assert.deepEqual(known(), ['processing']);
      phase = 'ready';
      await subject.readClips();
      assert.deepEqual(known(), ['ready']);
      await subject.readClips();
      assert.equal(reads(), 2);
    }),
  );

  it(
    'begin where the service was asked to cut them, which is read once',
    withCommands({}, async (fixture) => {
      const { service, requests } = fixture;
      const { session, subject } = compose(fixture);
      const { id } = service.control.addClip(session.id, { excerpt: { from: 12, to: 20 } });
      const starts = () => subject.parts('').clipStarts?.get(id);
      const reads = () => requests().filter((line) => line.includes('/task')).length;
      await subject.load('');
      assert.deepEqual([starts(), reads()], [undefined, 0]);
      await subject.readClips();
      await subject.readClips();
      assert.deepEqual([starts(), reads()], [(session.createdAt ?? 0) + 12_000, 1]);
    }),
  );

  it(
    'are listed although the service does not say where they begin',
    withCommands({}, async (fixture) => {
      const { service, context, log } = fixture;
      const { stream, session, subject } = compose(fixture);
      service.control.addClip(session.id, { excerpt: { from: 12, to: 20 } });
      service.control.fault(({ path }) => (path.endsWith('/task') ? { status: 404, body: '{}' } : undefined));
      await subject.load('');
      await subject.readClips();
      assert.deepEqual(
        [subject.parts('').clipStarts?.size, context.store.snapshot.clips.get(stream.id)?.length],
        [0, 1],
      );
      assert.ok(log.lines.some((line) => line.includes('Reading when clips begin')));
    }),
  );

  it(
    'are not asked for on the page of a stream',
    withCommands({}, async ({ service, context, requests }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
      const subject = new DetailsModel(context, target);
      await subject.load('');
      await subject.readClips();
      assert.ok(!requests().some((line) => line.includes('/clips')));
    }),
  );
});

describe('A change of the recordings', () => {
  const previous = aSnapshot({ streams: [aStream({ id: 's1' })] });
  const current = { ...previous, recordings: { ...previous.recordings, items: [aSession({ id: 'x1' })] } };
  const concerns = (kind: 'stream' | 'session', parentId?: string) => {
    const session = kind === 'session' && parentId !== undefined ? aSession({ id: 'x1', parentId }) : undefined;
    return isOther({ previous, current }, { target: { connection: 'one', kind, id: 's1' }, session });
  };

  it('concerns the page of a session, whose stream may not be known, and no page of a stream', () => {
    assert.deepEqual([concerns('session'), concerns('session', 's1'), concerns('stream')], [true, true, false]);
  });

  it('concerns every page when a setting changes, as the page may show what depends on it', () => {
    const current = { ...previous, settings: { ...previous.settings, playIn: 'browser' as const } };
    const target = { connection: 'one', kind: 'session', id: 'x1' } as const;
    assert.equal(isOther({ previous, current }, { target, session: undefined }), true);
  });

  it('concerns no page of a session while they stay as they are', () => {
    const same = { previous, current: { ...previous } };
    const target = { connection: 'one', kind: 'session', id: 'x1' } as const;
    assert.equal(isOther(same, { target, session: undefined }), false);
  });
});
