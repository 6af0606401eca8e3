import type { Stream } from '../api/types.ts';
import type { Account } from '../model/account/account.ts';
import { templatesInForce } from '../model/connection/knownAddresses.ts';
import type { StreamFact } from '../model/store/snapshot.ts';
import { hasNamePart } from '../model/store/streams.ts';
import { type Sources, streamFacts, ToolProblem } from './answers.ts';
import type { ToolCall } from './call.ts';

/** `isCostly`: two requests were sent for it, which leaves none. */
export interface FoundStream {
  readonly fact: StreamFact;
  readonly isCostly: boolean;
}

export type StreamReference = { readonly id: string } | { readonly playbackId: string } | { readonly name: string };

export const MOST_STREAMS = 50;
const MOST_CANDIDATES = 10;
const MOST_REMEMBERED = 1000;
const FIND_FIRST = 'Call liveStreams_list to find it.';

/** The streams in tools' answers, so that a change can name the stream without a request. */
const remembered = new WeakMap<Account, Map<string, Stream>>();

export function remember(account: Account, streams: readonly Stream[]): void {
  const known = remembered.get(account) ?? new Map<string, Stream>();
  remembered.set(account, known);
  for (const stream of streams) {
    known.delete(stream.id);
    known.set(stream.id, stream);
  }
  for (const id of [...known.keys()].slice(0, Math.max(0, known.size - MOST_REMEMBERED))) known.delete(id);
}

/** Returns a stream without a request. */
export function rememberedStream({ context, account }: ToolCall, id: string): Stream | undefined {
  return context.store.snapshot.streams.get(id)?.stream ?? remembered.get(account)?.get(id);
}

/** Returns what an ID, playback ID, or name refers to: known streams first, then by its form. */
export function referenceOf(call: ToolCall, text: string): StreamReference {
  const { streams } = call.context.store.snapshot;
  const known = [
    ...[...streams.values()].map(({ stream }) => stream),
    ...(remembered.get(call.account)?.values() ?? []),
  ];
  const found = known.find(({ id, playbackId, name }) => [id, playbackId, name].includes(text));
  if (found !== undefined) return { id: found.id };
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return { id: text };
  return /^(?=.*\d)[a-z0-9]{16}$/.test(text) ? { playbackId: text } : { name: text };
}

/** Reads a stream in one request, or two. Throws a ToolProblem if there is none, or several with that name. */
export async function findStream(call: ToolCall, reference: StreamReference): Promise<FoundStream> {
  const found = 'id' in reference ? await readById(call, reference.id) : await search(call, reference);
  remember(call.account, [found.fact.stream]);
  return found;
}

export function sourcesOf({ context, account, info }: Omit<ToolCall, 'signal'>): Sources {
  const { snapshot } = context.store;
  return { snapshot, info, templates: templatesInForce(context), clean: (text) => account.withoutSecrets(text) };
}

async function readById({ context, account, signal }: ToolCall, id: string): Promise<FoundStream> {
  const stream = await account.readStream(id, { signal });
  if (stream === undefined) throw new ToolProblem("There's no stream with this ID.", { next: FIND_FIRST });
  const fact = context.store.snapshot.streams.get(id);
  // The store doesn't have child streams.
  const now = { requestSeq: 0, startedAt: context.clock.now(), serverDate: context.clock.now() };
  return { fact: fact ?? { stream, ...now }, isCostly: false };
}

async function search(call: ToolCall, reference: Exclude<StreamReference, { id: string }>): Promise<FoundStream> {
  const { account, signal } = call;
  const { items, isCostly, ...age } = await account.findStreams(reference, { limit: MOST_STREAMS, signal });
  const toFound = (stream: Stream): FoundStream => ({ fact: { stream, ...age }, isCostly });
  if ('playbackId' in reference) {
    const stream = items.find(({ playbackId }) => playbackId === reference.playbackId);
    if (stream !== undefined) return toFound(stream);
    throw new ToolProblem("There's no stream with this playback ID.", { next: FIND_FIRST });
  }
  const matching = items.filter((stream) => hasNamePart(stream, reference.name));
  const exact = matching.filter(({ name }) => name === reference.name);
  const [stream, ...others] = exact.length > 0 ? exact : matching;
  if (stream === undefined) throw new ToolProblem("There's no stream with this name.", { next: FIND_FIRST });
  if (others.length > 0)
    throw severalStreams(
      call,
      [stream, ...others].map((each) => toFound(each).fact),
    );
  return toFound(stream);
}

function severalStreams(call: ToolCall, facts: readonly StreamFact[]): ToolProblem {
  const shown = facts.slice(0, MOST_CANDIDATES);
  const sources = sourcesOf(call);
  remember(
    call.account,
    shown.map(({ stream }) => stream),
  );
  return new ToolProblem(`${facts.length} streams match this name.`, {
    streams: shown.map((fact) => streamFacts(fact, sources)),
    next: 'Call the tool again with the ID of one of them.',
  });
}

/** Throws a ToolProblem unless the tools have read the stream. */
export function requireKnown(call: ToolCall, id: string): Stream {
  const stream = rememberedStream(call, id);
  if (stream !== undefined) return stream;
  throw new ToolProblem('This stream must be read before it can be changed.', {
    next: "Call liveStreams_get with the ID, and then call this tool again, so that the confirmation shows the stream's name.",
  });
}
