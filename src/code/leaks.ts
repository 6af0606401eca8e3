import { makeQueue } from '../util/async.ts';
import type { KeyIndex, KeyOwner } from './keyIndex.ts';
import {
  createBlockScan,
  type KeyBlock,
  type KeyPoint,
  MOST_BLOCK_LINES,
  mayBeSigned,
  readSigned,
  type SignedText,
} from './signedText.ts';
import { eachToken, hasStreamKeyShape, SHORTEST_KEY } from './tokens.ts';

/** A key in a document. `line` is 0-based; `start` and `end` (exclusive) are UTF-16 units in the line. */
export interface Leak {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly owner: KeyOwner;
  /** The line of `end`, for a key that spans several. */
  readonly endLine?: number;
}

export interface TextLines {
  readonly lineCount: number;
  lineAt(line: number): string;
}

/** One replacement of the lines `first` to `last` (inclusive) by `count` lines. Both are lines before the change. */
export interface LineChange {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/**
 * The keys to search for. `onUnknown` receives each unknown token that has the shape of a stream key, and
 * `onUnknownSigner` the point of each private key or token whose signing key is unknown.
 */
export interface KeySearch {
  readonly index: KeyIndex;
  readonly onUnknown: (token: string) => void;
  readonly onUnknownSigner: (point: KeyPoint) => void;
}

/** A file with more leaks is a dump of keys, and the rest of it needs no marks. */
export const MOST_LEAKS = 100;
/** If one of the first bytes, up to this many, is zero, the file isn't text. */
const BYTES_OF_TEXT = 8000;
const LINES_PER_SLICE = 200;
const CHARACTERS_PER_SLICE = 40_000;

/** Longer lines are data. */
const MOST_CHARACTERS = 5 * 1024 * 1024;

type Scan = Generator<void, readonly Leak[] | 'tooLarge'>;

/** Continues a scan for about `ms`. Returns 'more' if it hasn't finished. */
export function scanFor(scan: Scan, ms: number): readonly Leak[] | 'tooLarge' | 'more' {
  const end = performance.now() + ms;
  do {
    const step = scan.next();
    if (step.done) return step.value;
  } while (performance.now() < end);
  return 'more';
}

/** Scans all lines. Yields regularly, so that the caller can let other tasks run. */
export function* scanLines(lines: Iterable<string>, search: KeySearch): Scan {
  const leaks: Leak[] = [];
  const scanLine = createLineScan(search, leaks);
  const scanBlocks = createBlockScan((block) => addBlock(search, leaks, block));
  let line = 0;
  let characters = 0;
  let all = 0;
  for (const text of lines) {
    all += text.length;
    if (all > MOST_CHARACTERS) return 'tooLarge';
    scanLine(text, line);
    scanBlocks(text, line);
    if (leaks.length >= MOST_LEAKS) break;
    line += 1;
    characters += text.length;
    if (line % LINES_PER_SLICE === 0 || characters > CHARACTERS_PER_SLICE) {
      characters = 0;
      yield;
    }
  }
  return sorted(leaks);
}

function sorted(leaks: readonly Leak[]): readonly Leak[] {
  return leaks.toSorted((a, b) => a.line - b.line || a.start - b.start).slice(0, MOST_LEAKS);
}

/** Splits a document into lines on demand: splitting 5 MB of line breaks at once blocks for 200 ms. */
export function* splitLines(text: string): Generator<string, void> {
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\r|\n/g)) {
    yield text.slice(start, index);
    start = index + lineBreak.length;
  }
  yield text.slice(start);
}

const SLICE_MS = 4;

