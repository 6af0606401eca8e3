import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import type { RowReference } from '../services.ts';
import { clipName } from '../texts/clips.ts';
import { nameOf } from '../texts/names.ts';
import type { CommandContext } from './context.ts';

/**
 * Wraps everything that takes focus: boxes, pages, files, the browser, and rows that are selected. If it comes late,
 * because a service was slow, it would take the keyboard from a user who is already working in a text editor. A message
 * offers it instead.
 */
export function withKeyboardKept<C extends CommandContext>(context: C): C {
  const { ui, connection } = context;
  let edits = ui.countEdits();
  let isInBox = false;
  // A user who clicks a link in a box wants what it opens.
  const isBusy = async () => {
    if (isInBox) return false;
    await ui.catchUp();
    return ui.countEdits() !== edits;
  };
  const offer = async (sentence: string, label: string, run: (next: CommandContext) => Promise<void>) => {
    if (!(await isBusy())) return run(context);
    context.showMessage({ severity: 'info', sentence, actions: [{ label, connection: connection.info, run }] });
  };
  const open = (name: string, run: (next: CommandContext) => Promise<void>) =>
    offer(t('Loaded "{0}"', name), t('Show'), run);
  const ask = async <A>(sentence: string, show: () => Promise<A>, dismissed: A): Promise<A> => {
    const label = t('Continue');
    const isWanted = !(await isBusy()) || (await ui.notify('info', sentence, label)) === label;
    if (!isWanted) return dismissed;
    isInBox = true;
    try {
      return await show();
    } finally {
      isInBox = false;
      edits = ui.countEdits();
    }
  };
  const askBox = <A>({ title }: { readonly title: string }, show: () => Promise<A | undefined>) =>
    ask(t('Waiting for your input: {0}', title), show, undefined);
  const streamName = (id: string) => nameOf(context.store.snapshot.streams.get(id)?.stream ?? { id, name: '' });
  const sessionName = ({ id, parentId, parentName }: Session) =>
    parentName === undefined ? streamName(parentId ?? id) : nameOf({ id, name: parentName });
  const rowName = (row: Exclude<RowReference, { readonly kind: 'group' }>) =>
    streamName(row.kind === 'stream' ? row.id : row.streamId);
  const kept: Pick<CommandContext, 'ui' | 'isUserTyping' | 'details' | 'player' | 'deliveries' | 'checks'> = {
    isUserTyping: isBusy,
    ui: {
      ...ui,
      pick: (options) => askBox(options, () => ui.pick(options)),
      pickMany: (options) => askBox(options, () => ui.pickMany(options)),
      input: (options) => askBox(options, () => ui.input(options)),
      confirm: (question) => ask(question.message, () => ui.confirm(question), false),
      openAddress: (url) =>
        offer(t('Ready to open {0} in the browser', URL.parse(url)?.host ?? ''), t('Open'), (next) =>
          next.ui.openAddress(url),
        ),
      editText: (name, ...content) => open(name, (next) => next.ui.editText(name, ...content)),
      showDocument: (document) => open(document.fileName, (next) => next.ui.showDocument(document)),
      reveal: (row) =>
        row.kind === 'group' || row.keepsFocus ? ui.reveal(row) : open(rowName(row), (next) => next.ui.reveal(row)),
    },
    details: {
      openStream: (stream, at) => open(nameOf(stream), (next) => next.details.openStream(stream, at)),
      openSession: (session, at, clipId) =>
        open(sessionName(session), (next) => next.details.openSession(session, at, clipId)),
    },
    player: {
      openStream: (stream, ...how) => open(nameOf(stream), (next) => next.player.openStream(stream, ...how)),
      openRecording: (session, ...how) =>
        open(sessionName(session), (next) => next.player.openRecording(session, ...how)),
      openClip: (clip, at) => open(clipName(clip, context.drawing()), (next) => next.player.openClip(clip, at)),
    },
    deliveries: {
      openDelivery: (delivery) => open(delivery.event, (next) => next.deliveries.openDelivery(delivery)),
    },
    checks: { open: (tab) => open(tab.name, (next) => next.checks.open(tab)) },
  };
  return { ...context, ...kept };
}
