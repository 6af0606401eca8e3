import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvVariable } from '../../../src/code/envFile.ts';
import { type AddedVariables, addToEnvFile, explain, type UserFile } from '../../../src/code/envMove.ts';
import type { FileLocation } from '../../../src/code/exposure.ts';
import { openLocalTextFile } from '../../../src/code/userFiles.ts';

/** Moves a key to the .env file of a folder as the extension does. Git ignores what the folder's .gitignore lists. */
export async function moveKeyTo(folder: string, variable: EnvVariable, locate?: () => FileLocation): Promise<string> {
  const [name = ''] = (await saveTo(folder, [variable], locate)).names;
  return name;
}

/** Saves variables in the .env file of a folder as the extension does. */
export async function saveTo(
  folder: string,
  variables: readonly EnvVariable[],
  locate: () => FileLocation = () => (textOf(folder, '.gitignore').includes('.env\n') ? 'ignored' : 'kept'),
): Promise<AddedVariables> {
  const open = async (name: string): Promise<UserFile> => ({
    ...(await explain({ shownPath: name }, openLocalTextFile(join(folder, name), folder))),
    shownPath: name,
    location: async () => locate(),
  });
  const env = await open('.env');
  const isInRepository = async () => true;
  return addToEnvFile({ env, variables, openIgnoreFile: () => open('.gitignore'), isInRepository });
}

/** '' if it doesn't exist. */
export function textOf(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Names of the folders in which new content waits. */
export function waitingFolders(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.live-streams-'));
}
