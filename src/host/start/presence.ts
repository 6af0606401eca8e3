import * as vscode from 'vscode';
import type { Presence } from '../../services.ts';
import { type Disposable, DisposableStore, onDispose } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';

interface WatchedView {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<unknown>;
}

interface WindowPresence extends Presence, Disposable {
  watch(view: WatchedView): Disposable;
}

export function createPresence(): WindowPresence {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  const views = new Set<WatchedView>();
  owned.add(vscode.window.onDidChangeWindowState(() => changes.fire()));
  return {
    isViewVisible: () => [...views].some((view) => view.visible),
    isFocused: () => vscode.window.state.focused,
    onDidChange: changes.event,
    watch(view) {
      views.add(view);
      const subscription = view.onDidChangeVisibility(() => changes.fire());
      changes.fire();
      return owned.add(
        onDispose(() => {
          subscription.dispose();
          views.delete(view);
          changes.fire();
        }),
      );
    },
    dispose: () => owned.dispose(),
  };
}
