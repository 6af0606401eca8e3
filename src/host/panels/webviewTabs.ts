import type * as vscode from 'vscode';
import type { KeptSubject } from '../../model/pages/panelState.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';

export interface Tab extends Disposable {
  /** Brings the tab to the front because the user opened its subject again: what failed is retried. */
  showAgain(): void;
  /** Shows the subject. `startsItself` is false for a restored tab. Does not throw. */
  load(how: { readonly startsItself: boolean }): Promise<void>;
}

export interface Tabs<T extends KeptSubject> extends Disposable {
  show(target: T, title: string): Promise<void>;
  /** Takes over a restored panel. Closes it if it has no subject, or if a tab on the same subject is open. */
  restore(panel: vscode.WebviewPanel, target: T | undefined): Promise<void>;
}

/** The open tabs, each with its own webview: one per stream or session of a connection. */
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
