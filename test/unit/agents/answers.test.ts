import assert from 'node:assert/strict';
import {
  detailedFacts,
  parentFacts,
  printAnswer,
  type Sources,
  sessionFacts,
  shortText,
  streamFacts,
} from '../../../src/agents/answers.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  MINUTE,
  NOW,
  SECOND,
} from '../../support/model/builders.ts';

const SECRET = 's3cret';
const clean = (text: string) => text.replaceAll(SECRET, '…');

function theSources(given: Partial<Sources> = {}): Sources {
  return { snapshot: aSnapshot(), info: aConnection(), templates: {}, clean, ...given };
}

describe('An answer to agents', () => {
  const row = 'é'.repeat(50);
  const printRows = (padding: number) =>
    printAnswer({ facts: { padding: 'x'.repeat(padding) }, rows: { name: 'rows', items: [row, row, row] } });
  const print = (padding: number) => printAnswer({ facts: { padding: 'x'.repeat(padding) } });
  const most = (printed: string) => 8192 - Buffer.byteLength(printed);

  it('is at most 8 KB', () => {
    const text = print(most(print(0)));
    assert.deepEqual([Buffer.byteLength(text), 'padding' in JSON.parse(text)], [8192, true]);
    assert.deepEqual(JSON.parse(print(most(print(0)) + 1)), { problem: 'The answer is longer than 8 KB.' });
    assert.deepEqual(JSON.parse(printRows(9000)), { problem: 'The answer is longer than 8 KB.' });
  });

  it('leaves out as few of the last rows as it has to, and counts them', () => {
    const all = most(printRows(0));
    const [ofRow, ofNote] = [Buffer.byteLength(`"${row}",`), Buffer.byteLength('"notShown":1,')];
    const shown = [0, 1, ofRow - ofNote, ofRow - ofNote + 1, 3 * ofRow - 1 - ofNote].map((more) => {
      const { rows, notShown } = JSON.parse(printRows(all + more));
      return [rows.length, notShown];
    });
    assert.deepEqual(shown, [
      [3, undefined],
      [2, 1],
      [2, 1],
      [1, 2],
      [0, 3],
    ]);
  });

  it('has an empty list where there are no rows', () => {
    assert.deepEqual(JSON.parse(printAnswer({ facts: {}, rows: { name: 'rows', items: [] } })).rows, []);
  });
});

describe('A text of the service for agents', () => {
  it('has at most 100 characters, none of them half of one', () => {
    assert.equal(shortText('x'.repeat(100), clean), 'x'.repeat(100));
    assert.equal(shortText('x'.repeat(101), clean), `${'x'.repeat(99)}…`);
    assert.equal(shortText('a\ud800b', clean), 'a\ufffdb');
  });

  it('has no secret, also of one that is very long, which is not cut through a word first', () => {
    let given = '';
    const note = (text: string) => {
      given = text;
      return text;
    };
    const words = 'word '.repeat(399);
    for (const [text, whole] of [
      [words.padEnd(2000, 'x'), words.padEnd(2000, 'x')],
      [words.padEnd(2001, 'x'), words],
      [`${words}key${SECRET}`.padEnd(5000, 'x'), words],
    ] as const) {
      shortText(text, note);
      assert.equal(given, whole);
    }
    assert.equal(shortText(`a ${SECRET} b`, clean), 'a … b');
  });
});

