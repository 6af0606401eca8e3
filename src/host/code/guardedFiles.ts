import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import type { FileLocation } from '../../code/exposure.ts';
import { isIgnored } from '../../code/gitIgnore.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';

export function fileNameOf(uri: vscode.Uri): string {
  return basename(uri.path);
}

/** Returns the file that a document belongs to. Each cell of a notebook is a document of its own. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const isCell = ({ document }: vscode.NotebookCell) => document.uri.toString() === uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((each) => each.getCells().some(isCell));
  return notebook?.uri ?? uri;
}

/** The parts of the git extension's interface that are used here. */
interface GitApi {
  readonly git: { readonly path: string };
  /** 'uninitialized' until the first search for repositories has ended. */
  readonly state: string;
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly onDidOpenRepository: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  /** Returns a new object each time. Throws while the extension isn't enabled. */
  getAPI(version: 1): GitApi;
}

/** Locates files with the Git extension of this extension host. Without it, the location of files is unknown. */
export class GitFiles implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #extension: Promise<GitExtension | undefined>;
  #api: GitApi | undefined;

  /** Fires when Git may have started or stopped ignoring files. */
  readonly onDidChange = this.#changes.event;

  constructor(onError: (error: unknown) => void) {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    this.#extension = Promise.resolve(extension?.activate()).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    // A repository's own events are useless here: checking for ignored files triggers them.
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher('**/.gitignore'));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
      this.#owned.add(event(() => this.#changes.fire()));
    }
    void this.#extension.then((git) => {
      if (git === undefined) return;
      this.#owned.add(
        git.onDidChangeEnablement(() => {
          this.#api = undefined;
          this.#changes.fire();
        }),
      );
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Doesn't throw. */
  async location(uri: vscode.Uri): Promise<FileLocation> {
    if (uri.scheme === 'untitled') return 'untitled';
    if (uri.scheme === 'vscode-scm') return 'kept';
    const api = await this.#findApi();
    if (api === undefined || uri.scheme !== 'file') return 'unknown';
    const repository = api.getRepository(uri);
    if (repository === null) return 'outside';
    const options = { git: api.git.path, root: repository.rootUri.fsPath };
    try {
      return (await isIgnored(uri.fsPath, options)) ? 'ignored' : 'kept';
    } catch {
      return 'unknown';
    }
  }

  async rootOf(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
    return (await this.#findApi())?.getRepository(uri)?.rootUri;
  }

  async #findApi(): Promise<GitApi | undefined> {
    const git = await this.#extension;
    if (git === undefined || !git.enabled || this.#owned.isDisposed) return undefined;
    this.#api ??= this.#follow(git.getAPI(1));
    // Before that, every file would seem to be outside of a repository. The change of state is a separate event.
    return this.#api.state === 'initialized' ? this.#api : undefined;
  }

  #follow(api: GitApi): GitApi {
    this.#owned.add(api.onDidChangeState(() => this.#changes.fire()));
    this.#owned.add(api.onDidOpenRepository(() => this.#changes.fire()));
    return api;
  }
}
