import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isAbortError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { type StreamState, streamState } from '../../model/store/streams.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { streamIcon } from '../../tree/streamRow.ts';
import { timeSince } from '../../util/age.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { MOST_ID_LENGTH, nameOf } from '../messages.ts';

type Needed = Pick<CommandContext, 'ui' | 'store' | 'current' | 'clock'>;

const KEPT_FOR_MS = 5 * 60_000;
const LABEL_LENGTH = 200;
const NO_STREAM = '';

/**
 * Picks one of all streams by name, id or playback id. Starts with the loaded and recently listed streams and those
 * that were live last. Searches at the service as the user types and, if that finds nothing, lists all streams. Returns
 * undefined if dismissed. Throws ApiError.
 */
export async function pickStream(context: Needed, title: string): Promise<Stream | undefined> {
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  const choice = new StreamChoice(context, context.current.account);
  const id = await context.ui.pick<string>({
    title,
    placeholder: t('Name, ID or playback ID'),
    items: (picker) => choice.fill(picker),
    matchOnDescription: true,
  });
  if (id === undefined || id === NO_STREAM) return choice.dismissed();
  return choice.get(id);
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
  readonly #context: Needed;
  readonly #account: Account;
  readonly #streams = new Map<string, Stream>();
  /** Whether this picker has listed all streams. A list kept from an earlier one may lack the newest. */
  #isComplete = false;
  /** The first short list; never rejects. */
  #recent = Promise.resolve();
  /** The walk that is running or was successful. */
  #walking: Promise<void> | undefined;
  #pending = 0;
  #failure: unknown;
  #search: AbortController | undefined;

  constructor(context: Needed, account: Account) {
    this.#context = context;
    this.#account = account;
    for (const { stream } of context.store.snapshot.streams.values()) this.#streams.set(stream.id, stream);
  }

  get(id: string): Stream | undefined {
    return this.#streams.get(id);
  }

  /** Throws the load error if there was nothing to show because of it. */
  dismissed(): undefined {
    if (this.#streams.size === 0 && this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  fill(picker: PickSession<string>): void {
    const known = this.#listedBefore();
    if (known === undefined) this.#recent = this.#during(picker, () => this.#listRecent(picker));
    else {
      if (known.isWhole) this.#walking = Promise.resolve();
      this.#takeUnknown(known.streams);
      this.#show(picker);
    }
    const typing = picker.onDidType((text) => {
      this.#search?.abort();
      void this.#during(picker, () => this.#find(picker, text.trim()));
    });
    picker.signal.addEventListener('abort', () => {
      typing.dispose();
      this.#search?.abort();
    });
  }

  /** Never rejects. The picker is busy meanwhile. */
  async #during(picker: PickSession<string>, run: () => Promise<void>): Promise<void> {
    this.#pending += 1;
    this.#show(picker);
    try {
      await run();
    } catch (error) {
      if (!isAbortError(error)) this.#failure ??= error;
    }
    this.#pending -= 1;
    this.#show(picker);
  }

  #listedBefore(): Listed | undefined {
    const before = listed.get(this.#account);
    const isFresh = before !== undefined && timeSince(before.at, this.#context.clock.now()) < KEPT_FOR_MS;
    return isFresh && before.streams.length > 0 ? before : undefined;
  }

  async #listRecent(picker: PickSession<string>): Promise<void> {
    const { streams, isComplete } = await this.#account.listRecentStreams(picker.signal);
    this.#isComplete = isComplete;
    this.#take(streams);
    this.#keep(streams, { isWhole: isComplete });
  }

  /** Lists all streams once: services may not search, or not find the text, such as part of an id. */
  #walk(picker: PickSession<string>): Promise<void> {
    this.#walking ??= this.#listAll(picker).catch((error: unknown) => {
      this.#walking = undefined;
      throw error;
    });
    return this.#walking;
  }

  async #listAll(picker: PickSession<string>): Promise<void> {
    const all: Stream[] = [];
    for await (const { streams, isComplete } of this.#account.listEveryStream(picker.signal)) {
      all.push(...streams);
      this.#take(streams);
      this.#isComplete = isComplete;
      this.#show(picker);
    }
    this.#failure = undefined;
    this.#keep(all, { isWhole: true });
  }

  #keep(streams: readonly Stream[], { isWhole }: Pick<Listed, 'isWhole'>): void {
    listed.set(this.#account, { streams, at: this.#context.clock.now(), isWhole });
  }

  /** Searches at the service by name and, if the text can be an id, by id. Then lists all streams if none matches. */
  async #find(picker: PickSession<string>, text: string): Promise<void> {
    // An account that needed a walk is large enough to have got new streams since.
    const hasAll = this.#isComplete && this.#walking === undefined;
    if (text === '' || hasAll || picker.signal.aborted) return;
    const search = new AbortController();
    this.#search = search;
    const { signal } = search;
    const found = this.#account.searchStreams(text, signal);
    await Promise.all(found.map((each) => this.#takeFound(picker, each)));
    // It may hold the stream, or be the whole account.
    await this.#recent;
    if (!signal.aborted && !this.#isComplete && !this.#hasMatch(text)) await this.#walk(picker);
  }

  #hasMatch(text: string): boolean {
    const part = text.toLowerCase();
    const isIn = (value: string | undefined) => value?.toLowerCase().includes(part) === true;
    return [...this.#streams.values()].some(({ name, id, playbackId }) => isIn(name) || isIn(id) || isIn(playbackId));
  }

  async #takeFound(picker: PickSession<string>, found: Promise<readonly Stream[]>): Promise<void> {
    try {
      this.#take(await found);
    } catch (error) {
      if (isAbortError(error)) return;
      this.#failure ??= error;
    }
    this.#show(picker);
  }

  /** The window's streams are newer than those kept from an earlier picker, and it knows which were deleted since. */
  #takeUnknown(streams: readonly Stream[]): void {
    const { settled } = this.#context.store.snapshot;
    this.#take(streams.filter(({ id }) => !this.#streams.has(id) && settled.get(id)?.isGone !== true));
  }

  #take(streams: readonly Stream[]): void {
    for (const stream of streams) this.#streams.set(stream.id, stream);
  }

  #show(picker: PickSession<string>): void {
    if (picker.signal.aborted) return;
    const items = [...this.#streams.values()].sort(liveThenSeen).map((stream) => this.#itemOf(stream));
    const sentence = this.#sentence(items.length);
    // An item, because a separator with nothing below it isn't rendered.
    if (sentence !== undefined) items.push({ ...sentence, value: NO_STREAM });
    picker.show(items, this.#pending > 0);
  }

  #itemOf(stream: Stream): PickItem<string> {
    const fact = this.#context.store.snapshot.streams.get(stream.id);
    const state = fact === undefined ? stateAlone(stream) : streamState(fact);
    const parts = [
      STATE_WORDS[state](),
      stream.playbackId && oneLine(stream.playbackId, MOST_ID_LENGTH),
      stream.id,
    ].filter((part) => part !== undefined);
    return {
      label: nameOf(stream, LABEL_LENGTH),
      description: parts.join(' · '),
      icon: streamIcon(state, stream).id,
      value: stream.id,
    };
  }

  #sentence(count: number): { readonly label: string; readonly icon: string } | undefined {
    if (this.#failure !== undefined) {
      const service = this.#context.current.info?.name ?? t('The service');
      return { label: describeError(this.#failure, { service }), icon: 'warning' };
    }
    return this.#isComplete && count === 0 ? { label: t('There are no streams.'), icon: 'info' } : undefined;
  }
}

const STATE_WORDS: Readonly<Record<StreamState, () => string>> = {
  live: () => t('live'),
  stale: () => t('live?'),
  idle: () => t('idle'),
  suspended: () => t('suspended'),
};

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
