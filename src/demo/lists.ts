import { type Answer, json } from './answer.ts';
import type { DemoRequest } from './demoContract.ts';
import type { Fields, Row } from './filters.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

type Compare = (a: Row, b: Row) => number;

export const DEFAULT_ORDER = 'lastSeen-true,createdAt-true';

/** Parses an order such as 'createdAt-true,name-false' (true: descending). Unknown fields are ignored. */
export function makeOrder(order: string, fields: Fields): Compare {
  const compares = order.split(',').flatMap((part) => {
    const [id = '', direction, ...rest] = part.split('-');
    if (direction === undefined || rest.length > 0 || !Object.hasOwn(fields, id)) return [];
    return [compareBy(id, direction === 'true')];
  });
  return (a, b) => {
    for (const compare of compares) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
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

export function rotate<T>(rows: readonly T[], by: number): T[] {
  const from = rows.length === 0 ? 0 : by % rows.length;
  return [...rows.slice(from), ...rows.slice(0, from)];
}

export interface PageOf<T> {
  readonly rows: readonly T[];
  readonly isFull: boolean;
  readonly next: string;
}

/** Returns the page for `limit` (1 to 1000, default 20) and `cursor` (skipN). */
export function cutPage<T>(rows: readonly T[], query: URLSearchParams): PageOf<T> {
  const limit = readLimit(query.get('limit'));
  const skip = Number(/^skip(\d{1,15})$/.exec(query.get('cursor') ?? '')?.[1] ?? 0);
  const page = rows.slice(skip, skip + limit);
  return { rows: page, isFull: page.length === limit, next: `skip${skip + limit}` };
}

function readLimit(text: string | null): number {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) || number < 1 ? DEFAULT_LIMIT : Math.min(number, MAX_LIMIT);
}

export interface ListCall {
  readonly request: DemoRequest;
  readonly query: URLSearchParams;
}

/** Returns a page with a Link whenever the page is full, and with the total if requested and there are rows. */
export function answerPage<T>(call: ListCall, rows: readonly T[], show: (row: T) => unknown): Answer {
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
