import assert from 'node:assert/strict';
import { sessionDetails } from '../../../src/panels/shownDetails.ts';
import { type DetailsContext, secretsOf, streamDetails } from '../../../src/panels/streamDetails.ts';
import type { Fact, ShownDetails } from '../../../src/webview/details/messages.ts';
import {
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aSubList,
  aTrouble,
  DAY,
  HOUR,
  MINUTE,
  NOW,
  type SnapshotParts,
} from '../../support/model/builders.ts';

const KEY = 'abcd-efgh-ijkl-mnop';
const TEMPLATES = {
  rtmp: 'rtmp://in.example/live/{streamKey}',
  whip: 'https://in.example/webrtc/{streamKey}',
  hls: 'https://cdn.example/hls/{playbackId}/index.m3u8',
  player: 'https://play.example/?v={playbackId}',
};

function contextOf(given: Partial<DetailsContext> = {}, snapshot: SnapshotParts = {}): DetailsContext {
  return {
    snapshot: aSnapshot(snapshot),
    reader: { now: NOW, locale: 'en', timeZone: 'UTC' },
    templates: TEMPLATES,
    host: 'video.example',
    ...given,
  };
}

function factOf({ sections }: ShownDetails, section: string, label: string): Fact | undefined {
  return sections.find(({ id }) => id === section)?.facts?.find((fact) => fact.label === label);
}

