import assert from 'node:assert/strict';
import { DetailsSubject, isOther } from '../../../src/panels/detailsSubject.ts';
import { aSession, aSnapshot, aStream } from '../../support/model/builders.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from '../commands/fixture.ts';

function compose({ context, service }: Fixture) {
  const stream = service.control.addStream({ name: 'Talk' });
  const session = service.control.addSession(stream.id, {
    ...{ record: true, recordingStatus: 'waiting', lastSeen: Date.now(), sourceSegmentsDuration: 60 },
  });
  const target = { connection: context.current.info?.id ?? '', kind: 'session', id: session.id } as const;
  return { stream, session, subject: new DetailsSubject(context, target) };
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
      const target = { connection: context.current.info?.id ?? '', kind: 'stream', id } as const;
      const subject = new DetailsSubject(context, target);
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

  it('concerns no page of a session while they stay as they are', () => {
    const same = { previous, current: { ...previous } };
    const target = { connection: 'one', kind: 'session', id: 'x1' } as const;
    assert.equal(isOther(same, { target, session: undefined }), false);
  });
});
