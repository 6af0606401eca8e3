/** Messages between host and details page. Types only, so that neither side imports code of the other. */
import type { FromPlayer, ToPlayer } from '../player/messages.ts';

/** Commands that the page may run on what it shows. The host has the same list and ignores anything else. */
export type PageCommand =
  | 'watchStream'
  | 'openPlayerPage'
  | 'openDashboard'
  | 'openStreamJson'
  | 'openSessionJson'
  | 'copyStreamKey'
  | 'copyPlaybackId'
  | 'copyStreamId'
  | 'copyIngestServer'
  | 'copyIngestUrl'
  | 'copyPlaybackUrl'
  | 'copyPlayerUrl'
  | 'copySessionId'
  | 'copyRecordingUrl'
  | 'copyMp4Url'
  | 'openRecording'
  | 'openRecordingInBrowser'
  | 'downloadMp4'
  | 'showAllSessions'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo';

export type PageAct = 'reveal' | 'hide' | 'copyWhip' | 'setAddress' | 'retry' | 'loadMore' | 'showStream';

export interface Button {
  readonly label: string;
  /** For screen readers, if the label alone is ambiguous. */
  readonly hint?: string;
  readonly act: PageCommand | PageAct;
}

/** A masked secret. Its value is sent in a message of its own. */
export type SecretName = 'streamKey' | 'ingestUrl' | 'whip';

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly isCode?: boolean;
  readonly secret?: SecretName;
  readonly tone?: 'good' | 'bad';
  readonly buttons?: readonly Button[];
}

/** Facts, a table (its first row is the header) or texts. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly facts?: readonly Fact[];
  readonly rows?: readonly (readonly string[])[];
  readonly texts?: readonly string[];
}

/** How a session is drawn. Each has a fill of its own, so that colors are not needed to tell them apart. */
export type SessionLook = 'running' | 'ready' | 'processing' | 'lost' | 'recorded' | 'notRecorded';

export interface ShownSession {
  readonly id: string;
  readonly start: string;
  readonly duration: string;
  readonly recording: string;
  readonly look: SessionLook;
  readonly canOpen: boolean;
  /** In seconds; undefined if the service has no valid value. */
  readonly source?: number;
  readonly transcoded?: number;
  readonly sourceText: string;
  readonly transcodedText: string;
}

/** The part of a session within one day, in local time. */
export interface ShownBar {
  /** Index into `sessions`. */
  readonly session: number;
  /** 0 for the first day of the timeline. */
  readonly day: number;
  /** Seconds since midnight, 0 to 86,400; never after `to`. */
  readonly from: number;
  readonly to: number;
}

/** A stream's sessions, newest first, and the data of their plots. */
export interface ShownSessions {
  readonly sessions: readonly ShownSession[];
  readonly days: readonly string[];
  readonly bars: readonly ShownBar[];
  readonly timeline: string;
  /** Indexes into `sessions`, oldest first. */
  readonly compared: readonly number[];
  readonly comparison: string;
  readonly notes: readonly { readonly text: string; readonly button?: Button }[];
  readonly isLoading: boolean;
}

export interface ShownDetails {
  readonly kind: 'details';
  readonly title: string;
  /** Words about the state; the first is the state itself. */
  readonly state: readonly string[];
  readonly tone: 'live' | 'recording' | 'stale' | 'suspended' | 'plain';
  /** Shown above everything else, for example that the data is old. */
  readonly warning?: string;
  readonly buttons: readonly Button[];
  readonly sections: readonly Section[];
  readonly sessions?: ShownSessions;
}

interface ShownNotice {
  readonly kind: 'notice';
  readonly title: string;
  readonly sentence: string;
  readonly buttons: readonly Button[];
}

export type Shown = ShownDetails | ShownNotice;

export type ToDetails =
  | { readonly kind: 'show'; readonly shown: Shown }
  /** Shown in place of the dots, and dropped at the next `hide`. */
  | { readonly kind: 'reveal'; readonly secrets: Readonly<Partial<Record<SecretName, string>>> }
  | { readonly kind: 'hide' }
  | { readonly kind: 'player'; readonly message: ToPlayer };

export type FromDetails =
  /** `session`: the id of the session on a stream's page. */
  | { readonly kind: 'press'; readonly act: PageCommand | PageAct; readonly session?: string }
  | { readonly kind: 'player'; readonly said: FromPlayer };
