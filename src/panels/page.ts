import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError, isApiError } from '../api/errors.ts';
import type { Clock, Log, Ui } from '../services.ts';
import { isRefusal } from '../texts/refusal.ts';

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

/**
 * Tracks which of a tab's pages is the current one. VS Code can lose a page that replaces one that is still loading:
 * then the older page goes on reporting that it is ready.
 */
export class PageGenerations {
  readonly #clock: Clock;
  #number = 0;
  #drawnAt = 0;
  #patienceMs = PATIENCE_MS;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get number(): number {
    return this.#number;
  }

  draw(): number {
    this.#drawnAt = this.#clock.elapsed();
    this.#number += 1;
    return this.#number;
  }

  /** Classifies a page that reports that it is ready, by its number. If 'lost', the page has to be created again. */
  classifyReady(page: unknown): 'current' | 'older' | 'lost' {
    if (page === this.#number) {
      this.#patienceMs = PATIENCE_MS;
      return 'current';
    }
    if (this.#clock.elapsed() - this.#drawnAt < this.#patienceMs) return 'older';
    this.#patienceMs *= 2;
    return 'lost';
  }
}

/**
 * Reports the failure of a page's request in one message. Commands report their own errors, and cancellations are not
 * reported. Never rejects. Do not await it: the message may stay open for long.
 * @param name the page's name, for the log
 */
export async function reportPageFailure({ ui, log }: PageFailureContext, name: string, error: unknown): Promise<void> {
  if (isAbortError(error)) return;
  const showLog = t('Show Log');
  try {
    if (isRefusal(error)) return void (await ui.notify(error.severity, error.sentence));
    log.error(`The ${name} page could not handle a request`, error);
    const sentence = describeError(error, { service: undefined });
    if ((await ui.notify('error', sentence, showLog)) === showLog) ui.showLog();
  } catch (failure) {
    log.error('A failure could not be shown', failure);
  }
}

/** Logs a failure: one line for errors of the service or the network, the whole error if it is unexpected. */
export function noteFailure(log: Log, what: string, error: unknown): void {
  if (isApiError(error)) log.warn(`${what} (${error.reason}): ${error.message}`);
  else log.error(what, error);
}
