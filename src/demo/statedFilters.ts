import type { RawFilter } from './filters.ts';

export function isStated({ id, value }: RawFilter): boolean {
  return (id === 'isActive' && typeof value === 'boolean') || (id === 'record' && value === true);
}
