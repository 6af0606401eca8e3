import assert from 'node:assert/strict';
import { checkLocalUrl, handlerOf, resolveLocal } from '../../../../src/model/webhooks/localUrl.ts';

describe('The URL of a local handler', () => {
  const urlOf = (text: string) => {
    const checked = checkLocalUrl(text);
    return 'url' in checked ? checked.url : checked.fault;
  };

  it('may be typed whole, without its scheme, or as a port', () => {
    assert.equal(urlOf(' http://localhost:3000/api/webhook '), 'http://localhost:3000/api/webhook');
    assert.equal(urlOf('localhost:3000/api/webhook?a=b#c'), 'http://localhost:3000/api/webhook?a=b');
    assert.equal(urlOf('3000'), 'http://localhost:3000/');
    assert.equal(urlOf(':3000/api'), 'http://localhost:3000/api');
    assert.equal(urlOf('https://LOCALHOST/'), 'https://localhost/');
    assert.equal(urlOf('[::1]:8080/x'), 'http://[::1]:8080/x');
    assert.equal(urlOf('http://127.1:65535/'), 'http://127.0.0.1:65535/');
    assert.equal(urlOf('http://app.localhost:1/'), 'http://app.localhost:1/');
  });

  it('is refused with the reason', () => {
    assert.equal(urlOf('  '), 'empty');
    assert.equal(urlOf(`http://localhost/${'a'.repeat(2000)}`), 'tooLong');
    assert.equal(urlOf('http://localhost/a b'), 'notUrl');
    assert.equal(urlOf('http://local\thost/'), 'notUrl');
    assert.equal(urlOf('http://'), 'notUrl');
    assert.equal(urlOf('ftp://localhost/'), 'scheme');
    assert.equal(urlOf('javascript:alert(1)'), 'scheme');
    assert.equal(urlOf('http://me:secret@localhost/'), 'credentials');
    assert.equal(urlOf('http://localhost:65536/'), 'port');
    assert.equal(urlOf('localhost:99999'), 'port');
    assert.equal(urlOf('http://[::1]:70000/'), 'port');
    assert.equal(urlOf('http://localhost:0/'), 'port');
    assert.equal(urlOf('70000'), 'port');
  });

  it('is that of loopback alone', () => {
    const others = [
      'http://example.com/',
      'http://192.168.0.1:3000',
      'http://0.0.0.0:3000',
      'http://localhost.example.com',
    ];
    for (const url of [
      ...others,
      'http://127.0.0.1.example.com',
      'http://[fe80::1]/',
      'http://[::]/',
      'http://10.0.0.1',
    ]) {
      assert.equal(urlOf(url), 'notLoopback', url);
    }
  });

  it('resolves to loopback alone', async () => {
    const resolve = async (...addresses: string[]) =>
      resolveLocal('http://localhost:1/', async () => addresses.map((address) => ({ address, family: 4 })));
    assert.deepEqual(await resolve('127.0.0.1', '::1'), {
      addresses: [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    });
    assert.deepEqual(await resolve('127.0.0.1', '10.0.0.1'), { fault: 'resolvesElsewhere' });
    assert.deepEqual(await resolve('localhost'), { fault: 'resolvesElsewhere' });
    const fail = () => Promise.reject(new Error('ENOTFOUND'));
    assert.deepEqual(await resolveLocal('http://localhost/', fail), { fault: 'notResolved' });
    assert.equal('addresses' in (await resolveLocal('http://app.localhost/', fail)), true);
    assert.deepEqual(await resolveLocal('http://[::1]:3/', fail), { addresses: [{ address: '::1', family: 6 }] });
    assert.equal('addresses' in (await resolveLocal('http://localhost/')), true, 'of this computer');
  });

  it('names one handler whichever name of loopback is used', () => {
    const same = ['http://localhost:80/a', 'http://127.0.0.1/a', 'http://[::1]/a', 'http://LOCALHOST./a'];
    assert.deepEqual([...new Set(same.map(handlerOf))], ['localhost:80/a']);
    assert.notEqual(handlerOf('http://localhost/a'), handlerOf('http://localhost/b'));
    assert.equal(handlerOf('https://localhost/'), handlerOf('http://localhost:443/'));
  });
});
