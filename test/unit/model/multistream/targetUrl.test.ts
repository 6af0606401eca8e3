import assert from 'node:assert/strict';
import {
  checkTargetServer,
  checkTargetUrl,
  faultOfServerKey,
  faultOfTargetKey,
  joinTargetUrl,
  splitTargetUrl,
  type TargetUrlFault,
  targetProfiles,
  targetUrlOf,
} from '../../../../src/model/multistream/targetUrl.ts';

const FAULTS: readonly (readonly [text: string, fault: TargetUrlFault])[] = [
  ['', 'empty'],
  ['  ', 'empty'],
  ['live.example/app/key', 'notUrl'],
  ['rtmp://live.example/app/a key', 'notUrl'],
  ['rtmp:app/key', 'notUrl'],
  ['http://live.example/app/key', 'scheme'],
  ['https://live.example/app/key', 'scheme'],
  ['file:///app/key', 'notUrl'],
  ['ws://live.example/app/key', 'scheme'],
  ['rtmps://user:word@live.example/app/key', 'credentials'],
  ['rtmp://user@live.example/app/key', 'credentials'],
  ['rtmp://live.example', 'noKey'],
  ['rtmp://live.example/', 'noKey'],
  ['rtmp://live.example/app', 'noKey'],
  ['rtmps://live.example:443/rtmp/', 'noKey'],
  ['rtmp://live.example//key', 'noKey'],
  ['srt://live.example:2088', 'noKey'],
  ['srt://live.example:2088?mode=caller', 'noKey'],
];

describe('The URL of a multistream target', () => {
  for (const [text, fault] of FAULTS) {
    it(`is refused before it is sent: ${JSON.stringify(text)} (${fault})`, () => {
      assert.deepEqual(checkTargetUrl(text), { ok: false, fault });
    });
  }

  for (const url of [
    'rtmp://live.example/app/key',
    'rtmps://live.example:443/rtmp/FB-1-0-Ab?s_bl=1&a=Abc',
    'rtmp://10.0.0.8/app/instance/key',
    'srt://live.example:2088?streamid=key',
  ]) {
    it(`is taken as it is: ${url}`, () => assert.deepEqual(checkTargetUrl(` ${url}\n`), { ok: true, url }));
  }

  it('gets a scheme in lower case, as the service wants', () => {
    assert.deepEqual(checkTargetUrl('RTMPS://live.example/app/Key'), { ok: true, url: 'rtmps://live.example/app/Key' });
  });

  it('is known of some services, where the key alone is typed', () => {
    for (const service of ['youtube', 'twitch', 'facebook'] as const) {
      const url = targetUrlOf(service, ' FB-1-0-Ab?s_bl=1&a=A ');
      assert.match(url, /^rtmps?:\/\/[\w.-]+(:443)?\/\w+\/FB-1-0-Ab\?s_bl=1&a=A$/);
      assert.deepEqual(checkTargetUrl(url), { ok: true, url });
    }
    assert.deepEqual(['', ' ', 'rtmp://a/b/c', 'a b', 'schlüssel', 'live_1_a'].map(faultOfTargetKey), [
      'empty',
      'empty',
      'url',
      'characters',
      'characters',
      undefined,
    ]);
  });
});

describe('The server of a multistream target', () => {
  for (const [text, fault] of [
    ['', 'empty'],
    ['live.example/app', 'notUrl'],
    ['https://live.example/app', 'scheme'],
    ['rtmp://user:word@live.example/app', 'credentials'],
    ['rtmp://live.example', 'noPath'],
    ['rtmp://live.example//app', 'noPath'],
  ] as const) {
    it(`is refused: ${JSON.stringify(text)} (${fault})`, () => {
      assert.deepEqual(checkTargetServer(text), { ok: false, fault });
    });
  }

  for (const [server, key, url] of [
    ['rtmps://live.example/app', 'key', 'rtmps://live.example/app/key'],
    [' rtmps://live.example:443/app/ ', ' key?a=1&b=2 ', 'rtmps://live.example:443/app/key?a=1&b=2'],
    ['rtmp://live.example/app/instance', 'a/key', 'rtmp://live.example/app/instance/a/key'],
    ['rtmp://live.example/app?token=1', '/key', 'rtmp://live.example/app/key?token=1'],
    ['rtmp://live.example/app/key', '', 'rtmp://live.example/app/key'],
    ['srt://live.example:9000', 'key', 'srt://live.example:9000?streamid=key'],
    [
      'SRT://live.example:9000?mode=caller',
      '#!::r=a b,m=publish&',
      'SRT://live.example:9000?mode=caller&streamid=%23!::r=a%20b,m=publish%26',
    ],
    ['srt://live.example:9000', '%23!::r=50%', 'srt://live.example:9000?streamid=%23!::r=50%25'],
  ] as const) {
    it(`makes a URL with a stream key: ${server} with ${key}`, () => {
      assert.equal(checkTargetServer(server).ok, true);
      assert.equal(joinTargetUrl(server, key), url);
      assert.equal(checkTargetUrl(url).ok, true);
    });
  }

  for (const [url, server, key] of [
    ['rtmp://live.example', 'rtmp://live.example', ''],
    ['rtmp://live.example/app', 'rtmp://live.example/app', ''],
    ['rtmp://live.example/app/', 'rtmp://live.example/app/', ''],
    ['rtmp://live.example/app?a=b/c', 'rtmp://live.example/app?a=b/c', ''],
    [' rtmps://live.example:443/app/key ', 'rtmps://live.example:443/app', 'key'],
    ['rtmp://live.example/app/instance/key?a=b/c', 'rtmp://live.example/app/instance', 'key?a=b/c'],
    ['srt://live.example:9000?mode=caller', 'srt://live.example:9000?mode=caller', ''],
    ['srt://live.example:9000?streamid=%23!::r=a', 'srt://live.example:9000', '%23!::r=a'],
    ['srt://live.example:9000?streamid=key&mode=caller', 'srt://live.example:9000?mode=caller', 'key'],
    ['srt://live.example:9000?mode=caller&streamid=key', 'srt://live.example:9000?mode=caller', 'key'],
  ] as const) {
    it(`is split from the key that a URL may end with: ${url}`, () => {
      assert.deepEqual(splitTargetUrl(url), { server, key });
      if (key !== '') assert.deepEqual(checkTargetUrl(joinTargetUrl(server, key)).ok, true);
    });
  }

  it('takes a path as a key, and for SRT everything but a URL', () => {
    const keys = ['', 'a/key', 'rtmp://a/b/c', 'a key', '#!::r=a'];
    assert.deepEqual(
      keys.map((key) => faultOfServerKey('rtmp://live.example/app', key)),
      ['empty', undefined, 'url', 'characters', 'characters'],
    );
    assert.deepEqual(
      keys.map((key) => faultOfServerKey('srt://live.example:9000', key)),
      ['empty', undefined, 'url', undefined, undefined],
    );
  });
});

describe('The renditions that a target can get', () => {
  it('are the source and those of the stream with a name, each once', () => {
    const profiles = [{ name: '720p' }, { name: '720p' }, { name: '' }, { width: 1 }, 'x', null, { name: 'source' }];
    assert.deepEqual(targetProfiles(profiles), ['source', '720p']);
    assert.deepEqual(targetProfiles(undefined), ['source']);
  });
});
