import * as vscode from 'vscode';
import type { LiveStreamsApi } from '../../agents/liveStreamsApi.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import type { StreamStore } from '../../model/store/store.ts';
import { isOnAir, isStale } from '../../model/store/streams.ts';
import type { LazyPart } from '../../util/lazyParts.ts';
import { couldNotLoad } from '../start/registrations.ts';
import type { AgentsRuntime } from './agentsRuntime.ts';

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

/**
 * Registers the tools of package.json; its `when` clauses determine which of them VS Code offers. Loads the rest on
 * first use. `api` is the return value of `activate`.
 */
export function registerAgentFeatures(
  { contributes }: Manifest,
  load: LazyPart<AgentsRuntime>,
  { onDidChange }: StreamStore,
): { readonly api: LiveStreamsApi; readonly tools: vscode.Disposable } {
  const agents = async () => {
    const loaded = await load();
    if (loaded === undefined) throw new Error(couldNotLoad());
    return loaded;
  };
  const tools = contributes.languageModelTools.map(({ name }) =>
    vscode.lm.registerTool<unknown>(name, {
      prepareInvocation: async ({ input }) => (await agents()).prepare(name, input),
      invoke: async ({ input }, token) => (await agents()).invoke(name, input, token),
    }),
  );
  const api: LiveStreamsApi = {
    version: 1,
    listLiveStreams: async () => (await agents()).reads.listLiveStreams(),
    getStream: async (text) => (await agents()).reads.getStream(text),
    onDidChangeLiveStreams(listener, thisArgs, disposables) {
      const subscription = onDidChange(({ previous, current }) => {
        if (activeStates(previous) !== activeStates(current)) listener.call(thisArgs);
      });
      disposables?.push(subscription);
      return subscription;
    },
  };
  return { api, tools: vscode.Disposable.from(...tools) };
}

function activeStates(snapshot: Snapshot): string {
  const states: (number | string)[] = [snapshot.generation];
  for (const [id, fact] of snapshot.streams) if (isOnAir(fact.stream)) states.push(id + isStale(fact));
  return states.sort().join();
}
