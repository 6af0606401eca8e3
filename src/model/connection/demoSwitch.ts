import { makeQueue } from '../../util/async.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { type Connection, DEMO_ID } from './connection.ts';
import type { Connections, DemoAccess } from './connections.ts';
import { openChosen } from './windowConnection.ts';

type DemoService = DemoAccess & Disposable;

export interface DemoSwitchOptions<T extends DemoService> {
  readonly connection: Connection;
  readonly connections: Connections;
  /** The connection's name. */
  readonly name: string;
  readonly startService: () => Promise<T>;
}

/**
 * Starts the demo's service, unless it runs, and opens its connection, or stops it and opens the chosen connection.
 * Takes one step at a time. Otherwise, a start during a stop would open the service that the stop then ends.
 */
export function createDemoSwitch<T extends DemoService>({
  connection,
  connections,
  name,
  startService,
}: DemoSwitchOptions<T>) {
  const slot = new DisposableSlot<T>();
  const inOrder = makeQueue();
  const changed = new Emitter<void>();
  let isStopping = false;

  async function start(isWanted: () => boolean): Promise<void> {
    if (slot.value === undefined) slot.set(await startService());
    const { value } = slot;
    if (value === undefined) return;
    if (isWanted()) {
      const { baseUrl, apiKey } = value;
      connection.open({ id: DEMO_ID, name, baseUrl, apiKey, insecureAccepted: false }, true);
      await connections.noteDemo(true);
    } else if (connection.info?.isDemo !== true) slot.set(undefined);
    changed.fire();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    try {
      await connections.noteDemo(false);
      if (connection.info?.isDemo === true) await openChosen({ connections, connection });
    } finally {
      slot.set(undefined);
      isStopping = false;
      changed.fire();
    }
  }

  return {
    name,
    /** Undefined while the service is being stopped. */
    get running(): T | undefined {
      return isStopping ? undefined : slot.value;
    },
    start(): Promise<void> {
      const isWanted = connection.beginSwitch();
      return inOrder(() => start(isWanted));
    },
    stop: (): Promise<void> => inOrder(stop),
    /** Fires when `running` may have changed. */
    onDidChange: changed.event,
    dispose(): void {
      changed.dispose();
      slot.dispose();
    },
  };
}
