import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import { type StreamState, streamState } from '../model/streams.ts';
import type { PickItem, PickSession } from '../services.ts';
import type { CommandContext } from './context.ts';
import { nameOf } from './messages.ts';

type Needed = Pick<CommandContext, 'ui' | 'store' | 'current'>;

const PAGE_SIZE = 1000;
/** What is beyond is found by asking the service for names. */
const MAX_PAGES = 20;
const FOUND_AT_MOST = 100;
const LABEL_LENGTH = 200;
const NO_STREAM = '';

/**
 * Asks for one of all streams, by name, id or playback id. The list starts with what is loaded and fills as pages arrive;
 * while there is more at the service than was read, it is asked by name too. Undefined when dismissed. Throws ApiError.
 */
export async function pickStream(context: Needed, title: string): Promise<Stream | undefined> {
  // Asked for before the picker opens: without a connection there is nothing to pick from.
  const { api } = context.current;
  const choice = new StreamChoice(context);
  const id = await context.ui.pick<string>({
    title,
    placeholder: t('Name, ID or playback ID'),
    items: (picker) => choice.fill(picker, api),
    matchOnDescription: true,
  });
  if (id === undefined || id === NO_STREAM) return choice.dismissed();
  return choice.get(id);
}

/** What a picker knows while it is open. */
class StreamChoice {
  readonly #context: Needed;
  readonly #streams = new Map<string, Stream>();
  #isComplete = false;
  #isBusy = true;
  #failure: unknown;
  #search: AbortController | undefined;

  constructor(context: Needed) {
    this.#context = context;
    for (const { stream } of context.store.snapshot.streams.values()) this.#streams.set(stream.id, stream);
  }

  get(id: string): Stream | undefined {
    return this.#streams.get(id);
  }

  /** Nothing was picked: where nothing could be shown, the reason is thrown. */
  dismissed(): undefined {
    if (this.#streams.size === 0 && this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  fill(picker: PickSession<string>, api: Needed['current']['api']): void {
    this.#show(picker);
    void this.#walk(picker, api);
    const typing = picker.onDidType((text) => {
      this.#search?.abort();
      void this.#findByName(picker, api, text.trim());
    });
    picker.signal.addEventListener('abort', () => {
      typing.dispose();
      this.#search?.abort();
    });
  }

  async #walk(picker: PickSession<string>, api: Needed['current']['api']): Promise<void> {
    const query = { parentsOnly: true, limit: PAGE_SIZE, order: 'createdAt-true' };
    try {
      let next: string | undefined;
      for await (const page of api.eachStreamPage(query, { signal: picker.signal, maxPages: MAX_PAGES })) {
        this.#take(page.items);
        next = page.next;
        this.#show(picker);
      }
      this.#isComplete = next === undefined;
    } catch (error) {
      if (isAbortError(error)) return;
      this.#failure = error;
    }
    this.#isBusy = false;
    this.#show(picker);
  }

  async #findByName(picker: PickSession<string>, api: Needed['current']['api'], name: string): Promise<void> {
    if (name === '' || this.#isComplete || picker.signal.aborted) return;
    const search = new AbortController();
    this.#search = search;
    const query = { parentsOnly: true, filters: [{ id: 'name', value: name }], limit: FOUND_AT_MOST };
    try {
      const page = await api.listStreams(query, { signal: search.signal });
      this.#take(page.items);
    } catch (error) {
      if (isAbortError(error)) return;
      this.#failure ??= error;
    }
    this.#show(picker);
  }

  #take(streams: readonly Stream[]): void {
    for (const stream of streams) this.#streams.set(stream.id, stream);
  }

  #show(picker: PickSession<string>): void {
    if (picker.signal.aborted) return;
    const items = [...this.#streams.values()].sort(liveThenSeen).map((stream) => this.#itemOf(stream));
    const sentence = this.#sentence(items.length);
    // An item: a separator with nothing below it is not drawn.
    if (sentence !== undefined) items.push({ ...sentence, value: NO_STREAM });
    picker.show(items, this.#isBusy);
  }

  #itemOf(stream: Stream): PickItem<string> {
    const fact = this.#context.store.snapshot.streams.get(stream.id);
    const state = fact === undefined ? stateAlone(stream) : streamState(fact);
    const parts = [STATE_WORDS[state](), stream.playbackId, stream.id].filter((part) => part !== undefined);
    return {
      label: nameOf(stream, LABEL_LENGTH),
      description: parts.join(' · '),
      icon: STATE_ICONS[state],
      value: stream.id,
    };
  }

  /** What is to be said below the streams. */
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

const STATE_ICONS: Readonly<Record<StreamState, string>> = {
  live: 'broadcast',
  stale: 'warning',
  idle: 'circle-outline',
  suspended: 'circle-slash',
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
