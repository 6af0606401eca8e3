import { t } from '@vscode/l10n';
import { decodeSession } from '../../api/decode.ts';
import { isAbortError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import type { Bookmark } from '../../model/account/pages.ts';
import { withoutLoss } from '../../model/account/reads.ts';
import { choicesAmong, includesAddresses, type SessionPurpose } from '../../model/sessionChoices.ts';
import { type SessionParent, sessionParent } from '../../model/store/recordings.ts';
import {
  isBeingRecorded,
  isRunningIn,
  newestFirst,
  recordingState,
  sessionDuration,
} from '../../model/store/sessions.ts';
import { atLastAnswer } from '../../model/store/streams.ts';
import type { PickItem } from '../../services.ts';
import { labeledText, nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { goneStreamWord, recordingWord, sessionIcon } from '../../texts/sessions.ts';
import { forEachLimit } from '../../util/async.ts';
import { formatDayAndClock } from '../../util/dates.ts';
import { formatDuration } from '../../util/format.ts';
import { joinParts } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { FillingPicker } from './fillingPicker.ts';
import { type RowInFront, splitFront } from './frontRows.ts';
import { type TargetInFront, targetsInFront } from './inFront.ts';
import { type ListedConnection, listedConnections } from './listedStreams.ts';

export interface SessionQuestion {
  readonly title: string;
  readonly purpose?: SessionPurpose;
  /** Whether sessions in front aren't first, because the user searches all sessions. */
  readonly isSearch?: boolean;
}

const PAGE_SIZE = 200;
/** Loads another page while there are fewer choices than this, up to PAGES_AT_MOST. */
const FEW = 20;
const PAGES_AT_MOST = 5;
const PARENTS_AT_ONCE = 6;
const PARENTS_AT_MOST = 120;

/**
 * Picks one of the newest sessions of all streams that a command can take: stream · time · state. Returns undefined if
 * dismissed. Those in front are first, unless it's a search. For one of another connection that is shown, runs the
 * command again there and returns undefined. Throws ApiError.
 */
export async function pickSession(context: CommandContext, question: SessionQuestion): Promise<Session | undefined> {
  // Throws without a connection, before the picker opens: there is nothing to pick from.
  return new SessionChoice(context, context.connection.account, question).pick();
}

interface SessionBeside {
  readonly session: Session;
  readonly of: ListedConnection;
}

class SessionChoice {
  readonly #picker: FillingPicker<Session>;
  readonly #context: CommandContext;
  readonly #account: Account;
  readonly #purpose: SessionPurpose;
  readonly #targets: readonly TargetInFront<ListedConnection>[];
  /** Sessions in front from other connections, by IDs that are unique in the picker. */
  readonly #beside = new Map<string, SessionBeside>();
  #includesAddresses = true;
  #isListed = false;
  /** Set once: later ones would move the existing rows. */
  #front: readonly RowInFront[] | undefined;

  constructor(context: CommandContext, account: Account, question: SessionQuestion) {
    const { title, purpose = 'any', isSearch = false } = question;
    this.#context = context;
    this.#account = account;
    this.#purpose = purpose;
    const inFront = isSearch ? [] : targetsInFront(context, listedConnections(context));
    this.#targets = inFront.flatMap((target) => this.#noteBeside(target));
    this.#picker = new FillingPicker<Session>(context, {
      title,
      placeholder: t('Search by stream, time, or state'),
      items: () => this.#items,
      sentence: (count, isBusy) => (isBusy || count > 0 ? undefined : this.#whyNone()),
      fill: ({ signal }) => void this.#picker.load(() => this.#load(signal)),
    });
    this.#picker.add(loadedSessions(context));
    const opened = this.#targets.flatMap(({ of, session }) => (of.isOwn && session !== undefined ? [session] : []));
    this.#picker.add(opened.filter(({ id }) => !this.#picker.rows.has(id)));
    this.#picker.add([...this.#beside].map(([id, { session }]) => ({ ...session, id })));
  }

  async pick(): Promise<Session | undefined> {
    const picked = await this.#picker.pick();
    if (picked !== undefined && isEmpty(picked)) {
      throw new Refusal(labeledText(streamNameOf(this.#context, picked), noSessions()), { severity: 'info' });
    }
    const beside = this.#beside.get(picked?.id ?? '');
    if (beside === undefined) return picked;
    await this.#context.runBeside?.(beside.of.info, beside.session.id);
    return undefined;
  }

  /** Offers only the sessions that are already loaded from another connection. */
  #noteBeside(target: TargetInFront<ListedConnection>): readonly TargetInFront<ListedConnection>[] {
    const { of, session: opened } = target;
    if (of.isOwn) return [target];
    const { snapshot } = of.store;
    const loaded = [...loadedSessions(of), ...(opened === undefined ? [] : [opened])];
    const newest = newestFirst(loaded);
    const choices = choicesAmong(newest, this.#purpose, { snapshot, includesAddresses: false });
    const session = [...choices, ...newest].find((each) => isMeant(target, each));
    if (session === undefined) return [];
    const sessionId = `${of.info.id}/${session.id}`;
    this.#beside.set(sessionId, { session, of });
    return [{ ...target, sessionId }];
  }

  get #items(): readonly PickItem<string>[] {
    const all = [...this.#picker.rows.values()];
    const choices = all.filter(({ id }) => this.#beside.has(id)).concat(this.#choices);
    // The command says why it can't take the session in front; otherwise, another stream's would be first.
    const rest = this.#isListed ? newestFirst(all) : [];
    const found = this.#front ?? this.#targets.map((target) => this.#rowInFront(target, [...choices, ...rest]));
    const front = found.filter((row) => row !== undefined);
    // Those in front are first, so others wait until it's known whether there are any.
    if (!this.#isListed && front.length < found.length) return [];
    this.#front = front;
    const isInFront = ({ id }: Session) => front.some((row) => row.id === id);
    const rows = [...all.filter(isInFront), ...choices];
    const { items, others } = splitFront(rows, front, (session) => this.#itemInFront(session));
    const separators =
      items.length > 0 && others.length > 0 ? [{ label: t('Sessions'), isSeparator: true } as const] : [];
    return [...items, ...separators, ...others.map((session) => itemOf(this.#context, session))];
  }

  /** Returns the newest session of a stream, once its sessions are listed. */
  #rowInFront(target: TargetInFront<ListedConnection>, rows: readonly Session[]): RowInFront | undefined {
    const { label, streamId = '', sessionId } = target;
    const { sessions } = this.#context.store.snapshot;
    if (sessionId === undefined && !this.#isListed && !sessions.has(streamId)) return undefined;
    const found = rows.find((session) => isMeant(target, session));
    return found && { label, id: found.id };
  }

  #itemInFront(session: Session): PickItem<string> {
    const beside = this.#beside.get(session.id);
    if (beside === undefined) return itemOf(this.#context, session);
    return itemOf({ ...this.#context, store: beside.of.store }, session, beside.of.label);
  }

  async #load(signal: AbortSignal): Promise<void> {
    try {
      await this.#list(signal).finally(() => {
        this.#isListed = true;
      });
      await this.#nameParents(signal);
    } catch (error) {
      if (!isAbortError(error)) this.#context.log.warn('Not all sessions could be listed to choose from');
      throw error;
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const picker = this.#picker;
    // A session that is still being broadcast looks like one that is being processed.
    const active = this.#context.loader.refreshActive();
    const front = this.#listFront();
    let from: Bookmark | undefined;
    for (let page = 0; page < PAGES_AT_MOST; page++) {
      const read = await this.#account.listAllSessions({ limit: PAGE_SIZE, from }, signal);
      await Promise.all([active, front]);
      this.#includesAddresses = includesAddresses(read.items, this.#purpose);
      picker.add(read.items.map((session) => withoutLoss(picker.rows.get(session.id), session)));
      this.#isListed = true;
      picker.show();
      if (!read.hasNextPage || this.#choices.length >= FEW) break;
      from = read.bookmark;
    }
  }

  /** Lists the sessions of the streams in front, which the newest of all streams may lack. */
  async #listFront(): Promise<void> {
    const { loader, store } = this.#context;
    const own = this.#targets.filter(({ of, sessionId }) => of.isOwn && sessionId === undefined);
    const ids = own.flatMap(({ streamId }) => streamId ?? []).filter((id) => store.snapshot.streams.has(id));
    await Promise.all(ids.slice(0, PARENTS_AT_ONCE).map((id) => loader.ensureSessions(id)));
    this.#picker.add(loadedSessions(this.#context));
    if (this.#purpose === 'clip') return;
    const isWithout = (id: string) => {
      const { isLoaded, trouble, items } = store.snapshot.sessions.get(id) ?? {};
      return isLoaded === true && trouble === undefined && items?.length === 0;
    };
    this.#picker.add(ids.filter(isWithout).flatMap((id) => decodeSession({ id, parentId: id }) ?? []));
  }

  /** A service may omit the stream of a session. Reads each unknown one once; the store keeps it. */
  async #nameParents(signal: AbortSignal): Promise<void> {
    const { store } = this.#context;
    const unknown = new Set(this.#choices.map((session) => unknownParent(sessionParent(store.snapshot, session))));
    const ids = [...unknown].filter((id) => id !== undefined).slice(0, PARENTS_AT_MOST);
    const found = new Map<string, string | undefined>();
    try {
      await forEachLimit(ids, PARENTS_AT_ONCE, async (id) => {
        found.set(id, await this.#account.readStreamName(id, signal));
      });
    } finally {
      if (found.size > 0) this.#account.writer.parentsKnown(found);
    }
  }

  get #choices(): readonly Session[] {
    const { snapshot } = this.#context.store;
    const rows = [...this.#picker.rows.values()];
    const sessions = newestFirst(rows.filter((session) => !isEmpty(session) && !this.#beside.has(session.id)));
    return choicesAmong(sessions, this.#purpose, { snapshot, includesAddresses: this.#includesAddresses });
  }

  #whyNone(): string {
    const count = this.#picker.rows.size;
    if (count === 0) return noSessions();
    if (this.#purpose === 'mp4Url') {
      if (count === 1) return t('No MP4 recordings found in the latest session');
      return t('No MP4 recordings found in the latest {0} sessions', count);
    }
    if (count === 1) return t('No recordings found in the latest session');
    return t('No recordings found in the latest {0} sessions', count);
  }
}

/** Whether it isn't a session, but represents a stream that has none. */
function isEmpty({ id, parentId }: Session): boolean {
  return id === parentId;
}

function noSessions(): string {
  return t('No sessions found');
}

function isMeant({ streamId, sessionId }: TargetInFront<unknown>, { id, parentId }: Session): boolean {
  return sessionId === undefined ? streamId !== undefined && parentId === streamId : id === sessionId;
}

/** Returns loaded sessions with their stream, which a stream's own list may omit. */
function loadedSessions({ store }: Pick<CommandContext, 'store'>): readonly Session[] {
  const { sessions, recordings } = store.snapshot;
  const ofStreams = [...sessions].flatMap(([streamId, { items }]) =>
    items.map((each) => ({ ...each, parentId: each.parentId ?? streamId })),
  );
  return [...recordings.items, ...ofStreams];
}

function itemOf(context: CommandContext, session: Session, connection?: string): PickItem<string> {
  const reader = context.drawing();
  const { snapshot } = context.store;
  if (isEmpty(session)) {
    return { label: streamNameOf(context, session), description: noSessions(), value: session.id };
  }
  const isRunning = isRunningIn(snapshot, session);
  const state = recordingState(session, isRunning);
  const duration = isRunning ? undefined : formatDuration(sessionDuration(session));
  const time = formatDayAndClock(session.createdAt, reader) ?? session.id;
  const parent = sessionParent(snapshot, session);
  return {
    label: parent.kind === 'unknown' ? t('Unknown stream') : streamNameOf(context, session),
    description:
      joinParts(
        connection,
        time,
        state === 'ready' && duration !== undefined
          ? duration
          : recordingWord(session, state, atLastAnswer(snapshot, reader)),
        isRunning && !isBeingRecorded(session) && t('not recorded'),
        goneStreamWord(snapshot, session),
      ) ?? '',
    icon: sessionIcon(session, state).id,
    value: session.id,
  };
}

function unknownParent(parent: SessionParent): string | undefined {
  return parent.kind === 'unknown' ? parent.id : undefined;
}

/** Returns the name of a session's stream, or an ID if it's unknown. */
export function streamNameOf({ store }: CommandContext, session: Session): string {
  const parent = sessionParent(store.snapshot, session);
  if (parent.kind === 'gone' && parent.name === undefined) return t('Deleted stream');
  return nameOf({ id: parent.id ?? session.id, name: parent.kind === 'unknown' ? '' : (parent.name ?? '') });
}
