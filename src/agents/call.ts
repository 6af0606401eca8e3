import { describeError } from '../api/describeError.ts';
import { type ApiError, errorText, isAbortError, isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import type { FactsContext } from '../code/snippets/facts.ts';
import type { Account } from '../model/account/account.ts';
import type { PatternOptions, TestBroadcasts } from '../model/broadcasts/testBroadcasts.ts';
import { whenStarted } from '../model/connection/whenStarted.ts';
import type { ModelContext } from '../model/context.ts';
import type { CheckContext } from '../model/inspection/checkStream.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { LocalEvents } from '../model/webhooks/state.ts';
import type { Ui } from '../services.ts';
import { isRefusal } from '../texts/refusal.ts';
import { createDeadline } from '../util/deadline.ts';
import { type AgentAnswer, ToolProblem } from './answers.ts';

export interface ToolContext extends ModelContext, CheckContext, FactsContext {
  readonly ui: Ui;
  readonly eventListener: LocalEvents;
  readonly testBroadcasts: TestBroadcasts;
  /** Resolves when the server has accepted, or with false if the user cancels first. Throws a Refusal. */
  readonly broadcastTestPattern: (stream: Stream, options: PatternOptions) => Promise<boolean>;
}

/** A call on the connection that was open when it began. */
export interface ToolCall {
  readonly context: ToolContext;
  readonly account: Account;
  readonly info: ConnectionInfo;
  readonly signal: AbortSignal;
}

const READS_WITHIN_MS = 5000;

/** When to give up a read. */
export interface Limits {
  readonly signal: AbortSignal;
  /** Default: 5 seconds. */
  readonly withinMs?: number | undefined;
}

/** Waits for the connection of a window that has just opened. Throws a ToolProblem if there is none. */
export async function beginCall(context: ToolContext, signal: AbortSignal): Promise<ToolCall> {
  await whenStarted(context);
  signal.throwIfAborted();
  const { info, isOpen } = context.connection;
  if (info === undefined) {
    throw new ToolProblem('No connection is open in this window.', {
      next: 'The user can connect with the command "Live Streams: Connect to a Service", or try the demo with "Live Streams: Try the Demo".',
    });
  }
  if (!isOpen) throw new ToolProblem(`The API key of ${info.name} is missing.`, { next: SET_KEY });
  return { context, account: context.connection.account, info, signal };
}

/** Reads within a time that includes the wait for the connection. Rejects with an AbortError of the signal. */
export async function readInTime<T>(
  context: ToolContext,
  { signal, withinMs = READS_WITHIN_MS }: Limits,
  read: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const deadline = createDeadline(context.clock, withinMs, signal);
  try {
    return await read(await beginCall(context, deadline.signal));
  } catch (error) {
    if (!isAbortError(error) || signal.aborted) throw error;
    throw deadline.isOver
      ? new ToolProblem(`The service didn't respond within ${withinMs / 1000} seconds.`, { next: 'Try again later.' })
      : new ToolProblem('The user switched connections.', { next: 'Call the tool again.' });
  } finally {
    deadline.dispose();
  }
}

/** Returns what went wrong as an answer, without secrets. Throws an AbortError again. */
export function factsOfFailure({ connection, log }: ToolContext, error: unknown): AgentAnswer {
  if (error instanceof ToolProblem) return error.facts;
  if (isRefusal(error)) return { problem: error.sentence };
  if (isAbortError(error)) throw error;
  if (!isApiError(error)) log.error('A tool failed', error);
  else log.warn(`A tool failed: ${errorText(error)}`);
  return {
    problem: describeError(error, { service: connection.info?.name }),
    next: isApiError(error) ? nextStep(error) : undefined,
  };
}

const SET_KEY = 'The user can set it with the command "Live Streams: Set API Key".';

function nextStep({ reason, detail, isTransient }: ApiError): string | undefined {
  if (reason === 'unauthorized') return `The API key must be replaced. ${SET_KEY}`;
  if (reason === 'forbidden') {
    if (detail !== undefined) return 'If the reason is a permission, the user needs another API key.';
    return 'The user needs an API key that has this permission.';
  }
  return isTransient ? 'Try again later.' : undefined;
}
