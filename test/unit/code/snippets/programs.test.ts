import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBlocks } from '../../../../src/code/snippets/place.ts';
import { ODD_TEXTS } from '../../../support/code/oddTexts.ts';
import { insertedPrograms } from '../../../support/code/programs.ts';
import { fileParser } from '../../../support/code/syntaxTree.ts';
import { sampleOf } from '../../../support/runner/fuzzRuns.ts';

const GRAMMARS = {
  html: 'html',
  javascript: 'javascript',
  javascriptreact: 'javascript',
  typescript: 'typescript',
  typescriptreact: 'tsx',
  vue: 'html',
  svelte: 'html',
  python: 'python',
  go: 'go',
  swift: 'swift',
  kotlin: 'kotlin',
  dart: 'dart',
  shellscript: 'bash',
} as const;

/** Also without quotes, which a shell needs for some of them. */
const withoutUrls = (text: string) => text.replace(/(["']?)https:\/\/h\.example\/a\/[\w%!&()+,\-./:;=?@~]*\1/g, 'URL');

describe('Code for a row', () => {
  for (const [languageId, grammar] of sampleOf(Object.entries(GRAMMARS), 5)) {
    it(`is code of its language, at the top and within other code: ${languageId}`, async () => {
      const parse = await fileParser(grammar);
      const script = await fileParser('typescript');
      const programs = insertedPrograms(languageId);
      assert.ok(programs.length >= 2);
      for (const { form, text } of programs) {
        assert.deepEqual(parse(text), [], `${form}:\n${text}`);
        for (const { start, end } of grammar === 'html' ? findBlocks(text) : []) {
          assert.deepEqual(script(text.slice(start, end)), [], `${form}:\n${text}`);
        }
      }
    });
  }

  it('is the same code whatever the name of the stream is, and whatever its URLs hold', () => {
    for (const languageId of Object.keys(GRAMMARS)) {
      const plain = insertedPrograms(languageId).map(({ text }) => text);
      for (const odd of [...ODD_TEXTS, ODD_TEXTS.join('')]) {
        const named = insertedPrograms(languageId, { name: odd }).map(({ text }) => text);
        assert.deepEqual(named, plain, JSON.stringify(odd));
        const hlsUrl = `https://h.example/a/${odd.replaceAll('#', '')}`;
        const addressed = insertedPrograms(languageId, { hlsUrl }).map(({ text }) => withoutUrls(text));
        assert.deepEqual(addressed, plain.map(withoutUrls), JSON.stringify(odd));
      }
    }
  });

  it('sends the requests that it says, with the key from the environment', async () => {
    const seen: { readonly request: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const server = createServer(async (request, response) => {
      const body = (await Array.fromAsync(request.setEncoding('utf8'))).join('');
      seen.push({ request: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(request.url === '/api/stream/s1' ? 403 : 200).end('{"id":"s2"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const before = process.env.LIVEPEER_API_KEY;
    process.env.LIVEPEER_API_KEY = 'a-key';
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
      for (const { form, marked, text } of insertedPrograms('javascript', { baseUrl })) {
        if (marked !== '|') continue;
        if (form !== 'getStream' && form !== 'listSessions' && form !== 'createStream') continue;
        const module: unknown = new Function(`${text}\nreturn ${form};`)();
        assert.ok(typeof module === 'function');
        const answer: Promise<unknown> = module('A "name"');
        if (form === 'getStream') await assert.rejects(answer, /The API answered 403/);
        else assert.deepEqual(await answer, { id: 's2' });
      }
    } finally {
      server.close();
      if (before === undefined) delete process.env.LIVEPEER_API_KEY;
      else process.env.LIVEPEER_API_KEY = before;
    }
    const requests = new Set(seen.map(({ request }) => request));
    assert.deepEqual([...requests], ['GET /api/stream/s1', 'GET /api/stream/s1/sessions', 'POST /api/stream']);
    for (const { headers } of seen) assert.equal(headers.authorization, 'Bearer a-key');
    assert.deepEqual(JSON.parse(seen.at(-1)?.body ?? ''), { name: 'A "name"' });
  });
});
