import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { CLIP_SIZES } from '../../../src/demo/clipSizes.ts';
import { openMediaFiles, RENDITIONS, SEGMENT_COUNT } from '../../../src/demo/site.ts';
import { movieSeconds, sampleRecording } from '../../support/demo/sampleRecording.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, MEDIA_ROOT, send, withDemo } from './demoFixture.ts';

const uris = (playlist: string) => playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const tag = (playlist: string, name: string) => new RegExp(`^#EXT-X-${name}:(.*)$`, 'm').exec(playlist)?.[1];

const firstLive = ({ demo }: Fixture) => {
  const stream = demo.control.streams().find((it) => it.isActive);
  assert.ok(stream?.playbackId);
  return { ...stream, playlist: (demo.addresses.hls ?? '').replace('{playbackId}', stream.playbackId) };
};

const readySession = async ({ rows }: Fixture, isSigned = false) => {
  const sessions = await rows('/session?limit=1000&order=createdAt-true');
  const found = sessions.find(
    (it) => it.recordingStatus === 'ready' && String(it.recordingUrl).includes('?') === isSigned,
  );
  assert.ok(found);
  const [createdAt, lastSeen] = [Number(found.createdAt), Number(found.lastSeen)];
  const about = { id: String(found.id), profiles: found.profiles as readonly unknown[], createdAt, lastSeen };
  return { ...about, hls: String(found.recordingUrl), mp4: String(found.mp4Url) };
};

const SCENES = ['stage', 'studio', 'nest'];

