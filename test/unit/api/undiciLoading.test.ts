import assert from 'node:assert/strict';
import { runInFreshProcess } from './freshProcess.ts';

const SETUP = `
// An import of node:http would load node's own undici, which sets the symbols that are looked at.
const { createServer } = process.getBuiltinModule('node:http');
const { once } = process.getBuiltinModule('node:events');
const { createUndiciTransport } = await import('${new URL('../../../src/api/transport/undiciTransport.ts', import.meta.url)}');
const clock = { now: Date.now, elapsed: () => performance.now(), setTimeout(run, ms) { const timer = setTimeout(run, ms); return { dispose: () => clearTimeout(timer) }; } };
const log = { debug() {}, info() {}, warn() {}, error() {} };
const transport = createUndiciTransport({ settings: () => ({ timeoutMs: 5000 }), clock, log });
const server = createServer((_, response) => response.end('[]')).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = 'http://127.0.0.1:' + server.address().port + '/';
const symbols = [1, 2].map((version) => Symbol.for('undici.globalDispatcher.' + version));
const look = () => symbols.map((symbol) => Object.getOwnPropertyDescriptor(globalThis, symbol));
const keys = () => Reflect.ownKeys(globalThis).map(String).join();
const use = async () => (await transport.send({ method: 'GET', url, headers: {} })).status;
const end = () => (transport.dispose(), server.close(), server.closeAllConnections());
const isLoaded = () => Object.keys((process.getBuiltinModule('module')).createRequire(import.meta.url).cache).some((file) => file.includes('undici'));
`;

const runFresh = (source: string) => runInFreshProcess(`${SETUP}\n${source}`);

describe('loading undici', function () {
  this.timeout(20_000);

  it('leaves no trace where no fetch has run yet, and fetch works after it', async () => {
    const result = await runFresh(`
      const fetchBefore = globalThis.fetch;
      const keysBefore = keys();
      const status = await use();
      const unset = !keysBefore.includes('undici');
      const same = keys() === keysBefore && globalThis.fetch === fetchBefore;
      const left = look().filter(Boolean).length;
      const fetched = (await fetch(url)).status;
      const own = globalThis[symbols[0]] instanceof (await import('undici')).Agent;
      end();
      console.log(JSON.stringify({ status, unset, same, left, fetched, own }));
    `);
    assert.deepEqual(result, { status: 200, unset: true, same: true, left: 0, fetched: 200, own: false });
  });

  it('is tried again where it failed', async () => {
    const result = await runFresh(`
      let isFailing = true;
      process.getBuiltinModule('node:module').registerHooks({
        resolve(specifier, context, next) {
          if (isFailing && specifier.endsWith('/undici.ts')) throw new Error('The disk is busy');
          return next(specifier, context);
        },
      });
      const first = await use().catch(() => 'failed');
      isFailing = false;
      const second = await use().catch(() => 'failed');
      end();
      console.log(JSON.stringify({ first, second }));
    `);
    assert.deepEqual(result, { first: 'failed', second: 200 });
  });

  it("leaves the editor's own dispatcher where fetch has run before", async () => {
    const result = await runFresh(`
      await (await fetch(url)).text();
      const before = look();
      await use();
      const after = look();
      const same = before.every((descriptor, index) =>
        Object.keys({ ...descriptor, ...after[index] }).every((key) => descriptor[key] === after[index][key]));
      end();
      console.log(JSON.stringify({ same, set: after.filter(Boolean).length }));
    `);
    assert.deepEqual(result, { same: true, set: 2 });
  });

  it('survives a fetch that starts meanwhile', async () => {
    const result = await runFresh(`
      const [status, first] = await Promise.all([use(), fetch(url).then((answer) => answer.status)]);
      const second = (await fetch(url)).status;
      end();
      console.log(JSON.stringify({ status, first, second }));
    `);
    assert.deepEqual(result, { status: 200, first: 200, second: 200 });
  });

  it('waits for the first request', async () => {
    const result = await runFresh(`
      const before = isLoaded();
      await use();
      end();
      console.log(JSON.stringify([before, isLoaded()]));
    `);
    assert.deepEqual(result, [false, true]);
  });

  it('lets the process end once the transport is disposed', async () => {
    // Only the connection is left to keep it alive, and the server keeps it for a minute.
    const result = await runFresh(`
      server.keepAliveTimeout = 60_000;
      const status = await use();
      transport.dispose();
      server.unref();
      console.log(JSON.stringify(status));
    `);
    assert.equal(result, 200);
  });
});