describe('What agents get of a stream', () => {
  const iso = (time: number) => new Date(time).toISOString();

  it('is its state, and since when', () => {
    const lastSeen = NOW - 5 * MINUTE;
    const running = aSession({ id: 'new', createdAt: NOW - 3 * MINUTE, lastSeen: NOW - 5 * SECOND });
    const live = aLiveStream({ id: 'live' });
    const snapshot = aSnapshot({ streams: [live], sessions: { live: [running] } });
    const sources = theSources({ snapshot });
    const read = { ...running, createdAt: NOW - 4 * MINUTE };
    const facts = [
      streamFacts(aFact(live), sources),
      streamFacts(aFact(live), sources, read),
      streamFacts(aFact(live), theSources()),
      streamFacts(aFact(aStream({ id: 'stale', isActive: true, lastSeen })), theSources()),
      streamFacts(aFact(aStream({ id: 'idle', lastSeen })), theSources(), read),
      streamFacts(aFact(aStream({ id: 'suspended', suspended: true, lastSeen: 9e15 })), theSources()),
    ];
    assert.deepEqual(fieldsOf(facts, 'state', 'since'), [
      ['live', iso(NOW - 3 * MINUTE)],
      ['live', iso(NOW - 4 * MINUTE)],
      ['live', undefined],
      ['noData', iso(lastSeen)],
      ['idle', iso(lastSeen)],
      ['suspended', undefined],
    ]);
  });

  it('is its name without secrets, and its playback ID if that is one', () => {
    const facts = [
      streamFacts(aFact(aStream({ id: 'a', name: `My ${SECRET}`, playbackId: 'b1', record: true })), theSources()),
      streamFacts(aFact(aStream({ id: 'a', playbackId: 'b/1' })), theSources()),
    ];
    assert.deepEqual(fieldsOf(facts, 'name', 'playbackId', 'recording'), [
      ['My …', 'b1', true],
      ['a', undefined, false],
    ]);
  });

  it('is five of its issues, how much it sends while it is live, and when it was created', () => {
    const issues = [`1 ${SECRET}`, '2', '3', '4', '5', '6'];
    const stream = { id: 'a', createdAt: NOW, isHealthy: false, issues, ingestRate: 1000.1 };
    const { health, createdAt } = detailedFacts(aFact(aLiveStream(stream)), theSources());
    assert.deepEqual(health, { isHealthy: false, issues: ['1 …', '2', '3', '4', '5'], ingestBitrate: 8001 });
    assert.equal(createdAt, iso(NOW));
    const other = (given: Parameters<typeof aStream>[0]) => detailedFacts(aFact(aStream(given)), theSources());
    assert.equal(other(stream).health.ingestBitrate, undefined);
    assert.equal(other({ id: 'a', isActive: true }).health.ingestBitrate, undefined);
  });

  it('is ten of its renditions, of each what has the right type', () => {
    const good = { name: SECRET, width: 640, height: 360, bitrate: 800_000, fps: 0 };
    const wrong = { name: 5, width: '640', height: null, bitrate: [1], fps: {}, encoder: 'x' };
    const profiles = [good, 'text', null, wrong, ...Array.from({ length: 9 }, () => good)];
    const { renditions } = detailedFacts(aFact(aStream({ id: 'a', profiles })), theSources());
    const none = { name: undefined, width: undefined, height: undefined, bitrate: undefined, fps: undefined };
    const shown = { ...good, name: '…' };
    assert.deepEqual(renditions, [shown, none, ...Array.from({ length: 8 }, () => shown)]);
    assert.deepEqual(detailedFacts(aFact(aStream({ id: 'a', profiles: undefined })), theSources()).renditions, []);
  });

  it('is its HLS URL without the query, if there is one without secrets', () => {
    const hlsUrl = (hls: string | undefined, playbackId: string | undefined = 'p1') =>
      detailedFacts(
        aFact(aStream({ id: 'a', playbackId })),
        theSources({ templates: hls === undefined ? {} : { hls } }),
      ).hlsUrl;
    assert.equal(hlsUrl('https://cdn.test/{playbackId}.m3u8?a=b#c'), 'https://cdn.test/p1.m3u8');
    assert.equal(hlsUrl('http://cdn.test/{playbackId}.m3u8#c?d'), 'http://cdn.test/p1.m3u8');
    const long = `https://cdn.test/${'x'.repeat(483)}`;
    assert.deepEqual([hlsUrl(long), hlsUrl(`${long}x`)], [long, undefined]);
    for (const template of [
      undefined,
      'file:///{playbackId}',
      `https://cdn.test/${SECRET}/{playbackId}`,
      'https://cdn.test/{streamKey}',
    ]) {
      assert.equal(hlsUrl(template), undefined, template);
    }
    assert.equal(hlsUrl('https://cdn.test/x.m3u8', 'p/1'), undefined);
  });
});

describe('What agents get of a session', () => {
  it('is how long it took in whole seconds, and what became of its recording', () => {
    const session = aSession({ id: 's', record: true, createdAt: NOW, sourceSegmentsDuration: 59.6 });
    const facts = [
      sessionFacts(session, theSources(), session),
      sessionFacts({ ...session, recordingStatus: 'waiting' }, theSources(), aSession({ id: 'other' })),
      sessionFacts(aSession({ id: 's', createdAt: undefined }), theSources(), undefined),
    ];
    assert.deepEqual(fieldsOf(facts, 'startedAt', 'durationSeconds', 'recording'), [
      [new Date(NOW).toISOString(), 60, 'running'],
      [new Date(NOW).toISOString(), 60, 'waiting'],
      [undefined, undefined, 'notRecorded'],
    ]);
  });

  it('is the URLs of its recording that may be opened, without their queries', () => {
    const urls = (recordingUrl: string, mp4Url?: string) => {
      const facts = sessionFacts(aSession({ id: 's', recordingUrl, mp4Url }), theSources(), undefined);
      return [facts.recordingUrl, facts.mp4Url];
    };
    assert.deepEqual(urls('https://cdn.test/s/index.m3u8?sig=1', 'https://cdn.test/s.mp4?sig=1'), [
      'https://cdn.test/s/index.m3u8',
      'https://cdn.test/s.mp4',
    ]);
    assert.deepEqual(urls('http://cdn.test/unencrypted', 'https://127.0.0.1/of/this/machine'), [undefined, undefined]);
    assert.deepEqual(urls(`https://cdn.test/${SECRET}`), [undefined, undefined]);
  });

  it('is its stream by the name that it has now, or else by that of the session', () => {
    const snapshot = aSnapshot({ streams: [aStream({ id: 'known', name: `New ${SECRET}` })] });
    const parent = (given: Partial<Parameters<typeof parentFacts>[0]>) =>
      parentFacts(aSession({ id: 's', ...given }), theSources({ snapshot }));
    assert.deepEqual(parent({ parentId: 'known', parentName: 'Old' }), { id: 'known', name: 'New …' });
    assert.deepEqual(parent({ parentId: 'other', parentName: 'Old' }), { id: 'other', name: 'Old' });
    assert.deepEqual(parent({ parentName: 'Old' }), { id: undefined, name: 'Old' });
    assert.deepEqual(parent({}), { id: undefined, name: undefined });
  });
});
