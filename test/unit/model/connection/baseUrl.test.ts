import assert from 'node:assert/strict';
import { parseApiKey, parseBaseUrl } from '../../../../src/model/connection/baseUrl.ts';
import { parsePastedKey } from '../../../../src/model/connection/pastedKey.ts';

function urlOf(text: string): string {
  const parsed = parseBaseUrl(text);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.sentence);
  return parsed.url;
}

function refusalOf(text: string): string {
  const parsed = parseBaseUrl(text);
  assert.ok(!parsed.ok, `${text} was taken`);
  return parsed.sentence;
}

describe('base URLs', () => {
  it('keeps a whole address', () => {
    assert.equal(urlOf('https://livepeer.studio/api'), 'https://livepeer.studio/api');
    assert.equal(urlOf('https://example.com:8443/a/b'), 'https://example.com:8443/a/b');
  });

  it('mends whitespace, trailing slashes and a missing scheme', () => {
    assert.equal(urlOf('  https://example.com/api// \n'), 'https://example.com/api');
    assert.equal(urlOf('example.com/api/'), 'https://example.com/api');
    assert.equal(urlOf('example.com:8443'), 'https://example.com:8443');
    assert.equal(urlOf('HTTPS://Example.COM/Api'), 'https://example.com/Api');
  });

  it('takes http for loopback where no scheme was typed, with its port', () => {
    assert.equal(urlOf('localhost:3000/api'), 'http://localhost:3000/api');
    assert.equal(urlOf('127.0.0.1:443'), 'http://127.0.0.1:443');
    assert.equal(urlOf('[::1]:8080'), 'http://[::1]:8080');
  });

  it('warns of http to another machine alone', () => {
    const warns = (text: string) => {
      const parsed = parseBaseUrl(text);
      return parsed.ok && parsed.needsWarning;
    };
    assert.equal(warns('http://studio.example/api'), true);
    assert.equal(warns('http://127.0.0.1.example.com'), true);
    for (const text of ['http://localhost.example.com', 'http://128.0.0.1', 'http://[::2]', 'http://0.0.0.0']) {
      assert.equal(warns(text), true, text);
    }
    assert.equal(warns('http://localhost:1'), false);
    for (const text of ['http://127.0.0.53:1/api', 'http://127.1', 'http://0x7f.0.0.1', 'http://[::1]']) {
      assert.equal(warns(text), false, text);
    }
    assert.equal(warns('https://studio.example'), false);
    const parsed = parseBaseUrl('http://studio.example:81/api');
    assert.equal(parsed.ok && parsed.host, 'studio.example:81');
  });

  it('refuses user names and passwords, and repeats neither', () => {
    for (const text of ['https://user:hunter2@example.com', 'user:hunter2@example.com', 'user@example.com']) {
      const sentence = refusalOf(text);
      assert.match(sentence, /user name or password/);
      assert.doesNotMatch(sentence, /hunter2/);
    }
  });

  it('refuses queries and fragments', () => {
    for (const text of ['https://example.com/api?key=1', 'https://example.com/#x', 'example.com?', 'localhost:80?a']) {
      assert.match(refusalOf(text), /\("\?"\) and fragment \("#"\)/);
    }
  });

  it('refuses other schemes, and names them', () => {
    for (const text of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'javascript:1',
      'ftp://example.com',
      'data:text/html,x',
    ]) {
      assert.match(refusalOf(text), new RegExp(`"${text.slice(0, text.indexOf(':'))}:"`));
    }
  });

  it('refuses a word without a scheme, and repeats nothing of it: it may be a key', () => {
    for (const text of ['example', 'Example/api', 'studio/', '4c1f9d60-hunter2', 'localhos', '"example"']) {
      const sentence = refusalOf(text);
      assert.equal(sentence, "This isn't a complete URL. Enter one like https://example.com/api.");
    }
  });

  it('takes a host of one word with a scheme or a port, and completes a name with a dot, or this machine', () => {
    assert.equal(urlOf('https://studio/api'), 'https://studio/api');
    assert.equal(urlOf('studio:8443'), 'https://studio:8443');
    assert.equal(urlOf('api.example.com'), 'https://api.example.com');
    assert.equal(urlOf('192.168.0.7/api'), 'https://192.168.0.7/api');
    assert.equal(urlOf('localhost'), 'http://localhost');
    assert.equal(urlOf('studio.localhost/api'), 'http://studio.localhost/api');
  });

  it('drops the quotation marks that were copied along', () => {
    for (const text of ['"https://example.com/api"', "'https://example.com/api/'", ' “example.com/api” ']) {
      assert.equal(urlOf(text), 'https://example.com/api', text);
    }
  });

  it('refuses what is not an address', () => {
    for (const text of [
      '',
      '   ',
      'not a url',
      'https://',
      'http://exa\tmple.com',
      'https://[::1',
      `https://${'a'.repeat(3000)}.com`,
    ]) {
      assert.ok(refusalOf(text).length > 10);
    }
  });
});

describe('API keys', () => {
  it('are trimmed', () => {
    assert.deepEqual(parseApiKey(' \t4c1f-9d\n'), { ok: true, apiKey: '4c1f-9d' });
  });

  it('are taken out of what was copied along with them', () => {
    for (const text of [
      '"4c1f-9d"',
      'Authorization: Bearer 4c1f-9d',
      'bearer 4c1f-9d',
      'LIVEPEER_API_KEY=4c1f-9d',
      'export API_KEY="4c1f-9d"',
    ]) {
      assert.deepEqual(parsePastedKey(text), { ok: true, apiKey: '4c1f-9d' }, text);
    }
    assert.deepEqual(parsePastedKey('a1KEY='), { ok: true, apiKey: 'a1KEY=' }, 'which may be a key itself');
  });

  it('are told from a URL that was pasted in their place', () => {
    for (const text of ['https://livepeer.studio/api', ' "http://localhost:3000" ', 'HTTPS://x']) {
      assert.deepEqual(parsePastedKey(text), { ok: false, sentence: 'This is a URL. Paste an API key.' });
    }
  });

  it('are refused when empty, of several lines, with inner spaces, or with what no header takes', () => {
    for (const text of [
      '',
      '  ',
      'first\nsecond',
      'Bearer abc',
      'abc\u0000def',
      'abc\u007fd',
      'clé-secrète',
      'k'.repeat(5000),
    ]) {
      const parsed = parseApiKey(text);
      assert.ok(!parsed.ok, JSON.stringify(text));
      for (const word of ['first', 'second', 'Bearer', 'abc', 'clé', 'kkk']) assert.ok(!parsed.sentence.includes(word));
    }
  });
});
