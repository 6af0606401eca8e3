import { isId } from '../api/ids.ts';
import { streamDetails, streamFacts, ToolProblem } from './answers.ts';
import { type Call, factsOfFailure, readInTime, type ToolContext } from './call.ts';
import type { LiveStream, LiveStreamDetails } from './liveStreamsApi.ts';
import { readStream, sourcesOf } from './streams.ts';

/** What other extensions read: the same facts as tools. Rejects with an Error whose message has no secret. */
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

  async #read<T>(read: (call: Call) => Promise<T>): Promise<T> {
    try {
      return await readInTime(this.#context, { signal: new AbortController().signal }, read);
    } catch (error) {
      throw new Error(String(factsOfFailure(this.#context, error).problem));
    }
  }
}

async function findDetails(
  call: Call,
  reference: Parameters<typeof readStream>[1],
): Promise<LiveStreamDetails | undefined> {
  try {
    return streamDetails((await readStream(call, reference)).fact, sourcesOf(call));
  } catch (error) {
    if (error instanceof ToolProblem) return undefined;
    throw error;
  }
}
