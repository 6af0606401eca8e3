import { t } from '@vscode/l10n';
import { NoConnectionError } from '../model/connection/current.ts';
import { hasMoreRecordings } from '../model/store/recordings.ts';
import { LIST_NAMES, type ListName, type Snapshot } from '../model/store/snapshot.ts';
import { hasMore } from '../model/store/streams.ts';
import { groupNode, type Node, recordingsNode, streamNode } from '../tree/nodes.ts';
import { forEachLimit } from '../util/async.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { nameOf } from './messages.ts';
import { Refusal } from './refusal.ts';
import { givenId, givenRow } from './targets/commandArguments.ts';
import { pickStream } from './targets/pickStream.ts';
import { streamIsGone } from './targets/refusals.ts';
import { knownStream } from './targets/streamTargets.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'loader' | 'current' | 'clock'>;

const AT_ONCE = 4;

export async function refresh(context: Pick<CommandContext, 'loader' | 'current'>): Promise<void> {
  requireService(context);
  await context.loader.refresh();
}

/** Reloads one row and everything below it. Without a row, picks a stream. */
export async function refreshItem(context: Context, ...args: readonly unknown[]): Promise<void> {
  requireService(context);
  const [given] = args;
  const row = givenRow(given);
  if (row !== undefined) return refreshRow(context, row);
  if (given !== undefined && given !== null) return refreshStream(context, givenId(given));
  const picked = await pickStream(context, t('Refresh'));
  if (picked !== undefined) await refreshStream(context, picked.id);
}

/** Loads the next page of a list. Without a row, takes the list that has more, or shows a picker if several do. */
export async function loadMore(context: Context, ...args: readonly unknown[]): Promise<void> {
  requireService(context);
  const row = givenRow(args[0]);
  if (row !== undefined) return loadMoreOf(context, row.kind === 'more' ? row.of : row);
  const lists = listsWithMore(context.store.snapshot);
  if (lists.length === 0) throw new Refusal(t("There's nothing more to load."), { severity: 'info' });
  const list = lists.length === 1 ? lists[0] : await pickList(context, lists);
  if (list !== undefined) await loadMoreOf(context, list);
}

/** Retries a failed load; without a row, all of them. */
export async function retry(context: Context, ...args: readonly unknown[]): Promise<void> {
  requireService(context);
  const row = givenRow(args[0]);
  if (row !== undefined) return refreshRow(context, row.kind === 'retry' ? row.of : row);
  const failed = failedLoads(context);
  if (failed.length === 0) throw new Refusal(t("There's nothing to retry."), { severity: 'info' });
  await forEachLimit(failed, AT_ONCE, (load) => load());
}

type Switched = Pick<CommandContext, 'store' | 'loader' | 'current'>;

/** Uses the documented request for the recorded sessions of streams. Takes {view: 'recordings'} for that view. */
export function showRecordedSessions(context: Switched, ...args: readonly unknown[]): Promise<void> | void {
  return isForRecordings(args) ? showOnlyRecordings(context) : switchStreams(context, true);
}

/** Takes {view: 'recordings'} for that view. */
export function showAllSessions(context: Switched, ...args: readonly unknown[]): Promise<void> | void {
  return isForRecordings(args) ? showMoreThanRecordings(context) : switchStreams(context, false);
}

/** For the menus of the Recordings view, which pass no arguments. */
export function showOnlyRecordings(context: Switched): Promise<void> {
  return switchRecordings(context, true);
}

export function showMoreThanRecordings(context: Switched): Promise<void> {
  return switchRecordings(context, false);
}

/** Needs an open connection, because the choice is stored: without rows the user wouldn't see the change. */
function switchStreams(context: Switched, recordedOnly: boolean): void {
  openConnectionInfo(context);
  context.store.setRecordedOnly(recordedOnly);
}

/** Streams of newly shown sessions may not have names yet. */
async function switchRecordings(context: Switched, recordedOnly: boolean): Promise<void> {
  openConnectionInfo(context);
  const { store, loader } = context;
  store.setRecordingsRecordedOnly(recordedOnly);
  if (store.snapshot.recordings.isLoaded) await loader.ensureRecordings();
}

function isForRecordings([given]: readonly unknown[]): boolean {
  return typeof given === 'object' && given !== null && 'view' in given && given.view === 'recordings';
}

