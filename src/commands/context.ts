import type { Clip } from '../api/clips.ts';
import type { Named, Session, Stream } from '../api/types.ts';
import type { DeliveryDetails } from '../api/webhooks.ts';
import type { EnvVariable } from '../code/envFile.ts';
import type { AddedVariables } from '../code/envMove.ts';
import type { IndexedStream } from '../code/keyIndex.ts';
import type { TextChange } from '../code/snippets/changes.ts';
import type { OpenText } from '../code/snippets/insertion.ts';
import type { PlaybackAccess } from '../model/access/playbackAccess.ts';
import type { TestBroadcasts } from '../model/broadcasts/testBroadcasts.ts';
import type { Connections, DemoAccess, ServiceAccess } from '../model/connection/connections.ts';
import type { ConnectionObjects, ModelContext } from '../model/context.ts';
import type { Downloader } from '../model/downloads/download.ts';
import type { KeptDelivery, KeptPlayerTarget } from '../model/pages/panelState.ts';
import type { ViewNode } from '../model/rows/nodes.ts';
import type { WalkthroughStep } from '../model/walkthroughSteps.ts';
import type { LocalEvents } from '../model/webhooks/state.ts';
import type { WebhookSecrets } from '../model/webhooks/webhookSecrets.ts';
import type { Webhooks } from '../model/webhooks/webhooks.ts';
import type { Downloads, Memento, Severity, Transport, Ui } from '../services.ts';
import type { CommandCall } from '../texts/actions.ts';
import type { CheckTabs } from '../texts/checkOutcome.ts';
import type { BoxAnswers } from './boxAnswers.ts';
import type { CommandId } from './table.ts';

