import { createSecureContext, type SecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

export interface SystemCertificates extends Disposable {
  readonly context: SecureContext | undefined;
  /** Loads the authorities once; later calls share the result. Doesn't throw. */
  load(): Promise<SecureContext | undefined>;
}

// Reading is synchronous and took up to 48 s, so it runs in a worker, and only when needed.
const WORKER = `
const { parentPort } = require('node:worker_threads');
const tls = require('node:tls');
const read = (type) => {
  try {
    return tls.getCACertificates(type);
  } catch {
    return [];
  }
};
const system = read('system');
parentPort.postMessage(system.length === 0 ? [] : [...new Set([...read('bundled'), ...read('extra'), ...system])]);
`;

export function createSystemCertificates(log: Log): SystemCertificates {
  let worker: Worker | undefined;
  let context: SecureContext | undefined;
  let loading: Promise<SecureContext | undefined> | undefined;

  function readThem(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      worker = new Worker(WORKER, { eval: true, execArgv: [] });
      worker.unref();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => resolve([]));
    });
  }

  async function load(): Promise<SecureContext | undefined> {
    try {
      const ca = await readThem();
      log.info(`The system's certificates: ${ca.length} authorities with Node's own`);
      // Shared by all connections: parsing hundreds of certificates for each would be slow.
      if (ca.length > 0) context = createSecureContext({ ca: [...ca] });
    } catch (error) {
      log.warn(`The system's certificates cannot be read: ${error instanceof Error ? error.message : error}`);
    }
    return context;
  }

  return {
    get context() {
      return context;
    },
    load() {
      loading ??= load();
      return loading;
    },
    dispose: () => void worker?.terminate(),
  };
}
