import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { liveStreams } from '../model/store/streams.ts';
import type { PickItem } from '../services.ts';
import { streamIcon } from '../tree/streamRow.ts';
import { troubleSentence } from '../tree/troubleText.ts';
import { compareNames } from '../util/compareNames.ts';
import { oneLine } from '../util/text.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { MOST_ID_LENGTH, nameOf } from './messages.ts';
import { givenRow } from './targets/commandArguments.ts';
import { FillingPicker } from './targets/fillingPicker.ts';
import { streamIsGone } from './targets/refusals.ts';
import { revealStream } from './targets/revealStream.ts';
import { type NeedsStream, resolveOneStream } from './targets/streamTargets.ts';

type Context = NeedsStream & Pick<CommandContext, 'loader'>;

const LABEL_LENGTH = 200;

/**
 * Picks one of all streams, or takes its id, and reveals its row, even if its page isn't loaded. Ignores rows: the
 * view's title menu passes the focused one.
 */
export async function goToStream(context: Context, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = givenRow(args[0]) === undefined ? args.slice(0, 1) : [];
  const picked = await resolveOneStream(context, given, t('Go to Stream'));
  if (picked === undefined) return;
  const stream = await context.current.account.readStream(picked.id, { pin: true });
  if (stream === undefined) throw streamIsGone(picked);
  await revealStream(context, stream);
}

/** Runs on a click on the status bar: polls the service and goes to one of the live streams. */
export async function goToLiveStream(context: Context): Promise<void> {
  openConnectionInfo(context);
  const { store, loader } = context;
  const live = () => liveStreams(store.snapshot).map(({ stream }) => stream);
  const poll = async () => {
    await loader.refreshActive();
    picker.add(live());
  };
  const picker = new FillingPicker<Stream>(context, {
    title: t('Go to Live Stream'),
    placeholder: t('Name, ID, or playback ID'),
    items: () =>
      live()
        .map(itemOf)
        .sort((a, b) => compareNames(a.label, b.label, store.snapshot.locale)),
    sentence: (count, isBusy) => (isBusy ? undefined : sentenceOf(store.snapshot, count)),
    fill: () => void picker.load(poll),
  });
  picker.add(live());
  const picked = await picker.pick();
  if (picked !== undefined) await goToStream(context, picked.id);
}

function sentenceOf(snapshot: Snapshot, count: number): string | undefined {
  if (snapshot.trouble !== undefined) return troubleSentence(snapshot.trouble.error, snapshot);
  return count === 0 ? t('No live streams') : undefined;
}

function itemOf(stream: Stream): PickItem<string> {
  const parts = [
    stream.record ? t('live · recording') : t('live'),
    stream.isHealthy === false ? t('unhealthy') : undefined,
    stream.playbackId && oneLine(stream.playbackId, MOST_ID_LENGTH),
    stream.id,
  ];
  return {
    label: nameOf(stream, LABEL_LENGTH),
    description: parts.filter((part) => part !== undefined).join(' · '),
    icon: streamIcon('live', stream).id,
    value: stream.id,
  };
}
