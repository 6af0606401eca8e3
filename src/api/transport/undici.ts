// The only module that imports undici; undiciTransport.ts loads it with import() on the first request.
// Imports parts of the package, not its entry. If no fetch has run yet, the entry sets two global dispatchers for good
// (they can't be deleted), so the editor's fetch would use our copy from then on. Holding the symbols in the meantime
// doesn't help: the entry reads globalThis.Headers, which makes Node load its own undici, and that one finds them held
// and never works again ("assert(dispatcher)" in every fetch). The parts touch nothing global. Verified by
// test/unit/api/undiciLoading.test.ts.
import methods from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// Like the entry of the package: request() and connect() are separate from the dispatchers that have them.
Object.assign(Dispatcher.prototype, methods);

export { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent };
