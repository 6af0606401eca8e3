import assert from 'node:assert/strict';
import { isLoopback } from '../../../src/api/loopback.ts';
import { isNoProxy, type NetworkSettings, routeOf, splitNoProxy } from '../../../src/api/transport/proxyRoute.ts';

describe('loopback', () => {
  it('is localhost, 127.0.0.0/8 and ::1, however they are written', () => {
    const hosts = [
      'localhost',
      'demo.localhost',
      '127.0.0.1',
      '127.255.1.2',
      '0x7f.1',
      '[::1]',
      '[0:0::1]',
      '[::ffff:127.0.0.1]',
    ];
    for (const host of hosts) assert.ok(isLoopback(new URL(`http://${host}/`).hostname), host);
    assert.ok(isLoopback('localhost.'));
  });

  it('is nothing else', () => {
    const hosts = [
      'localhost.example.com',
      'mylocalhost',
      '128.0.0.1',
      '10.0.0.1',
      '[::2]',
      '127.0.0.1.example.com',
      '0.0.0.0',
    ];
    for (const host of hosts) assert.ok(!isLoopback(new URL(`http://${host}/`).hostname), host);
  });
});

describe('NO_PROXY', () => {
  const cases: [entry: string, matching: string[], others: string[]][] = [
    ['*', ['http://anything.test/', 'https://10.0.0.1/'], []],
    [
      'example.com',
      ['http://example.com/', 'https://a.b.example.com/', 'http://EXAMPLE.com./'],
      ['http://myexample.com/', 'http://example.com.evil.test/'],
    ],
    ['.example.com', ['http://a.example.com/', 'http://example.com/'], ['http://notexample.com/']],
    ['*.Example.com', ['http://a.example.com/'], ['http://example.org/']],
    ['example.com:8080', ['http://example.com:8080/', 'http://a.example.com:8080/'], ['http://example.com/']],
    ['example.com:443', ['https://example.com/'], ['http://example.com/']],
    ['bücher.test', ['http://bücher.test/', 'http://xn--bcher-kva.test/'], ['http://bucher.test/']],
    ['10.1.2.3', ['http://10.1.2.3/'], ['http://10.1.2.30/', 'http://110.1.2.3/']],
    ['10.1.2.3:80', ['http://10.1.2.3/'], ['http://10.1.2.3:81/']],
    ['10.0.0.0/8', ['http://10.200.3.4/', 'http://[::ffff:10.1.1.1]/'], ['http://11.0.0.1/', 'http://10.example.com/']],
    ['192.168.1.0/25', ['http://192.168.1.127/'], ['http://192.168.1.128/']],
    ['::1', ['http://[::1]/'], ['http://[::2]/']],
    ['[fd00::1]:8080', ['http://[fd00::1]:8080/'], ['http://[fd00::1]/']],
    ['[fd00::]/8', ['http://[fd12::3]/'], ['http://[fe80::1]/']],
    ['[::1]', ['http://[::1]/', 'http://[::1]:8080/'], ['http://[::2]/']],
    ['fd00::/8', ['http://[fd12::3]/'], ['http://[fe80::1]/', 'http://10.0.0.1/']],
    ['10.0.0.0/99', [], ['http://10.0.0.1/']],
    ['nonsense/8', [], ['http://nonsense/']],
    ['', [], ['http://example.com/']],
    ['.', [], ['http://example.com/']],
  ];
  for (const [entry, matching, others] of cases) {
    it(`"${entry}" means ${matching.join(', ') || 'nothing'}`, () => {
      for (const url of matching) assert.ok(isNoProxy(new URL(url), ['other.test', entry]), url);
      for (const url of others) assert.ok(!isNoProxy(new URL(url), ['other.test', entry]), url);
    });
  }

  it('is split at commas and spaces', () => {
    assert.deepEqual(splitNoProxy(' a.test,b.test  ,10.0.0.0/8 '), ['a.test', 'b.test', '10.0.0.0/8']);
    assert.deepEqual(splitNoProxy(undefined), []);
  });
});

