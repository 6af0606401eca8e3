import type { Log, Memento } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';
import type { Snapshot, SortKey } from './snapshot.ts';
import type { StreamStore } from './store.ts';

export type ViewChoices = Pick<Snapshot, 'filter' | 'sort' | 'recordingsRecordedOnly' | 'showsAllConnections'>;

const KEY = 'streamsView';
const SORT_KEYS: readonly SortKey[] = ['lastSeen', 'name', 'createdAt'];

export function readViewChoices(memento: Memento): ViewChoices {
  const kept = memento.get(KEY);
  const { filter, sort, recordingsRecordedOnly, showsAllConnections } = isRecord(kept) ? kept : {};
  return {
    filter: typeof filter === 'string' ? filter : '',
    sort: SORT_KEYS.find((key) => key === sort) ?? 'lastSeen',
    recordingsRecordedOnly: recordingsRecordedOnly !== false,
    showsAllConnections: showsAllConnections === true,
  };
}

export function keepViewChoices(store: StreamStore, memento: Memento, log: Log): Disposable {
  return store.onDidChange(({ previous, current }) => {
    const choices = choicesOf(current);
    if (JSON.stringify(choices) === JSON.stringify(choicesOf(previous))) return;
    memento.set(KEY, choices).catch((error: unknown) => log.error("Couldn't save the view options", error));
  });
}

function choicesOf({ filter, sort, recordingsRecordedOnly, showsAllConnections }: Snapshot): ViewChoices {
  return { filter, sort, recordingsRecordedOnly, showsAllConnections };
}
