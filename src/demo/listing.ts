import { isRecord } from '../util/isRecord.ts';
import { type DemoRequest, type DemoResponse, json } from './http.ts';

/** A request with its query. */
export interface ListCall {
  readonly request: DemoRequest;
  readonly query: URLSearchParams;
}

/** Throws MalformedFilters. */
export function readTest({ query }: ListCall, fields: ListFields): Test {
  const text = query.get('filters');
  return makeTest(text ? readFilters(text) : [], fields);
}

interface Listing<T> {
  readonly state: { listsAnswered: number };
  readonly call: ListCall;
  readonly fields: ListFields;
  readonly show: (row: T) => unknown;
  /** Default: last seen first. */
  readonly defaultOrder?: string;
}

// Rows that the order doesn't distinguish are ordered differently on each page, so rows get lost between pages.
export function answerRows<T extends Entity>(
  { state, call, fields, show, defaultOrder = DEFAULT_ORDER }: Listing<T>,
  found: readonly T[],
): DemoResponse {
  state.listsAnswered += 1;
  const order = call.query.get('order') || defaultOrder;
  const rows = rotate(found, state.listsAnswered * 7).sort(makeOrder(order, fields));
  return answerListPage(call, rows, show);
}

type FieldKind = 'boolean' | 'number' | 'string' | 'text';

export type ListFields = Readonly<Record<string, FieldKind>>;
type Entity = Readonly<Record<string, unknown>>;
type Test = (row: Entity) => boolean;

export class MalformedFilters extends Error {}

export const NUMBERS = {
  createdAt: 'number',
  lastSeen: 'number',
  sourceSegments: 'number',
  transcodedSegments: 'number',
  sourceSegmentsDuration: 'number',
  transcodedSegmentsDuration: 'number',
  sourceBytes: 'number',
} as const;

export interface RawFilter {
  readonly id: string;
  readonly value: unknown;
}

/** Throws MalformedFilters. The service decodes the parameter a second time, after the query. */
export function readFilters(text: string): readonly RawFilter[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw new MalformedFilters('filters must be an array');
  return list.map((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.id !== 'string') {
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

export function makeTest(filters: readonly RawFilter[], fields: ListFields): Test {
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
  if (!isRecord(value)) {
    throw new MalformedFilters(`"${id}" takes a number or a comparison`);
  }
  const tests = Object.entries(value).map(([name, bound]: [string, unknown]) => {
    const compare = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
    if (!compare || typeof bound !== 'number')
      throw new MalformedFilters(`"${id}" has an unknown comparison "${name}"`);
    return (row: Entity) => typeof row[id] === 'number' && compare(row[id], bound);
  });
  return (row) => tests.every((test) => test(row));
}

// Matches substrings, ignoring case. % matches anything, _ one character; a backslash escapes them.
function likeTest(id: string, pattern: string): Test {
  const source = pattern.replace(/\\([\s\S])|[%_]|[.*+?^${}()|[\]\\/]/g, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(/[^\p{L}\p{N}\s]/u, '\\$&');
    if (found === '%') return '[^]*';
    return found === '_' ? '[^]' : `\\${found}`;
  });
  const expression = new RegExp(source, 'i');
  return (row) => expression.test(String(row[id] ?? ''));
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

type Compare = (a: Entity, b: Entity) => number;

const DEFAULT_ORDER = 'lastSeen-true,createdAt-true';

/** Parses an order such as 'createdAt-true,name-false' (true: descending). Unknown fields are ignored. */
function makeOrder(order: string, fields: ListFields): Compare {
  const compares = order.split(',').flatMap((part) => {
    const [id = '', direction, ...rest] = part.split('-');
    if (direction === undefined || rest.length > 0 || !Object.hasOwn(fields, id)) return [];
    return [compareBy(id, direction === 'true')];
  });
  return (a, b) => compares.reduce((result, compare) => result || compare(a, b), 0);
}

function compareBy(id: string, isDescending: boolean): Compare {
  const sign = isDescending ? -1 : 1;
  return (a, b) => {
    const x = a[id] ?? undefined;
    const y = b[id] ?? undefined;
    if (x === y) return 0;
    if (x === undefined) return 1;
    if (y === undefined) return -1;
    return isBefore(x, y) ? -sign : sign;
  };
}

function isBefore(x: unknown, y: unknown): boolean {
  if (typeof x === 'number' && typeof y === 'number') return x < y;
  return typeof x === 'boolean' ? !x : String(x) < String(y);
}

function rotate<T>(rows: readonly T[], by: number): T[] {
  const from = rows.length === 0 ? 0 : by % rows.length;
  return [...rows.slice(from), ...rows.slice(0, from)];
}

/** Returns the page for `limit` (1 to 1000, default 20) and `cursor` (skipN). */
export function cutPage<T>(rows: readonly T[], query: URLSearchParams) {
  const limit = readLimit(query.get('limit'));
  const skip = Number(/^skip(\d{1,15})$/.exec(query.get('cursor') ?? '')?.[1] ?? 0);
  const page = rows.slice(skip, skip + limit);
  return { rows: page, isFull: page.length === limit, next: `skip${skip + limit}` };
}

function readLimit(text: string | null): number {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) || number < 1 ? DEFAULT_LIMIT : Math.min(number, MAX_LIMIT);
}

/** Returns a page with a Link whenever the page is full, and with the total if requested and there are rows. */
function answerListPage<T>(call: ListCall, rows: readonly T[], show: (row: T) => unknown): DemoResponse {
  const { query } = call;
  const page = cutPage(rows, query);
  const headers: Record<string, string> = {};
  if (page.isFull) headers.link = `<${nextAddress(call, page.next)}>; rel="next"`;
  if (query.get('count') === '1' && page.rows.length > 0) headers['x-total-count'] = String(rows.length);
  return json(200, page.rows.map(show), headers);
}

function nextAddress({ request, query }: ListCall, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return `http://${request.headers.host ?? ''}${request.path}?${next}`;
}
