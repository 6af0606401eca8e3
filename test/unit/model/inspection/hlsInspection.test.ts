import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { type Finding, judgeHls } from '../../../../src/model/inspection/hlsFindings.ts';
import { type HlsFacts, inspectHls } from '../../../../src/model/inspection/inspectHls.ts';
import { reportText } from '../../../../src/model/inspection/report.ts';
import type { Downloads } from '../../../../src/services.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { heldClock } from '../../../support/model/heldClock.ts';
import { createPatientClock } from '../../../support/model/testClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type ClientName, createClient, describeWith, MEDIA_CLIENTS } from '../../../support/service/clients.ts';
import { type MediaServer, PLAYLIST, readSegment, startMediaServer } from '../../../support/service/mediaServer.ts';

const SEGMENT = 'video/mp2t';
const clock = createPatientClock();
interface Live {
  readonly target?: number | undefined;
  readonly duration?: number;
  readonly count?: number;
  /** The first sequence number by the number of the request, from 0. */
  readonly sequence?: (request: number) => number;
  readonly uri?: (sequence: number, request: number) => string;
  readonly head?: readonly string[];
  readonly headBy?: (request: number) => readonly string[];
  readonly before?: (sequence: number, request: number) => readonly string[];
  /** Seconds before now at which the newest segment ends; undefined: no program date time. */
  readonly age?: number | undefined;
  readonly isEnded?: boolean;
}

const HEALTHY: Required<Pick<Live, 'target' | 'duration' | 'count' | 'age'>> = {
  target: 1,
  duration: 1,
  count: 4,
  age: 2,
};

/** A playlist that has one more segment each time it's requested. */
function livePlaylist(given: Live, request: number): string {
  const { target, duration, count, age, ...live } = { ...HEALTHY, ...given };
  const first = live.sequence?.(request) ?? 10 + request;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...(live.head ?? [])];
  lines.push(...(live.headBy?.(request) ?? []));
  if (target !== undefined) lines.push(`#EXT-X-TARGETDURATION:${target}`);
  const begin = Date.now() - ((age ?? 0) + count * duration) * 1000;
  for (let index = 0; index < count; index++) {
    const sequence = first + index;
    lines.push(...(live.before?.(sequence, request) ?? []));
    const time = new Date(begin + index * duration * 1000).toISOString();
    if (age !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${time}`);
    lines.push(`#EXTINF:${duration.toFixed(3)},`, live.uri?.(sequence, request) ?? `segment.ts?number=${sequence}`);
  }
  if (live.isEnded === true) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

const MASTER = [
  '#EXTM3U',
  '#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"',
  'live.m3u8?token=secret-token',
  '#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.4d401e,mp4a.40.2"',
  'low.m3u8?token=secret-token',
  '',
].join('\n');

type Serve = (server: MediaServer, segment: Uint8Array) => void;

function serveLive(path: string, live: Live): Serve {
  let requests = 0;
  return (server) =>
    server.serve(path, (_, response) => {
      response.writeHead(200, { 'content-type': PLAYLIST }).end(livePlaylist(live, requests));
      requests += 1;
    });
}

/** A stream without any fault. */
const serveHealthy: Serve = (server, segment) => {
  server.serve('/index.m3u8', { body: MASTER });
  serveLive('/live.m3u8', {})(server, segment);
  serveLive('/low.m3u8', {})(server, segment);
  server.serve('/segment.ts', { body: segment, type: SEGMENT });
};

const live = (given: Live) => serveLive('/live.m3u8', given);
const master =
  (change: (text: string) => string): Serve =>
  (server) =>
    server.serve('/index.m3u8', { body: change(MASTER) });
/** The segments, sent by hand. */
const segments =
  (headers: Readonly<Record<string, string>>, status = 200): Serve =>
  (server, segment) =>
    server.serve('/segment.ts', { status, headers, body: segment, type: SEGMENT });

/** A handler for a server that lets no page read what it sends, or only one site's. */
const withoutCors =
  (path: string, type: string, allowed?: string): Serve =>
  (server, segment) =>
    server.serve(path, (_, response) => {
      response.removeHeader('access-control-allow-origin');
      if (allowed !== undefined) response.setHeader('access-control-allow-origin', allowed);
      response.writeHead(200, { 'content-type': type }).end(type === SEGMENT ? segment : livePlaylist({}, 0));
    });

const answeringAfter =
  (ms: number, path: string): Serve =>
  (server, segment) => {
    const [type, body] =
      path === '/segment.ts' ? [SEGMENT, segment] : [PLAYLIST, path === '/index.m3u8' ? MASTER : livePlaylist({}, 0)];
    server.serve(
      path,
      (_, response) => void clock.setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), ms),
    );
  };

