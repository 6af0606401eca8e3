import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ApiError, errorText, isApiError } from '../../../src/api/errors.ts';
import { apiOver, type Canned, KEY, NOW } from './support.ts';

async function errorFor(canned: Canned): Promise<ApiError> {
  const { api } = apiOver(() => canned);
  const error = await api.getStream('a').catch((thrown: unknown) => thrown);
  assert.ok(isApiError(error));
  return error;
}

describe('what an answer means', () => {
  const reasons: [status: number, reason: string][] = [
    [400, 'rejected'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [405, 'rejected'],
    [407, 'network'],
    [409, 'rejected'],
    [410, 'notFound'],
    [418, 'rejected'],
    [422, 'rejected'],
    [429, 'rateLimited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [599, 'unavailable'],
  ];
  for (const [status, reason] of reasons) {
    it(`${status} is ${reason}`, async () => {
      const error = await errorFor({ status, body: '<html>gateway</html>' });
      assert.equal(error.reason, reason);
      assert.equal(error.status, status);
      assert.equal(error.host, 'service.test');
    });
  }

  const invalid: [what: string, canned: Canned, why: string][] = [
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.test/' } }, 'redirect'],
    ['a permanent redirect', { status: 308 }, 'redirect'],
    ['204', { status: 204 }, 'empty'],
    ['an empty body', { body: ' \n ' }, 'empty'],
    ['HTML', { body: '<!doctype html><p>Sign in', headers: { 'content-type': 'text/html' } }, 'html'],
    ['HTML that is called JSON', { body: '<html>', headers: { 'content-type': 'application/json' } }, 'html'],
    ['text', { body: 'OK' }, 'notJson'],
    ['truncated JSON', { body: '{"id":"a","name":"Key' }, 'notJson'],
    ['an array where an object is due', { body: [{ id: 'a' }] }, 'wrongShape'],
    ['an object without an id', { body: { name: 'x' } }, 'wrongShape'],
    ['null', { body: 'null' }, 'wrongShape'],
  ];
  for (const [what, canned, why] of invalid) {
    it(`${what} is an invalid response: ${why}`, async () => {
      const error = await errorFor(canned);
      assert.equal(error.reason, 'invalidResponse');
      assert.equal(error.why, why);
    });
  }

  it('an object where an array is due is an invalid response', async () => {
    const { api } = apiOver(() => ({ body: { id: 'a' } }));
    await assert.rejects(api.listStreams({ parentsOnly: true }), { reason: 'invalidResponse', why: 'wrongShape' });
  });

  it('JSON is read with a byte order mark before it, and when it is called text', async () => {
    const { api } = apiOver(() => ({ body: '\ufeff{"id":"a"}', headers: { 'content-type': 'text/html' } }));
    assert.equal((await api.getStream('a')).value.id, 'a');
  });

  it('an error of the transport comes through as it is', async () => {
    const broken = new DOMException('ended', 'AbortError');
    const { api } = apiOver(() => broken);
    await assert.rejects(api.getStream('a'), (error) => error === broken);
  });
});

describe("the service's own words", () => {
  const words = async (body: unknown, status = 422) => (await errorFor({ status, body })).detail;

  it('are read from errors, and from JSON inside them', async () => {
    assert.equal(await words({ errors: ['name is missing'] }), 'name is missing');
    assert.equal(
      await words({ errors: ['{"instancePath":"/name","message":"must be string"}'] }),
      '/name must be string',
    );
    assert.equal(
      await words({ errors: ['"quoted"', { message: '{"message":"no row"}' }] }),
      '"quoted"; {"message":"no row"}',
    );
    assert.equal(await words({ errors: ['one', { message: 'two' }, 7, null] }), 'one; two');
  });

  it('are read from error, text or object', async () => {
    assert.equal(await words({ error: 'account suspended' }, 403), 'account suspended');
    assert.equal(await words({ errors: [`Quota of ${KEY} exceeded`] }, 500), 'Quota of … exceeded');
    assert.equal(await words({ error: { message: 'no' } }), 'no');
  });

  it('are missing where there are none', async () => {
    for (const body of ['', '<html>', '[]', 'null', '{}', '{"errors":[]}', '{"errors":[""]}']) {
      assert.equal(await words(body), undefined, body);
    }
  });

  it('hold no key, no control characters, and no more than 300 of them', async () => {
    assert.equal(await words({ errors: [`key ${KEY} is bad`] }), 'key … is bad');
    assert.equal(await words({ errors: ['a\u0000b\u001b[31m\nc\u202ed'] }), 'a b [31m c d');
    assert.equal((await words({ errors: ['x'.repeat(5000)] }))?.length, 300);
    assert.equal((await words({ errors: [`${'x'.repeat(290)}${KEY}`] }))?.includes(KEY.slice(0, 5)), false);
  });

  it('are never taken from a 401, whose body echoes the key', async () => {
    const error = await errorFor({ status: 401, body: { errors: [`no token ${KEY} found`] } });
    assert.equal(error.detail, undefined);
    assert.doesNotMatch(inspect(error, { showHidden: true, depth: 9 }), new RegExp(KEY));
  });
});

describe('what an error and the log hold', () => {
  it('is method, path and status, and neither key nor query', async () => {
    const { api, log } = apiOver(() => ({ status: 500 }));
    const error = await api
      .listStreams({ parentsOnly: true, filters: [{ id: 'isActive', value: true }] })
      .catch((thrown: unknown) => thrown);
    assert.ok(isApiError(error));
    assert.equal(error.message, 'GET /stream: 500');
    const all = `${inspect(error, { depth: 9 })} ${log.lines.join(' ')}`;
    assert.doesNotMatch(all, new RegExp(`${KEY}|filters|isActive`));
  });
});

describe('the time of the next try', () => {
  const HOUR = 3_600_000;
  const cases: [what: string, headers: Record<string, string>, expected: number | undefined][] = [
    ['seconds', { 'retry-after': '30' }, NOW + 30_000],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:01:00 GMT' }, NOW + 60_000],
    [
      "a date, by the answer's own clock",
      { 'retry-after': 'Sun, 01 Mar 2026 10:01:00 GMT', date: 'Sun, 01 Mar 2026 10:00:00 GMT' },
      NOW + 60_000,
    ],
    ['a date that is past', { 'retry-after': 'Sun, 01 Mar 2020 12:00:00 GMT' }, NOW],
    ['negative seconds', { 'retry-after': '-5' }, NOW],
    ['absurd seconds', { 'retry-after': '99999999999999999999' }, NOW + HOUR],
    ['an absurd date', { 'retry-after': 'Sun, 01 Mar 2099 12:00:00 GMT' }, NOW + HOUR],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['seconds and more', { 'retry-after': '5 or so' }, undefined],
    ['nothing', {}, undefined],
  ];
  for (const [what, headers, expected] of cases) {
    it(`is known from ${what}`, async () => {
      assert.equal((await errorFor({ status: 429, headers })).retryAt, expected);
      assert.equal((await errorFor({ status: 503, headers })).retryAt, expected);
    });
  }
});

describe('An error in the log', () => {
  it('tells the causes of a failed call, and no stack', () => {
    const text = errorText(new ApiError('network', 'GET /stream failed', { cause: new Error('connect ECONNREFUSED') }));
    assert.equal(text, 'ApiError: GET /stream failed\n  because: Error: connect ECONNREFUSED');
  });

  it('shows where a mistake in the code was made', () => {
    assert.match(errorText(new TypeError('x is not a function')), /^TypeError: x is not a function\n\s+at /);
  });

  it('does not repeat what could not be parsed', () => {
    const error = (() => {
      try {
        return JSON.parse('the-key-of-somebody');
      } catch (thrown) {
        return thrown;
      }
    })();
    assert.doesNotMatch(errorText(error), /the-key/);
    assert.doesNotMatch(errorText(new Error('outer', { cause: error })), /the-key/);
    assert.doesNotMatch(errorText('the-key-of-somebody'), /the-key/);
  });

  it('ends where causes go round in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    assert.ok(errorText(error).length < 5000);
  });
});
