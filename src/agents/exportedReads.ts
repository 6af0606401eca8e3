import { isId } from '../api/ids.ts';
import { detailedFacts, streamFacts, ToolProblem } from './answers.ts';
import { factsOfFailure, readInTime, type ToolCall, type ToolContext } from './call.ts';
import type { LiveStream, LiveStreamDetails } from './liveStreamsApi.ts';
import { findStream, sourcesOf } from './streams.ts';

/** The reads for other extensions: the same facts as in tools. Rejects with an Error whose message has no secret. */
export class ExportedReads {
  readonly #context: ToolContext;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  listLiveStreams(): Promise<readonly LiveStream[]> {
    return this.#read(async (call) => {
      const { items, ...age } = await call.account.listLiveStreams(call.signal);
      const sources = sourcesOf(call);
      return items.map((stream) => streamFacts({ stream, ...age }, sources));
    });
  }

  async getStream(idOrPlaybackId: string): Promise<LiveStreamDetails | undefined> {
    if (!isId(idOrPlaybackId)) return undefined;
    const { snapshot } = this.#context.store;
    const known = [...snapshot.streams.values()].find(({ stream }) => stream.playbackId === idOrPlaybackId);
    return this.#read(async (call) => {
      const byId = await findDetails(call, { id: known?.stream.id ?? idOrPlaybackId });
      return byId ?? findDetails(call, { playbackId: idOrPlaybackId });
    });
  }

  async #read<T>(read: (call: ToolCall) => Promise<T>): Promise<T> {
    try {
      return await readInTime(this.#context, { signal: new AbortController().signal }, read);
    } catch (error) {
      throw new Error(String(factsOfFailure(this.#context, error).problem));
    }
  }
}

async function findDetails(
  call: ToolCall,
  reference: Parameters<typeof findStream>[1],
): Promise<LiveStreamDetails | undefined> {
  try {
    return detailedFacts((await findStream(call, reference)).fact, sourcesOf(call));
  } catch (error) {
    if (error instanceof ToolProblem) return undefined;
    throw error;
  }
}
