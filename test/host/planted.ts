import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { DemoStream } from '../../src/demo/demoState.ts';
import type { FaultAnswer, FaultRule } from '../support/demo/demoService.ts';
import type { Product } from './product.ts';
import { replace } from './replace.ts';

export const API_KEY = 'planted-api-key-8d1f0c';
/** Of no account. */
export const PRIVATE_KEY = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;
export const WEBHOOK_SECRET = 'planted-webhook-secret-3c5e';
/** What the person types, with the key of another service. */
export const TARGET_URL = 'rtmps://live.example:443/app/planted-target-key-51ce';
const PULL = 'planted-pull-credential-77aa';
const streamKeyOf = (index: number) => `plnt-${String(index).padStart(4, '0')}-abcd-efgh`;
/**
 * What every planted secret begins with, so that a part of one is found as well. Private keys, their base64, and tokens are
 * known by their form.
 */
export const PLANTED =
  /planted-(api-key|pull|webhook|target)|plnt-\d{4}|planted%2Dapi|BEGIN [A-Z ]*PRIVATE|LS0tLS1CRUdJTiBQUklW|eyJhbGciOiJFUzI1NiI/;
/** Stands beside the secrets in what a service says: where its words are shown at all, this is. */
export const MARKER = 'camera-on-the-roof';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Leftovers {
  readonly documents: ReadonlySet<vscode.TextDocument>;
  readonly files: ReadonlySet<string>;
}

/**
 * What tests before left that has keys: those of leaked keys write some into files, which stay open, and of which the
 * editor keeps copies.
 */
const LEFTOVERS = new WeakMap<Product, Leftovers>();

/** Every stream with secrets of its own; those of its sessions come with their parentStream. */
export function plant(product: Product): void {
  const { control } = product.service;
  const files = filesWritten(product).filter(([file, bytes]) => !isLog(file) && PLANTED.test(bytes.toString('latin1')));
  LEFTOVERS.set(product, {
    documents: new Set(vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file')),
    files: new Set(files.map(([file]) => file)),
  });
  const spec = { name: 'T', url: `rtmp://other.example/live/${PULL}` };
  const withUrl = { id: 'target', profile: 'source', spec };
  control.streams().forEach(({ id }, index) => {
    control.setStream(id, {
      streamKey: streamKeyOf(index),
      pull: { source: `https://user:${PULL}@cam.example/x?sig=${PULL}`, headers: { authorization: `Bearer ${PULL}` } },
      multistream: { targets: [withUrl] },
    });
  });
}

/**
 * A service that sends all it knows, whatever is stated: the strict variant leaves pull, multistream and parentStream
 * out. Undefined for what is not read so.
 */
export function tellingAll({ service: { control } }: Product): FaultRule {
  return ({ method, path, query }) => {
    if (method !== 'GET') return undefined;
    const [, , kind, id, part] = path.split('/');
    const all = control.streams();
    const found = all.find((stream) => stream.id === id);
    const sessions = (streams: readonly DemoStream[]) =>
      streams.flatMap((parentStream) => control.sessions(parentStream.id).map((each) => ({ ...each, parentStream })));
    if (kind === 'stream' && id === undefined) return okay(all.filter(passing(query)));
    if (kind === 'stream' && found !== undefined && part === undefined) return okay(found);
    if (kind === 'stream' && found !== undefined && part === 'sessions') return okay(sessions([found]));
    return kind === 'session' && id === undefined ? okay(sessions(all)) : undefined;
  };
}

const okay = (value: unknown): FaultAnswer => ({ status: 200, headers: JSON_TYPE, body: JSON.stringify(value) });

/** The filters that every service knows. */
function passing(query: string): (stream: DemoStream) => boolean {
  const parameters = new URLSearchParams(query);
  const filters: readonly { id: string; value: unknown }[] = JSON.parse(parameters.get('filters') ?? '[]');
  const stated = filters.filter(({ value }) => typeof value === 'boolean');
  return (stream) =>
    stated.every(({ id, value }) => Reflect.get(stream, id) === value) &&
    !(parameters.has('streamsonly') && stream.parentId !== undefined);
}

/**
 * A service that answers with nothing but errors, which repeat whatever it knows, and sends on to `elsewhere` who follows;
 * media go without the key, and may go anywhere. A credential of a stream's that this client was never sent cannot be told
 * from other words where it stands alone.
 */
export function echoing(
  { service: { control } }: Product,
  { status, elsewhere, wasSent }: { readonly status: number; readonly elsewhere: string; readonly wasSent: boolean },
): FaultRule {
  const keys = control.streams().map(({ streamKey }) => `stream key ${streamKey}`);
  const errors = [
    `${MARKER}: the key ${API_KEY} may not`,
    `Bad URL ${TARGET_URL}`,
    `Bearer ${PULL}`,
    ...(wasSent ? [PULL] : []),
    ...keys,
  ];
  const away = `${elsewhere}/${API_KEY}/${streamKeyOf(0)}`;
  const leading = { location: away, link: `<${away}?cursor=x>; rel="next"` };
  const body = JSON.stringify({ errors, error: API_KEY });
  return ({ path }) => ({
    ...{ status, body },
    headers: { ...JSON_TYPE, 'x-key': API_KEY, ...(path.startsWith('/api/') ? leading : {}) },
  });
}

/** Everything that somebody could read, by where; so that a failure says where. */
async function readEverything(product: Product, consoleLines: readonly string[]): Promise<Record<string, string>> {
  return {
    messages: product.window.readable(),
    addresses: product.window.opened.join('\n'),
    log: product.log.join('\n'),
    console: consoleLines.join('\n'),
    state: product.state(),
    settings: JSON.stringify(vscode.workspace.getConfiguration('liveStreams')),
    rows: await product.drawn(),
    documents: vscode.workspace.textDocuments
      .filter((document) => !LEFTOVERS.get(product)?.documents.has(document))
      .map((document) => `${document.uri}\n${document.getText()}`)
      .join('\n'),
    tabs: JSON.stringify(vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label))),
    names: (await product.secretKeys()).join('\n'),
  };
}

