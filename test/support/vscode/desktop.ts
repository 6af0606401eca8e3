import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { _electron, type Page } from 'playwright-core';
import { WAIT_MS } from '../page/waitUntil.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { inProject, inTestFolder } from '../projectFolder.ts';
import { quietSettings } from './vscodeServer.ts';

/** Returns the executable of desktop VS Code: what VSCODE names, or else what is downloaded. */
export async function installDesktop(): Promise<string> {
  const { VSCODE } = process.env;
  if (VSCODE) return VSCODE;
  try {
    return await downloadAndUnzipVSCode({ cachePath: inTestFolder('desktop') });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `There is no desktop VS Code to test: VSCODE doesn't name its executable, and it can't be downloaded (${reason})`,
    );
  }
}

export interface Desktop {
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens desktop VS Code on an empty folder, with the extension as it was built and with data of its own. */
export async function openDesktop(settings: Readonly<Record<string, unknown>>): Promise<Desktop> {
  const data = makeTemporaryFolder('desktop');
  const [user, extensions, workspace] = ['user', 'extensions', 'workspace'].map((name) => join(data, name));
  await mkdir(join(data, 'user/User'), { recursive: true });
  await mkdir(join(data, 'workspace'));
  await writeFile(join(data, 'user/User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
  const own = [`--user-data-dir=${user}`, `--extensions-dir=${extensions}`, '--use-inmemory-secretstorage'];
  const quiet = ['--skip-release-notes', '--skip-welcome', '--disable-updates', '--disable-workspace-trust'];
  const developed = `--extensionDevelopmentPath=${inProject()}`;
  const removeData = (): Promise<void> => rm(data, { recursive: true, force: true, maxRetries: 5 });
  try {
    const app = await _electron.launch({
      executablePath: await installDesktop(),
      args: [workspace ?? '', developed, ...own, ...quiet, '--no-sandbox'],
      env: environment(),
      timeout: WAIT_MS,
    });
    const close = (): Promise<void> => app.close().finally(removeData);
    const page = await app.firstWindow().catch((error: unknown) => close().then(() => Promise.reject(error)));
    page.setDefaultTimeout(WAIT_MS);
    return { page, close };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/** Without what a VS Code sets around its terminal, which would make the new window one of its own. */
function environment(): Record<string, string> {
  const ofEditors = /^(VSCODE_|ELECTRON_)/;
  const own = Object.entries(process.env).filter(([name]) => !ofEditors.test(name));
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
