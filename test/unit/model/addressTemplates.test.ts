import assert from 'node:assert/strict';
import {
  guessTemplate,
  isHostOfService,
  isOfService,
  parseTemplate,
  type StreamingPurpose,
} from '../../../src/model/addressTemplates.ts';

const STREAM = { streamKey: 'abcd-efgh-1234', playbackId: 'play4567' };

function context(baseUrl = 'https://api.example.com/api', others: readonly string[] = []) {
  return { baseUrl, others, streams: [{}, STREAM] };
}

function parsed(purpose: StreamingPurpose, text: string, given = context()): string {
  const result = parseTemplate(purpose, text, given);
  return result.ok ? result.template : result.sentence;
}

describe('The URL template of a service, as typed', () => {
  it('is taken with its placeholder, trimmed', () => {
    assert.equal(
      parsed('rtmp', ' rtmps://in.example.com:1936/x/{streamKey} '),
      'rtmps://in.example.com:1936/x/{streamKey}',
    );
    assert.equal(
      parsed('hls', 'https://cdn.example.com/{playbackId}.m3u8?a=1'),
      'https://cdn.example.com/{playbackId}.m3u8?a=1',
    );
  });

  it('may be empty: the service has none', () => {
    assert.deepEqual(parseTemplate('hls', '  ', context()), { ok: true, template: '' });
  });

  it('gets the stream key at the end of an RTMP server, where it always goes', () => {
    assert.equal(parsed('rtmp', 'rtmp://example.com/live/'), 'rtmp://example.com/live/{streamKey}');
  });

  it('has the placeholder in place of the key or playback ID of a known stream', () => {
    assert.equal(parsed('rtmp', `rtmp://example.com/live/${STREAM.streamKey}`), 'rtmp://example.com/live/{streamKey}');
    assert.equal(
      parsed('hls', `https://example.com/${STREAM.playbackId}/x.m3u8`),
      'https://example.com/{playbackId}/x.m3u8',
    );
  });

  it('has the placeholder in place of what looks like the key of a stream that is not loaded', () => {
    assert.equal(parsed('rtmp', 'rtmp://example.com/live/1a2b-3c4d-5e6f-7g8h/'), 'rtmp://example.com/live/{streamKey}');
  });

  it('keeps an application whose name has hyphens', () => {
    for (const path of ['live-prod', 'app/main-live', 'app/live-main-prod']) {
      assert.equal(parsed('rtmp', `rtmp://example.com/${path}`), `rtmp://example.com/${path}/{streamKey}`);
    }
  });

  it('is refused without its placeholder where it could go anywhere', () => {
    assert.match(parsed('hls', 'https://example.com/index.m3u8'), /^Add \{playbackId\} where the playback ID goes/);
    assert.match(parsed('rtmp', 'rtmp://example.com/live?key=1'), /^Add \{streamKey\} where the stream key goes/);
  });

  it('is refused with a placeholder of another URL', () => {
    for (const text of ['https://example.com/{streamKey}/{playbackId}', 'https://example.com/{id}']) {
      assert.equal(parsed('hls', text), 'The only placeholder this URL can contain is {playbackId}.');
    }
    assert.match(parsed('rtmp', 'rtmp://example.com/live/{playbackId}'), /can contain is \{streamKey\}/);
  });

  it('is refused with the host of another service', () => {
    const given = context('https://api.example.com', ['https://other.example.net/api', 'https://api.example.com/api']);
    assert.equal(
      parsed('hls', 'https://livepeercdn.studio/hls/{playbackId}/index.m3u8', given),
      'livepeercdn.studio belongs to another service. Enter a URL for api.example.com.',
    );
    assert.match(
      parsed('rtmp', 'rtmp://other.example.net/live', given),
      /^other.example.net belongs to another service/,
    );
    assert.match(parsed('hls', 'https://video.example.com/{playbackId}', given), /^https:/);
    assert.match(
      parsed('hls', 'https://livepeercdn.studio/{playbackId}', context('https://livepeer.studio/api')),
      /^livep/,
    );
  });

  it('is refused over HTTP, except on this computer or where the service itself has no HTTPS', () => {
    const sentence = "cdn.example.com isn't on this computer, so its URL must start with https://.";
    assert.equal(parsed('hls', 'http://cdn.example.com/{playbackId}'), sentence);
    assert.equal(parsed('hls', 'http://cdn.example.com/{playbackId}', context('http://127.0.0.1:3000')), sentence);
    assert.match(parsed('hls', 'http://localhost:8888/{playbackId}'), /^http:/);
    assert.match(parsed('hls', 'http://10.0.0.2:8888/{playbackId}', context('http://10.0.0.2:3004/api')), /^http:/);
  });

  it('is refused if it is no URL, has another scheme, spaces, or a password', () => {
    assert.match(parsed('rtmp', 'https://example.com/live'), /rtmp:\/\/ or rtmps:\/\//);
    assert.match(parsed('hls', 'rtmp://example.com/live'), /https:\/\//);
    assert.match(parsed('hls', 'https://{playbackId}.example.com/a'), /isn't a valid URL/);
    assert.match(parsed('rtmp', 'rtmp:///live'), /isn't a valid URL/);
    assert.match(parsed('hls', 'https://example.com/a b/{playbackId}'), /spaces/);
    assert.match(parsed('hls', 'https://a:hunter2@example.com/{playbackId}'), /user name or password\.$/);
    assert.match(parsed('hls', `https://example.com/{playbackId}/${'x'.repeat(2000)}`), /too long/);
  });

  it('is guessed by the host', () => {
    assert.equal(guessTemplate('rtmp', 'https://api.example.com/api'), 'rtmp://example.com/live/{streamKey}');
    assert.equal(
      guessTemplate('hls', 'http://127.0.0.1:3004/api'),
      'http://127.0.0.1:3004/hls/{playbackId}/index.m3u8',
    );
    for (const purpose of ['rtmp', 'hls'] as const) {
      const guess = guessTemplate(purpose, 'http://[::1]:3004/api');
      assert.equal(parsed(purpose, guess, context('http://[::1]:3004/api')), guess);
    }
  });

  it('is of the service if it is on its host, or both are on this computer', () => {
    assert.ok(isOfService('rtmp://API.example.com:1936/x', 'https://api.example.com/api'));
    assert.ok(isOfService('rtmp://localhost/live', 'http://127.0.0.1:3000'));
    assert.ok(isOfService('rtmp://[::1]/live', 'http://127.0.0.1:3000'));
    const foreign: readonly (readonly [string, string])[] = [
      ['https://cdn.example.com/x', 'https://api.example.com/api'],
      ['rtmp://evil.co.uk/live', 'https://mysvc.co.uk/api'],
      ['rtmp://evil.github.io/live', 'https://mysvc.github.io/api'],
      ['https://example.net/x', 'https://example.com/api'],
      ['http://10.0.0.3/x', 'http://10.1.0.3/api'],
      ['rtmp://example.com.evil.net/live', 'https://example.com/api'],
      ['not a url', 'https://example.com/api'],
    ];
    for (const [template, baseUrl] of foreign) assert.equal(isOfService(template, baseUrl), false, template);
    assert.deepEqual(
      [isHostOfService('::1', 'http://[::1]:3004/api'), isHostOfService('[2001:db8::1]', 'https://[2001:db8::1]/api')],
      [true, true],
    );
    assert.equal(isHostOfService('', 'https://example.com'), false);
  });
});
