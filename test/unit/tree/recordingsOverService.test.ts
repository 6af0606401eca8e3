import assert from 'node:assert/strict';
import { readViewChoices } from '../../../src/model/store/viewChoices.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { DAY, HOUR, MINUTE } from '../../support/model/builders.ts';
import { fakeMemento } from '../../support/model/fakes.ts';
import { settle } from '../../support/model/heldClock.ts';
import { recordingsView } from './recordingsView.ts';

/** The held clock starts there: a Friday, 10:00 in UTC. */
const NOW = Date.UTC(2026, 10, 20, 10, 0);

const ready = (id: string, given: Readonly<Record<string, unknown>> = {}) => ({
  id,
  parentId: 'a',
  parentStream: { name: 'Keynote', streamKey: 'secret-key-of-the-parent' },
  createdAt: NOW - 2 * HOUR,
  lastSeen: NOW - HOUR,
  sourceSegmentsDuration: 3600,
  record: true,
  recordingStatus: 'ready',
  recordingUrl: `https://cdn.test/recordings/${id}/index.m3u8`,
  ...given,
});

const notRecorded = (id: string, createdAt: number) => ({
  id,
  parentId: 'a',
  parentStream: { name: 'Keynote' },
  createdAt,
});

describe('the Recordings view over a service', () => {
  it('asks for nothing until its rows are asked for, then once', async () => {
    const { service, show, loader, rows } = recordingsView();
    show();
    await settle();
    assert.deepEqual(service.requests, []);
    service.userSessions.push(ready('s1'));
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h']);
    await loader.ensureRecordings();
    assert.deepEqual(service.requests, ['GET /session?limit=500&order=createdAt-true,id-true']);
  });

  it('tells more of a recording when it is pointed at', async () => {
    const { service, show, rows, open, model } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    await rows();
    const [day] = await open();
    const [recording] = await open(day);
    assert.ok(recording?.kind === 'recording');
    const { markdown, links } = model.tooltip(recording) ?? assert.fail();
    for (const text of ['Keynote', 'Recording ready', '1 h']) assert.ok(markdown.includes(text), markdown);
    assert.deepEqual(fieldsOf(links, 'title'), ['Watch Recording', 'Show Details']);
    assert.ok(!markdown.includes('secret-key'));
  });

  it('leaves out what was not recorded, until the person wants all', async () => {
    const { service, show, store, rows, state, fired } = recordingsView();
    service.userSessions.push(ready('s1'), notRecorded('s2', NOW - 3 * HOUR), ready('s3', { createdAt: NOW - DAY }));
    show();
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h', 'Yesterday', '  10:00 Keynote | 1 h']);
    assert.equal(state().description, undefined);
    fired.length = 0;
    store.setRecordingsRecordedOnly(false);
    assert.deepEqual(fired, [['day/20777']], 'only the day that has more rows is drawn again');
    assert.equal((await rows())[2], '  07:00 Keynote');
    assert.equal(state().description, 'all sessions');
    assert.equal(service.requests.length, 1, 'what is not shown was loaded all the same');
  });

  it('counts a session with the address of a recording as recorded, whatever its flag says', async () => {
    const { service, show, rows } = recordingsView();
    service.userSessions.push(ready('s1', { record: false, recordingStatus: undefined }));
    show();
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h']);
  });

  it('says that there are none when all pages were read', async () => {
    const { service, show, open, context } = recordingsView();
    service.userSessions.push(notRecorded('s', NOW));
    show();
    assert.equal(context(), 'loaded', 'nobody has looked yet');
    assert.deepEqual(await open(), []);
    assert.equal(context(), 'empty');
  });

  it('has no rows without a connection, and none of the one before', async () => {
    const { service, connection, show, open, context } = recordingsView();
    assert.deepEqual(await open(), []);
    assert.equal(context(), 'starting');
    service.userSessions.push(ready('s1'));
    show();
    assert.equal((await open()).length, 1);
    connection.close();
    assert.deepEqual(await open(), []);
    assert.equal(context(), 'none');
  });

  it('keeps how it is looked at when the connection changes, and reads it again from what was kept', () => {
    const { store, connect } = recordingsView();
    store.setRecordingsRecordedOnly(false);
    store.recordingsShown(true);
    connect();
    assert.equal(store.snapshot.recordingsRecordedOnly, false);
    assert.equal(store.snapshot.recordings.isShown, true);
    assert.equal(
      readViewChoices(fakeMemento(undefined, { get: () => ({ recordingsRecordedOnly: false }) }))
        .recordingsRecordedOnly,
      false,
    );
    assert.equal(
      readViewChoices(fakeMemento(undefined, { get: () => ({ recordingsRecordedOnly: 'no' }) })).recordingsRecordedOnly,
      true,
    );
    assert.equal(readViewChoices(fakeMemento(undefined, { get: () => undefined })).recordingsRecordedOnly, true);
  });
});

