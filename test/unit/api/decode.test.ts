import assert from 'node:assert/strict';
import { decodeRows, decodeSession, decodeStream, MAX_ROWS } from '../../../src/api/decode.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';

describe('decoding a stream', () => {
  it('reads the fields that are stated and used', () => {
    const row = {
      id: '11111111-aaaa-4444-8888-000000000001',
      name: 'Keynote',
      createdAt: 1700000000000,
      streamKey: 'abcd-efgh',
      playbackId: 'play1',
      isActive: true,
      lastSeen: 1700000100000,
      record: true,
      outgoingRate: 1_400_000,
      sourceSegments: 12,
      transcodedSegments: 24,
      sourceBytes: 8_600_000,
      sourceSegmentsDuration: 24.5,
      transcodedSegmentsDuration: 49,
      parentId: '11111111-aaaa-4444-8888-000000000002',
      profiles: [{ name: '720p' }],
    };
    const stream = decodeStream(row);
    assert.deepEqual({ ...stream, ...row }, stream);
  });

  it('keeps of a playback policy its type of up to 64 letters, its webhook, and its origins, not its context', () => {
    const kept = { type: 'webhook', webhookId: 'hook-1', allowedOrigins: ['https://a.example'] };
    const policy = { ...kept, webhookContext: { password: 'abcd-efgh' }, refreshInterval: 60 };
    const stream = decodeStream({ id: 'a', playbackPolicy: policy });
    assert.deepEqual(stream?.playbackPolicy, kept);
  });

  it('reads what else a service may send of a stream, in the shapes that were seen', () => {
    const stream = (fields: object) => decodeStream({ id: 'a', ...fields });
    const profiles = [{ bitrate: 1 }];
    const whole = stream({
      userTags: { a: ['b', 1] },
      creatorId: { type: 'unverified', value: 'user123' },
      recordingSpec: { profiles },
    });
    assert.deepEqual([whole?.tags, whole?.creatorId, whole?.recordingProfiles], [{ a: ['b', 1] }, 'user123', profiles]);
    assert.equal(stream({ creatorId: 'user123' })?.creatorId, 'user123');
    for (const odd of [undefined, null, true, [], [{}], { value: null }, { profiles: null }, { profiles: {} }]) {
      const { tags, creatorId, recordingProfiles } = stream({ userTags: [], creatorId: odd, recordingSpec: odd }) ?? {};
      assert.deepEqual([tags, creatorId, recordingProfiles], [undefined, undefined, undefined], JSON.stringify(odd));
    }
  });

  it('reads no policy whose type is no word', () => {
    const typeOf = (type: unknown) => decodeStream({ id: 'a', playbackPolicy: { type } })?.playbackPolicy?.type;
    const kept = ['public', 'lit_signing_condition', 'x'.repeat(64)];
    assert.deepEqual(kept.map(typeOf), kept);
    const dropped = ['', 'x'.repeat(65), 'a b', '<b>', 7, null, undefined, { type: 'jwt' }, ['jwt']];
    assert.deepEqual(dropped.map(typeOf), Array(dropped.length).fill(undefined));
    assert.equal(decodeStream({ id: 'a', playbackPolicy: 'jwt' })?.playbackPolicy, undefined);
  });

  it('has no key or id that is not printable: it could run as a command where it is pasted', () => {
    for (const sign of ['\r', '\n', '\u001b[201~', '\0', '\t', ' ', '\u202e', '\u200b', 'é', '\u007f']) {
      const odd = `abcd${sign}ef01`;
      const { streamKey, playbackId, projectId } =
        decodeStream({ id: 'a', streamKey: odd, playbackId: odd, projectId: odd }) ?? {};
      assert.deepEqual([streamKey, playbackId, projectId], [undefined, undefined, undefined], JSON.stringify(odd));
      const session = decodeSession({ id: 'a', playbackId: odd, projectId: odd });
      assert.deepEqual([session?.playbackId, session?.projectId], [undefined, undefined], JSON.stringify(odd));
    }
    assert.equal(decodeStream({ id: 'a', streamKey: '!abcd-EF01~' })?.streamKey, '!abcd-EF01~');
  });

  it('takes booleans as strings, and numbers as numeric strings', () => {
    const stream = decodeStream({
      id: 'a',
      isActive: 'true',
      record: 'false',
      createdAt: '1700000000000',
      ingestRate: '3',
    });
    assert.equal(stream?.isActive, true);
    assert.equal(stream?.record, false);
    assert.equal(stream?.createdAt, 1700000000000);
    assert.equal(stream?.ingestRate, 3);
    const numberOf = (sourceSegmentsDuration: unknown) =>
      decodeStream({ id: 'a', sourceSegmentsDuration })?.sourceSegmentsDuration;
    assert.deepEqual([' 1.5e+02 ', '.5E1', '25e-12', '1e12'].map(numberOf), [150, 5, 25e-12, 1e12]);
    assert.deepEqual(
      ['1e', '1e5x', '0x10', '', ' ', '-1', '1e999', 'Infinity'].map(numberOf),
      Array(8).fill(undefined),
    );
  });

  it('has defaults where fields are missing or null', () => {
    const bare = decodeStream({ id: 'a' });
    const nulls = Object.fromEntries(Object.keys(bare ?? {}).map((key) => [key, null]));
    assert.deepEqual(decodeStream({ ...nulls, id: 'a' }), bare);
    assert.equal(bare?.name, '');
    assert.equal(bare?.isActive, false);
    assert.equal(bare?.record, false);
    assert.equal(bare?.lastSeen, undefined);
    assert.equal(bare?.profiles, undefined);
    assert.deepEqual(decodeStream({ id: 'a', profiles: [] })?.profiles, []);
    assert.deepEqual(bare?.issues, []);
  });

  it('knows 0 as never seen, and no negative, infinite or impossible number', () => {
    const stream = decodeStream({
      id: 'a',
      lastSeen: 0,
      createdAt: 1e300,
      ingestRate: -1,
      sourceSegmentsDuration: Number.POSITIVE_INFINITY,
      transcodedSegmentsDuration: '',
    });
    const durations = ['sourceSegmentsDuration', 'transcodedSegmentsDuration'] as const;
    for (const key of ['lastSeen', 'createdAt', 'ingestRate', ...durations] as const) {
      assert.equal(stream?.[key], undefined, key);
    }
    for (const odd of ['NaN', '0x10', Number.NaN]) {
      assert.equal(decodeStream({ id: 'a', ingestRate: odd })?.ingestRate, undefined, `${odd}`);
    }
  });

  it('makes text of a name that is a number, and cuts one that is endless, never inside a character', () => {
    assert.equal(decodeStream({ id: 'a', name: 42 })?.name, '42');
    assert.equal(decodeStream({ id: 'a', name: { first: 'x' } })?.name, '');
    assert.equal(decodeStream({ id: 'a', name: 'x'.repeat(10_000) })?.name.length, 10_000);
    assert.equal(decodeStream({ id: 'a', name: `${'x'.repeat(9_999)}😀` })?.name, 'x'.repeat(9_999));
  });

  it('keeps keys and addresses whole or not at all', () => {
    assert.equal(decodeStream({ id: 'a', streamKey: 'k'.repeat(20_000) })?.streamKey, undefined);
    assert.equal(decodeStream({ id: 'a', streamKey: '' })?.streamKey, undefined);
    assert.equal(decodeStream({ id: 'a', playbackId: ['p'] })?.playbackId, undefined);
  });

  it('drops what has no usable id', () => {
    const unusable = [undefined, null, '', 7, '../x', 'a/b', 'a b', 'x'.repeat(65), ['a']];
    for (const id of unusable) assert.equal(decodeStream({ id, name: 'x' }), undefined, String(id));
    for (const row of [null, 'a', 7, [], [{ id: 'a' }], undefined]) assert.equal(decodeStream(row), undefined);
  });

  it('is not fooled by fields named as parts of every object', () => {
    const row = JSON.parse(
      '{"id":"a","__proto__":{"name":"evil","isActive":true},"constructor":{"prototype":{"x":1}}}',
    );
    const stream = decodeStream(row);
    assert.equal(stream?.name, '');
    assert.equal(stream?.isActive, false);
    assert.equal(({} as { x?: number }).x, undefined);
    assert.equal(decodeStream(Object.create({ id: 'inherited' })), undefined);
  });

  it('reads health, with null as not known', () => {
    assert.equal(decodeStream({ id: 'a', isHealthy: null })?.isHealthy, undefined);
    assert.equal(decodeStream({ id: 'a', isHealthy: false })?.isHealthy, false);
    assert.deepEqual(decodeStream({ id: 'a', issues: ['low bitrate', 7, ''] })?.issues, ['low bitrate']);
    assert.deepEqual(decodeStream({ id: 'a', issues: 'low bitrate' })?.issues, ['low bitrate']);
  });
});

