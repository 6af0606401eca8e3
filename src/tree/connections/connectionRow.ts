import { t } from '@vscode/l10n';
import type { ConnectionNode, Node } from '../../model/rows/nodes.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { liveStreams, shownIds } from '../../model/store/streams.ts';
import { currentWord } from '../../texts/labels.ts';
import { countedText } from '../../texts/names.ts';
import { keyRequiredWords, outdatedReason, outdatedWords } from '../../texts/troubles.ts';
import { formatCount } from '../../util/format.ts';
import { escapeMarkdown } from '../../util/markup.ts';
import { joinParts, joinWords, oneLine } from '../../util/text.ts';
import { placedValue } from '../contextValues.ts';
import { isFilteredOut } from '../filterRow.ts';
import { liveCountText } from '../liveCount.ts';
import { failureNotice, isUnread, WARNING } from '../noticeRows.ts';
import { type DrawingContext, plainRow, type Row } from '../row.ts';
import { streamsMessage } from '../treeState.ts';

const REFUSALS = [
  ['create', 'cannotCreate'],
  ['patch', 'cannotPatch'],
  ['suspend', 'cannotSuspend'],
  ['endBroadcast', 'cannotEndBroadcast'],
  ['delete', 'cannotDelete'],
] as const;

/** Values that menus of rows test in addition to those of `contextValues`, since services of connections may differ. */
export const REFUSAL_VALUES: readonly string[] = REFUSALS.map(([, word]) => `stream.${word}`);

/** Adds the features that the connection's service lacks. Context keys only cover the active connection. */
export function withRefusals(contextValue: string, { abilities }: Snapshot): string {
  const words = REFUSALS.filter(([ability]) => !abilities[ability]).map(([, word]) => word);
  return [contextValue, ...words].join('.');
}

/** Draws the row of a connection, above its groups. A row below it offers the fix for a rejected key. */
export function drawConnection(
  snapshot: Snapshot,
  { isActive, isClosed }: { readonly isActive: boolean; readonly isClosed: boolean },
  drawing: DrawingContext,
): Row {
  const { connection } = snapshot;
  if (!('info' in connection)) throw new Error('The connection is not open');
  const { name, baseUrl, isDemo } = connection.info;
  const isKeyless = connection.kind === 'keyless';
  const problem = problemOf(snapshot);
  // A rejected key needs replacing. The menu offers a retry too, because the service may accept the key by then.
  const isFailing = connection.kind === 'open' && problem !== undefined && !hasOnlyRetry(snapshot);
  const label = oneLine(name);
  const words = isKeyless ? keyRequiredWords() : (outdatedWords(snapshot) ?? liveCount(snapshot, drawing));
  const parts = [isActive && currentWord(), words];
  const lines = [
    `**${escapeMarkdown(label)}**`,
    escapeMarkdown(URL.parse(baseUrl)?.host ?? baseUrl),
    isActive && t('Current connection'),
    escapeMarkdown(streamsMessage(snapshot, drawing) ?? problem ?? ''),
  ];
  return {
    label,
    description: joinParts(...parts),
    tooltip: () => ({ markdown: lines.filter(Boolean).join('\n\n') }),
    icon: problem === undefined ? { id: 'server' } : WARNING,
    contextValue: withRefusals(
      placedValue('connection', [isActive, isDemo, isFailing, connection.kind === 'refused']),
      snapshot,
    ),
    collapsible: isKeyless ? 'none' : isClosed ? 'collapsed' : 'expanded',
    command: isKeyless ? 'setApiKey' : undefined,
    accessibilityLabel: joinWords(label, ...parts),
  };
}

/** Draws the row of a connection that was removed while it was shown. It has no rows below it. */
export function drawRemovedConnection({ name, baseUrl }: NonNullable<ConnectionNode['removed']>): Row {
  const label = oneLine(name);
  const description = t('Removed. Connect Again…');
  const sentence = t('This connection was removed in another window. Its API key was deleted from VS Code.');
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  return plainRow('removedConnection', label, {
    description,
    tooltip: () => ({ markdown: [`**${escapeMarkdown(label)}**`, escapeMarkdown(host), sentence].join('\n\n') }),
    icon: WARNING,
    command: 'addConnection',
  });
}

/** Draws the only row of a connection without streams: the view's welcome is for a connection that is shown alone. */
export function drawCreate({ connection }: Node): Row {
  return plainRow('notice', t('Create Stream…'), {
    description: t('no streams yet'),
    icon: { id: 'add' },
    command: 'createStream',
    // Not the row: the view's title bar passes the focused row, but means the current connection.
    argument: { connection },
  });
}

/** Whether an unreachable connection has no known streams, so that a Retry row replaces its groups. */
function hasOnlyRetry(snapshot: Snapshot): boolean {
  return isUnread(snapshot) && failureNotice(snapshot) === 'retry';
}

function problemOf(snapshot: Snapshot): string | undefined {
  return snapshot.connection.kind === 'keyless' ? t('API key required. Set API Key…') : outdatedReason(snapshot);
}

/** Returns "1 of 6 live" with a filter, since the Status Bar counts all of them. */
function liveCount(snapshot: Snapshot, { locale }: DrawingContext): string | undefined {
  const { active, idle } = snapshot.lists;
  if (!active.isLoaded) return undefined;
  if (idle.isLoaded && isFilteredOut(snapshot, 'active') && isFilteredOut(snapshot, 'idle')) return t('no matches');
  const all = liveStreams(snapshot);
  const shown = new Set(shownIds(snapshot, 'active'));
  const left = all.filter(({ stream }) => shown.has(stream.id)).length;
  if (left === all.length) return liveCountText(left, locale);
  return t('{0} live', countedText(formatCount(left, locale) ?? '', formatCount(all.length, locale) ?? ''));
}