/** Looks for secrets wherever somebody could read them, and in all files. */
export async function assertNowhere(product: Product, consoleLines: readonly string[], when: string): Promise<void> {
  for (const [where, text] of Object.entries(await readEverything(product, consoleLines))) {
    assertNone(text, `${where} ${when}`);
  }
  const files = filesWritten(product);
  // Whether there is a log file depends on the editor's build (spdlog); its lines were looked at above.
  assert.ok(
    files.some(([file]) => file.endsWith('/User/settings.json')),
    'the files of the editor',
  );
  for (const [file, bytes] of files) {
    if (!LEFTOVERS.get(product)?.files.has(file)) assertNone(bytes.toString('latin1'), `${file} ${when}`);
  }
}

function isLog(file: string): boolean {
  return file.endsWith('.log');
}

/** Fails where there is a secret in a text; says what stands around it. */
export function assertNone(text: string, where: string): void {
  const found = PLANTED.exec(text);
  const around = found ? text.slice(Math.max(0, found.index - 120), found.index + 60) : '';
  assert.equal(found, null, `A secret is in ${where}: …${around}…`);
}

/** Files that this VS Code wrote: logs, storage, settings, and what the extension put beside them. */
function filesWritten({ context }: Product): readonly (readonly [name: string, bytes: Buffer])[] {
  const data = dirname(dirname(dirname(context.globalStorageUri.fsPath)));
  const folders = [
    data,
    context.logUri.fsPath,
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  ];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/CachedExtensionVSIXs|\/extensions\//.test(file))
      .map((file) => [file, readOrNothing(file)] as const),
  );
}

/** A file of the editor's may be gone by then. */
function readOrNothing(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

export function watchConsole(lines: string[]): { dispose(): void } {
  const owned = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => {
    const write = console[level].bind(console);
    return replace(console, level, (...words: readonly unknown[]) => {
      lines.push(words.map(String).join(' '));
      write(...words);
    });
  });
  return { dispose: () => owned.forEach((one) => void one.dispose()) };
}
