import * as vscode from 'vscode';
import type { Clock } from '../../services.ts';
import { setApiKeyLabel } from '../../texts/labels.ts';
import type { StatusText } from '../../tree/statusText.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';

export type StatusItem = Pick<
  vscode.StatusBarItem,
  'text' | 'tooltip' | 'command' | 'backgroundColor' | 'accessibilityInformation' | 'show' | 'hide' | 'dispose'
>;

/** Updates a Status Bar item after each change, and when its number gets too old to be shown. */
export function keepStatusItem(options: {
  readonly read: () => StatusText | undefined;
  readonly onDidChange: Event<unknown>;
  readonly clock: Clock;
  readonly item?: StatusItem;
}): Disposable {
  const { read, onDidChange, clock } = options;
  const owned = new DisposableStore();
  const item = owned.add(options.item ?? createItem());
  const timer = owned.add(new DisposableSlot());
  let shown: StatusText | undefined;
  const draw = (): void => {
    const text = read();
    timer.set(text?.hidesAt === undefined ? undefined : clock.setTimeout(draw, text.hidesAt - clock.now()));
    if (isSame(shown, text)) return;
    shown = text;
    apply(item, text);
  };
  owned.add(onDidChange(draw));
  draw();
  return owned;
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('liveStreams.live', vscode.StatusBarAlignment.Left);
  item.name = 'Live Streams';
  return item;
}

/** Every assignment is a message to the window, and the snapshot changes often. */
function isSame(a: StatusText | undefined, b: StatusText | undefined): boolean {
  return (
    a?.text === b?.text && a?.tooltip === b?.tooltip && a?.isWarning === b?.isWarning && a?.needsKey === b?.needsKey
  );
}

function apply(item: StatusItem, text: StatusText | undefined): void {
  if (text === undefined) {
    item.hide();
    return;
  }
  item.text = text.text;
  item.tooltip = text.tooltip;
  item.command = commandOf(text);
  item.accessibilityInformation = { label: text.accessibilityLabel };
  item.backgroundColor = text.isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  item.show();
}

// Going to a live stream polls the service.
function commandOf({ needsKey }: StatusText): string | vscode.Command {
  if (needsKey === undefined) return 'liveStreams.goToLiveStream';
  return { command: 'liveStreams.setApiKey', title: setApiKeyLabel(), arguments: [{ connectionId: needsKey }] };
}
