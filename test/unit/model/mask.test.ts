import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { maskJson } from '../../../src/model/mask.ts';
import { safeFileName } from '../../../src/texts/downloads.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';

const MASK = '••••••••';

function masked(value: unknown, known: readonly string[] = []): unknown {
  return JSON.parse(maskJson(value, known).masked);
}

describe('masking JSON', () => {
  it('masks what stands under the keys of secrets, however they are written', () => {
    const data = {
      streamKey: 'a1',
      stream_key: 'a2',
      apiKey: 'a3',
      Authorization: 'a4',
      password: 'a5',
      accessToken: 'a6',
      'x-api-key': 7,
    };
    const all = Object.fromEntries(Object.keys(data).map((key) => [key, MASK]));
    assert.deepEqual(masked(data), all);
  });

  it('masks keys of every kind, and short words for secrets', () => {
    const keys =
      'rtmpKey ingestKey publishKey encryptionKey hlsKey ingest_key pass pwd hmac passwordFormat secretFormat signingKeys';
    const data = Object.fromEntries(keys.split(' ').map((key) => [key, 'k3y']));
    assert.deepEqual(masked(data), Object.fromEntries(Object.keys(data).map((key) => [key, MASK])));
    assert.deepEqual(masked({ auth: { user: 'u1', pass: 'p1' } }), { auth: { user: MASK, pass: MASK } });
  });

  it('leaves when something was done with a secret, and what only says something about one', () => {
    const data = {
      tokenCreatedAt: 1,
      key_rotated_at: 2,
      'secret-at': 3,
      passwordType: 'x',
      tokenId: 'y',
      keyName: 'z',
    };
    assert.deepEqual(masked(data), data);
  });

  it('masks keys in the paths and parameters of addresses', () => {
    const data = [
      'https://in.example/ingest/s3cret/x',
      'https://in.example/publish/s3cret',
      'https://cdn.example/a;jwt=s3cret;other=s3cret/index.m3u8',
    ];
    assert.doesNotMatch(maskJson(data).masked, /s3cret/);
    assert.match(maskJson(data).masked, /https:\/\/cdn\.example\/a;jwt=/);
  });

  it('masks secrets that are no words wherever they stand, among a great many', () => {
    const keys = Array.from({ length: 200 }, (_, index) => ({ streamKey: `k3y-${index}-xxxx` }));
    const data = [...keys, { password: 'p.a$s/w0rd' }, { note: 'it is p.a$s/w0rd, and k3y-7-xxxx' }];
    assert.doesNotMatch(maskJson(data).masked, /p\.a\$s|k3y-/);
  });

  it('leaves the rest as it is, and says what is empty', () => {
    const data = {
      id: 'x',
      playbackId: 'abcd1234',
      createdByTokenName: 'CI',
      streamKey: '',
      apiKey: null,
      token: false,
      n: 1.5,
      list: [],
      o: {},
    };
    assert.deepEqual(masked(data), data);
  });

  it('masks a parent’s key, pull headers and multistream targets at any depth', () => {
    const data = {
      parentStream: { name: 'P', streamKey: 'kkkk-1' },
      pull: { source: 'https://user:pw@cam.example/live?token=t0ken', headers: { 'X-Cam': 'h3ader', more: ['deep'] } },
      multistream: { targets: [{ id: 't', spec: { name: 'Elsewhere', url: 'rtmp://other.example/app/k3y' } }] },
    };
    assert.deepEqual(masked(data), {
      parentStream: { name: 'P', streamKey: MASK },
      pull: { source: `https://${MASK}@cam.example/live?${MASK}`, headers: { 'X-Cam': MASK, more: [MASK] } },
      multistream: { targets: [{ id: 't', spec: { name: 'Elsewhere', url: MASK } }] },
    });
  });

  it('masks the key in the address of a target that stands alone', () => {
    const data = [
      { id: 't', name: 'YouTube', url: 'rtmps://a.rtmps.youtube.com:443/live2/k3y-0f-youtube', disabled: false },
      { id: 'u', name: 'Facebook', url: 'rtmps://live.example:443/rtmp/FB-1?s_bl=1&a=Abc' },
      { id: 'v', name: 'SRT', url: 'srt://live.example:2088?streamid=k3y' },
    ];
    assert.deepEqual(
      data.map((target) => Reflect.get(Object(masked(target)), 'url')),
      [
        `rtmps://a.rtmps.youtube.com:443/live2/${MASK}`,
        `rtmps://live.example:443/rtmp/${MASK}?${MASK}`,
        `srt://live.example:2088?${MASK}`,
      ],
    );
  });

  it('masks every address of a multistream, however its key begins, and no address elsewhere for its key', () => {
    const targets = [{ rtmpUrl: 'push to k3y', ingest_url: 'k3y', urlOfPage: 'plain' }];
    assert.deepEqual(masked({ multistream: { targets }, rtmpUrl: 'plain' }), {
      multistream: { targets: [{ rtmpUrl: MASK, ingest_url: MASK, urlOfPage: 'plain' }] },
      rtmpUrl: 'plain',
    });
  });

  it('masks a secret wherever else it stands, in values, sentences and keys', () => {
    const data = {
      streamKey: 'abcd-efgh-1234',
      issues: ['no data for abcd-efgh-1234 yet'],
      by: { 'abcd-efgh-1234': 1 },
      other: 'from-the-store',
    };
    const text = maskJson(data, ['from-the-store']).masked;
    assert.doesNotMatch(text, /abcd-efgh|from-the-store/);
  });

  it('masks ingest addresses and the queries of media addresses in any text', () => {
    const data = [
      'rtmp://in.example/live/s3cret',
      'pulling srt://in.example:9000?streamid=s3cret now',
      'https://in.example/webrtc/s3cret',
      'https://cdn.example/r/index.m3u8?Signature=s3cret#s3cret',
    ];
    assert.doesNotMatch(maskJson(data).masked, /s3cret/);
    assert.match(maskJson(data).masked, /https:\/\/cdn\.example\/r\/index\.m3u8\?/);
  });

  it('reveals exactly what was sent', () => {
    const data = JSON.parse(
      '{"a":[1,{"b":null,"c":"\\u2028 é"}],"streamKey":"k","e":{},"l":[],"url":"https://x/y?z=1"}',
    );
    assert.equal(maskJson(data).revealed, JSON.stringify(data, undefined, 2));
    assert.equal(maskJson('text').revealed, '"text"');
    assert.equal(maskJson(null).masked, 'null');
  });

  it('keeps and masks keys such as __proto__ without taking them for more than keys', () => {
    const data = JSON.parse('{"__proto__":{"password":"p4ssword","x":1},"constructor":{"token":"t0ken12"}}');
    const text = maskJson(data).masked;
    assert.match(text, /"__proto__": \{/);
    assert.doesNotMatch(text, /p4ssword|t0ken12/);
  });

  it('masks data that is nested a thousand levels deep, and says so where it is nested too deeply', () => {
    const nest = (levels: number) => {
      let deep: unknown = { streamKey: 'd33p-s3cret' };
      for (let level = 0; level < levels; level++) deep = [deep];
      return deep;
    };
    assert.doesNotMatch(maskJson(nest(1000)).masked, /d33p/);
    assert.throws(
      () => maskJson(nest(100_000)),
      (error) => isApiError(error) && error.why === 'tooLarge' && !error.message.includes('d33p'),
    );
  });

  it('takes huge lists in time that grows with their length', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      id: i,
      streamKey: `k3y-${i}-xxxx`,
      note: `see k3y-${i}-xxxx`,
    }));
    assertCpuTime(3000, () => assert.doesNotMatch(maskJson(rows).masked, /k3y-/));
  });

  it('does not take long over one long text', () => {
    const texts = ['a'.repeat(1_000_000), `a://${'b'.repeat(1_000_000)}`, 'a.'.repeat(500_000)];
    assertCpuTime(3000, () => void maskJson(texts));
  });
});

describe('file names', () => {
  it('keep the name, without what no file system takes', () => {
    assert.equal(safeFileName('Keynote', 'id', '.json'), 'Keynote.json');
    assert.equal(safeFileName('a/b\\c:d*e?f"g<h>i|j', 'id', '.json'), 'a-b-c-d-e-f-g-h-i-j.json');
    assert.equal(safeFileName('../../etc/passwd', 'id', ''), '-..-etc-passwd');
    assert.equal(safeFileName('evil\u202Egpj\n.exe ', 'id', '.mp4'), 'evilgpj.exe.mp4');
  });

  it('fall back where nothing is left, or the name is taken by the system', () => {
    for (const name of ['', ' . ', '\u200b', 'CON', 'lpt1']) assert.equal(safeFileName(name, 'id', '.json'), 'id.json');
    assert.ok(safeFileName('x'.repeat(10_000), 'id', '.json').length <= 85);
  });
});
