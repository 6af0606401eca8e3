import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError, isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import type { IngestHost } from '../model/broadcasts/testBroadcasts.ts';
import { isNoConnection } from '../model/connection/connection.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { whenStarted } from '../model/connection/whenStarted.ts';
import { broadcastQuestion } from '../texts/broadcasts.ts';
import { checkStreamById } from '../texts/checks.ts';
import { nameOf } from '../texts/names.ts';
import { isRefusal, Refusal } from '../texts/refusal.ts';
import { serviceOrConnectionOf } from '../texts/refusals.ts';
import { oneLine } from '../util/text.ts';
import { broadcastTestPattern } from './broadcast/broadcastCommands.ts';
import { broadcastUntilLive } from './broadcast/broadcastUntilLive.ts';
import type { CommandContext } from './context.ts';
import { givenField, givenText } from './targets/commandArguments.ts';
import { runListenTask } from './webhooks/listenTask.ts';

const DEFAULT_SECONDS = 60;

export interface TaskTerminal {
  readonly write: (text: string) => void;
  /** Aborts when the user ends the task. */
  readonly signal: AbortSignal;
  /** False in Restricted Mode, in which a workspace's tasks don't run. */
  readonly isTrusted: boolean;
}

/** Runs a task of type `liveStreams` in tasks.json. Returns whether it succeeded. Doesn't throw. */
export async function runTask(context: CommandContext, definition: unknown, terminal: TaskTerminal): Promise<boolean> {
  try {
    if (!terminal.isTrusted) throw new Refusal(t("Tasks don't run in Restricted Mode. Trust the workspace first."));
    await whenStarted(context);
    openConnectionInfo(context);
    return await runChecked(context, definition, terminal);
  } catch (error) {
    if (!isAbortError(error)) terminal.write(sentenceOf(context, error));
    return false;
  }
}

async function runChecked(context: CommandContext, definition: unknown, terminal: TaskTerminal): Promise<boolean> {
  const { write, signal } = terminal;
  const [task, name] = [givenText(definition, 'task'), givenText(definition, 'stream')?.trim() ?? ''];
  if (task === 'listen') return runListenTask(context, definition, terminal);
  if (task !== 'check' && task !== 'testBroadcast') {
    throw new Refusal(t('Set "task" to "check", "testBroadcast", or "listen" in tasks.json.'));
  }
  if (name === '') throw new Refusal(t('Set "stream" to the ID or name of a stream in tasks.json.'));
  const stream = await findStream(context, name, signal);
  if (task === 'testBroadcast') return startBroadcast(context, stream, { ...terminal, ...secondsOf(definition) });
  const { text, isGood } = await checkStreamById(context, stream.id, signal);
  write(text);
  return isGood;
}

function secondsOf(definition: unknown): { readonly seconds: number } {
  const seconds = givenField(definition, 'seconds');
  return { seconds: typeof seconds === 'number' ? seconds : DEFAULT_SECONDS };
}

type TaskBroadcast = TaskTerminal & { readonly seconds: number };

/** Asks each time and ends once the stream is live; the broadcast continues for its duration. */
async function startBroadcast(context: CommandContext, stream: Stream, task: TaskBroadcast): Promise<boolean> {
  const { write, signal, seconds } = task;
  const agree = (current: Stream, ingest: IngestHost) =>
    context.ui.confirm(broadcastQuestion(context, current, { source: 'pattern', seconds, ingest }));
  const start = () => broadcastTestPattern(context, stream, { seconds, agree });
  const { account } = context.connection;
  const isStarted = await broadcastUntilLive(context, stream, { start, ending: signal });
  const live = isStarted && (await account.readStream(stream.id))?.isActive === true;
  const name = nameOf(stream);
  if (live) write(t('"{0}" is live with your test broadcast.', name));
  else if (isStarted) write(t('The test broadcast to "{0}" was started, but the stream isn\'t live yet.', name));
  else write(t('The test broadcast to "{0}" wasn\'t started.', name));
  return live;
}

/** Throws a Refusal unless exactly one stream has this ID or name. */
async function findStream({ connection }: CommandContext, text: string, signal: AbortSignal): Promise<Stream> {
  const { account } = connection;
  const found = new Map<string, Stream>();
  const add = (streams: readonly Stream[]) => {
    for (const stream of streams) if (stream.id === text || stream.name === text) found.set(stream.id, stream);
  };
  // A single kind of search may fail. If nothing is found, listing all streams says why.
  const searches = await Promise.allSettled(account.searchStreams(text, signal));
  for (const search of searches) if (search.status === 'fulfilled') add(search.value);
  if (found.size === 0) for await (const { streams } of account.listEveryStream(signal)) add(streams);
  const named = oneLine(text, 60);
  const stream = found.get(text) ?? [...found.values()][0];
  if (stream === undefined) throw new Refusal(t('No stream has the ID or name "{0}".', named));
  if (stream.id !== text && found.size > 1) {
    throw new Refusal(t('More than one stream is named "{0}". Use a stream ID instead.', named));
  }
  return stream;
}

function sentenceOf(context: CommandContext, error: unknown): string {
  if (isRefusal(error)) return error.sentence;
  if (isNoConnection(error)) return t('Connect to a service first.');
  if (!isApiError(error)) context.log.error('A task failed', error);
  return describeError(error, { service: serviceOrConnectionOf(context, error) });
}
