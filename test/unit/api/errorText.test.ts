import assert from 'node:assert/strict';
import { ApiError, errorText } from '../../../src/api/errors.ts';

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
