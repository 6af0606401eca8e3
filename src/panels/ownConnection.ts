import { t } from '@vscode/l10n';
import { DEMO_ID } from '../model/connection/current.ts';
import { type WayToConnect, waysToConnect } from '../model/connection/waysToConnect.ts';
import type { KeptSubject } from '../model/pages/panelState.ts';
import type { Snapshot } from '../model/store/snapshot.ts';

export interface NotOpen {
  /** Undefined until the stored connections have been read. */
  readonly sentence: string | undefined;
  readonly ways: readonly (WayToConnect | 'setApiKey')[];
}

/** Returns why the connection of a page or player is not open, and what the user can do; undefined if it is open. */
export function whyNotOpen(
  snapshot: Pick<Snapshot, 'connection' | 'connectionCount'>,
  { connection: id }: Pick<KeptSubject, 'connection'>,
): NotOpen | undefined {
  const { connection } = snapshot;
  if (connection.kind === 'starting') return { sentence: undefined, ways: [] };
  if ('info' in connection && connection.info.id === id) {
    if (connection.kind !== 'keyless') return undefined;
    return {
      sentence: t('The API key for "{0}" is no longer in secret storage.', connection.info.name),
      ways: ['setApiKey'],
    };
  }
  if (id === DEMO_ID) return { sentence: t("This is from the demo, which isn't running."), ways: ['startDemo'] };
  const sentence = t("This is from a connection that's no longer open in this window.");
  return { sentence, ways: waysToConnect(snapshot) };
}
