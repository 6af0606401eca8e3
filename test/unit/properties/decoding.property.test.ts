import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeRows, decodeSession, decodeStream, keepRows } from '../../../src/api/decode.ts';
import { isId } from '../../../src/api/ids.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { messageOf } from '../../../src/api/reads.ts';
import type { Session, Stream } from '../../../src/api/types.ts';
import { parsePlaylist } from '../../../src/model/inspection/playlist.ts';
import { forAll } from '../../support/runner/fuzzRuns.ts';

const NUMBERS = ['createdAt', 'lastSeen', 'sourceSegmentsDuration', 'transcodedSegmentsDuration'] as const;
const FIELDS = [
  ...['id', 'name', 'streamKey', 'playbackId', 'isActive', 'record', 'suspended', 'isHealthy', 'issues'],
  ...['parentId', 'parentStream', 'profiles', 'projectId', 'ingestRate', 'recordingUrl', 'mp4Url', 'mp4URL'],
  ...['recordingStatus', 'createdByTokenName', '__proto__', 'constructor', 'hasOwnProperty', ...NUMBERS],
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    'true',
    ' FALSE ',
    '',
    '0',
    '-1',
    'Infinity',
    '1e999',
    'NaN',
    0,
    -1,
    9e15,
    8.64e15,
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.double(),
);
const id = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), odd);
/** What JSON.parse makes of any text: keys of its own, whatever they are called. */
const row = fc.record({ id, fields: fc.array(fc.tuple(fc.constantFrom(...FIELDS), odd)) }).map((given) => {
  const entries = [['id', given.id] as const, ...given.fields];
  const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join();
  return JSON.parse(`{${text}}`) as unknown;
});
const anything = fc.oneof({ weight: 4, arbitrary: row }, { weight: 1, arbitrary: fc.jsonValue() });

function assertWellMade(item: Stream | Session): void {
  assert.ok(isId(item.id));
  assert.ok(item.parentId === undefined || isId(item.parentId));
  assert.equal(typeof item.record, 'boolean');
  assert.ok(item.profiles === undefined || Array.isArray(item.profiles));
  for (const key of NUMBERS) {
    const value = item[key];
    assert.ok(value === undefined || (Number.isFinite(value) && value >= 0), `${key}: ${value}`);
  }
  for (const at of [item.createdAt, item.lastSeen]) {
    if (at !== undefined) assert.doesNotThrow(() => new Date(at).toISOString());
  }
  assert.equal(Object.getPrototypeOf(item), Object.prototype);
}

describe('Decoding whatever was sent', () => {
  it('gives streams of the right types, or none, and never throws', () => {
    forAll(anything, (value) => {
      const stream = decodeStream(value);
      if (stream === undefined) return;
      assertWellMade(stream);
      assert.equal(typeof stream.name, 'string');
      assert.equal(typeof stream.isActive, 'boolean');
      assert.ok(stream.issues.every((issue) => typeof issue === 'string' && issue.length <= 10_000));
      for (const text of [stream.streamKey, stream.playbackId]) assert.ok(text === undefined || text.length > 0);
    });
  });

  it('gives sessions that hold nothing of their parent but its name', () => {
    forAll(anything, fc.uuid(), (value, streamKey) => {
      const parentStream = { name: 'Parent', streamKey, pull: { headers: { authorization: streamKey } } };
      const whole = typeof value === 'object' && value !== null ? { ...value, parentStream } : value;
      const session = decodeSession(whole);
      if (session === undefined) return;
      assertWellMade(session);
      assert.ok(!JSON.stringify(session).includes(streamKey));
    });
  });

  it('accounts for every row of a list: taken once, or dropped, or a duplicate', () => {
    forAll(fc.array(anything), (rows) => {
      const { items, unreadable } = decodeRows(rows, decodeStream);
      const decoded = rows.map(decodeStream).filter((stream) => stream !== undefined);
      assert.equal(new Set(items.map((item) => item.id)).size, items.length);
      assert.deepEqual(
        items,
        decoded.filter((one, at) => decoded.findIndex((other) => other.id === one.id) === at),
      );
      assert.equal(unreadable, rows.length - decoded.length);
      assert.equal(keepRows(rows).items.length, rows.length);
    });
  });

  it("takes the service's own words without the key, on one line, and short", () => {
    const key = fc.stringMatching(/^[\x21-\x7e]{8,40}$/);
    const words = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('KEY'), fc.constant('"KEY"'), odd));
    forAll(key, words, fc.constantFrom('errors', 'error', 'message'), (apiKey, said, field) => {
      const entries = said.map((one) => (typeof one === 'string' ? one.replaceAll('KEY', apiKey) : one));
      const body = JSON.stringify({ [field]: field === 'errors' ? entries : entries[0] });
      const secrets = new KnownSecrets();
      secrets.noteKey(apiKey);
      const detail = messageOf(new TextEncoder().encode(body), secrets) ?? '';
      assert.ok(!detail.includes(apiKey), detail);
      assert.ok(detail.length <= 300);
      assert.doesNotMatch(detail, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    });
  });

  it('reads any playlist without an exception, and no times or numbers below 0', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('#EXTINF:2,', 'a.ts', '#EXT-X-DISCONTINUITY', '#EXT-X-MAP:URI="', '#EXT-X-KEY:METHOD='),
      fc
        .tuple(
          fc.constantFrom('#EXTINF:', '#EXT-X-MEDIA-SEQUENCE:', '#EXT-X-STREAM-INF:BANDWIDTH=', '#EXT-X-BYTERANGE:'),
          fc.oneof(fc.string(), fc.integer().map(String)),
        )
        .map((parts) => parts.join('')),
    );
    forAll(fc.array(line), (lines) => {
      const playlist = parsePlaylist(['#EXTM3U', ...lines].join('\n'));
      if (playlist.kind !== 'media') return;
      for (const { duration, sequence, byteRange } of playlist.segments) {
        assert.ok(duration >= 0 && sequence >= 0 && (byteRange?.length ?? 1) > 0);
      }
    });
  });
});