describe('the days of the Recordings view', () => {
  const daysIn = async (timeZone: string, ...times: readonly number[]) => {
    const { service, show, rows } = recordingsView({ timeZone });
    service.userSessions.push(...times.map((createdAt, at) => ready(`s${at}`, { createdAt })));
    show();
    return (await rows()).map((row) => row.replace(/ \| .*/, ''));
  };

  it('are those of the person’s time zone', async () => {
    const lateEvening = Date.UTC(2026, 10, 19, 23, 30);
    assert.deepEqual(await daysIn('UTC', lateEvening), ['Yesterday', '  23:30 Keynote']);
    assert.deepEqual(await daysIn('Europe/Berlin', lateEvening), ['Today', '  00:30 Keynote']);
    assert.deepEqual(await daysIn('America/Los_Angeles', lateEvening), ['Yesterday', '  15:30 Keynote']);
    assert.deepEqual(await daysIn('Pacific/Kiritimati', lateEvening), ['Yesterday', '  13:30 Keynote']);
  });

  it('have 23 or 25 hours where clocks change', async () => {
    const summerEnds = [Date.UTC(2026, 9, 24, 22, 5), Date.UTC(2026, 9, 25, 22, 55)];
    assert.deepEqual(await daysIn('Europe/Berlin', ...summerEnds), [
      'Sun, Oct 25',
      '  23:55 Keynote',
      '  00:05 Keynote',
    ]);
  });

  it('name the year if it is another one, and sessions without a time come last', async () => {
    assert.deepEqual(await daysIn('UTC', Date.UTC(2025, 11, 31, 12), 0), [
      'Dec 31, 2025',
      '  12:00 Keynote',
      'Unknown date',
      '  Keynote',
    ]);
  });

  it('become Yesterday as time goes by, without a request', async () => {
    const { clock, service, show, rows, model, fired } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    await rows();
    fired.length = 0;
    await clock.advance(15 * HOUR);
    model.tick();
    assert.deepEqual(fired, [['day/20777']]);
    assert.equal((await rows())[0], 'Yesterday');
    assert.equal(service.requests.length, 1);
  });
});

