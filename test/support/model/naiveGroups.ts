import type { AnswerMeta, Stream } from '../../../src/api/types.ts';
import type { Listed } from '../../../src/model/store/facts.ts';
import type { ListName } from '../../../src/model/store/snapshot.ts';
import type { StreamStore } from '../../../src/model/store/store.ts';
import type { ConnectionWriter } from '../../../src/model/store/writer.ts';

const MARK_MS = 30_000;
const STALE_MS = 90_000;

interface Known {
  stream: Stream;
  readonly requestSeq: number;
  readonly serverDate: number;
}

interface Pages {
  ids: string[];
  /** Rows that the filter kept from being asked for. */
  aside: string[];
  readonly requestSeq: number;
  readonly isLoaded: boolean;
  revealed: number;
  hasNextPage: boolean;
  /** Whether the rows were listed with the current filter. */
  isOfFilter: boolean;
}

const NO_PAGES: Pages = {
  ids: [],
  aside: [],
  requestSeq: 0,
  isLoaded: false,
  revealed: 0,
  hasNextPage: false,
  isOfFilter: true,
};

/** What a group is to show. */
interface NaiveGroup {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/**
 * What the groups are to show after what the store was told, by the words of src/README.md, What each group shows, alone and without regard for cost: what
 * was asked for last wins; what was read back after a change wins over lists for 30 s or until one agrees; what a newer answer
 * says of a stream is true in every group.
 */
export class NaiveGroups {
  readonly #now: () => number;
  #known = new Map<string, Known>();
  #marks = new Map<string, { readonly at: number; readonly isGone: boolean }>();
  #pages: Record<ListName, Pages> = { active: NO_PAGES, idle: NO_PAGES, recording: NO_PAGES };
  #besideIdle = { leftActive: new Set<string>(), pinnedIds: new Set<string>() };
  #filter = '';

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Hears what a store and its writer are told, but not what they tell themselves. */
  follow(store: StreamStore, writer: ConnectionWriter): void {
    let depth = 0;
    const heard =
      <A extends unknown[], R>(told: (...given: A) => void, original: (...given: A) => R, by: object = writer) =>
      (...given: A): R => {
        if (depth === 0) told(...given);
        depth += 1;
        try {
          return original.apply(by, given);
        } finally {
          depth -= 1;
        }
      };
    const { activeListed, listed, listedMore, revealMore, read, gone, notFound, leftActiveUnread, unpin } = writer;
    const { setFilter } = store;
    Object.assign(writer, {
      activeListed: heard((answer: Listed) => this.#listed('active', answer), activeListed),
      listed: heard((list: ListName, answer: Listed) => this.#listed(list, answer), listed),
      listedMore: heard((list: ListName, answer: Listed) => this.#listedMore(list, answer), listedMore),
      revealMore: heard((list: ListName, rows: number) => this.#revealMore(list, rows), revealMore),
      read: heard((...given: Parameters<typeof read>) => this.#read(...given), read),
      gone: heard((id: string) => this.#gone(id), gone),
      notFound: heard((id: string, requestSeq?: number) => this.#notFound(id, requestSeq), notFound),
      leftActiveUnread: heard(
        (ids: readonly string[], age: AnswerMeta) => this.#leftActiveUnread(ids, age),
        leftActiveUnread,
      ),
      unpin: heard((ids: readonly string[]) => ids.forEach((id) => void this.#unpin(id)), unpin),
    });
    Object.assign(store, { setFilter: heard((filter: string) => this.#setFilter(filter), setFilter, store) });
  }

  group(list: ListName): NaiveGroup {
    const { revealed, hasNextPage } = this.#pages[list];
    const ids: string[] = [];
    let hidden = 0;
    let paged = 0;
    for (const { stream } of this.#members(list)) {
      const isOnTop = list === 'active' || this.#isOnTop(list, stream.id);
      if (!isOnTop) paged += 1;
      if (isOnTop || paged <= revealed) ids.push(stream.id);
      else hidden += 1;
    }
    return { ids, hasMore: hasNextPage || hidden > 0 };
  }

  #isOnTop(list: ListName, id: string): boolean {
    return list === 'idle' ? this.#isBesideIdle(id) : !this.#pages.recording.ids.includes(id);
  }

  #members(list: ListName): readonly Known[] {
    return [...this.#known.values()]
      .filter(({ stream }) => nameHas(stream, this.#filter))
      .filter((known) => {
        if (list === 'active') return isOnAir(known.stream);
        if (list === 'idle') return !isOnAir(known.stream) && this.#isInIdle(known.stream.id);
        return this.#isInRecording(known);
      })
      .sort((a, b) => order(a, b, list));
  }

  #isInIdle(id: string): boolean {
    return this.#pages.idle.ids.includes(id) || this.#isBesideIdle(id);
  }

  #isBesideIdle(id: string): boolean {
    return this.#besideIdle.leftActive.has(id) || this.#besideIdle.pinnedIds.has(id);
  }

  #isInRecording({ stream, requestSeq }: Known): boolean {
    const { recording } = this.#pages;
    if (!stream.record) return false;
    if (stream.isActive || recording.ids.includes(stream.id)) return true;
    const mayFollow = recording.hasNextPage && this.#isBesideIdle(stream.id);
    return recording.isLoaded && (requestSeq > recording.requestSeq || this.#marks.has(stream.id) || mayFollow);
  }

  #listed(list: ListName, answer: Listed): void {
    const before = [...this.#known.values()].filter(
      (known) => this.#isIn(list, known.stream.id) || (list === 'recording' && this.#isInRecording(known)),
    );
    const { ids: rows, revealed, aside: others } = this.#pages[list];
    const isAsked = (id: string) => nameHas(this.#known.get(id)?.stream, this.#filter);
    const aside = [...rows.slice(0, revealed), ...others].filter((id) => this.#known.has(id) && !isAsked(id));
    this.#hear(answer);
    const ids = this.#withoutGone(answer, list);
    this.#pages[list] = {
      ids,
      aside: list === 'active' ? [] : aside,
      requestSeq: answer.requestSeq,
      isLoaded: true,
      revealed: answer.revealed,
      hasNextPage: answer.hasNextPage,
      isOfFilter: true,
    };
    if (list === 'active') return;
    for (const { stream } of before) {
      const known = this.#known.get(stream.id);
      if (known !== undefined && !known.stream.isActive && !this.#isNamed(known)) this.#known.delete(stream.id);
    }
  }

  #isNamed(known: Known): boolean {
    const { id } = known.stream;
    return (
      this.#isIn('idle', id) || this.#isBesideIdle(id) || this.#isIn('recording', id) || this.#isInRecording(known)
    );
  }

  #isIn(list: ListName, id: string): boolean {
    const { ids, aside } = this.#pages[list];
    return ids.includes(id) || aside.includes(id);
  }

  #listedMore(list: ListName, answer: Listed): void {
    this.#hear(answer);
    const { ids, aside, requestSeq, isOfFilter } = this.#pages[list];
    const all = [...new Set([...ids, ...this.#withoutGone(answer, list)])];
    this.#pages[list] = {
      ids: all,
      aside,
      requestSeq,
      isLoaded: true,
      revealed: answer.revealed,
      hasNextPage: answer.hasNextPage,
      isOfFilter,
    };
  }

  #revealMore(list: ListName, rows: number): void {
    this.#pages[list].revealed += rows;
  }

  #withoutGone({ streams }: Listed, list: ListName): string[] {
    const ids = streams.map(({ id }) => id);
    return list === 'active' ? ids : ids.filter((id) => this.#marks.get(id)?.isGone !== true);
  }

  #hear(answer: Listed): void {
    this.#endMarks();
    for (const stream of answer.streams) {
      const known = this.#known.get(stream.id);
      if (known !== undefined && known.requestSeq > answer.requestSeq) continue;
      const mark = this.#marks.get(stream.id);
      if (mark !== undefined && (mark.isGone || known === undefined || !isSame(known.stream, stream))) continue;
      this.#marks.delete(stream.id);
      this.#learn(stream, answer);
    }
  }

  #learn(stream: Stream, { requestSeq, serverDate }: AnswerMeta): void {
    this.#known.set(stream.id, { stream, requestSeq, serverDate });
    if (isOnAir(stream)) this.#besideIdle.leftActive.delete(stream.id);
    else if (stream.isActive) this.#besideIdle.leftActive.add(stream.id);
  }

  #read(stream: Stream, age: AnswerMeta, { settle = false, pin = false } = {}): void {
    const known = this.#known.get(stream.id);
    if (known === undefined || known.requestSeq <= age.requestSeq) {
      if (known?.stream.isActive === true && !stream.isActive) this.#besideIdle.leftActive.add(stream.id);
      this.#learn(stream, age);
    }
    if (settle) this.#mark(stream.id, false);
    if (pin) this.#besideIdle.pinnedIds.add(stream.id);
  }

  #notFound(id: string, requestSeq = Number.POSITIVE_INFINITY): void {
    const mark = this.#marks.get(id);
    const isDoubted = mark !== undefined && !mark.isGone && this.#isInForce(mark);
    if (!isDoubted && (this.#known.get(id)?.requestSeq ?? 0) <= requestSeq) this.#gone(id);
  }

  #gone(id: string): void {
    this.#known.delete(id);
    this.#unpin(id);
    for (const pages of Object.values(this.#pages)) {
      pages.ids = pages.ids.filter((other) => other !== id);
      pages.aside = pages.aside.filter((other) => other !== id);
    }
    this.#mark(id, true);
  }

  #leftActiveUnread(ids: readonly string[], { requestSeq, serverDate }: AnswerMeta): void {
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known === undefined) continue;
      this.#known.set(id, { stream: { ...known.stream, isActive: false }, requestSeq, serverDate });
      this.#besideIdle.leftActive.add(id);
    }
  }

  #unpin(id: string): void {
    this.#besideIdle.leftActive.delete(id);
    this.#besideIdle.pinnedIds.delete(id);
  }

  #setFilter(filter: string): void {
    const before = this.#filter;
    const refiltered = (pages: Pages): Pages => {
      if (!pages.isLoaded) return { ...NO_PAGES };
      const isWhole = !pages.hasNextPage && (before === '' || !pages.isOfFilter);
      const ids = [...new Set([...pages.ids, ...pages.aside])];
      const revealed = pages.revealed + pages.aside.length;
      return { ...pages, ids, aside: [], revealed, hasNextPage: !isWhole, isOfFilter: false };
    };
    const { idle, recording } = this.#pages;
    if (filter !== this.#filter)
      this.#pages = { ...this.#pages, idle: refiltered(idle), recording: refiltered(recording) };
    this.#filter = filter;
  }

  #mark(id: string, isGone: boolean): void {
    this.#endMarks();
    this.#marks.set(id, { at: this.#now(), isGone });
  }

  #endMarks(): void {
    for (const [id, mark] of this.#marks) if (!this.#isInForce(mark)) this.#marks.delete(id);
  }

  #isInForce({ at }: { readonly at: number }): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < MARK_MS;
  }
}

/** The service calls a suspended stream active until it has ended its broadcast. */
function isOnAir({ isActive, suspended }: Stream): boolean {
  return isActive && suspended !== true;
}

function isSame(a: Stream, b: Stream): boolean {
  const told = ({ name, record, isActive, suspended = false }: Stream) =>
    JSON.stringify([name, record, isActive, suspended]);
  return told(a) === told(b);
}

function order(a: Known, b: Known, list: ListName): number {
  const isStale = ({ stream, serverDate }: Known) => serverDate - (stream.lastSeen ?? serverDate) > STALE_MS;
  const place = (known: Known) => (list === 'idle' ? 0 : isOnAir(known.stream) ? (isStale(known) ? 1 : 0) : 2);
  const seen = (known: Known) =>
    isOnAir(known.stream) && !isStale(known) ? Number.MAX_SAFE_INTEGER : (known.stream.lastSeen ?? 0);
  const created = ({ stream }: Known) => stream.createdAt ?? 0;
  return place(a) - place(b) || seen(b) - seen(a) || created(b) - created(a) || (a.stream.id < b.stream.id ? 1 : -1);
}

function nameHas(stream: Stream | undefined, part: string): boolean {
  return stream?.name.toLowerCase().includes(part.toLowerCase()) === true;
}
