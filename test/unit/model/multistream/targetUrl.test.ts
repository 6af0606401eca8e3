import assert from 'node:assert/strict';
import {
  checkTargetUrl,
  faultOfTargetKey,
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

describe('The renditions that a target can get', () => {
  it('are the source and those of the stream with a name, each once', () => {
    const profiles = [{ name: '720p' }, { name: '720p' }, { name: '' }, { width: 1 }, 'x', null, { name: 'source' }];
    assert.deepEqual(targetProfiles(profiles), ['source', '720p']);
    assert.deepEqual(targetProfiles(undefined), ['source']);
  });
});
