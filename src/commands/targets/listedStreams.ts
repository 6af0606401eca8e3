import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { compareConnections } from '../../model/connection/connections.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import {
  compareLiveStreams,
  idWithPart,
  isOutdated,
  needsToken,
  type StreamState,
  streamState,
} from '../../model/store/streams.ts';
import type { PickItem } from '../../services.ts';
import { idleLabel, liveLabel } from '../../texts/labels.ts';
import { suspendedLabel } from '../../texts/lateLabels.ts';
import { connectionName, MOST_ID_LENGTH, nameOf } from '../../texts/names.ts';
import { namedOnce } from '../../texts/refusals.ts';
import {
  beingRecordedWord,
  faultWord,
  liveWord,
  policyText,
  privateWord,
  streamIcon,
  suspendedWord,
} from '../../texts/streams.ts';
import { keyMissingSentence, outdatedReason, outdatedWords } from '../../texts/troubles.ts';
import { foldText } from '../../util/foldText.ts';
import { joinParts, oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { type RowInFront, splitFront } from './frontRows.ts';
import { isNamedIn } from './pastedText.ts';

const LABEL_LENGTH = 200;
const SHORT_ID_LENGTH = 8;

/** A connection whose streams a picker lists. */
export interface ListedConnection extends ConnectionObjects {
  readonly info: ConnectionInfo;
  /** Whether it's the one that the command runs in. */
  readonly isOwn: boolean;
  /** Its position: the command's own connection is first, and the others follow as in the view. */
  readonly place: number;
  /** The description of its streams; undefined if the picker lists no others. */
  readonly label: string | undefined;
}

export interface ListedStream {
  /** Unique in the picker: streams of two connections may have the same ID. */
  readonly id: string;
  readonly stream: Stream;
  readonly of: ListedConnection;
}

/** Returns the command's connection and, if it may run in others instead, those that are shown beside it. */
export function listedConnections(context: CommandContext): readonly ListedConnection[] {
  const shown: readonly ConnectionObjects[] = context.runBeside === undefined ? [context] : context.shownModels();
  const named = shown.flatMap(({ store, loader, connection }) => {
    const { info } = connection;
    return info === undefined ? [] : [{ store, loader, connection, info, isOwn: connection === context.connection }];
  });
  const { locale } = context.store.snapshot;
  return named
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || compareConnections(a.info, b.info, locale))
    .map((each, place) => ({ ...each, place, label: named.length > 1 ? connectionName(each.info) : undefined }));
}

export function listStreams(of: ListedConnection, streams: readonly Stream[]): readonly ListedStream[] {
  return streams.map((stream) => ({ id: of.isOwn ? stream.id : `${of.info.id}/${stream.id}`, stream, of }));
}

/** Returns the argument with which commands take a stream. */
export function commandTarget({ stream: { id }, of }: ListedStream): unknown {
  return of.isOwn ? id : { id, connection: of.info.id };
}

/** Says why streams of connections are missing or may be out of date. */
export function problemsOf(connections: readonly ListedConnection[]) {
  return connections.flatMap((connection) => {
    const sentence = problemSentence(connection);
    const { kind } = connection.store.snapshot.connection;
    const needsKey = kind === 'refused' || kind === 'keyless' ? connection.info.id : undefined;
    return sentence === undefined ? [] : [{ sentence, needsKey }];
  });
}

function problemSentence({ store: { snapshot }, info, label }: ListedConnection): string | undefined {
  if (snapshot.connection.kind === 'keyless') return keyMissingSentence(info.name);
  const sentence = outdatedReason(snapshot);
  if (sentence === undefined || label === undefined) return sentence;
  const withHost = () => outdatedReason({ ...snapshot, showsAllConnections: false }) ?? '';
  return namedOnce(label, (service) => (service === undefined ? withHost() : sentence));
}

/**
 * Returns the items of streams, below separators: those in front, and the others by state. With several connections,
 * each item names its connection, and streams of those that aren't up to date come last. Streams with the same name in
 * a connection show their IDs.
 */
export function streamItems(
  streams: readonly ListedStream[],
  typed: string,
  { first = 'live', front = [] }: { readonly first?: FirstStreams; readonly front?: readonly RowInFront[] } = {},
): readonly PickItem<string>[] {
  const twins = Map.groupBy(streams, twinKey);
  // VS Code hides the separators while the user types.
  const isMarked = first === 'idle' || first === 'private';
  const toItem = (each: ListedStream) =>
    itemOf(each, { typed, isMarked, hasTwin: (twins.get(twinKey(each))?.length ?? 0) > 1 });
  const { items: inFront, others } = splitFront(streams, front, toItem);
  const order = ORDERS[first];
  const groups = Map.groupBy(others, (each) => (isOld(each) ? OUTDATED : order.find(({ has }) => has(each))));
  const byState = [...order, OUTDATED].flatMap((group) => {
    const items = (groups.get(group) ?? []).sort(group.compare).map(toItem);
    return items.length === 0 ? [] : [{ label: group.label(), isSeparator: true } as const, ...items];
  });
  return [...inFront, ...byState];
}

/** Puts streams of connections that aren't up to date last, and the others in the order of the connections. */
export function compareByConnection(a: ListedStream, b: ListedStream): number {
  return Number(isOld(a)) - Number(isOld(b)) || a.of.place - b.of.place;
}

function isOld({ of }: ListedStream): boolean {
  return of.label !== undefined && isOutdated(of.store.snapshot);
}

/** Whether the name, ID, or playback ID contains the text, or the text is a URL or the key of the stream. */
export function matchesStream(stream: Stream, text: string): boolean {
  return hasInName(stream, text) || idWithPart(stream, text) !== undefined || isNamedIn(stream, text);
}

