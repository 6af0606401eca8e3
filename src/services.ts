/** The interfaces between layers. Implemented in `host/` (Transport in `api/`) and faked in tests. Types only. */
import type { Disposable } from './util/disposable.ts';
import type { Event } from './util/events.ts';

export interface Clock {
  /** Wall clock, Unix time in milliseconds: for display and comparison with service times. May jump, also backward. */
  now(): number;
  /** Monotonic clock in milliseconds from an arbitrary start: for scheduling. */
  elapsed(): number;
  setTimeout(run: () => void, ms: number): Disposable;
}

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Storage of the editor, for all windows (globalState) or a workspace. Setting undefined removes the key. */
export interface Memento {
  get(key: string): unknown;
  keys(): readonly string[];
  set(key: string, value: unknown): Promise<void>;
}

export interface Secrets {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Fires with the changed key, in this window or another. */
  readonly onDidChange: Event<string>;
}

export type NotificationKind = 'streamStarted' | 'streamEnded' | 'recordingReady';

export type AgentAccess = 'off' | 'read' | 'readAndChange';

/** URL templates by purpose (src/api/README.md, Addresses). */
export interface AddressTemplates {
  readonly rtmp?: string;
  readonly srt?: string;
  readonly whip?: string;
  readonly hls?: string;
  readonly player?: string;
  readonly recordingPlayer?: string;
  readonly dashboard?: string;
  readonly keys?: string;
}

export type WrittenAddresses = { readonly [Purpose in keyof AddressTemplates]?: string | undefined };

export interface Presence {
  isViewVisible(): boolean;
  isFocused(): boolean;
  readonly onDidChange: Event<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /**
   * The maximum number of decoded bytes; more is `invalidResponse` (tooLarge). Default: 64 MiB. Errors are cut at 64
   * KiB.
   */
  readonly maxBytes?: number | undefined;
  /** Whether a success is parsed as JSON. Bodies with too many objects and values are tooLarge, too. */
  readonly isJson?: boolean;
  /** The longest wait before a retry, in milliseconds, regardless of Retry-After. Default: the rest of the deadline. */
  readonly longestWait?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `headers` have lower-case names and join repeated ones with ', '; `body` is decompressed. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/**
 * Sends one request to an absolute http or https URL within one deadline (the network.timeout setting). Retries only
 * GET. Returns redirects without following them. Throws ApiError (network, timeout, invalidResponse: tooLarge) or an
 * AbortError of the request's signal; resolves for any status.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>;
}

export type DownloadRequest = Pick<HttpRequest, 'url' | 'headers' | 'signal'>;

/**
 * A response that has to be disposed, read or not, to close the connection. Has no content-length if the body had to be
 * decompressed. The body can be read once, with backpressure; it throws ApiError (network, timeout) or an AbortError of
 * the request's signal.
 */
export interface DownloadResponse extends ResponseHead, Disposable {
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Streams one response. Makes a single attempt without a limit on time or size, but times out after 30 s without a
 * byte. Returns redirects without following them. Uses the same network path as Transport and throws the same errors.
 */
export interface Downloads {
  download(request: DownloadRequest): Promise<DownloadResponse>;
}

/** A server's facts about a file, by which the same file is recognized. Contains no URL. */
export interface FileIdentity {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly total: number | undefined;
}

/** A partial file beside its target, renamed when complete. Rejects with system errors (`code`). */
export interface PartFile {
  /** The bytes of an interrupted download of the same video to the same target: the next one is `received`. */
  readonly kept: { readonly received: number; readonly identity: FileIdentity } | undefined;
  /** Notes which file the bytes are from, so that another window can continue with them. Never rejects. */
  identify(identity: FileIdentity): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  clear(): Promise<void>;
  /** Renames it to the target. Unless `mayReplace`, rejects with EEXIST if the target exists by now. */
  finish(mayReplace: boolean): Promise<void>;
  /** Keeps it for the next download of the same file, or discards it if that couldn't continue it. Never rejects. */
  leave(): Promise<void>;
  discard(): Promise<void>;
}

/** The facts stored about a download in case its process ends. Holds no URL and no API key. */
export interface DownloadNote {
  readonly connection: { readonly id: string; readonly name: string };
  readonly sessionId: string;
  readonly streamId?: string | undefined;
  /** Set if it's a clip of the session. */
  readonly clipId?: string | undefined;
}

/** A download whose process ended. */
export interface LeftDownload {
  readonly target: string;
  readonly note: DownloadNote;
}

/** On the machine that the extension runs on. `freeBytes` are those beside a path; undefined if unknown. */
export interface DownloadFiles {
  exists(path: string): Promise<boolean>;
  freeBytes(path: string): Promise<number | undefined>;
  startPart(target: string, note: DownloadNote): Promise<PartFile>;
}

/** A button at the end of a row. Closes the picker with its value. */
interface PickButton<T> {
  readonly icon: string;
  readonly tooltip: string;
  readonly value: T;
}

/** The place of a box in a series of them; `current` starts at 1. */
export interface Step {
  readonly current: number;
  readonly total: number;
}

export type PickItem<T> = PickRow<T> | PickSeparator;

type RowOnly = Exclude<keyof PickRow<unknown>, 'isSeparator' | 'label'>;

/** A line above rows, with a label that may be empty. */
export interface PickSeparator extends Readonly<Partial<Record<RowOnly, undefined>>> {
  readonly isSeparator: true;
  readonly label: string;
}

export interface PickRow<T> {
  readonly isSeparator?: undefined;
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string;
  /** A codicon's name, without $(). */
  readonly icon?: string;
  readonly value: T;
  /** Whether it stays when it doesn't match the typed text. */
  readonly isAlwaysShown?: boolean;
  /** Whether it only says something: choosing it does nothing. */
  readonly isSentence?: boolean;
  readonly buttons?: readonly PickButton<T>[];
}

/** A picker that loads its items. `onDidType` is debounced; `signal` aborts when the picker closes. */
export interface PickSession<T> {
  show(items: readonly PickItem<T>[], isBusy: boolean): void;
  /** Returns the typed text, as of when the picker closed if it has: `onDidType` may not have fired yet. */
  text(): string;
  readonly onDidType: Event<string>;
  readonly signal: AbortSignal;
}

export interface PickOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly PickItem<T>[] | ((session: PickSession<T>) => void);
  /** Whether the user's choice is reused after a failure, although the picker loads its items. */
  readonly isKept?: boolean;
  readonly matchOnDescription?: boolean;
  /** The value of the row that is highlighted at first. By default, that's the first one. */
  readonly highlighted?: T | undefined;
  /** Whether it lists items of several connections. The titles of other pickers name theirs while several are shown. */
  readonly isOfAllConnections?: boolean;
  /** Runs with the value of the row that the user moves to; undefined if no row matches the typed text. */
  readonly onDidHighlight?: (value: T | undefined) => void;
  readonly step?: Step | undefined;
  /** Runs when the user presses Back, which closes the picker. Without it there is no Back button. */
  readonly back?: (() => void) | undefined;
}

export interface PickManyOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly (PickRow<T> & { readonly isPicked: boolean })[];
  readonly step?: Step | undefined;
  /** Runs when the user presses Back, which closes the picker. Without it there is no Back button. */
  readonly back?: (() => void) | undefined;
}

