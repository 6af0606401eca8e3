import { Session } from 'node:inspector/promises';
import type * as vscode from 'vscode';

/**
 * The context that VS Code gave an extension, found among all objects of this process: it is handed to `activate` alone,
 * and what is stored in it can be seen in no other way. Nothing in src/ has to know of tests for it.
 */
export async function findExtensionContext(extensionId: string): Promise<vscode.ExtensionContext> {
  const found = await withInspector(async (session) => {
    const { result: prototype } = await session.post('Runtime.evaluate', { expression: 'Object.prototype' });
    const all = await session.post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '' });
    const objectId = all.objects.objectId ?? '';
    await session.post('Runtime.callFunctionOn', { objectId, functionDeclaration: KEEP_CONTEXTS });
    return Reflect.get(globalThis, SLOT);
  });
  Reflect.deleteProperty(globalThis, SLOT);
  const contexts: readonly unknown[] = Array.isArray(found) ? found : [];
  const context = contexts.find((each) => isContext(each) && each.extension.id === extensionId);
  if (!isContext(context)) throw new Error(`No context of ${extensionId} in this process`);
  return context;
}

/** The scripts below a folder that this process has loaded. Absolute paths. */
export async function loadedScripts(folder: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  await withInspector(async (session) => {
    session.on('Debugger.scriptParsed', ({ params }) => {
      const url = URL.parse(params.url);
      if (url?.protocol === 'file:' && url.pathname.startsWith(`${folder}/`)) paths.add(url.pathname);
    });
    await session.post('Debugger.enable');
    await session.post('Debugger.disable');
  });
  return [...paths];
}

const SLOT = 'liveStreamsTestSlot';

/** Looks at own plain properties alone, so that no getter runs. Runs in the inspector, where nothing of this file is known. */
const KEEP_CONTEXTS = `function () {
  const isPlain = (object, key) => Object.getOwnPropertyDescriptor(object, key)?.value !== undefined;
  globalThis.${SLOT} = this.filter((object) => ['secrets', 'globalState', 'subscriptions'].every((key) => isPlain(object, key)));
}`;

async function withInspector<T>(run: (session: Session) => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  try {
    return await run(session);
  } finally {
    session.disconnect();
  }
}

function isContext(value: unknown): value is vscode.ExtensionContext {
  return typeof value === 'object' && value !== null && 'secrets' in value && 'extension' in value;
}
