import type { StreamApi } from '../../../src/api/streamApi.ts';
import type { Reply } from '../../support/service/faultReply.ts';
import type { FaultRequest } from '../../support/service/faultRequests.ts';

/** What an endpoint makes of an answer: a list of rows, one thing, or no more than whether it was accepted. */
export type Reading = 'list' | 'rawList' | 'one' | 'change';

export interface Endpoint {
  readonly name: string;
  readonly reading: Reading;
  /** May it be asked for again by itself? */
  readonly isRepeated: boolean;
  /** What a good answer tells of what was asked for; undefined where it is not looked at. */
  readonly row:
    | { readonly id: string; readonly name: string | undefined; readonly isActive: boolean | undefined }
    | undefined;
  readonly call: (api: StreamApi, signal?: AbortSignal) => Promise<unknown>;
}

const stream = { id: 'a', name: 'Keynote', isActive: true, streamKey: 'stre-amke-y000-0001', conditions: [] };
const session = { id: 's', parentId: 'a', record: true, recordingStatus: 'ready', parentStream: stream };

async function allOf(pages: AsyncGenerator<unknown>): Promise<readonly unknown[]> {
  return Array.fromAsync(pages);
}

const rowOf = (name: string, kind: Reading): Endpoint['row'] => {
  if (kind === 'change') return undefined;
  if (name.includes('Session')) return { id: session.id, name: undefined, isActive: undefined };
  return { id: stream.id, name: stream.name, isActive: stream.isActive };
};
const reading = (name: string, kind: Reading, call: Endpoint['call']): Endpoint => ({
  ...{ name, call, row: rowOf(name, kind) },
  reading: kind,
  isRepeated: true,
});
const changing = (name: string, kind: Reading, call: Endpoint['call']): Endpoint => ({
  ...{ name, call, row: rowOf(name, kind) },
  reading: kind,
  isRepeated: false,
});
const given = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Every method of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  reading('listStreams', 'list', (api, signal) => api.listStreams({ parentsOnly: true, limit: 20 }, given(signal))),
  reading('getStream', 'one', (api, signal) => api.getStream('a', given(signal))),
  reading('getStreamJson', 'one', (api, signal) => api.getStreamJson('a', given(signal))),
  reading('listSessions', 'list', (api, signal) => api.listSessions('a', { recordedOnly: true }, given(signal))),
  reading('listUserSessions', 'list', (api, signal) => api.listUserSessions({ limit: 20 }, given(signal))),
  reading('getSession', 'one', (api, signal) => api.getSession('s', { parentId: 'a', ...given(signal) })),
  reading('getSessionJson', 'one', (api, signal) => api.getSessionJson('s', { parentId: 'a', ...given(signal) })),
  changing('createStream', 'one', (api) => api.createStream({ name: 'New' })),
  changing('patchStream', 'change', (api) => api.patchStream('a', { name: 'Other' })),
  changing('endBroadcast', 'change', (api) => api.endBroadcast('a')),
  changing('deleteStream', 'change', (api) => api.deleteStream('a')),
  reading('eachStreamPage', 'list', (api, signal) =>
    allOf(api.eachStreamPage({ parentsOnly: true, limit: 20 }, given(signal))),
  ),
  reading('eachStreamJsonPage', 'rawList', (api, signal) =>
    allOf(api.eachStreamJsonPage({ parentsOnly: true, limit: 20 }, given(signal))),
  ),
  reading('getPlaybackInfo', 'one', (api, signal) => api.getPlaybackInfo('p', given(signal))),
  reading('getStreamHealthJson', 'one', (api, signal) => api.getStreamHealthJson('a', given(signal))),
];

/** What a service in good health answers. Changes are answered with a body here, so that there is one to spoil. */
export function goodReply({ method, path }: FaultRequest): Reply {
  const rows: unknown = path.endsWith('/sessions') || path.startsWith('/session') ? session : stream;
  const isList = method === 'GET' && (path === '/stream' || path === '/session' || path.endsWith('/sessions'));
  const status = method === 'POST' ? 201 : 200;
  return {
    status,
    headers: { 'content-type': 'application/json', date: new Date().toUTCString() },
    body: JSON.stringify(isList ? [rows] : rows),
  };
}
