import type { RawFilter } from './filters.ts';

/** The filters that are stated: isActive true, isActive false, record true. */
export function isStated({ id, value }: RawFilter): boolean {
  return (id === 'isActive' && typeof value === 'boolean') || (id === 'record' && value === true);
}
