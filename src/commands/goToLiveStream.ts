import { t } from '@vscode/l10n';
import type { Snapshot } from '../model/store/snapshot.ts';
import { liveStreams } from '../model/store/streams.ts';
import type { PickItem, PickSession } from '../services.ts';
import { streamIcon } from '../tree/streamRow.ts';
import { troubleSentence } from '../tree/troubleText.ts';
import { compareNames } from '../util/compareNames.ts';
import { oneLine } from '../util/text.ts';
import type { CommandContext } from './context.ts';
import { goToStream } from './goToStream.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { MOST_ID_LENGTH, nameOf } from './messages.ts';
import type { NeedsStream } from './targets/streamTargets.ts';

type Context = NeedsStream & Pick<CommandContext, 'loader'>;

const LABEL_LENGTH = 200;
const NOTHING = '';

/** Runs on a click on the status bar: polls the service and goes to one of the live streams. */
export async function goToLiveStream(context: Context): Promise<void> {
  openConnectionInfo(context);
  const id = await context.ui.pick<string>({
    title: t('Go to Live Stream'),
    placeholder: t('Name, ID or playback ID'),
    items: (picker) => void fill(context, picker),
    matchOnDescription: true,
  });
  if (id !== undefined && id !== NOTHING) await goToStream(context, id);
}

/**
 * Shows the known streams first, then those of the poll. The sentence is an item, because a separator with nothing
 * below it isn't rendered.
 */
async function fill(context: Context, picker: PickSession<string>): Promise<void> {
  picker.show(itemsOf(context), true);
  await context.loader.look();
  const { snapshot } = context.store;
  const items = itemsOf(context);
  const sentence = sentenceOf(snapshot, items.length);
  picker.show(sentence === undefined ? items : [...items, { label: sentence, icon: 'info', value: NOTHING }], false);
}

function sentenceOf(snapshot: Snapshot, count: number): string | undefined {
  if (snapshot.trouble !== undefined) return troubleSentence(snapshot.trouble.error, snapshot);
  return count === 0 ? t('No stream is live.') : undefined;
}

function itemsOf({ store }: Context): readonly PickItem<string>[] {
  const live = liveStreams(store.snapshot).map(({ stream }) => stream);
  return live
    .map((stream) => ({
      label: nameOf(stream, LABEL_LENGTH),
      description: [
        stream.record ? t('live · recording') : t('live'),
        stream.isHealthy === false ? t('not healthy') : undefined,
        stream.playbackId && oneLine(stream.playbackId, MOST_ID_LENGTH),
        stream.id,
      ]
        .filter((part) => part !== undefined)
        .join(' · '),
      icon: streamIcon('live', stream).id,
      value: stream.id,
    }))
    .sort((a, b) => compareNames(a.label, b.label, store.snapshot.locale));
}
