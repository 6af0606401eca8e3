import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import { COMMANDS } from '../../../src/commands/table.ts';
import { knowsDashboard } from '../../../src/model/connection/knownAddresses.ts';
import { readPalette } from '../../support/rules/menuRules.ts';
import { type Context, isWhen } from '../../support/rules/whenClauses.ts';
import { withCommands } from './fixture.ts';

const { contributes } = manifest;
const texts: Readonly<Record<string, string>> = nls;

/** The commands that the welcome offers under a condition. */
function offered(when: string): readonly string[] {
  const shown = contributes.viewsWelcome.filter((each) => each.view === 'liveStreams.streams' && each.when === when);
  const contents = shown.map((each) => texts[each.contents.slice(1, -1)] ?? '');
  return [...contents.join('\n').matchAll(/command:liveStreams\.(\w+)/g)].map(([, id = '']) => id);
}

/** The context keys of a window in a state; the service can do everything. */
function inState(state: string, more: Context = {}): Context {
  const connected = { 'liveStreams.connectionCount': 1, 'liveStreams.knowsDashboard': true };
  const both = { 'liveStreams.state': state, 'liveStreams.recordingsState': state };
  return { ...(state === 'none' ? {} : connected), ...both, ...more };
}
const palette = (context: Context) => readPalette(context).map(({ id }) => id);
/** What the palette ever offers. */
const ANYTHING = [
  inState('loaded', { 'liveStreams.hasFilter': true, editorIsOpen: true }),
  inState('loaded', { 'liveStreams.isDemo': true, 'liveStreams.isDemoRunning': true }),
  inState('loaded', { 'liveStreams.recordingsRecordedOnly': true }),
  inState('loaded', { resourceScheme: 'live-streams-json' }),
  inState('loaded', { resourceScheme: 'live-streams-json', 'liveStreams.isBroadcasting': true }),
  inState('loaded', { 'liveStreams.isListening': true, 'liveStreams.showsAllConnections': true }),
  inState('loaded', { resourceScheme: 'untitled', resourceFilename: 'stream.idle.event.json' }),
].flatMap((context) => readPalette(context));

