import { randomInt } from 'node:crypto';
import * as vscode from 'vscode';
import type { DemoSwitch } from '../commands/context.ts';
import type { EmbeddedDemo } from '../demo/demoContract.ts';
import type { Connections } from '../model/connections.ts';
import { type CurrentConnection, DEMO_ID } from '../model/current.ts';
import { openChosen } from '../model/windowConnection.ts';
import type { Clock, Log, Memento } from '../services.ts';
import { type Disposable, DisposableSlot } from '../util/disposable.ts';
import { errorText } from './errorText.ts';
import { externalAddress } from './externalAddress.ts';

export interface DemoSwitchOptions {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly current: CurrentConnection;
  readonly connections: Connections;
  /** This window's. */
  readonly workspace: Memento;
  readonly log: Pick<Log, 'warn'>;
  /** The name people see for its connection. */
  readonly name: string;
}

const SEED = 'demoSeed';
const SEEDS = 2 ** 32;

/** Starts the embedded service, which ends with the window; its code is loaded when it is started first. */
export function createDemoSwitch(options: DemoSwitchOptions): DemoSwitch & Disposable {
  const { connections, current, name } = options;
  const slot = new DisposableSlot<EmbeddedDemo>();
  let starting: Promise<EmbeddedDemo> | undefined;

  async function start(): Promise<void> {
    starting ??= startService(options, slot).finally(() => {
      starting = undefined;
    });
    const service = slot.value ?? (await starting);
    const { baseUrl, apiKey } = service;
    current.open({ id: DEMO_ID, name, baseUrl, apiKey, insecureAccepted: false }, true);
    await connections.noteDemo(true);
  }

  return {
    get running() {
      return slot.value;
    },
    start,
    async stop() {
      await connections.noteDemo(false);
      const wasOpen = current.info?.isDemo === true;
      if (wasOpen) await openChosen(options);
      slot.set(undefined);
    },
    dispose: () => slot.dispose(),
  };
}

async function startService(options: DemoSwitchOptions, slot: DisposableSlot<EmbeddedDemo>): Promise<EmbeddedDemo> {
  if (slot.value !== undefined) return slot.value;
  const { startEmbeddedDemo } = await import('../demo/embeddedDemo.ts');
  const mediaRoot = vscode.Uri.joinPath(options.extensionUri, 'media', 'demo').fsPath;
  const seed = await keptSeed(options);
  const service = await startEmbeddedDemo({ clock: options.clock, mediaRoot, seed, chance: randomInt(SEEDS) });
  slot.set(service);
  await allowForwarded(service, options.log);
  return service;
}

/** A workspace's demo has the same streams each time: the tabs that are open on them go on. */
async function keptSeed({ workspace, log }: DemoSwitchOptions): Promise<number> {
  const kept = workspace.get(SEED);
  if (typeof kept === 'number') return kept;
  const seed = randomInt(SEEDS);
  try {
    await workspace.set(SEED, seed);
  } catch (error) {
    log.warn(`The demo will have other streams next time: ${errorText(error)}`);
  }
  return seed;
}

/** In a remote window its media come under another name; without that name the rows are there all the same. */
async function allowForwarded(service: EmbeddedDemo, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    const external = await externalAddress(new URL(service.baseUrl).origin);
    service.allowHost(new URL(external).host);
  } catch (error) {
    log.warn(`The demo's media cannot be reached from outside: ${errorText(error)}`);
  }
}