describe('What the page of a stream shows', () => {
  const stream = aLiveStream({ id: 's1', name: 'Keynote', streamKey: KEY, playbackId: 'p1', record: true });

  it('holds no key, wherever it may stand', () => {
    const shown = streamDetails(aFact(stream), contextOf({}, { streams: [stream] }));
    assert.ok(!JSON.stringify(shown).includes(KEY));
    assert.equal(factOf(shown, 'encoder', 'Stream Key')?.secret, 'streamKey');
    assert.match(factOf(shown, 'encoder', 'WHIP URL (with Key)')?.value ?? '', /^https:\/\/in\.example\/webrtc\/•+$/);
    assert.match(factOf(shown, 'encoder', 'RTMP URL (with Key)')?.value ?? '', /^rtmp:\/\/in\.example\/live\/•+$/);
  });

  it('holds no key where the addresses of the player ask for it: they are not known then', () => {
    const keyed = 'https://play.example/{playbackId}/{streamKey}';
    const templates = { ...TEMPLATES, hls: keyed, player: keyed };
    const shown = streamDetails(aFact(stream), contextOf({ templates }, { streams: [stream] }));
    assert.ok(!JSON.stringify(shown).includes(KEY));
    assert.equal(factOf(shown, 'player', 'HLS URL')?.value, 'Not configured for video.example');
    assert.equal(factOf(shown, 'player', 'Player URL')?.value, 'Not configured for video.example');
  });

  it('has as many dots for a short key as for a long one', () => {
    const dots = (streamKey: string) =>
      factOf(streamDetails(aFact({ ...stream, streamKey }), contextOf()), 'encoder', 'Stream Key')?.value;
    assert.equal(dots('a'), dots('a'.repeat(100)));
  });

  it('gives the secrets apart, each by its name', () => {
    assert.deepEqual(secretsOf(stream, TEMPLATES), {
      streamKey: KEY,
      ingestUrl: `rtmp://in.example/live/${KEY}`,
      whip: `https://in.example/webrtc/${KEY}`,
    });
    assert.deepEqual(secretsOf(stream, {}), { streamKey: KEY });
    assert.deepEqual(secretsOf({ streamKey: undefined }, TEMPLATES), {});
  });

  it('has where it plays by the service’s own word where no address is set, and by the setting where one is', () => {
    const hlsUrl = 'https://told.example/p1.m3u8';
    const shownWith = (templates: DetailsContext['templates']) =>
      streamDetails(aFact(stream), contextOf({ templates, hlsUrl }, { streams: [stream] }));
    const told = shownWith({});
    assert.equal(factOf(told, 'player', 'HLS URL')?.value, hlsUrl);
    assert.ok(told.buttons.some(({ act }) => act === 'watchStream'));
    assert.equal(factOf(shownWith(TEMPLATES), 'player', 'HLS URL')?.value, 'https://cdn.example/hls/p1/index.m3u8');
  });

  it('says of addresses that are not known, and offers to set them', () => {
    const shown = streamDetails(aFact(stream), contextOf({ templates: {} }));
    for (const [section, label] of [
      ['encoder', 'RTMP Server'],
      ['encoder', 'WHIP URL (with Key)'],
      ['player', 'HLS URL'],
      ['player', 'Player URL'],
    ] as const) {
      const fact = factOf(shown, section, label);
      assert.equal(fact?.value, 'Not configured for video.example');
      assert.deepEqual(
        fact?.buttons?.map(({ act, label: text }) => [act, text]),
        [['setAddress', 'Configure…']],
      );
    }
    assert.ok(!shown.buttons.some(({ act }) => act === 'watchStream' || act === 'openPlayerPage'));
  });

  it('fills the addresses of the player, and says where there is no playback id', () => {
    const shown = streamDetails(aFact(stream), contextOf());
    assert.equal(factOf(shown, 'player', 'HLS URL')?.value, 'https://cdn.example/hls/p1/index.m3u8');
    const bare = streamDetails(aFact({ ...stream, playbackId: undefined }), contextOf());
    assert.equal(factOf(bare, 'player', 'HLS URL')?.value, 'No playback ID');
    assert.equal(factOf(bare, 'player', 'HLS URL')?.buttons, undefined);
  });

  it('is complete on the stated fields alone', () => {
    const shown = streamDetails(aFact(aStream({ id: 's1', streamKey: undefined })), contextOf());
    assert.deepEqual([shown.state, shown.tone], [['idle', 'never live'], 'plain']);
    const texts = new Map(shown.sections.map(({ id, texts: lines }) => [id, lines]));
    assert.deepEqual(texts.get('health'), ["Health data isn't available."]);
    assert.deepEqual(texts.get('renditions'), ['No renditions']);
    assert.equal(factOf(shown, 'encoder', 'Stream Key')?.value, 'Not available');
    assert.equal(shown.sessions, undefined);
  });

  it('tells states apart by words and tone', () => {
    const look = (given: Partial<typeof stream>) => {
      const { state, tone } = streamDetails(aFact({ ...stream, ...given }), contextOf());
      return [state[0], tone];
    };
    assert.deepEqual(look({}), ['live', 'recording']);
    assert.deepEqual(look({ record: false }), ['live', 'live']);
    assert.deepEqual(look({ lastSeen: NOW - 4 * MINUTE }), ['no data for 4 min', 'stale']);
    assert.deepEqual(look({ isActive: false, suspended: true }), ['suspended', 'suspended']);
  });

  it('shows health and issues, as text on one line each, and not too many', () => {
    const issues = ['<b>low\nbitrate</b>', ...Array.from({ length: 100 }, (_, at) => `issue ${at}`)];
    const shown = streamDetails(aFact({ ...stream, isHealthy: false, issues }), contextOf());
    const health = shown.sections.find(({ id }) => id === 'health');
    assert.deepEqual([health?.texts?.[0], health?.texts?.length], ['<b>low bitrate</b>', 20]);
    assert.deepEqual(
      [factOf(shown, 'health', 'Health')?.value, factOf(shown, 'health', 'Issues')?.value],
      ['unhealthy', '101'],
    );
  });

  it('shows renditions as a table, and what is none as it came', () => {
    const profiles = [{ name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 }];
    const rows = (given: readonly unknown[]) =>
      streamDetails(aFact({ ...stream, profiles: given }), contextOf()).sections.find(({ id }) => id === 'renditions');
    assert.deepEqual(rows(profiles)?.rows?.[1], ['720p', '1280 × 720', '3 Mbps', '30']);
    assert.deepEqual(rows(['odd'])?.texts, ['["odd"]']);
  });

  it('warns where what is shown may be old', () => {
    const trouble = aTrouble('network');
    const shown = streamDetails(aFact(stream), contextOf({}, { trouble }));
    assert.equal(shown.warning, "The service isn't responding. The information shown may be out of date.");
    assert.equal(streamDetails(aFact(stream), contextOf()).warning, undefined);
  });
});

