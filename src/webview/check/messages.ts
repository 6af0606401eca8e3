/** Messages between host and check page. Types only, so that neither side imports code of the other. */
import type { Tone } from '../messages.ts';

/** Commands that the page may run. The host has the same list and ignores anything else. */
export type CheckCommand =
  | 'showStream'
  | 'resumeStream'
  | 'startTestBroadcast'
  | 'createSigningKey'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo';

/** `copyLine`, `changeTarget`, and `runAction` apply to one finding or action, by its index. */
export type CheckAct =
  | 'run'
  | 'cancel'
  | 'copyReport'
  | 'copyLine'
  | 'changeTarget'
  | 'runAction'
  | 'openOwnConnection';

export interface CheckButton {
  readonly label: string;
  /** For screen readers, if the label alone is ambiguous. */
  readonly hint?: string;
  readonly act: CheckCommand | CheckAct;
  /** Shown in place of the label. */
  readonly icon?: 'copy';
  readonly index?: number;
}

export interface ShownFinding {
  readonly tone: Extract<Tone, 'good' | 'warning' | 'failed'>;
  readonly label: string;
  readonly figure: string;
  readonly meaning?: string | undefined;
  readonly advice?: string | undefined;
  /** To be copied. */
  readonly line?: string | undefined;
  readonly button?: CheckButton | undefined;
}

export interface ShownGroup {
  readonly heading: string;
  readonly findings: readonly ShownFinding[];
}

/** Lengths are shares of the whole: 0 to 1. */
export interface ShownBar {
  readonly start: number;
  readonly width: number;
  readonly height: number;
  readonly state: 'listed' | 'loaded' | 'tooLong' | 'gap' | 'failed';
  readonly isAfterDiscontinuity: boolean;
  /** Shown on hover, for bars that need an explanation. */
  readonly words?: string | undefined;
}

export interface ShownTrack {
  readonly name: string;
  /** A description of the drawing in words. */
  readonly words: string;
  readonly bars: readonly ShownBar[];
  /** Height of the target duration. */
  readonly target: number | undefined;
}

export interface ShownTimeline {
  readonly heading: string;
  readonly tracks: readonly ShownTrack[];
  readonly first: string;
  readonly last: string;
  /** The signs in the drawing, in this order. */
  readonly legend: readonly { readonly sign: ShownBar['state'] | 'discontinuity' | 'target'; readonly label: string }[];
}

export interface ShownReport {
  /** "3 problems, 2 warnings, 17 passed" */
  readonly summary: string;
  readonly tone: Extract<Tone, 'good' | 'warning' | 'failed'>;
  readonly problems: ShownGroup | undefined;
  readonly warnings: ShownGroup | undefined;
  readonly timeline: ShownTimeline | undefined;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** The heading of the collapsed part, and its groups. */
  readonly passed: { readonly heading: string; readonly groups: readonly ShownGroup[] } | undefined;
}

export interface ShownNotice {
  readonly text: string;
  readonly isFailure: boolean;
  /** What helps; empty unless it's a failure. */
  readonly buttons: readonly CheckButton[];
}

export interface ShownCheck {
  readonly title: string;
  /** The current step; undefined if no check is running. */
  readonly progress: string | undefined;
  /** When the report was made, and for which URL; or when the check failed. */
  readonly about: readonly { readonly text: string; readonly isCode?: boolean }[];
  /** Why there's no result, or why the report is an older one. */
  readonly notice: ShownNotice | undefined;
  /** The first is the most likely next action, unless the notice has buttons. */
  readonly buttons: readonly CheckButton[];
  readonly report: ShownReport | undefined;
}

export type ToCheck =
  | { readonly kind: 'show'; readonly shown: ShownCheck }
  /** The button has copied something. */
  | { readonly kind: 'copied'; readonly act: 'copyReport' | 'copyLine'; readonly index?: number | undefined };

export interface FromCheck {
  readonly kind: 'press';
  readonly act: CheckCommand | CheckAct;
  readonly index?: number;
}
