import type { Downloads, Settings, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

type Client = ReturnType<Settings['networkClient']>;
type Whole = Transport & Downloads & Disposable;

export function createChosenTransport(choose: () => Client, transports: Readonly<Record<Client, Whole>>): Whole {
  return {
    send: (request) => transports[choose()].send(request),
    download: (request) => transports[choose()].download(request),
    dispose() {
      for (const transport of Object.values(transports)) transport.dispose();
    },
  };
}
