import type { ModelContext } from '../context.ts';

/** Loads the streams that may share a target with others: the group of idle streams may never have been open. */
export async function loadStreamsWithTargets({ loader }: Pick<ModelContext, 'loader'>): Promise<void> {
  await loader.ensureList('idle');
}
