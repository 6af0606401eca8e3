import { t } from '@vscode/l10n';
import { isAbortError } from '../api/errors.ts';
import type { Session } from '../api/types.ts';
import { isRunningIn, newestFirst, recordingState } from '../model/sessions.ts';
import type { PickItem, PickSession } from '../services.ts';
import { recordingWord } from '../tree/sessionRow.ts';
import { formatDayAndClock } from '../util/dates.ts';
import type { CommandContext } from './context.ts';
import { nameOf } from './messages.ts';

export type NeedsSession = Pick<CommandContext, 'ui' | 'store' | 'current' | 'drawing' | 'log'>;

/** Asks for one of the newest sessions of all streams: stream · time · state. Undefined when dismissed. Throws ApiError. */
export async function pickSession(context: NeedsSession, title: string): Promise<Session | undefined> {
  const { api } = context.current;
  const known = new Map(loadedSessions(context).map((session) => [session.id, session]));
  let failure: unknown;
  const fill = async (picker: PickSession<Session>): Promise<void> => {
    picker.show(itemsOf(context, known), true);
    try {
      const page = await api.listUserSessions({ order: 'createdAt-true', limit: 200 }, { signal: picker.signal });
      for (const session of page.items) known.set(session.id, session);
    } catch (error) {
      if (isAbortError(error)) return;
      failure = error;
      context.log.warn('Not all sessions could be listed to choose from');
    }
    picker.show(itemsOf(context, known), false);
  };
  const picked = await context.ui.pick<Session>({
    title,
    placeholder: t('Stream, time or state'),
    items: (picker) => void fill(picker),
    matchOnDescription: true,
  });
  if (picked === undefined && known.size === 0 && failure !== undefined) throw failure;
  return picked;
}

function loadedSessions({ store }: NeedsSession): readonly Session[] {
  const { sessions, recordings } = store.snapshot;
  return [...recordings.items, ...[...sessions.values()].flatMap((list) => list.items)];
}

function itemsOf(context: NeedsSession, known: ReadonlyMap<string, Session>): readonly PickItem<Session>[] {
  const reader = context.drawing();
  const { snapshot } = context.store;
  return newestFirst([...known.values()]).map((session) => {
    const state = recordingState(session, isRunningIn(snapshot, session));
    const time = formatDayAndClock(session.createdAt, reader) ?? session.id;
    return {
      label: streamNameOf(context, session),
      description: `${time} · ${recordingWord(session, state, reader)}`,
      value: session,
    };
  });
}

/** The name of a session's stream, as far as it is known. */
export function streamNameOf({ store }: Pick<NeedsSession, 'store'>, session: Session): string {
  const { parentId, parentName, id } = session;
  const stream = parentId === undefined ? undefined : store.snapshot.streams.get(parentId)?.stream;
  const asked = parentId === undefined ? undefined : store.snapshot.recordings.parents.get(parentId);
  return nameOf(stream ?? { id: parentId ?? id, name: parentName ?? asked ?? '' });
}
