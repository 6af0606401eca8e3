import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;
type Target = typeof Global | typeof Workspace;

/**
 * Returns when the workspace, and the person where `targets` says so, sets nothing of this extension. VS Code hears of a settings
 * file that was written or deleted only later, and now and then never: what is still in force then is taken back through the API,
 * which reads the file again. Fails with what cannot be taken back.
 */
export async function restoreDefaults(targets: readonly Target[] = [Workspace]): Promise<void> {
  const atRest = () => assert.deepEqual(settingsIn(targets), [], 'the next tests begin with the defaults');
  try {
    await eventually(atRest);
  } catch {
    for (const [key, target] of settingsIn(targets)) await write(key, undefined, target);
    await eventually(atRest);
  }
}

/** Returns when a settings file of the workspace that was just written is in force, so that `key` has this value. */
export async function untilFileIsRead(key: string, value: unknown): Promise<void> {
  const inForce = () => assert.deepEqual(vscode.workspace.getConfiguration().get(key), value);
  try {
    await eventually(inForce);
  } catch {
    // VS Code did not hear of the file, and reads it when it writes to it.
    await write(key, value, Workspace);
    await eventually(inForce);
  }
}

function settingsIn(targets: readonly Target[]): readonly (readonly [key: string, target: Target])[] {
  const extension = vscode.extensions.getExtension('live-streams.live-streams');
  return Object.keys(extension?.packageJSON.contributes.configuration.properties).flatMap((key) => {
    const { globalValue, workspaceValue } = vscode.workspace.getConfiguration().inspect(key) ?? {};
    const values = { [Global]: globalValue, [Workspace]: workspaceValue };
    return targets.filter((target) => values[target] !== undefined).map((target) => [key, target] as const);
  });
}

function write(key: string, value: unknown, target: Target): Thenable<void> {
  return vscode.workspace.getConfiguration().update(key, value, target);
}