describe('pages of the Recordings view', () => {
  it('are read once as long as they bring ten recordings', async () => {
    const { service, show, rows } = recordingsView({ pageSize: 20 });
    for (let n = 0; n < 100; n++) {
      const createdAt = NOW - n * HOUR;
      service.userSessions.push(n % 2 === 0 ? ready(`s${n}`, { createdAt }) : notRecorded(`s${n}`, createdAt));
    }
    show();
    const texts = await rows();
    assert.equal(texts.filter((text) => /\| 1 h$/.test(text)).length, 10);
    assert.equal(texts.at(-1), 'Load More | since Nov 19');
    assert.equal(service.requests.length, 1);
  });

  it('are followed by up to five more if they bring few, and then the person decides', async () => {
    const { service, show, rows, loader, requestsOf } = recordingsView({ pageSize: 20 });
    for (let n = 0; n < 400; n++) service.userSessions.push(notRecorded(`s${n}`, NOW - n * HOUR));
    service.userSessions[30] = ready('first', { createdAt: NOW - 30 * HOUR });
    service.userSessions[200] = ready('second', { createdAt: NOW - 200 * HOUR });
    show();
    assert.deepEqual(await rows(), ['Yesterday', '  04:00 Keynote | 1 h', 'Load More | since Nov 15']);
    assert.equal(requestsOf('/session').length, 6);
    await loader.loadMoreRecordings();
    assert.deepEqual((await rows()).slice(2), ['Thu, Nov 12', '  02:00 Keynote | 1 h', 'Load More | since Nov 10']);
    assert.equal(requestsOf('/session').length, 12);
    await loader.loadMoreRecordings();
    assert.equal(
      (await rows()).some((text) => text.startsWith('Load More')),
      true,
    );
    await loader.loadMoreRecordings();
    assert.equal(
      (await rows()).some((text) => text.startsWith('Load More')),
      false,
    );
    assert.equal(requestsOf('/session').length, 21, 'twenty full pages, and the empty one that ends the list');
  });

  it('stop as soon as ten recordings are loaded', async () => {
    const { service, show, rows, requestsOf } = recordingsView({ pageSize: 20 });
    for (let n = 0; n < 400; n++) {
      const createdAt = NOW - n * HOUR;
      service.userSessions.push(n % 5 === 0 ? ready(`s${n}`, { createdAt }) : notRecorded(`s${n}`, createdAt));
    }
    show();
    await rows();
    assert.equal(requestsOf('/session').length, 3);
  });

  it('are all read again by a refresh, no more of them than before', async () => {
    const { service, show, rows, loader, requestsOf } = recordingsView({ pageSize: 20 });
    for (let n = 0; n < 100; n++) service.userSessions.push(ready(`s${n}`, { createdAt: NOW - n * HOUR }));
    show();
    await rows();
    await loader.loadMoreRecordings();
    const before = await rows();
    service.requests.length = 0;
    await loader.refresh();
    assert.equal(requestsOf('/session').length, 2);
    assert.deepEqual(await rows(), before);
  });

  it('do not show a session twice that moved to the next page meanwhile', async () => {
    const { service, show, rows, loader } = recordingsView({ pageSize: 20 });
    for (let n = 0; n < 40; n++) service.userSessions.push(ready(`s${n}`, { createdAt: NOW - DAY - n * MINUTE }));
    show();
    await rows();
    service.userSessions.push(ready('new', { createdAt: NOW - HOUR }));
    await loader.loadMoreRecordings();
    const shown = (await rows()).filter((text) => text.includes('Keynote'));
    assert.equal(shown.length, 39, 'one moved up unseen, none is there twice');
  });

  for (const way of ['ignores', 'refuses'] as const) {
    it(`come from memory where the service ${way} the parameters and sends everything at once`, async () => {
      const { service, show, rows, loader, requestsOf } = recordingsView({ pageSize: 20 });
      service.isPaged = false;
      if (way === 'refuses') {
        service.fault = ({ url }) =>
          url.includes('?') ? { status: 400, headers: {}, body: new Uint8Array() } : undefined;
      }
      for (let n = 0; n < 50; n++) service.userSessions.push(ready(`s${n}`, { createdAt: NOW - n * MINUTE }));
      show();
      const count = async () => (await rows()).filter((text) => text.includes('Keynote')).length;
      assert.equal(await count(), 20);
      assert.equal((await rows()).at(-1), 'Load More');
      const asked = requestsOf('/session').length;
      await loader.loadMoreRecordings();
      assert.equal(await count(), 40);
      await loader.loadMoreRecordings();
      assert.equal(await count(), 50);
      assert.equal((await rows()).at(-1)?.startsWith('Load More'), false);
      assert.equal(requestsOf('/session').length, asked);
    });
  }
});

