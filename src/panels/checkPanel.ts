import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import { isForOpenConnection } from '../model/connection/connectActions.ts';
import type { ModelContext } from '../model/context.ts';
import type { FindingRemedy } from '../model/inspection/hlsFindings.ts';
import type { InspectionStep } from '../model/inspection/inspectHls.ts';
import { type CheckReport, reportText } from '../model/inspection/report.ts';
import type { Snapshot, SnapshotChange } from '../model/store/snapshot.ts';
import { type StreamState, streamState } from '../model/store/streams.ts';
import type { Ui } from '../services.ts';
import type { CheckAction, CheckOutcome, RunCheck } from '../texts/checkOutcome.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../util/disposable.ts';
import type { FromCheck, ShownCheck, ToCheck } from '../webview/check/messages.ts';
import { isAboutStream, isCheckCommand, readCheckMessage } from './checkMessages.ts';
import { connectionProblem, connectionWords } from './ownConnection.ts';
import { noteFailure, type PageEvents, type WebviewPage } from './page.ts';
import type { RunCommand } from './pageCommands.ts';
import type { PlayerActionsOptions } from './player/playerActions.ts';
import { lineOf, type NoResult, remedyOf, shownCheck } from './shownCheck.ts';
import { nameInCheckTab } from './tabTitles.ts';

/** The subject of a check's tab. Without `run` in a tab that was restored with the window. */
export interface CheckTarget {
  readonly kind: 'stream' | 'playback';
  /** '' for playback. */
  readonly connection: string;
  /** The ID of the stream, or the URL without its query. */
  readonly id: string;
  readonly run?: RunCheck | undefined;
}

interface CheckPanelOptions
  extends Pick<ModelContext, 'store' | 'log' | 'drawing'>,
    Pick<PlayerActionsOptions, 'runFor'> {
  readonly ui: Pick<Ui, 'copy' | 'openSettings'>;
  readonly title: string;
  readonly makePage: (events: PageEvents<FromCheck>) => WebviewPage;
  readonly runCommand: RunCommand;
}

interface Running {
  readonly ending: AbortController;
  step: InspectionStep | undefined;
}

/** Returns whether a store change may open or close a page's connection, or change what the page says or offers. */
function isOther({ previous, current }: SnapshotChange, id: string): boolean {
  return (
    stateIn(previous, id) !== stateIn(current, id) ||
    previous.connection !== current.connection ||
    previous.connectionCount !== current.connectionCount ||
    previous.connectionNames !== current.connectionNames ||
    previous.showsAllConnections !== current.showsAllConnections ||
    previous.abilities !== current.abilities
  );
}

function stateIn({ streams }: Snapshot, id: string): StreamState | undefined {
  const fact = streams.get(id);
  return fact && streamState(fact);
}

