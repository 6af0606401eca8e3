/** The seams: interfaces with a real implementation in `host/` (Transport: in `api/`) and a fake in tests. Types only. */
import type { Disposable } from './util/disposable.ts';
import type { Event } from './util/events.ts';

export interface Clock {
  /** Epoch ms: for what people read and services say. Whoever sets the clock sets this, back too. */
  now(): number;
  /** Milliseconds since some moment, which only ever grow: for deciding when to act. */
  elapsed(): number;
  setTimeout(run: () => void, ms: number): Disposable;
}

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Key-value storage of the editor: one for all windows (globalState), one for this workspace's (workspaceState). */
export interface Memento {
  get(key: string): unknown;
  keys(): readonly string[];
  /** `undefined` removes the key. */
  set(key: string, value: unknown): Promise<void>;
}

export interface Secrets {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Fires with the key that was stored or deleted, in this window or another. */
  readonly onDidChange: Event<string>;
}

export type NotificationKind = 'streamStarted' | 'streamEnded' | 'recordingReady';

/** Templates of addresses, by what they are for (src/api/README.md, Addresses). */
export interface AddressTemplates {
  readonly rtmp?: string;
  readonly whip?: string;
  readonly hls?: string;
  readonly player?: string;
  readonly recordingPlayer?: string;
  readonly dashboard?: string;
  readonly keys?: string;
}

/** Settings as they are in force: of the right type and within range, whatever was written. Read afresh each time. */
export interface Settings {
  /** Seconds; 0 = off, else 5 to 3600. */
  refreshInterval(): number;
  /** 20 to 1000. */
  pageSize(): number;
  notifications(): ReadonlySet<NotificationKind>;
  showHistoricChildStreams(): boolean;
  playIn(): 'editor' | 'browser';
  /** By base URL origin. */
  addresses(): Readonly<Record<string, AddressTemplates>>;
  networkClient(): 'undici' | 'editor';
  /** Milliseconds. */
  networkTimeout(): number;
  readonly onDidChange: Event<void>;
}

/** Is anybody looking? */
export interface Presence {
  isViewVisible(): boolean;
  isFocused(): boolean;
  readonly onDidChange: Event<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Decoded bytes at most; more is an `invalidResponse` (tooLarge). Default 64 MiB. Bodies of a status from 400 up: 64 KiB, cut. */
  readonly maxBytes?: number;
  /** The body of a success is to be parsed: one of more objects and values than an honest answer has is tooLarge, too. */
  readonly isJson?: boolean;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with ', '. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/**
 * Sends one request under one deadline (the network.timeout setting). GET alone is retried. Redirects are handed back, never followed.
 * Throws ApiError (network, timeout, invalidResponse: tooLarge) or an AbortError of the request's signal; any status is an answer.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface DownloadRequest {
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the body too. */
  readonly signal?: AbortSignal;
}

/** To be disposed of in the end, read or not: that closes the connection. */
export interface DownloadResponse extends Disposable {
  readonly status: number;
  /** Names in lower case. No content-length where the body had to be decompressed. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Read once, and no faster than its reader. Throws ApiError (network, timeout) or an AbortError of the request's signal.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Gets one answer whose body is read bit by bit: one try, without a limit on time or bytes, but 30 s without a byte end it
 * (timeout). Redirects are handed back, never followed. Travels as the Transport's requests do, and throws what it throws.
 */
export interface Downloads {
  download(request: DownloadRequest): Promise<DownloadResponse>;
}

/** A file that grows beside its target, and gets the target's name when it is whole. Rejects with the system's errors (`code`). */
export interface PartFile {
  append(bytes: Uint8Array): Promise<void>;
  /** Forgets all that was written. */
  clear(): Promise<void>;
  /** Gives it the target's name; where that may replace nothing, rejects with EEXIST when there is such a file by now. */
  finish(mayReplace: boolean): Promise<void>;
  /** Removes it. Never rejects. */
  discard(): Promise<void>;
}

/** What is to be known of a download whose process was killed: no address, no key. */
export interface DownloadNote {
  readonly connection: { readonly id: string; readonly name: string };
  readonly sessionId: string;
  /** The session's stream, where that was known. */
  readonly streamId?: string;
}

/** A download that a killed process left behind; nothing of it is there any more. */
export interface LeftDownload {
  readonly target: string;
  readonly note: DownloadNote;
}

/** Where downloads are written: paths of the machine that this code runs on. */
export interface DownloadFiles {
  exists(path: string): Promise<boolean>;
  /** Bytes that still fit beside this path; undefined where the system does not tell. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Starts a file of ours alone beside the target, under a name that no other file has. */
  startPart(target: string, note: DownloadNote): Promise<PartFile>;
}

export interface PickItem<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** A codicon's name, without $(). */
  readonly icon?: string;
  readonly value: T;
  readonly isSeparator?: boolean;
}