describe('names of streams in the Recordings view', () => {
  const nameless = (id: string, parentId: string, at = 0) =>
    ready(id, { parentId, parentStream: undefined, createdAt: NOW - at * MINUTE });

  it('come with the session, else from what is known, else by one request for each stream', async () => {
    const { service, show, loader, settledRows, requestsOf } = recordingsView();
    service.add({ id: 'known', name: 'Back stage', isActive: true }, { id: 'asked', name: 'Chapel' });
    service.userSessions.push(
      ready('s1'),
      nameless('s2', 'known', 1),
      nameless('s3', 'asked', 2),
      nameless('s4', 'asked', 3),
    );
    show();
    await loader.refreshActive();
    service.requests.length = 0;
    const names = (await settledRows()).slice(1).map((row) => row.split(' | ')[0]?.trim());
    assert.deepEqual(names, ['09:59 Back stage', '09:58 Chapel', '09:57 Chapel', '08:00 Keynote']);
    assert.deepEqual(requestsOf('/stream/'), ['GET /stream/asked']);
    await loader.reloadOldRecordings();
    await settle();
    assert.equal(requestsOf('/stream/').length, 1, 'remembered');
  });

  it('are requested six at a time, after the rows are drawn', async () => {
    const { service, show, open, settledRows } = recordingsView();
    for (let n = 0; n < 30; n++) {
      service.add({ id: `p${n}`, name: `Stream ${n}` });
      service.userSessions.push(nameless(`s${n}`, `p${n}`, n));
    }
    show();
    service.isHolding = true;
    const first = open();
    await settle();
    service.waiting.shift()?.release();
    assert.equal((await first).length, 1);
    let most = 0;
    for (let turn = 0; turn < 40; turn++) {
      await settle();
      most = Math.max(most, service.waiting.length);
      service.waiting.shift()?.release();
    }
    service.isHolding = false;
    assert.equal(most, 6);
    const texts = await settledRows();
    assert.ok(texts.includes('  09:31 Stream 29 | 1 h'), texts.join('\n'));
  });

  it('say so where the stream is gone, and nobody asks for it again unbidden', async () => {
    const { service, show, loader, settledRows, requestsOf, fired } = recordingsView();
    service.userSessions.push(nameless('s1', 'gone'));
    show();
    assert.deepEqual(await settledRows(), ['Today', '  10:00 Deleted stream | 1 h']);
    assert.ok(!fired.flat().includes('ROOT'), 'not everything was drawn again');
    await loader.reloadOldRecordings();
    await settle();
    assert.equal(requestsOf('/stream/').length, 1);
  });

  it('say so where they are pointed at when a stream is deleted here, and its recordings stay', async () => {
    const { service, show, connection, rows, open, model } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    await rows();
    connection.account.writer.gone('a');
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h']);
    const [day] = await open();
    const [recording] = await open(day);
    assert.ok(recording?.kind === 'recording');
    assert.match(model.tooltip(recording)?.markdown ?? '', /Recording ready · stream deleted {2}$/m);
  });

  it('stay when the stream is gone, whether its sessions name it or the window knew it', async () => {
    const { service, show, connection, loader, settledRows } = recordingsView();
    service.add({ id: 'a', name: 'Keynote' });
    service.userSessions.push(nameless('s1', 'a'), ready('s2', { parentId: 'b', parentStream: { name: 'Town hall' } }));
    show();
    await settledRows();
    connection.account.writer.gone('a');
    connection.account.writer.gone('b');
    const rows = ['Today', '  10:00 Keynote | 1 h', '  08:00 Town hall | 1 h'];
    assert.deepEqual(await settledRows(), rows);
    await loader.reloadOldRecordings();
    assert.deepEqual(await settledRows(), rows);
  });

  it('are the ids as long as the service does not answer, and are asked for with the next answer', async () => {
    const { service, show, loader, settledRows } = recordingsView();
    service.add({ id: 'a', name: 'Keynote' });
    service.userSessions.push(nameless('s1', 'a'));
    service.fault = ({ url }) =>
      url.includes('/stream/') ? { status: 503, headers: {}, body: new Uint8Array() } : undefined;
    show();
    assert.match((await settledRows())[1] ?? '', /^ {2}10:00 a \|/);
    service.fault = undefined;
    await loader.reloadRecordings();
    assert.match((await settledRows())[1] ?? '', /^ {2}10:00 Keynote \|/);
  });

  it('follow a stream that is renamed here', async () => {
    const { clock, service, show, connection, rows, fired } = recordingsView();
    service.add({ id: 'a', name: 'Keynote' });
    service.userSessions.push(ready('s1'));
    show();
    await rows();
    await clock.advance(1000);
    service.change('a', { name: 'Opening' });
    fired.length = 0;
    await connection.account.readStream('a', { settle: true });
    assert.deepEqual(fired, [['recording/s1']]);
    assert.match((await rows())[1] ?? '', /^ {2}08:00 Opening \|/);
  });

  it('hold nothing else of the parent', async () => {
    const { service, show, store, model, settledRows, find } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    await settledRows();
    const node = await find('recording/s1');
    const told = JSON.stringify([model.row(node), model.tooltip(node), store.snapshot.recordings]);
    assert.ok(told.includes('Keynote'));
    assert.ok(!told.includes('secret-key'), told);
  });
});

