import type { ModelContext } from '../context.ts';

/** Loads the streams that may share a target with others. The Idle group may never have been expanded. */
export async function loadStreamsWithTargets({ loader }: Pick<ModelContext, 'loader'>): Promise<void> {
  await loader.ensureList('idle');
}