/** Whether the service reports it as live, also without data or while it's suspended. */
export function isActive({ stream, of }: ListedStream): boolean {
  return (of.store.snapshot.streams.get(stream.id)?.stream ?? stream).isActive;
}

export function stateOf({ stream, of }: ListedStream): StreamState {
  const fact = of.store.snapshot.streams.get(stream.id);
  if (fact !== undefined) return streamState(fact);
  if (stream.suspended === true) return 'suspended';
  return stream.isActive ? 'live' : 'idle';
}

/** Whether a command that lists these first is meant for this stream. */
export function isMeantFirst(first: FirstStreams, listed: ListedStream): boolean {
  return first === 'idle' ? !LIVE.has(listed) : ORDERS[first][0].has(listed);
}

/** A stream is in the first group that has it. */
type Order = readonly [StreamGroup, ...StreamGroup[]];

interface StreamGroup {
  readonly label: () => string;
  readonly has: (listed: ListedStream) => boolean;
  readonly compare: (a: ListedStream, b: ListedStream) => number;
}

const isIn =
  (...states: readonly StreamState[]) =>
  (listed: ListedStream): boolean =>
    states.includes(stateOf(listed));

const STALE: StreamGroup = { label: () => t('No data'), has: isIn('stale'), compare: compareSeen };
const IDLE: StreamGroup = {
  label: idleLabel,
  has: isIn('idle', 'suspended'),
  compare: (a, b) => compareByConnection(a, b) || isNew(b) - isNew(a) || compareSeen(a, b),
};
const LIVE: StreamGroup = { label: liveLabel, has: isIn('live'), compare: compareLive };
const LIVE_FIRST: Order = [LIVE, STALE, IDLE];
const SUSPENDED: StreamGroup = { ...IDLE, label: suspendedLabel, has: isIn('suspended') };
const PRIVATE: StreamGroup = {
  label: () => policyText({ playbackPolicy: { type: 'jwt', webhookId: undefined, allowedOrigins: [] } }) ?? '',
  has: ({ stream }) => needsToken(stream),
  compare: compareSeen,
};

/** `private`: those that play with a signed token. */
export type FirstStreams = 'live' | 'idle' | 'suspended' | 'private';

const ORDERS: Readonly<Record<FirstStreams, Order>> = {
  live: LIVE_FIRST,
  idle: [IDLE, STALE, LIVE],
  suspended: [SUSPENDED, ...LIVE_FIRST],
  private: [PRIVATE, ...LIVE_FIRST],
};
const OUTDATED: StreamGroup = {
  label: () => t('Streams out of date'),
  has: () => false,
  compare: (a, b) => compareByConnection(a, b) || rankOf(a) - rankOf(b) || compareSeen(a, b),
};

interface Described {
  readonly typed: string;
  readonly hasTwin: boolean;
  /** Whether a live stream is described as live. */
  readonly isMarked: boolean;
}

function itemOf(listed: ListedStream, { typed, hasTwin, isMarked }: Described): PickItem<string> {
  const { stream, of } = listed;
  const label = labelOf(stream);
  const state = stateOf(listed);
  const found = idThatMatches(stream, typed);
  const fault = faultOf(listed, state);
  const description = joinParts(
    of.label,
    isOld(listed) && outdatedWords(of.store.snapshot),
    isMarked && state === 'live' && liveWord(),
    fault,
    state === 'live' && stream.record && beingRecordedWord(),
    state === 'suspended' && suspendedWord(),
    privateWord(stream),
    hasTwin && found === undefined && label !== stream.id && stream.id.slice(0, SHORT_ID_LENGTH),
    found,
  );
  const icon = streamIcon(state, stream, fault !== undefined).id;
  return { label, description, icon, value: listed.id, ...(isNamedIn(stream, typed) && { isAlwaysShown: true }) };
}

function faultOf({ stream, of }: ListedStream, state: StreamState): string | undefined {
  const { snapshot } = of.store;
  const fact = snapshot.streams.get(stream.id);
  return fact && state === 'live' ? faultWord(snapshot, fact) : undefined;
}

/**
 * Returns the ID or playback ID if it matches the typed text and the name doesn't. VS Code searches only what is shown.
 */
function idThatMatches(stream: Stream, typed: string): string | undefined {
  if (hasInName(stream, typed)) return undefined;
  const found = idWithPart(stream, typed);
  return found && oneLine(found, MOST_ID_LENGTH);
}

function hasInName(stream: Stream, text: string): boolean {
  return foldText(labelOf(stream)).includes(foldText(text));
}

function labelOf(stream: Stream): string {
  return nameOf(stream, LABEL_LENGTH);
}

function twinKey({ stream, of }: ListedStream): string {
  return `${of.info.id}/${labelOf(stream)}`;
}

/** Streams created in this window come first until they have been live, as in the view. */
function isNew({ stream: { id, lastSeen }, of }: ListedStream): number {
  return Number(lastSeen === undefined && of.store.snapshot.createdIds.has(id));
}

/** As in the view. */
function compareLive(a: ListedStream, b: ListedStream): number {
  return compareByConnection(a, b) || compareLiveStreams(a.of.store.snapshot, a.stream, b.stream);
}

function compareSeen(a: ListedStream, b: ListedStream): number {
  return (
    compareByConnection(a, b) ||
    (b.stream.lastSeen ?? 0) - (a.stream.lastSeen ?? 0) ||
    (b.stream.createdAt ?? 0) - (a.stream.createdAt ?? 0)
  );
}

function rankOf(listed: ListedStream): number {
  return LIVE_FIRST.findIndex(({ has }) => has(listed));
}
