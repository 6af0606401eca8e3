import type { Severity } from '../services.ts';
import type { CommandContext } from './context.ts';

/** A connection that may not be open, or may have been removed. */
export interface NamedConnection {
  readonly id: string;
  readonly name: string;
}

export interface Action {
  readonly label: string;
  readonly run: (context: CommandContext) => unknown;
  /** Whether it may run with any connection open. Default: only with the one that was open when its command began. */
  readonly isForAny?: boolean;
  /** The connection `run` is for, if it isn't the one that was open when its command began. */
  readonly connection?: NamedConnection;
  /** Runs first; `run` follows only if this succeeds. */
  readonly before?: (context: CommandContext) => unknown;
}

export interface RefusalOptions {
  readonly severity?: Severity;
  readonly actions?: readonly Action[];
  readonly isOfConnection?: boolean;
}

/** Thrown if a command can't do what was requested, for a known reason. The boundary shows the sentence. */
export class Refusal extends Error {
  readonly tag = 'Refusal';
  /** Shown to the user; contains no secret. */
  readonly sentence: string;
  readonly severity: Severity;
  readonly actions: readonly Action[];
  /** Whether it concerns one connection. If there are several, its name is then shown too. */
  readonly isOfConnection: boolean;

  constructor(sentence: string, options: RefusalOptions = {}) {
    super('A command was refused');
    this.name = 'Refusal';
    this.sentence = sentence;
    this.severity = options.severity ?? 'warning';
    this.actions = options.actions ?? [];
    this.isOfConnection = options.isOfConnection ?? false;
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'tag' in error && error.tag === 'Refusal';
}
