import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { FOUND_AT_MOST } from '../../model/account/reads.ts';
import { type StreamState, streamState } from '../../model/store/streams.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { idleLabel, liveLabel } from '../../texts/labels.ts';
import { MOST_ID_LENGTH, nameOf, withConnection } from '../../texts/names.ts';
import { beingRecordedWord, faultWord, privateWord, streamIcon, suspendedWord } from '../../texts/streams.ts';
import { timeSince } from '../../util/clock.ts';
import { joinParts, oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { FillingPicker, type FillingPickerOptions } from './fillingPicker.ts';

const KEPT_FOR_MS = 5 * 60_000;
const LABEL_LENGTH = 200;
const SHORT_ID_LENGTH = 8;
/** Shorter texts are in many ids by chance. */
const PART_OF_ID_LENGTH = 4;

export interface StreamPickerOptions {
  readonly buttons?: FillingPickerOptions<Stream>['buttons'];
  /** Whether live streams are last: for what would disturb their viewers. */
  readonly isIdleFirst?: boolean;
}

/**
 * Picks one of all streams by name, id or playback id. Starts with the loaded and recently listed streams and those
 * that were live last. Searches the service as the user types and, if that finds nothing, lists all streams. Returns
 * undefined if dismissed. Throws ApiError.
 */
export async function pickStream(
  context: CommandContext,
  title: string,
  options: StreamPickerOptions = {},
): Promise<Stream | undefined> {
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  return new StreamChoice(context, context.current.account, { title, ...options }).picker.pick();
}

/** The streams of an account, kept for the next picker. */
interface Listed {
  readonly streams: readonly Stream[];
  readonly at: number;
  readonly isWhole: boolean;
}

/** Keyed by account, so that an entry goes with its connection. */
const listed = new WeakMap<Account, Listed>();

class StreamChoice {
  readonly picker: FillingPicker<Stream>;
  readonly #context: CommandContext;
  readonly #account: Account;
  /** Whether this picker has listed all streams. A list kept from an earlier one may lack the newest. */
  #isComplete = false;
  readonly #isIdleFirst: boolean;
  /** Whether the first short list arrived or failed. */
  #hasRecent = false;
  /** The first short list; never rejects. */
  #recent = Promise.resolve();
  /** The walk that is running or was successful. */
  #walking: Promise<void> | undefined;
  #search: AbortController | undefined;
  /** Without the space around it. */
  #typed = '';
  /** Texts in lower case of which all streams with the text in their names were found. */
  readonly #whole: string[] = [];

  constructor(
    context: CommandContext,
    account: Account,
    { isIdleFirst = false, ...options }: StreamPickerOptions & { readonly title: string },
  ) {
    this.#context = context;
    this.#account = account;
    this.#isIdleFirst = isIdleFirst;
    this.picker = new FillingPicker<Stream>(context, {
      ...options,
      placeholder: t('Search by name, ID, or playback ID'),
      items: (streams, typed) => this.#itemsOf(streams, typed),
      noMatch: () => withConnection(context, t('No matching streams')),
      sentence: (count) => (this.#isComplete && count === 0 ? t('No streams found') : undefined),
      fill: (session) => this.#fill(session),
    });
    this.picker.add([...context.store.snapshot.streams.values()].map(({ stream }) => stream));
  }

  #fill({ signal, onDidType }: PickSession<string>): void {
    const known = this.#listedBefore();
    if (known === undefined) this.#recent = this.picker.load(() => this.#listRecent(signal));
    else {
      if (known.isWhole) this.#walking = Promise.resolve();
      this.#hasRecent = true;
      this.#addUnknown(known.streams);
      this.picker.show();
    }
    const typing = onDidType((text) => {
      // "Channel " finds what "Channel" did.
      if (text.trim() === this.#typed) return;
      this.#typed = text.trim();
      this.#search?.abort();
      void this.picker.load(() => this.#find(this.#typed, signal));
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
      this.#hasRecent = true;
    });
    this.#isComplete = isComplete;
    this.picker.add(streams);
    this.#keep(streams, { isWhole: isComplete });
  }

  /** Lists all streams once: services may not search, or not find the text, such as part of an id. */
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
      this.picker.add(streams);
      this.#isComplete = isComplete;
      this.picker.show();
    }
    this.picker.failure = undefined;
    this.#keep(all, { isWhole: true });
  }

  #keep(streams: readonly Stream[], { isWhole }: { readonly isWhole: boolean }): void {
    listed.set(this.#account, { streams, at: this.#context.clock.now(), isWhole });
  }

  /** Searches the service by name and, if the text can be an id, by id. Then lists all streams if none matches. */
  async #find(text: string, closed: AbortSignal): Promise<void> {
    // An account that needed a walk is large enough to have got new streams since.
    const hasAll = this.#isComplete && this.#walking === undefined;
    if (text === '' || hasAll || closed.aborted) return;
    const search = new AbortController();
    this.#search = search;
    const { signal } = search;
    const byName = !this.#isKnownByName(text);
    const found = this.#account.searchStreams(text, signal, { byName });
    await Promise.all(found.map((each) => this.picker.load(async () => this.picker.add(await each))));
    const named = byName ? await found[0]?.catch(() => undefined) : undefined;
    if (named !== undefined && named.length < FOUND_AT_MOST) this.#whole.push(text.toLowerCase());
    // It may hold the stream, or be the whole account.
    await this.#recent;
    if (!signal.aborted && !this.#isComplete && !this.#hasMatch(text)) await this.#walk(closed);
  }

  /** Whether all streams with part of this text in their names were found, and so all with the text. */
  #isKnownByName(text: string): boolean {
    const wanted = text.toLowerCase();
    return this.#whole.some((part) => wanted.includes(part));
  }

  #hasMatch(text: string): boolean {
    const part = text.toLowerCase();
    const matches = (stream: Stream) =>
      labelOf(stream).toLowerCase().includes(part) || idThatMatches(stream, text) !== undefined;
    return [...this.picker.rows.values()].some(matches);
  }

  /** The window's streams are newer than those kept from an earlier picker, and it knows which were deleted since. */
  #addUnknown(streams: readonly Stream[]): void {
    const { recentChanges } = this.#context.store.snapshot;
    this.picker.add(streams.filter(({ id }) => !this.picker.rows.has(id) && recentChanges.get(id)?.isGone !== true));
  }

  #itemsOf(streams: readonly Stream[], typed: string): readonly PickItem<string>[] {
    const { snapshot } = this.#context.store;
    const { streams: facts, createdIds } = snapshot;
    const faultOf = ({ id }: Stream) => {
      const fact = facts.get(id);
      return fact && faultWord(snapshot, fact);
    };
    const states = new Map(
      streams.map((stream) => {
        const fact = facts.get(stream.id);
        return [stream, fact === undefined ? stateAlone(stream) : streamState(fact)];
      }),
    );
    if (!this.#isIdleFirst) return streamItems(states, typed, { createdIds, faultOf });
    // The highlight stays where it is when rows arrive: a live stream mustn't be there first.
    const shown = this.#hasRecent ? states : new Map([...states].filter(([, state]) => state !== 'live'));
    return streamItems(shown, typed, { createdIds, faultOf, groups: IDLE_FIRST });
  }
}