/** What a picker that fills by itself is given: it shows items as they come and hears what is typed, once the typing pauses. */
export interface PickSession<T> {
  show(items: readonly PickItem<T>[], isBusy: boolean): void;
  readonly onDidType: Event<string>;
  /** Aborted when the picker closes. */
  readonly signal: AbortSignal;
}

export interface PickOptions<T> {
  readonly title: string;
  readonly placeholder?: string;
  readonly items: readonly PickItem<T>[] | ((session: PickSession<T>) => void);
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
}

export interface InputOptions {
  readonly title: string;
  readonly prompt?: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly isPassword?: boolean;
  /** A sentence when the text will not do, else undefined. */
  readonly validate?: (text: string) => string | undefined;
  /** Buttons beside the title; pressing one leaves the box open. */
  readonly buttons?: readonly { readonly icon: string; readonly tooltip: string; readonly run: () => void }[];
}

/** Something to be written to a file that the person names. */
export interface NewFile {
  /** Suggested, with its ending. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** What kinds of file there are, by what people call them: { Picture: ['png'] }. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** A file to be written by whoever asks, on the machine that this code runs on. */
export interface SaveQuestion {
  /** Suggested, with its ending. */
  readonly fileName: string;
  /** What kinds of file there are, by what people call them: { Video: ['mp4'] }. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

export type Severity = 'info' | 'warning' | 'error';

export interface Question {
  readonly message: string;
  readonly detail?: string;
  /** The button that does it; names the act. */
  readonly act: string;
}

/** A read-only document whose secrets are masked until the person asks to see them. */
export interface MaskedDocument {
  /** What tells documents apart; opening the same key again shows the same document with the new text. Holds no secret. */
  readonly key: string;
  /** Shown on the tab, with its ending: 'Keynote.json'. */
  readonly fileName: string;
  readonly masked: string;
  readonly revealed: string;
}

/** A row of the tree, by identity. */
export type RowReference =
  | { readonly kind: 'stream'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string; readonly streamId: string };

export interface Ui {
  /** `undefined` when dismissed. */
  pick<T>(options: PickOptions<T>): Promise<T | undefined>;
  input(options: InputOptions): Promise<string | undefined>;
  /** Asks modally; false when dismissed. */
  confirm(question: Question): Promise<boolean>;
  /** Shows progress in a notification while the task runs; its signal aborts when the person cancels. */
  progress<T>(
    title: string,
    task: (report: (message: string, percent?: number) => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Resolves with the action that was pressed, or undefined. Does not throw. */
  notify(severity: Severity, message: string, ...actions: readonly string[]): Promise<string | undefined>;
  /** A short word in the status bar that goes by itself, for "Copied …". */
  flash(message: string): void;
  copy(text: string): Promise<void>;
  /** Opens an address as it is, unencoded again (signed query strings survive). Loopback addresses are made reachable first. */
  openAddress(url: string): Promise<void>;
  openSettings(settingId: string): Promise<void>;
  /** Asks where to, and writes; false when dismissed. Rejects when it cannot be written. */
  saveFile(file: NewFile): Promise<boolean>;
  /** Asks where to, and before a file is replaced; a path, or undefined when dismissed. Nothing is written. */
  saveTarget(question: SaveQuestion): Promise<string | undefined>;
  /** Shows where a file is: in the system's file manager or the Explorer; where neither can, copies its path and says so. */
  revealFile(path: string): Promise<void>;
  /** Opens a file with what this machine opens such files with, in a remote window with the editor. */
  openFile(path: string): Promise<void>;
  showDocument(document: MaskedDocument): Promise<void>;
  /** Reveals the secrets of the active masked document until it closes; false when the active editor is not one. */
  revealSecrets(): boolean;
  /** Shows a row: selected, and in view. */
  reveal(row: RowReference): Promise<void>;
  showLog(): void;
}
