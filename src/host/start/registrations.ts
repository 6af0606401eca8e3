import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LinkParts } from '../../model/links.ts';
import { share } from '../../util/async.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { LazyPart } from '../../util/lazyParts.ts';

const PREFIX = 'liveStreams.';

export function readCommandIds(manifest: {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}): readonly string[] {
  return manifest.contributes.commands.map(({ command }) => command.slice(PREFIX.length));
}

/** `run` contains the handlers and is the error boundary. The caller of a command gets the handler's result. */
export function registerCommands(
  ids: readonly string[],
  run: (id: string, args: readonly unknown[]) => Promise<unknown>,
): Disposable {
  const owned = new DisposableStore();
  for (const id of ids) {
    const execute = (...args: readonly unknown[]): Promise<unknown> => run(id, args);
    owned.add(vscode.commands.registerCommand(PREFIX + id, execute));
  }
  return owned;
}

export function registerRestoredPanels(
  viewType: string,
  load: LazyPart<{ restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> }>,
): Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, state: unknown) {
      const panels = await load();
      // VS Code shows in the tab that it couldn't be restored; the next start retries.
      if (panels === undefined) throw new Error(couldNotLoad());
      await panels.restore(panel, state);
    },
  });
}

/** Passes on links to this extension, after VS Code has requested confirmation. `open` must not throw. */
export function registerLinks(open: (parts: LinkParts) => unknown): Disposable {
  return vscode.window.registerUriHandler({ handleUri: (uri) => void open(uri) });
}

/** Provides no tasks besides those in tasks.json: the user chooses the stream. */
export function registerTasks(load: LazyPart<{ resolveTask(task: vscode.Task): vscode.Task }>): Disposable {
  return vscode.tasks.registerTaskProvider('liveStreams', {
    provideTasks: () => [],
    resolveTask: async (task) => (await load())?.resolveTask(task),
  });
}

export function couldNotLoad(): string {
  return t("Live Streams couldn't load. Reload the window to try again.");
}

export function createLoadFailure(): () => Promise<void> {
  return share(tell);
}

async function tell(): Promise<void> {
  const reload = t('Reload Window');
  const pressed = await vscode.window.showErrorMessage(couldNotLoad(), reload);
  if (pressed === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
