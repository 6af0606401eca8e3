import * as vscode from 'vscode';
import { errorText } from '../../api/errors.ts';
import type { DemoSwitch } from '../../commands/context.ts';
import type { EmbeddedDemo } from '../../demo/demoServer.ts';
import { createDemoSwitch, type DemoSwitchOptions as SwitchOptions } from '../../model/connection/demoSwitch.ts';
import type { Clock, Log, Memento } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { externalAddress } from '../boxes/externalAddress.ts';

interface DemoSwitchOptions extends Omit<SwitchOptions<EmbeddedDemo>, 'startService'> {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly workspace: Memento;
  readonly log: Log;
  /** The folder in which the demo keeps recordings of incoming broadcasts. */
  readonly recordingsFolder: string;
}

const STARTS = 'demoStarts';
// The demo has the same streams each time, so that their open tabs keep working.
const SEED = 1;
// Few enough to take in at a glance. With more, some have odd names, which are for the tests.
const STREAMS = { streamCount: 12, liveCount: 5 };

/** The demo of this window, whose service starts with it. */
export function createHostedDemo(
  options: DemoSwitchOptions,
): DemoSwitch & Disposable & Pick<ReturnType<typeof createDemoSwitch>, 'onDidChange'> {
  return createDemoSwitch({ ...options, startService: () => startService(options) });
}

async function startService(given: DemoSwitchOptions): Promise<EmbeddedDemo> {
  const { startEmbeddedDemo } = await import('../../demo/demoServer.ts');
  const { clock, log, recordingsFolder: folder, extensionUri } = given;
  const mediaRoot = vscode.Uri.joinPath(extensionUri, 'media', 'demo').fsPath;
  const chance = await countStart(given);
  const options = { clock, log, mediaRoot, recordings: { folder }, seed: SEED, chance, ...STREAMS };
  const service = await startEmbeddedDemo(options);
  await allowForwarded(service, log);
  return service;
}

// Counts the starts in this workspace: the events of a demo and the IDs created in it depend on this number.
async function countStart({ workspace, log }: DemoSwitchOptions): Promise<number> {
  const kept = workspace.get(STARTS);
  const start = (typeof kept === 'number' ? kept : 0) + 1;
  try {
    await workspace.set(STARTS, start);
  } catch (error) {
    log.warn(`The next demo repeats this one: ${errorText(error)}`);
  }
  return start;
}

// In a remote window, its media have another host. If that fails, only the media are missing, so it's only logged.
async function allowForwarded(service: EmbeddedDemo, log: Log): Promise<void> {
  try {
    const external = await externalAddress(new URL(service.baseUrl).origin);
    service.allowHost(new URL(external).host);
  } catch (error) {
    log.warn(`The demo's media can't be reached: ${errorText(error)}`);
  }
}
