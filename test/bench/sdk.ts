import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnce, unpackPackage } from '../support/vscode/installOnce.ts';

/** The official SDK and its peer. What it names as dependencies are test tools, which it does not load. */
const PACKAGES = { livepeer: '3.5.0', zod: '3.25.76' };

export interface LivepeerSdk {
  readonly stream: { getAll(streamsOnly: string): Promise<{ readonly data?: readonly unknown[] }> };
}

/** The official SDK for a service, from the npm registry. */
export async function createLivepeerSdk(serverURL: string, apiKey: string): Promise<LivepeerSdk> {
  const folder = await installOnce(`livepeer-sdk-${PACKAGES.livepeer}`, async (partial) => {
    await mkdir(join(partial, 'node_modules'));
    for (const [name, version] of Object.entries(PACKAGES)) {
      await unpackPackage(`${name}@${version}`, partial);
      await rename(join(partial, 'package'), join(partial, 'node_modules', name));
    }
  });
  const { Livepeer } = await import(pathToFileURL(join(folder, 'node_modules/livepeer/index.js')).href);
  return new Livepeer({ apiKey, serverURL });
}
