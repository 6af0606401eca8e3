import assert from 'node:assert/strict';
import { checkWebhookUrl } from '../../../../src/model/webhooks/webhookUrl.ts';

describe('The URL of a webhook', () => {
  const rows: readonly (readonly [typed: string, ofService: string, ofDemo: string])[] = [
    ['https://example.com/hook', 'https://example.com/hook', 'notOfDemo'],
    [' HTTPS://example.com ', 'HTTPS://example.com', 'notOfDemo'],
    ['example.com/hook', 'https://example.com/hook', 'notOfDemo'],
    ['example.com:8080/hook', 'https://example.com:8080/hook', 'notOfDemo'],
    ['https://www.studio.example/hook', 'https://www.studio.example/hook', 'https://www.studio.example/hook'],
    ['localhost:3000/hook', 'local', 'http://localhost:3000/hook'],
    ['3000', 'local', 'http://localhost:3000/'],
    ['https://localhost:3000/hook', 'local', 'https://localhost:3000/hook'],
    ['http://10.0.0.1/', 'local', 'notOfDemo'],
    ['http://intranet/', 'local', 'notOfDemo'],
    ['intranet/hook', 'local', 'notOfDemo'],
    ['localhost', 'local', 'http://localhost/'],
    [' notaurl ', 'notUrl', 'notOfDemo'],
    ['not a url', 'notUrl', 'notUrl'],
    ['ftp://example.com', 'notHttp', 'notHttp'],
    ['https://example.com:70000', 'notUrl', 'notUrl'],
    ['', 'notUrl', 'notUrl'],
  ];

  for (const [typed, ofService, ofDemo] of rows) {
    it(`is completed or refused before it is saved: "${typed}"`, () => {
      const found = [false, true].map((isDemo) => Object.values(checkWebhookUrl(typed, isDemo))[0]);
      assert.deepEqual(found, [ofService, ofDemo]);
    });
  }
});
