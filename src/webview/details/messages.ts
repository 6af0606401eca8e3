/** What host and details page say to each other. Types alone: neither takes code from the other. */
import type { FromPlayer, ToPlayer } from '../player/messages.ts';

/** Commands that the page may have run, on what it shows. The host knows this list too, and obeys nothing else. */
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

/** What the page's own tab does, beside commands. */
export type PageAct = 'reveal' | 'hide' | 'copyWhip' | 'setAddress' | 'retry' | 'loadMore' | 'showStream';

/** A button. */
export interface Button {
  readonly label: string;
  /** Said by a screen reader, where the label alone does not tell. */
  readonly hint?: string;
  readonly act: PageCommand | PageAct;
}

/** What stands in place of a secret until it is revealed. The value itself is in a message of its own. */
export type SecretName = 'streamKey' | 'ingestUrl' | 'whip';

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Set in a type of even width: ids and addresses. */
  readonly isCode?: boolean;
  readonly secret?: SecretName;
  readonly tone?: 'good' | 'bad';
  readonly buttons?: readonly Button[];
}

/** One part of the page: facts, a table (its first row the head), or a text. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly facts?: readonly Fact[];
  readonly rows?: readonly (readonly string[])[];
  readonly texts?: readonly string[];
}

/** How a session is drawn; each has a fill of its own, so that colours are not needed to tell them apart. */
export type SessionLook = 'running' | 'ready' | 'processing' | 'lost' | 'recorded' | 'notRecorded';

export interface ShownSession {
  readonly id: string;
  /** Its start, in words. */
  readonly start: string;
  readonly duration: string;
  /** Its recording, in words. */
  readonly recording: string;
  readonly look: SessionLook;
  readonly canOpen: boolean;
  /** Seconds; undefined where the service did not say, or said what is none. */
  readonly source?: number;
  readonly transcoded?: number;
  readonly sourceText: string;
  readonly transcodedText: string;
}

export interface ShownBar {
  /** Which of the sessions. */
  readonly session: number;
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

/** The stream's sessions, newest first, and the pictures of them. */
export interface ShownSessions {
  readonly sessions: readonly ShownSession[];
  readonly days: readonly string[];
  readonly bars: readonly ShownBar[];
  /** The timeline in a sentence. */
  readonly timeline: string;
  /** Which of the sessions are compared, oldest first. */
  readonly compared: readonly number[];
  readonly comparison: string;
  /** What is not shown, or could not be loaded. */
  readonly notes: readonly { readonly text: string; readonly button?: Button }[];
  readonly isLoading: boolean;
}

export interface ShownDetails {
  readonly kind: 'details';
  readonly title: string;
  /** In words; the first is the state. */
  readonly state: readonly string[];
  readonly tone: 'live' | 'recording' | 'stale' | 'suspended' | 'plain';
  /** What is said above all else: that data is old, say. */
  readonly warning?: string;
  readonly buttons: readonly Button[];
  readonly sections: readonly Section[];
  readonly sessions?: ShownSessions;
}

/** In place of the details: why there are none. */
export interface ShownNotice {
  readonly kind: 'notice';
  readonly title: string;
  readonly sentence: string;
  readonly buttons: readonly Button[];
}

export type Shown = ShownDetails | ShownNotice;

export type ToDetails =
  | { readonly kind: 'show'; readonly shown: Shown }
  /** To be put where the dots are, and forgotten with the next `hide`. */
  | { readonly kind: 'reveal'; readonly secrets: Readonly<Partial<Record<SecretName, string>>> }
  | { readonly kind: 'hide' }
  /** For the player on a session's page. */
  | { readonly kind: 'player'; readonly message: ToPlayer };

export type FromDetails =
  /** A button was pressed; `session` says which one of a stream's page. */
  | { readonly kind: 'press'; readonly act: PageCommand | PageAct; readonly session?: string }
  | { readonly kind: 'player'; readonly said: FromPlayer };