/** Runs a scan, letting other tasks run every 4 ms. Returns undefined if it's no longer wanted. */
export async function scanInSlices(
  scan: Scan,
  isWanted: () => boolean,
): Promise<readonly Leak[] | 'tooLarge' | undefined> {
  for (;;) {
    const leaks = scanFor(scan, SLICE_MS);
    if (leaks !== 'more') return leaks;
    await nextTurn();
    if (!isWanted()) return undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Returns a function that finds the leaks in a file's content. It returns undefined if that isn't text, or if the
 * signal is aborted. Scans one file at a time and lets other tasks run in between: a line of 5 MB takes 60 ms.
 */
export function createFileScan({
  index,
}: {
  readonly index: KeySearch['index'];
}): (bytes: Uint8Array, signal: AbortSignal) => Promise<readonly Leak[] | 'tooLarge' | undefined> {
  const inOrder = makeQueue();
  const scan = async (bytes: Uint8Array, signal: AbortSignal) => {
    await nextTurn();
    if (signal.aborted || bytes.subarray(0, BYTES_OF_TEXT).includes(0)) return undefined;
    const lines = splitLines(new TextDecoder().decode(bytes));
    return scanInSlices(
      scanLines(lines, { index, onUnknown: () => {}, onUnknownSigner: () => {} }),
      () => !signal.aborted,
    );
  };
  return (bytes, signal) => inOrder(() => scan(bytes, signal));
}

/**
 * Returns the leaks after changes that were made in sequence. Scans only the lines that changed. Returns the same array
 * if nothing is different.
 */
export function updateLeaks(
  leaks: readonly Leak[],
  changes: readonly LineChange[],
  { lines, search }: { readonly lines: TextLines; readonly search: KeySearch },
): readonly Leak[] {
  let kept: readonly Leak[] = leaks;
  for (const change of changes) kept = kept.length === 0 ? kept : shifted(kept, change);
  const scanned: Leak[] = [];
  const scanLine = createLineScan(search, scanned);
  const changed = changedLines(changes).filter((line) => line < lines.lineCount);
  for (const line of changed) scanLine(lines.lineAt(line), line);
  scanBlocksAround(changed, lines, (block) => addBlock(search, scanned, block));
  if (kept === leaks && scanned.length === 0) return leaks;
  return sorted([...kept, ...scanned]);
}

/** Reports the blocks that contain one of the lines, which are in ascending order. */
function scanBlocksAround(changed: readonly number[], lines: TextLines, onBlock: (block: KeyBlock) => void): void {
  const isChanged = new Set(changed);
  const reported = (block: KeyBlock) => {
    for (let line = block.line; line <= block.endLine; line += 1) if (isChanged.has(line)) return onBlock(block);
  };
  let scan = createBlockScan(reported);
  let next = 0;
  for (const line of changed) {
    const first = line - MOST_BLOCK_LINES + 1;
    if (first > next) scan = createBlockScan(reported);
    const last = Math.min(line + MOST_BLOCK_LINES, lines.lineCount);
    for (next = Math.max(first, next); next < last; next += 1) scan(lines.lineAt(next), next);
  }
}

interface Span {
  readonly first: number;
  readonly last: number;
}

function shifted(leaks: readonly Leak[], { first, last, count }: LineChange): readonly Leak[] {
  const delta = count - (last - first + 1);
  const isSame = leaks.every((leak) => lastLineOf(leak) < first || (leak.line > last && delta === 0));
  if (isSame) return leaks;
  return leaks.flatMap((leak) => {
    if (lastLineOf(leak) < first) return [leak];
    return leak.line > last ? [moved(leak, delta)] : [];
  });
}

/** Returns the last line of a leak. */
export function lastLineOf({ line, endLine }: Leak): number {
  return endLine ?? line;
}

function moved(leak: Leak, delta: number): Leak {
  const { line, endLine } = leak;
  return { ...leak, line: line + delta, ...(endLine !== undefined && { endLine: endLine + delta }) };
}

/** Returns the parts of a pending span that a later change leaves, with their new line numbers. */
function spanAfter(span: Span, { first, last, count }: LineChange): readonly Span[] {
  const delta = count - (last - first + 1);
  const parts: Span[] = [];
  if (span.first < first) parts.push({ first: span.first, last: Math.min(span.last, first - 1) });
  if (span.last > last) parts.push({ first: Math.max(span.first, last + 1) + delta, last: span.last + delta });
  return parts;
}

/** Returns the changed lines in ascending order. */
function changedLines(changes: readonly LineChange[]): readonly number[] {
  const [only, ...others] = changes;
  if (only === undefined) return [];
  if (others.length === 0 && only.count === 1) return [only.first];
  let dirty: readonly Span[] = [];
  for (const change of changes) {
    const { first, count } = change;
    dirty = [...dirty.flatMap((span) => spanAfter(span, change)), { first, last: first + count - 1 }];
  }
  const lines = new Set<number>();
  for (const { first, last } of dirty) for (let line = first; line <= last; line += 1) lines.add(line);
  return [...lines].sort((a, b) => a - b);
}

/** Returns a function that adds the leaks of a line to `leaks`. */
function createLineScan(search: KeySearch, leaks: Leak[]): (text: string, line: number) => void {
  const { index, onUnknown } = search;
  return (text, line) => {
    if (text.length < SHORTEST_KEY) return;
    eachToken(text, (start, end) => {
      if (mayBeSigned(text, start, end)) addSigned(search, leaks, { line, start, ...readSigned(text, start, end) });
      const isOfLength = index.hasLength(end - start);
      if (!isOfLength && (end - start) % 5 !== 4) return;
      const token = text.slice(start, end);
      const owner = isOfLength ? index.find(token) : undefined;
      if (owner !== undefined) leaks.push({ line, start, end, owner });
      else if (hasStreamKeyShape(token)) onUnknown(token);
    });
  };
}

type FoundText = Pick<Leak, 'line' | 'start'> & Partial<SignedText>;

/** Adds a token, or a Base64-encoded private key, if it belongs to the account. */
function addSigned(search: KeySearch, leaks: Leak[], { line, start, end, point, claims }: FoundText): void {
  if (point === undefined || end === undefined) return;
  const { index } = search;
  const key = index.findSigningKey(point);
  if (key === undefined) search.onUnknownSigner(point);
  else if (claims === undefined) leaks.push({ line, start, end, owner: { kind: 'privateKey', ...key } });
  else {
    const { playbackId, expiresAt } = claims;
    const playback = index.findStream(playbackId)?.name ?? playbackId;
    leaks.push({ line, start, end, owner: { kind: 'token', id: key.id, playback, expiresAt } });
  }
}

function addBlock({ index, onUnknownSigner }: KeySearch, leaks: Leak[], { point, ...range }: KeyBlock): void {
  const key = index.findSigningKey(point);
  const { endLine, ...found } = range;
  if (key === undefined) onUnknownSigner(point);
  else leaks.push({ ...found, owner: { kind: 'privateKey', ...key }, ...(endLine > found.line && { endLine }) });
}
