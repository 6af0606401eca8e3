import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { SOUND_WASM, soundBundle } from '../../../esbuild.mjs';
import type { FromSoundWorker, ToSoundWorker } from '../../../src/webview/player/sound/messages.ts';
import { inProject } from '../projectFolder.ts';

/** The worker of the player, as it ships, in a thread of Node. */
export interface NodeWorker {
  /** `bytes` are copied. */
  convert(track: number, bytes: Uint8Array): Promise<FromSoundWorker>;
  forget(track: number): void;
  /** What the thread holds, with the module's memory, in bytes. */
  measureMemory(): Promise<number>;
  end(): Promise<void>;
}

/** What Node's threads lack of a browser's. The thread has Node's process all the same, which the bundle must not use. */
const AS_IN_A_BROWSER = `
const { parentPort } = require('node:worker_threads');
require('node:v8').setFlagsFromString('--expose-gc');
const collectGarbage = require('node:vm').runInNewContext('gc');
globalThis.self = globalThis;
self.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
parentPort.on('message', (data) => {
  if (data.kind === 'measure') {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    parentPort.postMessage({ kind: 'measured', bytes: heapUsed + external });
  } else self.onmessage({ data });
});
`;

export async function startNodeWorker(wasm: Uint8Array = readFileSync(inProject(SOUND_WASM))): Promise<NodeWorker> {
  const { outputFiles } = await build({
    ...soundBundle,
    absWorkingDir: inProject(),
    write: false,
    outdir: 'unwritten',
  });
  const worker = new Worker(AS_IN_A_BROWSER + outputFiles[0]?.text, { eval: true });
  const waiting: ((answer: never) => void)[] = [];
  worker.on('message', (answer) => waiting.shift()?.(answer as never));
  worker.on('error', (error) => {
    throw error;
  });
  const post = (message: ToSoundWorker | { readonly kind: 'measure' }): void => worker.postMessage(message);
  const ask = <T>(message: Parameters<typeof post>[0]): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    waiting.push(resolve);
    post(message);
    return promise;
  };
  post({ kind: 'start', wasm: new Uint8Array(wasm).buffer });
  return {
    convert: (track, bytes) => ask({ kind: 'convert', track, bytes: new Uint8Array(bytes) }),
    forget: (track) => post({ kind: 'forget', track }),
    measureMemory: async () => (await ask<{ readonly bytes: number }>({ kind: 'measure' })).bytes,
    end: async () => void (await worker.terminate()),
  };
}