function isOtherState(before: StreamState | undefined, now: StreamState | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

/** A check and its report in one tab. Closing the tab aborts the check; hiding it doesn't. */
export class CheckPanel implements Disposable {
  #options: CheckPanelOptions;
  readonly #owned = new DisposableStore();
  readonly #following = this.#owned.add(new DisposableSlot());
  readonly #page: WebviewPage;
  readonly #name: string;
  #target: CheckTarget;
  #running: Running | undefined;
  #report: CheckReport | undefined;
  #noResult: NoResult | undefined;
  /** The stream's state when it was checked. */
  #checkedState: StreamState | undefined;
  #isTargetChanged = false;
  #sent = '';

  constructor(target: CheckTarget, options: CheckPanelOptions) {
    this.#target = target;
    this.#options = options;
    this.#name = nameInCheckTab(options.title);
    if (target.run === undefined) this.#noResult = { kind: 'lost' };
    this.#page = this.#owned.add(
      options.makePage({
        read: readCheckMessage,
        onReady: () => this.#sendAgain(),
        onSaid: (said) => this.#do(said),
        onSeenOrHidden: () => {},
      }),
    );
    this.#follow(options);
  }

  #follow({ store }: CheckPanelOptions): void {
    this.#following.set(
      store.onDidChange((change) => {
        if (isOther(change, this.#target.id)) this.#update();
      }),
    );
  }

  /** Keeps the report. The command makes the next check, because the known `run` belongs to the other objects. */
  continueWith({ store }: { readonly store: ModelContext['store'] }): void {
    this.#options = { ...this.#options, store };
    this.#target = { ...this.#target, run: undefined };
    this.#follow(this.#options);
    this.#update();
  }

  /** Whether a check is running. It continues when another tab is opened. */
  get isInUse(): boolean {
    return this.#running !== undefined;
  }

  showAgain(target: CheckTarget): Promise<void> {
    this.#target = target;
    this.#page.reveal();
    return this.#start();
  }

  load({ startsItself }: { readonly startsItself: boolean }): Promise<void> {
    if (startsItself) return this.#start();
    this.#update();
    return Promise.resolve();
  }

  dispose(): void {
    this.#running?.ending.abort();
    this.#running = undefined;
    this.#owned.dispose();
  }

  async #start(): Promise<void> {
    const { run } = this.#target;
    if (run === undefined || this.#owned.isDisposed) return;
    this.#running?.ending.abort();
    const running: Running = { ending: new AbortController(), step: undefined };
    this.#running = running;
    this.#update();
    const outcome = await this.#outcomeOf(run, running);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#noResult = undefined;
    if (outcome.kind === 'failure') this.#noResult = { ...outcome, failedAt: this.#options.drawing().now };
    else if (outcome.kind === 'canceled') this.#noResult = outcome;
    else {
      this.#report = outcome.report;
      this.#checkedState = stateIn(this.#options.store.snapshot, this.#target.id);
      this.#isTargetChanged = false;
    }
    this.#update();
  }

  async #outcomeOf(run: RunCheck, running: Running): Promise<CheckOutcome | { readonly kind: 'canceled' }> {
    const { signal } = running.ending;
    try {
      return await run(signal, (step) => {
        running.step = step;
        this.#update();
      });
    } catch (error) {
      if (isAbortError(error)) return { kind: 'canceled' };
      noteFailure(this.#options.log, 'A check failed', error);
      return { kind: 'failure', sentence: describeError(error, { service: undefined }), actions: [], canRetry: true };
    }
  }

  #cancel(): void {
    this.#running?.ending.abort();
    this.#running = undefined;
    this.#noResult = { kind: 'canceled' };
    this.#update();
  }

  get #shown(): ShownCheck {
    const { store, drawing } = this.#options;
    const { kind, connection, id } = this.#target;
    const { snapshot } = store;
    const why = kind === 'stream' ? connectionProblem(snapshot, { connection }) : undefined;
    const known = {
      ...{ kind, name: this.#name, elsewhere: why },
      running: this.#running,
      noResult: this.#noResult,
      report: this.#report,
      isChanged: this.#isTargetChanged || isOtherState(this.#checkedState, stateIn(snapshot, id)),
      connection: kind === 'stream' && why === undefined ? connectionWords(snapshot) : [],
      abilities: snapshot.abilities,
    };
    return shownCheck(known, drawing());
  }

  #update(): void {
    if (this.#owned.isDisposed || !this.#page.isSeen) return;
    const shown = this.#shown;
    const text = JSON.stringify(shown);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send({ kind: 'show', shown });
  }

  #sendAgain(): void {
    this.#sent = '';
    this.#update();
  }

  async #do({ act, index = -1 }: FromCheck): Promise<void> {
    const { store, runCommand } = this.#options;
    const { kind, connection, id } = this.#target;
    if (kind === 'stream' && !isForOpenConnection(store.snapshot, connection, act)) return this.#update();
    if (isCheckCommand(act)) {
      if (!isAboutStream(act)) return runCommand(act);
      return kind === 'stream' ? runCommand(act, id) : undefined;
    }
    switch (act) {
      case 'run':
        return this.#target.run === undefined ? runCommand('checkStream', id) : this.#start();
      case 'cancel':
        return this.#cancel();
      case 'copyReport':
        return this.#copy(this.#report && reportText(this.#report, this.#options.drawing()), { act });
      case 'copyLine':
        return this.#copy(this.#report && lineOf(remedyOf(this.#report, index)), { act, index });
      case 'changeTarget':
        return this.#changeTarget(this.#report && remedyOf(this.#report, index));
      case 'runAction':
        return this.#runAction(this.#noResult?.kind === 'failure' ? this.#noResult.actions[index] : undefined);
      case 'openOwnConnection':
        return runCommand('switchConnection', { connectionId: connection });
      default:
        act satisfies never;
    }
  }

  async #copy(
    text: string | undefined,
    copied: { readonly act: 'copyReport' | 'copyLine'; readonly index?: number },
  ): Promise<void> {
    if (text === undefined) return;
    await this.#options.ui.copy(text);
    this.#send({ kind: 'copied', ...copied });
  }

  async #changeTarget(remedy: FindingRemedy | undefined): Promise<void> {
    if (remedy === undefined || !('target' in remedy)) return;
    const { connection, id } = this.#target;
    const isChanged = await this.#options.runFor(connection, 'addMultistreamTarget', [{ id, targetId: remedy.target }]);
    this.#isTargetChanged ||= isChanged === true;
    this.#update();
  }

  async #runAction(action: CheckAction | undefined): Promise<void> {
    const { runCommand, ui } = this.#options;
    if (action === undefined) return;
    if ('setting' in action) return ui.openSettings(action.setting);
    return runCommand(action.command, ...(action.args ?? []));
  }

  #send(message: ToCheck): void {
    this.#page.send(message);
  }
}
