import { t } from '@vscode/l10n';
import type { PlaybackPolicy, Session, Stream } from '../api/types.ts';
import { isForOpenConnection } from '../model/connection/connectActions.ts';
import { templatesInForce } from '../model/connection/knownAddresses.ts';
import type { ConnectionObjects, ModelContext } from '../model/context.ts';
import { Thumbnails } from '../model/pages/thumbnails.ts';
import { hasRecovered, type SnapshotChange } from '../model/store/snapshot.ts';
import type { Clock, Presence } from '../services.ts';
import { copiedKeyedUrl, type KeyedUrl } from '../texts/lateLabels.ts';
import { withConnection } from '../texts/listedNames.ts';
import { nameOf } from '../texts/names.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../util/disposable.ts';
import type { Button, PageAct, PageSecrets, Shown, ToDetails } from '../webview/details/messages.ts';
import type { Problem } from '../webview/player/messages.ts';
import { type DetailsRequest, readDetailsMessage } from './detailsMessages.ts';
import { DetailsModel, type DetailsState, hasAnswered, hasGone, isOther, knownSession } from './detailsModel.ts';
import { copiedOf, type Kept, keptDetails } from './keptDetails.ts';
import { connectionProblem, nameOfKnown, onDemoStop } from './ownConnection.ts';
import type { PageEvents, WebviewPage } from './page.ts';
import { type RunCommand, runPageCommand } from './pageCommands.ts';
import type { FinderContext, PageTarget } from './player/playerFinder.ts';
import { type PlayerActions, PlayerPart, type SharedByPlayers } from './player/playerPart.ts';
import { factOf, liveStreamOf, shownDetails } from './shownDetails.ts';
import { placeOfTargets, type SectionPlace, secretsOf } from './streamDetails.ts';
import { detailsTab, nameInTab } from './tabTitles.ts';

export interface DetailsOptions extends FinderContext, ModelContext, SharedByPlayers {
  readonly presence: Presence;
}

interface DetailsDependencies {
  readonly title: string;
  readonly makePage: (events: PageEvents<DetailsRequest>) => WebviewPage;
  readonly acts: PlayerActions;
  readonly runCommand: RunCommand;
  /** Keeps later clicks from showing something else in this tab. */
  readonly keep: () => void;
  /** Whether a player of the stream or session is open, playing or waiting. */
  readonly hasPlayer: () => boolean;
}

/** `target`: one of several on the page. */
interface Copying {
  readonly command: Button['act'];
  readonly target?: string;
}

const GATHER_MS = 100;
const JUST_READ_MS = 1000;
/** Keeps "4 min ago" true while polling is off. */
const TICK_SECONDS = 20;

export const REVEALED_FOR_MS = 30_000;
/** How old the picture of a broadcast may get. */
const PICTURE_MS = 60_000;

/**
 * The details of one stream, or of one session with its player, in one tab. While visible, it follows the store and
 * polls the service at the refresh interval. While hidden, it does nothing; its page is created again when it's shown.
 */
export class DetailsPanel implements Disposable {
  readonly #target: PageTarget;
  #options: DetailsOptions & DetailsDependencies;
  readonly #owned = new DisposableStore();
  readonly #page: WebviewPage;
  readonly #model: DetailsModel;
  readonly #player: PlayerPart | undefined;
  readonly #following = this.#owned.add(new DisposableSlot());
  readonly #demoStop = this.#owned.add(new DisposableSlot());
  readonly #gathering = this.#owned.add(new DisposableSlot());
  readonly #pollTimer = this.#owned.add(new DisposableSlot());
  readonly #refreshes = this.#owned.add(new DisposableSlot());
  readonly #reveal: KeyReveal;
  readonly #picture: PictureLoader;
  #isDue = false;
  #isHidden = false;
  /** Whether the known data is from before the page was shown again. */
  #isOld = false;
  #isRecordingMissing = false;
  #placeOfTargets: SectionPlace | undefined;
  #name: string;
  #shownLast: Kept | undefined;
  /** What was shown for its connection, while another one is open. */
  #kept: Kept | undefined;
  #sent = '';
  #scrollsTo: string | undefined;
  #clipId: string | undefined;
  /** Whether its page takes messages. */
  #isReady = false;

