import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import { connectionIdOf, type Snapshot, type SnapshotChange } from '../../model/store/snapshot.ts';
import { isHandlerFailing } from '../../model/webhooks/failures.ts';
import type { Listening, LocalDelivery } from '../../model/webhooks/state.ts';
import { copySecretLabel } from '../../texts/lateLabels.ts';
import { connectionName, isAmbiguous, nameOfConnection } from '../../texts/names.ts';
import { outdatedReason } from '../../texts/troubles.ts';
import {
  failureText,
  localUrlText,
  notReceivingText,
  responseText,
  unansweredText,
  urlHost,
} from '../../texts/webhooks.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import { escapeMarkdown, withoutIcons } from '../../util/markup.ts';
import { joinParts, joinTexts, oneLine } from '../../util/text.ts';

interface ListenItemOptions {
  readonly listener: {
    readonly listening: Listening | undefined;
    /** Newest first. */
    readonly deliveries: readonly LocalDelivery[];
    readonly onDidChange: Event<unknown>;
  };
  readonly store: { readonly snapshot: Snapshot; readonly onDidChange: Event<SnapshotChange> };
}

const SAID_MS = 10_000;

/** Shows a Status Bar item that opens the Webhooks view while this window listens for events. */
export function keepListenItem({ listener, store }: ListenItemOptions): Disposable {
  const owned = new DisposableStore();
  const slot = owned.add(new DisposableSlot<vscode.StatusBarItem>());
  const draw = (): void => {
    const { listening } = listener;
    if (listening === undefined) slot.set(undefined);
    else if (slot.value === undefined) slot.set(createItem());
    if (listening === undefined || slot.value === undefined) return;
    const { snapshot } = store;
    show(slot.value, listening, {
      last: listener.deliveries[0],
      outdated: outdatedReason(snapshot),
      of: isAmbiguous(snapshot) ? nameOfConnection(snapshot) : undefined,
    });
  };
  owned.add(listener.onDidChange(draw));
  owned.add(
    store.onDidChange((change) => {
      draw();
      if (listener.listening !== undefined) sayWhose(change, listener.listening);
    }),
  );
  draw();
  return owned;
}

/** Says whose events are sent now: only those of the current connection are. */
function sayWhose({ previous, current }: SnapshotChange, { url }: Listening): void {
  const { connection } = current;
  if (!('info' in connection) || connectionIdOf(previous) === connection.info.id) return;
  const sentence = t('Now sending events from "{0}" to {1}', connectionName(connection.info), localUrlText(url));
  vscode.window.setStatusBarMessage(withoutIcons(sentence), SAID_MS);
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('liveStreams.listening', vscode.StatusBarAlignment.Left, -1);
  item.name = t('Listening for Events');
  item.command = 'liveStreams.webhooks.focus';
  item.show();
  return item;
}

interface ListenState {
  readonly last: LocalDelivery | undefined;
  /** Why nothing arrives. */
  readonly outdated: string | undefined;
  /** The connection whose events are sent, if there are several. */
  readonly of: string | undefined;
}

/** Sets only what has changed, because each assignment sends a message to the window. */
function show(item: vscode.StatusBarItem, listening: Listening, state: ListenState): void {
  const { url } = listening;
  const host = urlHost(url);
  const trouble = troubleOf(listening, state);
  const sent = joinParts(host, state.of && withoutIcons(oneLine(state.of, 30)));
  const text = trouble === undefined ? `$(zap) ${sent}` : `$(warning) ${trouble.text}`;
  const sending = t('Sending events to {0}. Select to show the Webhooks view.', localUrlText(url));
  const label = trouble?.label ?? joinTexts(trouble?.sentence, sending);
  if (item.text === text && item.accessibilityInformation?.label === label) return;
  item.text = text;
  item.backgroundColor = trouble !== undefined ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  item.tooltip = makeHover(label);
  item.accessibilityInformation = { label };
}

interface Trouble {
  readonly text: string;
  /** Precedes the sentence about the URL to which events are sent. */
  readonly sentence?: string | undefined;
  /** Replaces the sentence about the URL. */
  readonly label?: string;
}

function troubleOf(listening: Listening, { last, outdated }: ListenState): Trouble | undefined {
  const { url, isUnanswered } = listening;
  const host = urlHost(url);
  if (isUnanswered === true) return { text: t('No server at {0}', host), label: unansweredText(host) };
  if (outdated !== undefined) {
    const text = notReceivingText();
    return { text, label: [text, localUrlText(url), outdated].join(' · ') };
  }
  if (!isHandlerFailing(listening, last)) return undefined;
  return { text: `${host} · ${responseText(last)}`, sentence: failureText(last) };
}

function makeHover(label: string): vscode.MarkdownString {
  const acts: readonly (readonly [title: string, command: CommandId, args?: string])[] = [
    [t('Stop Listening'), 'stopListening'],
    [t('Send Test Event'), 'sendTestEvent'],
    [copySecretLabel(), 'copyWebhookSecret', `?${encodeURIComponent('[{"id":""}]')}`],
  ];
  const links = acts.map(
    ([title, command, args = '']) => `[${escapeMarkdown(title)}](command:liveStreams.${command}${args})`,
  );
  const hover = new vscode.MarkdownString(`${escapeMarkdown(label, 500)}\n\n${links.join(' · ')}`);
  hover.isTrusted = { enabledCommands: acts.map(([, command]) => `liveStreams.${command}`) };
  return hover;
}
