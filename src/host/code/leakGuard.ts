import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvVariable } from '../../code/envFile.ts';
import { type FileLocation, severityOf } from '../../code/exposure.ts';
import { type IndexedStream, KeyIndex, type KeyOwner } from '../../code/keyIndex.ts';
import {
  createFileScan,
  type KeySearch,
  type Leak,
  type LineChange,
  lastLineOf,
  MOST_LEAKS,
  scanInSlices,
  scanLines,
  type TextLines,
  updateLeaks,
} from '../../code/leaks.ts';
import { type ListSigningKeys, PublicKeys } from '../../code/publicKeys.ts';
import type { KeyPoint } from '../../code/signedText.ts';
import { StreamKeys } from '../../code/streamKeys.ts';
import { MOST_TEXT_BYTES, readFoundFile } from '../../code/userFiles.ts';
import type { CommandContext, EnvPlace, FoundLeaks, LeakSearch, SavedVariables } from '../../commands/context.ts';
import { streamLabel } from '../../model/store/streams.ts';
import type { Log } from '../../services.ts';
import { forEachLimit, makeQueue, untilAborted } from '../../util/async.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { oneLine } from '../../util/text.ts';
import { canHaveEnvFile, writeToEnvFile } from './envFiles.ts';
import { fileNameOf, fileOf, GitFiles } from './guardedFiles.ts';
import { isPlainTyping, isWritten } from './keyWatch.ts';
import { rangeOf, registerLeakFixes } from './leakFixes.ts';

interface LeakGuardOptions extends Pick<CommandContext, 'connections' | 'connection' | 'store' | 'settings' | 'clock'> {
  readonly log: Log;
  /** Loads the code that the open connection needs to send requests. Doesn't throw. */
  readonly connect: () => Promise<unknown>;
  readonly listSigningKeys: ListSigningKeys;
}

const SOURCE = 'Live Streams';

const PAUSE_MS = 200;
const MOST_CHANGES = 50;
const LONG_TEXT = 20_000;
const REPORT_EVERY = 50;
const FILES_AT_ONCE = 8;
const MAX_NAME = 100;
/** Scan number of a closed document. */
const ENDED = Number.POSITIVE_INFINITY;

interface Watched {
  readonly document: vscode.TextDocument;
  /** The URI of the document, or of the notebook for a cell. */
  readonly file: vscode.Uri;
  readonly isGuarded: boolean;
  leaks: readonly Leak[];
  /** Incremented when a scan begins, so that an older one ends. */
  scan: number;
  isScanning: boolean;
  isTooLarge: boolean;
  location: FileLocation | undefined;
  /** How often its location may have changed. Until Git responds, the marks and their fixes stay. */
  moves: number;
  /** How many of these changes `location` takes into account. */
  locatedAfter: number;
  scanned: Promise<void>;
  readonly unknown: Set<string>;
  readonly unknownSigners: Set<KeyPoint>;
}

/** A leak that is shown to the user. */
interface Mark {
  readonly leak: Leak;
  readonly severity: 'error' | 'warning';
}

/** Marks keys of this account in open documents, and offers to move them. */
export class LeakGuard implements Disposable, LeakSearch {
  readonly #options: LeakGuardOptions;
  readonly #owned = new DisposableStore();
  readonly #index = new KeyIndex();
  readonly #scanFile = createFileScan({ index: this.#index });
  readonly #streamKeys: StreamKeys;
  readonly #publicKeys: PublicKeys;
  readonly #git: GitFiles;
  readonly #envQueue = makeQueue();
  readonly #marks = this.#owned.add(vscode.languages.createDiagnosticCollection('liveStreams'));
  readonly #watched = new Map<string, Watched>();
  /** Texts in which the user ignores keys until the window reloads. */
  readonly #ignored = new Set<string>();
  /** Files that the user searched, which keep their marks when closed, and whether they were guarded then. */
  readonly #found = new Map<string, boolean>();
  /** Exists while there are such files. */
  #deletions: vscode.FileSystemWatcher | undefined;
  readonly #pending = new Map<Watched, Disposable>();
  #apiKeyReads = 0;
  /** Resolves when the index has the API keys of all connections. */
  #apiKeys: Promise<void>;

