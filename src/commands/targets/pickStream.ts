import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { type StreamState, streamState } from '../../model/store/streams.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { streamIcon } from '../../tree/streamRow.ts';
import { timeSince } from '../../util/age.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { MOST_ID_LENGTH, nameOf } from '../messages.ts';
import { FillingPicker } from './fillingPicker.ts';

type Needed = Pick<CommandContext, 'ui' | 'store' | 'current' | 'clock'>;

const KEPT_FOR_MS = 5 * 60_000;
const LABEL_LENGTH = 200;

/**
 * Picks one of all streams by name, id or playback id. Starts with the loaded and recently listed streams and those
 * that were live last. Searches at the service as the user types and, if that finds nothing, lists all streams. Returns
 * undefined if dismissed. Throws ApiError.
 */
export async function pickStream(context: Needed, title: string): Promise<Stream | undefined> {
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  return new StreamChoice(context, context.current.account, title).picker.pick();
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
  readonly #context: Needed;
  readonly #account: Account;
  /** Whether this picker has listed all streams. A list kept from an earlier one may lack the newest. */
  #isComplete = false;
  /** The first short list; never rejects. */
  #recent = Promise.resolve();
  /** The walk that is running or was successful. */
  #walking: Promise<void> | undefined;
  #search: AbortController | undefined;

  constructor(context: Needed, account: Account, title: string) {
    this.#context = context;
    this.#account = account;
    this.picker = new FillingPicker<Stream>(context, {
      title,
      placeholder: t('Name, ID, or playback ID'),
      items: (streams) => [...streams].sort(liveThenSeen).map((stream) => this.#itemOf(stream)),
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
      this.#addUnknown(known.streams);
      this.picker.show();
    }
    const typing = onDidType((text) => {
      this.#search?.abort();
      void this.picker.load(() => this.#find(text.trim(), signal));
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
    const { streams, isComplete } = await this.#account.listRecentStreams(signal);
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

  #keep(streams: readonly Stream[], { isWhole }: Pick<Listed, 'isWhole'>): void {
    listed.set(this.#account, { streams, at: this.#context.clock.now(), isWhole });
  }

  /** Searches at the service by name and, if the text can be an id, by id. Then lists all streams if none matches. */
  async #find(text: string, closed: AbortSignal): Promise<void> {
    // An account that needed a walk is large enough to have got new streams since.
    const hasAll = this.#isComplete && this.#walking === undefined;
    if (text === '' || hasAll || closed.aborted) return;
    const search = new AbortController();
    this.#search = search;
    const { signal } = search;
    const found = this.#account.searchStreams(text, signal);
    await Promise.all(found.map((each) => this.picker.load(async () => this.picker.add(await each))));
    // It may hold the stream, or be the whole account.
    await this.#recent;
    if (!signal.aborted && !this.#isComplete && !this.#hasMatch(text)) await this.#walk(closed);
  }

  #hasMatch(text: string): boolean {
    const part = text.toLowerCase();
    const isIn = (value: string | undefined) => value?.toLowerCase().includes(part) === true;
    return [...this.picker.rows.values()].some(
      ({ name, id, playbackId }) => isIn(name) || isIn(id) || isIn(playbackId),
    );
  }

  /** The window's streams are newer than those kept from an earlier picker, and it knows which were deleted since. */
  #addUnknown(streams: readonly Stream[]): void {
    const { settled } = this.#context.store.snapshot;
    this.picker.add(streams.filter(({ id }) => !this.picker.rows.has(id) && settled.get(id)?.isGone !== true));
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
}

const STATE_WORDS: Readonly<Record<StreamState, () => string>> = {
  live: () => t('live'),
  stale: () => t('no data'),
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
