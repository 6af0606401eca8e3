import assert from 'node:assert/strict';
import { describeError } from '../../../src/api/describeError.ts';
import { ApiError, type ApiErrorCause, type ApiErrorReason } from '../../../src/api/errors.ts';

const service = 'host.test';
const say = (reason: ApiErrorReason, init: ConstructorParameters<typeof ApiError>[2] = {}) =>
  describeError(new ApiError(reason, 'GET /stream: internal words', init), { service });

const REASONS: ApiErrorReason[] = [
  'unauthorized',
  'forbidden',
  'notFound',
  'rejected',
  'rateLimited',
  'unavailable',
  'network',
  'timeout',
  'invalidResponse',
];
const CAUSES: [ApiErrorReason, ApiErrorCause][] = [
  ['network', 'nameNotFound'],
  ['network', 'refused'],
  ['network', 'reset'],
  ['network', 'certificate'],
  ['network', 'plainHttp'],
  ['network', 'tlsVersion'],
  ['network', 'tlsHandshake'],
  ['network', 'http2Only'],
  ['network', 'clientCertificate'],
  ['network', 'proxyAuthentication'],
  ['network', 'proxyUnsupported'],
  ['network', 'proxy'],
  ['invalidResponse', 'redirect'],
  ['invalidResponse', 'html'],
  ['invalidResponse', 'notJson'],
  ['invalidResponse', 'wrongShape'],
  ['invalidResponse', 'tooLarge'],
  ['invalidResponse', 'empty'],
  ['rejected', 'notOffered'],
  ['rejected', 'changeNotFound'],
];

describe('an error in words', () => {
  it('is one of the sentences people know from the tree', () => {
    assert.equal(say('unavailable', { status: 503 }), 'host.test is unavailable (503).');
    assert.equal(say('rateLimited', { status: 429 }), 'Too many requests.');
    assert.equal(
      say('invalidResponse', { why: 'html' }),
      'host.test returned a web page. Check the URL, or check for a sign-in page.',
    );
    assert.equal(say('unauthorized'), 'The API key was rejected.');
    assert.equal(say('forbidden'), "This API key doesn't have permission to do that.");
    assert.equal(say('rejected', { why: 'notOffered' }), "host.test doesn't support this.");
  });

  it('calls a service without a known name "the service", also at its beginning', () => {
    const unnamed = (reason: ApiErrorReason) => describeError(new ApiError(reason, 'words'), { service: undefined });
    assert.equal(unnamed('network'), "Couldn't reach the service. Check your network and proxy settings.");
    assert.equal(unnamed('unavailable'), 'The service is unavailable.');
    assert.equal(say('unavailable'), 'host.test is unavailable.', 'a host keeps its case');
  });

  it('differs for every reason and every cause', () => {
    const all = [...REASONS.map((reason) => say(reason)), ...CAUSES.map(([reason, why]) => say(reason, { why }))];
    assert.equal(new Set(all).size, all.length);
    for (const sentence of all) assert.match(sentence, /^[A-Zh].*\.$/);
  });

  it("has the service's own words where it said why", () => {
    assert.equal(say('rejected', { detail: 'name is taken' }), 'host.test rejected the request: "name is taken."');
    assert.equal(
      say('forbidden', { detail: '{0} suspended!' }),
      'host.test rejected the request: "{0} suspended!"',
      'its own reason, and no guess about the key',
    );
    assert.equal(
      say('unavailable', { status: 500, detail: 'Quota exceeded' }),
      'host.test responded with an error (500): "Quota exceeded."',
    );
  });

  it('says how long to wait, if the service does', () => {
    const error = new ApiError('rateLimited', 'for the log', { retryAt: 31_000 });
    assert.equal(describeError(error, { service, now: 1000 }), 'Too many requests. Try again in 30 s.');
    assert.equal(describeError(error, { service }), 'Too many requests.');
    const busy = new ApiError('unavailable', 'for the log', { status: 503, retryAt: 31_000 });
    assert.equal(describeError(busy, { service, now: 1000 }), 'host.test is unavailable (503). Try again in 30 s.');
  });

  it('quotes no message of code, which may hold anything', () => {
    assert.doesNotMatch(say('network'), /internal/);
    assert.doesNotMatch(describeError(new Error('secret'), { service }), /secret/);
    assert.doesNotMatch(describeError('secret', { service }), /secret/);
  });
});
