import assert from 'node:assert/strict';
import { parseIngest } from '../../../src/broadcast/ingest.ts';

describe('An ingest URL', () => {
  it('leads to a server, an application, and a stream', () => {
    assert.deepEqual(parseIngest('rtmp://rtmp.example.com/live/{streamKey}', 'abcd-1234'), {
      ok: true,
      ingest: {
        isEncrypted: false,
        host: 'rtmp.example.com',
        port: 1935,
        app: 'live',
        tcUrl: 'rtmp://rtmp.example.com/live',
        streamName: 'abcd-1234',
      },
    });
  });

  it('may be encrypted, have a port, an IPv6 address, a longer application, and a query', () => {
    const parsed = parseIngest('RTMPS://[2001:db8::1]:4430/app/instance/{streamKey}?token=1&k={streamKey}', 'key');
    assert.deepEqual(parsed.ok && parsed.ingest, {
      isEncrypted: true,
      host: '2001:db8::1',
      port: 4430,
      app: 'app/instance',
      tcUrl: 'rtmps://[2001:db8::1]:4430/app/instance',
      streamName: 'key?token=1&k=key',
    });
    const usual = parseIngest('rtmps://example.com/live/{streamKey}', 'key');
    assert.equal(usual.ok && usual.ingest.port, 443);
  });

  it('has the key as it is in what is published, and encoded in the address', () => {
    const key = 'a/b?c&d%e#f g$&';
    const inName = parseIngest('rtmp://example.com/live/{streamKey}', key);
    assert.equal(inName.ok && inName.ingest.streamName, key);
    assert.equal(inName.ok && inName.ingest.tcUrl, 'rtmp://example.com/live');
    const inApp = parseIngest('rtmp://example.com/{streamKey}/stream', key);
    assert.equal(inApp.ok && inApp.ingest.app, key);
    assert.equal(inApp.ok && inApp.ingest.tcUrl, `rtmp://example.com/${encodeURIComponent(key)}`);
  });

  it('has the key in its application if it has no path for the stream', () => {
    const parsed = parseIngest('rtmp://example.com/{streamKey}', 'key');
    assert.deepEqual(parsed.ok && [parsed.ingest.app, parsed.ingest.streamName], ['key', '']);
  });

  const unusable = {
    noKey: ['rtmp://example.com/live', 'rtmps://example.com/live/a-key'],
    scheme: ['srt://example.com:9000?streamid={streamKey}', 'https://example.com/{streamKey}', '{streamKey}', ''],
    invalid: [
      'rtmp:///live/{streamKey}',
      'rtmp://{streamKey}/live/x',
      'rtmp://user:password@example.com/live/{streamKey}',
      'rtmp://example.com:0/live/{streamKey}',
      'rtmp://example.com:99999/live/{streamKey}',
      'rtmp://example.com/{streamKey} and more',
      'rtmp://example.com//{streamKey}',
    ],
  };
  for (const [fault, templates] of Object.entries(unusable)) {
    for (const template of templates) {
      it(`can't be "${template}"`, () => {
        assert.deepEqual(parseIngest(template, 'key'), { ok: false, fault });
      });
    }
  }
});
