import { t } from '@vscode/l10n';
import type { Clip } from '../../api/clips.ts';
import { errorText, isAbortError } from '../../api/errors.ts';
import type { Session } from '../../api/types.ts';
import { isForOpenConnection } from '../../model/connection/connectActions.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import type { KeptPlayerTarget } from '../../model/pages/panelState.ts';
import { MediaFeed } from '../../model/playback/mediaFeed.ts';
import type { WalkthroughSteps } from '../../model/walkthroughSteps.ts';
import { safeFileName } from '../../texts/downloads.ts';
import { recordingLabel } from '../../texts/lateLabels.ts';
import { Refusal } from '../../texts/refusal.ts';
import { keyRejectedWords } from '../../texts/troubles.ts';
import { type Disposable, DisposableSlot, DisposableStore, onDispose } from '../../util/disposable.ts';
import { oneLine } from '../../util/text.ts';
import type {
  Action,
  ClipCut,
  ClipProblem,
  FromPlayer,
  Heading,
  MetProblem,
  Problem,
  ShownPlayer,
  ToPlayer,
} from '../../webview/player/messages.ts';
import { connectionProblem, connectionWords, nameOfKnown, onDemoStop } from '../ownConnection.ts';
import {
  describeFailure,
  type Found,
  findPlayback,
  goesOn,
  onlyProblem,
  type PlayerContext,
  pollTarget,
  type Reconsidered,
  type Retry,
  reconsider,
  reconsiderOver,
} from './playerFinder.ts';
import { isSilent, isToCome, type Subject, silentProblem, streamHeading, whyNothingPlays } from './playerSubject.ts';

interface PlayerView {
  readonly isSeen: boolean;
  send(message: ToPlayer): void;
}

/** Decides which player has the sound: one at a time. */
export interface PlayerSound {
  add(player: PlayerPart): Disposable;
  take(player: PlayerPart): void;
  /** Call when a player is shown again. */
  offer(player: PlayerPart): void;
}

/**
 * The player that was played or clicked last has the sound; the others are told to be silent. If it plays while it
 * isn't visible, the next one that is shown again takes the sound. If it's closed, the one that was shown last does.
 */
export function createPlayerSound(): PlayerSound {
  const players = new Set<PlayerPart>();
  let owner: PlayerPart | undefined;
  return {
    add(player) {
      players.add(player);
      return onDispose(() => {
        players.delete(player);
        if (owner !== player) return;
        owner = undefined;
        if (player.isPlaying) [...players].findLast(({ isSeen }) => isSeen)?.takeSound();
      });
    },
    offer(player) {
      players.delete(player);
      players.add(player);
      if (owner?.isSeen !== true || !owner.isPlaying) player.takeSound();
    },
    take(player) {
      owner = player;
      for (const other of players) if (other !== player) other.yieldSound();
    },
  };
}

/** What all players of a window have in common. */
export interface SharedByPlayers {
  readonly sound: PlayerSound;
  readonly noteStep: WalkthroughSteps['note'];
}

interface PlayerPartOptions extends PlayerContext, SharedByPlayers {
  readonly title: string;
  readonly view: PlayerView;
  readonly acts: PlayerActions;
  /** Whether the player itself polls for what it waits for. If not, its owner calls `followSession`. */
  readonly pollsItself: boolean;
  readonly onFound?: (subject: Subject) => void;
}

/** The playlist of a new broadcast appears within this many attempts, with growing pauses: 2, 4, 8 … s. */
const MOST_TRIES = 5;
// Six seconds. After that, the player says what it waits for.
const OPENING_TRIES = 2;
const FIRST_TRY_MS = 2000;
const LONGEST_TRY_MS = 10_000;
/** For recordings and clips, which miss nothing between two attempts. */
const FIRST_RECORDING_TRY_MS = 5000;
const LONGEST_RECORDING_TRY_MS = 60_000;
/** A problem that occurs this long after the last attempt is a new one. */
const TRIES_KEPT_MS = 300_000;