  constructor(target: PageTarget, options: DetailsOptions & DetailsDependencies) {
    const { clock, title, makePage } = options;
    this.#target = target;
    this.#mark(target);
    this.#options = options;
    this.#model = new DetailsModel(options, target);
    this.#name = nameInTab(title, target.kind);
    this.#reveal = this.#owned.add(new KeyReveal(clock, () => this.#send({ kind: 'hide' })));
    this.#picture = this.#owned.add(new PictureLoader(options, (picture) => this.#send({ kind: 'picture', picture })));
    this.#page = this.#owned.add(
      makePage({
        read: readDetailsMessage,
        onReady: () => this.#ready(),
        onSaid: (request) => this.#do(request),
        onSeenOrHidden: () => this.#seenOrHidden(),
      }),
    );
    if (target.kind === 'session') this.#player = this.#owned.add(this.#makePlayer());
    this.#follow();
  }

  #follow(): void {
    this.#followRefreshes();
    this.#following.set(
      this.#options.store.onDidChange((change) => {
        const { previous, current } = change;
        const isNewConnection =
          previous.generation !== current.generation || previous.connection.kind !== current.connection.kind;
        if (previous.generation !== current.generation && this.#goesOn()) return;
        if (this.#kept !== undefined) return this.#followKept(change);
        if (previous.generation !== current.generation) {
          this.#model.forgetSession();
          this.#followRefreshes();
        }
        this.#model.keepKnown(change.previous);
        if (hasRecovered(previous, current)) this.#player?.retryLost();
        if (this.#page.isSeen && hasAnswered(change)) void this.#options.loader.refreshActive();
        if (isNewConnection) void this.load();
        else if (hasGone(change, this.#parts)) void this.#loadLeft();
        else if (this.#model.isRecoveredBy(change)) void this.#load({ isQuiet: true });
        else if (isOther(change, this.#parts)) this.#gather();
      }),
    );
  }

  /** Continues when other objects serve its connection, beside the current one or as the current one. */
  continueWith({ store, loader, connection }: ConnectionObjects): void {
    this.#options.loader.interest.closed(this);
    this.#options = { ...this.#options, store, loader, connection };
    this.#model.continueWith(this.#options);
    this.#picture.continueWith(this.#options);
    this.#player?.useObjects({ store, loader, connection });
    this.#follow();
    // While it's read again, the page doesn't say to which connection it belongs.
    if (this.#kept !== undefined && this.#isOpen && this.#page.isSeen) this.#show(this.#kept.shown);
    if (!this.#goesOn()) void this.load();
  }

  /** Keeps what was shown, and what plays, while another connection is open and until this one is open again. */
  #goesOn(): boolean {
    if (this.#isOpen) {
      if (this.#kept === undefined) return false;
      void this.#comeBack();
      return true;
    }
    this.#kept ??= this.#shownLast;
    if (this.#kept === undefined || !this.#isKnown) return this.#forgetKept();
    this.#demoStop.set(onDemoStop(this.#options, this.#target.connection, () => this.#followKnown()));
    if (!this.#page.isSeen) this.#dropPicture();
    this.#model.stop();
    this.#reveal.end();
    this.#picture.forget();
    this.#player?.followConnection();
    this.#followRefreshes();
    this.#update();
    return true;
  }

  /** The next page would wait for the picture, which isn't fetched while another connection is open. */
  #dropPicture(): void {
    if (this.#kept !== undefined) this.#kept = { ...this.#kept, shown: { ...this.#kept.shown, hasPicture: false } };
  }

  /** Keeps what is shown until it's read again. */
  async #comeBack(): Promise<void> {
    this.#followRefreshes();
    if (!this.isPlaying) this.#model.forgetSession();
    this.#player?.followConnection();
    if (this.#page.isSeen) await this.#model.load(this.#name);
    if (!this.#isOpen) return;
    this.#kept = undefined;
    await this.#load({ isQuiet: true });
  }

  #followKept({ previous, current }: SnapshotChange): void {
    if (previous.connectionNames !== current.connectionNames && !this.#isOpen) this.#followKnown();
  }

  #followKnown(): void {
    if (!this.#isKnown) {
      this.#forgetKept();
      void this.load();
    } else this.#update();
  }

  #forgetKept(): false {
    this.#kept = undefined;
    this.#demoStop.set(undefined);
    this.#shownLast = undefined;
    this.#player?.followConnection();
    return false;
  }

  get #isGone(): boolean {
    return this.#model.trouble !== undefined && !this.#model.canRecover;
  }

  get #isKnown(): boolean {
    return nameOfKnown(this.#options, this.#target.connection) !== undefined;
  }

  // A refresh lists neither all streams nor what only the page shows.
  #followRefreshes(): void {
    const { connection } = this.#options;
    this.#refreshes.set(
      connection.isOpen
        ? connection.account.lateRequests.onDidReset(() => this.#page.isSeen && void this.#askAgain())
        : undefined,
    );
  }

  get read(): { readonly session: Session | undefined; readonly watchedAt: number | undefined } {
    return { session: this.#sessionShown, watchedAt: this.#player?.read.watchedAt };
  }

  get isPlaying(): boolean {
    return this.#player?.isPlaying === true;
  }

  get isInUse(): boolean {
    return this.#player?.isInUse === true;
  }

  showAgain(target: PageTarget): void {
    this.#page.reveal();
    this.#mark(target);
    this.#update();
    if (this.#model.trouble !== undefined) void this.load();
    else if (this.#player?.hasStopped === true) void this.#player.load({ startsItself: false });
  }

  /** Marks the clip whose row was clicked in a tree. */
  #mark({ clipId }: PageTarget): void {
    this.#clipId = clipId;
    this.#scrollsTo = clipId === undefined ? undefined : 'clips';
  }

  dispose(): void {
    this.#model.stop();
    this.#owned.dispose();
    this.#options.loader.interest.closed(this);
  }

  /** A refresh keeps what is on screen until it's read again. */
  #noteInterest(): void {
    const { interest } = this.#options.loader;
    const streamId = this.#target.kind === 'stream' ? this.#target.id : this.#sessionShown?.parentId;
    if (streamId !== undefined && this.#page.isSeen && this.#isOpen)
      interest.opened(this, { kind: 'stream', streamId });
    else interest.closed(this);
  }

  load(): Promise<void> {
    return this.#load({ isQuiet: false });
  }

  /** If quiet, the outcome of the last load stays on the page until there is a new one. */
  async #load({ isQuiet }: { readonly isQuiet: boolean }): Promise<void> {
    if (this.#owned.isDisposed) return;
    this.#model.stop();
    if (!isQuiet) {
      this.#reveal.end();
      this.#model.forgetTrouble();
    }
    this.#update();
    this.#isDue = !this.#page.isSeen;
    if (!this.#isOpen || this.#isDue || !(await this.#model.load(this.#name))) return;
    if (this.#page.isSeen) this.#isOld = false;
    this.#update();
    // What the list said about an idle stream may be minutes old.
    if (!isQuiet && this.#target.kind === 'stream' && !this.#model.isBroken) return this.#refresh(JUST_READ_MS);
    void this.#readMore();
    const session = this.#sessionShown;
    if (session === undefined) return;
    if (!isQuiet || (!this.#model.isBroken && this.#player?.hasSource === false)) {
      await this.#player?.load({ startsItself: false, session });
    }
  }

  /** Says immediately that the stream is gone. It's read once more, because the response may have been an old one. */
  #loadLeft(): Promise<void> {
    this.#reveal.end();
    this.#model.noteGone();
    return this.#load({ isQuiet: true });
  }

  #makePlayer(): PlayerPart {
    const page = this.#page;
    return new PlayerPart({
      ...this.#options,
      target: this.#target,
      title: this.#name,
      view: {
        get isSeen() {
          return page.isSeen;
        },
        send: (message) => {
          if (message.kind === 'show') this.#notePlayed(message.problem);
          this.#send({ kind: 'player', message });
        },
      },
      pollsItself: false,
    });
  }

  get #parts(): DetailsState {
    return this.#model.parts(this.#name);
  }

  get #sessionShown(): Session | undefined {
    if (this.#kept !== undefined) return this.#kept.session;
    const isThere = this.#target.kind === 'session' && this.#isOpen;
    return isThere ? knownSession(this.#options.store.snapshot, this.#parts) : undefined;
  }

  get #shown(): Shown {
    const { trouble, canRecover } = this.#model;
    const seen = { isRecordingMissing: this.#isRecordingMissing, placeOfTargets: this.#placeOfTargets };
    const own = { clipId: this.#clipId, trouble, canRecover };
    const known = { ...this.#parts, ...seen, ...own };
    return shownDetails(this.#options, { ...known, isOld: this.#isOld, hasPlayer: this.#options.hasPlayer() });
  }

  // A service may report a recording as ready that it no longer has. Playback shows whether it does.
  #notePlayed(problem: Problem | undefined): void {
    if (problem?.kind === 'opening') return;
    this.#isRecordingMissing = problem?.kind === 'status' && (problem.status === 404 || problem.status === 410);
    this.#gather();
  }

  get #isOpen(): boolean {
    return connectionProblem(this.#options.store.snapshot, this.#target) === undefined;
  }

  #seenOrHidden(): void {
    const wasHidden = this.#isHidden;
    this.#isHidden = !this.#page.isSeen;
    if (!this.#page.isSeen) {
      this.#isReady = false;
      this.#isOld = true;
      this.#noteInterest();
      this.#reveal.end();
      this.#gathering.set(undefined);
      this.#pollTimer.set(undefined);
      this.#picture.forget();
      this.#dropPicture();
      this.#player?.rest();
      this.#sent = '';
    } else if (this.#isDue) void this.load();
    else {
      this.#planPoll();
      if (!wasHidden) return;
      this.#player?.retryLost();
      void this.#askAgain();
    }
  }

  /** Polls immediately when the page is shown again, regardless of the refresh interval. */
  async #askAgain(): Promise<void> {
    if (this.#isOpen) await this.#refresh(JUST_READ_MS);
    this.#update();
  }

  /** @param youngMs data that was read within this time isn't read again */
  async #refresh(youngMs: number): Promise<void> {
    if (this.#model.isBroken) await this.#load({ isQuiet: true });
    else if (this.#model.trouble === undefined) {
      const hasResponded = await this.#model.poll(this.#name, youngMs);
      if (hasResponded && this.#page.isSeen) this.#isOld = false;
      this.#update();
      await this.#readMore();
    }
  }

  #gather(): void {
    if (this.#gathering.value !== undefined) return;
    this.#gathering.set(
      this.#options.clock.setTimeout(() => {
        this.#gathering.set(undefined);
        this.#update();
      }, GATHER_MS),
    );
  }

  #update(): void {
    if (this.#owned.isDisposed) return;
    this.#noteInterest();
    if (this.#kept !== undefined) {
      if (this.#page.isSeen && !this.#isOpen) {
        this.#show(keptDetails(this.#kept, this.#options, this.#target, this.#player?.hasSource === true));
      }
      return;
    }
    const stream = this.#streamShown();
    if (stream !== undefined) this.#setTab(nameOf(stream));
    // Only the tab title of a hidden page is visible.
    if (!this.#page.isSeen) return;
    const shown = this.#shown;
    if (shown.kind === 'details') {
      this.#placeOfTargets ??= placeOfTargets(shown);
      if (stream === undefined) this.#setTab(shown.title);
    }
    const session = this.#sessionShown;
    if (session !== undefined && !this.#isOld) this.#player?.followSession(session, { startsItself: false });
    const isGone = this.#isGone;
    this.#shownLast = shown.kind === 'details' ? { shown, secrets: this.#secrets, session, isGone } : undefined;
    this.#show(shown);
    this.#scroll(shown);
    const hasPicture = shown.kind === 'details' && shown.hasPicture === true;
    const live = session === undefined ? stream : liveStreamOf(session, this.#options.store.snapshot);
    const { playbackId, playbackPolicy } = (hasPicture ? live : undefined) ?? {};
    this.#picture.follow(playbackId, playbackPolicy);
  }

  #setTab(name: string): void {
    const tab = detailsTab(name);
    this.#page.title = tab;
    this.#name = nameInTab(tab, this.#target.kind);
  }

  #show(shown: Shown): void {
    const text = JSON.stringify(shown);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send({ kind: 'show', shown });
  }

  #scroll(shown: Shown): void {
    const section = this.#scrollsTo;
    if (!this.#isReady || shown.kind !== 'details' || section === undefined) return;
    if (!shown.sections.some(({ id }) => id === section)) return;
    this.#scrollsTo = undefined;
    this.#send({ kind: 'scrollTo', section });
  }

  #planPoll(): void {
    if (this.#owned.isDisposed) return;
    const { clock, settings } = this.#options;
    const seconds = settings.refreshInterval();
    const wait = seconds > 0 ? seconds : TICK_SECONDS;
    this.#pollTimer.set(clock.setTimeout(() => void this.#poll(seconds * 1000), wait * 1000));
  }

  async #poll(intervalMs: number): Promise<void> {
    if (intervalMs > 0 && this.#isOpen && this.#options.presence.isFocused()) await this.#refresh(intervalMs);
    this.#update();
    if (this.#page.isSeen) this.#planPoll();
  }

  async #readMore(): Promise<void> {
    await Promise.all([
      this.#model.readHealth(),
      this.#model.readTargets(),
      this.#model.readFailure(),
      this.#model.readClips(),
    ]);
    this.#update();
  }

  #ready(): void {
    this.#isReady = true;
    this.#sent = '';
    this.#reveal.end();
    this.#picture.forget();
    this.#update();
    if (this.#kept !== undefined || this.#shown.kind === 'details') this.#player?.sendShown();
    this.#planPoll();
  }

  async #do(request: DetailsRequest): Promise<void> {
    const act = request.kind === 'command' ? request.command : request.kind === 'act' ? request.act : request.kind;
    const isOwn = isForOpenConnection(this.#options.store.snapshot, this.#target.connection, act);
    const still = this.#kept ?? (this.#isGone ? this.#shownLast : undefined);
    const copied = still && copiedOf(still, act);
    if (copied !== undefined) {
      return this.#telling({ command: act as Button['act'] }, () => this.#options.ui.copy(copied));
    }
    // Commands on kept details offer to switch back.
    if (!isOwn && this.#kept === undefined && request.kind !== 'player') return this.load();
    switch (request.kind) {
      case 'act':
        return this.#act(request.act);
      case 'command':
        if (request.command === 'showSession') this.#options.keep();
        return this.#telling(request, () => {
          const shown = { ...this.#target, session: this.#kept?.session ?? this.#model.session };
          return runPageCommand(this.#options.runCommand, request, shown);
        });
      case 'player':
        if (request.said.kind === 'failed') this.#notePlayed(request.said.problem);
        return this.#player?.receive(request.said);
      default:
        request satisfies never;
    }
  }

  /** Tells the page when a command has copied something, which can be long before the command ends. */
  async #telling({ command: act, target }: Copying, run: () => Promise<void>): Promise<void> {
    const listening = this.#options.ui.onDidCopy(() => this.#send({ kind: 'copied', act, target }));
    try {
      await run();
    } finally {
      listening.dispose();
    }
  }

  async #act(act: PageAct): Promise<void> {
    const { loader } = this.#options;
    const { id, kind } = this.#target;
    switch (act) {
      case 'reveal':
        return this.#revealKey();
      case 'hide':
        return this.#reveal.end();
      case 'copySrt':
        return this.#telling({ command: act }, () => this.#copySecret('srt'));
      case 'copyWhip':
        return this.#telling({ command: act }, () => this.#copySecret('whip'));
      case 'copyProjectId':
        return this.#telling({ command: act }, () =>
          this.#copyId((this.#streamShown() ?? this.#sessionShown)?.projectId, t('Copied the project ID')),
        );
      case 'copyOwnPlaybackId':
        // A session has a playback ID of its own, not that of its stream.
        return this.#telling({ command: act }, () =>
          this.#copyId(this.#sessionShown?.playbackId, t('Copied the playback ID')),
        );
      case 'setAddress':
        return this.#options.runCommand('setAddresses');
      case 'setOtherAddress':
        return this.#options.ui.openSettings('liveStreams.addresses');
      case 'retry':
        if (this.#kept !== undefined) return;
        if (kind === 'stream') void loader.reloadSessions(id);
        if (this.#options.store.snapshot.trouble !== undefined) void this.#options.runCommand('refresh');
        return this.load();
      case 'loadMore':
        return kind === 'stream' && this.#kept === undefined ? loader.loadMoreSessions(id) : undefined;
      case 'showStream':
        this.#options.keep();
        return this.#options.runCommand('showStream', (this.#kept?.session ?? this.#model.session)?.parentId);
      case 'openOwnConnection':
        return this.#options.runCommand('switchConnection', { connectionId: this.#target.connection });
      default:
        act satisfies never;
    }
  }

  #streamShown(): Stream | undefined {
    if (this.#target.kind !== 'stream' || !this.#isOpen) return undefined;
    return factOf(this.#options, this.#target.id)?.stream;
  }

  get #secrets(): PageSecrets {
    const stream = this.#streamShown();
    if (stream === undefined) return this.#kept?.secrets ?? {};
    return secretsOf(stream, templatesInForce(this.#options));
  }

  /** The only place that sends the key to the page, and only while the page is visible. */
  #revealKey(): void {
    const secrets = this.#secrets;
    if (secrets.streamKey === undefined || !this.#page.isSeen) return;
    this.#send({ kind: 'reveal', secrets });
    this.#reveal.begin();
  }

  async #copySecret(which: KeyedUrl): Promise<void> {
    const stream = this.#streamShown();
    if (stream === undefined) return;
    const secret = this.#secrets[which];
    if (secret === undefined) return;
    await this.#options.ui.copy(secret);
    this.#options.ui.flash(withConnection(this.#options, copiedKeyedUrl(which, nameOf(stream))));
  }

  async #copyId(id: string | undefined, done: string): Promise<void> {
    if (id === undefined) return;
    await this.#options.ui.copy(id);
    this.#options.ui.flash(withConnection(this.#options, done));
  }

  #send(message: ToDetails): void {
    this.#page.send(message);
  }
}

/** Whether a stream key is revealed. Ends after 30 s; the owner ends it earlier when the key is no longer visible. */
export class KeyReveal implements Disposable {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #timer = new DisposableSlot();

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer.value !== undefined;
  }

  begin(): void {
    this.#timer.set(this.#clock.setTimeout(() => this.end(), REVEALED_FOR_MS));
  }

  end(): void {
    if (!this.isOn) return;
    this.#timer.set(undefined);
    this.#onEnd();
  }

  dispose(): void {
    this.#timer.dispose();
  }
}

type PictureContext = FinderContext;

/** Fetches the picture of a stream's broadcast once a minute while its page is visible. */
export class PictureLoader implements Disposable {
  #context: PictureContext;
  readonly #onPicture: (picture: string | undefined) => void;
  readonly #thumbnails: Thumbnails;
  #playbackId: string | undefined;
  #fetchedAt = 0;
  #fetching: AbortController | undefined;

  constructor(context: PictureContext, onPicture: (picture: string | undefined) => void) {
    this.#context = context;
    this.#thumbnails = new Thumbnails(context);
    this.#onPicture = onPicture;
  }

  continueWith(context: PictureContext): void {
    this.forget();
    this.#context = context;
  }

  /** Fetches the picture of this playback ID, unless that was done less than a minute ago or the key is rejected. */
  follow(playbackId: string | undefined, playbackPolicy?: PlaybackPolicy | undefined): void {
    const { connection } = this.#context.store.snapshot;
    if (playbackId === undefined || connection.kind !== 'open') {
      this.forget();
      if (playbackId !== undefined) this.#onPicture(undefined);
      return;
    }
    const now = this.#context.clock.elapsed();
    if (playbackId === this.#playbackId && now - this.#fetchedAt < PICTURE_MS) return;
    this.forget();
    this.#playbackId = playbackId;
    this.#fetchedAt = now;
    const { id, baseUrl } = connection.info;
    const { account } = this.#context.connection;
    void this.#fetch({ account, connection: { id, baseUrl }, playbackId, playbackPolicy });
  }

  /** Forgets the picture, because the next page needs it again. */
  forget(): void {
    this.#fetching?.abort();
    this.#fetching = undefined;
    this.#playbackId = undefined;
  }

  dispose(): void {
    this.forget();
  }

  async #fetch(of: Parameters<Thumbnails['get']>[0]): Promise<void> {
    const fetching = new AbortController();
    this.#fetching = fetching;
    const picture = await this.#thumbnails.get(of, fetching.signal);
    if (!fetching.signal.aborted) this.#onPicture(picture);
  }
}