/** Throws NoConnectionError if no connection is open or its key is gone. */
function requireService({ current }: Pick<CommandContext, 'current'>): void {
  if (!current.isOpen) throw new NoConnectionError();
}

async function refreshRow(context: Context, row: Node): Promise<void> {
  switch (row.kind) {
    case 'group':
      return context.loader.reloadList(row.list);
    case 'stream':
      return refreshStream(context, row.streamId);
    case 'session':
      return context.loader.reloadSessions(row.streamId);
    case 'child':
      // Without a list, the row is under the orphans, even if it has a parent.
      if (row.list === undefined || row.parentId === undefined) return context.loader.reloadChildren(undefined);
      return context.loader.reloadChildren(row.parentId);
    case 'orphans':
      return context.loader.reloadChildren(undefined);
    case 'recordings':
    case 'day':
    case 'recording':
      return context.loader.reloadRecordings();
    case 'more':
    case 'retry':
    case 'empty':
      return refreshRow(context, row.of);
    case 'notice':
      return context.loader.refresh();
    default:
      row satisfies never;
  }
}

async function refreshStream(context: Context, id: string): Promise<void> {
  const { sessions, children } = context.store.snapshot;
  const known = knownStream(context, id);
  const [stream] = await Promise.all([
    context.current.account.readStream(id),
    sessions.has(id) ? context.loader.reloadSessions(id) : undefined,
    children.has(id) ? context.loader.reloadChildren(id) : undefined,
  ]);
  if (stream === undefined) throw streamIsGone(known ?? { id, name: '' });
}

async function loadMoreOf(context: Context, of: Node): Promise<void> {
  switch (of.kind) {
    case 'group':
      return context.loader.loadMore(of.list);
    case 'stream':
      return context.loader.loadMoreSessions(of.streamId);
    case 'recordings':
      return context.loader.loadMoreRecordings();
    default:
      throw new Refusal(t("There's nothing more to load."), { severity: 'info' });
  }
}

const LIST_LABELS: Readonly<Record<ListName, () => string>> = {
  active: () => t('Active'),
  idle: () => t('Idle'),
  recording: () => t('Recording'),
};

function pickList({ ui, store }: Context, lists: readonly Node[]): Promise<Node | undefined> {
  const items = lists.map((list) => ({ label: listLabel(store.snapshot, list), value: list }));
  return ui.pick({ title: t('Load More'), items });
}

function listLabel(snapshot: Snapshot, list: Node): string {
  if (list.kind === 'group') return LIST_LABELS[list.list]();
  if (list.kind !== 'stream') return t('Recordings');
  return nameOf(snapshot.streams.get(list.streamId)?.stream ?? { id: list.streamId, name: '' });
}

function listsWithMore(snapshot: Snapshot): readonly Node[] {
  const groups = LIST_NAMES.filter((list) => snapshot.lists[list].isLoaded && hasMore(snapshot, list));
  const streams = [...snapshot.sessions].filter(
    ([, { hasNextPage, items, revealed }]) => hasNextPage || items.length > revealed,
  );
  return [
    ...groups.map(groupNode),
    ...streams.map(([id]) => streamNode('idle', id)),
    ...(snapshot.recordings.isLoaded && hasMoreRecordings(snapshot) ? [recordingsNode()] : []),
  ];
}

function failedLoads({ store, loader }: Context): readonly (() => Promise<void>)[] {
  const { lists, sessions, children, orphans, recordings } = store.snapshot;
  const failed = (map: Snapshot['sessions'] | Snapshot['children']) =>
    [...map].filter(([, list]) => list.trouble !== undefined).map(([id]) => id);
  return [
    ...LIST_NAMES.filter((list) => lists[list].trouble !== undefined || lists[list].missing > 0).map(
      (list) => () => loader.reloadList(list),
    ),
    ...failed(sessions).map((id) => () => loader.reloadSessions(id)),
    ...failed(children).map((id) => () => loader.reloadChildren(id)),
    ...(orphans.trouble === undefined ? [] : [() => loader.reloadChildren(undefined)]),
    ...(recordings.trouble === undefined ? [] : [() => loader.reloadRecordings()]),
  ];
}

export function collapseStreams({ ui }: Pick<CommandContext, 'ui'>): Promise<void> {
  return ui.collapseRows('streams');
}

export function collapseRecordings({ ui }: Pick<CommandContext, 'ui'>): Promise<void> {
  return ui.collapseRows('recordings');
}
