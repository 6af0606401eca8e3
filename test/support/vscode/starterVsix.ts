import { mkdirSync } from 'node:fs';
import { requireProcess } from '../process/ownProcess.ts';
import { inProject, inTestFolder } from '../projectFolder.ts';

/** The small extension that starts the demo when a window opens. */
export const starterFolder = inProject('test/support/vscode/starter');

/** Packages a small extension of this folder, for a VS Code that takes packages only. @returns the .vsix. */
export async function packageSmall(name: 'starter' | 'caller'): Promise<string> {
  mkdirSync(inTestFolder(), { recursive: true });
  const file = inTestFolder(`${name}.vsix`);
  const vsce = [inProject('node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', file];
  const lenient = ['--allow-missing-repository', '--skip-license'];
  await requireProcess(process.execPath, [...vsce, ...lenient], { cwd: inProject('test/support/vscode', name) });
  return file;
}