/** After these actions, denied media may play. */
const GIVES_TOKENS: ReadonlySet<Action> = new Set<Action>(['createSigningKey', 'useSigningKey']);

interface LoadOptions {
  readonly startsItself: boolean;
  /** A retry for the playlist of a broadcast that is beginning, or for one that the network interrupted. */
  readonly isTry?: boolean;
  /** Keeps the problem on the page until there is an outcome. */
  readonly isQuiet?: boolean;
  /** Default: whether MP4 was played before. */
  readonly prefersMp4?: boolean;
  readonly avoidsDvr?: boolean;
  readonly session?: Session | undefined;
}

export interface ActionTarget {
  readonly subject: KeptPlayerTarget;
  /** The clip that plays, if it's one. */
  readonly clip?: Clip | undefined;
  /** The session that plays, or the latest one of a stream. */
  readonly session: Session | undefined;
}

/** Callbacks for the creation of a clip. */
export interface ClipPage {
  /** Called with a number from 0 to 1, if the service reports it. */
  readonly onProgress: (progress: number) => void;
  /** Returns whether the page says that there is a clip. */
  readonly onMade: (made: { readonly id: string; readonly name: string }) => boolean;
  /** Returns whether the page says why there is none. */
  readonly onFailed: (problem: ClipProblem) => boolean;
  /** Called if the connection is closed before that. `createClip` continues with `goOn` once it's open again. */
  readonly onLeft: (goOn: unknown) => void;
}

export interface PlayerActions {
  readonly act: (action: Exclude<Action, 'retry' | 'playMp4'>, on: ActionTarget) => Promise<void>;
  /** Calls `onMade` when there is a clip, which may be later: the creation of a refused clip can be retried. */
  readonly createClip: (clip: ClipCut, on: ActionTarget, page: ClipPage & { readonly goOn?: unknown }) => Promise<void>;
  readonly canDownload: () => Promise<boolean>;
}

/**
 * A player in a page: either in a tab of its own, or in a session's details. It finds the URL by ID whenever it is
 * opened, restored, or retried, or its connection is opened again.
 */
export class PlayerPart implements Disposable {
  #options: PlayerPartOptions;
  readonly #owned = new DisposableStore();
  readonly #timer = this.#owned.add(new DisposableSlot());
  readonly #demoStop = this.#owned.add(new DisposableSlot());
  /** What the page may load. Replaced with the source. */
  readonly #feed = this.#owned.add(new DisposableSlot<MediaFeed>());
  #loading = new AbortController();
  /** The last clip that was created from the page. */
  #madeClip: ActionTarget | undefined;
  /** Clips that were being created when the connection was closed, each with what `createClip` continues with. */
  readonly #leftClips = new Map<ClipCut, unknown>();
  /** Incremented by every load; results of older loads are ignored. */
  #load = 0;
  /** The sentences that the page was sent about media that couldn't be loaded. */
  readonly #sentences = new Set<string>();
  /** The number of the content that was shown last. */
  #serial = 0;
  #shown: ShownPlayer;
  /** As JSON. */
  #sentHeading = '';
  #subject: Subject | undefined;
  #isPending = false;
  /** Whether a request to the service failed in the last load. */
  #hasFailed = false;
  /** Whether the broadcast plays from its beginning. */
  #isDvr = false;
  /** What the player waits for, while a failed poll is shown instead. */
  #awaited: Problem | undefined;
  #retry: Retry | undefined;
  #isHidden = false;
  /** Whether it's in Picture in Picture. */
  #isInset = false;
  #isPlaying = false;
  /** Whether what is shown has played. */
  #hasPlayed = false;
  /** Whether a recording has played to its end, and not again since. */
  #hasEnded = false;
  /** Whether the user was playing when an interruption stopped playback; undefined if none did. */
  #wasPlaying: boolean | undefined;
  /** When what is shown was broadcast, as Unix time in milliseconds. */
  #watchedAt: number | undefined;
  #isAway = false;
  /** Whether the page should open the bar for clips once something plays. */
  #isForClip = false;
  #tries = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #startsItself = false;
  /** While true, no poll starts, because it would show the previous content again. */
  #isLoading = false;

