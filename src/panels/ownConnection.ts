import { t } from '@vscode/l10n';
import { type ConnectAction, connectActions } from '../model/connection/connectActions.ts';
import { DEMO_ID } from '../model/connection/connection.ts';
import type { ModelContext } from '../model/context.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { setApiKeyLabel } from '../texts/labels.ts';
import { connectLabel, tryDemoLabel } from '../texts/lateLabels.ts';
import { connectionName, isAmbiguous } from '../texts/names.ts';
import { belongsElsewhere, demoIsStopped } from '../texts/refusals.ts';
import type { Disposable } from '../util/disposable.ts';

export interface NotOpen {
  /** Undefined until the stored connections have been read. */
  readonly sentence: string | undefined;
  readonly ways: readonly (ConnectAction | 'setApiKey')[];
}

/** The subject of a page or player, with the ID of its connection. */
export interface Owned {
  readonly connection: string;
}

type Way = NotOpen['ways'][number];

/**
 * Returns buttons that lead back to the connection.
 * @param isRunning whether that's the demo, which runs beside the current connection
 */
export function wayButtons(
  { ways }: Pick<NotOpen, 'ways'>,
  isRunning = false,
): readonly { readonly label: string; readonly act: Way }[] {
  const labelOf = (act: Way) => WAY_LABELS[isRunning && act === 'startDemo' ? 'openOwnConnection' : act]();
  return ways.map((act) => ({ label: labelOf(act), act }));
}

const WAY_LABELS: Readonly<Record<Way, () => string>> = {
  setApiKey: setApiKeyLabel,
  openOwnConnection: () => t('Switch Connection'),
  switchConnection: () => t('Switch Connection…'),
  addConnection: connectLabel,
  startDemo: tryDemoLabel,
};

/** Returns the name of the connection if there are several: another one may have a stream of the same name. */
export function connectionWords(snapshot: Snapshot): readonly string[] {
  const { connection } = snapshot;
  return isAmbiguous(snapshot) && 'info' in connection ? [connectionName(connection.info)] : [];
}

/** Returns the name of a connection that is open or can be opened again: a stored one, or the demo while it runs. */
export function nameOfKnown({ store, demo }: ModelContext, id: string): string | undefined {
  if (id === DEMO_ID) return demo.running && demo.name;
  return store.snapshot.connectionNames.get(id);
}

/** Listens for the end of the demo, if the demo runs under this ID. */
export function onDemoStop({ demo }: ModelContext, id: string, listener: () => void): Disposable | undefined {
  return id === DEMO_ID ? demo.running?.onDidStop(listener) : undefined;
}

/** Returns whether the service rejects the key, or says that it may not read the streams. */
export function mayNeedOtherKey({ connection, trouble }: Snapshot): boolean {
  return connection.kind === 'refused' || trouble?.error.reason === 'forbidden';
}

/** Returns why the connection of a page or player isn't open, and what the user can do; undefined if it's open. */
export function connectionProblem(snapshot: Snapshot, { connection: id }: Owned): NotOpen | undefined {
  const { connection } = snapshot;
  if (connection.kind === 'starting') return { sentence: undefined, ways: [] };
  if ('info' in connection && connection.info.id === id) {
    if (connection.kind !== 'keyless') return undefined;
    return {
      sentence: t('The API key for "{0}" is no longer in secret storage.', connection.info.name),
      ways: ['setApiKey'],
    };
  }
  if (id === DEMO_ID) return { sentence: demoIsStopped(), ways: ['startDemo'] };
  return { sentence: belongsElsewhere(snapshot.connectionNames.get(id)), ways: connectActions(snapshot, id) };
}