describe('the demo’s media', () => {
  it('takes less than 800 KB', async () => {
    const sizes = await Promise.all(
      (await readdir(MEDIA_ROOT)).map(async (name) => (await stat(join(MEDIA_ROOT, name))).size),
    );
    assert.ok(sizes.length > 2);
    assert.ok(sizes.reduce((sum, size) => sum + size) < 800_000);
  });

  it('has whole parts, which together are the file: each begins as ffmpeg writes one', async () => {
    const files = openMediaFiles(MEDIA_ROOT);
    const names = Object.keys(CLIP_SIZES);
    const parts = await Promise.all(names.map((name) => files.part(name)));
    const segments = names.filter((name) => name.endsWith('.ts'));
    assert.equal(segments.length, SCENES.length * RENDITIONS.length * SEGMENT_COUNT);
    for (const [index, part] of parts.entries()) {
      const [type] = /[^.]+$/.exec(names[index] ?? '') ?? [];
      const begins = {
        ts: [part[0], part.readUInt16BE(1) & 0x1fff],
        jpg: part.readUInt16BE(0),
        mp4: part.toString('latin1', 4, 8),
      };
      assert.deepEqual(
        begins[type as keyof typeof begins],
        { ts: [0x47, 0x11], jpg: 0xffd8, mp4: 'ftyp' }[type ?? ''],
        names[index],
      );
    }
    assert.deepEqual(Buffer.concat(parts), brotliDecompressSync(await readFile(join(MEDIA_ROOT, 'clips.bin.br'))));
    await assert.rejects(files.part('stage/high6.ts'));
  });

  it(
    'shows a scene by the kind of stream, live and recorded, with its picture',
    withDemo({}, async ({ demo, origin }) => {
      const files = openMediaFiles(MEDIA_ROOT);
      const scenes = { Keynote: 'stage', 'Bird nest cam': 'nest', 'Quiz Night with Ola': 'studio' };
      for (const [name, scene] of Object.entries(scenes)) {
        const stream = demo.control.streams().find((it) => it.name === name);
        const live = `${origin}/hls/${stream?.playbackId}`;
        const picture = await send(`${live}/thumbnails/latest.jpg`);
        assert.deepEqual(picture.body, await files.part(`${scene}/thumbnail.jpg`));
        const [first = ''] = uris((await send(`${live}/low.m3u8`)).text);
        assert.match(first, new RegExp(`/${scene}/low\\d\\.ts$`));
        assert.equal((await send(new URL(first, `${live}/low.m3u8`).href)).status, 200);
      }
      const names = ['stage/high6.ts', 'stage/thumbnail.jpg', 'none/high0.ts', 'recording.mp4', '..%2Fsource.mp4'];
      for (const name of names) assert.equal((await send(`${origin}/segments/${name}`)).status, 404, name);
    }),
  );

  it(
    'plays recordings as HLS for as long as their broadcast was: a master, its renditions, every segment there, for any origin and without a key',
    withDemo({}, async (fixture) => {
      const { hls, profiles, createdAt, lastSeen } = await readySession(fixture);
      const count = Math.floor((lastSeen - createdAt) / 2000);
      assert.ok(count > 6);
      const master = await send(hls, { headers: { origin: 'https://player.example' } });
      assert.equal(master.headers['access-control-allow-origin'], '*');
      assert.equal(master.headers['content-type'], 'application/vnd.apple.mpegurl');
      assert.equal(uris(master.text).length, Math.max(1, profiles.length));
      for (const rendition of uris(master.text)) {
        const address = new URL(rendition, hls).href;
        const list = (await send(address)).text;
        assert.equal(tag(list, 'PLAYLIST-TYPE'), 'VOD');
        assert.match(list, /#EXT-X-ENDLIST\n$/);
        assert.equal(uris(list).length, count);
        assert.equal(list.split('#EXT-X-DISCONTINUITY\n').length, Math.ceil(count / 6));
        const segments = new Set(uris(list));
        assert.equal(segments.size, 6);
        for (const segment of segments) {
          const { status, body, headers } = await send(new URL(segment, address).href);
          assert.deepEqual([status, headers['content-type'], body[0], body.length % 188], [200, 'video/mp2t', 0x47, 0]);
        }
      }
    }),
  );

  it(
    'has an MP4 that lasts as long as the broadcast and its playlist',
    withDemo({}, async (fixture) => {
      const { hls, mp4, createdAt, lastSeen } = await readySession(fixture);
      const { body } = await send(mp4);
      const seconds = movieSeconds(body);
      assert.ok(seconds > 12 && Math.abs(seconds - (lastSeen - createdAt) / 1000) < 2, String(seconds));
      assert.equal(uris((await send(hls.replace('index', 'high'))).text).length * 2, seconds);
      assert.deepEqual(body, await sampleRecording(seconds));
    }),
  );

  it(
    'serves the MP4 whole, in ranges, for HEAD, and says when a range is outside of the file',
    withDemo({}, async (fixture) => {
      const { mp4 } = await readySession(fixture);
      const whole = await send(mp4);
      const size = whole.body.length;
      assert.deepEqual([whole.status, whole.headers['accept-ranges']], [200, 'bytes']);
      const ranges: readonly (readonly [string, number, number])[] = [
        ['bytes=0-99', 0, 100],
        [`bytes=${size - 10}-`, size - 10, size],
        ['bytes=-5', size - 5, size],
        [`bytes=5-${size * 2}`, 5, size],
      ];
      for (const [range, from, to] of ranges) {
        const part = await send(mp4, { headers: { range } });
        assert.equal(part.status, 206);
        assert.equal(part.headers['content-range'], `bytes ${from}-${to - 1}/${size}`);
        assert.deepEqual(part.body, whole.body.subarray(from, to));
      }
      const outside = await send(mp4, { headers: { range: `bytes=${size}-` } });
      assert.deepEqual([outside.status, outside.headers['content-range']], [416, `bytes */${size}`]);
      const head = await send(mp4, { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, String(size)]);
    }),
  );

  it(
    'knows a download that goes on by its ETag',
    withDemo({}, async (fixture) => {
      const { mp4 } = await readySession(fixture);
      const etag = (await send(mp4)).headers.etag ?? '';
      assert.match(etag, /^"/);
      assert.equal((await send(mp4, { headers: { 'if-none-match': etag } })).status, 304);
      const range = 'bytes=10-19';
      assert.equal((await send(mp4, { headers: { range, 'if-range': etag } })).status, 206);
      assert.equal((await send(mp4, { headers: { range, 'if-range': '"other"' } })).status, 200);
    }),
  );

  it(
    'plays a signed recording only under its own query, to the letter',
    withDemo({}, async (fixture) => {
      const { hls, mp4 } = await readySession(fixture, true);
      assert.match(hls, /\/index\.m3u8\?sig=a%2Fb%2Bc%3D$/);
      const master = await send(hls);
      assert.equal(master.status, 200);
      assert.equal((await send(new URL(uris(master.text)[0] ?? '', hls).href)).status, 200);
      assert.equal((await send(mp4)).status, 200);
      assert.equal((await send(hls.replace('?sig=a%2Fb%2Bc%3D', '?sig=a/b+c='))).status, 403);
      assert.equal((await send(hls.split('?')[0] ?? '')).status, 403);
    }),
  );

  it(
    'has no recording where none is ready, and no MP4 while it waits',
    withDemo({}, async (fixture) => {
      const { demo, rows, origin } = fixture;
      const sessions = await rows('/session?limit=1000');
      for (const status of ['failed', 'deleted', 'none']) {
        const id = sessions.find((it) => it.recordingStatus === status)?.id;
        assert.equal((await send(`${origin}/recordings/${id}/index.m3u8`)).status, 404, status);
      }
      const waiting = sessions.find((it) => it.recordingStatus === 'waiting' && it.recordingUrl !== undefined);
      assert.equal((await send(String(waiting?.recordingUrl))).status, 200);
      assert.equal((await send(String(waiting?.recordingUrl).replace('index.m3u8', 'source.mp4'))).status, 404);
      assert.ok(demo.control.requests.length > 0);
    }),
  );

  it(
    'slides the live playlist with the clock, a discontinuity at each new round',
    withDemo({ streamCount: 3, liveCount: 0 }, async (fixture) => {
      const { demo, clock } = fixture;
      const { id } = demo.control.addStream();
      demo.control.startBroadcast(id);
      const { playlist } = firstLive(fixture);
      const list = playlist.replace('index', 'high');
      const read = async () => (await send(list)).text;
      assert.deepEqual(uris((await send(playlist)).text), ['high.m3u8'], 'the source alone');
      demo.control.setStream(id, { profiles: RENDITIONS.map(({ profile }) => profile) });
      const both = (await send(playlist)).text;
      assert.match(
        both,
        /BANDWIDTH=90000,RESOLUTION=640x360[^\n]*\nhigh\.m3u8\n[^\n]*RESOLUTION=320x180[^\n]*\nlow\.m3u8\n/,
      );
      const start = await read();
      assert.deepEqual([tag(start, 'MEDIA-SEQUENCE'), uris(start).length], ['0', 3]);
      assert.equal(start, await read());
      await clock.advance(10_000);
      const later = await read();
      assert.deepEqual([tag(later, 'MEDIA-SEQUENCE'), tag(later, 'DISCONTINUITY-SEQUENCE')], ['2', '0']);
      assert.deepEqual(
        uris(later).map((uri) => uri.at(-4)),
        ['2', '3', '4', '5', '0', '1'],
      );
      assert.match(later, /high5\.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2\.000,\n\S*high0\.ts/);
      assert.ok(!later.includes('ENDLIST'));
      await clock.advance(10_000);
      const last = await read();
      assert.deepEqual([tag(last, 'MEDIA-SEQUENCE'), tag(last, 'DISCONTINUITY-SEQUENCE')], ['7', '1']);
      for (const segment of uris(last)) assert.equal((await send(new URL(segment, list).href)).status, 200);
      demo.control.endBroadcast(id);
      assert.equal((await send(playlist)).status, 404);
      assert.equal((await send(list)).status, 404);
    }),
  );

  it(
    'answers a preflight, and refuses other methods',
    withDemo({ streamCount: 1, liveCount: 1 }, async (fixture) => {
      const { playlist } = firstLive(fixture);
      const preflight = await send(playlist, { method: 'OPTIONS' });
      assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, '*']);
      assert.equal((await send(playlist, { method: 'POST' })).status, 405);
    }),
  );

  it(
    'names its sources in the playback info, which needs no key',
    withDemo({}, async (fixture) => {
      const { demo } = fixture;
      const { playbackId } = firstLive(fixture);
      const reply = await send(`${demo.baseUrl}/playback/${playbackId}`);
      const { type, meta } = JSON.parse(reply.text);
      assert.equal(type, 'live');
      assert.deepEqual(
        meta.source.map((source: { type: string }) => source.type),
        ['html5/application/vnd.apple.mpegurl', 'html5/video/mp4', 'image/jpeg'],
      );
      for (const { url } of meta.source) assert.equal((await send(url)).status, 200, url);
    }),
  );

  it('is made of H.264 and AAC, and the whole file is in its tables', async () => {
    const file = await openMediaFiles(MEDIA_ROOT).part('recording.mp4');
    const top = boxesIn(file);
    assert.deepEqual(fieldsOf(top, 'type'), ['ftyp', 'moov', 'free', 'mdat']);
    const tracks = insideOf(top, 'moov').filter(({ type }) => type === 'trak');
    const tables = tracks.map(({ body }) => {
      const media = insideOf(boxesIn(body), 'mdia');
      const handler = bodyOf(media, 'hdlr').toString('latin1', 8, 12);
      const table = insideOf(insideOf(media, 'minf'), 'stbl');
      const [entry] = boxesIn(bodyOf(table, 'stsd').subarray(8));
      const sizes = bodyOf(table, 'stsz');
      const counted = Array.from({ length: sizes.readUInt32BE(8) }, (_, index) => sizes.readUInt32BE(12 + index * 4));
      return { handler, codec: entry?.type, bytes: counted.reduce((sum, size) => sum + size, 0) };
    });
    assert.deepEqual(fieldsOf(tables, 'handler', 'codec'), [
      ['vide', 'avc1'],
      ['soun', 'mp4a'],
    ]);
    assert.equal(
      tables.reduce((sum, { bytes }) => sum + bytes, 0),
      bodyOf(top, 'mdat').length,
    );
  });
});

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** The boxes that stand one after the other (ISO 14496-12). Throws where they do not fill the bytes. */
function boxesIn(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    assert.ok(size >= 8 && at + size <= bytes.length, `a box of ${size} bytes at ${at}`);
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

function bodyOf(boxes: readonly Box[], type: string): Buffer {
  return boxes.find((box) => box.type === type)?.body ?? assert.fail(`There is no ${type}`);
}

function insideOf(boxes: readonly Box[], type: string): readonly Box[] {
  return boxesIn(bodyOf(boxes, type));
}

describe('A broadcast of the demo from its beginning', () => {
  const address = ({ origin }: Fixture, sessionId: string) => `${origin}/dvr/${sessionId}/high.m3u8`;
  const start = ({ demo }: Fixture, record: boolean) =>
    demo.control.startBroadcast(demo.control.addStream({ name: 'Talk', record }).id);

  it(
    'grows while it goes on, and is complete after its end',
    withDemo({}, async (fixture) => {
      const { demo, clock } = fixture;
      const { id, parentId } = start(fixture, true);
      const read = async () => (await send(address(fixture, id))).text;
      const first = await read();
      await clock.advance(60_000);
      const second = await read();
      assert.deepEqual([uris(first).length, uris(second).length], [3, 33]);
      for (const list of [first, second]) {
        assert.deepEqual([tag(list, 'MEDIA-SEQUENCE'), tag(list, 'PLAYLIST-TYPE')], ['0', 'EVENT']);
        assert.doesNotMatch(list, /ENDLIST/);
      }
      assert.ok(second.startsWith(first.trimEnd()), 'nothing that was listed changes');
      const segment = await send(new URL(uris(second)[0] ?? '', address(fixture, id)).href);
      assert.deepEqual([segment.status, segment.body[0]], [200, 0x47]);
      demo.control.endBroadcast(parentId);
      const whole = await read();
      assert.deepEqual([tag(whole, 'PLAYLIST-TYPE'), uris(whole).length], ['VOD', 30]);
      assert.match(whole, /#EXT-X-ENDLIST\n$/);
    }),
  );

  it(
    'is there of what is recorded alone, and not for viewers without a token',
    withDemo({}, async (fixture) => {
      const { demo } = fixture;
      const [recorded, plain] = [start(fixture, true), start(fixture, false)];
      const statusOf = async (id: string) => (await send(address(fixture, id))).status;
      assert.deepEqual(
        [await statusOf(recorded.id), await statusOf(plain.id), await statusOf('none')],
        [200, 404, 404],
      );
      demo.control.setStream(recorded.parentId, { playbackPolicy: { type: 'jwt' } });
      assert.equal(await statusOf(recorded.id), 403);
    }),
  );
});

describe('the demo’s pages', () => {
  it(
    'play a live stream and a recording without a script, by relative addresses',
    withDemo({}, async (fixture) => {
      const { demo } = fixture;
      const { playbackId } = firstLive(fixture);
      const live = await send((demo.addresses.player ?? '').replace('{playbackId}', playbackId ?? ''));
      assert.equal(live.status, 200);
      assert.match(
        live.headers['content-security-policy'] ?? '',
        /^default-src 'none'; media-src 'self'; style-src 'nonce-/,
      );
      assert.match(live.text, new RegExp(`<source src="hls/${playbackId}/index.m3u8"`));
      const { hls } = await readySession(fixture, true);
      const template = demo.addresses.recordingPlayer ?? '';
      const recording = await send(template.replace('{recordingUrl}', encodeURIComponent(hls)));
      assert.match(recording.text, /src="recordings\/[^"]+\/source\.mp4\?sig=a%2Fb%2Bc%3D"/);
      assert.ok(!live.text.includes('<script') && !recording.text.includes('<script'));
    }),
  );

  it(
    'escape what they show, and play nothing foreign',
    withDemo({ streamCount: 1, liveCount: 1 }, async (fixture) => {
      const { demo, origin } = fixture;
      const stream = firstLive(fixture);
      demo.control.setStream(stream.id, { name: '<img src=x onerror=alert(1)>"' });
      const attack = encodeURIComponent('"><script>alert(1)</script>');
      const paths = [
        `/player?v=${stream.playbackId}`,
        `/player?v=${attack}`,
        '/dashboard',
        `/dashboard?stream=${stream.id}`,
      ];
      for (const path of [...paths, `/player?url=${attack}`, `/player?url=${origin}/recordings/${attack}`]) {
        const { status, text } = await send(origin + path);
        assert.equal(status, 200, path);
        assert.ok(!text.includes('<script') && !text.includes('<img'), path);
      }
      for (const url of ['https://elsewhere.example/index.m3u8', 'javascript:alert(1)']) {
        const { text } = await send(`${origin}/player?url=${encodeURIComponent(url)}`);
        assert.ok(!text.includes('<video') && !text.includes('href'));
      }
    }),
  );

  it(
    'show a dashboard without secrets, and a page for keys without the key',
    withDemo({}, async ({ demo }) => {
      const [stream] = demo.control.streams();
      const pages = [(demo.addresses.dashboard ?? '').replace('{id}', stream?.id ?? ''), demo.addresses.keys ?? ''];
      for (const page of pages) {
        const { status, text } = await send(page);
        assert.equal(status, 200);
        assert.ok(!text.includes(stream?.streamKey ?? '') && !text.includes(demo.apiKey));
      }
    }),
  );
});
