import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findMainPlace } from '../../../src/code/snippets/insertion.ts';
import { type TokenLibraryId, tokenSigners } from '../../../src/code/snippets/tokenSigners.ts';
import { type FrameworkId, webhookHandlers } from '../../../src/code/snippets/webhookHandlers.ts';
import { signBody } from '../../../src/model/webhooks/signature.ts';
import { inProject } from '../projectFolder.ts';
import { insertInto, openText } from './openText.ts';

/** The languages of servers, each with the grammar that parses it. */
export const SERVER_GRAMMARS = {
  javascript: 'javascript',
  javascriptreact: 'javascript',
  typescript: 'typescript',
  typescriptreact: 'tsx',
  python: 'python',
  go: 'go',
} as const;

export const SECRET = 'a secret with ü';

/** Returns what a file with a cursor becomes with the handler of a framework. */
export function insertHandler(languageId: string, marked: string, framework: FrameworkId, unit = '  '): string {
  const file = openText(languageId, marked, unit);
  const place = findMainPlace(file);
  const handler = webhookHandlers(place, file.text).find(({ id }) => id === framework);
  if (handler === undefined) throw new Error(`${languageId} has no handler of ${framework}`);
  return insertInto(file, place, { kind: 'program', ...handler.program });
}

/** Returns what a file with a cursor becomes with the token signer of a library. */
export function insertSigner(languageId: string, marked: string, library: TokenLibraryId, unit = '  '): string {
  const file = openText(languageId, marked, unit);
  const place = findMainPlace(file);
  const signer = tokenSigners(place, file.text).find(({ id }) => id === library);
  if (signer === undefined) throw new Error(`${languageId} has no token signer with ${library}`);
  return insertInto(file, place, { kind: 'program', ...signer.program });
}

/** Returns what strict TypeScript says of the files; empty if it accepts them. */
export async function compileStrictly(files: readonly string[]): Promise<string> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--types', 'node'];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--ignoreConfig'];
  const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
  const run = promisify(execFile)(process.execPath, [tsc, ...options, ...target, ...files]);
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  return stdout;
}

/** A request to a handler, and the status that answers it. */
export interface SignedRequest {
  readonly title: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

const STARTED = JSON.stringify({ id: 'e1', event: 'stream.started', stream: { id: 's1', name: 'Küche 😀' } });
const OTHER = JSON.stringify({ id: 'e2', event: 'asset.ready', payload: {} });

/** The first one makes the handler write LIVE. */
export const REQUESTS: readonly SignedRequest[] = [
  signed('a signed event', STARTED, 204),
  signed('an event that it does not handle', OTHER, 204),
  signed('what is no JSON', '{"event":', 400),
  { ...signed('one changed byte', STARTED, 401), body: STARTED.replace('s1', 's2') },
  { ...signed('another secret', STARTED, 401), headers: headersOf(signBody('another', STARTED, 1)) },
  { ...signed('no signature', STARTED, 401), headers: headersOf(undefined) },
  { ...signed('a signature that is none', STARTED, 401), headers: headersOf('t=1,v1=zz') },
  { ...signed('a signature cut short', STARTED, 401), headers: headersOf(signBody(SECRET, STARTED, 1).slice(0, -2)) },
  { title: 'nothing at all', body: '', headers: {}, status: 401 },
];

export const LIVE = 'Küche 😀 is live';

function signed(title: string, body: string, status: number): SignedRequest {
  return { title, body, headers: headersOf(signBody(SECRET, body, 1_700_000_000_000)), status };
}

function headersOf(signature: string | undefined): Readonly<Record<string, string>> {
  const type = { 'Content-Type': 'application/json' };
  return signature === undefined ? type : { ...type, 'Livepeer-Signature': signature };
}