  constructor(options: LeakGuardOptions) {
    this.#options = options;
    const { store, connection, clock, log, connections, settings, connect, listSigningKeys } = options;
    const reads = { index: this.#index, store, clock, log };
    this.#publicKeys = this.#owned.add(new PublicKeys({ ...reads, listSigningKeys }));
    this.#streamKeys = this.#owned.add(new StreamKeys({ ...reads, connection, connect }));
    this.#owned.add(this.#publicKeys.onDidChange(() => this.#scanAll()));
    this.#git = this.#owned.add(new GitFiles((error) => log.info(`Git can't be asked about files: ${String(error)}`)));
    this.#owned.add(this.#streamKeys.onDidChange(() => this.#scanAll()));
    this.#owned.add(this.#git.onDidChange(() => this.#locateAll()));
    let { connectionCount } = store.snapshot;
    this.#owned.add(
      store.onDidChange(() => {
        if (store.snapshot.connectionCount < connectionCount) this.#forgetFound();
        ({ connectionCount } = store.snapshot);
      }),
    );
    this.#owned.add(
      settings.onDidChange(() => {
        const isOff = (key: string) => this.#found.get(key) === true && !settings.leakGuard(key);
        this.#forgetFound((key) => isOff(key) || this.#isExcluded(vscode.Uri.parse(key)));
        this.#scanAll();
      }),
    );
    const { workspace } = vscode;
    this.#owned.add(workspace.onDidDeleteFiles(({ files }) => this.#forgetGone(files)));
    this.#owned.add(workspace.onDidRenameFiles(({ files }) => this.#forgetGone(files.map(({ oldUri }) => oldUri))));
    this.#owned.add(
      connections.onDidChange(() => {
        this.#apiKeys = this.#readApiKeys();
      }),
    );
    this.#owned.add(workspace.onDidOpenTextDocument((document) => this.#open(document)));
    this.#owned.add(workspace.onDidCloseTextDocument((document) => this.#close(document)));
    this.#owned.add(workspace.onDidChangeTextDocument((event) => this.#change(event)));
    this.#owned.add(registerLeakFixes({ guard: this, git: this.#git, queue: this.#envQueue, settings, log }));
    this.#apiKeys = this.#readApiKeys();
  }

  dispose(): void {
    for (const timer of this.#pending.values()) timer.dispose();
    this.#watched.clear();
    this.#deletions?.dispose();
    this.#owned.dispose();
  }

  /** Returns the leaks of an open text that are marked now. */
  leaksOf(uri: vscode.Uri): readonly Leak[] {
    const entry = this.#watched.get(uri.toString());
    return entry === undefined ? [] : this.#marksOf(entry).map(({ leak }) => leak);
  }

  /** Reports nothing in this text until the window reloads. */
  ignore(uri: vscode.Uri): void {
    this.#ignored.add(uri.toString());
    this.#marks.delete(uri);
  }

  findStream(text: string): Promise<IndexedStream | undefined> {
    return this.#streamKeys.findStream(text);
  }

  hasFolder(): boolean {
    return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  }

  envPlaces(): readonly EnvPlace[] {
    const edited = vscode.window.activeTextEditor?.document.uri;
    const file = edited && fileOf(edited);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const isOpen = file !== undefined && vscode.workspace.getWorkspaceFolder(file) !== undefined;
    const sources = isOpen ? [file] : folders.map(({ uri }) => vscode.Uri.joinPath(uri, '.env'));
    return sources.filter(canHaveEnvFile).map((source) => ({
      folder: vscode.workspace.getWorkspaceFolder(source)?.name ?? '',
      save: (variables) => this.#envQueue(() => this.#saveToEnv(source, variables)),
    }));
  }

  async #saveToEnv(source: vscode.Uri, variables: readonly EnvVariable[]): Promise<SavedVariables> {
    const { uri, ...saved } = await writeToEnvFile(this.#git, source, variables);
    return { ...saved, open: async () => void (await vscode.window.showTextDocument(uri)) };
  }

  async findInFolders(report: (done: number, total: number) => void, cancel: AbortSignal): Promise<FoundLeaks> {
    this.#forgetFound();
    // Also aborted with the connection: another one has other keys.
    const signal = AbortSignal.any([cancel, this.#streamKeys.signal]);
    await untilAborted(this.#apiKeys, signal);
    await untilAborted(this.#streamKeys.readAll(signal), signal);
    await untilAborted(this.#publicKeys.readAll(signal), signal);
    const found = { files: 0, leaks: 0, tooLarge: 0 };
    const files = await findFiles(signal);
    let done = 0;
    await forEachLimit(files, FILES_AT_ONCE, async (uri) => {
      // A file system may never respond.
      const marks = await untilAborted(this.#marksOfFile(uri, signal), signal);
      if (done % REPORT_EVERY === 0) report(done, files.length);
      done += 1;
      if (marks === 'tooLarge') found.tooLarge += 1;
      else if (marks !== undefined) {
        found.files += 1;
        found.leaks += marks.length;
      }
    });
    return found;
  }

  async showMarks(): Promise<void> {
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  }

  /** Marks the keys of a file on disk, or returns the marks of an open one. undefined if it isn't text. */
  async #marksOfFile(
    uri: vscode.Uri,
    signal: AbortSignal,
  ): Promise<readonly vscode.Diagnostic[] | 'tooLarge' | undefined> {
    if (this.#isExcluded(uri)) return undefined;
    const open = [...this.#watched.values()].filter(
      ({ file, isGuarded }) => isGuarded && file.path === uri.path && file.toString() === uri.toString(),
    );
    if (open.length > 0) {
      await Promise.all(open.map((entry) => this.#scanAgain(entry)));
      return open.flatMap(({ document }) => this.#marks.get(document.uri) ?? []);
    }
    if (this.#ignored.has(uri.toString())) return [];
    const bytes = await readBytes(uri, signal);
    if (bytes === undefined || bytes === 'tooLarge') return bytes;
    const leaks = await this.#scanFile(bytes, signal);
    if (leaks === undefined || leaks === 'tooLarge') return leaks;
    if (leaks.length === 0) return [];
    const place = { fileName: fileNameOf(uri), location: await this.#git.location(uri) };
    signal.throwIfAborted();
    const marks = this.#toMarks(leaks, place).map((mark) => this.#toDiagnostic(uri, mark));
    this.#marks.set(uri, marks);
    this.#found.set(uri.toString(), this.#isGuarded(uri));
    this.#followDeletions();
    return marks;
  }

  async #readApiKeys(): Promise<void> {
    this.#apiKeyReads += 1;
    const number = this.#apiKeyReads;
    // Waits for a locked keyring.
    const connections = await this.#options.connections.readAll({ isPatient: true });
    if (this.#owned.isDisposed || number !== this.#apiKeyReads) return;
    this.#index.setApiKeys(connections.flatMap(({ stored }) => stored ?? []));
    this.#scanAll();
  }

  #scanAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#open(document);
  }

  #open(document: vscode.TextDocument): void {
    if (!isWritten(document)) return;
    const key = document.uri.toString();
    const file = fileOf(document.uri);
    const known = this.#watched.get(key);
    const entry: Watched = {
      document,
      file,
      isGuarded: this.#isGuarded(file),
      leaks: known?.leaks ?? [],
      scan: known?.scan ?? 0,
      isScanning: false,
      isTooLarge: false,
      location: known?.location,
      moves: known?.moves ?? 0,
      locatedAfter: known?.locatedAfter ?? -1,
      scanned: Promise.resolve(),
      unknown: new Set(),
      unknownSigners: new Set(),
    };
    if (known !== undefined) known.scan = ENDED;
    this.#watched.set(key, entry);
    void this.#scan(entry);
  }

  #close({ uri }: vscode.TextDocument): void {
    const entry = this.#watched.get(uri.toString());
    if (entry !== undefined) entry.scan = ENDED;
    this.#watched.delete(uri.toString());
    if (!this.#found.has(uri.toString())) this.#marks.delete(uri);
  }

  #change(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges } = event;
    const entry = this.#watched.get(document.uri.toString());
    if (entry === undefined || !entry.isGuarded || entry.isTooLarge || contentChanges.length === 0) return;
    if (!entry.isScanning && isPlainTyping(event) && !hasLeakIn(entry, contentChanges[0]?.range.start.line)) return;
    if (entry.isScanning || entry.leaks.length >= MOST_LEAKS || isCostly(document, contentChanges)) {
      this.#scanSoon(entry);
      return;
    }
    const changes = contentChanges.map(toLineChange);
    const leaks = updateLeaks(entry.leaks, changes, { lines: linesOf(document), search: this.#searchFor(entry) });
    if (entry.unknown.size > 0 || entry.unknownSigners.size > 0 || leaks !== entry.leaks) {
      entry.leaks = leaks;
      void this.#publish(entry);
    }
  }

  /** Scans once, after the last of many changes. */
  #scanSoon(entry: Watched): void {
    entry.scan += 1;
    entry.isScanning = true;
    const { scan } = entry;
    const run = () => {
      this.#pending.delete(entry);
      if (entry.scan === scan) void this.#scan(entry);
    };
    this.#pending.get(entry)?.dispose();
    this.#pending.set(entry, this.#options.clock.setTimeout(run, PAUSE_MS));
  }

  /** Resolves when the marks of the document reflect the keys that are known now and the files that Git ignores now. */
  async #scanAgain(entry: Watched): Promise<void> {
    entry.moves += 1;
    const key = entry.document.uri.toString();
    let scanned: Promise<void> | undefined = this.#scan(entry);
    // Another scan may have begun in the meantime and ended this one.
    while (scanned !== undefined) {
      await scanned;
      const last: Promise<void> | undefined = this.#watched.get(key)?.scanned;
      scanned = last === scanned ? undefined : last;
    }
  }

  #scan(entry: Watched): Promise<void> {
    entry.scanned = this.#scanNow(entry);
    return entry.scanned;
  }

  async #scanNow(entry: Watched): Promise<void> {
    entry.scan += 1;
    const { scan } = entry;
    if (!entry.isGuarded) {
      entry.leaks = [];
      await this.#publish(entry);
      return;
    }
    entry.isScanning = true;
    const steps = scanLines(eachLine(entry.document), this.#searchFor(entry));
    const leaks = await scanInSlices(steps, () => entry.scan === scan && !this.#owned.isDisposed);
    if (leaks === undefined) return;
    entry.isTooLarge = leaks === 'tooLarge';
    entry.leaks = leaks === 'tooLarge' ? [] : leaks;
    entry.isScanning = false;
    await this.#publish(entry);
  }

  /** Marks the leaks and, if others may read the document, looks up the owners of unknown keys. */
  async #publish(entry: Watched): Promise<void> {
    const { document, file, unknown, unknownSigners } = entry;
    const { uri } = document;
    if (this.#watched.get(uri.toString()) !== entry) return;
    if (entry.leaks.length === 0 && unknown.size === 0 && unknownSigners.size === 0) {
      this.#marks.delete(uri);
      return;
    }
    while (entry.location === undefined || entry.locatedAfter < entry.moves) {
      const { moves } = entry;
      const location = await this.#git.location(file);
      if (this.#watched.get(uri.toString()) !== entry) return;
      // Git may have responded to a later query in the meantime.
      if (moves < entry.locatedAfter) continue;
      entry.location = location;
      entry.locatedAfter = moves;
    }
    const place = { fileName: fileNameOf(file), location: entry.location };
    if (severityOf({ kind: 'streamKey' }, place) !== undefined) {
      for (const token of unknown) this.#streamKeys.resolve(token);
      for (const point of unknownSigners) this.#publicKeys.resolve(point);
    }
    unknown.clear();
    unknownSigners.clear();
    this.#marks.set(
      uri,
      this.#marksOf(entry).map((mark) => this.#toDiagnostic(uri, mark)),
    );
  }

  #marksOf({ document: { uri }, file, leaks, location }: Watched): readonly Mark[] {
    if (location === undefined || this.#ignored.has(uri.toString())) return [];
    return this.#toMarks(leaks, { fileName: fileNameOf(file), location });
  }

  /** Omits expired tokens, which are useless to anyone. */
  #toMarks(leaks: readonly Leak[], place: Parameters<typeof severityOf>[1]): readonly Mark[] {
    const now = this.#options.clock.now();
    return leaks.flatMap((leak) => {
      const { owner } = leak;
      const severity = owner.kind === 'token' && owner.expiresAt <= now ? undefined : severityOf(owner, place);
      return severity === undefined ? [] : { leak, severity };
    });
  }

  #toDiagnostic(uri: vscode.Uri, { leak, severity }: Mark): vscode.Diagnostic {
    const { owner } = leak;
    const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const range = rangeOf(leak);
    const diagnostic = new vscode.Diagnostic(range, messageOf(owner), level);
    const place = new vscode.Location(uri, range);
    diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(place, adviceFor(owner))];
    diagnostic.source = SOURCE;
    diagnostic.code = owner.kind;
    return diagnostic;
  }

  #locateAll(): void {
    for (const entry of this.#watched.values()) {
      entry.moves += 1;
      void this.#scan(entry);
    }
  }

  #searchFor({ unknown, unknownSigners }: Pick<Watched, 'unknown' | 'unknownSigners'>): KeySearch {
    return {
      index: this.#index,
      onUnknown: (token) => unknown.add(token),
      onUnknownSigner: (point) => unknownSigners.add(point),
    };
  }

  #isGuarded(uri: vscode.Uri): boolean {
    const { settings } = this.#options;
    return settings.leakGuard(uri.toString()) && !this.#isExcluded(uri);
  }

  #isExcluded(uri: vscode.Uri): boolean {
    return this.#options.settings.leakGuardExclude(uri.toString()).some((pattern) => matches(uri, pattern));
  }

  /** Removes the marks of files that other programs delete. */
  #followDeletions(): void {
    if (this.#deletions !== undefined) return;
    this.#deletions = vscode.workspace.createFileSystemWatcher('**/*', true, true);
    this.#deletions.onDidDelete((gone) => this.#forgetGone([gone]));
  }

  #forgetGone(gone: readonly vscode.Uri[]): void {
    const paths = gone.map(String);
    this.#forgetFound((key) => paths.some((path) => key === path || key.startsWith(`${path}/`)));
  }

  /** Removes the marks of files on disk. */
  #forgetFound(isForgotten: (key: string) => boolean = () => true): void {
    for (const key of [...this.#found.keys()].filter(isForgotten)) {
      this.#found.delete(key);
      if (!this.#watched.has(key)) this.#marks.delete(vscode.Uri.parse(key));
    }
    if (this.#found.size > 0) return;
    this.#deletions?.dispose();
    this.#deletions = undefined;
  }
}

async function findFiles(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  try {
    const files = Promise.resolve(vscode.workspace.findFiles('**/*', undefined, undefined, source.token));
    return await untilAborted(files, signal);
  } finally {
    source.cancel();
    source.dispose();
  }
}

function hasLeakIn({ leaks }: Watched, line: number | undefined): boolean {
  return line !== undefined && leaks.some((leak) => leak.line <= line && line <= lastLineOf(leak));
}

/** Whether the file matches a glob, which is relative to its workspace folder. */
function matches(uri: vscode.Uri, glob: string): boolean {
  const document = { uri, languageId: '', fileName: uri.fsPath } as vscode.TextDocument;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const pattern = folder === undefined ? glob : new vscode.RelativePattern(folder, glob);
  return vscode.languages.match({ pattern }, document) > 0;
}

/**
 * Whether a change is better scanned once, later and in slices: Replace All, a large paste, a line of minified code.
 */
function isCostly(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): boolean {
  if (changes.length > MOST_CHANGES) return true;
  return changes.some(
    ({ range, text }) => text.length > LONG_TEXT || lineLength(document, range.start.line) > LONG_TEXT,
  );
}

function lineLength(document: vscode.TextDocument, line: number): number {
  return line < document.lineCount ? document.lineAt(line).text.length : 0;
}

function* eachLine(document: vscode.TextDocument): Generator<string, void> {
  for (let line = 0; line < document.lineCount; line += 1) yield document.lineAt(line).text;
}

function linesOf(document: vscode.TextDocument): TextLines {
  return {
    get lineCount() {
      return document.lineCount;
    },
    lineAt: (line) => document.lineAt(line).text,
  };
}

function toLineChange({ range, text }: vscode.TextDocumentContentChangeEvent): LineChange {
  const isTyped = text.length < 2 && text !== '\n';
  const count = isTyped ? 1 : 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);
  return { first: range.start.line, last: range.end.line, count };
}

/**
 * Returns undefined if the file can't be read, or isn't in its workspace folder. Throws an AbortError of the signal.
 */
async function readBytes(uri: vscode.Uri, signal: AbortSignal): Promise<Uint8Array | 'tooLarge' | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  // Reads directly, because VS Code's file system goes through the window for each file.
  if (uri.scheme === 'file' && folder !== undefined) {
    return readFoundFile(uri.fsPath, { folder: folder.uri.fsPath, signal });
  }
  const { fs } = vscode.workspace;
  try {
    return (await fs.stat(uri)).size > MOST_TEXT_BYTES ? 'tooLarge' : await fs.readFile(uri);
  } catch {
    return undefined;
  }
}

