import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError, isApiError } from '../api/errors.ts';
import type { Clock, Log, Ui } from '../services.ts';
import { isRefusal } from '../texts/refusal.ts';
import { isRecord } from '../util/isRecord.ts';

export interface WebviewPage {
  /** Whether its tab is in front. False once the tab is closed. */
  readonly isSeen: boolean;
  title: string;
  reveal(): void;
  /** Posts a message. A page that isn't ready yet is sent everything once it is. */
  send(message: object): void;
  dispose(): void;
}

export interface PageEvents<Said> {
  /** Returns the message if the page may send it; otherwise undefined. */
  readonly read: (said: unknown) => Said | undefined;
  /** A new page is ready and has to be sent all its content. */
  readonly onReady: () => void;
  readonly onSaid: (said: Said) => unknown;
  readonly onSeenOrHidden: () => void;
}

/** How long an older page may report before the newer one counts as lost. Doubled after each loss. */
const PATIENCE_MS = 2000;

export interface PageFailureContext {
  readonly ui: Pick<Ui, 'notify' | 'showLog'>;
  readonly log: Log;
}

interface PageReceiverOptions<Said> extends PageEvents<Said>, PageFailureContext {
  /** For the log. */
  readonly name: string;
  readonly clock: Clock;
  /** Makes a page with this number, in place of the current one. */
  readonly draw: (page: number) => void;
  /** Posts a `Ping` to the page. */
  readonly sendPing: () => void;
}

/**
 * Receives messages from the pages of a tab, of which only the last counts. VS Code can lose a page that replaces one
 * that is still loading: then the older page keeps reporting that it's ready.
 */
export class PageReceiver<Said> {
  readonly #options: PageReceiverOptions<Said>;
  #number = 0;
  #drawnAt = 0;
  #patienceMs = PATIENCE_MS;
  #isReady = false;
  readonly #pinging: (() => void)[] = [];

  constructor(options: PageReceiverOptions<Said>) {
    this.#options = options;
  }

  /** Whether the page takes messages. */
  get isReady(): boolean {
    return this.#isReady;
  }

  draw(): void {
    this.#drawnAt = this.#options.clock.elapsed();
    this.#number += 1;
    this.#isReady = false;
    this.#options.draw(this.#number);
  }

  /**
   * Resolves when the page has received all that was posted before; if it's loading, once it has loaded; if its tab is
   * closed, immediately.
   */
  ping(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pinging.push(resolve);
    if (this.#isReady) this.#options.sendPing();
    return promise;
  }

  dispose(): void {
    for (const resolve of this.#pinging.splice(0)) resolve();
  }

  async receive(message: unknown): Promise<void> {
    const { page, said } = isRecord(message) ? message : {};
    const kind = isRecord(said) ? said.kind : undefined;
    if (kind === 'ready') return this.#reportedReady(page);
    if (page !== this.#number) return;
    if (kind === 'pong') return this.#pinging.shift()?.();
    const { read, log, onSaid, name } = this.#options;
    const known = read(said);
    if (known === undefined) return log.warn(`Rejected an invalid message from the ${name} page`);
    try {
      await onSaid(known);
    } catch (error) {
      void reportPageFailure(this.#options, name, error);
    }
  }

  #reportedReady(page: unknown): void {
    const { clock, log, name, onReady, sendPing } = this.#options;
    if (page === this.#number) {
      this.#patienceMs = PATIENCE_MS;
      const pings = this.#isReady ? [] : this.#pinging;
      this.#isReady = true;
      onReady();
      for (const _ of pings) sendPing();
    } else if (clock.elapsed() - this.#drawnAt >= this.#patienceMs) {
      this.#patienceMs *= 2;
      log.info(`The ${name} page was lost and is being re-created`);
      this.draw();
    }
  }
}

/**
 * Reports the failure of a page's request in one message. Commands report their own errors, and cancellations are not
 * reported. Never rejects. Don't await it: the message may stay open for a long time.
 * @param name the page's name, for the log
 */
export async function reportPageFailure({ ui, log }: PageFailureContext, name: string, error: unknown): Promise<void> {
  if (isAbortError(error)) return;
  const showLog = t('Show Log');
  try {
    if (isRefusal(error)) return void (await ui.notify(error.severity, error.sentence));
    log.error(`The ${name} page couldn't handle a request`, error);
    const sentence = describeError(error, { service: undefined });
    if ((await ui.notify('error', sentence, showLog)) === showLog) ui.showLog();
  } catch (failure) {
    log.error("A failure couldn't be shown", failure);
  }
}

/** Logs a failure: one line for errors of the service or the network, the whole error if it's unexpected. */
export function noteFailure(log: Log, what: string, error: unknown): void {
  if (isApiError(error)) log.warn(`${what} (${error.reason}): ${error.message}`);
  else log.error(what, error);
}
