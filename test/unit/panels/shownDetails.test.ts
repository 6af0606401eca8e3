import assert from 'node:assert/strict';
import type { Session } from '../../../src/api/types.ts';
import type { ConnectionState, LoadFailure, SubList } from '../../../src/model/store/snapshot.ts';
import { hasGone, isOther, knownSession } from '../../../src/panels/detailsModel.ts';
import { connectionProblem } from '../../../src/panels/ownConnection.ts';
import { shownDetails } from '../../../src/panels/shownDetails.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aSubList,
  aTrouble,
  MINUTE,
  NOW,
} from '../../support/model/builders.ts';
import { fakeSettings } from '../../support/model/fakes.ts';

const STREAM = { connection: 'one', kind: 'stream', id: 's1' } as const;
const SESSION = { connection: 'one', kind: 'session', id: 'x1' } as const;

describe('The details page of a connection', () => {
  const why = (connection: ConnectionState) => connectionProblem(aSnapshot({ connection }), STREAM);

  it('is shown while its connection is open, though its key was refused', () => {
    assert.equal(why({ kind: 'open', info: aConnection() }), undefined);
    assert.equal(why({ kind: 'refused', info: aConnection() }), undefined);
  });

  it('says why it is not, and what can be done', () => {
    const acts = (connection: ConnectionState) => why(connection)?.ways;
    assert.deepEqual(acts({ kind: 'starting' }), []);
    assert.deepEqual(acts({ kind: 'none' }), ['switchConnection']);
    assert.deepEqual(acts({ kind: 'open', info: aConnection({ id: 'two' }) }), ['addConnection', 'startDemo']);
    assert.deepEqual(acts({ kind: 'keyless', info: aConnection() }), ['setApiKey']);
    const ofDemo = { ...STREAM, connection: 'demo' };
    const off = connectionProblem(aSnapshot({ connection: { kind: 'none' } }), ofDemo);
    assert.deepEqual(off?.ways, ['startDemo']);
  });

  it('names the connection that it belongs to, while that is stored', () => {
    const whyOf = (target: typeof STREAM | typeof SESSION, names: readonly (readonly [string, string])[]) => {
      const connection = { kind: 'open', info: aConnection({ id: 'two' }) } as const;
      return connectionProblem(aSnapshot({ connection, connectionNames: new Map(names) }), target);
    };
    const names = [['one', `Pro\nduction${'n'.repeat(200)}`]] as const;
    const own = whyOf(STREAM, names);
    assert.match(
      own?.sentence ?? '',
      /^This item belongs to "Pro duction?n{70,90}…?", which isn't the current connection\.$/,
    );
    assert.deepEqual(own?.ways, ['openOwnConnection']);
    assert.match(whyOf(SESSION, names)?.sentence ?? '', /^This item belongs to "Pro /);
    assert.equal(whyOf(STREAM, [])?.sentence, "This item belongs to a connection that isn't the current one.");
    assert.equal(whyOf(SESSION, [])?.sentence, "This item belongs to a connection that isn't the current one.");
  });
});

describe('The sessions on the details page of a stream', () => {
  const shownWith = (list: Partial<SubList<Session>> | undefined, formerSessions = [aSession({ id: 'x1' })]) => {
    const info = aConnection({ id: 'one' });
    const base = aSnapshot({ connection: { kind: 'open', info }, streams: [aStream({ id: 's1' })] });
    const sessions = new Map(list === undefined ? [] : [['s1', aSubList<Session>([], list)]]);
    const context = {
      ...{ store: { snapshot: { ...base, sessions } }, settings: fakeSettings(), demo: {}, connection: { info } },
      drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    } as unknown as Parameters<typeof shownDetails>[0];
    const parts = { target: STREAM, session: undefined, name: 'Keynote', trouble: undefined, canRecover: false };
    const shown = shownDetails(context, { ...parts, formerSessions });
    assert.ok(shown.kind === 'details');
    return shown.sessions;
  };
  const trouble = aTrouble('unavailable');

  it('stay where a refresh has dropped them and they could not be read again', () => {
    assert.equal(shownWith(undefined)?.sessions.length, 1);
    const failed = shownWith({ isLoaded: false, trouble });
    assert.equal(failed?.sessions.length, 1);
    assert.deepEqual(fieldsOf(failed?.notes, 'text'), ["Couldn't load the sessions."]);
    assert.deepEqual(shownWith({})?.sessions, []);
  });

  it('are up to date with Recordings if the stream is gone', () => {
    const info = aConnection({ id: 'one' });
    const base = aSnapshot({ connection: { kind: 'open', info }, streams: [] });
    const kept = aSession({ id: 'x1', recordingStatus: 'waiting', recordingUrl: undefined });
    const recorded = aSession({ id: 'x1', recordingStatus: 'ready', recordingUrl: 'https://cdn.example/r.m3u8' });
    const snapshot = { ...base, recordings: { ...base.recordings, items: [recorded] } };
    const context = {
      ...{ store: { snapshot }, settings: fakeSettings(), demo: {}, connection: { info } },
      drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    } as unknown as Parameters<typeof shownDetails>[0];
    const parts = { target: STREAM, session: undefined, name: 'Keynote', trouble: 'Gone.', canRecover: false };
    const shown = shownDetails(context, { ...parts, former: aFact(aStream({ id: 's1' })), formerSessions: [kept] });
    assert.deepEqual(fieldsOf(shown.sessions?.sessions, 'recording', 'canPlay'), [['Ready', true]]);
  });

  it('are not said to have failed while they are loaded again', () => {
    const shown = shownWith({ isLoaded: false, isLoading: true, trouble }, []);
    assert.deepEqual([shown?.isLoading, shown?.notes], [true, []]);
  });
});

describe('The details page of a connection that is not open', () => {
  const shown = (connection: ConnectionState, connectionCount = 1, failed = {}) => {
    const context = {
      ...{ store: { snapshot: aSnapshot({ connection, connectionCount }) }, settings: fakeSettings() },
      ...{
        demo: {},
        connection: 'info' in connection ? { info: connection.info } : {},
        drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
      },
    } as unknown as Parameters<typeof shownDetails>[0];
    const parts = { target: STREAM, session: undefined, name: 'Keynote', trouble: undefined, canRecover: false };
    return shownDetails(context, { ...parts, ...failed });
  };

  it('is a notice with the name of its stream, what is wrong, and a button for each way to go on', () => {
    assert.deepEqual(shown({ kind: 'none' }), {
      ...{ kind: 'notice', title: 'Keynote' },
      sentence: "This item belongs to a connection that isn't the current one.",
      buttons: [{ label: 'Switch Connection…', act: 'switchConnection' }],
    });
    const other = shown({ kind: 'open', info: aConnection({ id: 'two' }) });
    assert.deepEqual(other.kind === 'notice' && other.buttons, [
      { label: 'Connect to a Service…', act: 'addConnection' },
      { label: 'Try the Demo', act: 'startDemo' },
    ]);
    const keyless = shown({ kind: 'keyless', info: aConnection() });
    assert.match(keyless.kind === 'notice' ? keyless.sentence : '', /no longer in secret storage/);
    assert.deepEqual(keyless.kind === 'notice' && keyless.buttons, [{ label: 'Set API Key…', act: 'setApiKey' }]);
  });

  it('offers another key beside a retry only where the key is rejected', () => {
    const info = aConnection({ id: STREAM.connection });
    const buttons = (kind: 'open' | 'refused') => {
      const page = shown({ kind, info }, 1, { trouble: 'It failed.', canRecover: true });
      return page.kind === 'notice' ? page.buttons.map(({ label }) => label) : [];
    };
    assert.deepEqual(buttons('refused'), ['Set API Key…', 'Retry']);
  });

  it('says that it loads while the stored connections are read', () => {
    const starting = shown({ kind: 'starting' });
    assert.deepEqual(starting, { kind: 'notice', title: 'Keynote', sentence: 'Loading…', buttons: [] });
  });
});

describe('The details page of a session that is shown again', () => {
  const MINUTE = 60_000;
  const waiting = { parentId: 's1', record: true, recordingStatus: 'waiting', lastSeen: NOW - 60 * MINUTE } as const;

  /** @param minutesAgo when each was read: the session itself, its stream's sessions, and the recordings */
  const stateOf = (
    isOld: boolean,
    minutesAgo: { readonly self?: number; readonly sessions?: number; readonly recordings?: number },
    others: readonly string[] = [],
    trouble?: LoadFailure,
  ) => {
    const session = aSession({ id: 'x1', ...waiting });
    const at = (minutes: number) => NOW - minutes * MINUTE;
    const list = (minutes: number | undefined, id = 'x1') =>
      minutes === undefined ? undefined : { ...aSubList([{ ...session, id }]), loadedAt: at(minutes) };
    const info = aConnection({ id: 'one' });
    const base = aSnapshot({ connection: { kind: 'open', info } });
    const sessions = list(minutesAgo.sessions, others.includes('sessions') ? 'x2' : 'x1');
    const recordings = list(minutesAgo.recordings);
    const snapshot = {
      ...{ ...base, trouble },
      ...(sessions !== undefined && { sessions: new Map([['s1', sessions]]) }),
      ...(recordings !== undefined && { recordings: { ...base.recordings, ...recordings } }),
    };
    const context = {
      ...{ store: { snapshot }, settings: fakeSettings(), demo: {}, connection: { info } },
      drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    } as unknown as Parameters<typeof shownDetails>[0];
    const readAt = minutesAgo.self === undefined ? undefined : at(minutesAgo.self);
    const parts = { target: SESSION, session, readAt, name: 'Keynote', trouble: undefined, canRecover: false, isOld };
    const shown = shownDetails(context, parts);
    return shown.kind === 'details' ? shown.state[0]?.text : shown.sentence;
  };

  it('judges its state by the time of the last response that has it', () => {
    assert.equal(stateOf(true, { self: 30 }), 'Processing recording (30 min elapsed)');
    assert.equal(stateOf(true, { self: 30, sessions: 20 }), 'Processing recording (40 min elapsed)');
    assert.equal(stateOf(true, { self: 10, sessions: 20 }), 'Processing recording (50 min elapsed)');
    assert.equal(stateOf(true, { self: 30, sessions: 20, recordings: 5 }), 'Processing recording (55 min elapsed)');
    assert.equal(stateOf(true, { self: 30, sessions: 20 }, ['sessions']), 'Processing recording (30 min elapsed)');
  });

  it('does the same on a page that is up to date while the service is not reached', () => {
    assert.equal(stateOf(false, { self: 30 }, [], aTrouble('network')), 'Processing recording (30 min elapsed)');
  });

  it('goes by the present time where it was not read yet, or once the service has responded', () => {
    assert.equal(stateOf(true, {}), 'Processing recording (1 h elapsed)');
    assert.equal(stateOf(false, { self: 30 }), 'Processing recording (1 h elapsed)');
    assert.equal(stateOf(true, { self: -30 }), 'Processing recording (1 h elapsed)', 'clocks may be set back');
  });
});

describe('The details page of a session whose service rejects the API key', () => {
  it('says so, as the page of a stream does, and offers another key first', () => {
    const session = aSession({
      id: 'x1',
      parentId: 's1',
      recordingStatus: 'ready',
      recordingUrl: 'https://x/index.m3u8',
    });
    const info = aConnection({ id: 'one' });
    const shownWith = (kind: 'open' | 'refused') => {
      const context = {
        ...{ store: { snapshot: aSnapshot({ connection: { kind, info } }) }, settings: fakeSettings(), demo: {} },
        ...{ connection: { info }, drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }) },
      } as unknown as Parameters<typeof shownDetails>[0];
      const about = { session, readAt: NOW - 5 * MINUTE, name: 'Keynote', trouble: undefined, canRecover: false };
      const shown = shownDetails(context, { target: SESSION, ...about });
      return shown.kind === 'details' ? shown : assert.fail();
    };
    const before = shownWith('open');
    assert.deepEqual([before.warning, fieldsOf(before.buttons, 'act')], [undefined, ['showStream']]);
    const { warning, buttons } = shownWith('refused');
    assert.match(
      warning?.sentence ?? '',
      /^The API key was rejected\. Last updated: .+\. The information shown may be out of date\.$/,
    );
    assert.deepEqual(fieldsOf(warning?.buttons, 'act'), ['setApiKey']);
    assert.deepEqual(buttons, before.buttons, 'which stay in place');
  });
});