/** Returns one line, which never contains the key. */
function messageOf(owner: KeyOwner): string {
  switch (owner.kind) {
    case 'apiKey': {
      const name = oneLine(owner.connection, MAX_NAME);
      return t(
        'API key of the connection "{0}". Anyone who can read this file can manage the streams in that account.',
        name,
      );
    }
    case 'streamKey': {
      const name = oneLine(streamLabel(owner), MAX_NAME);
      return t('Stream key of "{0}". Anyone who can read this file can broadcast to the stream.', name);
    }
    case 'privateKey': {
      const name = oneLine(streamLabel(owner), MAX_NAME);
      return t('Private key "{0}". Anyone who can read this file can sign tokens for your private streams.', name);
    }
    case 'token': {
      const name = oneLine(owner.playback, MAX_NAME);
      const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
      const end = new Date(owner.expiresAt).toLocaleString(vscode.env.language, style);
      return t('Token for "{0}". Anyone who can read this file can watch the stream until {1}.', name, end);
    }
  }
}

/** Separate from the message, which VS Code cuts off if there's little room. */
function adviceFor({ kind }: KeyOwner): string {
  switch (kind) {
    case 'apiKey':
      return t('If the file has been shared, revoke the key and set a new one.');
    case 'streamKey':
      return t(
        "If the file has been shared, create a new stream, switch your encoder and players to it, and delete this one. Stream keys can't be changed.",
      );
    case 'privateKey':
      return t(
        'If the file has been shared, create a new signing key, switch your servers to it, and delete this one.',
      );
    case 'token':
      return t(
        "Tokens can't be revoked individually. If you delete the signing key, all tokens that are signed with it stop working.",
      );
  }
}
