import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { FOUND_AT_MOST } from '../../model/account/reads.ts';
import type { PickSession } from '../../services.ts';
import { withConnection } from '../../texts/listedNames.ts';
import { timeSince } from '../../util/clock.ts';
import type { CommandContext } from '../context.ts';
import { FillingPicker, type FillingPickerOptions } from './fillingPicker.ts';
import type { RowInFront } from './frontRows.ts';
import { targetsInFront } from './inFront.ts';
import {
  type FirstStreams,
  isActive,
  isMeantFirst,
  type ListedConnection,
  type ListedStream,
  listedConnections,
  listStreams,
  matchesStream,
  problemsOf,
  streamItems,
} from './listedStreams.ts';
import { idInUrl, isUrlOrKey } from './pastedText.ts';

const KEPT_FOR_MS = 5 * 60_000;

export interface StreamPickerOptions {
  readonly buttons?: FillingPickerOptions<ListedStream>['buttons'];
  /** The streams to list first: those that the command can be for. Default: live ones. */
  readonly first?: FirstStreams | undefined;
  /** Whether a live stream in front isn't first, because the command would affect its viewers. */
  readonly disturbsLive?: boolean;
  /** Whether to list only streams that the service reports as live. */
  readonly isOnlyOfActive?: boolean;
  /** Whether a stream other than the one in front is meant, so that that one isn't first. */
  readonly isForOther?: boolean;
}

/**
 * Picks one of all streams by name, ID, playback ID, URL, or key. Starts with the loaded and recently listed streams
 * and those that were live last. Searches the service as the user types and, if that finds nothing, lists all streams.
 * While several connections are shown, lists the streams of all; for one of another connection, runs the command again
 * there and returns undefined. Returns undefined if dismissed, too. Throws ApiError.
 */
export async function pickStream(
  context: CommandContext,
  title: string,
  options: StreamPickerOptions = {},
): Promise<Stream | undefined> {
  const connections = listedConnections(context);
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  if (!connections.some(({ connection }) => connection.isOpen)) context.connection.requireOpen();
  return takePicked(context, await new StreamPicker(context, connections, { title, ...options }).pick());
}

/** Returns a picked stream of this connection. Runs the command again for one of another. */
async function takePicked(context: CommandContext, picked: ListedStream | undefined): Promise<Stream | undefined> {
  if (picked === undefined || picked.of.isOwn) return picked?.stream;
  await context.runBeside?.(picked.of.info, picked.stream.id);
  return undefined;
}

/** The streams of an account, kept for the next picker. */
interface Listed {
  readonly streams: readonly Stream[];
  readonly at: number;
  readonly isWhole: boolean;
}

/** Keyed by account, so that an entry disappears with its connection. */
const listed = new WeakMap<Account, Listed>();

class StreamPicker {
  readonly #picker: FillingPicker<ListedStream>;
  readonly #searches: readonly StreamSearch[];
  readonly #first: FirstStreams | undefined;
  readonly #disturbsLive: boolean;
  readonly #isOnlyOfActive: boolean;
  readonly #front: readonly RowInFront[];

