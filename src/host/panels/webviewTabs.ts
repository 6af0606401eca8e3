import type * as vscode from 'vscode';
import type { KeptSubject } from '../../model/pages/panelSubject.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';

/** What lives in one tab. */
export interface Tab extends Disposable {
  /** Comes to the front, as asked for again: what failed is tried again. */
  showAgain(): void;
  /** Shows its subject; `startsItself` is false for what only came back with the window. Does not throw. */
  load(how: { readonly startsItself: boolean }): Promise<void>;
}

export interface Tabs<T extends KeptSubject> extends Disposable {
  /** Opens a tab, or shows the one that is there. */
  show(target: T, title: string): Promise<void>;
  /** Takes up a panel that came back with the window; one that nothing can be made of is closed. */
  restore(panel: vscode.WebviewPanel, target: T | undefined): Promise<void>;
}

/** Tabs that are open, each with a webview of its own: one a stream or session of a connection. */
export function createTabs<T extends KeptSubject>(options: {
  readonly open: (title: string) => vscode.WebviewPanel;
  readonly make: (panel: vscode.WebviewPanel, target: T) => Tab;
}): Tabs<T> {
  const open = new Map<string, Tab>();

  function take(panel: vscode.WebviewPanel, target: T): Tab {
    const tab = options.make(panel, target);
    const key = keyOf(target);
    open.set(key, tab);
    panel.onDidDispose(() => {
      if (open.get(key) === tab) open.delete(key);
      tab.dispose();
    });
    return tab;
  }

  const all = onDispose(() => {
    for (const tab of open.values()) tab.dispose();
    open.clear();
  });
  return {
    async show(target, title) {
      const known = open.get(keyOf(target));
      if (known !== undefined) return known.showAgain();
      await take(options.open(title), target).load({ startsItself: true });
    },
    async restore(panel, target) {
      if (target === undefined || open.has(keyOf(target))) panel.dispose();
      else await take(panel, target).load({ startsItself: false });
    },
    dispose: () => all.dispose(),
  };
}

function keyOf({ connection, kind, id }: KeptSubject): string {
  return `${connection}/${kind}/${id}`;
}
