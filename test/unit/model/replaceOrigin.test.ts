import assert from 'node:assert/strict';
import { replaceOrigin } from '../../../src/model/addresses.ts';

describe('An address behind another origin', () => {
  it('keeps its path and query to the letter', () => {
    const signed = 'http://127.0.0.1:8080/a%2Fb/index.m3u8?sig=x%2F%2B%3D&t=1+2#%2F';
    assert.equal(
      replaceOrigin(signed, 'https://host.example/proxy/8080/'),
      'https://host.example/proxy/8080/a%2Fb/index.m3u8?sig=x%2F%2B%3D&t=1+2#%2F',
    );
  });

  it('is the same where the origin is', () => {
    const address = 'http://[::1]:9/x?y=%2F';
    assert.equal(replaceOrigin(address, 'http://[::1]:9/'), address);
  });

  it('may have no path', () => {
    assert.equal(replaceOrigin('http://localhost:1', 'https://a.example/'), 'https://a.example/');
    assert.equal(replaceOrigin('http://localhost:1?q=%2F', 'https://a.example/'), 'https://a.example/?q=%2F');
  });
});