describe('The sessions on the page of a stream', () => {
  const stream = aLiveStream({ id: 's1', name: 'Keynote' });
  const shownWith = (sessions: ReturnType<typeof aSubList<ReturnType<typeof aSession>>>, more: SnapshotParts = {}) => {
    const snapshot = { streams: [stream], sessions: { s1: sessions }, ...more };
    const { sessions: shown } = streamDetails(aFact(stream), contextOf({}, snapshot));
    if (shown === undefined) throw new Error('No sessions');
    return shown;
  };
  const ready = {
    record: true,
    recordingStatus: 'ready',
    recordingUrl: 'https://cdn.example/r/index.m3u8',
    createdAt: NOW - DAY,
    sourceSegmentsDuration: 3600,
    transcodedSegmentsDuration: 3500,
  };

  it('are drawn by what became of their recordings', () => {
    const { sessions, timeline } = shownWith(
      aSubList([
        aSession({ id: 'a', createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 }),
        aSession({ id: 'b', ...ready }),
        aSession({ id: 'c', ...ready, recordingStatus: 'waiting', recordingUrl: undefined }),
        aSession({ id: 'd', ...ready, recordingStatus: 'failed', recordingUrl: undefined }),
        aSession({ id: 'e', ...ready, recordingStatus: 'marmalade', recordingUrl: undefined }),
        aSession({ id: 'f', createdAt: NOW - 2 * DAY }),
      ]),
    );
    assert.deepEqual(
      sessions.map(({ look, canOpen }) => [look, canOpen]),
      [
        ['running', false],
        ['ready', true],
        ['processing', false],
        ['lost', false],
        ['recorded', false],
        ['notRecorded', false],
      ],
    );
    assert.match(timeline, /^6 sessions in the last 30 days · live for .+ · 1 recording ready$/);
  });

  it('are compared oldest first, where a duration is known', () => {
    const shown = shownWith(
      aSubList([
        aSession({ id: 'a', ...ready }),
        aSession({ id: 'b', createdAt: NOW - 2 * DAY, sourceSegmentsDuration: -5, transcodedSegmentsDuration: 0 }),
        aSession({ id: 'c', ...ready, transcodedSegmentsDuration: undefined }),
      ]),
    );
    assert.deepEqual(shown.compared, [2, 0]);
    assert.deepEqual([shown.sessions[2]?.source, shown.sessions[2]?.transcoded], [3600, undefined]);
    assert.equal(shown.sessions[1]?.sourceText, '');
  });

  it('say so when there are none', () => {
    const { timeline, comparison, compared } = shownWith(aSubList([]));
    assert.deepEqual([timeline, compared], ['Not live in the last 30 days', []]);
    assert.equal(comparison, 'No duration data available');
  });

  it('say what is not among them, and offer what helps', () => {
    const acts = (list: Parameters<typeof shownWith>[0], more: SnapshotParts = {}) =>
      shownWith(list, more).notes.map(({ button }) => button?.act);
    assert.deepEqual(acts(aSubList([])), []);
    assert.deepEqual(acts(aSubList([]), { recordedOnly: true }), ['showAllSessions']);
    assert.deepEqual(acts(aSubList([], { hasNextPage: true })), ['loadMore']);
    const trouble = aTrouble('network');
    assert.deepEqual(acts(aSubList([], { trouble })), ['retry']);
  });

  it('are five hundred at most', () => {
    const many = Array.from({ length: 700 }, (_, at) => aSession({ id: `s${at}`, createdAt: NOW - at * HOUR }));
    const shown = shownWith(aSubList(many));
    assert.equal(shown.sessions.length, 500);
    assert.deepEqual(
      shown.notes.map(({ text }) => text),
      ['Only the latest 500 sessions are shown.'],
    );
  });
});

describe('What the page of a session shows', () => {
  const session = aSession({ id: 'x1', parentId: 's1', parentName: 'Keynote', createdAt: NOW - DAY });

  it('is its numbers, and what became of its recording', () => {
    const recorded = {
      ...session,
      record: true,
      recordingStatus: 'ready',
      recordingUrl: 'https://cdn.example/secret?sig=1',
      sourceSegmentsDuration: 3720,
      sourceSegments: 1860,
    };
    const shown = sessionDetails(recorded, contextOf());
    assert.equal(shown.title, 'Keynote · Yesterday 10:54');
    assert.deepEqual(shown.state, ['ready', '1h 02m']);
    assert.equal(factOf(shown, 'session', 'Source')?.value, '1,860 segments · 1h 02m');
    assert.deepEqual(
      shown.buttons.map(({ act }) => act),
      ['openRecording', 'openRecordingInBrowser', 'openSessionJson'],
    );
    assert.ok(!JSON.stringify(shown).includes('sig=1'), 'signed addresses stay in the host');
  });

  it('is what is known, where nothing was recorded and no stream is there', () => {
    const bare = aSession({ id: 'x1', createdAt: undefined, lastSeen: undefined, sourceSegmentsDuration: -1 });
    const shown = sessionDetails(bare, contextOf());
    assert.deepEqual([shown.title, shown.state], ['Unknown start time', ['not recorded']]);
    assert.equal(factOf(shown, 'session', 'Duration')?.value, 'Unknown');
    assert.deepEqual(
      shown.buttons.map(({ act }) => act),
      ['openSessionJson'],
    );
  });
});
