import type { ViewNode } from '../../model/rows/nodes.ts';
import { share } from '../../util/async.ts';
import type { HoverLoading, Hovers, HoversContext } from './hovers.ts';

export type LoadHover = (node: ViewNode, signal: AbortSignal) => Promise<HoverLoading | undefined>;

/** Creates `Hovers` whose code is loaded with the first tooltip. Rejects if it can't be loaded. */
export function createLateHovers(context: HoversContext): LoadHover {
  let loaded: Hovers | undefined;
  const load = share(async () => {
    const module = await import('./hovers.ts');
    loaded ??= new module.Hovers(context);
    return loaded;
  });
  return async (node, signal) => (loaded ?? (await load())).load(node, signal);
}
