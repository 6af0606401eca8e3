import type { Severity } from '../services.ts';
import type { CommandContext } from './context.ts';

/** A button of a message. */
export interface Action {
  readonly label: string;
  readonly run: (context: CommandContext) => unknown;
}

/** A command cannot do what was asked, for a reason it can say. The boundary shows the sentence. Told apart by its tag. */
export class Refusal extends Error {
  readonly tag = 'Refusal';
  /** For people; holds no secret. */
  readonly sentence: string;
  readonly severity: Severity;
  readonly actions: readonly Action[];

  constructor(sentence: string, options: { readonly severity?: Severity; readonly actions?: readonly Action[] } = {}) {
    super('A command was refused');
    this.name = 'Refusal';
    this.sentence = sentence;
    this.severity = options.severity ?? 'warning';
    this.actions = options.actions ?? [];
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'tag' in error && error.tag === 'Refusal';
}