describe('The details page of a running session', () => {
  it('leaves multistream targets to the page of its stream, but names those that fail', () => {
    const session = aSession({ id: 'x1', parentId: 's1', createdAt: NOW - 24 * MINUTE, lastSeen: NOW });
    const target = { id: 'a', profile: 'source', name: 'YouTube' };
    const stream = aLiveStream({ id: 's1', isHealthy: true, targets: [target] });
    const info = aConnection({ id: 'one' });
    const given = aSnapshot({
      ...{ connection: { kind: 'open', info }, streams: [aFact(stream)] },
      sessions: { s1: aSubList([session]) },
    });
    const shownWith = (isMet: boolean) => {
      const condition = { isMet: true, since: undefined, checkedAt: undefined };
      const health = new Map([
        [
          's1',
          [
            { ...condition, type: 'Active' },
            { ...condition, type: 'Transcoding' },
            { ...condition, type: 'Multistreaming', isMet, target },
          ],
        ],
      ]);
      const context = {
        ...{ store: { snapshot: { ...given, health } }, settings: fakeSettings(), demo: {}, connection: { info } },
        drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
      } as unknown as Parameters<typeof shownDetails>[0];
      const about = { session, readAt: NOW, name: 'Keynote', trouble: undefined, canRecover: false };
      const shown = shownDetails(context, { target: SESSION, ...about });
      if (shown.kind !== 'details') return undefined;
      const words = shown.sections.find(({ id }) => id === 'health')?.words;
      return { words: words?.map(({ text }) => text), problems: shown.problems?.length };
    };
    assert.deepEqual(shownWith(true), { words: ['Receiving data', 'Transcoding'], problems: 0 });
    assert.equal(shownWith(false)?.problems, 1);
  });
});

