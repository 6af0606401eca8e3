import * as vscode from 'vscode';
import type { Abilities } from '../../api/types.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import type { WalkthroughSteps } from '../../model/walkthroughSteps.ts';
import type { Log } from '../../services.ts';
import { recordingsContext, streamsContext, type ViewContext } from '../../tree/viewContext.ts';
import { type Disposable, DisposableStore, onDispose } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';

/** The context keys for when-clauses in package.json, without the prefix `liveStreams.`. */
export interface ContextKeys {
  readonly state: ViewContext;
  readonly isDemo: boolean;
  /** Whether the demo runs, even if another connection is open. */
  readonly isDemoRunning: boolean;
  readonly hasFilter: boolean;
  readonly recordingsState: ViewContext;
  readonly recordingsRecordedOnly: boolean;
  readonly showsAllConnections: boolean;
  /** Stored connections, without the demo. */
  readonly connectionCount: number;
  readonly knowsDashboard: boolean;
  /** Whether the service has provided its own streaming URLs, as far as they were requested. */
  readonly saysUrls: boolean;
  /** Whether this window sends a test broadcast to any connection. */
  readonly isBroadcasting: boolean;
  readonly cannotCreate: boolean;
  readonly cannotPatch: boolean;
  readonly cannotSuspend: boolean;
  readonly cannotEndBroadcast: boolean;
  readonly cannotDelete: boolean;
  readonly cannotSetPolicy: boolean;
  readonly cannotSign: boolean;
  readonly cannotMultistream: boolean;
  readonly cannotClip: boolean;
  /** Whether the service has responded that it offers no webhooks. */
  readonly lacksWebhooks: boolean;
  /** Whether webhooks are loaded and there are none. */
  readonly hasNoWebhooks: boolean;
  /** Whether this window listens for events. */
  readonly isListening: boolean;
  /** Steps of the walkthrough that are done, in this window or another, now or earlier. */
  readonly hasConnected: boolean;
  readonly hasSeenStreams: boolean;
  readonly hasCopiedKey: boolean;
  readonly hasWatchedRecording: boolean;
  readonly hasListened: boolean;
  /** Whether VS Code should mark steps that were done before it read the walkthrough. */
  readonly marksSteps: boolean;
}

export function contextKeysOf(
  snapshot: Snapshot,
  known: Pick<ContextKeys, 'isDemoRunning' | 'knowsDashboard' | 'saysUrls'>,
  { isDone, isMarking }: Pick<WalkthroughSteps, 'isDone'> & { readonly isMarking: boolean },
): ContextKeys {
  const { connection, abilities } = snapshot;
  return {
    state: streamsContext(snapshot),
    isDemo: 'info' in connection && connection.info.isDemo,
    hasFilter: snapshot.filter !== '',
    recordingsState: recordingsContext(snapshot),
    recordingsRecordedOnly: snapshot.recordingsRecordedOnly,
    showsAllConnections: snapshot.showsAllConnections,
    connectionCount: snapshot.connectionCount,
    ...known,
    isBroadcasting: snapshot.testBroadcasts.size > 0,
    ...refusedKeys(abilities),
    // Updated once the webhooks' code is loaded. Keys of a previous extension host may still be set.
    ...{ lacksWebhooks: false, hasNoWebhooks: false, isListening: false },
    hasConnected: isDone('connect'),
    hasSeenStreams: isDone('look'),
    hasCopiedKey: isDone('encoder'),
    hasWatchedRecording: isDone('watch'),
    hasListened: isDone('webhooks'),
    marksSteps: isMarking,
  };
}

function refusedKeys(abilities: Abilities) {
  return {
    cannotCreate: !abilities.create,
    cannotPatch: !abilities.patch,
    cannotSuspend: !abilities.suspend,
    cannotEndBroadcast: !abilities.endBroadcast,
    cannotDelete: !abilities.delete,
    cannotSetPolicy: !abilities.playbackPolicy,
    cannotSign: !abilities.signingKeys,
    cannotMultistream: !abilities.multistream,
    cannotClip: !abilities.clips,
  };
}

/** Sets the keys now and after each change. Sets only those that changed, because each one updates menus. */
export function keepContextKeys(options: {
  readonly read: () => Partial<ContextKeys>;
  readonly onDidChange: Event<unknown>;
  readonly log: Log;
  readonly setContext?: (key: string, value: unknown) => Thenable<unknown>;
}): Disposable {
  const { read, onDidChange, log, setContext = setVsCodeContext } = options;
  const last = new Map<string, unknown>();
  const set = (key: string, value: unknown): void => {
    last.set(key, value);
    setContext(`liveStreams.${key}`, value).then(undefined, (error) => log.error(`Setting ${key} failed`, error));
  };
  const apply = (): void => {
    for (const [key, value] of Object.entries(read())) if (last.get(key) !== value) set(key, value);
  };
  const first = Object.entries(read());
  const unset = first.filter(([, value]) => value === false).map(([key]) => key);
  for (const key of unset) last.set(key, false);
  apply();
  // Keys that aren't set are false already, unless the extension host was started again in the same window.
  const turn = setImmediate(() => {
    for (const key of unset) if (last.get(key) === false) set(key, false);
  });
  const owned = new DisposableStore();
  owned.add(onDispose(() => clearImmediate(turn)));
  owned.add(onDidChange(apply));
  return owned;
}

function setVsCodeContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}
