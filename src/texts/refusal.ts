import type { Severity } from '../services.ts';
import { hasTag } from '../util/hasTag.ts';
import type { OfferedAction } from './actions.ts';

interface RefusalOptions<Action> {
  readonly severity?: Severity;
  readonly actions?: readonly Action[];
  /** Whether the command can be run again unchanged. */
  readonly canRetry?: boolean;
  /** Whether the input can be sent again, unchanged or edited. */
  readonly canEdit?: boolean;
  readonly isOfConnection?: boolean;
}

/**
 * Thrown if a request isn't possible, for a known reason. Commands may offer more than `OfferedAction`, which only
 * their boundary shows.
 */
export class Refusal<Action = OfferedAction> extends Error {
  readonly tag = 'Refusal';
  /** Shown to the user; contains no secret. */
  readonly sentence: string;
  readonly severity: Severity;
  readonly actions: readonly Action[];
  readonly canRetry: boolean;
  readonly canEdit: boolean | undefined;
  /** Whether it concerns one connection. If there are several, its name is then shown too. */
  readonly isOfConnection: boolean;

  constructor(sentence: string, options: RefusalOptions<Action> = {}) {
    super('A command was refused');
    this.name = 'Refusal';
    this.sentence = sentence;
    this.severity = options.severity ?? 'warning';
    this.actions = options.actions ?? [];
    this.canRetry = options.canRetry ?? false;
    this.canEdit = options.canEdit;
    this.isOfConnection = options.isOfConnection ?? false;
  }
}

export function isRefusal<Action = OfferedAction>(error: unknown): error is Refusal<Action> {
  return hasTag<Refusal<Action>>(error, 'Refusal');
}