describe('The length of a broadcast during an outage', () => {
  it('is counted up to the last answer about its stream, though its sessions were listed before', () => {
    const session = aSession({ id: 'x1', parentId: 's1', createdAt: NOW - 24 * MINUTE, lastSeen: NOW - 12 * MINUTE });
    const stream = aFact(aLiveStream({ id: 's1', lastSeen: NOW - 2 * MINUTE }), {
      startedAt: NOW - 2 * MINUTE,
      serverDate: NOW - 2 * MINUTE,
    });
    const listedAt = NOW - 11 * MINUTE;
    const sessions = { s1: aSubList([session], { loadedAt: listedAt, serverDate: listedAt }) };
    const info = aConnection({ id: 'one' });
    const trouble = aTrouble('network');
    const snapshot = aSnapshot({ connection: { kind: 'open', info }, streams: [stream], sessions, trouble });
    const context = {
      ...{ store: { snapshot }, settings: fakeSettings(), demo: {}, connection: { info } },
      drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    } as unknown as Parameters<typeof shownDetails>[0];
    for (const target of [STREAM, SESSION]) {
      const about = { session, readAt: listedAt, name: 'Keynote', trouble: undefined, canRecover: false };
      const shown = shownDetails(context, { target, ...about });
      assert.equal(shown.kind === 'details' && shown.state[0]?.text, 'Live for 22 min', target.kind);
    }
  });
});