describe('decoding a session', () => {
  it('reads the MP4 address in both spellings', () => {
    assert.equal(decodeSession({ id: 'a', mp4URL: 'https://x/1.mp4' })?.mp4Url, 'https://x/1.mp4');
    assert.equal(decodeSession({ id: 'a', mp4Url: 'https://x/2.mp4' })?.mp4Url, 'https://x/2.mp4');
    assert.equal(decodeSession({ id: 'a', mp4Url: '', mp4URL: 'https://x/3.mp4' })?.mp4Url, 'https://x/3.mp4');
  });

  it('keeps of the parent stream its name alone', () => {
    const session = decodeSession({
      id: 'a',
      parentId: 'b',
      parentStream: { name: 'Keynote', streamKey: 'hidden-key' },
    });
    assert.equal(session?.parentName, 'Keynote');
    assert.doesNotMatch(JSON.stringify(session), /hidden-key/);
  });

  it('keeps durations as they are, whole or fractions, and any word as the state of its recording', () => {
    const session = decodeSession({ id: 'a', record: true, sourceSegmentsDuration: 250, recordingStatus: 'simmering' });
    assert.equal(session?.sourceSegmentsDuration, 250);
    assert.equal(session.record, true);
    assert.equal(decodeSession({ id: 'a', sourceSegmentsDuration: '12.75' })?.sourceSegmentsDuration, 12.75);
    assert.equal(session?.recordingStatus, 'simmering');
  });

  it('has no parent whose id could not be asked for', () => {
    assert.equal(decodeSession({ id: 'a', parentId: '../../etc' })?.parentId, undefined);
  });
});

describe('decoding a list', () => {
  it('drops and counts what cannot be read, and shows the rest', () => {
    const { items, unreadable } = decodeRows([{ id: 'a' }, null, { name: 'no id' }, 'text', { id: 'b' }], decodeStream);
    assert.deepEqual(fieldsOf(items, 'id'), ['a', 'b']);
    assert.equal(unreadable, 3);
  });

  it('keeps the first of two rows with one id', () => {
    const { items, unreadable } = decodeRows(
      [
        { id: 'a', name: 'first' },
        { id: 'a', name: 'second' },
      ],
      decodeStream,
    );
    assert.deepEqual(fieldsOf(items, 'name'), ['first']);
    assert.equal(unreadable, 0);
  });

  it('reads no more of them than a list may have, and counts the rest', () => {
    const rows = Array.from({ length: MAX_ROWS + 3 }, (_, index) => ({ id: `s${index}` }));
    const { items, unreadable } = decodeRows(rows, decodeStream);
    assert.deepEqual([items.length, unreadable], [MAX_ROWS, 3]);
  });
});