describe('sessions of which little is known', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['no parent at all', { parentId: undefined, parentStream: undefined }, '08:00 Unknown stream | 1 h'],
    [
      'a parent whose id could not be asked for',
      { parentId: '../x', parentStream: undefined },
      '08:00 Unknown stream | 1 h',
    ],
    ['a parent without a name', { parentStream: { name: '' } }, '08:00 a | 1 h'],
    ['another word for its state', { recordingStatus: 'in-progress' }, '08:00 Keynote | 1 h'],
    ['a state that is no word', { recordingStatus: { a: 1 } }, '08:00 Keynote | 1 h'],
    ['no state and no address', { recordingStatus: undefined, recordingUrl: undefined }, '08:00 Keynote | 1 h'],
    ['a duration of 0', { sourceSegmentsDuration: 0 }, '08:00 Keynote | 1 h'],
    ['a duration of 0, and never seen', { sourceSegmentsDuration: 0, lastSeen: 0 }, '08:00 Keynote'],
    ['a negative duration', { sourceSegmentsDuration: -5, lastSeen: undefined }, '08:00 Keynote'],
    ['a duration as text', { sourceSegmentsDuration: '250.5' }, '08:00 Keynote | 4 min'],
    ['a duration that is no number', { sourceSegmentsDuration: 'long', lastSeen: undefined }, '08:00 Keynote'],
    ['a name over several lines', { parentStream: { name: 'Key\nnote' } }, '08:00 Key note | 1 h'],
  ];
  for (const [what, given, row] of cases) {
    it(`are shown as what is known: ${what}`, async () => {
      const { service, show, rows } = recordingsView();
      service.add({ id: 'a', name: '' });
      service.userSessions.push(ready('s1', given));
      show();
      assert.deepEqual(await rows(), ['Today', `  ${row}`]);
    });
  }

  it('open their recording by a click, or their details', async () => {
    const { service, show, model, find } = recordingsView();
    service.userSessions.push(
      ready('s1', { mp4Url: 'https://cdn.test/s1.mp4' }),
      ready('s2', { recordingUrl: undefined, recordingStatus: 'failed' }),
    );
    show();
    const rows = [model.row(await find('recording/s1')), model.row(await find('recording/s2'))];
    assert.deepEqual(
      rows.map(({ command, contextValue }) => ({ command, contextValue })),
      [
        { command: 'openRecording', contextValue: 'session.hasRecording.hasMp4.ready' },
        { command: 'showSession', contextValue: 'session' },
      ],
    );
    assert.equal(rows[1]?.description, 'failed · 1 h');
  });

  it('run where their stream is live, which is asked for where no streams are loaded', async () => {
    const { clock, service, show, rows } = recordingsView();
    service.add({ id: 'a', isActive: true, lastSeen: clock.now() });
    const running = {
      createdAt: NOW - 12 * MINUTE,
      lastSeen: NOW - 2000,
      recordingStatus: 'waiting',
      recordingUrl: undefined,
    };
    service.userSessions.push(
      ready('now', running),
      ready('before', { createdAt: NOW - 9 * HOUR, recordingStatus: 'waiting' }),
    );
    show();
    assert.deepEqual((await rows()).slice(1), ['  09:48 a | live for 12 min', '  01:00 a | no MP4 yet · 1 h']);
  });
});

