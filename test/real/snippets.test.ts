import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { insertedPrograms } from '../support/code/programs.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { itWith, ORG_JSON } from '../support/runner/itWith.ts';

const FORMS = ['getStream', 'listSessions', 'createStream'] as const;
/** What each of them sends. */
const SENT = ['GET /api/stream/s1', 'GET /api/stream/s1/sessions', 'POST /api/stream {"name":"New stream"}'];

describe('Requests in programs that are run', () => {
  let folder = '';
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request.setEncoding('utf8'))).join('');
    const isAllowed = request.headers.authorization === 'Bearer a-key';
    const data = body === '' ? '' : ` ${JSON.stringify(JSON.parse(body))}`;
    sent.push(`${request.method} ${request.url}${data}`);
    response.writeHead(isAllowed ? 200 : 401).end(request.url?.endsWith('sessions') ? '[{"id":"s2"}]' : '{"id":"s2"}');
  });
  const run = async (program: string, ...args: readonly string[]) => {
    const env = { ...process.env, LIVEPEER_API_KEY: 'a-key', GO111MODULE: 'off' };
    return (await promisify(execFile)(program, [...args], { cwd: folder, env })).stdout;
  };
  const programs = (languageId: string) => {
    const { port } = server.address() as AddressInfo;
    const all = insertedPrograms(languageId, { baseUrl: `http://127.0.0.1:${port}/api` });
    return FORMS.map((form) => all.filter((each) => each.form === form));
  };

  before(async () => {
    folder = makeTemporaryFolder('snippets');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    sent.length = 0;
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  itWith('python3 with requests')('are sent by Python', async () => {
    for (const [program] of programs('python')) {
      const { text = '' } = program ?? {};
      const call = /^def (\w+)\((\w*)\)/m.exec(text) ?? assert.fail(text);
      const argument = call[2] === '' ? '' : "'New stream'";
      writeFileSync(join(folder, 'a.py'), `${text}\nprint(${call[1]}(${argument}))\n`);
      assert.match(await run('python3', 'a.py'), /^\[?\{'id': 's2'\}\]?\n$/);
    }
    assert.deepEqual(sent, SENT);
  });

  itWith('go')('are sent by Go, from a function of their own and within another one', async () => {
    for (const [form, [top, nested]] of programs('go').entries()) {
      const argument = FORMS[form] === 'createStream' ? '"New stream"' : '';
      const main = `func main() {\n\tfmt.Println(${FORMS[form]}(${argument}))\n}\n`;
      mkdirSync(join(folder, `top${form}`), { recursive: true });
      writeFileSync(join(folder, `top${form}`, 'main.go'), `${top?.text}\n\n${main}`);
      assert.match(await run('go', 'run', `top${form}/main.go`), /map\[id:s2\]\]? <nil>\n$/);
      mkdirSync(join(folder, `nested${form}`), { recursive: true });
      writeFileSync(join(folder, `nested${form}`, 'main.go'), `${nested?.text}\nfunc main() { a() }\n`);
      await run('go', 'vet', `./nested${form}`);
      await run('go', 'run', `nested${form}/main.go`);
    }
    assert.deepEqual(
      sent,
      SENT.flatMap((each) => [each, each]),
    );
  });

  itWith('kotlinc and java with org.json')('are sent by Kotlin, from a function and from a method', async () => {
    const files = programs('kotlin').flatMap(([top, nested], form) => {
      // Each has a class of its own, because all are compiled at once.
      const method = nested?.text.replace(/^package a$/m, '').replace('class A {', `class A${form} {`) ?? '';
      return [top?.text ?? '', method];
    });
    const calls = FORMS.flatMap((form, index) => {
      const call = `${form}(${form === 'createStream' ? '"New stream"' : ''})`;
      return [call, `A${index}().${call}`];
    });
    files.push(`fun main() {\n${calls.map((call) => `    println(${call})\n`).join('')}}\n`);
    const names = files.map((text, index) => {
      writeFileSync(join(folder, `F${index}.kt`), text);
      return `F${index}.kt`;
    });
    await run('kotlinc', ...names, '-cp', ORG_JSON, '-include-runtime', '-d', 'all.jar');
    const printed = await run('java', '-cp', `all.jar:${ORG_JSON}`, `F${files.length - 1}Kt`);
    assert.match(printed, /^(\[?\{"id":"s2"\}\]?\n){6}$/);
    assert.deepEqual(
      sent,
      SENT.flatMap((each) => [each, each]),
    );
  });

  itWith('curl')('are sent by a shell', async () => {
    for (const found of programs('shellscript')) {
      for (const { text } of found) assert.match(await run('sh', '-c', text), /^\[?\{"id":"s2"\}\]?$/);
    }
    assert.deepEqual(
      sent,
      SENT.flatMap((each) => [each, each]),
    );
  });
});
