import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { errorText } from '../../../src/api/errorText.ts';
import { withoutIcons, withoutLinks } from '../../../src/host/boxes/plainText.ts';
import { replaceOrigin } from '../../../src/host/boxes/replaceOrigin.ts';

describe('Names in the texts of the editor', () => {
  it('make no link in a notification', () => {
    assert.doesNotMatch(withoutLinks('[Fix](command:evil) and [a](https://b)'), /\]\(/);
    assert.equal(withoutLinks('Stage [1] (main)'), 'Stage [1] (main)');
  });

  it('keep what VS Code takes for no icon, and a backslash of their own', () => {
    for (const name of ['Price $(USD 5)', '$(', '$()', '$(a_b)', '$(a~)', 'a\\b'])
      assert.equal(withoutIcons(name), name);
    // VS Code takes one backslash away (renderLabelWithIcons).
    assert.equal(withoutIcons('\\$(flame)'), '\\\\$(flame)');
  });

  it('make no icon in the status bar or a picker', () => {
    assert.equal(withoutIcons('$(flame) sale, $5'), '\\$(flame) sale, $5');
    assert.equal(withoutIcons('$(sync~spin)$(a-1)'), '\\$(sync~spin)\\$(a-1)');
  });
});

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