  constructor(
    context: CommandContext,
    connections: readonly ListedConnection[],
    given: StreamPickerOptions & { readonly title: string },
  ) {
    const { first, disturbsLive = false, isOnlyOfActive = false, isForOther = false, ...options } = given;
    this.#first = first;
    this.#disturbsLive = disturbsLive;
    this.#isOnlyOfActive = isOnlyOfActive;
    const isOfAll = connections.length > 1;
    const sentenceOfNone = () =>
      this.#searches.every(({ isComplete }) => isComplete) ? t('No streams found') : undefined;
    const noMatch = (words: string) => (isOfAll ? words : withConnection(context, words));
    this.#picker = new FillingPicker<ListedStream>(context, {
      ...options,
      isOfAllConnections: isOfAll,
      placeholder: t('Search by name, ID, playback ID, or URL'),
      items: (streams, typed) => this.#itemsOf(streams, typed),
      noMatch: () => noMatch(t('No matching streams')),
      notices: () => problemsOf(connections.filter(({ label }) => !this.#picker.failures.has(label))),
      sentence(count, isBusy) {
        if (count > 0 || isBusy) return undefined;
        return isOnlyOfActive ? t('No live streams') : sentenceOfNone();
      },
      fill: (session) => {
        for (const search of this.#searches) search.fill(session);
      },
    });
    this.#searches = connections
      .filter(({ connection }) => connection.isOpen)
      .map((connection) => new StreamSearch(context, connection, this.#picker));
    for (const { of } of this.#searches) {
      this.#picker.add(
        listStreams(
          of,
          [...of.store.snapshot.streams.values()].map(({ stream }) => stream),
        ),
      );
    }
    // No others: later ones would move the existing rows.
    this.#front = (isForOther ? [] : targetsInFront(context, connections)).flatMap(({ label, of, streamId }) =>
      [...this.#picker.rows.values()]
        .filter((row) => row.of === of && row.stream.id === streamId)
        .map(({ id }) => ({ label, id })),
    );
  }

  pick(): Promise<ListedStream | undefined> {
    return this.#picker.pick();
  }

  #itemsOf(listed: readonly ListedStream[], typed: string) {
    const first = this.#first;
    const streams = this.#isOnlyOfActive ? listed.filter(isActive) : listed;
    if (first === undefined) return streamItems(streams, typed, { front: this.#front });
    // The highlight stays in place when rows arrive, so a stream that isn't meant mustn't be first.
    const hasRecent = this.#searches.every((search) => search.hasRecent);
    const meant = new Set(streams.filter((each) => isMeantFirst(first, each)).map(({ id }) => id));
    const front = this.#disturbsLive ? this.#front.filter(({ id }) => meant.has(id)) : this.#front;
    for (const { id } of front) meant.add(id);
    return streamItems(hasRecent ? streams : streams.filter(({ id }) => meant.has(id)), typed, { first, front });
  }
}

/** Lists and searches the streams of one connection. */
class StreamSearch {
  readonly of: ListedConnection;
  /** Whether this picker has listed all streams. A list kept from an earlier one may lack the newest. */
  isComplete = false;
  /** Whether the first short list arrived or failed. */
  hasRecent = false;
  readonly #context: CommandContext;
  readonly #account: Account;
  readonly #picker: FillingPicker<ListedStream>;
  /** The first short list; never rejects. */
  #recent = Promise.resolve();
  /** The walk that is running or was successful. */
  #walking: Promise<void> | undefined;
  #search: AbortController | undefined;
  /** Trimmed. */
  #typed = '';
  /** Lowercase queries for which all streams with the text in their names were found. */
  readonly #whole: string[] = [];

  constructor(context: CommandContext, of: ListedConnection, picker: FillingPicker<ListedStream>) {
    this.of = of;
    this.#context = context;
    this.#account = of.connection.account;
    this.#picker = picker;
  }

  fill({ signal, onDidType }: PickSession<string>): void {
    const known = this.#listedBefore();
    if (known === undefined) this.#recent = this.#load(() => this.#listRecent(signal));
    else {
      if (known.isWhole) this.#walking = Promise.resolve();
      this.hasRecent = true;
      void this.#load(async () => this.#addUnknown(known.streams));
    }
    const typing = onDidType((text) => {
      // "Channel " finds what "Channel" did.
      if (text.trim() === this.#typed) return;
      this.#typed = text.trim();
      this.#search?.abort();
      void this.#load(() => this.#find(this.#typed, signal));
    });
    signal.addEventListener('abort', () => {
      typing.dispose();
      this.#search?.abort();
    });
  }

  #listedBefore(): Listed | undefined {
    const before = listed.get(this.#account);
    const isFresh = before !== undefined && timeSince(before.at, this.#context.clock.now()) < KEPT_FOR_MS;
    return isFresh && before.streams.length > 0 ? before : undefined;
  }

  async #listRecent(signal: AbortSignal): Promise<void> {
    const { streams, isComplete } = await this.#account.listRecentStreams(signal).finally(() => {
      this.hasRecent = true;
    });
    this.isComplete = isComplete;
    this.#add(streams);
    this.#keep(streams, { isWhole: isComplete });
  }

  /** Lists all streams once: services may not search, or not find the text, such as part of an ID. */
  #walk(signal: AbortSignal): Promise<void> {
    this.#walking ??= this.#listAll(signal).catch((error: unknown) => {
      this.#walking = undefined;
      throw error;
    });
    return this.#walking;
  }

  async #listAll(signal: AbortSignal): Promise<void> {
    const all: Stream[] = [];
    for await (const { streams, isComplete } of this.#account.listEveryStream(signal)) {
      all.push(...streams);
      this.#add(streams);
      this.isComplete = isComplete;
      this.#picker.show();
    }
    this.#picker.failures.delete(this.of.label);
    this.#keep(all, { isWhole: true });
  }

  #keep(streams: readonly Stream[], { isWhole }: { readonly isWhole: boolean }): void {
    listed.set(this.#account, { streams, at: this.#context.clock.now(), isWhole });
  }

  /** Searches the service by name and, if the text is or has an ID, by that. Then lists all streams if none matches. */
  async #find(text: string, closed: AbortSignal): Promise<void> {
    // An account that needed a walk is large enough to have got new streams since.
    const hasAll = this.isComplete && this.#walking === undefined;
    const isPasted = isUrlOrKey(text);
    if (text === '' || hasAll || closed.aborted || (isPasted && this.#hasMatch(text))) return;
    const search = new AbortController();
    this.#search = search;
    const { signal } = search;
    const wanted = isPasted ? idInUrl(text) : text;
    const byName = !isPasted && !this.#isKnownByName(text);
    const found = wanted === undefined ? [] : this.#account.searchStreams(wanted, signal, { byName });
    await Promise.all(found.map((each) => this.#load(async () => this.#add(await each))));
    const named = byName ? await found[0]?.catch(() => undefined) : undefined;
    if (named !== undefined && named.length < FOUND_AT_MOST) this.#whole.push(text.toLowerCase());
    // The short list may contain the stream, or be the whole account.
    await this.#recent;
    if (!signal.aborted && !this.isComplete && !this.#hasMatch(text)) await this.#walk(closed);
  }

  /** Whether all streams with part of this text in their names were found, and so all with the text. */
  #isKnownByName(text: string): boolean {
    const wanted = text.toLowerCase();
    return this.#whole.some((part) => wanted.includes(part));
  }

  /** Whether any of the connections has the stream. */
  #hasMatch(text: string): boolean {
    return [...this.#picker.rows.values()].some(({ stream }) => matchesStream(stream, text));
  }

  #add(streams: readonly Stream[]): void {
    this.#picker.add(listStreams(this.of, streams));
  }

  #load(run: () => Promise<void>): Promise<void> {
    return this.#picker.load(run, this.of);
  }

  /** The window's streams are newer than those kept from an earlier picker, and it knows which were deleted since. */
  #addUnknown(streams: readonly Stream[]): void {
    const { recentChanges } = this.of.store.snapshot;
    const rows = listStreams(this.of, streams);
    this.#picker.add(
      rows.filter(({ id, stream }) => !this.#picker.rows.has(id) && recentChanges.get(stream.id)?.isGone !== true),
    );
  }
}
