/** Messages between host and the page of a delivery. Types only, so that neither side imports code of the other. */
import type { Tone } from '../messages.ts';

/** Commands that the page may run. The host has the same list and ignores anything else. */
export type DeliveryCommand =
  | 'resendDelivery'
  | 'replayDelivery'
  | 'openDelivery'
  | 'showStream'
  | 'editWebhook'
  | 'copyWebhookSecret'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo';

/** An act that runs a command: the one with its name, or one of those above with other arguments. */
export type DeliveryRun = DeliveryCommand | 'enterSecret' | 'replayElsewhere';

export type DeliveryAct = 'copyCurl' | 'copyBody' | 'copySignature' | 'reveal' | 'hide' | 'retry' | 'openOwnConnection';

export interface DeliveryButton {
  readonly label: string;
  /** For screen readers, if the label alone is ambiguous. */
  readonly hint?: string;
  /** Shown in place of the label. */
  readonly icon?: 'copy' | 'eye' | 'eyeClosed';
  readonly act: DeliveryRun | DeliveryAct;
  /** The ID of the delivery that `openDelivery` opens: one of the attempts. */
  readonly target?: string;
}

/** A string from the service or the handler. */
export interface ShownCode {
  readonly text: string;
  /** For example, that the text is cut off. */
  readonly note?: string | undefined;
  readonly buttons?: readonly DeliveryButton[];
}

export interface ShownAnswer {
  readonly heading: string;
  /** "500 Internal Server Error"; undefined if there was no response. */
  readonly line: string | undefined;
  readonly body: ShownCode | undefined;
  /** In place of the body. */
  readonly note: string | undefined;
}

export interface ShownRequest {
  readonly heading: string;
  /** "POST https://…" */
  readonly line: string;
  /** The heading of the collapsed headers; undefined if no headers were recorded. */
  readonly headersHeading: string | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: ShownCode | undefined;
  /** In place of the body. */
  readonly note: string | undefined;
}

export interface ShownSignature {
  readonly heading: string;
  /** undefined if it can't be checked. */
  readonly tone: Extract<Tone, 'good' | 'warning' | 'failed'> | undefined;
  readonly verdict: string;
  /** Without it, the buttons are links beside the verdict. */
  readonly value: string | undefined;
  readonly buttons: readonly DeliveryButton[];
}

export interface ShownAttempt {
  readonly tone: Extract<Tone, 'good' | 'failed'>;
  /** "Resent · Delivered · 200 · 1.2 s · Today 14:03" */
  readonly text: string;
  /** What the outcome of the newest attempt means, and what to do. */
  readonly meaning: string | undefined;
  readonly button: DeliveryButton | undefined;
}

export interface ShownNotice {
  readonly text: string;
  readonly isFailure: boolean;
  /** What can be done about a failure. */
  readonly buttons: readonly DeliveryButton[];
}

export interface ShownDelivery {
  readonly title: string;
  /** Shown in place of the delivery: that it's loading, or why it isn't there. A failure is shown in a banner. */
  readonly notice: ShownNotice | undefined;
  /** All known times that its event was sent, newest first. Only those other than the shown one have a button. */
  readonly attempts: readonly ShownAttempt[];
  /** The stream that it's about, its webhook, and how the delivery was made. */
  readonly links: readonly { readonly label: string; readonly button: DeliveryButton }[];
  readonly origin: string | undefined;
  /** The first is the most likely next action, unless `isDone`. They never change places under the pointer. */
  readonly buttons: readonly DeliveryButton[];
  readonly isDone: boolean;
  /** The response to the last replay comes before that to the delivery. */
  readonly answers: readonly ShownAnswer[];
  readonly request: ShownRequest | undefined;
  readonly signature: ShownSignature | undefined;
}

export type ToDelivery =
  | { readonly kind: 'show'; readonly shown: ShownDelivery }
  /** The button for this act has copied something. */
  | { readonly kind: 'copied'; readonly act: DeliveryAct };

export interface FromDelivery {
  readonly kind: 'press';
  readonly act: DeliveryRun | DeliveryAct;
  readonly target?: string | undefined;
}