  constructor(options: PlayerPartOptions) {
    this.#options = options;
    const heading = { title: options.title || recordingLabel(), facts: [], isLive: false };
    this.#shown = { heading, source: undefined, problem: { kind: 'opening' }, offers: [], hasFile: false };
    this.#owned.add({ dispose: () => this.#loading.abort() });
    this.#owned.add(options.sound.add(this));
  }

  get hasStopped(): boolean {
    return !this.hasSource && this.#shown.problem?.kind !== 'opening';
  }

  get hasSource(): boolean {
    return this.#shown.source !== undefined;
  }

  /** The session or clip that was read, and when what is shown was broadcast. */
  get read(): Pick<ActionTarget, 'session' | 'clip'> & { readonly watchedAt: number | undefined } {
    const { subject, session, clip } = this.#actionTarget;
    const watchedAt = this.hasSource ? this.#watchedAt : undefined;
    return { session: subject.kind === 'session' ? session : undefined, clip, watchedAt };
  }

  /** Whether its tab is in front, or it's in Picture in Picture. */
  get isSeen(): boolean {
    return this.#isInset || this.#options.view.isSeen;
  }

  /** Whether something plays in the page, with or without sound. */
  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** Whether something plays in the page or is paused there, or plays again once its server is back. */
  get isInUse(): boolean {
    const isThere = this.hasSource || this.#retry === 'lost';
    return isThere && !this.#hasEnded && (this.#hasPlayed || this.#wasPlaying !== undefined);
  }

  dispose(): void {
    this.#load += 1;
    this.#owned.dispose();
  }

