import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { liveStreams, matchesFilter } from '../model/store/streams.ts';
import { copyStreamKeyLabel, showDetailsLabel, watchLabel } from '../texts/labels.ts';
import { nameOf, withConnection } from '../texts/names.ts';
import { streamIsGone } from '../texts/refusals.ts';
import { troubleSentence } from '../texts/troubles.ts';
import { compareNames } from '../util/compareNames.ts';
import type { CommandContext } from './context.ts';
import type { CommandId } from './table.ts';
import { givenRow } from './targets/commandArguments.ts';
import { FillingPicker, type RowButton } from './targets/fillingPicker.ts';
import { pickStream, streamItems } from './targets/pickStream.ts';
import { resolveOneStream } from './targets/streamTargets.ts';
import { applyFilter } from './treeCommands.ts';

/**
 * Picks one of all streams, or takes its id, and reveals its row, even if its page isn't loaded. Ignores rows: the
 * view's title menu passes the focused one.
 */
export async function goToStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const title = t('Go to Stream');
  const isGiven = args[0] !== undefined && args[0] !== null && givenRow(args[0]) === undefined;
  const picked = isGiven
    ? await resolveOneStream(context, args.slice(0, 1), title)
    : await pickStream(context, title, { buttons: buttonsOf(context) });
  if (picked === undefined) return;
  const stream = await context.current.account.readStream(picked.id, { pin: true });
  if (stream === undefined) throw streamIsGone(picked);
  await revealStream(context, stream);
}

/** Runs on a click on the status bar: polls the service and goes to one of the live streams. */
export async function goToLiveStream(context: CommandContext): Promise<void> {
  openConnectionInfo(context);
  const { store, loader } = context;
  const live = () => liveStreams(store.snapshot).map(({ stream }) => stream);
  const poll = async () => {
    await loader.refreshActive();
    picker.add(live());
  };
  const picker = new FillingPicker<Stream>(context, {
    title: t('Go to Live Stream'),
    placeholder: t('Search by name, ID, or playback ID'),
    items: (_, typed) =>
      streamItems(new Map(live().map((stream) => [stream, 'live'])), typed)
        .filter(({ isSeparator }) => isSeparator !== true)
        .sort((a, b) => compareNames(a.label, b.label, store.snapshot.locale)),
    buttons: buttonsOf(context),
    noMatch: () => withConnection(context, t('No matching streams')),
    sentence: (count, isBusy) => (isBusy ? undefined : sentenceOf(store.snapshot, count)),
    fill: () => void picker.load(poll),
  });
  picker.add(live());
  const picked = await picker.pick();
  if (picked !== undefined) await goToStream(context, picked.id);
}

function buttonsOf({ runCommand }: CommandContext): (stream: Stream) => readonly RowButton<Stream>[] {
  const runs = (command: CommandId) => (stream: Stream) => runCommand(command, stream.id);
  return ({ isActive, streamKey }) => [
    ...(isActive ? [{ icon: 'play', tooltip: watchLabel(), run: runs('watchStream') }] : []),
    ...(streamKey ? [{ icon: 'key', tooltip: copyStreamKeyLabel(), run: runs('copyStreamKey') }] : []),
    { icon: 'info', tooltip: showDetailsLabel(), run: runs('showStream') },
  ];
}

function sentenceOf(snapshot: Snapshot, count: number): string | undefined {
  if (snapshot.trouble !== undefined) return troubleSentence(snapshot.trouble.error, snapshot);
  return count === 0 ? t('No live streams') : undefined;
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
