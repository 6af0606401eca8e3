import { t } from '@vscode/l10n';
import { isAbortError } from '../api/errors.ts';
import { isId } from '../api/ids.ts';
import { knownStream } from '../model/childStreams/knownStream.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import type { ConnectionObjects } from '../model/context.ts';
import { groupNode, type Node, recordingsNode, streamNode, type ViewNode } from '../model/rows/nodes.ts';
import { loadMoreRows, reloadRow } from '../model/rows/rowActions.ts';
import { hasMoreRecordings } from '../model/store/recordings.ts';
import { LIST_NAMES, type ListName, type Snapshot, type SortKey, type StreamFact } from '../model/store/snapshot.ts';
import { hasMore, idWithPart, nameFilter } from '../model/store/streams.ts';
import { isWebhookNode, type WebhookNodeOf } from '../model/webhooks/webhookNodes.ts';
import type { PickItem } from '../services.ts';
import { connectAction } from '../texts/actions.ts';
import { idleLabel, loadMoreLabel } from '../texts/labels.ts';
import { nameOf } from '../texts/names.ts';
import { Refusal } from '../texts/refusal.ts';
import { requireId, streamIsGone } from '../texts/refusals.ts';
import { forEachLimit } from '../util/async.ts';
import { DisposableSlot } from '../util/disposable.ts';
import { hasSeveralConnections } from './connection/openConnection.ts';
import type { CommandContext } from './context.ts';
import { givenId, givenRow, givenText } from './targets/commandArguments.ts';

const AT_ONCE = 4;

export async function refresh(context: CommandContext): Promise<void> {
  const loaders = context.shownModels().map(({ loader }) => loader);
  if (loaders.length === 1) context.connection.requireOpen();
  context.dismissRemoved();
  await Promise.all(loaders.map((loader) => loader.refresh()));
}

/** Loads the next page of a list. Without a row, takes the list that has more, or shows a picker if several do. */
export async function loadMore(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  context.connection.requireOpen();
  const end = givenWebhookEnd(args[0]);
  if (end !== undefined) return loadMoreWebhookRows(context, end);
  const row = givenRow(args[0]);
  if (row !== undefined) return loadMoreOf(context, 'of' in row ? row.of : row);
  const lists = listsWithMore(context.store.snapshot);
  if (lists.length === 0) throw nothingMore();
  const list =
    lists.length === 1
      ? lists[0]?.value
      : await context.ui.pick({
          title: loadMoreLabel(),
          placeholder: t('Select a list to load more items'),
          items: lists,
        });
  if (list !== undefined) await loadMoreOf(context, list);
}

/** Loads a row and everything below it again, or a stream by its ID. Without either, retries all failed loads. */
export async function retry(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const [given] = args;
  if (given === undefined || given === null) return retryAll(context);
  context.connection.requireOpen();
  const end = givenWebhookEnd(given);
  if (end !== undefined) return void (await retryWebhookRows(context, end));
  const row = givenRow(given);
  if (row !== undefined) return refreshRow(context, row);
  return refreshStream(context, givenId(given));
}

async function retryAll(context: CommandContext): Promise<void> {
  const failed = context.shownModels().flatMap(failedLoads);
  if (failed.length === 0) {
    context.connection.requireOpen();
    throw new Refusal(t("There's nothing to retry."), { severity: 'info' });
  }
  await forEachLimit(failed, AT_ONCE, (load) => load());
}

/** Throws a Refusal if its ID isn't safe in a path: any extension can make up rows. */
function givenWebhookEnd(given: unknown): WebhookNodeOf<'webhookEnd'> | undefined {
  if (!isWebhookNode(given) || given.kind !== 'webhookEnd') return undefined;
  if (given.webhookId !== undefined) requireId(given.webhookId);
  return given;
}

/**
 * Needs an open connection, because the choice is stored: without rows the user wouldn't see the change. Streams of
 * newly shown sessions may not have names yet.
 */
export async function switchRecordings(context: CommandContext, recordedOnly: boolean): Promise<void> {
  openConnectionInfo(context);
  const { store, loader } = context;
  store.setRecordingsRecordedOnly(recordedOnly);
  if (store.snapshot.recordings.isLoaded) await loader.ensureRecordings();
}

function refreshRow(context: CommandContext, row: ViewNode): Promise<void> {
  const { loader } = context;
  return reloadRow({ loader, reloadStream: (id) => refreshStream(context, id) }, row);
}

async function refreshStream(context: CommandContext, id: string): Promise<void> {
  const { sessions, children } = context.store.snapshot;
  const known = knownStream(context, id);
  const [stream] = await Promise.all([
    context.connection.account.readStream(id),
    sessions.has(id) ? context.loader.reloadSessions(id) : undefined,
    children.has(id) ? context.loader.reloadChildren(id) : undefined,
  ]);
  if (stream === undefined) throw streamIsGone(known ?? { id, name: '' });
}

