import type { NodeOf } from '../model/rows/nodes.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { isOutdated, needsToken, streamState } from '../model/store/streams.ts';
import { nameLine } from '../texts/names.ts';
import {
  faultWord,
  operationWord,
  rowWords,
  type StateIcon,
  spokenStreamWords,
  streamIcon,
  testBroadcastWords,
} from '../texts/streams.ts';
import { hasText, joinParts, joinWords } from '../util/text.ts';
import { placedValue } from './contextValues.ts';
import { type DrawingContext, GONE, type Row } from './row.ts';
import { streamLinks, streamTooltip } from './tooltip.ts';

export function drawStream(snapshot: Snapshot, { streamId }: NodeOf<'stream'>, drawing: DrawingContext): Row {
  const fact = snapshot.streams.get(streamId);
  if (fact === undefined) return GONE;
  const operation = snapshot.operations.get(streamId);
  const testing = testBroadcastWords(snapshot, streamId);
  const isTested = testing.length > 0;
  const name = nameLine(fact.stream);
  // When an idle stream was last live is about to change.
  const own = isTested && !fact.stream.isActive ? testing : [...testing, ...rowWords(snapshot, fact, drawing)];
  const words = operation === undefined ? own : [operationWord(operation)];
  return {
    label: name,
    description: joinParts(...words),
    tooltip: () => ({ markdown: streamTooltip(snapshot, fact, drawing), links: streamLinks(snapshot, fact) }),
    icon: operation === undefined ? rowIcon(snapshot, fact) : SPINNER,
    contextValue: streamValue(fact, isTested),
    collapsible: 'collapsed',
    accessibilityLabel: joinWords(
      name,
      ...(operation === undefined ? [...testing, ...spokenStreamWords(snapshot, fact, drawing)] : words),
    ),
  };
}

const SPINNER: StateIcon = { id: 'loading~spin' };

function rowIcon(snapshot: Snapshot, fact: StreamFact): StateIcon {
  const icon = streamIcon(streamState(fact), fact.stream, faultWord(snapshot, fact) !== undefined);
  return fact.stream.isActive ? liveIcon(icon, snapshot) : icon;
}

/** Returns the icon of a live item, without its color if it may have ended unnoticed. */
export function liveIcon(icon: StateIcon, snapshot: Snapshot): StateIcon {
  return isOutdated(snapshot) ? { id: icon.id, color: 'descriptionForeground' } : icon;
}

function streamValue(fact: StreamFact, isTested: boolean): string {
  const { isActive, record, suspended, streamKey, playbackId } = fact.stream;
  const isStale = streamState(fact) === 'stale';
  const texts = [hasText(streamKey), hasText(playbackId)] as const;
  const flags = [isActive, record, suspended === true, ...texts, isTested, isStale, needsToken(fact.stream)] as const;
  return placedValue('stream', flags);
}