describe('The session of a details page', () => {
  const read = aSession({ id: 'x1', parentId: 's1', mp4Url: 'https://a.example/a.mp4', recordingStatus: 'ready' });

  it('is what the store has of the session, with the addresses that only its own read returned', () => {
    const listed = aSession({ id: 'x1', recordingStatus: 'ready', sourceSegmentsDuration: 60 });
    const snapshot = aSnapshot({ sessions: { s1: [listed] } });
    const known = knownSession(snapshot, { target: SESSION, session: read });
    assert.deepEqual([known?.sourceSegmentsDuration, known?.mp4Url, known?.parentId], [60, read.mp4Url, 's1']);
  });

  it('is the read one, where the list still waits for its recording', () => {
    const listed = aSession({ id: 'x1', recordingStatus: 'waiting' });
    const snapshot = aSnapshot({ sessions: { s1: [listed] } });
    assert.equal(knownSession(snapshot, { target: SESSION, session: read })?.recordingStatus, 'ready');
  });

  it('keeps the names and addresses that only one of both has', () => {
    const listed = aSession({ id: 'x1', parentName: 'Keynote', recordingStatus: 'ready' });
    const known = (own: Partial<typeof read>, given: Partial<typeof read> = {}) =>
      knownSession(aSnapshot({ sessions: { s1: [{ ...listed, ...given }] } }), {
        target: SESSION,
        session: { ...read, ...own },
      });
    assert.equal(known({ parentName: 'Old' })?.parentName, 'Keynote');
    assert.equal(known({ parentName: 'Old' }, { parentName: undefined })?.parentName, 'Old');
    const recordingUrl = 'https://a.example/a.m3u8';
    assert.equal(known({ recordingUrl })?.recordingUrl, recordingUrl);
    assert.equal(known({ recordingUrl: 'old' }, { recordingUrl })?.recordingUrl, recordingUrl);
  });

  it('is the one that was read where no list has it, and none where it was not read', () => {
    assert.equal(knownSession(aSnapshot(), { target: SESSION, session: read }), read);
    assert.equal(knownSession(aSnapshot(), { target: SESSION, session: undefined }), undefined);
  });
});

