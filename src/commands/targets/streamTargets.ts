import type { Stream } from '../../api/types.ts';
import { findChildStream } from '../../model/childStreams/childStreams.ts';
import type { CommandContext } from '../context.ts';
import { givenId, givenRow, givenTargets } from './commandArguments.ts';
import { pickStream } from './pickStream.ts';
import { requireId, streamIsGone } from './refusals.ts';

export type NeedsStream = Pick<CommandContext, 'ui' | 'store' | 'current' | 'clock'>;

/**
 * Returns the given streams, each once, though a stream can be in two groups. Takes rows, an id or {id}, or shows a
 * picker. Returns undefined if dismissed. Throws a Refusal for an invalid id and for streams that are gone.
 */
export async function resolveStreams(
  context: NeedsStream,
  args: readonly unknown[],
  title: string,
): Promise<readonly Stream[] | undefined> {
  const ids = givenTargets(args).map(streamIdOf);
  const given = [...new Set(ids.filter((id) => id !== undefined))];
  if (given.length > 0) return Promise.all(given.map((id) => resolveStream(context, id)));
  const picked = await pickStream(context, title);
  return picked === undefined ? undefined : [picked];
}

export async function resolveOneStream(
  context: NeedsStream,
  args: readonly unknown[],
  title: string,
): Promise<Stream | undefined> {
  return (await resolveStreams(context, args.slice(0, 1), title))?.[0];
}

/** Returns a loaded stream, including child streams; undefined if it isn't loaded. */
export function knownStream({ store }: Pick<CommandContext, 'store'>, id: string): Stream | undefined {
  const { snapshot } = store;
  return snapshot.streams.get(id)?.stream ?? findChildStream(snapshot, id);
}

async function resolveStream(context: NeedsStream, id: string): Promise<Stream> {
  const stream = knownStream(context, id) ?? (await context.current.account.readStream(id));
  if (stream === undefined) throw streamIsGone({ id, name: '' });
  return stream;
}

function streamIdOf(given: unknown): string | undefined {
  const row = givenRow(given);
  if (row === undefined) return givenId(given);
  return 'streamId' in row ? requireId(row.streamId) : undefined;
}
