import assert from 'node:assert/strict';
import { checkWebhookUrl, type WebhookReach, webhookReachOf } from '../../../../src/model/webhooks/webhookUrl.ts';

describe('The URL of a webhook', () => {
  const rows: readonly (readonly [typed: string, ofService: string, ofDemo: string, ofLocal?: string])[] = [
    ['https://example.com/hook', 'https://example.com/hook', 'notOfDemo'],
    [' HTTPS://example.com ', 'HTTPS://example.com', 'notOfDemo'],
    ['example.com/hook', 'https://example.com/hook', 'notOfDemo'],
    ['example.com:8080/hook', 'https://example.com:8080/hook', 'notOfDemo'],
    ['https://www.studio.example/hook', 'https://www.studio.example/hook', 'https://www.studio.example/hook'],
    ['localhost:3000/hook', 'local', 'http://localhost:3000/hook', 'http://localhost:3000/hook'],
    ['3000', 'local', 'http://localhost:3000/', 'http://localhost:3000/'],
    ['https://localhost:3000/hook', 'local', 'https://localhost:3000/hook', 'https://localhost:3000/hook'],
    ['http://10.0.0.1/', 'local', 'notOfDemo', 'http://10.0.0.1/'],
    ['http://intranet/', 'local', 'notOfDemo', 'http://intranet/'],
    ['intranet/hook', 'local', 'notOfDemo', 'https://intranet/hook'],
    ['localhost', 'local', 'http://localhost/', 'http://localhost/'],
    [' notaurl ', 'notUrl', 'notOfDemo'],
    ['not a url', 'notUrl', 'notUrl'],
    ['ftp://example.com', 'notHttp', 'notHttp'],
    ['https://example.com:70000', 'notUrl', 'notUrl'],
    ['', 'notUrl', 'notUrl'],
  ];

  for (const [typed, ofService, ofDemo, ofLocal = ofService] of rows) {
    it(`is completed or refused before it is saved: "${typed}"`, () => {
      const checked = (reach: WebhookReach) => Object.values(checkWebhookUrl(typed, reach))[0];
      assert.deepEqual([checked('public'), checked('computer'), checked('all')], [ofService, ofDemo, ofLocal]);
    });
  }

  it('may be of this network, if the service is', () => {
    const reachOf = (baseUrl: string, isDemo = false) => webhookReachOf({ baseUrl, isDemo });
    assert.equal(reachOf('https://livepeer.studio/api'), 'public');
    assert.deepEqual([reachOf('http://localhost:3004/api'), reachOf('https://10.1.2.3/api')], ['all', 'all']);
    assert.equal(reachOf('http://127.0.0.1:4000/api', true), 'computer');
  });
});
