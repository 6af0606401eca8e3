import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../src/util/disposable.ts';
import { replace } from './replace.ts';

/** Is told what is set on an object, and what its methods are called with. */
type Hear = (key: string, value: unknown) => void;

/**
 * Hears what goes to the parts of the window that a person sees for a while: progress, the status bar, and webviews (their
 * HTML, and what their pages are told). All of it goes on to VS Code.
 */
export function overhearWindow(heard: string[]): Disposable {
  const owned = new DisposableStore();
  const hear =
    (what: string): Hear =>
    (key, value) =>
      void heard.push(`${what} ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { createStatusBarItem, createWebviewPanel, withProgress } = vscode.window;
  owned.add(
    replace(vscode.window, 'createStatusBarItem', (id: string, alignment: vscode.StatusBarAlignment) =>
      overhear(createStatusBarItem(id, alignment), hear('status bar')),
    ),
  );
  owned.add(
    replace(vscode.window, 'createWebviewPanel', (...args: Parameters<typeof createWebviewPanel>) => {
      hear('page')('title', args[1]);
      return overhear(createWebviewPanel(...args), hear('page'), ['webview']);
    }),
  );
  owned.add(
    replace(
      vscode.window,
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
        hear('progress')('title', options.title);
        return withProgress(options, (progress, token) => task(overhear(progress, hear('progress')), token));
      },
    ),
  );
  return owned;
}

/** The same object to whoever uses it; so are the parts that are named. */
function overhear<T extends object>(target: T, hear: Hear, parts: readonly string[] = []): T {
  // Over an empty object: of a frozen one a proxy may not show anything else.
  return new Proxy({} as T, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value === 'object' && value !== null && parts.includes(String(key))) return overhear(value, hear);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        hear(String(key), args);
        return Reflect.apply(value, target, args);
      };
    },
    set(_target, key, value) {
      hear(String(key), value);
      return Reflect.set(target, key, value, target);
    },
  });
}