interface Case {
  readonly what: string;
  readonly id: string;
  readonly mark: 'doubtful' | 'bad' | 'fact';
  readonly figure?: RegExp;
  readonly meaning?: RegExp;
  readonly serve: Serve;
}

const CASES: readonly Case[] = [
  {
    what: 'a playlist that is not there',
    id: 'unavailable',
    mark: 'bad',
    figure: /404/,
    meaning: /the URL may be wrong/,
    serve: (server) => server.serve('/index.m3u8', { status: 404 }),
  },
  {
    what: 'a rendition that is not there',
    id: 'unavailable',
    mark: 'bad',
    figure: /404/,
    meaning: /still listed/,
    serve: (server) => server.serve('/low.m3u8', { status: 404 }),
  },
  {
    what: 'a server that fails',
    id: 'unavailable',
    mark: 'bad',
    figure: /503/,
    serve: (server) => server.serve('/live.m3u8', { status: 503 }),
  },
  {
    what: 'an initialization segment that is gone',
    id: 'unavailable',
    mark: 'bad',
    figure: /410/,
    serve: (server, segment) => {
      live({ head: ['#EXT-X-MAP:URI="init.mp4"'] })(server, segment);
      server.serve('/init.mp4', { status: 410 });
    },
  },
  { what: 'segments that are gone', id: 'unavailable', mark: 'bad', figure: /404/, serve: segments({}, 404) },
  { what: 'segments that are protected', id: 'unavailable', mark: 'bad', figure: /403/, serve: segments({}, 403) },
  {
    what: 'a rendition on this computer by another name',
    id: 'unavailable',
    mark: 'bad',
    figure: /starts with "file:"/,
    serve: master((text) => text.replace('low.m3u8', 'file:///low.m3u8')),
  },
  {
    what: 'two redirects',
    id: 'redirects',
    mark: 'doubtful',
    figure: /^2 \(final host: 127/,
    serve: (server) => {
      server.serve('/index.m3u8', { status: 302, headers: { location: '/a.m3u8' } });
      server.serve('/a.m3u8', { status: 302, headers: { location: '/b.m3u8' } });
      server.serve('/b.m3u8', { body: MASTER });
    },
  },
  {
    what: 'a redirect loop',
    id: 'unavailable',
    mark: 'bad',
    figure: /Too many redirects/,
    serve: (server) => server.serve('/index.m3u8', { status: 302, headers: { location: '/index.m3u8' } }),
  },
  {
    what: 'playlists without CORS',
    id: 'cors',
    mark: 'bad',
    figure: /for playlists$/,
    serve: withoutCors('/low.m3u8', PLAYLIST),
  },
  {
    what: 'segments without CORS',
    id: 'cors',
    mark: 'bad',
    figure: /for segments$/,
    serve: withoutCors('/segment.ts', SEGMENT),
  },
  {
    what: 'segments for one site alone',
    id: 'cors',
    mark: 'doubtful',
    serve: withoutCors('/segment.ts', SEGMENT, 'https://one.example'),
  },
  {
    what: 'playlists as text',
    id: 'playlistTypes',
    mark: 'doubtful',
    figure: /text\/plain/,
    serve: (server) => server.serve('/index.m3u8', { body: MASTER, type: 'text/plain; charset=utf-8' }),
  },
  {
    what: 'segments as any bytes',
    id: 'segmentTypes',
    mark: 'doubtful',
    figure: /octet-stream/,
    serve: (server, segment) => server.serve('/segment.ts', { body: segment, type: 'application/octet-stream' }),
  },
  {
    what: 'segments without a type',
    id: 'segmentTypes',
    mark: 'doubtful',
    figure: /^Not sent$/,
    serve: (server, segment) => server.serve('/segment.ts', (_, response) => response.writeHead(200).end(segment)),
  },
  {
    what: 'a web page',
    id: 'format',
    mark: 'bad',
    figure: /web page/,
    serve: (server) => server.serve('/index.m3u8', { body: '<html>' }),
  },
  {
    what: 'no #EXTM3U',
    id: 'format',
    mark: 'bad',
    figure: /#EXTM3U/,
    serve: master((text) => text.replace('#EXTM3U', '')),
  },
  {
    what: 'a rendition that is none',
    id: 'format',
    mark: 'bad',
    figure: /#EXTM3U/,
    serve: (server) => server.serve('/low.m3u8', { body: 'hello' }),
  },
  {
    what: 'an empty playlist',
    id: 'format',
    mark: 'bad',
    figure: /is empty/,
    serve: (server) => server.serve('/index.m3u8', { body: '\n' }),
  },
  {
    what: 'a rendition that names renditions',
    id: 'format',
    mark: 'bad',
    figure: /no renditions and no segments/,
    serve: (server) => server.serve('/low.m3u8', { body: MASTER }),
  },
  { what: 'no segments', id: 'segments', mark: 'bad', serve: live({ count: 0 }) },
  {
    what: 'segments longer than the target duration',
    id: 'durations',
    mark: 'doubtful',
    figure: /4 of 4/,
    serve: live({ duration: 1.6 }),
  },
  { what: 'no target duration', id: 'durations', mark: 'bad', serve: live({ target: undefined }) },
  { what: 'less than three target durations', id: 'window', mark: 'doubtful', serve: live({ count: 2 }) },
  {
    what: 'a playlist that stands still',
    id: 'updates',
    mark: 'bad',
    figure: /Unchanged for (1\.[5-9]|[2-9])/,
    serve: live({ sequence: () => 10, uri: () => 'segment.ts' }),
  },
  {
    what: 'a sequence that goes back',
    id: 'sequence',
    mark: 'bad',
    figure: /from 10 to 0/,
    serve: live({ sequence: (request) => (request === 0 ? 10 : 0) }),
  },
  {
    what: 'a sequence that jumps',
    id: 'sequence',
    mark: 'bad',
    figure: /from 10 to 50/,
    serve: live({ sequence: (request) => (request === 0 ? 10 : 50) }),
  },
  {
    what: 'a segment that is replaced',
    id: 'sequence',
    mark: 'bad',
    figure: /Segment 11 was replaced/,
    serve: live({
      uri: (sequence, request) => `${request > 0 && sequence === 11 ? 'other.ts' : 'segment.ts'}?${sequence}`,
    }),
  },
  {
    what: 'a discontinuity that goes uncounted',
    id: 'sequence',
    mark: 'doubtful',
    figure: /^Discontinuity/,
    serve: live({
      head: ['#EXT-X-DISCONTINUITY-SEQUENCE:3'],
      before: (sequence) => (sequence === 10 ? ['#EXT-X-DISCONTINUITY'] : []),
    }),
  },
  {
    what: 'discontinuities without their sequence',
    id: 'discontinuities',
    mark: 'doubtful',
    serve: live({
      before: (sequence) => (sequence === 12 ? ['#EXT-X-DISCONTINUITY'] : []),
    }),
  },
  {
    what: 'many discontinuities',
    id: 'discontinuities',
    mark: 'doubtful',
    figure: /3/,
    serve: live({
      headBy: (request) => [`#EXT-X-DISCONTINUITY-SEQUENCE:${request}`],
      before: (sequence, request) => (sequence > 10 + request ? ['#EXT-X-DISCONTINUITY'] : []),
    }),
  },
  { what: 'an old newest segment', id: 'age', mark: 'doubtful', serve: live({ age: 20 }) },
  { what: 'a very old newest segment', id: 'age', mark: 'bad', serve: live({ age: 300 }) },
  {
    what: 'an old newest segment, by its upload',
    id: 'age',
    mark: 'bad',
    serve: (server, segment) => {
      live({ age: undefined })(server, segment);
      segments({ 'last-modified': new Date(Date.now() - 300_000).toUTCString() })(server, segment);
    },
  },
  {
    what: 'no program date time',
    id: 'clock',
    mark: 'fact',
    figure: /^Not in the playlist$/,
    serve: live({ age: undefined }),
  },
  { what: 'a clock that is ahead', id: 'clock', mark: 'doubtful', figure: /future/, serve: live({ age: -30 }) },
  {
    what: 'a clock that jumps',
    id: 'clock',
    mark: 'doubtful',
    figure: /^Differs/,
    serve: live({
      age: undefined,
      before: (sequence) => [
        `#EXT-X-PROGRAM-DATE-TIME:${new Date(Date.now() - (20 - 5 * (sequence - 10)) * 1000).toISOString()}`,
      ],
    }),
  },
  {
    what: 'encryption',
    id: 'encryption',
    mark: 'doubtful',
    figure: /^AES-128$/,
    serve: live({ head: ['#EXT-X-KEY:METHOD=AES-128,URI="key?k=secret-token"'] }),
  },
  {
    what: 'gaps',
    id: 'gaps',
    mark: 'doubtful',
    figure: /^1$/,
    serve: live({ before: (sequence) => (sequence === 12 ? ['#EXT-X-GAP'] : []) }),
  },
  {
    what: 'byte ranges that are ignored',
    id: 'byteRanges',
    mark: 'bad',
    serve: live({ before: () => ['#EXT-X-BYTERANGE:2000@0'] }),
  },
  {
    what: 'more than is stated',
    id: 'bandwidth',
    mark: 'doubtful',
    figure: /80 kbps declared/,
    serve: master((text) => text.replace('=300000', '=80000')),
  },
  {
    what: 'much more than is stated, which plays all the same',
    id: 'bandwidth',
    mark: 'doubtful',
    serve: master((text) => text.replace('=300000', '=20000')),
  },
  {
    what: 'no bandwidth',
    id: 'bandwidth',
    mark: 'bad',
    figure: /Missing/,
    serve: master((text) => text.replace('BANDWIDTH=300000,', '')),
  },
  {
    what: 'no codecs',
    id: 'codecs',
    mark: 'doubtful',
    figure: /Missing/,
    serve: master((text) => text.replace(/,CODECS="[^"]*"/, '')),
  },
  {
    what: 'codecs of some browsers alone',
    id: 'codecs',
    mark: 'doubtful',
    figure: /hvc1/,
    serve: master((text) => text.replace('avc1.4d401e', 'hvc1.1.6.L93.B0')),
  },
  {
    what: 'more renditions than are checked',
    id: 'limits',
    mark: 'doubtful',
    figure: /^4 playlists and segments$/,
    serve: (server) => {
      const names = Array.from({ length: 12 }, (_, number) => `#EXT-X-STREAM-INF:BANDWIDTH=300000\nlow.m3u8?${number}`);
      server.serve('/index.m3u8', { body: ['#EXTM3U', ...names].join('\n') });
    },
  },
  {
    what: 'a playlist that unpacks to too much',
    id: 'format',
    mark: 'bad',
    figure: /too large/,
    serve: (server) =>
      server.serve('/low.m3u8', {
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(20_000_000, '#EXTM3U\n')),
      }),
  },
  {
    what: 'a server that cuts connections',
    id: 'unavailable',
    mark: 'bad',
    figure: /Lost the connection/,
    serve: (server) => server.serve('/low.m3u8', (_, response) => void response.destroy()),
  },
  {
    what: 'a slow playlist',
    id: 'playlistTime',
    mark: 'doubtful',
    serve: answeringAfter(1200, '/index.m3u8'),
  },
  {
    what: 'a slow first byte',
    id: 'firstByte',
    mark: 'doubtful',
    serve: answeringAfter(1200, '/low.m3u8'),
  },
  {
    what: 'a slow first segment',
    id: 'segmentTime',
    mark: 'doubtful',
    serve: answeringAfter(3200, '/segment.ts'),
  },
  {
    what: 'segments that download more slowly than they play',
    id: 'speed',
    mark: 'bad',
    serve: answeringAfter(1200, '/segment.ts'),
  },
  {
    what: 'segments that download little faster than they play',
    id: 'speed',
    mark: 'doubtful',
    figure: /^1\.\d×/,
    serve: (server, segment) => {
      for (const path of ['/live.m3u8', '/low.m3u8']) {
        serveLive(path, { isEnded: true, target: 4, duration: 4 })(server, segment);
      }
      answeringAfter(2800, '/segment.ts')(server, segment);
    },
  },
  {
    what: 'a server that never answers',
    id: 'unavailable',
    mark: 'bad',
    figure: /took too long to respond/,
    serve: (server) => server.serve('/low.m3u8', () => {}),
  },
];

interface Opened {
  readonly server: MediaServer;
  readonly segment: Uint8Array;
  readonly downloads: Downloads;
  inspect(url?: string, signal?: AbortSignal): Promise<HlsFacts>;
  /** Disposes the client. */
  dispose(): void;
  close(): void;
}

/** A media server, and a client that inspects it. */
async function open(client: ClientName): Promise<Opened> {
  const [server, segment] = await Promise.all([startMediaServer({ hasCors: true }), readSegment(0)]);
  const downloads = createClient(client, { settings: () => ({ timeoutMs: 3000 }), clock, log: fakeLog() });
  return {
    ...{ server, segment, downloads },
    inspect: (url = `${server.origin}/index.m3u8`, signal = new AbortController().signal) =>
      inspectHls({ url, downloads, clock, signal }),
    dispose: () => downloads.dispose(),
    close() {
      downloads.dispose();
      server.close();
    },
  };
}

const isFault = ({ mark }: Finding) => mark === 'doubtful' || mark === 'bad';
const findingsOf = (facts: HlsFacts) => judgeHls(facts, 'en').flatMap(({ findings }) => findings);

describe('Each finding about HLS playback', () => {
  const found = new Map<Case, readonly Finding[]>();

  // At the same time: each takes the time in which a live playlist changes.
  before(async () => {
    const inspectCase = async (each: Case): Promise<void> => {
      const opened = await open('undici');
      serveHealthy(opened.server, opened.segment);
      each.serve(opened.server, opened.segment);
      found.set(each, findingsOf(await opened.inspect()));
      opened.close();
    };
    await Promise.all(CASES.map(inspectCase));
  });

  for (const each of CASES) {
    const { what, id, mark, figure = /./, meaning = /|/ } = each;
    it(`is made of ${what}`, () => {
      const findings = found.get(each) ?? [];
      const isMade = findings.some(
        (finding) =>
          finding.id === id &&
          finding.mark === mark &&
          figure.test(finding.figure) &&
          meaning.test(finding.meaning ?? ''),
      );
      assert.ok(isMade, JSON.stringify(findings, undefined, 1));
    });
  }

  it('says what it means and what to do, if it is a problem or a warning', () => {
    const faults = [...found.values()].flat().filter(isFault);
    assert.ok(faults.length >= CASES.length);
    const isSaid = ({ meaning = '', advice = '' }: Finding) => /[.]$/.test(meaning) && /[.:]$/.test(advice);
    assert.deepEqual(
      faults.filter((finding) => !isSaid(finding)),
      [],
    );
    const hasLine = ({ remedy }: Finding) => remedy !== undefined && 'line' in remedy;
    assert.deepEqual(
      faults.filter((finding) => finding.advice?.endsWith(':') !== hasLine(finding)),
      [],
    );
  });

  it('begins with a capital letter, as all values of a report do, unless it names a host, a type, or a codec', () => {
    const named = new Set(['unavailable', 'playlistTypes', 'segmentTypes', 'codecs']);
    const texts = [...found.values()]
      .flat()
      .flatMap(({ id, label, figure }) => (named.has(id) ? [label] : [label, figure]));
    assert.deepEqual(
      [...new Set(texts)].filter((text) => /^\p{Ll}/u.test(text)),
      [],
    );
  });

  it('has a case', () => {
    const ids = new Set([...found.values()].flat().map(({ id }) => id));
    const withCase = new Set(CASES.map(({ id }) => id));
    assert.deepEqual(
      [...ids].filter((id) => !withCase.has(id)),
      [],
    );
  });
});

describeWith(MEDIA_CLIENTS, 'Inspecting HLS playback', (client) => {
  let opened: Opened;
  let server: MediaServer;
  let segment: Uint8Array;
  let inspect: Opened['inspect'];
  beforeEach(async () => {
    opened = await open(client);
    ({ server, segment, inspect } = opened);
    serveHealthy(server, segment);
  });
  afterEach(() => opened.close());

  it('says what to do once if a server refuses the connection', async () => {
    const [finding] = findingsOf(await inspect('http://127.0.0.1:1/index.m3u8')).filter(isFault);
    assert.match(finding?.figure ?? '', /127\.0\.0\.1:1.*\. Check .*\.$/);
    assert.equal(finding?.advice, undefined);
  });

  it('finds nothing wrong with a healthy stream, and says each thing once', async () => {
    const findings = findingsOf(await inspect());
    assert.deepEqual(findings.filter(isFault), []);
    assert.equal(findings.find(({ id }) => id === 'segments')?.mark, 'fact');
    const ids = findings.map(({ id }) => id).filter((id) => id !== 'bandwidth');
    assert.deepEqual(ids, [...new Set(ids)]);
    const alwaysThere = ['playlistTime', 'segmentTime', 'firstByte', 'redirects', 'speed', 'cors', 'playlistTypes'];
    alwaysThere.push('segmentTypes', 'segments', 'durations', 'updates', 'window', 'sequence', 'age', 'clock');
    alwaysThere.push('discontinuities', 'codecs');
    assert.deepEqual(ids.sort(), alwaysThere.sort());
  });

  it('requests what players do where playlists use variables', async () => {
    const rendition = '#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.4d401e"\nlive.m3u8?part={$name}\n';
    server.serve('/index.m3u8', { body: `#EXTM3U\n#EXT-X-DEFINE:NAME="name",VALUE="segment"\n${rendition}` });
    const head = ['#EXT-X-DEFINE:IMPORT="name"', '#EXT-X-DEFINE:QUERYPARAM="part"'];
    live({ head, uri: (sequence) => `{$name}.ts?number=${sequence}&part={$part}` })(server, segment);
    assert.deepEqual(findingsOf(await inspect()).filter(isFault), []);
    assert.ok(server.requests.some((path) => /^\/segment\.ts\?number=\d+&part=segment$/.test(path)));
  });

  it('says that a playlist has low latency and byte ranges', async () => {
    server.serve('/segment.ts', (request, response) => {
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      response.writeHead(206, { 'content-type': SEGMENT }).end(segment.slice(Number(from), Number(to) + 1));
    });
    live({ head: ['#EXT-X-PART-INF:PART-TARGET=0.33'], before: () => ['#EXT-X-BYTERANGE:2000@100'] })(server, segment);
    const findings = new Map(findingsOf(await inspect(`${server.origin}/live.m3u8`)).map((each) => [each.id, each]));
    assert.equal(findings.get('lowLatency')?.figure, '330 ms parts');
    assert.equal(findings.get('byteRanges')?.mark, 'good');
    assert.equal(findings.get('bandwidth')?.figure, '16 kbps measured');
  });

  it('reads a recording to its end without waiting for changes', async () => {
    live({ isEnded: true })(server, segment);
    const facts = await inspect(`${server.origin}/live.m3u8`);
    assert.deepEqual(facts.reloads, []);
    assert.deepEqual(findingsOf(facts).filter(isFault), []);
    assert.deepEqual(server.requests, ['/live.m3u8', '/segment.ts?number=10', '/segment.ts?number=13']);
  });

  it('reads a playlist of 10 MB with 100,000 segments', async () => {
    const uri = (sequence: number) => `segment.ts?number=${sequence}&padding=${'x'.repeat(60)}`;
    const text = livePlaylist({ count: 100_000, isEnded: true, uri, age: undefined }, 0);
    assert.ok(text.length > 10_000_000, String(text.length));
    server.serve('/live.m3u8', { body: text });
    const findings = findingsOf(await inspect(`${server.origin}/live.m3u8`));
    assert.match(findings.find(({ id }) => id === 'segments')?.figure ?? '', /100,000 segments/);
  });

  /** Names eight renditions, as many as are checked, at this path. */
  const nameRenditions = (path: string): void => {
    const names = Array.from({ length: 8 }, (_, number) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${path}?${number}`);
    server.serve('/index.m3u8', { body: ['#EXTM3U', ...names].join('\n') });
  };
  const limitIn = (facts: HlsFacts) => findingsOf(facts).find(({ id }) => id === 'limits');

  it('sends at most 40 requests, however much there is', async () => {
    for (const hop of [1, 2, 3, 4]) {
      const location = hop === 4 ? '/low.m3u8' : `/hop-${hop + 1}.m3u8`;
      server.serve(`/hop-${hop}.m3u8`, { status: 302, headers: { location } });
    }
    nameRenditions('hop-1.m3u8');
    const facts = await inspect();
    const { requests, bytes } = facts.usage;
    assert.ok(requests > 20 && requests <= 40, `${requests}`);
    assert.ok(bytes < 10_000_000, `${bytes}`);
    // There, redirects can't be counted.
    if (client === 'editor with hidden redirects') return;
    assert.equal(server.requests.length, requests);
    assert.equal(limitIn(facts)?.mark, 'doubtful');
  });

  it('reads at most 30 MB, however much there is', async () => {
    server.serve('/segment.ts', { body: Buffer.alloc(7_900_000), type: SEGMENT });
    nameRenditions('low.m3u8');
    const facts = await inspect();
    const { requests, bytes } = facts.usage;
    assert.ok(bytes >= 30_000_000 && bytes < 30_300_000, `${bytes}`);
    assert.ok(requests < 28, `${requests}`);
    assert.equal(limitIn(facts)?.mark, 'doubtful');
  });

  it('takes at most 15 seconds, however slow the server is', async () => {
    const clock = heldClock();
    // The first sends a little now and then, the second nothing; the third is not asked for any more.
    server.serve('/live.m3u8', (_, response) => {
      response.writeHead(200, { 'content-type': PLAYLIST });
      const sending = setInterval(() => response.write('#EXTM3U\n'), 20);
      response.once('close', () => clearInterval(sending));
    });
    server.serve('/low.m3u8', () => {});
    const third = '#EXT-X-STREAM-INF:BANDWIDTH=1\nthird.m3u8\n';
    server.serve('/index.m3u8', { body: `${MASTER}${third}` });
    const { downloads } = opened;
    const request = { url: `${server.origin}/index.m3u8`, downloads, clock, signal: new AbortController().signal };
    const inspecting = inspectHls(request);
    const untilAsked = (path: string) => waitUntil(() => server.requests.some((asked) => asked.startsWith(path)));
    await untilAsked('/live.m3u8');
    await clock.advance(8000);
    await untilAsked('/low.m3u8');
    await clock.advance(6999);
    assert.equal(server.requests.length, 3);
    await clock.advance(1);
    const facts = await inspecting;
    assert.deepEqual([facts.usage.ms, server.requests.length, clock.timerCount], [15_000, 3, 0]);
    assert.match(limitIn(facts)?.figure ?? '', /^1 playlist or segment$/);
    const late = findingsOf(facts).filter(({ id }) => id === 'unavailable');
    assert.deepEqual(
      fieldsOf(late, 'figure'),
      Array(2).fill(`${new URL(server.origin).host} took too long to respond.`),
    );
  });

  it('never reaches this computer from a public service, and sends no key', async () => {
    server.serve('/far/index.m3u8', { body: MASTER.replaceAll('live.m3u8', `${server.origin}/live.m3u8`) });
    server.serve('/far/low.m3u8', { status: 302, headers: { location: `${server.origin}/low.m3u8` } });
    // Sends what is for far.test to this computer, as a name server could.
    const downloads: Downloads = {
      download: ({ url, ...request }) =>
        opened.downloads.download({ ...request, url: url.replace('https://far.test', server.origin) }),
    };
    const facts = await inspectHls({
      ...{ downloads, clock, signal: new AbortController().signal },
      url: 'https://far.test/far/index.m3u8',
    });
    assert.ok(!server.requests.includes('/live.m3u8'));
    if (client !== 'editor with hidden redirects') assert.ok(!server.requests.includes('/low.m3u8'));
    assert.deepEqual(server.keys, []);
    const sentences = findingsOf(facts).map(({ figure }) => figure);
    assert.ok(sentences.includes("The URL wasn't opened because it points to this computer."));
    assert.ok(sentences.includes("The URL wasn't opened because it redirects to this computer."), sentences.join());
  });

  it('ends with the signal of whoever asked', async () => {
    const ending = new AbortController();
    server.serve('/low.m3u8', () => ending.abort());
    await assert.rejects(inspect(undefined, ending.signal), { name: 'AbortError' });
  });

  it('ends when its transport is disposed, as the window closes', async () => {
    server.serve('/low.m3u8', () => opened.dispose());
    await assert.rejects(inspect(), { name: 'AbortError' });
  });

  it('is reported as plain text, without queries and credentials', async () => {
    withoutCors('/segment.ts', SEGMENT)(server, segment);
    live({ head: ['#EXT-X-KEY:METHOD=AES-128,URI="key?k=secret-token"'] })(server, segment);
    const url = `${server.origin}/index.m3u8?signature=secret-token`;
    const facts = await inspect(url);
    const reader = { now: Date.UTC(2026, 10, 20, 10), locale: 'en', timeZone: 'UTC' };
    const text = reportText(
      {
        ...{ title: 'HLS Playback', checkedAt: reader.now, sections: judgeHls(facts, 'en') },
        playback: { url, usage: facts.usage, timeline: undefined },
      },
      reader,
    );
    assert.doesNotMatch(text, /secret-token/);
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(0, 2), ['HLS Playback', `${server.origin}/index.m3u8?…`]);
    assert.match(lines[2] ?? '', /^Nov 20, 2026, 10:00:00 · Requests: \d+ · Data: [\d.]+ [kM]B · Duration: [\d.]+ s$/);
    assert.match(lines[3] ?? '', /^1 problem, 1 warning, \d+ checks passed$/);
    const at = lines.indexOf('  ✗ Access from Web Pages (CORS): Denied for segments');
    assert.deepEqual(lines.slice(at + 1, at + 4), [
      '    Browsers can play the stream only on pages from the same origin.',
      '    Send this header with every playlist, segment, and redirect:',
      '    Access-Control-Allow-Origin: *',
    ]);
    assert.ok(lines.includes('  ! Encryption: AES-128'));
    assert.ok(lines.includes('  ✓ Redirects: None'));
  });
});
