import type { InspectionStep } from '../model/inspection/inspectHls.ts';
import type { CheckReport } from '../model/inspection/report.ts';
import type { CommandCall } from './actions.ts';

/** A button of a page. */
export type CheckAction = { readonly label: string } & (CommandCall | { readonly setting: string });

/** A check's findings, or why it couldn't be made and what can be done. */
export type CheckOutcome =
  | { readonly kind: 'report'; readonly report: CheckReport }
  | {
      readonly kind: 'failure';
      readonly sentence: string;
      readonly actions: readonly CheckAction[];
      /** Whether checking again may help. */
      readonly canRetry: boolean;
    };

/** Rejects with AbortErrors only: of the signal, or of a connection that was closed. */
export type RunCheck = (signal: AbortSignal, onStep: (step: InspectionStep) => void) => Promise<CheckOutcome>;

/** A check of a stream of a connection, or of playback anywhere. */
export interface RequestedCheck {
  readonly kind: 'stream' | 'playback';
  /** '' for playback, which needs no connection. */
  readonly connection: string;
  /** The ID of the stream, or the URL without its query. */
  readonly id: string;
  /** The stream's name, or the host. */
  readonly name: string;
  readonly run: RunCheck;
}

/** Check pages, one per stream and per URL. Opening one again shows the existing tab and runs the check again. */
export interface CheckTabs {
  open(check: RequestedCheck): Promise<void>;
}
