import * as vscode from 'vscode';
import type { Abilities } from '../../api/types.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import type { Log } from '../../services.ts';
import { recordingsContext, streamsContext, type ViewContext } from '../../tree/viewContext.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';

/** The context keys for when-clauses in package.json, without the prefix `liveStreams.`. */
export interface ContextKeys {
  readonly state: ViewContext;
  readonly isDemo: boolean;
  readonly hasFilter: boolean;
  readonly recordedOnly: boolean;
  readonly recordingsState: ViewContext;
  readonly recordingsRecordedOnly: boolean;
  /** Stored connections, without the demo. */
  readonly connectionCount: number;
  /** Whether the live streams have been loaded. Nothing is loaded before a view is visible. */
  readonly knowsLive: boolean;
  readonly knowsDashboard: boolean;
  /** Whether this window sends a test broadcast, to whichever connection. */
  readonly isBroadcasting: boolean;
  readonly cannotCreate: boolean;
  readonly cannotPatch: boolean;
  readonly cannotSuspend: boolean;
  readonly cannotEndBroadcast: boolean;
  readonly cannotDelete: boolean;
}

export function contextKeysOf(snapshot: Snapshot, knowsDashboard: boolean): ContextKeys {
  const { connection, abilities } = snapshot;
  return {
    state: streamsContext(snapshot),
    isDemo: 'info' in connection && connection.info.isDemo,
    hasFilter: snapshot.filter !== '',
    recordedOnly: snapshot.recordedOnly,
    recordingsState: recordingsContext(snapshot),
    recordingsRecordedOnly: snapshot.recordingsRecordedOnly,
    connectionCount: snapshot.connectionCount,
    knowsLive: snapshot.lists.active.isLoaded,
    knowsDashboard,
    isBroadcasting: snapshot.testBroadcasts.size > 0,
    ...refusedKeys(abilities),
  };
}

function refusedKeys(abilities: Abilities) {
  return {
    cannotCreate: !abilities.create,
    cannotPatch: !abilities.patch,
    cannotSuspend: !abilities.suspend,
    cannotEndBroadcast: !abilities.endBroadcast,
    cannotDelete: !abilities.delete,
  };
}

/** Sets the keys now and after each change. Sets only those that changed, as each one updates menus. */
export function keepContextKeys(options: {
  readonly read: () => ContextKeys;
  readonly onDidChange: Event<unknown>;
  readonly log: Pick<Log, 'error'>;
  readonly setContext?: (key: string, value: unknown) => Thenable<unknown>;
}): Disposable {
  const { read, onDidChange, log, setContext = setVsCodeContext } = options;
  const last = new Map<string, unknown>();
  const apply = (): void => {
    for (const [key, value] of Object.entries(read())) {
      if (last.has(key) && last.get(key) === value) continue;
      last.set(key, value);
      setContext(`liveStreams.${key}`, value).then(undefined, (error) => log.error(`Setting ${key} failed`, error));
    }
  };
  apply();
  return onDidChange(apply);
}

function setVsCodeContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}