describe('a broadcast in the Recordings view', () => {
  it('stays live while its stream is collapsed: only the lists of streams and of all sessions go on', async () => {
    const { clock, service, show, loader, rows } = recordingsView();
    const began = { id: 's', parentId: 'a', record: true, recordingStatus: 'waiting', createdAt: NOW - 12 * MINUTE };
    const session = { ...began, lastSeen: NOW };
    service.add({ id: 'a', isActive: true });
    service.userSessions.push(session);
    service.sessions.set('a', [session]);
    const goOn = () => {
      session.lastSeen = clock.now();
      service.change('a', { lastSeen: clock.now() });
    };
    goOn();
    show();
    await loader.ensureSessions('a');
    assert.deepEqual((await rows()).slice(1), ['  09:48 a | live for 12 min']);
    for (let minute = 13; minute < 20; minute++) {
      await clock.advance(MINUTE);
      goOn();
      await loader.refreshActive();
      if (minute % 2 === 0) await loader.pollRecordings();
      assert.deepEqual((await rows()).slice(1), [`  09:48 a | live for ${minute} min`]);
    }
    await clock.advance(3 * MINUTE);
    service.change('a', { lastSeen: clock.now() });
    await loader.refreshActive();
    await loader.pollRecordings();
    assert.deepEqual(
      (await rows()).slice(1),
      ['  09:48 a | processing · 19 min'],
      'another broadcast, which is not listed yet',
    );
  });
});

