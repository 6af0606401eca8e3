import { t } from '@vscode/l10n';
import type { Snapshot } from '../model/store/snapshot.ts';
import { liveStreams } from '../model/store/streams.ts';
import { formatCount } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import type { DrawingContext } from './row.ts';
import { joinWords } from './texts.ts';
import { treeState } from './treeState.ts';
import { troubleSentence } from './troubleText.ts';

/** How long the number of live streams may be shown without being looked up again, where polls are more frequent. */
const SHOWN_FOR_MS = 2 * 60_000;

/** What the status bar says of the live streams. */
export interface StatusText {
  /** With a codicon before it. */
  readonly text: string;
  /** Plain text, in lines. */
  readonly tooltip: string;
  readonly accessibilityLabel: string;
  readonly isWarning: boolean;
  /** When the number gets too old to be shown, by the local clock, epoch ms. */
  readonly hidesAt: number;
}

/**
 * The number of live streams, for the status bar; undefined without a connection, and where the number is not known or too
 * old. @param refreshInterval seconds between two polls, 0 where there are none: one poll may fail before the number goes
 */
export function statusText(
  snapshot: Snapshot,
  drawing: DrawingContext,
  refreshInterval: number,
): StatusText | undefined {
  const { connection, lists } = snapshot;
  const { isLoaded, loadedAt } = lists.active;
  if (connection.kind !== 'open' && connection.kind !== 'refused') return undefined;
  if (!isLoaded || loadedAt === undefined) return undefined;
  const hidesAt = loadedAt + Math.max(SHOWN_FOR_MS, 2 * refreshInterval * 1000);
  if (drawing.now >= hidesAt) return undefined;
  const count = liveStreams(snapshot).length;
  const number = formatCount(count, drawing.locale) ?? '';
  const words = count === 1 ? t('1 live stream') : t('{0} live streams', number);
  const name = oneLine(connection.info.name);
  const reason = reasonOf(snapshot, drawing);
  const isWarning = reason !== undefined;
  return {
    text: `$(${isWarning ? 'warning' : 'broadcast'}) ${t('{0} live', number)}`,
    tooltip: [words, name, reason].filter((line) => line !== undefined).join('\n'),
    accessibilityLabel: joinWords(words, name, reason),
    isWarning,
    hidesAt,
  };
}

/** Why the last look failed. The view's message leaves out what a row of its own says. */
function reasonOf(snapshot: Snapshot, drawing: DrawingContext): string | undefined {
  const { connection, trouble } = snapshot;
  if (connection.kind === 'refused') return t('The service refused the key.');
  if (trouble === undefined) return undefined;
  return treeState(snapshot, drawing).message ?? troubleSentence(trouble.error, snapshot);
}
