export type FieldKind = 'boolean' | 'number' | 'string' | 'text';

export type Fields = Readonly<Record<string, FieldKind>>;
export type Row = Readonly<Record<string, unknown>>;
export type Test = (row: Row) => boolean;

export class MalformedFilters extends Error {}

const NUMBERS = {
  createdAt: 'number',
  lastSeen: 'number',
  sourceSegments: 'number',
  transcodedSegments: 'number',
  sourceSegmentsDuration: 'number',
  transcodedSegmentsDuration: 'number',
  sourceBytes: 'number',
} as const;

export const STREAM_FIELDS: Fields = {
  ...NUMBERS,
  id: 'string',
  name: 'text',
  parentId: 'string',
  playbackId: 'string',
  projectId: 'string',
  createdByTokenName: 'string',
  isActive: 'boolean',
  record: 'boolean',
  suspended: 'boolean',
  isHealthy: 'boolean',
};

export const SESSION_FIELDS: Fields = {
  ...NUMBERS,
  id: 'string',
  name: 'text',
  parentId: 'string',
  playbackId: 'string',
  projectId: 'string',
  record: 'boolean',
};

export interface RawFilter {
  readonly id: string;
  readonly value: unknown;
}

/**
 * Reads the filters parameter. The query is decoded once already; the service decodes the parameter a second time.
 * Throws MalformedFilters.
 */
export function readFilters(text: string): readonly RawFilter[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw new MalformedFilters('filters must be an array');
  return list.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('id' in entry) || typeof entry.id !== 'string') {
      throw new MalformedFilters('a filter has no id');
    }
    if (!('value' in entry)) throw new MalformedFilters(`the filter "${entry.id}" has no value`);
    return { id: entry.id, value: entry.value };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    throw new MalformedFilters('filters are not encoded JSON');
  }
}

export function makeTest(filters: readonly RawFilter[], fields: Fields): Test {
  const tests = filters.map((filter) => makeOne(filter, fields[filter.id]));
  return (row) => tests.every((test) => test(row));
}

function makeOne({ id, value }: RawFilter, kind: FieldKind | undefined): Test {
  if (kind === 'boolean') return booleanTest(id, value);
  if (kind === 'number') return numberTest(id, value);
  if (kind === 'text') return likeTest(id, String(value));
  if (kind === 'string') return (row) => row[id] === value;
  throw new MalformedFilters(`there is no field "${id}" to filter by`);
}

function booleanTest(id: string, value: unknown): Test {
  if (typeof value !== 'boolean')
    throw new MalformedFilters(`"${id}" takes true or false, not ${JSON.stringify(value)}`);
  return (row) => (row[id] === true) === value;
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

function numberTest(id: string, value: unknown): Test {
  if (typeof value === 'number') return (row) => row[id] === value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedFilters(`"${id}" takes a number or a comparison`);
  }
  const tests = Object.entries(value).map(([name, bound]: [string, unknown]) => {
    const compare = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
    if (!compare || typeof bound !== 'number')
      throw new MalformedFilters(`"${id}" has an unknown comparison "${name}"`);
    return (row: Row) => typeof row[id] === 'number' && compare(row[id], bound);
  });
  return (row) => tests.every((test) => test(row));
}

/** Matches substrings, ignoring case. % matches anything, _ one character; a backslash escapes them. */
function likeTest(id: string, pattern: string): Test {
  const source = pattern.replace(/\\([\s\S])|[%_]|[.*+?^${}()|[\]\\/]/g, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(/[^\p{L}\p{N}\s]/u, '\\$&');
    if (found === '%') return '[^]*';
    return found === '_' ? '[^]' : `\\${found}`;
  });
  const expression = new RegExp(source, 'i');
  return (row) => expression.test(String(row[id] ?? ''));
}
