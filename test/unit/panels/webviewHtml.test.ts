import assert from 'node:assert/strict';
import { pagePolicy, webviewHtml } from '../../../src/panels/webviewHtml.ts';

const HOSTILE = `</title><script>alert("1")</script>' & "`;
const ESCAPED = '&#60;/title&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39; &#38; &#34;';

const page = {
  language: 'de',
  title: 'Keynote',
  policy: "default-src 'none'; script-src 'nonce-abc'",
  nonce: 'abc',
  scriptUri: 'https://own.test/page.js',
  styleUri: 'https://own.test/page.css',
  data: { name: 'player' },
};

describe('The HTML of a page', () => {
  it('has its policy before anything that the policy is about', () => {
    assert.equal(
      webviewHtml(page),
      [
        '<!DOCTYPE html>',
        '<html lang="de">',
        '<head>',
        '<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;nonce-abc&#39;">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<title>Keynote</title>',
        '<link rel="stylesheet" href="https://own.test/page.css">',
        '</head>',
        '<body data-page="{&#34;name&#34;:&#34;player&#34;}">',
        '<script nonce="abc" src="https://own.test/page.js"></script>',
        '</body>',
        '</html>',
      ].join('\n'),
    );
  });

  for (const part of ['language', 'title', 'policy', 'nonce', 'scriptUri', 'styleUri'] as const) {
    it(`escapes its ${part}`, () => {
      const html = webviewHtml({ ...page, [part]: HOSTILE });
      assert.ok(html.includes(ESCAPED));
      assert.ok(!html.includes('alert("'));
    });
  }

  it('escapes its data', () => {
    const html = webviewHtml({ ...page, data: { id: `"><script>'&` } });
    assert.ok(html.includes('data-page="{&#34;id&#34;:&#34;\\&#34;&#62;&#60;script&#62;&#39;&#38;&#34;}"'));
  });
});

describe('The policy of a page', () => {
  const start = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'nonce-abc'";

  it('lets a player play from blobs and run WebAssembly, and names no server', () => {
    const policy = pagePolicy({ nonce: 'abc', ownFiles: 'https://own', hasPlayer: true });
    assert.equal(policy, `${start} 'wasm-unsafe-eval'; style-src https://own; media-src blob:; worker-src blob:`);
  });

  it('lets through its own script and style sheet alone where it plays nothing', () => {
    const policy = pagePolicy({ nonce: 'abc', ownFiles: 'https://own', hasPlayer: false });
    assert.equal(policy, `${start}; style-src https://own`);
  });
});
