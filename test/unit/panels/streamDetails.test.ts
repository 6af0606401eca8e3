import assert from 'node:assert/strict';
import { ALL_ABILITIES, type HealthCondition, type Stream } from '../../../src/api/types.ts';
import type { TestBroadcast } from '../../../src/model/store/snapshot.ts';
import { sessionDetails } from '../../../src/panels/shownDetails.ts';
import { type DetailsContext, secretsOf, streamDetails } from '../../../src/panels/streamDetails.ts';
import { formatClock, formatDateTime, formatDayAndClock } from '../../../src/util/dates.ts';
import type { Fact, ShownDetails } from '../../../src/webview/details/messages.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { STREAMING_TEMPLATES as TEMPLATES } from '../../support/model/addressTemplates.ts';
import {
  aConnection,
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

function contextOf(given: Partial<DetailsContext> = {}, snapshot: SnapshotParts = {}): DetailsContext {
  return {
    snapshot: aSnapshot(snapshot),
    reader: { now: NOW, locale: 'en', timeZone: 'UTC' },
    templates: TEMPLATES,
    ...given,
  };
}

const READER = { now: NOW, locale: 'en', timeZone: 'UTC' };
const formatted = (at: number) => formatDayAndClock(at, READER) ?? '';
const clock = (at: number) => formatClock(at, READER) ?? '';

function factOf({ sections, more }: ShownDetails, section: string, label: string): Fact | undefined {
  return [...sections, ...more].find(({ id }) => id === section)?.facts?.find((fact) => fact.label === label);
}

function stateLine({ state }: ShownDetails): string {
  return state.map(({ text }) => text).join(' · ');
}

function acts({ buttons }: Pick<ShownDetails, 'buttons'>): readonly string[] {
  return buttons.map(({ act }) => act);
}

const NO_DATA =
  'The service reports the stream as live, but no data is arriving. Check the encoder and its network connection.';

describe('What the page of a stream shows', () => {
  const stream = aLiveStream({ id: 's1', name: 'Keynote', streamKey: KEY, playbackId: 'p1', record: true });

  it('says who can watch it and where, and offers to change that unless the service does not', () => {
    const shownWith = (
      type: string | undefined,
      allowedOrigins: readonly string[] = [],
      snapshot: SnapshotParts = {},
    ) => {
      const playbackPolicy = type === undefined ? undefined : { type, webhookId: undefined, allowedOrigins };
      const given = { ...stream, playbackPolicy };
      const shown = streamDetails(aFact(given), contextOf({}, { streams: [given], ...snapshot }));
      return factOf(shown, 'play', 'Playback Policy');
    };
    assert.equal(shownWith(undefined), undefined);
    assert.equal(shownWith('public')?.value, 'Public');
    assert.equal(shownWith('jwt')?.value, 'Private: signed token');
    assert.deepEqual(fieldsOf(shownWith('jwt')?.buttons, 'act'), ['setPlaybackPolicy']);
    assert.equal(shownWith('webhook')?.value, 'Private: webhook');
    const origins = ['https://a.example', 'https://b.example'];
    assert.equal(shownWith('public', origins)?.note, 'On these websites only: https://a.example, https://b.example');
    const other = { id: 'other', playbackPolicy: { type: 'jwt', webhookId: undefined, allowedOrigins: [] } };
    const left = streamDetails(aFact(stream), contextOf({}, { streams: [stream, aStream(other)] }));
    assert.equal(factOf(left, 'play', 'Playback Policy')?.value, 'Public', 'the service has policies');
    const cannot = { abilities: { ...ALL_ABILITIES, playbackPolicy: false } };
    assert.deepEqual(shownWith('jwt', [], cannot)?.buttons, []);
  });

  it('names its connection if there are several', () => {
    const lastWord = (connectionCount: number) => {
      const { state } = streamDetails(aFact(stream), contextOf({}, { streams: [stream], connectionCount }));
      return state?.at(-1)?.text;
    };
    assert.equal(lastWord(2), 'Production');
    assert.notEqual(lastWord(1), 'Production');
  });

  it('says of a target that is on whether anything is known of it, while the service reports on the broadcast', () => {
    const given = aLiveStream({ id: 's1', targets: [{ id: 'a', profile: 'source' }] });
    const targets = new Map([['a', { id: 'a', name: 'YouTube', isDisabled: false }]]);
    const shownWith = (health: readonly HealthCondition[]) => {
      const { snapshot, ...context } = contextOf({ health }, { streams: [given] });
      const shown = streamDetails(aFact(given), { ...context, snapshot: { ...snapshot, targets } });
      const fact = shown.sections.find(({ id }) => id === 'multistream')?.facts?.[0];
      return [fact?.value, fact?.tone, fact?.advice];
    };
    const active = { type: 'Active', isMet: true, since: undefined, checkedAt: undefined };
    assert.deepEqual(shownWith([]), ['On', 'good', undefined]);
    const unreported = "The service hasn't reported whether the target is connected.";
    assert.deepEqual(shownWith([active]), ['On', 'unknown', unreported]);
    const sending = { ...active, type: 'Multistreaming', target: { id: 'a', profile: 'source', name: 'YouTube' } };
    assert.deepEqual(shownWith([active, sending]), ['Connected', 'good', undefined]);
  });

  it('says of a target that fails above and beside it, and has no Health if all else is that data arrives', () => {
    const target = { id: 'a', profile: 'source', name: 'YouTube' };
    const given = aLiveStream({ id: 's1', isHealthy: true, targets: [target] });
    const condition = { type: 'Active', isMet: true, since: undefined, checkedAt: undefined };
    const health = [condition, { ...condition, type: 'Multistreaming', isMet: false, target }];
    const { snapshot, ...context } = contextOf({ health }, { streams: [given] });
    const targets = new Map([['a', { id: 'a', name: 'YouTube', isDisabled: false }]]);
    const { sections, problems } = streamDetails(aFact(given), { ...context, snapshot: { ...snapshot, targets } });
    assert.deepEqual(fieldsOf(sections, 'id'), ['encoder', 'multistream']);
    assert.deepEqual(problems, ['YouTube failing']);
    assert.equal(sections[1]?.facts?.[0]?.value, 'Failing');
  });

  it('does not blame a target while no data arrives that could be sent, whether the service has noticed or not', () => {
    const target = { id: 'a', profile: 'source', name: 'YouTube' };
    const condition = (type: string, isMet: boolean) => ({ type, isMet, since: undefined, checkedAt: undefined });
    const sending = { ...condition('Multistreaming', false), target };
    const shownWith = (lastSeen: number, health: readonly HealthCondition[], isDisabled = false) => {
      const given = { ...stream, lastSeen, targets: [target], record: false };
      const { snapshot, ...context } = contextOf({ health }, { streams: [given] });
      const targets = new Map([['a', { id: 'a', name: 'YouTube', isDisabled }]]);
      const shown = streamDetails(aFact(given), { ...context, snapshot: { ...snapshot, targets } });
      const fact = shown.sections.find(({ id }) => id === 'multistream')?.facts?.[0];
      const rows = shown.sections.find(({ id }) => id === 'health')?.rows?.slice(1) ?? [];
      return {
        target: [fact?.value, fact?.tone, fact?.advice],
        said: [
          stateLine(shown),
          ...(shown.meaning ?? []),
          ...(shown.problems ?? []),
          ...shown.issues,
          ...rows.map(([name]) => name),
        ],
        first: shown.sections[0]?.id,
      };
    };
    const stale = NOW - 23 * MINUTE;
    for (const isActive of [true, false]) {
      const given = [condition('Active', isActive), condition('Multistreaming', false), sending];
      const { target: shown, said, first } = shownWith(stale, given);
      assert.deepEqual(shown, ['Waiting for data', 'unknown', undefined]);
      assert.deepEqual(said, ['No data for 23 min', NO_DATA]);
      assert.equal(first, 'encoder');
    }
    assert.deepEqual(shownWith(stale, []).target, ['Waiting for data', 'unknown', undefined], 'without checks');
    assert.deepEqual(shownWith(stale, [sending], true).target, ['Off', 'quiet', undefined]);
    const justEnded = shownWith(NOW, [condition('Active', false), condition('Transcoding', false), sending]);
    assert.deepEqual(justEnded.target, ['Waiting for data', 'unknown', undefined]);
    assert.deepEqual(justEnded.said, ['Live · 1 problem', 'Receiving data']);
    const blamed = shownWith(NOW, [condition('Active', true), sending]);
    assert.deepEqual(blamed.target, [
      'Failing',
      'warning',
      "Make sure that the target's URL and stream key are correct.",
    ]);
    assert.deepEqual(blamed.said, ['Live', 'YouTube failing']);
  });

  it('lists its multistream targets, with what is known of each, and names those that failed', () => {
    const uses = ['a', 'b', 'off', 'new'].map((id) => ({ id, profile: id === 'b' ? '720p0' : 'source' }));
    const given = { ...stream, targets: uses };
    const other = aStream({ id: 's2', name: 'Other', targets: [{ id: 'b', profile: 'source' }] });
    const known = { a: 'YouTube', b: 'Twitch', off: 'Facebook' };
    const targets = new Map(
      Object.entries(known).map(([id, name]) => [id, { id, name, isDisabled: id === 'off' }] as const),
    );
    const sending = { type: 'Multistreaming', isMet: false, since: undefined, checkedAt: undefined };
    const connections = ['a', 'b', 'off'].map((id, at) => ({
      ...{ ...sending, isMet: id === 'a' },
      target: { id, profile: uses[at]?.profile ?? '', name: id },
    }));
    const health = [sending, ...connections];
    const shownWith = (snapshot: SnapshotParts = {}) => {
      const context = contextOf({ health }, { streams: [given, other], ...snapshot });
      return streamDetails(aFact(given), { ...context, snapshot: { ...context.snapshot, targets, hasTargets: true } });
    };
    const shown = shownWith();
    const section = shown.sections.find(({ id }) => id === 'multistream');
    assert.deepEqual(
      section?.facts?.map(({ label, value, advice = '', note, buttons = [] }) => {
        return [label, value, advice, note, acts({ buttons }).join()];
      }),
      [
        [
          'YouTube',
          'Connected',
          '',
          'Rendition: Source',
          'turnOffMultistreamTarget,addMultistreamTarget,removeMultistreamTarget',
        ],
        [
          ...['Twitch', 'Failing', "Make sure that the target's URL and stream key are correct."],
          'Rendition: 720p0 · Also used by: Other',
          'turnOffMultistreamTarget,addMultistreamTarget,removeMultistreamTarget',
        ],
        [
          'Facebook',
          'Off',
          '',
          'Rendition: Source',
          'turnOnMultistreamTarget,addMultistreamTarget,removeMultistreamTarget',
        ],
        ['new', 'Unknown', '', 'Rendition: Source', 'removeMultistreamTarget'],
      ],
    );
    assert.equal(stateLine(shown), 'Live · recording', 'targets are named below');
    assert.ok(section?.facts?.every(({ buttons = [] }) => buttons.every(({ target }) => target !== undefined)));
    const words = (section?.facts ?? []).map(({ buttons = [] }) => buttons.filter(({ icon }) => icon === undefined));
    assert.deepEqual(
      words.map((buttons) => buttons.map(({ label }) => label).join()),
      ['Turn Off', 'Turn Off', 'Turn On', ''],
    );
    assert.deepEqual(acts({ buttons: section?.buttons ?? [] }), ['addMultistreamTarget']);
    assert.deepEqual([shown.problems, shown.issues], [['Twitch failing'], []]);
    assert.deepEqual(fieldsOf(shown.sections, 'id'), ['encoder', 'play', 'multistream']);
    const slow = { ...sending, type: 'TranscodeRealTime' };
    const both = streamDetails(aFact(given), contextOf({ health: [slow, ...health] }, { streams: [given] }));
    assert.deepEqual(
      both.sections.map(({ id, rows = [] }) => [id, ...rows.slice(1).map(([name]) => name)]),
      [['health', 'Transcoding in real time'], ['encoder'], ['play'], ['multistream']],
    );
    const fine = health.map((condition) => ({ ...condition, isMet: true }));
    const { sections: calm } = streamDetails(aFact(given), contextOf({ health: fine }, { streams: [given] }));
    assert.deepEqual(fieldsOf(calm, 'id'), ['encoder', 'play', 'multistream']);
    const without = { ...given, targets: [] };
    const { sections, more } = streamDetails(aFact(without), contextOf({}, { streams: [without] }));
    assert.ok(!sections.some(({ id }) => id === 'multistream'));
    assert.deepEqual(
      more.filter(({ id }) => id === 'multistream').map(({ buttons = [] }) => acts({ buttons })),
      [['addMultistreamTarget']],
    );
    const cannot = shownWith({ abilities: { ...ALL_ABILITIES, multistream: false } });
    assert.deepEqual(cannot.sections[0]?.rows?.[1]?.[0], 'b');
    assert.ok(!cannot.sections.some(({ id }) => id === 'multistream'));
  });

  it('offers nothing for a target until the targets are read, and then all that there is', () => {
    const given = aStream({ id: 'a', targets: [{ id: 'target', profile: 'source' }] });
    const target = { id: 'target', name: 'YouTube', isDisabled: false };
    const actsWith = (snapshot: SnapshotParts) => {
      const { sections } = streamDetails(aFact(given), contextOf({}, { streams: [given], ...snapshot }));
      const [fact] = sections.find(({ id }) => id === 'multistream')?.facts ?? [];
      return acts({ buttons: fact?.buttons ?? [] });
    };
    assert.deepEqual(actsWith({}), []);
    const namesWith = (context: Partial<DetailsContext>) => {
      const { sections } = streamDetails(aFact(given), contextOf(context, { streams: [given] }));
      return fieldsOf(sections.find(({ id }) => id === 'multistream')?.facts ?? [], 'label', 'value', 'isName');
    };
    assert.deepEqual(namesWith({ awaitsTargets: true }), [['Loading…', '', undefined]], 'no name');
    assert.deepEqual(namesWith({}), [['Multistream Target', 'Unknown', true]], 'they could not be read');
    assert.deepEqual(actsWith({ targets: new Map([['target', target]]), hasTargets: true }), [
      ...['turnOffMultistreamTarget', 'addMultistreamTarget', 'removeMultistreamTarget'],
    ]);
    assert.deepEqual(actsWith({ hasTargets: true }), ['removeMultistreamTarget'], 'the service no longer lists it');
  });

  it('offers targets for a stream of which the service says none, where it has targets at all', () => {
    const given = aStream({ id: 'a', targets: undefined });
    const cards = (hasTargets: boolean) =>
      streamDetails(aFact(given), contextOf({}, { streams: [given], hasTargets })).more.filter(
        ({ id }) => id === 'multistream',
      );
    assert.deepEqual(
      cards(true).map(({ buttons = [] }) => acts({ buttons })),
      [['addMultistreamTarget']],
    );
    assert.deepEqual(cards(false), []);
  });

  it('holds no key, wherever it may stand', () => {
    const shown = streamDetails(aFact(stream), contextOf({}, { streams: [stream] }));
    assert.ok(!JSON.stringify(shown).includes(KEY));
    assert.equal(factOf(shown, 'encoder', 'Stream Key')?.secret, 'streamKey');
    assert.match(factOf(shown, 'encoder', 'WHIP URL (with Key)')?.value ?? '', /^https:\/\/in\.example\/webrtc\/•+$/);
    assert.match(factOf(shown, 'encoder', 'RTMP URL (with Key)')?.value ?? '', /^rtmp:\/\/in\.example\/live\/•+$/);
  });

  it('holds no key where the player’s addresses need one, which are unknown in that case', () => {
    const keyed = 'https://play.example/{playbackId}/{streamKey}';
    const templates = { ...TEMPLATES, hls: keyed, player: keyed };
    const shown = streamDetails(aFact(stream), contextOf({ templates }, { streams: [stream] }));
    assert.ok(!JSON.stringify(shown).includes(KEY));
    assert.equal(factOf(shown, 'play', 'HLS URL')?.value, 'Not configured');
    assert.equal(factOf(shown, 'play', 'Player URL'), undefined);
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
      srt: `srt://in.example:2935?streamid=${KEY}`,
      whip: `https://in.example/webrtc/${KEY}`,
    });
    assert.deepEqual(secretsOf(stream, {}), { streamKey: KEY, ingestUrl: undefined, srt: undefined, whip: undefined });
    assert.deepEqual(secretsOf({ streamKey: undefined }, TEMPLATES), {});
  });

  it('has where it plays by the service’s own word where no address is set, and by the setting where one is', () => {
    const hlsUrl = 'https://told.example/p1.m3u8';
    const shownWith = (templates: DetailsContext['templates']) =>
      streamDetails(aFact(stream), contextOf({ templates, hlsUrl }, { streams: [stream] }));
    const told = shownWith({});
    assert.equal(factOf(told, 'play', 'HLS URL')?.value, hlsUrl);
    assert.ok(told.buttons.some(({ act }) => act === 'watchStream'));
    assert.equal(factOf(shownWith(TEMPLATES), 'play', 'HLS URL')?.value, 'https://cdn.example/hls/p1/index.m3u8');
  });

  it('says of addresses that are not known, and offers to set those that a box asks for', () => {
    const shown = streamDetails(aFact(stream), contextOf({ templates: {} }));
    for (const [section, label] of [
      ['encoder', 'RTMP Server'],
      ['play', 'HLS URL'],
    ] as const) {
      const fact = factOf(shown, section, label);
      assert.equal(fact?.value, 'Not configured');
      assert.deepEqual(
        fact?.buttons?.map(({ act, label: text }) => [act, text]),
        [['setAddress', 'Configure…']],
      );
    }
    assert.equal(factOf(shown, 'play', 'Player URL'), undefined);
    assert.ok(!shown.buttons.some(({ act }) => act === 'watchStream' || act === 'openPlayerPage'));
  });

  it('says of SRT and WHIP that they are not known, and offers to set them, but not for the demo', () => {
    const rows = (isDemo: boolean) => {
      const connection = { kind: 'open', info: aConnection({ isDemo }) } as const;
      const { rtmp } = TEMPLATES;
      const shown = streamDetails(aFact(stream), contextOf({ templates: { rtmp } }, { streams: [stream], connection }));
      const { facts = [] } = shown.more.find(({ id }) => id === 'ingest') ?? {};
      return facts.map(({ label, value, buttons = [] }) => [label, value, buttons.map(({ act }) => act).join()]);
    };
    const missing = ['SRT', 'WHIP'].map((name) => [`${name} URL (with Key)`, 'Not configured', 'setOtherAddress']);
    assert.deepEqual(rows(false), missing);
    assert.deepEqual(rows(true), []);
  });

  it('says when it will know addresses that a service may provide once it answers, and offers to set none until then', () => {
    const info = aConnection({ name: 'Stage' });
    const open = { kind: 'open', info } as const;
    for (const [parts, value, given = {}] of [
      [{ connection: open }, 'Unknown until Stage responds', { awaitsUrls: true }],
      [{ connection: { kind: 'open', info }, trouble: aTrouble('network') }, 'Unknown until Stage responds'],
      [{ connection: { kind: 'open', info }, trouble: aTrouble('unavailable') }, 'Unknown until Stage responds'],
      [{ connection: { kind: 'refused', info } }, 'Unknown until the API key is accepted'],
    ] as const) {
      const shown = streamDetails(aFact(stream), contextOf({ templates: {}, ...given }, parts));
      assert.deepEqual(factOf(shown, 'encoder', 'RTMP Server'), { label: 'RTMP Server', value });
      assert.deepEqual(factOf(shown, 'play', 'HLS URL'), { label: 'HLS URL', value });
    }
  });

  it('fills the addresses of the player, and has no card without a playback ID', () => {
    const shown = streamDetails(aFact(stream), contextOf());
    assert.equal(factOf(shown, 'play', 'HLS URL')?.value, 'https://cdn.example/hls/p1/index.m3u8');
    const bare = streamDetails(aFact({ ...stream, playbackId: undefined }), contextOf());
    assert.deepEqual(fieldsOf(bare.sections, 'id'), ['encoder']);
    assert.deepEqual([shown.hasPicture, bare.hasPicture], [true, false]);
    assert.equal(streamDetails(aFact({ ...stream, lastSeen: NOW - HOUR }), contextOf()).hasPicture, false);
  });

  it('is complete on the stated fields alone', () => {
    const shown = streamDetails(aFact(aStream({ id: 's1', streamKey: undefined })), contextOf());
    assert.equal(stateLine(shown), 'Idle · never live');
    assert.deepEqual(fieldsOf([...shown.sections, ...shown.more], 'id'), ['encoder', 'ids', 'renditions', 'activity']);
    assert.deepEqual(shown.more.find(({ id }) => id === 'renditions')?.texts, ['Source only (no transcoding)']);
    assert.equal(factOf(shown, 'encoder', 'Stream Key')?.value, 'Not available');
    assert.equal(shown.sessions, undefined);
  });

  it('never calls a stream healthy while something is wrong, and counts what is', () => {
    const lineOf = (health: DetailsContext['health'], isHealthy: boolean | undefined) =>
      streamDetails(aFact({ ...stream, record: false, isHealthy }), contextOf({ health })).state.slice(1);
    const condition = (type: string, isMet: boolean | undefined) => ({
      ...{ type, isMet, since: undefined, checkedAt: undefined },
    });
    const unmet = ['Transcoding', 'TranscodeNoErrors'].map((type) => condition(type, false));
    for (const isHealthy of [true, undefined]) {
      assert.deepEqual(lineOf(unmet.slice(1), isHealthy), [{ text: '1 problem', tone: 'warning' }]);
      assert.deepEqual(lineOf(unmet, isHealthy), [{ text: '2 problems', tone: 'warning' }]);
      const withoutData = [condition('Active', false), condition('Transcoding', false)];
      assert.deepEqual(lineOf(withoutData, isHealthy), [{ text: '1 problem', tone: 'warning' }], 'and what follows');
    }
    assert.deepEqual(lineOf(unmet, false), [{ text: 'unhealthy', tone: 'warning' }]);
    for (const isMet of [true, undefined]) {
      assert.deepEqual(lineOf([condition('Active', isMet)], true), [{ text: 'healthy' }]);
    }
    const connection = (profile: string) => ({
      ...condition('Multistreaming', false),
      target: { id: 'a', profile, name: 'Twitch' },
    });
    const ofTargets = ['source', '720p0'].map(connection);
    assert.deepEqual(lineOf(ofTargets, true), [], 'they are named below');
    assert.equal(lineOf([...unmet.slice(1), ...ofTargets], true)[0]?.text, '1 problem', 'and not counted');
  });

  it('says in one line how it is', () => {
    const session = aSession({ id: 'x1', parentId: 's1', createdAt: NOW - 48 * MINUTE, lastSeen: NOW - 5000 });
    const snapshot = { streams: [stream], sessions: { s1: [session] } };
    const lineOf = (given: Partial<typeof stream>, parts: SnapshotParts = {}) =>
      stateLine(streamDetails(aFact({ ...stream, ...given }), contextOf({}, parts)));
    assert.match(
      lineOf({ ingestRate: 312_500, isHealthy: true }, snapshot),
      /^Live for 48 min · recording · 2\.5 Mb\S+ · healthy$/,
    );
    assert.equal(lineOf({}), 'Live · recording');
    assert.equal(lineOf({ record: false, isHealthy: false }), 'Live · unhealthy');
    const stale = { lastSeen: NOW - 4 * MINUTE };
    assert.equal(lineOf(stale), 'No data for 4 min');
    assert.equal(lineOf({ isActive: false, suspended: true, lastSeen: NOW - HOUR }), 'Suspended · last live 1 h ago');
    const unseen = { isActive: false, lastSeen: undefined, record: false };
    assert.equal(lineOf(unseen), 'Idle · never live');
    assert.equal(lineOf(unseen, snapshot), 'Idle', 'though it has sessions');
    assert.equal(lineOf({ ...unseen, lastSeen: NOW - HOUR }, snapshot), 'Idle · last live 1 h ago');
    for (const given of [{}, stale]) assert.equal(lineOf({ ...given, suspended: true }), 'Suspended · still live');
    const suspended = streamDetails(aFact({ ...stream, suspended: true }), contextOf({}));
    assert.equal(suspended.state[0]?.tone, 'suspended', 'with the symbol of its row');
    const playbackPolicy = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
    assert.equal(lineOf({ playbackPolicy, isHealthy: true }), 'Live · private · recording · healthy');
    assert.equal(lineOf({ playbackPolicy, ...stale }), 'No data for 4 min · private');
    assert.equal(lineOf({ playbackPolicy, ...unseen }), 'Idle · private · never live');
    assert.equal(lineOf({ playbackPolicy, isActive: false, suspended: true }), 'Suspended · private · ended just now');
  });

  it("follows this window's test broadcast in the words of the row, and offers to stop it", () => {
    const broadcast = { connectionId: aConnection().id, name: 'Keynote', state: 'live', droppedPercent: 0 } as const;
    const shownWith = (given: Partial<typeof stream>, change: Partial<TestBroadcast> = {}) => {
      const testBroadcasts = new Map([['s1', { ...broadcast, secondsLeft: 55, ...change }]]);
      const own = { ...stream, record: false, ...given };
      const shown = streamDetails(aFact(own), contextOf({}, { streams: [own], testBroadcasts }));
      return { line: stateLine(shown), acts: acts(shown), menu: shown.menu.flat().map(({ act }) => act) };
    };
    const live = shownWith({});
    assert.equal(live.line, 'Live · 0:55 left in test broadcast');
    assert.deepEqual(live.acts, ['watchStream', 'checkStream', 'stopTestBroadcast']);
    const idle = { isActive: false, lastSeen: undefined };
    const starting = shownWith(idle, { state: 'connecting', secondsLeft: undefined });
    assert.equal(starting.line, 'Idle · test broadcast, connecting…', 'when it was last live is about to change');
    assert.deepEqual(starting.acts, ['copyStreamKey', 'stopTestBroadcast']);
    assert.ok(!starting.menu.includes('startTestBroadcast'));
    const stale = shownWith({ lastSeen: NOW - 4 * MINUTE }, { state: 'reconnecting' });
    assert.equal(stale.line, 'No data for 4 min · test broadcast, reconnecting…');
    assert.equal(shownWith({ suspended: true }).line, 'Suspended · 0:55 left in test broadcast · still live');
    const other = shownWith(idle, { connectionId: 'another' });
    assert.equal(other.line, 'Idle · never live');
    assert.deepEqual(other.acts, ['copyStreamKey', 'startTestBroadcast']);
  });

  it('marks what is wrong rather than that the stream is live', () => {
    const tonesOf = (isHealthy: boolean | undefined, health: DetailsContext['health'] = []) => {
      const { state } = streamDetails(aFact({ ...stream, record: false, isHealthy }), contextOf({ health }));
      return [state[0]?.tone, state.at(-1)?.tone];
    };
    const unmet = { type: 'Transcoding', isMet: false, since: undefined, checkedAt: undefined };
    assert.deepEqual(tonesOf(true), ['live', undefined]);
    assert.deepEqual(tonesOf(false), ['live', 'warning']);
    assert.deepEqual(tonesOf(true, [unmet]), ['live', 'warning']);
  });

  it('says what suspended means, and offers nothing that would not work then', () => {
    const session = aSession({
      ...{ id: 'x1', createdAt: NOW - DAY, recordingStatus: 'ready', recordingUrl: 'https://cdn.example/r.m3u8' },
    });
    const playbackPolicy = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
    const shownWith = (given: Partial<typeof stream>, parts: SnapshotParts = {}) => {
      const suspended = { ...stream, playbackPolicy, issues: ['low bitrate'], suspended: true, ...given };
      return streamDetails(aFact(suspended), contextOf({ hasPlayer: true }, { streams: [suspended], ...parts }));
    };
    const idle = shownWith({ isActive: false }, { sessions: { s1: [session] } });
    assert.deepEqual(idle.meaning, [
      'While a stream is suspended, the service rejects broadcasts to it, and no one can watch.',
      'Resume the stream, and then start a broadcast.',
    ]);
    assert.deepEqual(acts(idle), ['resumeStream', 'openRecording']);
    const open = shownWith({ playbackPolicy: { ...playbackPolicy, type: 'public' } });
    const policy = factOf(open, 'play', 'Playback Policy');
    assert.deepEqual(
      [policy?.value, policy?.note],
      ['Public', 'Takes effect after you resume the stream.'],
      'nobody can now',
    );
    const cannot = { abilities: { ...ALL_ABILITIES, suspend: false } };
    assert.deepEqual(shownWith({ isActive: false }, cannot).meaning?.slice(1), []);
    for (const shown of [idle, shownWith({ isActive: false, lastSeen: undefined }), shownWith({})]) {
      const { sections, more, menu, buttons } = shown;
      const all = [...sections, ...more].flatMap(({ facts = [] }) => facts.flatMap((fact) => fact.buttons ?? []));
      const offered = acts({ buttons: [...all, ...buttons, ...menu.flat()] });
      const useless = ['watchStream', 'startTestBroadcast', 'openPlayerPage', 'copyPlaybackUrlWithToken'];
      assert.deepEqual(
        useless.filter((act) => offered.includes(act)),
        [],
      );
      for (const useful of ['copyStreamKey', 'copyStreamId', 'copyPlaybackId', 'setPlaybackPolicy']) {
        assert.ok(offered.includes(useful), useful);
      }
      const encoder = sections.find(({ id }) => id === 'encoder');
      assert.deepEqual(
        [encoder?.heading, encoder?.facts?.some(({ note }) => note?.includes('OBS'))],
        ['Encoder', false],
      );
      assert.deepEqual([shown.issues, shown.hasPicture, shown.announced], [[], false, 'Suspended']);
    }
  });

  it('says how to set up OBS only while an encoder can connect', () => {
    const noteOf = (given: Partial<typeof stream>, context: Partial<DetailsContext> = {}) => {
      const { sections } = streamDetails(aFact({ ...stream, ...given }), contextOf(context));
      const { facts = [] } = sections.find(({ id }) => id === 'encoder') ?? {};
      return facts.find(({ label }) => label === 'Stream Key')?.note?.slice(0, 6);
    };
    assert.equal(noteOf({ isActive: false }), 'In OBS');
    assert.equal(noteOf({ lastSeen: NOW - 4 * MINUTE }), 'In OBS', 'it has to connect again');
    assert.equal(noteOf({}), undefined, 'it is connected');
    assert.equal(noteOf({ isActive: false, streamKey: undefined }), undefined);
    assert.equal(noteOf({ isActive: false }, { templates: {} }), undefined);
  });

  it('says of a private stream what viewers need, and calls no URL without a token one that plays', () => {
    const shownWith = (type: string | undefined) => {
      const playbackPolicy = type === undefined ? undefined : { type, webhookId: undefined, allowedOrigins: [] };
      const { meaning = [], sections } = streamDetails(aFact({ ...stream, playbackPolicy }), contextOf());
      const { facts = [], buttons = [] } = sections.find(({ id }) => id === 'play') ?? {};
      return { meaning, facts, buttons: acts({ buttons }) };
    };
    const signed = shownWith('jwt');
    assert.deepEqual(signed.meaning, ['Viewers need a signed token in addition to the URL.']);
    assert.deepEqual(
      signed.facts.map(({ label, buttons = [] }) => [label, ...acts({ buttons })]),
      [
        ['Playback Policy'],
        ['HLS URL (Without Token)', 'copyPlaybackUrl'],
        ['Player URL (Without Token)', 'openPlayerPage', 'copyPlayerUrl'],
        ['Playback ID', 'copyPlaybackId'],
        ['Recording'],
      ],
    );
    const asked = shownWith('webhook');
    assert.deepEqual([signed.buttons, asked.buttons], [['copyPlaybackUrlWithToken'], []]);
    assert.deepEqual(asked.meaning, ['A webhook decides who can watch.']);
    assert.equal(asked.facts[0]?.label, 'Playback Policy');
    for (const type of ['other', 'public', undefined]) assert.deepEqual(shownWith(type).meaning, []);
  });

  it('announces its state without times and numbers, which change all the time', () => {
    const announced = (given: Partial<typeof stream>) =>
      streamDetails(aFact({ ...stream, ...given }), contextOf()).announced;
    assert.equal(announced({ ingestRate: 1000 }), 'Live');
    assert.equal(announced({ lastSeen: NOW - 4 * MINUTE }), 'No data');
    assert.equal(announced({ isActive: false }), 'Idle');
  });

  it('begins its buttons with the likeliest next act', () => {
    const session = aSession({
      id: 'x1',
      recordingStatus: 'ready',
      recordingUrl: 'https://cdn.example/r.m3u8',
      createdAt: NOW - DAY,
    });
    const actsOf = (given: Partial<typeof stream>, parts: SnapshotParts = {}) =>
      acts(streamDetails(aFact({ ...stream, ...given }), contextOf({}, parts)));
    assert.deepEqual(actsOf({}), ['watchStream']);
    assert.deepEqual(actsOf({}, { streams: [stream] }), ['watchStream', 'checkStream']);
    const recorded = { streams: [stream], sessions: { s1: [session] } };
    assert.deepEqual(actsOf({ isActive: false }, recorded), ['copyStreamKey', 'openRecording']);
    assert.deepEqual(actsOf({ isActive: false }), ['copyStreamKey']);
    const stale = { lastSeen: NOW - 4 * MINUTE };
    assert.deepEqual(actsOf(stale), ['copyStreamKey'], 'as its row: there is nothing to watch');
    const known = { streams: [aFact({ ...stream, ...stale }).stream] };
    assert.deepEqual(actsOf(stale, known), ['checkStream', 'copyStreamKey'], 'what its text says');
    assert.deepEqual(actsOf({ isActive: false, suspended: true }), ['resumeStream']);
    for (const reportedAsActive of [{}, stale]) {
      assert.deepEqual(actsOf({ ...reportedAsActive, suspended: true }, recorded), ['resumeStream', 'openRecording']);
    }
    const cannotResume = { abilities: { ...ALL_ABILITIES, suspend: false } };
    assert.deepEqual(actsOf({ isActive: false, suspended: true }, cannotResume), []);
    for (const streamKey of [undefined, '']) {
      assert.deepEqual(actsOf({ ...stale, streamKey }), []);
      assert.deepEqual(actsOf({ isActive: false, streamKey }), []);
    }
  });

  it('offers the newest recording that can be played', () => {
    const past = { createdAt: NOW - DAY, record: true };
    const recordingUrl = 'https://cdn.example/r.m3u8';
    const none = aSession({ id: 'none', ...past, recordingStatus: 'waiting' });
    const partly = aSession({ id: 'partly', ...past, recordingStatus: 'waiting', recordingUrl });
    const ready = ['a', 'b'].map((id) => aSession({ id, ...past, recordingStatus: 'ready', recordingUrl }));
    const offered = (...sessions: readonly ReturnType<typeof aSession>[]) => {
      const context = contextOf({}, { streams: [stream], sessions: { s1: sessions } });
      return streamDetails(aFact({ ...stream, isActive: false }), context).buttons.at(-1);
    };
    const watch = (id: string) => ({ label: 'Watch Latest Recording', act: 'openRecording', session: id });
    assert.deepEqual(offered(none, ...ready, partly), watch('a'));
    assert.deepEqual(offered(none, partly, ...ready), watch('partly'), 'it plays before its MP4 is there');
    assert.deepEqual(offered(none), { label: 'Copy Stream Key', act: 'copyStreamKey' });
  });

  it('leads back to the player that waits for the stream, and to a live one once', () => {
    const actsWith = (given: Partial<typeof stream>) =>
      acts(streamDetails(aFact({ ...stream, ...given }), contextOf({ hasPlayer: true })));
    assert.deepEqual(actsWith({ isActive: false }), ['copyStreamKey', 'watchStream']);
    assert.deepEqual(actsWith({}), ['watchStream']);
  });

  it('has a label on each button, also of those beside an address', () => {
    const labels = ({ buttons }: Pick<ShownDetails, 'buttons'>) => buttons.map(({ act, label }) => [act, label]);
    assert.deepEqual(labels(streamDetails(aFact(stream), contextOf({}, { streams: [stream] }))), [
      ['watchStream', 'Watch'],
      ['checkStream', 'Check Stream'],
    ]);
    const { hls: _, ...templates } = TEMPLATES;
    assert.deepEqual(labels(streamDetails(aFact(stream), contextOf({ templates }))), [
      ['openPlayerPage', 'Watch Stream in Browser'],
    ]);
    const idle = { ...stream, isActive: false, suspended: true };
    assert.deepEqual(labels(streamDetails(aFact(idle), contextOf())), [['resumeStream', 'Resume Stream']]);
    const { sections } = streamDetails(aFact(stream), contextOf());
    const beside = sections
      .find(({ id }) => id === 'play')
      ?.facts?.map(({ label, buttons = [] }) => [label, ...labels({ buttons }).flat()]);
    assert.deepEqual(beside, [
      ['HLS URL', 'copyPlaybackUrl', 'Copy'],
      ['Player URL', 'openPlayerPage', 'Open the player page in your browser', 'copyPlayerUrl', 'Copy'],
      ['Playback ID', 'copyPlaybackId', 'Copy'],
      ['Recording'],
    ]);
  });

  it('has the health of a live stream as conditions with their times, if the service has it', () => {
    const health = [
      { type: 'Active', isMet: true, since: NOW - HOUR, checkedAt: NOW - 10_000 },
      { type: 'TranscodeRealTime', isMet: false, since: NOW - 5 * MINUTE, checkedAt: NOW - 10_000 },
      { type: 'Multistreaming', isMet: undefined, since: undefined, checkedAt: undefined },
      { type: 'SomethingNew', isMet: true, since: undefined, checkedAt: undefined },
    ];
    const sectionOf = (given: Partial<DetailsContext>, about: Partial<typeof stream> = {}) =>
      streamDetails(aFact({ ...stream, ...about }), contextOf(given)).sections.find(({ id }) => id === 'health');
    const [yes, no] = [
      { text: 'Yes', tone: 'good' },
      { text: 'No', tone: 'warning' },
    ];
    assert.deepEqual(sectionOf({ health })?.rows, [
      ['Check', 'Status', 'Since', 'Last Check'],
      ['Transcoding in real time', no, formatted(NOW - 5 * MINUTE), clock(NOW - 10_000)],
      ['Receiving data', yes, formatted(NOW - HOUR), clock(NOW - 10_000)],
      ['Sending to all multistream targets', { text: 'Unknown', tone: 'unknown' }, '', ''],
      ['SomethingNew', yes, '', ''],
    ]);
    const unhealthy = sectionOf({ health: health.slice(0, 1) }, { isHealthy: false });
    assert.deepEqual(unhealthy?.rows?.[1], ['Healthy', no, '', ''], 'though all its conditions are met');
    assert.equal(sectionOf({ health }, { isHealthy: false })?.rows?.[1]?.[0], 'Transcoding in real time');
    assert.equal(sectionOf({ health: undefined }), undefined);
    assert.equal(sectionOf({ health: [] }), undefined);
    assert.equal(sectionOf({ health }, { isActive: false }), undefined);
  });

  it('begins with the health while it is live; where nothing is wrong, it comes in few words after the keys', () => {
    const shownWith = (isMet: boolean | undefined, about: Partial<typeof stream> = {}) => {
      const health = [{ type: 'Transcoding', isMet, since: undefined, checkedAt: NOW - 10_000 }];
      const live = aFact({ ...stream, isActive: true, lastSeen: NOW, ...about });
      const { sections } = streamDetails(live, contextOf({ health }, { streams: [live.stream] }));
      const place = sections.findIndex(({ id }) => id === 'health');
      return [sections.map(({ id }) => id), sections[place]?.rows?.length, sections[place]?.words];
    };
    const [first, last] = [
      ['health', 'encoder', 'play'],
      ['encoder', 'play', 'health'],
    ];
    assert.deepEqual(shownWith(false), [first, 2, undefined]);
    assert.deepEqual(shownWith(true, { isHealthy: false }), [first, 3, undefined]);
    const few = [{ text: 'Transcoding', tone: 'good' }];
    assert.deepEqual(shownWith(true, { isHealthy: true }), [last, undefined, few]);
    const unknown = [{ text: 'Transcoding: Unknown', tone: 'unknown' }];
    assert.deepEqual(shownWith(undefined), [last, undefined, unknown]);
  });

  it('says since when no data arrives before what else is wrong, if anything, and not what was met before', () => {
    const stale = aFact({ ...stream, isHealthy: false, lastSeen: NOW - 4 * MINUTE });
    const rowsOf = (conditions: Readonly<Record<string, boolean>>) => {
      const health = Object.entries(conditions).map(([type, isMet]) => {
        return { type, isMet, since: undefined, checkedAt: undefined };
      });
      const { sections } = streamDetails(stale, contextOf({ health }));
      return sections.find(({ id }) => id === 'health')?.rows?.slice(1);
    };
    const no = { text: 'No', tone: 'warning' };
    const receiving = ['Receiving data', no, formatted(NOW - 4 * MINUTE), clock(stale.serverDate)];
    assert.equal(rowsOf({ Active: false, Transcoding: false, TranscodeNoErrors: true }), undefined, 'it is above');
    assert.deepEqual(rowsOf({ Active: true, Other: false }), [receiving, ['Other', no, '', '']]);
    assert.equal(rowsOf({}), undefined, 'of a service without checks');
  });

  it('offers a test broadcast to a stream that was never live or has no recording, and can have one', () => {
    const actsOf = (about: Partial<typeof stream>) => {
      const fact = aFact({ ...stream, isActive: false, lastSeen: 0, ...about });
      return acts(streamDetails(fact, contextOf({}, { streams: [fact.stream] })));
    };
    assert.deepEqual(actsOf({}).slice(0, 2), ['copyStreamKey', 'startTestBroadcast']);
    assert.ok(!actsOf({ lastSeen: NOW - HOUR }).includes('startTestBroadcast'));
    const again = (record: boolean) => {
      const fact = aFact({ ...stream, isActive: false, record });
      const sessions = { s1: [aSession({ id: 'unrecorded', createdAt: NOW - HOUR, record })] };
      return acts(streamDetails(fact, contextOf({}, { streams: [fact.stream], sessions })));
    };
    assert.deepEqual(again(false).slice(0, 2), ['copyStreamKey', 'startTestBroadcast'], 'no recording is to come');
    assert.ok(!again(true).includes('startTestBroadcast'));
    assert.ok(!actsOf({ suspended: true }).includes('startTestBroadcast'));
    assert.ok(!actsOf({ streamKey: undefined }).includes('startTestBroadcast'));
  });

  it('says whether broadcasts are recorded, and offers to change that, or says when it can be changed', () => {
    const recordingOf = (given: Partial<typeof stream>, parts: SnapshotParts = {}) => {
      const shown = streamDetails(aFact({ ...stream, ...given }), contextOf({}, { streams: [stream], ...parts }));
      const {
        value,
        note,
        buttons = [],
      } = factOf(shown, given.playbackId === undefined ? 'play' : 'encoder', 'Recording') ?? {};
      return [value, note, ...buttons.map(({ act }) => act)];
    };
    assert.deepEqual(recordingOf({}), ['On', 'You can change this while the stream is idle.']);
    assert.deepEqual(recordingOf({ isActive: false }), ['On', undefined, 'turnRecordingOff']);
    assert.deepEqual(recordingOf({ isActive: false, record: false }), ['Off', undefined, 'turnRecordingOn']);
    assert.deepEqual(recordingOf({}, { abilities: { ...ALL_ABILITIES, patch: false } }), ['On', undefined]);
    assert.deepEqual(recordingOf({}, { streams: [] }), ['On', undefined], 'a child stream');
    assert.deepEqual(recordingOf({ playbackId: '' }), recordingOf({}), 'of a stream that has no playback');
  });

  it('has in its menu what the row offers, in its order, but nothing that would be refused or has a button beside it', () => {
    const menuOf = (given: Partial<typeof stream>, parts: SnapshotParts = {}) => {
      const snapshot = { streams: [stream], ...parts };
      return streamDetails(aFact({ ...stream, ...given }), contextOf({}, snapshot)).menu.map((group) =>
        fieldsOf(group, 'act'),
      );
    };
    assert.deepEqual(menuOf({}), [
      ['createClip'],
      ['openPlayerPage', 'openJson'],
      ['renameStream', 'endBroadcast', 'suspendStream'],
      ['deleteStream'],
    ]);
    const clips = (given: Partial<typeof stream>, parts?: SnapshotParts) =>
      menuOf(given, parts).flat().includes('createClip');
    assert.ok(!clips({ record: false }), 'only what is recorded has clips');
    assert.ok(!clips({}, { abilities: { ...ALL_ABILITIES, clips: false } }));
    assert.deepEqual(menuOf({ isActive: false }), [
      ['checkStream', 'startTestBroadcast'],
      ['openJson'],
      ['renameStream', 'turnRecordingOff', 'suspendStream'],
      ['deleteStream'],
    ]);
    const forwarded = ['renameStream', 'addMultistreamTarget', 'endBroadcast', 'suspendStream'];
    assert.deepEqual(menuOf({ targets: [] })[2], forwarded);
    const unsupported = { abilities: { ...ALL_ABILITIES, multistream: false } };
    assert.ok(!menuOf({ targets: [] }, unsupported).flat().includes('addMultistreamTarget'));
    const suspended = [['checkStream'], ['openJson'], ['renameStream'], ['deleteStream']];
    assert.deepEqual(menuOf({ suspended: true }), suspended, 'its broadcast is over, or ends in a moment');
    const notRecorded = ['renameStream', 'turnRecordingOn', 'suspendStream'];
    assert.deepEqual(menuOf({ isActive: false, record: false })[2], notRecorded);
    const none = { patch: false, suspend: false, endBroadcast: false, delete: false, clips: false };
    assert.deepEqual(menuOf({}, { abilities: { ...ALL_ABILITIES, ...none } }), [['openPlayerPage', 'openJson']]);
    assert.deepEqual(menuOf({}, { streams: [] }), [['openPlayerPage', 'openJson']], 'a child stream cannot be changed');
    for (const record of [true, false]) {
      assert.deepEqual(menuOf({ isActive: false, record }, { streams: [] }), [['openJson']], 'nor an idle one');
    }
    assert.deepEqual(menuOf({ isActive: false, suspended: true }, { streams: [] }), [['openJson']]);
  });

  it('says what to do about missing data, and that what else the service reports is of before', () => {
    const stale = { ...stream, lastSeen: NOW - 4 * MINUTE, issues: ['Keyframe interval is 10 s', 'No audio'] };
    const shown = streamDetails(aFact(stale), contextOf());
    assert.deepEqual(shown.issues, []);
    const before = 'Previously reported by the service: Keyframe interval is 10 s · No audio';
    assert.deepEqual([shown.meaning, shown.before], [[NO_DATA], before]);
    assert.equal(streamDetails(aFact({ ...stale, issues: [] }), contextOf()).before, undefined);
    assert.deepEqual(streamDetails(aFact({ ...stale, lastSeen: NOW }), contextOf()).issues, stale.issues);
  });

  it('shows issues as text on one line each, and not too many', () => {
    const issues = ['<b>low\nbitrate</b>', ...Array.from({ length: 100 }, (_, at) => `issue ${at}`)];
    const shown = streamDetails(aFact({ ...stream, isHealthy: false, issues }), contextOf());
    assert.deepEqual([shown.issues[0], shown.issues.length], ['<b>low bitrate</b>', 20]);
    const ended = streamDetails(aFact({ ...stream, isActive: false, issues }), contextOf());
    assert.deepEqual(ended.issues, [], 'of the past');
  });

  it('shows tags with a way to edit them, and only known ones where they can’t be changed', () => {
    const tags = { event: 'Summit\n2026', languages: ['en', 'fr'], owner: { name: 'Ada' } };
    const section = (fact: ReturnType<typeof aFact>, context: DetailsContext) =>
      streamDetails(fact, context).more.find(({ id }) => id === 'tags');
    const fact = aFact({ ...aStream({ id: 'a' }), tags });
    const shown = section(fact, contextOf({}, { streams: [fact] }));
    assert.deepEqual(
      shown?.facts?.map(({ label, value }) => `${label}: ${value}`),
      ['event: Summit 2026', 'languages: en, fr', 'owner: {"name":"Ada"}'],
    );
    assert.deepEqual(shown?.buttons, [{ label: 'Edit Tags…', act: 'editTags' }]);
    assert.equal(section(fact, contextOf())?.buttons, undefined);
    assert.equal(section(aFact(aStream({ id: 'b' })), contextOf()), undefined);
  });

  it('offers to edit renditions while the stream is idle, and says when that is possible while it is live', () => {
    const section = (given: Parameters<typeof aStream>[0], isShown = true, abilities = ALL_ABILITIES) => {
      const fact = aFact(aStream({ profiles: [], ...given }));
      const context = contextOf({}, { streams: isShown ? [fact] : [], abilities });
      const shown = streamDetails(fact, context).more.find(({ id }) => id === 'renditions');
      return [shown?.note, shown?.buttons?.map(({ act }) => act)];
    };
    assert.deepEqual(section({ id: 'a' }), [undefined, ['editRenditions']]);
    assert.deepEqual(section({ id: 'a', isActive: true }), [
      'You can edit renditions while the stream is idle.',
      undefined,
    ]);
    assert.deepEqual(section({ id: 'a' }, true, { ...ALL_ABILITIES, patch: false }), [undefined, undefined]);
    assert.deepEqual(section({ id: 'a' }, false), [undefined, undefined]);
  });

  it('shows renditions in words, never as JSON', () => {
    const profile = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };
    const shown = (given: readonly unknown[] | undefined) =>
      streamDetails(aFact({ ...stream, profiles: given }), contextOf()).more.find(({ id }) => id === 'renditions');
    const [head, row] = shown([profile])?.rows ?? [];
    assert.deepEqual(head, ['Name', 'Resolution', 'Bitrate', 'Frame Rate']);
    assert.deepEqual([row?.[0], row?.[1], row?.[3]], ['720p', '1280 × 720', '30 fps']);
    const other = shown([{ ...profile, fps: 0, profile: 'H264ConstrainedHigh', gop: { x: 1 } }])?.rows?.[1];
    assert.deepEqual(other?.slice(3), ['Same as source', 'H.264 Constrained High']);
    const codecOf = (codec: string) => shown([{ ...profile, profile: codec }])?.rows?.[1]?.[4];
    assert.deepEqual(['H265', 'H264main', 'MyH264High', 'VP9'].map(codecOf), [
      'H.265',
      'H264main',
      'MyH264High',
      'VP9',
    ]);
    assert.equal(shown(['odd', null, [profile], profile])?.rows?.length, 2);
    assert.deepEqual(shown([{ bitrate: '3M', width: 1280 }])?.rows, [['Bitrate'], ['3M']]);
    assert.deepEqual(shown([{ gop: '2' }])?.texts, ['1 rendition']);
    assert.equal(shown(Array.from({ length: 30 }, () => profile))?.rows?.length, 21);
    assert.deepEqual(shown(['odd', { gop: '2' }])?.texts, ['2 renditions']);
    assert.deepEqual(shown([])?.texts, ['Source only (no transcoding)']);
    assert.equal(shown(undefined), undefined, 'the service does not say');
    assert.ok(!JSON.stringify(shown([{ ...profile, name: { a: 1 } }])).includes('{\\"a'));
  });

  it('shows who created the stream, as far as the customer says, and the renditions of recordings where they differ', () => {
    const shown = (given: object) => streamDetails(aFact(aStream({ id: 'a', ...given })), contextOf());
    const own = shown({ creatorId: 'user\n123', recordingProfiles: [{ name: '720p', bitrate: 3_000_000 }] });
    assert.equal(factOf(own, 'ids', 'Creator ID')?.value, 'user 123');
    const recorded = own.more.find(({ id }) => id === 'recordingRenditions');
    assert.deepEqual(recorded?.heading, 'Renditions of Recordings');
    assert.deepEqual(recorded?.rows, [
      ['Name', 'Bitrate'],
      ['720p', '3 Mbps'],
    ]);
    const none = shown({ recordingProfiles: [] }).more.find(({ id }) => id === 'recordingRenditions');
    assert.deepEqual(none?.texts, ['Source only (no transcoding)']);
    assert.equal(
      shown({}).more.some(({ id }) => id === 'recordingRenditions'),
      false,
    );
    assert.equal(factOf(shown({}), 'ids', 'Creator ID'), undefined);
  });

  it('warns where what is shown may be old, says since when, and offers to retry', () => {
    const trouble = aTrouble('network');
    const last = `Last updated: ${clock(NOW)}.`;
    const shown = streamDetails(aFact(stream), contextOf({}, { trouble }));
    assert.equal(
      shown.warning?.sentence,
      `Couldn't reach service.test. ${last} The information shown may be out of date.`,
    );
    assert.deepEqual(shown.warning.buttons, [{ label: 'Retry', act: 'retry' }]);
    assert.deepEqual(shown.buttons, streamDetails(aFact(stream), contextOf({})).buttons, 'which stay in place');
    const healthy = aFact({ ...stream, isHealthy: true, ingestRate: 312_500 });
    assert.match(stateLine(streamDetails(healthy, contextOf())), / · 2\.5 Mbps · healthy$/);
    assert.doesNotMatch(stateLine(streamDetails(healthy, contextOf({}, { trouble }))), /Mbps|healthy/);
    const nextDay = streamDetails(aFact(stream), contextOf({ now: NOW + 86_400_000 }, { trouble }));
    assert.match(nextDay.warning?.sentence ?? '', /Last updated: Yesterday /);
    const connection = { kind: 'refused', info: aConnection() } as const;
    const refused = streamDetails(aFact(stream), contextOf({}, { connection }));
    assert.equal(
      refused.warning?.sentence,
      `The API key was rejected. ${last} The information shown may be out of date.`,
    );
    assert.deepEqual(refused.warning.buttons, [{ label: 'Set API Key…', act: 'setApiKey' }]);
    const suspended = aTrouble('forbidden', { detail: 'user is suspended' });
    const forbidden = streamDetails(aFact(stream), contextOf({}, { trouble: suspended }));
    assert.equal(
      forbidden.warning?.sentence,
      `service.test rejected the request: "user is suspended." ${last} The information shown may be out of date.`,
    );
    assert.deepEqual(forbidden.warning.buttons, refused.warning.buttons);
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

  it('say what became of their recordings, and offer what can be done', () => {
    const { sessions, summary, days, legend } = shownWith(
      aSubList([
        aSession({ id: 'a', createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 }),
        aSession({ id: 'b', ...ready, mp4Url: 'https://cdn.example/r.mp4' }),
        aSession({ id: 'c', ...ready, recordingStatus: 'waiting', recordingUrl: undefined }),
        aSession({ id: 'd', ...ready, recordingStatus: 'failed', recordingUrl: undefined }),
        aSession({ id: 'e', ...ready, recordingStatus: 'marmalade', recordingUrl: undefined }),
        aSession({ id: 'f', createdAt: NOW - 2 * DAY }),
        aSession({ id: 'g', ...ready, recordingStatus: 'deleted', recordingUrl: undefined }),
        aSession({ id: 'h', ...ready, createdAt: NOW - 40 * DAY }),
      ]),
    );
    assert.deepEqual(fieldsOf(sessions, 'recording', 'tone', 'canPlay', 'canDownload'), [
      ['Not recorded', 'quiet', false, false],
      ['Ready', 'ready', true, true],
      [sessions[2]?.recording, 'processing', false, false],
      ['Failed', 'failed', false, false],
      ['Status unknown', 'unknown', false, false],
      ['Not recorded', 'quiet', false, false],
      ['Deleted', 'quiet', false, false],
      ['Ready', 'ready', true, false],
    ]);
    assert.match(sessions[2]?.recording ?? '', /^Processing \(/);
    assert.deepEqual(fieldsOf(sessions.slice(0, 2), 'duration', 'isLive'), [
      ['Live for 10 min', true],
      ['1 h', false],
    ]);
    assert.deepEqual(legend, [
      { tone: 'live', label: 'Live' },
      { tone: 'ready', label: 'Ready' },
      { tone: 'processing', label: 'Processing' },
      { tone: 'failed', label: 'Failed' },
      { tone: 'quiet', label: 'Not recorded / Deleted' },
      { tone: 'unknown', label: 'Status unknown' },
    ]);
    assert.match(summary, /^Last 30 days: 7 sessions · .+ \(1 older\)$/);
    assert.equal(days.length, 30);
    assert.match(days.at(-1)?.words ?? '', /^Today · 2 sessions · 10 h 4 min/);
    assert.equal(days.at(-1)?.session, 0);
    assert.ok(days.flatMap(({ bars }) => bars).every(({ share }) => share >= 0 && share <= 1));
  });

  it('say that a recording is ready whose MP4 is still being processed', () => {
    const { sessions } = shownWith(aSubList([aSession({ id: 'a', ...ready, recordingStatus: 'waiting' })]));
    assert.deepEqual(fieldsOf(sessions, 'recording', 'canPlay'), [['Ready · no MP4 yet', true]]);
  });

  it('offer to watch the live one while its stream can be watched, but not a session that is over', () => {
    const list = aSubList([
      aSession({ id: 'a', createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 }),
      aSession({ id: 'b', createdAt: NOW - 2 * DAY }),
    ]);
    const playable = (given: Partial<typeof stream>) => {
      const own = { ...stream, playbackId: 'p1', ...given };
      const snapshot = { streams: [own], sessions: { s1: list } };
      const { sessions: shown } = streamDetails(aFact(own), contextOf({}, snapshot));
      return fieldsOf(shown?.sessions ?? [], 'isLive', 'canPlay', 'canDownload');
    };
    const over = [false, false, false];
    assert.deepEqual(playable({}), [[true, true, false], over]);
    assert.deepEqual(playable({ playbackId: undefined }), [[true, false, false], over]);
    assert.deepEqual(playable({ isActive: false }), [over, over]);
  });

  it('say that a recording was deleted or cannot be played, and nothing of one that nobody made', () => {
    const of = (fields: Partial<ReturnType<typeof aSession>>) => {
      const [session] = shownWith(aSubList([aSession({ id: 'a', ...ready, ...fields })])).sessions;
      return [session?.recording, session?.canPlay, session?.canDownload];
    };
    assert.deepEqual(of({ recordingStatus: 'deleted', recordingUrl: undefined }), ['Deleted', false, false]);
    assert.deepEqual(of({ recordingStatus: 'none', recordingUrl: undefined }), ['Not recorded', false, false]);
    assert.deepEqual(of({ recordingUrl: '', mp4Url: '' }), ['Ready', false, false]);
    assert.deepEqual(of({ recordingUrl: undefined, mp4Url: 'https://cdn.example/r.mp4' }), ['Ready', true, true]);
    assert.deepEqual(of({ recordingStatus: undefined, recordingUrl: undefined }), ['Recorded', false, false]);
  });

  it('are loading until they were loaded once', () => {
    const isLoading = (state: { readonly isLoading: boolean; readonly isLoaded: boolean }) =>
      shownWith(aSubList([], state)).isLoading;
    assert.equal(isLoading({ isLoading: true, isLoaded: false }), true);
    assert.equal(isLoading({ isLoading: true, isLoaded: true }), false);
    assert.equal(isLoading({ isLoading: false, isLoaded: false }), false);
  });

  it('say of a broadcast that goes on whether it is being recorded', () => {
    const running = { id: 'a', createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 };
    const saidOf = (fields: Partial<ReturnType<typeof aSession>>) => {
      const { sessions, days } = shownWith(aSubList([aSession({ ...running, ...fields })]));
      return [sessions[0]?.recording, sessions[0]?.tone, days.at(-1)?.bars[0]?.tone];
    };
    assert.deepEqual(saidOf({ record: true }), ['In progress', 'recording', 'live'], 'as in the tree');
    assert.deepEqual(saidOf({ recordingStatus: 'waiting' }), ['In progress', 'recording', 'live']);
    assert.deepEqual(saidOf({ record: false }), ['Not recorded', 'quiet', 'live']);
  });

  it('have no numbers where the service sent none', () => {
    const odd = { createdAt: NOW - 2 * DAY, lastSeen: NOW - 2 * DAY, sourceSegmentsDuration: -5 };
    const { sessions } = shownWith(aSubList([aSession({ id: 'b', ...odd })]));
    assert.equal(sessions[0]?.duration, '');
  });

  it('say so when there are none', () => {
    const idle = { streams: [{ ...stream, isActive: false }] };
    const { summary, days } = shownWith(aSubList([]), idle);
    assert.equal(summary, 'No sessions yet');
    assert.ok(days.every(({ bars }) => bars.length === 0));
    const old = aSubList([aSession({ id: 'a', createdAt: NOW - 60 * DAY, lastSeen: NOW - 59 * DAY })]);
    assert.equal(shownWith(old, idle).summary, 'Not live in the last 30 days');
    assert.equal(shownWith(aSubList([])).summary, '', 'it has just gone live');
    assert.equal(shownWith(old).summary, '');
  });

  it('say what is not among them, and offer what helps', () => {
    const acts = (list: Parameters<typeof shownWith>[0]) => shownWith(list).notes.map(({ button }) => button?.act);
    assert.deepEqual(acts(aSubList([])), []);
    assert.deepEqual(acts(aSubList([], { hasNextPage: true })), ['loadMore']);
    const trouble = aTrouble('network');
    assert.deepEqual(acts(aSubList([], { trouble })), ['retry']);
  });

  it('are not said to be none where they could not be loaded, and not retried while the key is rejected', () => {
    const unread = aSubList<ReturnType<typeof aSession>>([], { isLoaded: false, trouble: aTrouble('unauthorized') });
    const shown = shownWith(unread, { connection: { kind: 'refused', info: aConnection() } });
    assert.equal(shown.summary, '');
    assert.deepEqual(shown.notes, [{ text: "Couldn't load the sessions." }]);
  });

  it('are five hundred at most', () => {
    const many = Array.from({ length: 700 }, (_, at) => aSession({ id: `s${at}`, createdAt: NOW - at * HOUR }));
    const shown = shownWith(aSubList(many));
    assert.equal(shown.sessions.length, 500);
    assert.deepEqual(fieldsOf(shown.notes, 'text'), ['Only the latest 500 sessions are shown.']);
  });
});

describe('What the page of a session shows', () => {
  const session = aSession({ id: 'x1', parentId: 's1', parentName: 'Keynote', createdAt: NOW - DAY });

  it('is its numbers, and what became of its recording', () => {
    const recorded = {
      ...session,
      record: true,
      recordingStatus: 'ready',
      recordingUrl: 'https://cdn.example/recordings/index.m3u8?sig=1',
      sourceSegmentsDuration: 3720,
      sourceSegments: 1860,
    };
    const shown = sessionDetails(recorded, contextOf());
    assert.equal(shown.title, 'Keynote · Yesterday 10:54');
    assert.match(stateLine(shown), /^Recording ready · 1 h 2 min/);
    assert.equal(shown.state[0]?.tone, 'ready');
    assert.deepEqual([shown.hasPlayer, acts(shown)], [true, ['showStream']]);
    const recordings = { ...aSnapshot().recordings, parents: new Map([['s1', undefined]]) };
    const left = sessionDetails(recorded, contextOf({}, { recordings }));
    assert.match(stateLine(left), /^Recording ready · 1 h 2 min · stream deleted/);
    const { link, note } = factOf(left, 'session', 'Stream') ?? {};
    assert.deepEqual([link, note], [undefined, 'Deleted']);
    assert.deepEqual(acts(left), ['showStream'], 'its page can still be opened');
    const labels = shown.sections[0]?.facts?.map(({ label }) => label);
    assert.deepEqual(labels, ['Stream', 'Start', 'End', 'Recording URL']);
    assert.deepEqual(factOf(shown, 'session', 'Stream')?.link?.act, 'showStream');
    const url = factOf(shown, 'session', 'Recording URL')?.value ?? '';
    assert.match(url, /^https:\/\/cdn\.example\/recordings\/index\.m3u8\?•+$/, 'readable, without what signs it');
    assert.ok(!JSON.stringify(shown).includes('sig=1'), 'signed addresses stay in the host');
  });

  it('says of one that goes on when it began, how long ago, and whether it is recorded', () => {
    const live = aLiveStream({
      id: 's1',
      name: 'Keynote',
      playbackId: 'p1',
      ingestRate: 312_500,
      isHealthy: false,
      issues: ['Frames are missing'],
    });
    const running = { ...session, record: true, createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 };
    const shownWith = (endBroadcast: boolean) =>
      sessionDetails(
        running,
        contextOf({}, { streams: [live], sessions: { s1: [running] }, abilities: { ...ALL_ABILITIES, endBroadcast } }),
      );
    const shown = shownWith(true);
    assert.match(stateLine(shown), /^Live for 10 min · recording · 2\.5 Mb\S+ · unhealthy$/);
    assert.deepEqual([shown.issues, shown.hasPicture], [['Frames are missing'], true]);
    const start = formatDateTime(running.createdAt, READER);
    const recording = 'You can watch the recording after the broadcast ends.';
    assert.deepEqual(fieldsOf(shown.sections[0]?.facts, 'label', 'value', 'note'), [
      ['Stream', 'Keynote', undefined],
      ['Start', start, undefined],
      ['Recording', 'On', recording],
    ]);
    const off = sessionDetails({ ...running, record: false }, contextOf({}, { streams: [live] }));
    const notOn = "This broadcast isn't being recorded. You can turn on recording after it ends.";
    assert.deepEqual(factOf(off, 'session', 'Recording'), {
      ...{ label: 'Recording', value: 'Off', tone: 'quiet', note: notOn },
    });
    const menuOf = ({ menu }: ShownDetails) => menu.flat().map(({ act }) => act);
    assert.deepEqual(menuOf(shown), ['endBroadcast', 'openJson']);
    assert.deepEqual(menuOf(shownWith(false)), ['openJson']);
    assert.deepEqual(acts(shown), ['watchStream', 'checkStream', 'createClip']);
  });

  it('shows the health of the broadcast that goes on, first, as the page of its stream does', () => {
    const live = aLiveStream({ id: 's1', playbackId: 'p1', isHealthy: true });
    const running = { ...session, createdAt: NOW - 10 * MINUTE, lastSeen: NOW - 5000 };
    const shownWith = (isMet: boolean, given = running) => {
      const condition = { type: 'TranscodeRealTime', isMet, since: NOW - MINUTE, checkedAt: NOW - 5000 };
      const snapshot = { streams: [live], sessions: { s1: [given] } };
      const context = contextOf({}, snapshot);
      const health = new Map([['s1', [condition]]]);
      return sessionDetails(given, { ...context, snapshot: { ...context.snapshot, health } });
    };
    const of = (shown: ShownDetails) => [stateLine(shown), fieldsOf(shown.sections, 'id', 'isWide')];
    const both = [
      ['health', true],
      ['session', true],
    ];
    assert.deepEqual(of(shownWith(true)), ['Live for 10 min · healthy', both]);
    assert.deepEqual(of(shownWith(false)), ['Live for 10 min · 1 problem', both]);
    const [, sections] = of(shownWith(false, { ...running, createdAt: NOW - DAY, lastSeen: NOW - HOUR }));
    assert.ok(!JSON.stringify(sections).includes('health'), 'it is of another broadcast');
  });

  it('folds nothing where nothing is watched', () => {
    const idsOf = ({ sections, more }: ShownDetails) => [fieldsOf(sections, 'id'), fieldsOf(more, 'id')];
    const of = (recordingStatus: string) =>
      idsOf(sessionDetails({ ...session, record: true, recordingStatus, transcodedSegmentsDuration: 60 }, contextOf()));
    assert.deepEqual(of('failed'), [['session', 'ids', 'renditions'], []]);
    assert.deepEqual(of('waiting'), [['session'], ['ids', 'renditions', 'activity']]);
  });

  it('names what was transcoded as the sum that it is', () => {
    const shown = sessionDetails({ ...session, transcodedSegmentsDuration: 3 * 3720 }, contextOf());
    assert.equal(factOf(shown, 'session', 'Transcoded Time (All Renditions)')?.value, '3 h 6 min');
    const given = { ...session, record: true, recordingStatus: 'waiting', transcodedSegmentsDuration: 3 * 3720 };
    const folded = sessionDetails(given, contextOf());
    assert.equal(factOf(folded, 'activity', 'Transcoded Time (All Renditions)')?.value, '3 h 6 min');
    assert.equal(factOf(folded, 'session', 'Transcoded Time (All Renditions)'), undefined, 'it is in the folded part');
  });

  it("follows this window's test broadcast while it goes on", () => {
    const broadcast = { connectionId: aConnection().id, name: '', state: 'live', droppedPercent: 0 } as const;
    const testBroadcasts = new Map([['s1', { ...broadcast, secondsLeft: 55 }]]);
    const parent = aLiveStream({ id: 's1' });
    const shownWith = (session: ReturnType<typeof aSession>) => {
      const snapshot = { streams: [parent], sessions: { s1: [session] }, testBroadcasts };
      const shown = sessionDetails(session, contextOf({}, snapshot));
      return [stateLine(shown), acts(shown).includes('stopTestBroadcast')];
    };
    const running = aSession({ id: 'x1', parentId: 's1', createdAt: NOW - MINUTE, lastSeen: NOW });
    assert.deepEqual(shownWith(running), ['Live for 1 min · 0:55 left in test broadcast', true]);
    const [line, canStop] = shownWith({ ...running, createdAt: NOW - DAY, lastSeen: NOW - HOUR });
    assert.ok(!`${line}`.includes('test broadcast'));
    assert.equal(canStop, false);
  });

  it('says what is ready, failed, or deleted', () => {
    const phraseOf = (recordingStatus: string) => {
      const shown = sessionDetails(
        { ...session, lastSeen: NOW - 4 * MINUTE, record: true, recordingStatus },
        contextOf(),
      );
      return [stateLine(shown), shown.announced];
    };
    assert.deepEqual(phraseOf('waiting'), [
      'Processing recording (4 min elapsed) · Length: 23 h 56 min',
      'Processing recording',
    ]);
    assert.deepEqual(phraseOf('failed'), ['Recording failed · 23 h 56 min', 'Recording failed']);
    assert.deepEqual(phraseOf('deleted'), ['Recording deleted · 23 h 56 min', 'Recording deleted']);
    assert.deepEqual(phraseOf('marmalade'), ['Recording status unknown · 23 h 56 min', 'Recording status unknown']);
  });

  it('has a color for the state of the recording', () => {
    const toneOf = (recordingStatus: string) =>
      sessionDetails({ ...session, record: true, recordingStatus }, contextOf()).state[0]?.tone;
    assert.deepEqual(['ready', 'waiting', 'failed', 'deleted'].map(toneOf), ['ready', 'processing', 'failed', 'quiet']);
  });

  it('is what is known, where nothing was recorded and no stream is there', () => {
    const bare = aSession({ id: 'x1', createdAt: undefined, lastSeen: undefined, sourceSegmentsDuration: -1 });
    const shown = sessionDetails(bare, contextOf());
    assert.deepEqual([shown.title, stateLine(shown)], ['Unknown start time', 'Not recorded']);
    assert.equal(factOf(shown, 'session', 'Start')?.value, 'Unknown');
    assert.deepEqual(acts(shown), []);
  });

  it('says why a recording failed, as far as the service does, and what to do next', () => {
    const failed = { ...session, record: true, recordingStatus: 'failed' };
    const streams = [aStream({ id: 's1' })];
    const shown = sessionDetails(failed, contextOf({}, { streams }), { failure: 'Disk full' });
    assert.deepEqual(
      [shown.meaning?.[0], acts(shown)],
      ['The service reports: Disk full.', ['showStream', 'copySessionId']],
    );
    const bare = sessionDetails(failed, contextOf());
    assert.deepEqual(bare.meaning, [
      "The service doesn't report a reason.",
      'If you contact support, include the session ID.',
    ]);
    assert.deepEqual(acts(bare), ['copySessionId'], 'a stream that is gone has no page');
  });

  it('says whether the next broadcast will be recorded where one was not, and offers what can be done now', () => {
    const notRecorded = [session, { ...session, record: true, recordingStatus: 'none' }];
    const of = (fields: Partial<Stream>, abilities = ALL_ABILITIES) => {
      const parts = { streams: [aStream({ id: 's1', ...fields })], abilities };
      const all = notRecorded.map((each) => sessionDetails(each, contextOf({}, parts)));
      const [[first, ...others] = [], ...same] = all.map((shown) => [acts(shown), ...(shown.meaning ?? []).slice(1)]);
      assert.deepEqual(same, [[first, ...others]]);
      return [first, ...others];
    };
    assert.deepEqual(of({}), [['turnRecordingOn', 'showStream'], 'To record the next broadcast, turn on recording.']);
    assert.deepEqual(of({ record: true }), [
      ['showStream'],
      'Recording is on now, so the next broadcast will be recorded.',
    ]);
    assert.deepEqual(of({ isActive: true }), [
      ['showStream'],
      'You can turn on recording after the current broadcast ends.',
    ]);
    assert.deepEqual(of({ isActive: true, record: true }), [['showStream']], 'there is no next one yet');
    assert.deepEqual(of({}, { ...ALL_ABILITIES, patch: false }), [['showStream']]);
  });

  it('has a player where there is something to play, or may be, and one act at most', () => {
    const url = 'https://cdn.example/r.m3u8';
    const of = (fields: Partial<typeof session>, parts: SnapshotParts = {}) => {
      const shown = sessionDetails({ ...session, record: true, ...fields }, contextOf({}, parts));
      return [shown.hasPlayer, acts(shown), shown.menu.flat().map(({ act }) => act)];
    };
    const recorded = { recordingStatus: 'ready', recordingUrl: url, mp4Url: `${url}.mp4` };
    assert.deepEqual(of(recorded), [true, ['downloadMp4'], ['openRecordingInBrowser', 'openJson']]);
    for (const recordingStatus of ['waiting', 'ready', 'frozen']) {
      assert.deepEqual(of({ recordingStatus }), [true, ['showStream'], ['openJson']], recordingStatus);
    }
    const watchable = { recordingStatus: 'waiting', recordingUrl: url };
    const inMenu = ['openRecordingInBrowser', 'openJson'];
    assert.deepEqual(of(watchable), [true, ['showStream'], inMenu], 'it plays on the page');
    const cuttable = { streams: [aStream({ id: 's1', playbackId: 'p1' })] };
    assert.deepEqual(of({ ...watchable, recordingStatus: 'ready' }, cuttable), [true, ['createClip'], inMenu]);
    assert.deepEqual(of({ recordingStatus: 'deleted' }), [false, ['showStream'], ['openJson']]);
    const streams = [aStream({ id: 's1' })];
    assert.deepEqual(of({ recordingStatus: 'none' }, { streams })[1], ['turnRecordingOn', 'showStream']);
    assert.deepEqual(of({ record: false }), [false, [], ['openJson']]);
    const missing = sessionDetails({ ...session, record: true, ...recorded }, contextOf(), {
      isRecordingMissing: true,
    });
    assert.deepEqual(acts(missing), [], 'neither would help');
  });
});