describe('the way of a request', () => {
  const way = (url: string, settings: Partial<NetworkSettings>) => routeOf(url, { timeoutMs: 1, ...settings });
  const DIRECT = { kind: 'direct' };
  const through = (uri: string, token?: string) => ({ kind: 'proxy', uri, token });

  it('is direct where nothing is set', () => {
    assert.deepEqual(way('https://a.test/', {}), DIRECT);
    assert.deepEqual(way('https://a.test/', { proxy: ' ', env: { HTTPS_PROXY: ' ' } }), DIRECT);
  });

  it('is through http.proxy, with its default port and its credentials in a header', () => {
    assert.deepEqual(way('https://a.test/', { proxy: 'http://p.test:3128/' }), through('http://p.test:3128'));
    assert.deepEqual(way('http://a.test/', { proxy: 'p.test:3128' }), through('http://p.test:3128'));
    assert.deepEqual(way('https://a.test/', { proxy: 'https://p.test' }), through('https://p.test'));
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    assert.deepEqual(
      way('https://a.test/', { proxy: 'http://me:p%40ss@p.test' }),
      through('http://p.test', basic('me:p@ss')),
    );
    assert.deepEqual(way('https://a.test/', { proxy: 'http://me@p.test' }), through('http://p.test', basic('me:')));
    assert.deepEqual(
      way('https://a.test/', { proxy: 'http://me:100%@p.test' }),
      through('http://p.test', basic('me:100%')),
    );
  });

  it('has http.proxyAuthorization before credentials in the address', () => {
    const settings = { proxy: 'http://me:pass@p.test', proxyAuthorization: 'Bearer t' };
    assert.deepEqual(way('https://a.test/', settings), through('http://p.test', 'Bearer t'));
  });

  it('is through the variables of the environment where http.proxy is not set', () => {
    const env = { HTTPS_PROXY: 'http://s.test:1', http_proxy: 'http://h.test:2' };
    assert.deepEqual(way('https://a.test/', { env }), through('http://s.test:1'));
    assert.deepEqual(way('http://a.test/', { env }), through('http://h.test:2'));
    assert.deepEqual(way('https://a.test/', { env, proxy: 'http://p.test:3' }), through('http://p.test:3'));
    assert.deepEqual(way('https://a.test/', { env: { ALL_PROXY: 'http://all.test' } }), through('http://all.test'));
    assert.deepEqual(way('http://a.test/', { env: { HTTPS_PROXY: 'http://s.test' } }), DIRECT);
  });

  it('is direct to what http.noProxy or NO_PROXY names, and with proxySupport off', () => {
    const proxy = 'http://p.test';
    assert.deepEqual(way('https://a.test/', { proxy, noProxy: ['a.test'] }), DIRECT);
    assert.deepEqual(way('https://a.test/', { proxy, env: { no_proxy: 'b.test, a.test' } }), DIRECT);
    assert.deepEqual(
      way('https://c.test/', { proxy, noProxy: ['a.test'], env: { NO_PROXY: 'b.test' } }),
      through(proxy),
    );
    assert.deepEqual(way('https://a.test/', { proxy, proxySupport: 'off' }), DIRECT);
    for (const proxySupport of ['on', 'override', 'fallback'] as const) {
      assert.deepEqual(way('https://a.test/', { proxy, proxySupport }), through(proxy));
    }
  });

  it('is direct to loopback, whatever is set', () => {
    const settings: Partial<NetworkSettings> = {
      proxy: 'socks5://p.test',
      proxySupport: 'override',
      env: { HTTP_PROXY: 'http://p.test' },
    };
    for (const host of ['127.0.0.1:80', '127.9.9.9', 'localhost:3000', '[::1]']) {
      assert.deepEqual(way(`http://${host}/`, settings), DIRECT, host);
    }
  });

  it('is none through what is no http proxy', () => {
    for (const proxy of [
      'socks5://p.test:1080',
      'socks://p.test',
      'pac+http://p.test/x.pac',
      'file:///x.pac',
      'http://',
      'a b',
    ]) {
      assert.deepEqual(way('https://a.test/', { proxy }), { kind: 'unsupported' }, proxy);
    }
  });
});
