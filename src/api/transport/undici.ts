// The only module that imports undici; undiciTransport.ts loads it with import() on the first request.
//
// It takes the parts it needs rather than the package. The package's own entry sets two global dispatchers for good where no
// fetch has run yet (they cannot be deleted), so that the editor's fetch would go through our copy from then on. To hold the
// symbols meanwhile does not help: the entry reads globalThis.Headers, which makes Node load its own undici, and that one
// then finds them held and never works again ("assert(dispatcher)" in every fetch). The parts touch nothing global.
// test/unit/api/undiciLoading.test.ts keeps watch over all this.
import methods from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As the package's entry does: request() and connect() are kept apart from the dispatchers that have them.
Object.assign(Dispatcher.prototype, methods);

export { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent };
