import { t } from '@vscode/l10n';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { DrawingContext } from './row.ts';
import { ageSentence, type TreeState } from './treeState.ts';
import { recordingsTroubleSentence } from './troubleText.ts';
import { recordingsContext } from './viewContext.ts';

/** What the Recordings view shows around its rows. */
export function recordingsState(snapshot: Snapshot, drawing: DrawingContext): TreeState {
  const message = messageOf(snapshot, drawing);
  const showsAll = 'info' in snapshot.connection && !snapshot.recordingsRecordedOnly;
  return {
    ...(message === undefined ? {} : { message }),
    ...(showsAll ? { description: t('all sessions') } : {}),
    context: recordingsContext(snapshot),
  };
}

/** Of rows that could not be read again; without any, and for what the person has to do, a row says it. */
function messageOf(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const { connection, recordings } = snapshot;
  const { trouble, isLoaded, loadedAt } = recordings;
  if (connection.kind !== 'open' || trouble === undefined || !isLoaded) return undefined;
  const sentences = [recordingsTroubleSentence(trouble.error, snapshot), ageSentence(loadedAt, drawing)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}
