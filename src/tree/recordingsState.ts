import { t } from '@vscode/l10n';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { DrawingContext } from './row.ts';
import { ageSentence, type TreeState } from './treeState.ts';
import { recordingsTroubleSentence } from './troubleText.ts';
import { recordingsContext } from './viewContext.ts';

export function recordingsState(snapshot: Snapshot, drawing: DrawingContext): TreeState {
  const message = messageOf(snapshot, drawing);
  const showsAll = 'info' in snapshot.connection && !snapshot.recordingsRecordedOnly;
  return {
    ...(message === undefined ? {} : { message }),
    ...(showsAll ? { description: t('all sessions') } : {}),
    context: recordingsContext(snapshot),
  };
}

/** Only if a reload failed with rows on screen. If there are none, or if the user has to act, a row shows the state. */
function messageOf(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const { connection, recordings } = snapshot;
  const { trouble, isLoaded, loadedAt } = recordings;
  if (connection.kind !== 'open' || trouble === undefined || !isLoaded) return undefined;
  const sentences = [recordingsTroubleSentence(trouble.error, snapshot), ageSentence(loadedAt, drawing)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}
