import * as vscode from 'vscode';
import { errorText } from '../../api/errors.ts';
import type { DemoSwitch } from '../../commands/context.ts';
import type { EmbeddedDemo } from '../../demo/demoServer.ts';
import type { Connections } from '../../model/connection/connections.ts';
import { type CurrentConnection, DEMO_ID } from '../../model/connection/current.ts';
import { openChosen } from '../../model/connection/windowConnection.ts';
import type { Clock, Log, Memento } from '../../services.ts';
import { share } from '../../util/async.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import { externalAddress } from '../boxes/externalAddress.ts';

interface DemoSwitchOptions {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly current: CurrentConnection;
  readonly connections: Connections;
  readonly workspace: Memento;
  readonly log: Log;
  readonly name: string;
  /** Where the demo keeps recordings of what is sent to it. */
  readonly recordingsFolder: string;
}

const STARTS = 'demoStarts';
// The demo has the same streams each time, so that tabs that are open on them keep working.
const SEED = 1;

export function createDemoSwitch(options: DemoSwitchOptions): DemoSwitch & Disposable {
  const { connections, current, name } = options;
  const slot = new DisposableSlot<EmbeddedDemo>();
  const startOnce = share(() => startService(options, slot));

  async function start(): Promise<void> {
    const { baseUrl, apiKey } = slot.value ?? (await startOnce());
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
  const { startEmbeddedDemo } = await import('../../demo/demoServer.ts');
  const mediaRoot = vscode.Uri.joinPath(options.extensionUri, 'media', 'demo').fsPath;
  const chance = await countStart(options);
  const { clock, log, recordingsFolder: folder } = options;
  const service = await startEmbeddedDemo({ clock, log, mediaRoot, recordings: { folder }, seed: SEED, chance });
  slot.set(service);
  await allowForwarded(service, options.log);
  return service;
}

// Counts the starts in this workspace: the events of a demo, and the ids created in it, depend on this number.
async function countStart({ workspace, log }: DemoSwitchOptions): Promise<number> {
  const kept = workspace.get(STARTS);
  const start = (typeof kept === 'number' ? kept : 0) + 1;
  try {
    await workspace.set(STARTS, start);
  } catch (error) {
    log.warn(`The next demo will repeat what happens in this one: ${errorText(error)}`);
  }
  return start;
}

// In a remote window its media have another host. If that fails, only the media are missing: just log it.
async function allowForwarded(service: EmbeddedDemo, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    const external = await externalAddress(new URL(service.baseUrl).origin);
    service.allowHost(new URL(external).host);
  } catch (error) {
    log.warn(`The demo's media cannot be reached from outside: ${errorText(error)}`);
  }
}
