import { Account } from '../../../src/model/account/account.ts';
import { Connection } from '../../../src/model/connection/connection.ts';
import { Interest } from '../../../src/model/loading/interest.ts';
import { StreamLoader } from '../../../src/model/loading/loader.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import type { Clock, Log } from '../../../src/services.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { type ClientName, createClient } from '../service/clients.ts';

interface RealModelOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly log: Log;
  /** For a whole call. */
  readonly timeoutMs: number | (() => number);
  readonly pageSize?: number;
  /** Default: undici. */
  readonly client?: ClientName;
}

/** The model and its tree as the extension joins them, over the real transport, by the machine's clock. */
export function composeRealModel(options: RealModelOptions) {
  const { baseUrl, apiKey, clock, log, timeoutMs, pageSize = 500, client = 'undici' } = options;
  const transport = createClient(client, {
    settings: () => ({ timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : timeoutMs() }),
    clock,
    log,
    random: () => -0.45,
  });
  const listenerErrors: unknown[] = [];
  const store = new StreamStore({ clock, onListenerError: (error) => listenerErrors.push(error) });
  const interest = new Interest();
  const loader = new StreamLoader({ clock, log, interest, pageSize: () => pageSize });
  const connection = new Connection(store);
  connection.serve({
    loader,
    openAccount: ({ baseUrl: at, apiKey: key }) =>
      new Account({ baseUrl: at, apiKey: key, transport, store, clock, log }),
  });
  const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' });
  const tree = new TreeModel({ store, shape: streamsTree(store, loader), drawing });
  const connect = () => connection.open({ id: 'one', name: 'one', baseUrl, apiKey, insecureAccepted: false });

  /** The rows as the view has them with everything open that can be: what each says that time alone does not change. */
  async function rows(of?: Node, depth = 0): Promise<readonly string[]> {
    const nodes = (await tree.children(of)).filter(({ kind }) => kind !== 'retry' && kind !== 'notice');
    const below = nodes.map(async (node) => {
      const { label, contextValue, collapsible } = tree.row(node);
      if (node.kind === 'stream') interest.opened(node.id, { kind: 'stream', streamId: node.streamId });
      const line = `${'  '.repeat(depth)}${label} (${contextValue})`;
      return collapsible === 'none' ? [line] : [line, ...(await rows(node, depth + 1))];
    });
    return (await Promise.all(below)).flat();
  }

  function dispose(): void {
    for (const part of [tree, connection, loader, store, transport]) part.dispose();
  }
  return { transport, store, loader, connection, interest, tree, connect, rows, listenerErrors, dispose };
}

export type RealModel = ReturnType<typeof composeRealModel>;
