import { t } from '@vscode/l10n';
import { endNodes, type Node, type NodeOf, streamNode } from '../model/rows/nodes.ts';
import type { ListName, LoadFailure, Snapshot } from '../model/store/snapshot.ts';
import { hasNoStreams, offersRetry } from '../model/store/streams.ts';
import { loadMoreLabel } from '../texts/labels.ts';
import { nameLine } from '../texts/names.ts';
import { seenWord, streamsWord } from '../texts/streams.ts';
import { troubleSentence } from '../texts/troubles.ts';
import { formatCount } from '../util/format.ts';
import { hasText, joinWords } from '../util/text.ts';
import { placedValue } from './contextValues.ts';
import { type DrawingContext, GONE, plainRow, type Row } from './row.ts';
import { type RowKinds, type RowLoader, WITHOUT_ROWS } from './rowKind.ts';
import { isSameSubList } from './snapshotChanges.ts';
import { streamTooltip } from './tooltip.ts';

type ChildNode = NodeOf<'child'>;

export const CHILD_STREAM_ROWS: RowKinds<'child' | 'orphans'> = {
  child: {
    draw: drawChild,
    showsTime: true,
    parent: (_snapshot, { list, parentId }) =>
      list === undefined || parentId === undefined ? orphansNode() : streamNode(list, parentId),
    ...WITHOUT_ROWS,
  },
  orphans: {
    draw: drawOrphans,
    showsTime: false,
    parent: () => undefined,
    redraw({ changes: { previous, current }, painted }, node) {
      return isSameSubList(previous.orphans, current.orphans) || painted.isRequested(node) ? [] : [node];
    },
    below: {
      children: orphanRows,
      ensure: (loader) => loader.ensureOrphans(),
      pollTarget: () => undefined,
      isCounted: true,
      endTexts: (snapshot) => ({
        more: loadMoreLabel(),
        isLoadingMore: false,
        retryReason: snapshot.orphans.trouble && troubleSentence(snapshot.orphans.trouble.error, snapshot),
        empty: t('No deprecated child streams'),
      }),
    },
  },
};

/** A session and a deprecated child stream can have the same ID, so the child's has a marker. */
export function childNode(list: ListName, parentId: string, streamId: string): ChildNode {
  return { kind: 'child', id: `${list}/${parentId}/+child/${streamId}`, list, parentId, streamId };
}

export function orphanNode(streamId: string, parentId: string | undefined): ChildNode {
  return { kind: 'child', id: `historic/${streamId}`, list: undefined, parentId, streamId };
}

export function orphansNode(): NodeOf<'orphans'> {
  return { kind: 'orphans', id: 'historic' };
}

export function childStreamRootRows(snapshot: Snapshot): readonly Node[] {
  return snapshot.settings.showHistoricChildStreams ? [orphansNode()] : [];
}

export function childStreamRows(snapshot: Snapshot, { list, streamId }: NodeOf<'stream'>): readonly Node[] {
  if (!snapshot.settings.showHistoricChildStreams) return [];
  return (snapshot.children.get(streamId)?.items ?? []).map((child) => childNode(list, streamId, child.id));
}

export function childStreamTrouble(snapshot: Snapshot, streamId: string): LoadFailure | undefined {
  return snapshot.settings.showHistoricChildStreams ? snapshot.children.get(streamId)?.trouble : undefined;
}

export async function ensureChildStreamRows(loader: RowLoader, snapshot: Snapshot, streamId: string): Promise<void> {
  if (snapshot.settings.showHistoricChildStreams) await loader.ensureChildren(streamId);
}

/** Loads the streams needed to decide whether the account is empty (`isAccountEmpty`). */
export async function ensureChildStreamRoot(loader: RowLoader, snapshot: Snapshot): Promise<void> {
  if (snapshot.settings.showHistoricChildStreams && hasNoStreams(snapshot)) await loader.ensureOrphans();
}

function drawChild(snapshot: Snapshot, { parentId, list, streamId }: ChildNode, drawing: DrawingContext): Row {
  const siblings = list === undefined || parentId === undefined ? snapshot.orphans : snapshot.children.get(parentId);
  const stream = siblings?.items.find((child) => child.id === streamId);
  if (stream === undefined || siblings === undefined) return GONE;
  const { serverDate } = siblings;
  const name = nameLine(stream);
  const words = [t('deprecated'), seenWord(stream, drawing)];
  return {
    label: name,
    description: words.join(' · '),
    tooltip: () => {
      return {
        markdown: streamTooltip(snapshot, { stream, requestSeq: 0, startedAt: serverDate, serverDate }, drawing),
      };
    },
    icon: { id: 'archive' },
    contextValue: placedValue('child', [hasText(stream.streamKey), hasText(stream.playbackId)]),
    collapsible: 'none',
    accessibilityLabel: joinWords(name, ...words),
  };
}

function drawOrphans({ orphans }: Snapshot, _node: NodeOf<'orphans'>, { locale }: DrawingContext): Row {
  const label = t('Deprecated Child Streams');
  const description = orphans.isLoaded ? formatCount(orphans.items.length, locale) : undefined;
  return plainRow('orphans', label, {
    description,
    tooltip: () => ({ markdown: t('Deprecated child streams with no known parent') }),
    collapsible: 'collapsed',
    accessibilityLabel: joinWords(label, streamsWord(description)),
  });
}

function orphanRows(snapshot: Snapshot, node: NodeOf<'orphans'>): readonly Node[] {
  const { items, isLoaded, revealed, hasNextPage, trouble } = snapshot.orphans;
  const rows = items.slice(0, revealed).map((child) => orphanNode(child.id, child.parentId));
  const more = hasNextPage || items.length > revealed;
  const retry = trouble !== undefined && offersRetry(snapshot, snapshot.orphans);
  return [...rows, ...endNodes(node, { isEmpty: isLoaded && rows.length === 0, more, retry })];
}