async function loadMoreOf({ loader }: CommandContext, row: ViewNode): Promise<void> {
  const loading = loadMoreRows(loader, row);
  if (loading === undefined) throw nothingMore();
  await loading;
}

function nothingMore(): Refusal {
  return new Refusal(t("There's nothing more to load."), { severity: 'info' });
}

const LIST_LABELS: Readonly<Record<ListName, () => string>> = {
  active: () => t('Active'),
  idle: idleLabel,
  recording: () => t('Recording On'),
};

function listsWithMore(snapshot: Snapshot): readonly PickItem<Node>[] {
  const groups = LIST_NAMES.filter((list) => snapshot.lists[list].isLoaded && hasMore(snapshot, list));
  const streams = [...snapshot.sessions].filter(
    ([, { hasNextPage, items, revealed }]) => hasNextPage || items.length > revealed,
  );
  const hasOlder = snapshot.recordings.isLoaded && hasMoreRecordings(snapshot);
  return [
    ...groups.map((list) => ({ label: LIST_LABELS[list](), value: groupNode(list) })),
    ...streams.map(([id]) => ({
      label: nameOf(snapshot.streams.get(id)?.stream ?? { id, name: '' }),
      value: streamNode('idle', id),
    })),
    ...(hasOlder ? [{ label: t('Recordings'), value: recordingsNode() }] : []),
  ];
}

