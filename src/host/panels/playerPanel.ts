import type * as vscode from 'vscode';
import type { FinderContext, PanelSubject } from '../../panels/playerFinder.ts';
import { readPlayerMessage } from '../../panels/playerMessages.ts';
import { PlayerPart } from '../../panels/playerPart.ts';
import { nameInTab } from '../../panels/tabTitles.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { FromPlayer } from '../../webview/player/messages.ts';
import { PanelPage } from './panelPage.ts';
import { editorActs } from './playerActions.ts';

export interface PlayerPanelOptions extends FinderContext {
  readonly extensionUri: vscode.Uri;
}

export class PlayerPanel implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #page: PanelPage<FromPlayer>;
  readonly #part: PlayerPart;

  constructor(panel: vscode.WebviewPanel, target: PanelSubject, options: PlayerPanelOptions) {
    const { extensionUri, clock, log, ui, store } = options;
    const page = new PanelPage({
      ...{ panel, extensionUri, name: 'player', subject: target, clock, log, ui },
      read: readPlayerMessage,
      onReady: () => this.#part.sendShown(),
      onSaid: (said) => this.#part.receive(said),
      onSeenOrHidden: () => this.#part.planLook(),
    });
    this.#page = this.#owned.add(page);
    const onFound = ({ tab }: { readonly tab: string }): void => {
      page.title = tab;
    };
    const title = nameInTab(panel.title, target.kind);
    const partOptions = { ...options, target, title, place: page, acts: editorActs, looksItself: true, onFound };
    this.#part = this.#owned.add(new PlayerPart(partOptions));
    this.#owned.add(
      store.onDidChange(({ previous, current }) => {
        const wasOther = previous.connection.kind !== current.connection.kind;
        const isOther = previous.generation !== current.generation || (wasOther && !this.#part.hasSource);
        if (isOther) void this.load({ startsItself: false });
        else this.#part.followStream();
      }),
    );
  }

  showAgain(): void {
    this.#page.reveal();
    if (this.#part.hasStopped) void this.load({ startsItself: true });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  load(how: { readonly startsItself: boolean }): Promise<void> {
    return this.#part.load(how);
  }
}
