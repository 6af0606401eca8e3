import { Session } from 'node:inspector/promises';

const SLOT = 'liveStreamsBenchCounts';

/** Counts what VS Code asks the product's trees for, from now on. Nothing in the product has to know of it. */
export async function countTreeItems(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    const { result: prototype } = await session.post('Runtime.evaluate', { expression: 'Object.prototype' });
    const all = await session.post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '' });
    const objectId = all.objects.objectId ?? '';
    const { result } = await session.post('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: WRAP,
      returnByValue: true,
    });
    if (!(Number(result.value) > 0)) throw new Error('There is no provider of the product to count for');
  } finally {
    session.disconnect();
  }
}

/** TreeItems asked for since the last call. */
export function readTreeItemCount(): number {
  const counts: { items: number } = Reflect.get(globalThis, SLOT);
  const { items } = counts;
  counts.items = 0;
  return items;
}

/**
 * Runs in the inspector, where nothing of this file is known; returns how many providers there are. Those of the product
 * offer all five functions; one may hand a question on to another, which counts once. Own plain properties alone are looked
 * at, so that no getter runs.
 */
const WRAP = `function () {
  const counts = (globalThis.${SLOT} = { items: 0 });
  const names = ['getTreeItem', 'getChildren', 'getParent', 'resolveTreeItem', 'onDidChangeTreeData'];
  const isProvider = (object) => names.every((name) => typeof Object.getOwnPropertyDescriptor(object, name)?.value === 'function');
  const providers = this.filter(isProvider);
  let isInside = false;
  for (const provider of providers) {
    const { getTreeItem } = provider;
    provider.getTreeItem = (...args) => {
      if (isInside) return getTreeItem(...args);
      counts.items += 1;
      isInside = true;
      try {
        return getTreeItem(...args);
      } finally {
        isInside = false;
      }
    };
  }
  return providers.length;
}`;