describe('The command palette', () => {
  it('offers some 75 commands, seven of which copy, with one more for the rest', () => {
    assert.ok(Object.keys(COMMANDS).length <= 99, `${Object.keys(COMMANDS).length}`);
    const offered = [...new Set(ANYTHING.map(({ id }) => id))];
    assert.ok(offered.length <= 76, `${offered.length}`);
    assert.deepEqual(
      offered.filter((id) => id.startsWith('copy')),
      [
        'copyStreamKey',
        'copyPlaybackId',
        'copyIngestServer',
        'copyValue',
        'copyDeliveryAsCurl',
        'copyWebhookSecret',
        'copyPlaybackUrlWithToken',
      ],
    );
  });

  it('leaves out only what another entry does as well, or what needs a row', () => {
    const offered = new Set(ANYTHING.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(COMMANDS).filter((id) => !offered.has(id)),
      [
        ...['dismissConnection', 'loadMore', 'retry', 'goToLiveStream'],
        ...['copyStreamId', 'copyIngestUrl', 'copyPlaybackUrl', 'copyPlayerUrl'],
        ...['copyRecordingUrl', 'copyMp4Url', 'openClip', 'downloadClip', 'copyClipUrl', 'deleteClip'],
        ...['copySessionId', 'copyLink'],
        ...['openProxySettings', 'collapseStreams', 'collapseRecordings'],
        ...['clearDeliveryFilter', 'openDelivery', 'copyDeliveryBody', 'collapseWebhooks'],
      ],
    );
  });

  it('offers to connect, the demo, the log and what needs no connection before anything is connected', () => {
    for (const state of ['starting', 'waiting']) {
      const context = { ...inState(state), 'liveStreams.connectionCount': 0 };
      assert.deepEqual(palette(context), ['addConnection', 'startDemo', 'inspectPlayback', 'showLog'], state);
    }
    assert.deepEqual(palette({ ...inState('none'), 'liveStreams.connectionCount': 0 }), [
      ...['addConnection', 'switchConnection', 'startDemo', 'inspectPlayback', 'showLog'],
    ]);
  });

  it('offers other connections, and the key, to a connection without its key', () => {
    assert.deepEqual(palette(inState('keyless')), [
      ...['addConnection', 'switchConnection', 'renameConnection', 'removeConnection', 'setApiKey'],
      ...['startDemo', 'inspectPlayback', 'findLeakedKeys', 'showLog'],
    ]);
  });

  it('offers nothing on streams to an account without any', () => {
    const offered = palette(inState('empty'));
    for (const id of ['createStream', 'refresh', 'copyIngestServer', 'openDashboard'])
      assert.ok(offered.includes(id), id);
    for (const id of ['deleteStream', 'goToStream', 'filterStreams', 'openRecording', 'copyStreamKey'])
      assert.ok(!offered.includes(id), id);
  });

  it('offers recordings that outlived the streams of an account', () => {
    const offered = palette(inState('empty', { 'liveStreams.recordingsState': 'loaded' }));
    for (const id of ['openRecording', 'downloadMp4', 'showSession']) assert.ok(offered.includes(id), id);
  });

  it('offers what the state of the view calls for', () => {
    const offers = (id: string, more: Context = {}) => palette(inState('loaded', more)).includes(id);
    assert.deepEqual([offers('clearFilter'), offers('clearFilter', { 'liveStreams.hasFilter': true })], [false, true]);
    const isDemo = { 'liveStreams.isDemo': true, 'liveStreams.isDemoRunning': true };
    for (const [id, inDemo] of Object.entries({ startDemo: false, stopDemo: true, setApiKey: false })) {
      assert.deepEqual([offers(id, isDemo), offers(id)], [inDemo, !inDemo], id);
    }
    const recorded = { 'liveStreams.recordingsRecordedOnly': true };
    assert.deepEqual([offers('showAllSessions', recorded), offers('showAllSessions')], [true, false]);
    assert.deepEqual([offers('showRecordedSessions', recorded), offers('showRecordedSessions')], [false, true]);
    for (const [more, isOffered] of [
      [{}, false],
      [{ 'liveStreams.connectionCount': 2 }, true],
      [{ 'liveStreams.connectionCount': 1, ...isDemo }, true],
      [{ 'liveStreams.connectionCount': 1, 'liveStreams.isDemoRunning': true }, true],
      [{ 'liveStreams.connectionCount': 0, ...isDemo }, false],
    ] as const) {
      const all = { ...more, 'liveStreams.showsAllConnections': true };
      assert.deepEqual([offers('showAllConnections', more), offers('showOneConnection', more)], [isOffered, false]);
      assert.deepEqual([offers('showAllConnections', all), offers('showOneConnection', all)], [false, true]);
    }
    assert.equal(offers('openDashboard', { 'liveStreams.knowsDashboard': false }), false);
  });

  it('leaves out what the service was found not to do', () => {
    for (const [key, ids] of Object.entries({
      cannotCreate: ['createStream'],
      cannotPatch: ['renameStream', 'turnRecordingOn', 'turnRecordingOff', 'editTags', 'editRenditions'],
      cannotSuspend: ['suspendStream', 'resumeStream'],
      cannotEndBroadcast: ['endBroadcast'],
      cannotDelete: ['deleteStream'],
      cannotSetPolicy: ['setPlaybackPolicy'],
      cannotMultistream: [
        'addMultistreamTarget',
        'turnOnMultistreamTarget',
        'turnOffMultistreamTarget',
        'removeMultistreamTarget',
      ],
      cannotClip: ['createClip'],
      cannotSign: [
        ...['createSigningKey', 'useSigningKey', 'savePrivateKey', 'deleteSigningKey', 'copyPlaybackUrlWithToken'],
      ],
    })) {
      const left = new Set(palette(inState('loaded', { [`liveStreams.${key}`]: true })));
      assert.deepEqual(
        palette(inState('loaded')).filter((id) => !left.has(id)),
        ids,
      );
    }
  });

  it('offers nothing on webhooks where the service has none', () => {
    const left = palette(inState('loaded', { 'liveStreams.lacksWebhooks': true }));
    assert.deepEqual(
      left.filter((id) => /webhook|deliver|event/i.test(id)),
      [],
    );
    const listening = palette(inState('loaded', { 'liveStreams.isListening': true }));
    assert.ok(listening.includes('stopListening') && !listening.includes('listenForEvents'));
  });

  it('has no title twice', () => {
    const titles = [...new Map(ANYTHING.map(({ id, title }) => [id, title])).values()];
    assert.equal(new Set(titles).size, titles.length, titles.sort().join('\n'));
  });

  it('names in each title what the command is about', () => {
    const object = new RegExp(
      [
        ...['Streams?', 'Sessions?', 'Recordings?', 'Broadcast', 'Connection', 'Service', 'Demo', 'Filter', 'API Key'],
        ...['RTMP Server', 'RTMP URL', 'HLS URL', 'Player URL', 'MP4', 'Playback ID', 'Link', 'Secrets', 'Log'],
        ...[
          'Streaming URLs',
          'Notifications',
          'Leaked Keys',
          'Code Snippet',
          'Webhook Handler',
          'HLS Playback',
          'JSON',
        ],
        ...[
          'ID or URL',
          'Webhooks?',
          'Events?',
          'Deliver(?:y|ies)',
          'Signing Key',
          'Private Key',
          'Playback Policy',
          'Token Signing Code',
          'Multistream Target',
          'Clip',
          'Connections?',
        ],
      ]
        .map((word) => `\\b${word}\\b`)
        .join('|'),
    );
    assert.deepEqual(
      ANYTHING.filter(({ title }) => !object.test(title) || !title.includes(' ')).map(({ title }) => title),
      [],
    );
  });
});

