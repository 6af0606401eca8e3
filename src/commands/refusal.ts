import type { Severity } from '../services.ts';
import type { CommandContext } from './context.ts';

/** What is known of a connection that may not be open, or not be there any more. */
export interface NamedConnection {
  readonly id: string;
  readonly name: string;
}

/** A button of a message. */
export interface Action {
  readonly label: string;
  readonly run: (context: CommandContext) => unknown;
  /** Whatever connection is open when it is pressed. Else it is for the one that was open when its command began. */
  readonly isForAny?: boolean;
  /** The connection that `run` is for, where it is another than the one that was open when its command began. */
  readonly connection?: NamedConnection;
  /** Runs first; `run` follows once this has succeeded. */
  readonly before?: (context: CommandContext) => unknown;
}

export interface RefusalOptions {
  readonly severity?: Severity;
  readonly actions?: readonly Action[];
  readonly isOfConnection?: boolean;
}

/** A command cannot do what was asked, for a reason it can say. The boundary shows the sentence. Told apart by its tag. */
export class Refusal extends Error {
  readonly tag = 'Refusal';
  /** For people; holds no secret. */
  readonly sentence: string;
  readonly severity: Severity;
  readonly actions: readonly Action[];
  /** It is about what one connection's service did: its name is said too where there are several. */
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
