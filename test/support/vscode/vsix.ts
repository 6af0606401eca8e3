import { mkdirSync } from 'node:fs';
import { requireProcess } from '../process/ownProcess.ts';
import { inProject, inTestFolder } from '../projectFolder.ts';
import { removeInstalledExtensions } from './installedExtensions.ts';

/** Where the package that is tested lies. */
export const vsixFile = inTestFolder('live-streams.vsix');

/** Packages the extension as `npm run package` does, for the tests alone. */
export async function packageForTests(): Promise<void> {
  mkdirSync(inTestFolder(), { recursive: true });
  await requireProcess('npm', ['run', '--silent', 'package', '--', '--out', vsixFile], { cwd: inProject() });
  await removeInstalledExtensions();
}
