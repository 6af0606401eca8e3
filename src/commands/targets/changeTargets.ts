import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { needsFreshLook } from '../../model/changes.ts';
import type { Operation } from '../../model/store/snapshot.ts';
import type { CommandContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { givenId, givenRow, givenTargets } from './commandArguments.ts';
import { requireId } from './refusals.ts';
import { knownStream, type NeedsStream, resolveStreams } from './streamTargets.ts';

type Context = NeedsStream & Pick<CommandContext, 'loader' | 'clock'>;

export interface ChangeTargets {
  readonly streams: readonly Stream[];
  /** Selected with others, but deleted since. */
  readonly gone: readonly Pick<Stream, 'id' | 'name'>[];
}

export interface ChangeQuestion {
  readonly title: string;
  readonly operation: Operation;
}

/**
 * Returns the streams to change as last received, each once. Takes rows, an id or {id}, or shows a picker. Ignores rows
 * of sessions: selecting one by mistake must not delete its stream. Returns undefined if the picker was dismissed.
 * Throws a Refusal for anything else, and if the only stream is gone.
 */
export async function resolveTargets(
  context: Context,
  args: readonly unknown[],
  { title, operation }: ChangeQuestion,
): Promise<ChangeTargets | undefined> {
  const ids = givenIds(args);
  const targets = ids.length > 1 ? await readAll(context, ids) : await readOne(context, ids, title);
  if (targets === undefined) return undefined;
  const { store, loader, clock } = context;
  if (needsFreshLook(operation, store.snapshot, clock.now())) await loader.look();
  return { ...targets, streams: targets.streams.map((stream) => knownStream(context, stream.id) ?? stream) };
}

function givenIds(args: readonly unknown[]): readonly string[] {
  const given = givenTargets(args);
  const ids = new Set(given.map(streamIdOf).filter((id) => id !== undefined));
  if (given.length > 0 && ids.size === 0) throw new Refusal(t('Choose a stream first.'));
  return [...ids];
}

function streamIdOf(given: unknown): string | undefined {
  const row = givenRow(given);
  if (row === undefined) return givenId(given);
  return row.kind === 'stream' || row.kind === 'child' ? requireId(row.streamId) : undefined;
}

async function readOne(context: Context, ids: readonly string[], title: string): Promise<ChangeTargets | undefined> {
  const streams = await resolveStreams(context, ids, title);
  return streams === undefined ? undefined : { streams, gone: [] };
}

async function readAll(context: Context, ids: readonly string[]): Promise<ChangeTargets> {
  const streams: Stream[] = [];
  const gone: Pick<Stream, 'id' | 'name'>[] = [];
  for (const id of ids) {
    const stream = knownStream(context, id) ?? (await context.current.account.readStream(id));
    if (stream === undefined) gone.push({ id, name: '' });
    else streams.push(stream);
  }
  return { streams, gone };
}