function failedLoads({ store, loader }: ConnectionObjects): readonly (() => Promise<void>)[] {
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

/** Shows the rows of each connection below a row of its own. */
export function showAllConnections(context: CommandContext): void {
  if (!hasSeveralConnections(context)) {
    throw new Refusal(t("There's only one connection."), { severity: 'info', actions: [connectAction()] });
  }
  context.store.setShowsAllConnections(true);
}

/** The filter is part of a URL, which services limit in length. */
const FILTER_LENGTH_AT_MOST = 200;

const SORT_LABELS: Readonly<Record<SortKey, () => string>> = {
  lastSeen: () => t('Last Live'),
  name: () => t('Name'),
  createdAt: () => t('Created'),
};

/**
 * Filters streams by a part of their name or by a tag. Takes {text}, or filters while the user types; Escape restores
 * the previous filter. An empty text clears the filter.
 */
export async function filterStreams(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = textIn(args[0], 'text');
  if (given === undefined) return typeFilter(context);
  const problem = problemOfFilter(given);
  if (problem !== undefined) throw new Refusal(problem);
  await showFiltered(context, given);
}

// Short enough to follow the typing, long enough to request few of the strings in between.
const TYPING_PAUSE_MS = 150;

async function typeFilter(context: CommandContext): Promise<void> {
  const { ui, store, clock } = context;
  const before = store.snapshot.filter;
  const pause = new DisposableSlot();
  const shown: Promise<unknown>[] = [];
  try {
    const text = await ui.input({
      title: t('Filter Streams'),
      prompt: t(
        'Enter a name, at least four characters of an ID, or a tag such as {0}. To show all streams, clear the box.',
        'event:Summit',
      ),
      value: before,
      validate: problemOfFilter,
      onDidType(typed) {
        if (problemOfFilter(typed) !== undefined) return;
        const show = () => shown.push(showFiltered(context, typed).catch((error: unknown) => error));
        pause.set(clock.setTimeout(show, TYPING_PAUSE_MS));
      },
    });
    pause.dispose();
    await showFiltered(context, text ?? before);
  } finally {
    pause.dispose();
  }
  const failed = (await Promise.all(shown)).find((error) => error !== undefined);
  if (failed !== undefined) throw failed;
}

async function showFiltered(context: CommandContext, text: string): Promise<void> {
  const { filter } = context.store.snapshot;
  applyFilter(context, text.trim());
  // Most matches are idle, and this group starts collapsed.
  if (filter === '' && text.trim() !== '') await context.ui.reveal({ kind: 'group', list: 'idle' });
}

export function clearFilter(context: CommandContext): void {
  openConnectionInfo(context);
  applyFilter(context, '');
}

/** Sorts the streams of each group. Takes lastSeen, name, or createdAt, or shows a picker. */
export async function sortStreams(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = textIn(args[0], 'by');
  const sort = given === undefined ? await pickSort(context) : SORT_KEYS.find((key) => key === given);
  if (sort !== undefined) for (const model of context.shownModels()) sortModel(model, sort);
  else if (given !== undefined) throw new Refusal(t('The sort order must be lastSeen, name, or createdAt.'));
}

/**
 * Sets the filter and reloads the groups that were requested with the previous one: the service filters these. The
 * active streams are all known and filtered in VS Code.
 */
export function applyFilter(context: CommandContext, text: string): void {
  for (const model of context.shownModels()) filterModel(context, model, text);
}

function filterModel(context: CommandContext, model: ConnectionObjects, text: string): void {
  const { store, loader } = model;
  const { filter, lists } = store.snapshot;
  if (text === filter) return;
  const isSameList = nameFilter(text) === nameFilter(filter);
  const requested = (['idle', 'recording'] as const).filter((list) => {
    const { isLoaded, isLoading, trouble } = lists[list];
    if (isSameList && (isLoaded || isLoading)) return false;
    // Most matches are idle: whether there are any isn't known before they are loaded.
    return isLoaded || isLoading || trouble !== undefined || (list === 'idle' && text !== '');
  });
  store.setFilter(text, matchingById(store.snapshot, text).slice(0, KEPT_BY_ID));
  // Reloads even a list that is already loading: it was requested with the previous filter.
  for (const list of requested) void loader.reloadList(list);
  void loader.countMatching();
  void showById(context, model, text);
}

/** A refresh reads this many by ID. */
const KEPT_BY_ID = 20;

/** Returns the loaded idle streams whose ID contains the text: the service matches no parts, so its list omits them. */
function matchingById({ streams }: Snapshot, text: string): readonly string[] {
  return [...streams.values()].flatMap(({ stream }) =>
    !stream.isActive && idWithPart(stream, text) !== undefined ? [stream.id] : [],
  );
}

/** Shows the stream that has this ID or playback ID, which the service doesn't find by its filter for names. */
async function showById(
  { log }: CommandContext,
  { store, connection }: ConnectionObjects,
  text: string,
): Promise<void> {
  const isKnown = ({ stream: { id, playbackId } }: StreamFact) => id === text || playbackId === text;
  // Most names have spaces, or no digits.
  if (!connection.isOpen || !isId(text) || !/\d/.test(text) || [...store.snapshot.streams.values()].some(isKnown))
    return;
  const { account } = connection;
  try {
    const found = await Promise.all(account.searchStreams(text, account.signal, { byName: false }));
    for (const { id } of found.flat()) await account.readStream(id, { pin: true });
  } catch (error) {
    if (!isAbortError(error)) log.warn(`Couldn't search for a stream by ID: ${String(error)}`);
  }
}

/** Sets the sort and reloads the groups whose streams aren't all loaded: the service sorts these. */
function sortModel({ store, loader }: ConnectionObjects, sort: SortKey): void {
  const { lists, sort: before } = store.snapshot;
  if (sort === before) return;
  store.setSort(sort);
  const incomplete = (['idle', 'recording'] as const).filter((list) => lists[list].hasNextPage);
  for (const list of incomplete) void loader.reloadList(list);
}

const SORT_KEYS: readonly SortKey[] = ['lastSeen', 'name', 'createdAt'];

function problemOfFilter(text: string): string | undefined {
  const isTooLong = text.trim().length > FILTER_LENGTH_AT_MOST;
  return isTooLong ? t('Enter up to {0} characters.', FILTER_LENGTH_AT_MOST) : undefined;
}

function pickSort({ ui, store }: CommandContext): Promise<SortKey | undefined> {
  const items = SORT_KEYS.map((key) => ({
    label: SORT_LABELS[key](),
    icon: key === store.snapshot.sort ? 'check' : 'blank',
    value: key,
  }));
  return ui.pick({ title: t('Sort Streams By'), placeholder: t('Select how to sort streams'), items });
}

/** Returns a string, or the field of this name. Rows, which the view's title menu passes, have neither field. */
function textIn(given: unknown, field: 'text' | 'by'): string | undefined {
  return typeof given === 'string' ? given : givenText(given, field);
}

/** Loads the next page of the list that a row ends. */
function loadMoreWebhookRows({ webhooks }: CommandContext, { webhookId }: WebhookNodeOf<'webhookEnd'>): Promise<void> {
  return webhookId === undefined ? webhooks.loadMore() : webhooks.loadMoreDeliveries(webhookId);
}

/** Reloads the list that a row ends, or the page that failed. */
function retryWebhookRows(context: CommandContext, { webhookId }: WebhookNodeOf<'webhookEnd'>): Promise<unknown> {
  const { webhooks, runCommand } = context;
  if (webhookId === undefined) return runCommand('refreshWebhooks');
  const rows = webhooks.state.deliveries.get(webhookId);
  if (rows?.isLoaded === true && rows.hasNextPage) return webhooks.loadMoreDeliveries(webhookId);
  return webhooks.setFilter(webhookId, rows?.filter ?? {});
}