  /** Finds out again what to play and shows it or the problem. Doesn't throw. */
  async load({
    startsItself: asked,
    prefersMp4 = this.#subject?.media?.kind === 'mp4',
    avoidsDvr = false,
    isTry = false,
    isQuiet = false,
    session,
  }: LoadOptions): Promise<void> {
    if (this.#owned.isDisposed) return;
    this.#loading.abort();
    this.#loading = new AbortController();
    this.#isLoading = true;
    this.#load += 1;
    const { signal } = this.#loading;
    this.#timer.set(undefined);
    this.#isAway = false;
    if (!isTry) this.#tries = 0;
    this.#startsItself = this.#wasPlaying ?? asked;
    this.#awaited = undefined;
    this.#feed.set(undefined);
    if (!isQuiet) this.#show({ ...this.#shown, source: undefined, problem: { kind: 'opening' } });
    try {
      const before = this.#subject;
      const { title: name } = this.#shown.heading;
      const startsItself = this.#startsItself;
      const options = { before, session, name, startsItself, prefersMp4, avoidsDvr, signal };
      const found = await findPlayback(this.#options, options);
      const offers = await this.#possible(found.offers);
      if (!signal.aborted) this.#setFound({ ...found, offers });
    } catch (error) {
      if (signal.aborted) return;
      this.#setFound(onlyProblem({ kind: 'stopped' }));
      this.#options.log.error('Opening the player failed', error);
    }
  }

  /** Tells the page whether it's visible, so that a hidden player that is paused requests nothing. */
  sendVisibility(): void {
    this.#options.view.send({ kind: 'visible', isVisible: this.#options.view.isSeen });
  }

  sendShown(): void {
    const heading = this.#namedHeading;
    this.#sentHeading = JSON.stringify(heading);
    const isForClip = this.#isForClip;
    this.#options.view.send({ kind: 'show', serial: this.#serial, ...this.#shown, heading, isForClip });
  }

  #sendHeading(): void {
    const heading = this.#namedHeading;
    const text = JSON.stringify(heading);
    if (text === this.#sentHeading) return;
    this.#sentHeading = text;
    this.#options.view.send({ kind: 'heading', heading });
  }

  /** The heading with the name of the connection, if there are several. */
  get #namedHeading(): Heading {
    const { store, target } = this.#options;
    const { tone, ...heading } = this.#shown.heading;
    const isOpen = connectionProblem(store.snapshot, target) === undefined;
    const away = this.#isAway ? nameOfKnown(this.#options, target.connection) : undefined;
    const names = away === undefined ? (isOpen ? connectionWords(store.snapshot) : []) : [oneLine(away)];
    const needsKey = isOpen && store.snapshot.connection.kind === 'refused';
    const facts = [...(needsKey ? [keyRejectedWords()] : []), ...heading.facts, ...names];
    const way = needsKey ? 'setApiKey' : away === undefined ? heading.way : 'openOwnConnection';
    return { ...heading, facts, ...(isOpen && tone && { tone }), ...(way && { way }) };
  }

  yieldSound(): void {
    this.#options.view.send({ kind: 'yieldSound' });
  }

  /** Does nothing if the player is paused, or the user has muted it. */
  takeSound(): void {
    this.#options.view.send({ kind: 'takeSound' });
  }

  /** Opens the bar once something plays. */
  openClipBar(): void {
    this.#isForClip = !this.#isPlaying;
    if (this.hasSource) this.#options.view.send({ kind: 'openClipBar' });
  }

  async receive(message: FromPlayer): Promise<void> {
    switch (message.kind) {
      case 'act':
        return this.#act(message.action, this.#actionTarget);
      case 'actOnMade':
        return this.#madeClip && this.#act(message.action, this.#madeClip);
      case 'createClip':
        return this.#createClip(message.clip);
      case 'frame':
        return this.#saveFrame(message.png, message.position);
      case 'failed':
        this.#options.log.info(`The player stopped: ${message.problem.kind}`);
        return this.#reconsider(message.serial, this.#verify(message.problem));
      case 'ended':
        this.#hasEnded ||= message.serial === this.#serial;
        if (this.#options.target.kind !== 'stream') return;
        return this.#reconsider(message.serial, undefined, message.hasPlayed);
      case 'requestMedia':
        return this.#sendMedia(message);
      case 'cancelMedia':
        return this.#feed.value?.cancel(message.id);
      case 'soundFailed':
        return this.#options.log.warn(`The player has no sound: ${oneLine(message.reason, 300)}`);
      case 'requestPart': {
        const { readPart, view } = this.#options;
        return view.send({ kind: 'part', ...(await readPart(message.part)) });
      }
      case 'watched':
        this.#watchedAt = message.date;
        return;
      case 'playing':
        this.#isPlaying = message.isPlaying && this.hasSource;
        this.#hasPlayed ||= this.#isPlaying;
        this.#hasEnded &&= !this.#isPlaying;
        if (this.#isPlaying) this.#wasPlaying = undefined;
        if (this.#isPlaying) this.#isForClip = false;
        if (this.#isPlaying && this.#options.target.kind === 'session') this.#options.noteStep('watch');
        return;
      case 'enterpictureinpicture':
      case 'leavepictureinpicture':
        this.#isInset = message.kind === 'enterpictureinpicture';
        return;
      case 'tookSound':
        return this.#options.sound.take(this);
      default:
        message satisfies never;
    }
  }

  /** Call when the player's page was shown or hidden. When shown again, polls immediately, at any refresh interval. */
  seenOrHidden(): void {
    const wasHidden = this.#isHidden;
    this.#isHidden = !this.#options.view.isSeen;
    this.sendVisibility();
    this.#planPoll();
    if (!wasHidden || this.#isHidden) return;
    this.#options.sound.offer(this);
    void this.#askAgain();
  }

  async #askAgain(): Promise<void> {
    const { connection, target, store, log } = this.#options;
    if (this.#isLoading) return;
    if (connectionProblem(store.snapshot, target) !== undefined || this.#retry === 'beginning') return;
    if (this.#retry === 'lost' && target.kind !== 'stream') return this.retryLost();
    if (!this.hasSource && this.#isPending) return this.#poll();
    if (target.kind !== 'stream') return;
    try {
      await connection.account.readStream(target.id);
    } catch (error) {
      log.debug(`The stream of a player couldn't be read: ${String(error)}`);
    }
  }

  /** Plans the next poll, at the refresh interval, while visible. A broadcast that is beginning is retried sooner. */
  #planPoll(): void {
    if (this.#isLoading) return;
    const { clock, settings, view, pollsItself } = this.#options;
    const seconds = settings.refreshInterval();
    const canPoll = view.isSeen && !this.hasSource;
    const isDue = pollsItself && this.#isPending && seconds > 0;
    if (this.#canRetryLost) this.#timer.set(clock.setTimeout(() => this.retryLost(), this.#lostWait));
    else if (canPoll && this.#retry === 'beginning') {
      const isQuiet = this.#shown.problem?.kind !== 'opening';
      this.#timer.set(clock.setTimeout(() => this.#tryAgain({ isQuiet }), FIRST_TRY_MS * 2 ** this.#tries));
    } else this.#timer.set(canPoll && isDue ? clock.setTimeout(() => void this.#poll(), seconds * 1000) : undefined);
  }

  /** Retries immediately what the network or the video server interrupted. Call when it may be back. */
  retryLost(): void {
    if (this.#canRetryLost) this.#tryAgain({ isQuiet: true });
  }

  /** A broadcast continues while the page is hidden. A recording waits. */
  get #canRetryLost(): boolean {
    const { target, view } = this.#options;
    return this.#retry === 'lost' && !this.hasSource && (target.kind === 'stream' || view.isSeen);
  }

  get #lostWait(): number {
    const [first, longest] =
      this.#options.target.kind === 'stream'
        ? [FIRST_TRY_MS, LONGEST_TRY_MS]
        : [FIRST_RECORDING_TRY_MS, LONGEST_RECORDING_TRY_MS];
    return Math.min(first * 2 ** this.#tries, longest);
  }

  /**
   * The page is hidden. The page that replaces it when it's shown again doesn't start playing by itself and doesn't say
   * for how long a recording has been processed, because that may be over.
   */
  rest(): void {
    this.#feed.value?.cancelAll();
    const { source, problem } = this.#shown;
    this.#isPlaying = false;
    this.#isInset = false;
    this.#wasPlaying &&= false;
    if (source !== undefined) this.#shown = { ...this.#shown, source: { ...source, startsItself: false } };
    if (problem?.kind === 'processing') this.#shown = { ...this.#shown, problem: { ...problem, since: undefined } };
    this.#planPoll();
  }

  /**
   * Call when a connection was opened or closed. What plays keeps playing while another connection is open, and after
   * that: it has its URLs, and its buttons offer to switch back. Everything else is found again.
   */
  followConnection(): void {
    const { store, target } = this.#options;
    const { hasSource } = this;
    const isOpen = connectionProblem(store.snapshot, target) === undefined;
    const isKnown = nameOfKnown(this.#options, target.connection) !== undefined;
    if (isOpen) this.#goOnWithClips();
    else if (!isKnown) this.#giveUpClips();
    this.#isAway = hasSource && isKnown && !isOpen;
    const stop = this.#isAway ? onDemoStop(this.#options, target.connection, () => this.followConnection()) : undefined;
    this.#demoStop.set(stop);
    if (this.#isAway) this.#sendHeading();
    else if (hasSource && isOpen) this.followStream();
    else void this.load({ startsItself: false });
  }

  /** Call when other objects serve its connection, before `followConnection`. */
  useObjects({ store, loader, connection }: ConnectionObjects): void {
    this.#options = { ...this.#options, store, loader, connection };
  }

  /** Updates the name and state from the store. A stream that goes live while it's awaited is loaded immediately. */
  followStream(): void {
    const { stream, readAt = 0, tokenUntil } = this.#subject ?? {};
    const { snapshot } = this.#options.store;
    // Another connection knows nothing about the stream.
    if (connectionProblem(snapshot, this.#options.target) !== undefined) return;
    const hasFailed = this.#shown.problem?.kind === 'said';
    // Nothing more is known about a stream that is gone.
    if (stream === undefined || (hasFailed && !snapshot.streams.has(stream.id))) return void this.#sendHeading();
    const heading = streamHeading(this.#options, { stream, readAt, tokenUntil });
    const hasBegun = heading.isLive && !this.#shown.heading.isLive;
    const isAwaited = this.#isPending && this.#options.view.isSeen && !this.hasSource;
    if (hasBegun && isAwaited) return void this.load({ startsItself: true });
    if (this.#subject !== undefined && heading.title !== this.#subject.tab) {
      this.#subject = { ...this.#subject, tab: heading.title };
      this.#options.onFound?.(this.#subject);
    }
    this.#shown = { ...this.#shown, heading };
    this.#sendHeading();
    this.#learnBeginning();
    const { problem } = this.#shown;
    const known = snapshot.streams.get(stream.id)?.stream;
    if (known !== undefined && isSilent(problem)) this.#showProblem(silentProblem(this.#options, known, problem));
  }

  /** Updates what is shown about a recording and loads it once it's ready. */
  followSession(session: Session, { startsItself }: { readonly startsItself: boolean }): void {
    if (!this.#isPending || this.hasSource) return;
    if (!isToCome(this.#options, session)) return void this.load({ startsItself, session });
    const problem = whyNothingPlays(this.#options, session);
    if (problem !== undefined) this.#showProblem(problem);
  }

  #showProblem(problem: Problem): void {
    const isNew = JSON.stringify(problem) !== JSON.stringify(this.#shown.problem);
    if (isNew) this.#show({ ...this.#shown, problem });
  }

  async #possible(offers: readonly Action[]): Promise<readonly Action[]> {
    if (!offers.includes('downloadMp4') || (await this.#options.acts.canDownload())) return offers;
    return offers.filter((offer) => offer !== 'downloadMp4');
  }

  #setFound({
    subject,
    heading,
    source,
    media,
    problem,
    offers,
    isPending,
    retry,
    hasFailed = false,
    isDvr = false,
  }: Found): void {
    const { transport: network, clock, log } = this.#options;
    this.#isLoading = false;
    this.#sentences.clear();
    this.#feed.set(media && new MediaFeed({ media, network, clock, log }));
    this.#subject = subject ?? this.#subject;
    this.#isPending = isPending;
    this.#hasFailed = hasFailed;
    this.#isDvr = isDvr;
    // The service may be unreachable as well.
    const isStillLost = this.#retry === 'lost' && hasFailed && isPending;
    const shown = this.#planRetry(problem, isStillLost ? 'lost' : retry);
    if (subject !== undefined) this.#options.onFound?.(subject);
    const before = this.#shown;
    // What was known of a stream may no longer hold. A recording or clip stays the same.
    const isSame = hasFailed && this.#subject !== undefined && this.#options.target.kind !== 'stream';
    const kept = isSame ? before.heading : { ...before.heading, facts: [], tone: undefined, isLive: false };
    const hasFile = this.#subject?.media?.kind === 'hls' && this.#subject.session?.mp4Url !== undefined;
    const offered = isSame ? before.offers : offers;
    this.#show({ heading: heading ?? kept, source, problem: shown, offers: offered, hasFile });
    this.#learnBeginning();
    this.#planPoll();
  }

  /**
   * Loads the sessions, which say since when a stream has been live, for the heading. The service lists a new one late.
   */
  #learnBeginning(): void {
    const { source, heading } = this.#shown;
    const { stream } = this.#subject ?? {};
    if (source?.isLive !== true || stream === undefined || heading.beganAt !== undefined) return;
    void this.#options.loader.ensureSessions(stream.id);
  }

  /**
   * Returns what to show: the problem, or that a new broadcast's playlist is retried, unless the problem is explained.
   */
  #planRetry<P extends Problem | undefined>(problem: P, retry: Retry | undefined): P | Problem {
    if (this.#options.clock.elapsed() - this.#triedAt > TRIES_KEPT_MS) this.#tries = 0;
    if (isSilent(problem)) this.#wasPlaying = undefined;
    this.#retry = retry === 'beginning' && this.#tries >= MOST_TRIES ? undefined : retry;
    if (this.#retry !== 'beginning' || problem?.kind === 'said') return problem;
    return { kind: this.#tries < OPENING_TRIES ? 'opening' : 'unpublished' };
  }

  #tryAgain({ isQuiet }: { readonly isQuiet: boolean }): void {
    this.#tries += 1;
    this.#triedAt = this.#options.clock.elapsed();
    void this.load({ startsItself: this.#startsItself, isTry: true, isQuiet });
  }

  async #act(action: Action, on: ActionTarget): Promise<void> {
    if (action === 'retry') return this.load({ startsItself: true });
    if (action === 'playMp4') {
      this.#wasPlaying = undefined;
      return this.load({ startsItself: true, prefersMp4: true });
    }
    const { target, acts, store } = this.#options;
    const isOpen = isForOpenConnection(store.snapshot, target.connection, action);
    if (!isOpen && !this.#isAway) return this.load({ startsItself: false });
    const load = this.#load;
    await acts.act(action, on);
    if (GIVES_TOKENS.has(action) && load === this.#load) await this.load({ startsItself: true });
  }

  #goOnWithClips(): void {
    for (const [clip, goOn] of this.#leftClips) {
      this.#leftClips.delete(clip);
      void this.#createClip(clip, goOn);
    }
  }

  /** The service may still create them, but the page isn't told. */
  #giveUpClips(): void {
    for (const { order } of this.#leftClips.keys()) this.#options.view.send({ kind: 'clip', order, isMade: false });
    this.#leftClips.clear();
  }

  async #createClip(clip: ClipCut, goOn?: unknown): Promise<void> {
    const { target, acts, store, view } = this.#options;
    const { order } = clip;
    let isMade = false;
    let isFailureSaid = false;
    const canSay = () => view.isSeen && !this.#owned.isDisposed;
    const page: ClipPage = {
      onProgress: (progress) => view.send({ kind: 'clipProgress', order, progress }),
      onMade: ({ id, name }) => {
        isMade = true;
        const isSaid = canSay();
        this.#madeClip = { subject: { connection: target.connection, kind: 'clip', id }, session: undefined };
        view.send({ kind: 'clip', order, isMade, ...(isSaid && { name }) });
        return isSaid;
      },
      onFailed: (problem) => {
        isFailureSaid = canSay();
        if (isFailureSaid) view.send({ kind: 'clip', order, isMade: false, problem });
        return isFailureSaid;
      },
      onLeft: (next) => void this.#leftClips.set(clip, next),
    };
    try {
      if (this.#isAway || isForOpenConnection(store.snapshot, target.connection, 'createClip')) {
        await acts.createClip(clip, this.#actionTarget, { ...page, goOn });
      } else await this.load({ startsItself: false });
    } finally {
      const isLeft = this.#leftClips.has(clip);
      if (!isMade && !isFailureSaid && !isLeft) view.send({ kind: 'clip', order, isMade });
      // The connection may have been opened again in the meantime.
      if (isLeft && connectionProblem(this.#options.store.snapshot, target) === undefined) this.#goOnWithClips();
    }
  }

  get #actionTarget(): ActionTarget {
    const { target } = this.#options;
    const { session = target.session, clip } = this.#subject ?? {};
    return { subject: target, session, clip };
  }

  /** @param met undefined if a broadcast has ended, perhaps before anything was played */
  async #reconsider(serial: number, met: Problem | undefined, hasPlayed = true): Promise<void> {
    const load = this.#load;
    const wasShown = this.#hasPlayed;
    if (this.#subject === undefined || serial !== this.#serial) return;
    if (this.#isAway) return this.load({ startsItself: false });
    // Media that the user has paused stay paused once they can be played again.
    if (met !== undefined && this.#hasPlayed) this.#wasPlaying = this.#isPlaying;
    const found = await (hasPlayed
      ? reconsider(this.#options, this.#subject, met)
      : reconsiderOver(this.#options, this.#subject));
    if (load !== this.#load) return;
    const startsItself = hasPlayed || this.#startsItself;
    // The broadcast continues and may play without its beginning, which may be all that was complete.
    const mayGoOn = !found.isPending || (!hasPlayed && goesOn(found));
    // After an outage, the broadcast is there again with its beginning.
    const comesBack = found.retry === 'lost' && wasShown;
    if (this.#isDvr && mayGoOn && !comesBack) return this.load({ startsItself, avoidsDvr: true });
    this.#setStopped(found, met);
  }

  #setStopped(found: Reconsidered, met: Problem | undefined): void {
    this.#subject = found.subject;
    this.#isPending = found.isPending;
    const problem = this.#planRetry(found.problem, found.retry);
    this.#feed.set(undefined);
    const shown = { ...this.#shown, ...found.gone, source: undefined, problem };
    if (problem === met) {
      this.#shown = shown;
      this.#isPlaying = false;
    } else this.#show(shown);
    this.#planPoll();
  }

  async #poll(): Promise<void> {
    const load = this.#load;
    const { target, log } = this.#options;
    const awaited = this.#awaited ?? this.#shown.problem;
    try {
      const result = await pollTarget(this.#options, this.#subject, awaited);
      if (load !== this.#load) return;
      const { hasCome, subject, problem = awaited } = result;
      this.#subject = subject;
      this.#awaited = undefined;
      if (hasCome || this.#hasFailed) return await this.load({ startsItself: true });
      if (problem !== undefined) this.#showProblem(problem);
      const recording = target.kind === 'session' ? subject?.session : undefined;
      if (recording !== undefined) this.followSession(recording, { startsItself: true });
    } catch (error) {
      log.debug(`Polling for something to play failed: ${String(error)}`);
      if (load === this.#load && !isAbortError(error)) this.#showFailure(error);
    }
    if (load === this.#load) this.#planPoll();
  }

  /** A request for an earlier source gets no reply, because its page no longer waits for one. */
  async #sendMedia({ serial, request }: Extract<FromPlayer, { readonly kind: 'requestMedia' }>): Promise<void> {
    const { view } = this.#options;
    if (serial !== this.#serial) return;
    await this.#feed.value?.request(request, (reply) => {
      if (reply.kind === 'failed' && 'sentence' in reply.problem) this.#sentences.add(reply.problem.sentence);
      view.send({ kind: 'media', reply });
    });
  }

  /** Lets a page report only sentences that the host sent, and none of its own. */
  #verify(problem: MetProblem): MetProblem {
    return 'sentence' in problem && !this.#sentences.has(problem.sentence) ? { kind: 'stopped' } : problem;
  }

  /** Replaces what was shown before. It's shown again once the service responds, if it still holds. */
  #showFailure(error: unknown): void {
    const { problem, isPending } = describeFailure(this.#options, error);
    this.#awaited ??= this.#shown.problem;
    this.#isPending = isPending;
    this.#showProblem(problem);
  }

  async #saveFrame(png: Uint8Array, position: number): Promise<void> {
    const { title } = this.#shown.heading;
    const { target, ui, log } = this.#options;
    const name = target.kind === 'stream' ? title : `${title} ${fileTime(position)}`;
    const fileName = safeFileName(name, t('Frame'), '.png');
    try {
      await ui.saveFile({ fileName, bytes: png, filters: { [t('Image')]: ['png'] } });
    } catch (error) {
      log.warn(`A frame couldn't be written: ${errorText(error)}`);
      const sentence = t('Couldn\'t save "{0}". Try again, or select another folder.', fileName);
      throw new Refusal(sentence, { severity: 'error' });
    }
  }

  #show(shown: ShownPlayer): void {
    this.#shown = shown;
    this.#isPlaying = false;
    this.#hasPlayed = false;
    this.#hasEnded = false;
    this.#watchedAt = undefined;
    this.#serial += 1;
    this.sendShown();
  }
}

/** Returns "01-02-03", for a file name. @param position in seconds */
function fileTime(position: number): string {
  const seconds = Math.floor(position);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