/** A link below a box, with a label. `retry` checks the text again, `leave` closes the box as if it was dismissed. */
export interface BoxLink {
  readonly label: string;
  readonly run: (typed: string) => 'stay' | 'retry' | 'leave';
}

/** Why a box doesn't accept its input, and what helps. */
export interface BoxProblem {
  readonly sentence: string;
  readonly links: readonly BoxLink[];
}

export interface TextCheck {
  /** Shown instead of the prompt while the check runs. */
  readonly prompt: string;
  /** The signal aborts when the text changes or the box closes; a result or error after that is ignored. */
  readonly run: (signal: AbortSignal) => Promise<BoxProblem | undefined>;
}

export interface KeptText {
  /** Identifies the box among those of its command, because its prompt may change. */
  readonly box: string;
  readonly text: () => string;
}

export interface InputOptions {
  readonly title: string;
  readonly prompt?: string;
  /** Shown after the prompt. */
  readonly links?: readonly BoxLink[];
  /** Shown until the text changes. */
  readonly problem?: BoxProblem | undefined;
  readonly placeholder?: string;
  readonly value?: string;
  readonly isPassword?: boolean;
  /** The box's initial text if the command fails and is run again; by default, the input. */
  readonly kept?: KeptText;
  /** Returns an error message, or undefined if the text is valid. */
  readonly validate?: (text: string) => string | undefined;
  /** Returns a warning about a valid text, or undefined. */
  readonly warn?: ((text: string) => string | undefined) | undefined;
  /** Checks valid text on Enter. The box stays open with the text and closes only if there is no problem. */
  readonly check?: ((text: string) => TextCheck) | undefined;
  /** Receives the text after each change. */
  readonly onDidType?: (text: string) => void;
  readonly step?: Step | undefined;
  /** Runs with the typed text when the user presses Back, which closes the box. Without it there is no Back button. */
  readonly back?: ((typed: string) => void) | undefined;
  readonly buttons?: readonly { readonly icon: string; readonly tooltip: string; readonly run: () => void }[];
}

