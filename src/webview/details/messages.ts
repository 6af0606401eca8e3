/** Messages between host and details page. Types only, so that neither side imports code of the other. */
import type { Tone } from '../messages.ts';
import type { FromPlayer, ToPlayer } from '../player/messages.ts';

/** Commands that the page may run on what it shows. The host has the same list and ignores anything else. */
export type PageCommand =
  | 'watchStream'
  | 'openPlayerPage'
  | 'openDashboard'
  | 'checkStream'
  | 'openJson'
  | 'copyStreamKey'
  | 'copyPlaybackId'
  | 'copyStreamId'
  | 'copyIngestServer'
  | 'copyIngestUrl'
  | 'copyPlaybackUrl'
  | 'copyPlaybackUrlWithToken'
  | 'copyPlayerUrl'
  | 'copySessionId'
  | 'copyRecordingUrl'
  | 'copyMp4Url'
  | 'openRecording'
  | 'openRecordingInBrowser'
  | 'downloadMp4'
  | 'showSession'
  | 'renameStream'
  | 'turnRecordingOn'
  | 'turnRecordingOff'
  | 'suspendStream'
  | 'resumeStream'
  | 'endBroadcast'
  | 'startTestBroadcast'
  | 'stopTestBroadcast'
  | 'deleteStream'
  | 'setPlaybackPolicy'
  | 'editTags'
  | 'editRenditions'
  | 'addMultistreamTarget'
  | 'turnOnMultistreamTarget'
  | 'turnOffMultistreamTarget'
  | 'removeMultistreamTarget'
  | 'createClip'
  | 'createStream'
  | 'openClip'
  | 'copyClipUrl'
  | 'downloadClip'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo';

export type PageAct =
  | 'reveal'
  | 'hide'
  | 'copySrt'
  | 'copyWhip'
  | 'copyProjectId'
  | 'copyOwnPlaybackId'
  | 'setAddress'
  | 'setOtherAddress'
  | 'retry'
  | 'loadMore'
  | 'showStream'
  | 'openOwnConnection';

export interface Button {
  readonly label: string;
  /** For screen readers, if the label alone is ambiguous. */
  readonly hint?: string;
  readonly act: PageCommand | PageAct;
  /** The ID of one of the sessions on a stream's page. */
  readonly session?: string;
  /** The ID of one of the multistream targets on a stream's page, or of the clips on a session's. */
  readonly target?: string;
  /** Shown in place of the label, beside a value and in a table. */
  readonly icon?: 'play' | 'download' | 'copy' | 'open' | 'eye' | 'eyeClosed' | 'edit' | 'remove';
}

/** Entries of the menu "More Actions"; a line separates the groups. */
export type Menu = readonly (readonly Button[])[];

/** A masked secret. Its value is sent in a separate message. */
export type SecretName = 'streamKey' | 'ingestUrl' | 'srt' | 'whip';

export type PageSecrets = { readonly [Name in SecretName]?: string | undefined };

export interface Fact {
  readonly label: string;
  /** Whether the label is the name of the thing that the value describes. */
  readonly isName?: boolean;
  readonly value: string;
  readonly isCode?: boolean;
  readonly secret?: SecretName;
  readonly tone?: Tone;
  /** What to do about the value. Shown below it. */
  readonly advice?: string | undefined;
  /** Shown below both. */
  readonly note?: string;
  /** What a click on the value does. */
  readonly link?: Button | undefined;
  readonly buttons?: readonly Button[] | undefined;
}

/** Facts, a table (its first row is the header), words in a row, or paragraphs, and a note below them. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly facts?: readonly Fact[];
  readonly rows?: readonly (readonly Cell[])[];
  /** The row that is marked; 0 is the one below the header. */
  readonly current?: number;
  readonly words?: readonly StateWord[];
  readonly texts?: readonly string[];
  readonly note?: string;
  /** Shown at its end. */
  readonly buttons?: readonly Button[];
  /** Whether the facts stand side by side. */
  readonly isWide?: boolean;
}

