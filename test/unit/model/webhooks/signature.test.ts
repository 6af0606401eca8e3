import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { checkSignature, signBody } from '../../../../src/model/webhooks/signature.ts';

describe('The signature of a delivery', () => {
  const body = '{"event":"stream.started","name":"Küche 🎥"}';

  it('is the HMAC-SHA256 of the body alone, in hexadecimal, after the time', () => {
    const digest = createHmac('sha256', 'secret').update(body).digest('hex');
    assert.equal(signBody('secret', body, 1_700_000_000_123.7), `t=1700000000123,v1=${digest}`);
  });

  it('is valid for its body and secret, whenever it was made, and however its fields are spaced', () => {
    const header = signBody('secret', body, 5);
    assert.equal(checkSignature(header, body, 'secret'), 'valid');
    assert.equal(checkSignature(header.replace('t=5', 't=6').replace(',', ' , '), body, 'secret'), 'valid');
    assert.equal(checkSignature(header.replace(',', `,v1=${'0'.repeat(64)},`), body, 'secret'), 'valid');
  });

  it('is invalid for one changed byte or another secret', () => {
    const header = signBody('secret', body, 5);
    assert.equal(checkSignature(header, `${body} `, 'secret'), 'invalid');
    assert.equal(checkSignature(header, body, 'Secret'), 'invalid');
    const last = header.at(-1) === '0' ? '1' : '0';
    assert.equal(checkSignature(header.slice(0, -1) + last, body, 'secret'), 'invalid');
  });

  it('is malformed without a time, without a digest, or with a digest of another length', () => {
    const digest = 'a'.repeat(64);
    for (const header of [
      '',
      't=1',
      `v1=${digest}`,
      `t=x,v1=${digest}`,
      't=1,v1=abc',
      `t=1,v1=${digest}0`,
      `1,${digest}`,
    ]) {
      assert.equal(checkSignature(header, body, 'secret'), 'malformed', header);
    }
  });
});
