import type { Session } from '../../api/types.ts';
import type { RowTarget } from '../../model/rows/rowActions.ts';
import { rowTarget } from '../../model/rows/rowActions.ts';
import { findRecording, findSession } from '../../model/store/sessions.ts';
import { requireId, sessionIsGone } from '../../texts/refusals.ts';
import type { CommandContext } from '../context.ts';
import { givenId, givenRow, resolveEach } from './commandArguments.ts';
import { pickSession, type SessionQuestion } from './pickSession.ts';

type SessionReference = Extract<RowTarget, { readonly kind: 'session' }>;

/**
 * Returns the given sessions, each once. Takes rows, an ID or {id}, or shows a picker. Returns undefined if dismissed.
 * Throws a Refusal for an invalid ID and for sessions that are gone.
 */
export function resolveSessions(
  context: CommandContext,
  args: readonly unknown[],
  question: SessionQuestion,
): Promise<readonly Session[] | undefined> {
  return resolveEach(args, {
    refer: sessionReference,
    resolve: (reference) => resolveSession(context, reference),
    pick: () => pickSession(context, question),
  });
}

export async function resolveOneSession(
  context: CommandContext,
  args: readonly unknown[],
  question: SessionQuestion,
): Promise<Session | undefined> {
  return (await resolveSessions(context, args.slice(0, 1), question))?.[0];
}

async function resolveSession(context: CommandContext, given: SessionReference): Promise<Session> {
  const { id, streamId } = given;
  const session = knownSession(context, given) ?? (await context.connection.account.findSession(id, streamId));
  if (session === undefined) throw sessionIsGone();
  return session;
}

function knownSession({ store }: CommandContext, { id, streamId, isRecording }: SessionReference): Session | undefined {
  const recording = findRecording(store.snapshot, id);
  if (isRecording && recording !== undefined) return recording;
  const streamIds = streamId === undefined ? [...store.snapshot.sessions.keys()] : [streamId];
  const found = streamIds.map((each) => findSession(store.snapshot, each, id));
  return found.find((session) => session !== undefined) ?? recording;
}

function sessionReference(given: unknown): SessionReference | undefined {
  const row = givenRow(given);
  if (row === undefined) return { kind: 'session', id: givenId(given), streamId: undefined, isRecording: false };
  const target = rowTarget(row);
  return target?.kind === 'session' ? { ...target, id: requireId(target.id) } : undefined;
}
