import * as vscode from 'vscode';
import { addressesWith, type ReadValue, type Settings, settingsFrom } from '../../model/settingValues.ts';
import type { Log } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';

const SECTION = 'liveStreams';

/** The settings, read on each call. VS Code validates nothing, so each invalid value is logged once. */
export function createSettings(log: Log): Settings & Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) changes.fire();
    }),
  );
  const reported = new Map<string, string>();

  function read<T>(key: string, decode: (written: unknown) => ReadValue<T>, resource?: string): T {
    const scope = resource === undefined ? undefined : vscode.Uri.parse(resource);
    const { value, problem } = decode(vscode.workspace.getConfiguration(SECTION, scope).get<unknown>(key));
    if (problem === undefined) reported.delete(key);
    else if (reported.get(key) !== problem) {
      reported.set(key, problem);
      log.warn(`The setting ${SECTION}.${key} ${problem}`);
    }
    return value;
  }

  return {
    ...settingsFrom(read),
    writeAddresses: async (origin, templates) => {
      const written = vscode.workspace.getConfiguration(SECTION).inspect('addresses')?.globalValue;
      await write('addresses', addressesWith(written, origin, templates));
    },
    writeNotifications: async (kinds) => write('notifications', kinds.length === 0 ? undefined : kinds),
    onDidChange: changes.event,
    dispose: () => owned.dispose(),
  };
}

// Undefined removes the setting.
async function write(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