describe('The settings', () => {
  it('are eight, and four more under Advanced', () => {
    const advanced = Object.entries(contributes.configuration.properties).filter(([, setting]) => 'tags' in setting);
    assert.deepEqual(
      advanced.map(([key]) => key.replace('liveStreams.', '')),
      ['pageSize', 'showHistoricChildStreams', 'network.client', 'network.timeout'],
    );
    assert.equal(Object.keys(contributes.configuration.properties).length - advanced.length, 8);
  });
});

describe('The welcome', () => {
  it('offers the key of a connection without one, other connections and the demo', () => {
    assert.deepEqual(offered('liveStreams.state == keyless'), [
      'setApiKey',
      'switchConnection',
      'addConnection',
      'startDemo',
    ]);
  });

  it('offers the dashboard to an account without streams where it is known alone', () => {
    const empty = 'liveStreams.state == empty && !liveStreams.cannotCreate';
    assert.deepEqual(offered(`${empty} && liveStreams.knowsDashboard`), ['createStream', 'openDashboard', 'refresh']);
    assert.deepEqual(offered(`${empty} && !liveStreams.knowsDashboard`), ['createStream', 'refresh']);
  });

  it('does not offer to create a stream where the service was found not to', () => {
    const empty = 'liveStreams.state == empty && liveStreams.cannotCreate';
    assert.deepEqual(offered(`${empty} && liveStreams.knowsDashboard`), ['openDashboard', 'refresh']);
    assert.deepEqual(offered(`${empty} && !liveStreams.knowsDashboard`), ['refresh']);
  });

  it(
    'knows the dashboard by the addresses of the connection that is open',
    withCommands(
      { isConnected: false, addresses: { hls: 'https://a.example/{playbackId}' } },
      async ({ context, service }) => {
        assert.equal(knowsDashboard(context), false);
        context.connection.open({ ...service, id: 'a', name: 'A', insecureAccepted: false });
        assert.equal(knowsDashboard(context), false);
        const studio = {
          id: 'b',
          name: 'B',
          baseUrl: 'https://livepeer.studio/api',
          apiKey: 'k',
          insecureAccepted: false,
        };
        context.connection.open(studio);
        assert.equal(knowsDashboard(context), true);
      },
    ),
  );
});

describe('The welcomes of the views', () => {
  const linesOf = (context: Context) =>
    contributes.viewsWelcome
      .filter(({ when }) => isWhen(when, context))
      .flatMap(({ contents }) => (texts[contents.slice(1, -1)] ?? '').split('\n'));
  const recordings = { 'liveStreams.recordingsState': 'empty', 'liveStreams.recordingsRecordedOnly': true };

  it('have one button in all for an account without streams, and links in their sentences', () => {
    const lines = linesOf(inState('empty', { ...recordings, 'liveStreams.hasNoWebhooks': true }));
    // VS Code shows a link that is alone in its line as a button.
    const buttons = lines.filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line));
    assert.deepEqual(buttons, ['[Create Stream](command:liveStreams.createStream)']);
    for (const id of ['createWebhook', 'listenForEvents']) assert.match(lines.join('\n'), new RegExp(id));
  });

  it('offer sessions that were not recorded only where there are streams', () => {
    const offers = (state: string) => linesOf(inState(state, recordings)).join('\n').includes('showAllSessions');
    assert.deepEqual([offers('loaded'), offers('empty')], [true, false]);
  });
});
