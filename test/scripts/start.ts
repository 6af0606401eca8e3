// npm start: builds the extension, and opens it on its demo service in desktop VS Code or else in the npm-hosted one.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { requireProcess, runProcess } from '../support/process/ownProcess.ts';
import { inProject, inTestFolder } from '../support/projectFolder.ts';
import { packageSmall, starterFolder } from '../support/vscode/starterVsix.ts';
import { startVscodeServer } from '../support/vscode/vscodeServer.ts';
import { packageForTests, vsixFile } from '../support/vscode/vsix.ts';

const folder = inTestFolder('start/folder');
mkdirSync(folder, { recursive: true });
const desktop = process.env.VSCODE || findOnPath('code');
if (desktop === undefined) await startHosted();
else await startDesktop(desktop);

async function startDesktop(code: string): Promise<void> {
  await requireProcess(process.execPath, ['esbuild.mjs'], { cwd: inProject() });
  console.log(`Opening ${code}. Ctrl-C here ends it.`);
  const developed = [inProject(), starterFolder].map((path) => `--extensionDevelopmentPath=${path}`);
  const own = [
    '--user-data-dir',
    inTestFolder('start/user-data'),
    '--extensions-dir',
    inTestFolder('start/extensions'),
  ];
  const quiet = ['--disable-workspace-trust', '--skip-welcome', '--new-window', '--wait'];
  process.exitCode = await runProcess(code, [...developed, ...own, ...quiet, folder]);
}

async function startHosted(): Promise<void> {
  console.log('No desktop VS Code (code on PATH, or VSCODE): starting the one from npm.');
  await packageForTests();
  const server = await startVscodeServer({ extensions: [vsixFile, await packageSmall('starter')] });
  console.log(`\nOpen this address in a browser:\n\n  ${server.address({ folder })}\n\nCtrl-C ends it.`);
  await server.process.exited;
}

function findOnPath(name: string): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.cmd`] : [name];
  const candidates = (process.env.PATH ?? '').split(delimiter).flatMap((path) => names.map((file) => join(path, file)));
  return candidates.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
