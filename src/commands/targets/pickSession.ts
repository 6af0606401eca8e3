import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isAbortError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import type { Bookmark } from '../../model/account/pages.ts';
import { withoutLoss } from '../../model/account/sessionReads.ts';
import { choicesAmong, type SessionWish, tellsAddresses } from '../../model/sessionChoices.ts';
import { type SessionParent, sessionParent } from '../../model/store/recordings.ts';
import { isRunningIn, newestFirst, recordingState } from '../../model/store/sessions.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { recordingWord } from '../../tree/sessionRow.ts';
import { joinParts } from '../../tree/texts.ts';
import { forEachLimit } from '../../util/async.ts';
import { formatDayAndClock } from '../../util/dates.ts';
import type { CommandContext } from '../context.ts';
import { nameOf } from '../messages.ts';

export type NeedsSession = Pick<CommandContext, 'ui' | 'store' | 'current' | 'drawing' | 'log'>;

export interface SessionQuestion {
  readonly title: string;
  readonly wish?: SessionWish;
}

const PAGE_SIZE = 200;
/** Loads another page while there are fewer choices than this, up to PAGES_AT_MOST. */
const FEW = 20;
const PAGES_AT_MOST = 5;
const PARENTS_AT_ONCE = 6;
const PARENTS_AT_MOST = 120;
const NO_SESSION = '';

/**
 * Picks one of the newest sessions of all streams that a command can take: stream · time · state. Returns undefined if
 * dismissed. Throws ApiError.
 */
export async function pickSession(context: NeedsSession, question: SessionQuestion): Promise<Session | undefined> {
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  const { account } = context.current;
  const choice = new SessionChoice(context, account, question.wish ?? 'any');
  const id = await context.ui.pick<string>({
    title: question.title,
    placeholder: t('Stream, time or state'),
    items: (picker) => void choice.fill(picker),
    matchOnDescription: true,
  });
  return id === undefined || id === NO_SESSION ? choice.dismissed() : choice.get(id);
}

class SessionChoice {
  readonly #context: NeedsSession;
  readonly #wish: SessionWish;
  readonly #account: Account;
  readonly #sessions: Map<string, Session>;
  #tellsAddresses = true;
  #isBusy = true;
  #failure: unknown;

  constructor(context: NeedsSession, account: Account, wish: SessionWish) {
    this.#context = context;
    this.#wish = wish;
    this.#account = account;
    this.#sessions = new Map(loadedSessions(context).map((session) => [session.id, session]));
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Throws the load error if there was nothing to show because of it. */
  dismissed(): undefined {
    if (this.#sessions.size === 0 && this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  /** Never rejects. */
  async fill(picker: PickSession<string>): Promise<void> {
    this.#show(picker);
    try {
      await this.#list(picker);
      await this.#nameParents(picker);
    } catch (error) {
      if (!isAbortError(error)) {
        this.#failure = error;
        this.#context.log.warn('Not all sessions could be listed to choose from');
      }
    }
    this.#isBusy = false;
    this.#show(picker);
  }

  async #list(picker: PickSession<string>): Promise<void> {
    let from: Bookmark | undefined;
    for (let page = 0; page < PAGES_AT_MOST; page++) {
      const read = await this.#account.listAllSessions({ limit: PAGE_SIZE, from }, picker.signal);
      this.#tellsAddresses = tellsAddresses(read.items, this.#wish);
      for (const session of read.items) {
        this.#sessions.set(session.id, withoutLoss(this.#sessions.get(session.id), session));
      }
      this.#show(picker);
      if (!read.hasNextPage || this.#choices.length >= FEW) break;
      from = read.bookmark;
    }
  }

  /** A service may omit the stream of a session. Reads each unknown one once; the store keeps it. */
  async #nameParents(picker: PickSession<string>): Promise<void> {
    const { store } = this.#context;
    const unknown = new Set(this.#choices.map((session) => unknownParent(sessionParent(store.snapshot, session))));
    const ids = [...unknown].filter((id) => id !== undefined).slice(0, PARENTS_AT_MOST);
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await this.#account.readStreamName(id, picker.signal));
      });
    } finally {
      if (found.size > 0 && !this.#account.isClosed) store.parentsKnown(found);
    }
  }

  get #choices(): readonly Session[] {
    const { snapshot } = this.#context.store;
    const sessions = newestFirst([...this.#sessions.values()]);
    return choicesAmong(sessions, this.#wish, { snapshot, tellsAddresses: this.#tellsAddresses });
  }

  #show(picker: PickSession<string>): void {
    if (picker.signal.aborted) return;
    const items = this.#choices.map((session) => itemOf(this.#context, session));
    const sentence = this.#sentence(items.length);
    // An item, because a separator with nothing below it isn't rendered.
    picker.show(sentence === undefined ? items : [...items, { ...sentence, value: NO_SESSION }], this.#isBusy);
  }

  #sentence(count: number): Pick<PickItem<string>, 'label' | 'icon'> | undefined {
    if (this.#failure !== undefined) {
      const service = this.#context.current.info?.name ?? t('The service');
      return { label: describeError(this.#failure, { service }), icon: 'warning' };
    }
    return this.#isBusy || count > 0 ? undefined : { label: this.#whyNone(), icon: 'info' };
  }

  #whyNone(): string {
    const count = this.#sessions.size;
    if (count === 0) return t('There are no sessions.');
    if (this.#wish === 'mp4Url') return t('None of the newest sessions has an MP4 ({0} looked at).', count);
    return t('None of the newest sessions has a recording to open ({0} looked at).', count);
  }
}

function loadedSessions({ store }: NeedsSession): readonly Session[] {
  const { sessions, recordings } = store.snapshot;
  return [...recordings.items, ...[...sessions.values()].flatMap((list) => list.items)];
}

function itemOf(context: NeedsSession, session: Session): PickItem<string> {
  const reader = context.drawing();
  const { snapshot } = context.store;
  const state = recordingState(session, isRunningIn(snapshot, session));
  const time = formatDayAndClock(session.createdAt, reader) ?? session.id;
  const parent = sessionParent(snapshot, session);
  const isNamedGone = parent.kind === 'gone' && parent.name !== undefined;
  return {
    label: parent.kind === 'unknown' ? t('Stream not known') : streamNameOf(context, session),
    description: joinParts(time, recordingWord(session, state, reader), isNamedGone && t('stream deleted')) ?? '',
    value: session.id,
  };
}

function unknownParent(parent: SessionParent): string | undefined {
  return parent.kind === 'unknown' ? parent.id : undefined;
}

/** Returns the name of a session's stream, or an id if it is unknown. */
export function streamNameOf({ store }: Pick<NeedsSession, 'store'>, session: Session): string {
  const parent = sessionParent(store.snapshot, session);
  if (parent.kind === 'gone' && parent.name === undefined) return t('Deleted stream');
  return nameOf({ id: parent.id ?? session.id, name: parent.kind === 'unknown' ? '' : (parent.name ?? '') });
}
