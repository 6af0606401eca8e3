import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import { isOutdated, liveStreams, matchesFilter } from '../model/store/streams.ts';
import type { PickItem } from '../services.ts';
import { copyStreamKeyLabel, showDetailsLabel, watchLabel } from '../texts/labels.ts';
import { withConnection } from '../texts/listedNames.ts';
import { nameOf } from '../texts/names.ts';
import { streamIsGone } from '../texts/refusals.ts';
import { compareNames } from '../util/names.ts';
import { givenConnection } from './connection/boundConnection.ts';
import type { CommandContext } from './context.ts';
import type { CommandId } from './table.ts';
import { givenId, givenRow } from './targets/commandArguments.ts';
import { FillingPicker, type RowButton } from './targets/fillingPicker.ts';
import {
  commandTarget,
  compareByConnection,
  type ListedConnection,
  type ListedStream,
  listedConnections,
  listStreams,
  problemsOf,
  streamItems,
} from './targets/listedStreams.ts';
import { resolveOneStream } from './targets/streamTargets.ts';
import { applyFilter } from './treeCommands.ts';

/**
 * Picks one of all streams, or takes its ID or {id, connection}, and reveals its row, even if its page isn't loaded.
 * Ignores rows: the view's title menu passes the focused one.
 */
export async function goToStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const given = givenRow(args[0]) === undefined ? args.slice(0, 1) : [];
  const connection = givenConnection(context, given);
  if (connection !== undefined && connection.id !== context.connection.info?.id) {
    return void (await context.runBeside?.(connection, givenId(given[0])));
  }
  const picked = await resolveOneStream(context, given, t('Go to Stream'), {
    buttons: buttonsOf(context),
    isForOther: true,
  });
  if (picked === undefined) return;
  const stream =
    knownOutdated(context, picked) ?? (await context.connection.account.readStream(picked.id, { pin: true }));
  if (stream === undefined) throw streamIsGone(picked);
  await revealStream(context, stream);
}

/** Returns the known state of a stream while its service can't be reached or rejects the key. Its row shows that. */
function knownOutdated({ store: { snapshot } }: CommandContext, { id }: Stream): Stream | undefined {
  return isOutdated(snapshot) ? snapshot.streams.get(id)?.stream : undefined;
}

/** Runs when the Status Bar item is clicked: polls the services and goes to one of the live streams. */
export async function goToLiveStream(context: CommandContext): Promise<void> {
  const connections = listedConnections(context);
  if (connections.length === 0) context.connection.requireOpen();
  const live = () => connections.flatMap(liveStreamsOf);
  const picker = new FillingPicker<ListedStream>(context, {
    title: t('Go to Live Stream'),
    placeholder: t('Search by name, ID, playback ID, or URL'),
    isOfAllConnections: connections.length > 1,
    items: (_, typed) => itemsByName(live(), typed, context.store.snapshot.locale),
    buttons: buttonsOf(context),
    noMatch: () => (connections.length > 1 ? noMatch() : withConnection(context, noMatch())),
    notices: () => problemsOf(connections),
    isKeyFirst: connections.length === 1,
    sentence: (count, isBusy) => (isBusy || count > 0 ? undefined : whyNone(connections)),
    fill() {
      for (const connection of connections) void picker.load(() => poll(connection));
    },
  });
  const poll = async (connection: ListedConnection) => {
    await connection.loader.refreshActive();
    picker.add(liveStreamsOf(connection));
  };
  picker.add(live());
  const picked = await picker.pick();
  if (picked !== undefined) await context.runCommand('goToStream', commandTarget(picked));
}

function liveStreamsOf(connection: ListedConnection): readonly ListedStream[] {
  return listStreams(
    connection,
    liveStreams(connection.store.snapshot).map(({ stream }) => stream),
  );
}

function buttonsOf({ runCommand }: CommandContext): (listed: ListedStream) => readonly RowButton<ListedStream>[] {
  const runs = (command: CommandId) => (listed: ListedStream) => runCommand(command, commandTarget(listed));
  return ({ stream: { isActive, streamKey } }) => [
    ...(isActive ? [{ icon: 'play', tooltip: watchLabel(), run: runs('watchStream') }] : []),
    ...(streamKey ? [{ icon: 'key', tooltip: copyStreamKeyLabel(), run: runs('copyStreamKey') }] : []),
    { icon: 'info', tooltip: showDetailsLabel(), run: runs('showStream') },
  ];
}

/** Returns the items by connection and name, then by description. */
function itemsByName(streams: readonly ListedStream[], typed: string, locale: string): readonly PickItem<string>[] {
  const connections = streams.toSorted(compareByConnection).map(({ of }) => of);
  return [...new Set(connections)].flatMap((connection) =>
    streamItems(
      streams.filter(({ of }) => of === connection),
      typed,
    )
      .filter(({ isSeparator }) => isSeparator !== true)
      .sort(
        (a, b) =>
          compareNames(a.label, b.label, locale) || compareNames(a.description ?? '', b.description ?? '', locale),
      ),
  );
}

function noMatch(): string {
  return t('No matching streams');
}

function whyNone(connections: readonly ListedConnection[]): string | undefined {
  const isKnown = connections.some(
    ({ store: { snapshot } }) => snapshot.connection.kind === 'open' && snapshot.trouble === undefined,
  );
  return isKnown ? t('No live streams') : undefined;
}

/** Reveals the row of a stream in the store. Clears a filter that hides it. */
export async function revealStream(context: CommandContext, stream: Stream): Promise<void> {
  clearHidingFilter(context, stream);
  await context.ui.reveal({ kind: 'stream', id: stream.id });
}

export function clearHidingFilter(context: CommandContext, stream: Stream): void {
  if (matchesFilter(stream, context.store.snapshot.filter)) return;
  applyFilter(context, '');
  context.ui.flash(t('Cleared the filter to show "{0}"', nameOf(stream)));
}
