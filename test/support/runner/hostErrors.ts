import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProject } from '../projectFolder.ts';

const OF_EXTENSION_HOSTS = /exthost\d+\/remoteexthost\.log$/;
/** Each entry begins with its time and level; a stack follows on lines of its own. */
const ENTRY = /^(?=\d{4}-\d\d-\d\d\S* \[)/m;
const IS_ERROR = /^\S+ \[error\] /;
/** A row that went while it was revealed: the caller hears of that, and the editor notes it all the same. */
const IS_HANDLED = /Error: Cannot resolve tree item for element /;
/** By its stack, which names the extension's own files; the editor and its own extensions have errors too. */
const OURS = ['live-streams.live-streams', inProject('dist/'), inProject('dist-test/')];

/**
 * What nobody handled of the extension's own in the extension hosts of a server so far, by their logs: rejections, and what
 * was thrown by timers and listeners. The editor writes it there with its stack.
 * @param logs the folder of the server's logs
 */
export async function readHostErrors(logs: string): Promise<readonly string[]> {
  const files = (await readdir(logs, { recursive: true })).filter((name) => OF_EXTENSION_HOSTS.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(logs, name), 'utf8')));
  return texts.flatMap(errorsIn);
}

function errorsIn(log: string): readonly string[] {
  return log
    .split(ENTRY)
    .filter((entry) => IS_ERROR.test(entry) && !IS_HANDLED.test(entry) && OURS.some((words) => entry.includes(words)))
    .map((entry) => entry.trimEnd());
}