describe('trouble in the Recordings view', () => {
  const unavailable = ({ url }: { url: string }) =>
    url.includes('/session') ? { status: 503, headers: {}, body: new Uint8Array() } : undefined;

  it('is one row with Retry where nothing was loaded', async () => {
    const { service, show, loader, rows, state, context } = recordingsView();
    service.fault = unavailable;
    show();
    assert.deepEqual(await rows(), ['Retry']);
    assert.equal(state().message, 'service.test is unavailable (503).');
    assert.equal(context(), 'loaded', 'not empty');
    await rows();
    assert.equal(service.requests.length, 1, 'not asked again by itself');
    service.fault = undefined;
    service.userSessions.push(ready('s1'));
    await loader.reloadRecordings();
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h']);
  });

  it('keeps the previous rows, and says how old they are', async () => {
    const { service, show, loader, rows, state } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    const before = await rows();
    service.fault = unavailable;
    await loader.reloadRecordings();
    assert.deepEqual(await rows(), ['Retry', ...before]);
    assert.equal(state().message, 'service.test is unavailable (503). Last updated: 10:00.');
  });

  it('keeps its rows while the service fails, says that they are old, and leaves what can be done to the Streams view', async () => {
    const { service, show, loader, rows, state } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    const before = await rows();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    await loader.refreshActive();
    for (let tries = 0; tries < 2; tries++) {
      assert.deepEqual(await rows(), before);
      const { description, message } = state();
      assert.deepEqual([description, message], ['service unavailable', undefined]);
      await loader.reloadRecordings();
    }
    service.fault = undefined;
    await loader.refreshActive();
    await loader.retryExpanded();
    assert.deepEqual(await rows(), before);
    assert.equal(state().description, undefined);
  });

  it('says in a word of a service that fails why it is empty, the rest in the tooltip, and then loads its rows', async () => {
    const { service, store, clock, model, fired, open, show, loader, rows, state } = recordingsView();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    show();
    await rows();
    await loader.refreshActive();
    assert.deepEqual(await rows(), ['Retry | service unavailable']);
    store.nextTry(clock.now() + 5 * 60_000);
    assert.deepEqual([state().description, state().message], [undefined, undefined]);
    const [row] = await open();
    const whole = 'service.test is unavailable (500). Retrying at 10:05.';
    assert.equal(model.tooltip(row ?? assert.fail())?.markdown.replaceAll('\\', ''), whole);
    fired.length = 0;
    service.fault = () => ({ status: 429, headers: {}, body: new Uint8Array() });
    await loader.refreshActive();
    assert.deepEqual([...new Set(fired.flat())], ['+retry'], 'which says something else now');
    service.userSessions.push(ready('s1'));
    service.fault = undefined;
    await loader.refreshActive();
    await loader.retryExpanded();
    assert.deepEqual(await rows(), ['Today', '  08:00 Keynote | 1 h']);
    assert.equal(state().message, undefined);
  });

  it('says why the service refuses the key, and offers to set another', async () => {
    const { service, show, rows, state } = recordingsView();
    const body = new TextEncoder().encode(JSON.stringify({ errors: ['user is suspended'] }));
    service.fault = ({ url }) => (url.includes('/session') ? { status: 403, headers: {}, body } : undefined);
    show();
    assert.deepEqual(await rows(), ['Set API Key…']);
    assert.equal(state().message, 'service.test rejected the request: "user is suspended."');
  });

  it('says that the service has no such list', async () => {
    const { service, show, rows, state } = recordingsView();
    service.fault = ({ url }) =>
      url.includes('/session') ? { status: 404, headers: {}, body: new Uint8Array() } : undefined;
    show();
    assert.deepEqual(await rows(), ['Retry']);
    assert.equal(state().message, "service.test doesn't support listing the sessions of all streams (404).");
  });

  it('grays out at once what is being processed', async () => {
    const { service, show, loader, rows, fired } = recordingsView();
    service.userSessions.push(ready('s1'), ready('s2', { recordingStatus: 'waiting' }));
    show();
    await rows();
    service.fault = () => ({ status: 500, headers: {}, body: new Uint8Array() });
    fired.length = 0;
    await loader.refreshActive();
    assert.deepEqual(fired, [['recording/s2']]);
  });

  it('keeps the rows where the key was refused, says that they are old, and asks nothing more by itself', async () => {
    const { service, show, loader, rows, state } = recordingsView();
    service.userSessions.push(ready('s1'));
    show();
    const before = await rows();
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    await loader.reloadRecordings();
    assert.deepEqual(await rows(), before);
    const { description, message } = state();
    assert.deepEqual(
      [description, message],
      ['API key rejected', undefined],
      'the Streams view offers what can be done',
    );
    const asked = service.requests.length;
    await rows();
    assert.equal(service.requests.length, asked);
    service.fault = undefined;
    await loader.refresh();
    assert.deepEqual(await rows(), before);
  });

  it('is not looked for where the key was refused before the view was seen', async () => {
    const { service, model, show, loader, open, rows } = recordingsView();
    service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
    show();
    await loader.refreshActive();
    assert.deepEqual(await rows(), ['Set API Key… | key rejected']);
    const [row = assert.fail()] = await open();
    assert.match(model.tooltip(row)?.markdown ?? '', /^The API key was rejected/);
    assert.equal(model.row(row).accessibilityLabel, 'Set API Key…, The API key was rejected.');
    assert.equal(service.requests.length, 1);
  });

  it('goes nowhere if its connection was closed meanwhile', async () => {
    const { service, connection, show, open, store } = recordingsView();
    service.isHolding = true;
    show();
    const first = open();
    await settle();
    connection.close();
    service.waiting.shift()?.release();
    assert.deepEqual(await first, []);
    assert.equal(store.snapshot.recordings.isLoaded, false);
  });
});
