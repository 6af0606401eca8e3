import type { ConnectionObjects } from '../../model/context.ts';
import { hasRecovered } from '../../model/store/snapshot.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { FromPlayer, ShownPlayer, ToPlayer } from '../../webview/player/messages.ts';
import { connectionProblem } from '../ownConnection.ts';
import type { PageEvents, WebviewPage } from '../page.ts';
import type { TabShape } from '../tabIcons.ts';
import { nameInTab, playerTab } from '../tabTitles.ts';
import { type PlayerActionsOptions, playerActs } from './playerActions.ts';
import type { PlayedTarget, PlayerContext } from './playerFinder.ts';
import { readPlayerMessage } from './playerMessages.ts';
import { PlayerPart, type SharedByPlayers } from './playerPart.ts';
import { isSilent } from './playerSubject.ts';

interface PlayerPanelOptions extends Omit<PlayerContext, 'target'>, PlayerActionsOptions, SharedByPlayers {
  readonly title: string;
  readonly setIcon: (shape: TabShape) => void;
  readonly makePage: (events: PageEvents<FromPlayer>) => WebviewPage;
}

/** A player in a tab of its own. */
export class PlayerPanel implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #following = this.#owned.add(new DisposableSlot());
  readonly #page: WebviewPage;
  readonly #part: PlayerPart;
  #store: ConnectionObjects['store'];

  constructor(target: PlayedTarget, options: PlayerPanelOptions) {
    const page = options.makePage({
      read: readPlayerMessage,
      onReady: () => {
        this.#part.sendShown();
        this.#part.sendVisibility();
      },
      onSaid: (said) => this.#part.receive(said),
      onSeenOrHidden: () => this.#part.seenOrHidden(),
    });
    this.#page = this.#owned.add(page);
    this.#store = options.store;
    const onFound = ({ tab }: { readonly tab: string }): void => {
      page.title = playerTab(tab);
    };
    const title = nameInTab(options.title, target.kind);
    const acts = playerActs(options, target);
    const view = {
      get isSeen() {
        return page.isSeen;
      },
      send: (message: ToPlayer) => {
        // Whether a stream is still live isn't known while its connection isn't open.
        const isKnown = connectionProblem(this.#store.snapshot, target) === undefined;
        const shape = message.kind === 'show' && isKnown ? shapeOf(target, message) : undefined;
        if (shape !== undefined) options.setIcon(shape);
        page.send(message);
      },
    };
    options.setIcon(target.kind === 'stream' ? 'stream' : 'session');
    const partOptions = { ...options, target, title, view, acts, pollsItself: true, onFound };
    this.#part = this.#owned.add(new PlayerPart(partOptions));
    if (target.isForClip === true) this.#part.openClipBar();
    this.#follow(options);
  }

  #follow({ store }: Pick<ConnectionObjects, 'store'>): void {
    this.#store = store;
    this.#following.set(
      store.onDidChange(({ previous, current }) => {
        const wasOther = previous.connection.kind !== current.connection.kind;
        const isOther = previous.generation !== current.generation || (wasOther && !this.#part.hasSource);
        if (isOther) return this.#part.followConnection();
        this.#part.followStream();
        if (hasRecovered(previous, current)) this.#part.retryLost();
      }),
    );
  }

  /** Continues with other objects for the connection, without interrupting playback. */
  continueWith(objects: ConnectionObjects): void {
    this.#follow(objects);
    this.#part.useObjects(objects);
    this.#part.followConnection();
  }

  get read(): PlayerPart['read'] {
    return this.#part.read;
  }

  get isInUse(): boolean {
    return this.#part.isInUse;
  }

  showAgain({ isForClip = false }: PlayedTarget): void {
    this.#page.reveal();
    if (isForClip) this.#part.openClipBar();
    if (this.#part.hasStopped) void this.load({ startsItself: true });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  load(how: { readonly startsItself: boolean }): Promise<void> {
    return this.#part.load(how);
  }
}

/** Returns the icon of the shown row: a stream that has ended isn't live. Undefined if it isn't known from that. */
function shapeOf({ kind }: PlayedTarget, { problem, heading }: ShownPlayer): TabShape | undefined {
  if (kind !== 'stream') return 'session';
  if (isSilent(problem)) return 'idle';
  return problem === undefined || heading.isLive ? 'stream' : undefined;
}
