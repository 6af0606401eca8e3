import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TestBroadcast } from '../../model/store/snapshot.ts';
import type { StreamStore } from '../../model/store/store.ts';
import { testBroadcastText } from '../../texts/streams.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import { formatTimer } from '../../util/format.ts';

/** Shows a Status Bar item that stops the test broadcasts of this window, while there are any. */
export function keepBroadcastItem(store: StreamStore): Disposable {
  const owned = new DisposableStore();
  const slot = owned.add(new DisposableSlot<vscode.StatusBarItem>());
  owned.add(
    store.onDidChange(({ previous, current }) => {
      if (previous.testBroadcasts === current.testBroadcasts) return;
      const broadcasts = [...current.testBroadcasts.values()];
      if (broadcasts.length === 0) return slot.set(undefined);
      if (slot.value === undefined) slot.set(createItem());
      if (slot.value !== undefined) draw(slot.value, broadcasts);
    }),
  );
  return owned;
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('liveStreams.testBroadcast', vscode.StatusBarAlignment.Left, -2);
  item.name = t('Test Broadcast');
  item.command = 'liveStreams.stopTestBroadcast';
  item.show();
  return item;
}

function draw(item: vscode.StatusBarItem, broadcasts: readonly TestBroadcast[]): void {
  const [first] = broadcasts;
  const seconds = broadcasts.length === 1 ? first?.secondsLeft : undefined;
  const text = seconds === undefined ? t('Stop Test Broadcast') : t('Stop Test Broadcast ({0})', formatTimer(seconds));
  item.text = `$(stop-circle) ${text}`;
  item.tooltip = broadcasts.map(lineOf).join('\n');
  item.accessibilityInformation = { label: [text, ...broadcasts.map(lineOf)].join(', ') };
}

function lineOf(broadcast: TestBroadcast): string {
  const line = `${broadcast.name}: ${testBroadcastText(broadcast)}`;
  return broadcast.droppedPercent === 0 ? line : `${line}, ${t('{0}% of frames dropped', broadcast.droppedPercent)}`;
}
