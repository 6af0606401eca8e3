import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { compareNames } from '../../util/compareNames.ts';

type Named = Pick<ConnectionInfo, 'id' | 'name'>;

/** The order of connections in the view: those with one name by their ids. */
export function compareConnections(a: Named, b: Named, locale: string): number {
  return compareNames(a.name, b.name, locale) || (a.id < b.id ? -1 : 1);
}
