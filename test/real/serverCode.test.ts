import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { insertHandler, insertSigner, LIVE, REQUESTS, SECRET } from '../support/code/serverCode.ts';
import { assertPlays, makeKeyVariables } from '../support/code/signedTokens.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { itWith } from '../support/runner/itWith.ts';

/** Sends the requests of a file to an ASGI application, and writes the statuses. */
const FASTAPI_CLIENT = `
import asyncio, json, sys
from handler import app

async def send(given):
    headers = [(k.lower().encode(), v.encode()) for k, v in given["headers"].items()]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
             "path": "/api/webhook", "raw_path": b"/api/webhook", "query_string": b"", "root_path": "",
             "headers": headers, "server": ("handler.example", 80), "client": ("127.0.0.1", 1)}
    answers = []
    async def receive():
        return {"type": "http.request", "body": given["body"].encode(), "more_body": False}
    async def reply(message):
        answers.append(message)
    await app(scope, receive, reply)
    return answers[0]["status"]

async def main():
    return [await send(each) for each in json.load(open("requests.json", encoding="utf-8"))]

print(json.dumps(asyncio.run(main())))
`;
const FLASK_CLIENT = `
import json
from handler import app

client = app.test_client()
send = lambda given: client.post("/api/webhook", data=given["body"].encode(), headers=given["headers"]).status_code
print(json.dumps([send(each) for each in json.load(open("requests.json", encoding="utf-8"))]))
`;

describe('Webhook handlers of other languages that run', () => {
  let folder = '';
  const env = { ...process.env, LIVEPEER_WEBHOOK_SECRET: SECRET, GO111MODULE: 'off', PYTHONIOENCODING: 'utf-8' };
  const statuses = REQUESTS.map(({ status }) => status);

  before(() => {
    folder = makeTemporaryFolder('handlers');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  itWith('python3 with flask')('accept what is signed, and nothing else: Flask', () =>
    checkPython('flask', FLASK_CLIENT),
  );

  itWith('python3 with fastapi')('accept what is signed, and nothing else: FastAPI', () =>
    checkPython('fastapi', FASTAPI_CLIENT),
  );

  for (const [title, marked] of [
    ['a file of its own', '|'],
    ['a function', 'package main\n\nimport "net/http"\n\nfunc main() {\n\tmux := http.NewServeMux()\n\t|\n}\n'],
  ] as const) {
    itWith('go')(`accept what is signed, and nothing else: net/http in ${title}`, async () => {
      const port = await findFreePort();
      const listening = insertHandler('go', marked, 'netHttp', '\t')
        .replace('":3000"', `"127.0.0.1:${port}"`)
        .replace(/\n}\n$/, `\n\tlog.Fatal(http.ListenAndServe("127.0.0.1:${port}", mux))\n}\n`);
      const program = join(folder, `handler${port}`);
      mkdirSync(program);
      writeFileSync(join(program, 'main.go'), `${listening.trimEnd()}\n`);
      const run = promisify(execFile);
      await run('go', ['vet', `./handler${port}`], { cwd: folder, env });
      if (marked === '|') assert.equal((await run('gofmt', ['-l', program])).stdout, '');
      await run('go', ['build', '-o', join(program, 'run'), `./handler${port}`], { cwd: folder, env });
      const server = spawn(join(program, 'run'), { env });
      let written = '';
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        written += text;
      });
      try {
        const url = `http://127.0.0.1:${port}/api/webhook`;
        await waitUntil(async () => (await fetch(url).catch(() => undefined)) !== undefined);
        const answered: number[] = [];
        for (const { body, headers } of REQUESTS)
          answered.push((await fetch(url, { method: 'POST', body, headers })).status);
        assert.deepEqual(answered, statuses);
        assert.ok(written.includes(LIVE), written);
      } finally {
        server.kill();
      }
    });
  }

  async function checkPython(framework: 'flask' | 'fastapi', client: string): Promise<void> {
    const cwd = join(folder, framework);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'handler.py'), insertHandler('python', '|', framework, '    '));
    writeFileSync(join(cwd, 'client.py'), client);
    writeFileSync(join(cwd, 'requests.json'), JSON.stringify(REQUESTS));
    const { stdout } = await promisify(execFile)('python3', ['client.py'], { cwd, env });
    const [live, other, ...answered] = stdout.trim().split(/\r?\n/);
    assert.deepEqual([live, other], [LIVE, 'Unhandled event: asset.ready']);
    assert.deepEqual(JSON.parse(answered.join('')), statuses);
  }
});

describe('Token signers of other languages', () => {
  let folder = '';
  const variables = makeKeyVariables();
  const env = { ...process.env, ...variables, GO111MODULE: 'off' };

  before(() => {
    folder = makeTemporaryFolder('signers');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  itWith('python3 with jwt')('sign tokens that play for an hour: PyJWT', async () => {
    writeFileSync(join(folder, 'signer.py'), insertSigner('python', '|', 'pyjwt', '    '));
    const program = 'from signer import sign_playback_token\nprint(sign_playback_token("f5eese9wwl88k4g8"))';
    const { stdout } = await promisify(execFile)('python3', ['-c', program], { cwd: folder, env });
    assertPlays(stdout.trim(), 'f5eese9wwl88k4g8', variables);
  });

  itWith('go with golang-jwt')('sign tokens that play for an hour: golang-jwt', async () => {
    const program = `package main\n\nfunc main() {\n\ttoken, err := signPlaybackToken("f5eese9wwl88k4g8")\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tprint(token)\n}\n\n|\n`;
    const text = insertSigner('go', program, 'golangJwt', '\t');
    const main = join(folder, 'main.go');
    // Debian has an older version, with the same functions.
    writeFileSync(main, text.replace('golang-jwt/jwt/v5', 'golang-jwt/jwt'));
    const run = promisify(execFile);
    assert.equal((await run('gofmt', ['-l', main])).stdout, '');
    const GOPATH = `${join(folder, 'go')}:/usr/share/gocode`;
    const { stderr } = await run('go', ['run', main], { cwd: folder, env: { ...env, GOPATH } });
    assertPlays(stderr.trim(), 'f5eese9wwl88k4g8', variables);
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
