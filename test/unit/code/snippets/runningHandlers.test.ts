import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileStrictly, insertHandler, LIVE, REQUESTS, SECRET } from '../../../support/code/serverCode.ts';
import { makeTemporaryFolder } from '../../../support/process/temporaryFolder.ts';

type Send = (request: Request) => Promise<Response>;

describe('Webhook handlers that run', () => {
  let folder = '';
  const VARIABLE = 'LIVEPEER_WEBHOOK_SECRET';
  const secretBefore = process.env[VARIABLE];

  before(() => {
    folder = makeTemporaryFolder('handlers');
  });
  beforeEach(() => {
    process.env[VARIABLE] = SECRET;
  });
  after(() => {
    if (secretBefore === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = secretBefore;
    rmSync(folder, { recursive: true, force: true });
  });

  for (const language of ['javascript', 'typescript'] as const) {
    it(`accept what is signed, and nothing else: Express in ${language}`, async () => {
      const file = `import express from 'express';\n\nexport const app = express();\n|\napp.use(express.json());\n`;
      const { app } = await load(language, insertHandler(language, file, 'express'));
      assert.ok(typeof app === 'function');
      const server = createServer((request, response) => app(request, response));
      await withServer(server, check);
    });

    it(`accept what is signed, and nothing else: Fastify in ${language}`, async () => {
      const file = `import Fastify from 'fastify';\n\nexport const app = Fastify();\n|\n`;
      const { app } = await load(language, insertHandler(language, file, 'fastify'));
      assert.ok(isFastify(app));
      await app.ready();
      await withServer(app.server, check);
      await app.close();
    });

    it(`accept what is signed, and nothing else: Hono in ${language}`, async () => {
      const { default: app } = await load(language, insertHandler(language, '|', 'hono'));
      assert.ok(isFetcher(app));
      await check(async (request) => app.fetch(request));
    });

    it(`accept what is signed, and nothing else: Next.js in ${language}`, async () => {
      const { POST } = await load(language, insertHandler(language, '|', 'next'));
      assert.ok(typeof POST === 'function');
      await check(async (request) => POST(request));
    });
  }

  it('accept what is signed, and nothing else: Express with require', async () => {
    const file = `const express = require('express');\nconst { createHmac } = require('crypto');\n\nconst app = express();\n|\nmodule.exports = { app, createHmac };\n`;
    const text = insertHandler('javascript', file, 'express');
    writeFileSync(join(folder, 'required.cjs'), text);
    const { app } = await import(pathToFileURL(join(folder, 'required.cjs')).href);
    await withServer(
      createServer((request, response) => app(request, response)),
      check,
    );
  });

  it('leave the bodies of other routes of Fastify parsed', async () => {
    const file = `import Fastify from 'fastify';\n\nexport const app = Fastify();\napp.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => done(null, { own: body }));\napp.post('/other', async (request) => request.body);\n|\n`;
    const { app } = await load('javascript', insertHandler('javascript', file, 'fastify'));
    assert.ok(isFastify(app));
    await app.ready();
    await withServer(app.server, async (send) => {
      await check(send);
      const [first] = REQUESTS;
      const response = await send(new Request('http://handler.example/other', { ...first, method: 'POST' }));
      assert.deepEqual(await response.json(), { own: first?.body });
    });
    await app.close();
  });

  it('fail for each request while the secret is not set, whatever it is signed with', async () => {
    const { POST } = await load('javascript', insertHandler('javascript', '|', 'next'));
    const { default: app } = await load('javascript', insertHandler('javascript', '|', 'hono'));
    assert.ok(typeof POST === 'function' && isFetcher(app));
    const [request = assert.fail()] = REQUESTS;
    for (const empty of [undefined, '']) {
      if (empty === undefined) delete process.env[VARIABLE];
      else process.env[VARIABLE] = empty;
      await assert.rejects(async () => POST(toRequest(request)), /LIVEPEER_WEBHOOK_SECRET is not set/);
      const errors = await captureOutput('error', async () => {
        assert.equal((await app.fetch(toRequest(request))).status, 500);
      });
      assert.match(errors.join(), /LIVEPEER_WEBHOOK_SECRET is not set/);
    }
  });

  it('are what strict TypeScript takes', async () => {
    const files = (['express', 'next', 'fastify', 'hono'] as const).map((framework) => {
      const file = join(folder, `strict-${framework}.ts`);
      writeFileSync(file, insertHandler('typescript', '|', framework));
      return file;
    });
    assert.equal(await compileStrictly(files), '');
  });

  async function load(language: 'javascript' | 'typescript', text: string): Promise<Record<string, unknown>> {
    const file = join(folder, `${crypto.randomUUID()}.${language === 'typescript' ? 'ts' : 'mjs'}`);
    writeFileSync(file, text);
    return await import(pathToFileURL(file).href);
  }
});

/** Sends all requests, and looks at what is answered and written. */
async function check(send: Send): Promise<void> {
  const written = await captureOutput('log', async () => {
    for (const request of REQUESTS) {
      assert.equal((await send(toRequest(request))).status, request.status, request.title);
    }
  });
  assert.deepEqual(written, [LIVE, 'Unhandled event: asset.ready']);
}

function toRequest({ body, headers }: (typeof REQUESTS)[number]): Request {
  return new Request('http://handler.example/api/webhook', { method: 'POST', body, headers });
}

async function captureOutput(kind: 'log' | 'error', run: () => Promise<void>): Promise<readonly string[]> {
  const written: string[] = [];
  const real = console[kind];
  console[kind] = (...values: readonly unknown[]) => void written.push(values.map(String).join(' '));
  try {
    await run();
  } finally {
    console[kind] = real;
  }
  return written;
}

async function withServer(server: Server, run: (send: Send) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run(async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      return fetch(`http://127.0.0.1:${port}${pathname}`, { method: 'POST', body, headers: request.headers });
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface FastifyApp {
  readonly server: Server;
  ready(): Promise<unknown>;
  close(): Promise<unknown>;
}

function isFastify(value: unknown): value is FastifyApp {
  return typeof value === 'object' && value !== null && 'ready' in value && 'close' in value && 'server' in value;
}

function isFetcher(value: unknown): value is { fetch(request: Request): Promise<Response> | Response } {
  return typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function';
}
