import type * as vscode from 'vscode';
import type { FoundPage } from '../../commands/context.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import { type Disposable, onDispose } from '../../util/disposable.ts';

/** The subject of a tab: no two tabs have the same one. */
export interface TabSubject {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

export interface Tab<T = unknown> extends Disposable {
  /** The session or clip that it has read, if that's its subject, and when the footage that it plays was broadcast. */
  readonly read?: Pick<FoundPage, 'session' | 'clip' | 'watchedAt'>;
  /** Whether media has played in it that has neither ended nor failed, in front or behind another tab. */
  readonly isInUse: boolean;
  /** Continues with other objects for its connection. */
  continueWith?(objects: ConnectionObjects): void;
  /** Brings the tab to the front because the user opened its subject again, and retries if loading failed. */
  showAgain(target: T): unknown;
  /** Shows the subject. `startsItself` is false for a restored tab, and if nothing has played in it. Doesn't throw. */
  load(how: { readonly startsItself: boolean }): Promise<void>;
}

export interface Tabs<T extends TabSubject> extends Disposable {
  readonly all: Iterable<{ readonly target: T; readonly tab: Tab<T> }>;
  show(target: T, title: string): Promise<void>;
  /** Returns the tab of a subject, or the window's active tab if it's one of these; undefined otherwise. */
  find(target?: TabSubject): Readonly<OpenTab<T>> | undefined;
  /** Takes over a restored panel. Closes it if it has no subject, or if a tab on the same subject is open. */
  restore(panel: vscode.WebviewPanel, target: T | undefined): Promise<void>;
}

interface OpenTab<T> {
  readonly panel: vscode.WebviewPanel;
  tab: Tab<T>;
  target: T;
  key: string;
}

/**
 * The open tabs, each with its own webview: one per stream or session of a connection. Like a preview editor, a tab
 * opened by a click is reused for the next click until the user moves it to another column or follows a link in it. A
 * tab that is pinned, or in which media plays or is paused, isn't reused.
 */
export function createTabs<T extends TabSubject>(options: {
  readonly open: (title: string) => vscode.WebviewPanel;
  readonly isPinned: (panel: vscode.WebviewPanel) => boolean;
  /** Whether no tab is used again for another subject. */
  readonly keepsEach?: boolean;
  /** @param keep Makes the tab keep its subject from now on: later clicks open another tab. */
  readonly make: (panel: vscode.WebviewPanel, target: T, keep: () => void) => Tab<T>;
}): Tabs<T> {
  const open = new Map<string, OpenTab<T>>();
  let reused: OpenTab<T> | undefined;

  function keep(panel: vscode.WebviewPanel): void {
    if (reused?.panel === panel) reused = undefined;
  }

  function make(panel: vscode.WebviewPanel, target: T): Tab<T> {
    return options.make(panel, target, () => keep(panel));
  }

  function take(panel: vscode.WebviewPanel, target: T): OpenTab<T> {
    const key = keyOf(target);
    const taken: OpenTab<T> = { panel, tab: make(panel, target), target, key };
    open.set(key, taken);
    panel.onDidDispose(() => {
      if (open.get(taken.key) === taken) open.delete(taken.key);
      keep(panel);
      taken.tab.dispose();
    });
    return taken;
  }

  function openNew(target: T, title: string): OpenTab<T> {
    const panel = options.open(title);
    const taken = take(panel, target);
    if (options.keepsEach) return taken;
    reused = taken;
    onMoved(panel, () => keep(panel));
    return taken;
  }

  function turn(taken: OpenTab<T>, target: T, title: string): OpenTab<T> {
    open.delete(taken.key);
    taken.panel.title = title;
    taken.key = keyOf(target);
    taken.target = target;
    taken.tab.dispose();
    // Ends the previous page, so that its messages aren't taken for the new page's.
    taken.panel.webview.html = '';
    taken.tab = make(taken.panel, target);
    open.set(taken.key, taken);
    taken.panel.reveal();
    return taken;
  }

  const all = onDispose(() => {
    for (const { tab } of open.values()) tab.dispose();
    open.clear();
  });
  return {
    async show(target, title) {
      const known = open.get(keyOf(target));
      if (known !== undefined) {
        await known.tab.showAgain(target);
        return;
      }
      const isFree = reused?.tab.isInUse === false && !options.isPinned(reused.panel);
      const free = isFree ? reused : undefined;
      const { tab } = free === undefined ? openNew(target, title) : turn(free, target, title);
      await tab.load({ startsItself: true });
    },
    find: (target) =>
      target === undefined ? [...open.values()].find(({ panel }) => panel.active) : open.get(keyOf(target)),
    get all() {
      return open.values();
    },
    async restore(panel, target) {
      if (target === undefined || open.has(keyOf(target))) panel.dispose();
      else await take(panel, target).tab.load({ startsItself: false });
    },
    dispose: () => all.dispose(),
  };
}

/** Its column is known once it's shown. */
function onMoved(panel: vscode.WebviewPanel, moved: () => void): void {
  let column: number | undefined;
  panel.onDidChangeViewState(() => {
    const { viewColumn = 0 } = panel;
    if (viewColumn < 1) return;
    column ??= viewColumn;
    if (column !== viewColumn) moved();
  });
}

function keyOf({ connection, kind, id }: TabSubject): string {
  return `${connection}/${kind}/${id}`;
}