describe('A change of the store', () => {
  const stream = aStream({ id: 's1' });
  const other = aStream({ id: 's2' });
  const previous = aSnapshot({ streams: [stream, other], sessions: { s1: [], s2: [] } });
  const concerns = (current: typeof previous, parts: Parameters<typeof isOther>[1]) =>
    isOther({ previous, current }, parts);
  const page = { target: STREAM, session: undefined };

  it('concerns the page of its stream, and that of its session', () => {
    const current = { ...previous, sessions: new Map([...previous.sessions, ['s1', aSubList([])]]) };
    assert.ok(concerns(current, page));
    assert.ok(concerns(current, { target: SESSION, session: aSession({ id: 'x1', parentId: 's1' }) }));
    assert.ok(!concerns(current, { target: { ...STREAM, id: 's2' }, session: undefined }));
  });

  it('is the end of a stream that is known no more', () => {
    const current = {
      ...previous,
      streams: new Map([['s2', { stream: other, requestSeq: 1, startedAt: 0, serverDate: 0 }]]),
    };
    assert.ok(hasGone({ previous, current }, page));
    assert.ok(!hasGone({ previous, current }, { target: { ...STREAM, id: 's2' } }));
    assert.ok(!hasGone({ previous: current, current }, page), 'not again and again');
  });

  it('concerns the page of a stream that changed, and no other', () => {
    const renamed = { stream: aStream({ id: 's1', name: 'Renamed' }), requestSeq: 2, startedAt: 0, serverDate: 0 };
    const current = { ...previous, streams: new Map([...previous.streams, ['s1', renamed]]) };
    assert.ok(concerns(current, page));
    assert.ok(!concerns(current, { target: { ...STREAM, id: 's2' }, session: undefined }));
    assert.ok(!concerns(current, { target: SESSION, session: aSession({ id: 'x1' }) }), 'its stream is not known');
  });

  it('concerns all pages where connections are renamed', () => {
    const current = { ...previous, connectionNames: new Map([['one', 'Production']]) };
    assert.ok(concerns(current, page));
    assert.ok(concerns(current, { target: SESSION, session: undefined }));
  });

  it('concerns all pages where the service stops to answer', () => {
    assert.ok(concerns({ ...previous, trouble: aTrouble('network') }, page));
    assert.ok(concerns({ ...previous, showsAllConnections: !previous.showsAllConnections }, page));
    assert.ok(!concerns({ ...previous, filter: 'x', connectionCount: 3 }, page));
  });
});