/** A part of the state line, or a cell. Those with a tone begin with its mark. */
export interface StateWord {
  readonly text: string;
  readonly tone?: Tone;
}

/** `below`: a line of its own below the text. */
export type Cell = string | (StateWord & { readonly below?: StateWord }) | readonly Button[];

export interface ShownSession {
  readonly id: string;
  readonly start: string;
  readonly duration: string;
  readonly isLive: boolean;
  readonly recording: string;
  /** The tone of `recording`. */
  readonly tone: Tone;
  /** Whether its recording, or the live broadcast, can be played. */
  readonly canPlay: boolean;
  readonly canDownload: boolean;
}

export interface ShownDay {
  /** Shown on hover: the day, and what was broadcast. */
  readonly words: string;
  /** From bottom to top. `share`: portion of the strip's height, 0 to 1. */
  readonly bars: readonly { readonly tone: Tone; readonly share: number }[];
  /** Index into `sessions` of the newest one of this day. */
  readonly session?: number | undefined;
}

/** A stream's sessions, newest first, and the strip of the last days above them. */
export interface ShownSessions {
  readonly sessions: readonly ShownSession[];
  readonly days: readonly ShownDay[];
  readonly firstDay: string;
  readonly lastDay: string;
  readonly legend: readonly { readonly tone: Tone; readonly label: string }[];
  readonly summary: string;
  readonly notes: readonly { readonly text: string; readonly button?: Button }[];
  readonly isLoading: boolean;
}

export interface ShownDetails {
  readonly kind: 'details';
  readonly title: string;
  readonly state: readonly StateWord[];
  /** Announced when it changes. Without times and numbers, which change constantly. */
  readonly announced: string;
  /** What the state means, and what can be done. */
  readonly meaning?: readonly string[];
  /** What the service reported before data stopped arriving. */
  readonly before?: string | undefined;
  /** Says that the data is old, and what helps. Shown below the buttons, which stay where they are. */
  readonly warning?: { readonly sentence: string; readonly buttons: readonly Button[] } | undefined;
  /** Whether a session has something to play, or may have. */
  readonly hasPlayer?: boolean;
  /** The broadcast's problems, and below them the service's remarks. */
  readonly problems?: readonly string[];
  readonly issues: readonly string[];
  /** The first is the most likely next action. */
  readonly buttons: readonly Button[];
  readonly menu: Menu;
  readonly sections: readonly Section[];
  readonly more: readonly Section[];
  /** Whether a picture of the broadcast may follow, in a separate message. */
  readonly hasPicture?: boolean;
  readonly sessions?: ShownSessions | undefined;
}

interface ShownNotice {
  readonly kind: 'notice';
  readonly title: string;
  readonly sentence: string;
  readonly buttons: readonly Button[];
  /** The sessions of a stream that is gone. */
  readonly sessions?: ShownSessions | undefined;
}

export type Shown = ShownDetails | ShownNotice;

export type ToDetails =
  | { readonly kind: 'show'; readonly shown: Shown }
  /** Shown in place of the dots and dropped at the next `hide`. */
  | { readonly kind: 'reveal'; readonly secrets: PageSecrets }
  | { readonly kind: 'hide' }
  /** The ID of a section on the page, or its marked row. */
  | { readonly kind: 'scrollTo'; readonly section: string }
  /** The button for this act has copied something. */
  | { readonly kind: 'copied'; readonly act: Button['act']; readonly target?: string | undefined }
  /** `picture`: a data: URL of an image; undefined if there is none. */
  | { readonly kind: 'picture'; readonly picture: string | undefined }
  | { readonly kind: 'player'; readonly message: ToPlayer };

export type FromDetails =
  /** `session`, `target`: the ID of one of those on the page. */
  | {
      readonly kind: 'press';
      readonly act: PageCommand | PageAct;
      readonly session?: string;
      readonly target?: string;
    }
  | { readonly kind: 'player'; readonly said: FromPlayer };