/**
 * The items of streams, below separators by state. Several with one name have their id beside it.
 * @param createdIds streams that come first until they have been live, as in the view
 */
export function streamItems(
  states: ReadonlyMap<Stream, StreamState>,
  typed: string,
  { groups = LIVE_FIRST, createdIds = new Set(), faultOf = () => undefined }: StreamItemsOptions = {},
): readonly PickItem<string>[] {
  const isNew = ({ id, lastSeen }: Stream) => Number(lastSeen === undefined && createdIds.has(id));
  const sorted = [...states.keys()].sort((a, b) => isNew(b) - isNew(a) || liveThenSeen(a, b));
  const counts = Map.groupBy(sorted, labelOf);
  return groups.flatMap(({ label, has }) => {
    const streams = sorted.filter((stream) => has(states.get(stream) ?? 'idle'));
    const separator = { label: label(), isSeparator: true } as const;
    const items = streams.map((stream) => {
      const hasTwin = (counts.get(labelOf(stream))?.length ?? 0) > 1;
      const state = states.get(stream) ?? 'idle';
      return itemOf(stream, { state, typed, hasTwin, fault: state === 'live' ? faultOf(stream) : undefined });
    });
    return items.length === 0 ? [] : [separator, ...items];
  });
}

interface StreamItemsOptions {
  readonly groups?: readonly StreamGroup[];
  readonly createdIds?: ReadonlySet<string>;
  readonly faultOf?: (stream: Stream) => string | undefined;
}

interface StreamGroup {
  readonly label: () => string;
  readonly has: (state: StreamState) => boolean;
}

const STALE: StreamGroup = { label: () => t('No data'), has: (state) => state === 'stale' };
const IDLE: StreamGroup = { label: idleLabel, has: (state) => state === 'idle' || state === 'suspended' };
const isLive = (state: StreamState) => state === 'live';
const LIVE_FIRST: readonly StreamGroup[] = [{ label: liveLabel, has: isLive }, STALE, IDLE];
const IDLE_FIRST: readonly StreamGroup[] = [IDLE, STALE, { label: () => t('Already live'), has: isLive }];

function itemOf(
  stream: Stream,
  {
    state,
    typed,
    hasTwin,
    fault,
  }: {
    readonly state: StreamState;
    readonly typed: string;
    readonly hasTwin: boolean;
    readonly fault: string | undefined;
  },
): PickItem<string> {
  const label = labelOf(stream);
  const found = idThatMatches(stream, typed);
  const description = joinParts(
    fault,
    state === 'live' && stream.record && beingRecordedWord(),
    state === 'suspended' && suspendedWord(),
    privateWord(stream),
    hasTwin && found === undefined && label !== stream.id && stream.id.slice(0, SHORT_ID_LENGTH),
    found,
  );
  return { label, description, icon: streamIcon(state, stream, fault !== undefined).id, value: stream.id };
}

/** Returns the id or playback ID if it matches what is typed and the name doesn't. The editor searches what is shown. */
function idThatMatches(stream: Stream, typed: string): string | undefined {
  const text = typed.toLowerCase();
  if (text.length < PART_OF_ID_LENGTH || labelOf(stream).toLowerCase().includes(text)) return undefined;
  const found = [stream.playbackId, stream.id].find((id) => id?.toLowerCase().includes(text));
  return found && oneLine(found, MOST_ID_LENGTH);
}

function labelOf(stream: Stream): string {
  return nameOf(stream, LABEL_LENGTH);
}

function stateAlone(stream: Stream): StreamState {
  if (stream.isActive) return 'live';
  return stream.suspended === true ? 'suspended' : 'idle';
}

function liveThenSeen(a: Stream, b: Stream): number {
  return (
    Number(b.isActive) - Number(a.isActive) ||
    (b.lastSeen ?? 0) - (a.lastSeen ?? 0) ||
    (b.createdAt ?? 0) - (a.createdAt ?? 0)
  );
}
