import type { Severity } from '../services.ts';
import { hasTag } from '../util/hasTag.ts';
import type { MessageAction } from './context.ts';

interface RefusalOptions {
  readonly severity?: Severity;
  readonly actions?: readonly MessageAction[];
  /** Whether the command can be tried again as it was run. */
  readonly canRetry?: boolean;
  readonly isOfConnection?: boolean;
}

/** Thrown if a command can't do what was requested, for a known reason. The boundary shows the sentence. */
export class Refusal extends Error {
  readonly tag = 'Refusal';
  /** Shown to the user; contains no secret. */
  readonly sentence: string;
  readonly severity: Severity;
  readonly actions: readonly MessageAction[];
  readonly canRetry: boolean;
  /** Whether it concerns one connection. If there are several, its name is then shown too. */
  readonly isOfConnection: boolean;

  constructor(sentence: string, options: RefusalOptions = {}) {
    super('A command was refused');
    this.name = 'Refusal';
    this.sentence = sentence;
    this.severity = options.severity ?? 'warning';
    this.actions = options.actions ?? [];
    this.canRetry = options.canRetry ?? false;
    this.isOfConnection = options.isOfConnection ?? false;
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return hasTag<Refusal>(error, 'Refusal');
}
