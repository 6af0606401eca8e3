import type { Stream } from '../../api/types.ts';
import { knownStream } from '../../model/childStreams/knownStream.ts';
import { rowTarget } from '../../model/rows/rowActions.ts';
import { idIsGone, requireId } from '../../texts/refusals.ts';
import type { CommandContext } from '../context.ts';
import { givenId, givenRow, resolveEach } from './commandArguments.ts';
import { pickStream, type StreamPickerOptions } from './pickStream.ts';

/**
 * Returns the given streams, each once, though a stream can be in two groups. Takes rows, an ID or {id}, or shows a
 * picker. Returns undefined if dismissed. Throws a Refusal for an invalid ID and for streams that are gone.
 */
export function resolveStreams(
  context: CommandContext,
  args: readonly unknown[],
  title: string,
  options?: StreamPickerOptions,
): Promise<readonly Stream[] | undefined> {
  return resolveEach(args, {
    refer: streamReference,
    resolve: ({ id }) => resolveStream(context, id),
    pick: () => pickStream(context, title, options),
  });
}

export async function resolveOneStream(
  context: CommandContext,
  args: readonly unknown[],
  title: string,
  options?: StreamPickerOptions,
): Promise<Stream | undefined> {
  return (await resolveStreams(context, args.slice(0, 1), title, options))?.[0];
}

async function resolveStream(context: CommandContext, id: string): Promise<Stream> {
  const stream = knownStream(context, id) ?? (await context.connection.account.readStream(id));
  if (stream === undefined) throw idIsGone(context, id);
  return stream;
}

function streamReference(given: unknown): { readonly id: string } | undefined {
  const row = givenRow(given);
  if (row === undefined) return { id: givenId(given) };
  const target = rowTarget(row);
  return target && { id: requireId(target.kind === 'stream' ? target.id : target.streamId) };
}
