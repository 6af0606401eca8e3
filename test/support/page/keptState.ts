import type { Page } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** The browser's, for the function that runs in the workbench's page. */
interface Request<T> {
  readonly result: T;
  onsuccess: () => void;
  onerror: () => void;
}
interface Store {
  getAll(): Request<readonly unknown[]>;
}
interface Database {
  readonly objectStoreNames: Iterable<string>;
  transaction(names: readonly string[]): { objectStore(name: string): Store };
  close(): void;
}
declare const indexedDB: {
  databases(): Promise<readonly { readonly name?: string }[]>;
  open(name: string): Request<Database>;
};

/** Waits until the workbench has written down what matches: it notes what is open some seconds after it changed. */
export async function untilKept(page: Page, form: RegExp): Promise<void> {
  await waitUntil(async () => form.test((await readKept(page)).replaceAll('\\', '')));
}

/** All that the workbench keeps in the browser, as text. */
function readKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: Request<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('The database could not be read'));
      });
    const texts: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      const stores = [...database.objectStoreNames];
      if (stores.length > 0) {
        const transaction = database.transaction(stores);
        const values = await Promise.all(stores.map((store) => done(transaction.objectStore(store).getAll())));
        texts.push(JSON.stringify(values.flat().filter((value) => typeof value === 'string')));
      }
      database.close();
    }
    return texts.join();
  });
}