/** Starts and stops the embedded service. Starting it again only shows it. */
export interface DemoSwitch {
  /** The name of its connection. */
  readonly name: string;
  readonly running: DemoAccess | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Player tabs, one per stream, per session, and per clip. Opening one again shows the existing tab. `connection` is the
 * ID of the subject's connection; by default, the active one's.
 */
export interface PlayerTabs {
  /** @param isForClip opens the bar for clips, too */
  openStream(stream: Stream, connection?: string, isForClip?: boolean): Promise<void>;
  /** @param isForClip opens the bar for clips, too */
  openRecording(session: Session, connection?: string, isForClip?: boolean): Promise<void>;
  openClip(clip: Clip, connection?: string): Promise<void>;
}

export interface DetailsTabs {
  openStream(stream: Stream, connection?: string): Promise<void>;
  /** @param clipId scrolls to the row of this clip and marks it */
  openSession(session: Session, connection?: string, clipId?: string): Promise<void>;
}

/** Tabs for webhook deliveries, one per delivery. Opening one again shows the existing tab. */
export interface DeliveryTabs {
  openDelivery(delivery: DeliveryDetails): Promise<void>;
}

/** The subject of a page. */
export interface FoundPage extends KeptPlayerTarget {
  /** Whether it's a player in a tab of its own. */
  readonly isPlayer?: boolean;
  /** Undefined until the page has read it or received it. */
  readonly session?: Session | undefined;
  readonly clip?: Clip | undefined;
  /** When the moment that's playing was broadcast, as Unix time in milliseconds. */
  readonly watchedAt?: number | undefined;
}

export interface EditorTabs {
  readonly player: PlayerTabs;
  readonly details: DetailsTabs;
  readonly checks: CheckTabs;
  readonly deliveries: DeliveryTabs;
  /**
   * Returns the open page of a stream, session, or clip. Without one, the page in the active tab, if it's such a page.
   */
  readonly findPage: (of?: KeptPlayerTarget) => FoundPage | undefined;
  /** Returns the delivery in the active tab. */
  readonly findDelivery: () => KeptDelivery | undefined;
}

export interface FoundLeaks {
  readonly files: number;
  readonly leaks: number;
  /** Files that were not read because of their size. */
  readonly tooLarge: number;
}

/** A folder whose .env file variables can be saved to. */
export interface EnvPlace {
  /** The name of the open folder that it belongs to. */
  readonly folder: string;
  /** Saves all of them or none, once Git ignores the file. Throws an EnvMoveError. */
  save(variables: readonly EnvVariable[]): Promise<SavedVariables>;
}

export interface SavedVariables extends AddedVariables {
  readonly shownPath: string;
  /** Opens the file in an editor. */
  open(): Promise<void>;
}

/** Looks for keys in the open folders and marks them as problems. Knows the streams that have them. */
export interface LeakSearch {
  /** Returns the stream that has an ID or a playback ID. Reads all streams once to find out. Doesn't throw. */
  findStream(text: string): Promise<IndexedStream | undefined>;
  hasFolder(): boolean;
  /** Throws ApiError if the stream keys can't be read, and an AbortError of the signal. */
  findInFolders(report: (done: number, total: number) => void, signal: AbortSignal): Promise<FoundLeaks>;
  showMarks(): Promise<void>;
  /** Returns the place for the file that is being edited; without one, those of all open folders. */
  envPlaces(): readonly EnvPlace[];
}

/** A text editor, or the selected cell of a notebook. */
export interface CodeEditor {
  read(): OpenText;
  /**
   * Returns the text of the nearest file with this name: in the file's folder, or in one above it in the workspace.
   */
  readNearest(name: string): Promise<string | undefined>;
  /** Makes the changes as one undo step. Returns false if the text can't be edited. */
  apply(changes: readonly TextChange[]): Promise<boolean>;
  /** Shows code in its language and in its place until the preview is closed. Keeps focus. */
  openPreview(): CodePreview;
}

export interface CodePreview {
  show(code: string): void;
  /** Shows the editor again. Doesn't throw. */
  close(): Promise<void>;
}

/** A way to continue with what the user typed: a row of a picker, or a button of a message. */
export interface RecoveryAction<Context> {
  readonly label: string;
  readonly run: (context: Context) => Promise<void>;
}

/** The parts of a context for webhooks. */
export type WebhookParts = Pick<
  CommandContext,
  'webhooks' | 'eventListener' | 'webhookSecrets' | 'revealWebhook' | 'isWebhooksViewVisible'
>;

/**
 * Everything that handlers may use. They and the functions of `commands` take all of it, because tests create all of
 * it.
 */
export interface CommandContext extends ModelContext, EditorTabs {
  readonly ui: Ui;
  /** The active connection, and those that are shown beside it. */
  readonly shownModels: () => readonly ConnectionObjects[];
  /**
   * Runs the command again in the context of another connection that is shown, on one of its streams or sessions if
   * given. Reports its failures. Undefined if the command is for this connection alone.
   */
  readonly runBeside?: ((connection: Named, id?: string) => Promise<unknown>) | undefined;
  /** Hides the row of a connection that was removed while it was shown; without an ID, those of all. */
  readonly dismissRemoved: (connectionId?: string) => void;
  readonly workspace: Memento;
  readonly connections: Connections;
  readonly demo: DemoSwitch;
  readonly webhooks: Omit<Webhooks, 'dispose' | 'setShown' | 'closeDeliveries'>;
  /** Returns the selected rows of the views of streams and recordings that are visible. */
  readonly selectedRows: () => readonly ViewNode[];
  /** Selects the row of a webhook, if the view is visible. */
  readonly revealWebhook: (webhookId: string) => Promise<void>;
  readonly isWebhooksViewVisible: () => boolean;
  readonly eventListener: LocalEvents;
  readonly webhookSecrets: Pick<WebhookSecrets, 'of' | 'set' | 'delete' | 'deleteAll'>;
  /** undefined if its code can't be loaded, which is already reported. */
  readonly access: () => Promise<PlaybackAccess | undefined>;
  readonly downloader: Downloader;
  readonly testBroadcasts: TestBroadcasts;
  /** Sends requests that carry no key, such as for a playlist. */
  readonly transport: Transport & Downloads;
  /** The editor that was used last; undefined if there is none. */
  readonly editor: () => CodeEditor | undefined;
  /** undefined if its code can't be loaded, which is already reported. */
  readonly leakSearch: () => Promise<LeakSearch | undefined>;
  /** Runs another command, which reports its own failures. Never rejects. */
  readonly runCommand: (id: CommandId, ...args: readonly unknown[]) => Promise<unknown>;
  /** Shows a message and runs the action that the user chooses, which reports its own failures. Never throws. */
  readonly showMessage: (message: Message) => void;
  /** The machine that files are saved on, in words; undefined if there is only one. */
  readonly machine: () => string | undefined;
  /** Whether the user has typed in a text editor since the command began or its last box closed. */
  readonly isUserTyping: () => Promise<boolean>;
  readonly noteStep: (step: WalkthroughStep) => void;
  /** The URI scheme that opens this editor, such as `vscode`. */
  readonly linkScheme: string;
  /** Tries a connection before it's stored or opened. Throws ApiError if the view couldn't be loaded with it. */
  readonly checkService: (access: ServiceAccess, signal: AbortSignal) => Promise<void>;
  /** Looks for a service at a base URL without sending a key. Throws ApiError. */
  readonly findService: (baseUrl: string, signal: AbortSignal) => Promise<void>;
  /** Returns the service's name for the account of a key; undefined if it doesn't report one. */
  readonly readAccountName: (access: ServiceAccess, signal: AbortSignal) => Promise<string | undefined>;
}

export type CommandHandler = (context: CommandContext, ...args: readonly unknown[]) => Promise<unknown> | unknown;

export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/** An action: runs a command, opens a setting, or continues something that no command's arguments can express. */
export type CommandAction =
  | CommandCall
  | { readonly setting: string }
  | { readonly run: (context: CommandContext) => Promise<unknown> | unknown };

/**
 * `connection` limits an act to one connection. Without it, only a command that needs an open one is limited: to the
 * one that its message is about.
 */
export type BoundAction = CommandAction & {
  readonly connection?: Named | undefined;
  /** The answers to continue with. */
  readonly answers?: BoxAnswers;
};

export type MessageAction = BoundAction & {
  readonly label: string;
  /** Runs first; the action follows only if this succeeds. */
  readonly before?: CommandCall | undefined;
};

export interface Message {
  readonly severity: Severity;
  readonly sentence: string;
  readonly actions: readonly MessageAction[];
}