/** `fileName` is a suggestion with its extension; `filters` are extensions by name: { Picture: ['png'] }. */
export interface NewFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** A file that the caller writes, on the machine that the extension runs on. Like NewFile without content. */
export type SaveQuestion = Omit<NewFile, 'bytes'>;

/** `filters` are extensions by name; the first one is selected. */
interface FileQuestion {
  readonly title: string;
  readonly act: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

export type Severity = 'info' | 'warning' | 'error';

export interface Question {
  readonly message: string;
  readonly detail?: string;
  readonly act: string;
}

export interface MaskedDocument {
  /** Identifies the document: showing the same key again updates its text. Holds no secret. */
  readonly key: string;
  /** With its extension: 'Keynote.json'. */
  readonly fileName: string;
  readonly masked: string;
  readonly revealed: string;
}

/**
 * `connection` is the ID of the row's connection; by default, the active one's. With `keepsFocus`, it's only revealed
 * in a view that is visible, which doesn't get focus.
 */
export type RowReference = { readonly connection?: string; readonly keepsFocus?: true } & (
  | { readonly kind: 'group'; readonly list: 'active' | 'idle' }
  | { readonly kind: 'stream'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string; readonly streamId: string }
  | { readonly kind: 'clip'; readonly id: string; readonly sessionId: string; readonly streamId: string }
);

/** The boxes at the top of the window. They return undefined when dismissed. */
export interface Boxes {
  pick<T>(options: PickOptions<T>): Promise<T | undefined>;
  pickMany<T>(options: PickManyOptions<T>): Promise<readonly T[] | undefined>;
  input(options: InputOptions): Promise<string | undefined>;
}

/** The user interface of the editor. */
export type Ui = Boxes & ShowsProgress & LocalFiles & BoxlessUi;

interface ShowsProgress {
  /** Shows progress in a notification while the task runs; the signal aborts when the user cancels. */
  progress<T>(
    title: string,
    task: (report: (message: string, percent?: number) => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

interface SavesFiles {
  /** Prompts for a location and writes the file. Returns false when dismissed; rejects if writing fails. */
  saveFile(file: NewFile): Promise<boolean>;
}

/** Files of the machine that the extension runs on. Dismissed dialogs return undefined. */
export interface LocalFiles extends SavesFiles {
  /** Prompts for a path, and for confirmation to replace a file. Writes nothing. */
  saveTarget(question: SaveQuestion): Promise<string | undefined>;
  chooseFile(question: FileQuestion): Promise<string | undefined>;
  /** In the system's file manager or the Explorer; if neither is possible, copies the path and notifies. */
  revealFile(path: string): Promise<void>;
  /** Opens a file with the default application of this machine; in a remote window, with the editor. */
  openFile(path: string): Promise<void>;
  /**
   * Opens text for editing, as an unsaved file: a new one in a language, or one with this name, which replaces the
   * text of an earlier one with the same name.
   */
  editText(fileName: string, text: string, languageId?: string): Promise<void>;
}

export interface Notifier {
  /** Resolves with the chosen action, or undefined. Doesn't throw. */
  notify(severity: Severity, message: string, ...actions: readonly string[]): Promise<string | undefined>;
}

/** The interface for views and pages. Dismissed dialogs return undefined or false; those that confirm are modal. */
export interface BoxlessUi extends Notifier {
  confirm(question: Question): Promise<boolean>;
  /** Shows a short message in the Status Bar that disappears on its own, for "Copied …". */
  flash(message: string): void;
  /** How often the user has typed or clicked in a text editor. If it grew, the user is now busy there. */
  countEdits(): number;
  /** Resolves once VS Code has reported everything that the user has done so far: `countEdits` lags behind. */
  catchUp(): Promise<void>;
  copy(text: string): Promise<void>;
  readonly onDidCopy: Event<void>;
  /** Opens a URL without re-encoding it, so that signed query strings survive. Makes loopback URLs reachable first. */
  openAddress(url: string): Promise<void>;
  openSettings(settingId: string): Promise<void>;
  showDocument(document: MaskedDocument): Promise<void>;
  /** Reveals the secrets of the active masked document until it closes; false if the active editor isn't one. */
  revealSecrets(): boolean;
  /** Selects a stream or session in its view. Expands a group, if it's shown, without selecting it. */
  reveal(row: RowReference): Promise<void>;
  collapseRows(view: 'streams' | 'recordings' | 'webhooks'): Promise<void>;
  showLog(): void;
}

export type PageUi = BoxlessUi & SavesFiles;
