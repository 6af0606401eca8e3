import assert from 'node:assert/strict';
import { recordingsTree } from '../../../src/tree/recordingsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { composeRealModel, type RealModel } from '../../support/model/realModel.ts';
import type { ClientName } from '../../support/service/clients.ts';
import { type FaultService, startFaultService } from '../../support/service/faultService.ts';
import { ScriptedService } from '../../support/service/scriptedService.ts';
import { recordingLog, until } from '../api/support.ts';
import { countingClock, KEY } from './attacked.ts';
import type { FaultCase, Outcome } from './faults.ts';

/** Milliseconds for a whole call, for a service that never answers. */
const TIMEOUT_MS = 250;
/** What comes to an end by itself is given time for it, however busy the machine. */
const LONG_MS = 8000;

export interface Screen {
  readonly model: RealModel;
  readonly service: FaultService;
  /** What the service holds. */
  readonly data: ScriptedService;
  readonly clock: ReturnType<typeof countingClock>;
  readonly log: ReturnType<typeof recordingLog>;
  /** The rows of the Recordings view, those of a day after it. */
  recordings(): Promise<readonly string[]>;
  /** Ends everything, and fails when something is left behind. */
  end(): Promise<void>;
}

interface ScreenOptions {
  readonly client?: ClientName;
  readonly timeoutMs?: number;
  readonly pageSize?: number;
}

/** A tree with every group and stream open, over a service with streams of all kinds, and with recordings. */
export async function openScreen(options: ScreenOptions = {}) {
  const { client = 'undici', timeoutMs = TIMEOUT_MS, pageSize = 500 } = options;
  const data = someStreams();
  const service = await startFaultService(async ({ method, path, query, body }) => {
    const url = `http://x${path}${query === '' ? '' : `?${query}`}`;
    const reply = await data.send({ method: method as 'GET' | 'PATCH', url, headers: {}, body });
    // Changes are answered with a body here, so that there is one to spoil; and spoilt it is as text.
    if (reply.status === 204) return { status: 200, headers: {}, body: '{"id":"one"}' };
    return { ...reply, body: Buffer.from(reply.body).toString() };
  });
  const clock = countingClock();
  const log = recordingLog();
  // Short while something is wrong: how busy the machine is does not matter to what is right.
  const patience = () => (service.fault === undefined ? LONG_MS : timeoutMs);
  const shared = { baseUrl: service.url, apiKey: KEY, clock, log, pageSize, client };
  const model = composeRealModel({ ...shared, timeoutMs: patience });
  const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: 'UTC' });
  const view = new TreeModel({ store: model.store, shape: recordingsTree(model.store, model.loader), drawing });
  model.connect();
  const screen: Screen = {
    ...{ model, service, data, clock, log },
    recordings: () => rowsOf(view),
    async end() {
      // Clips are read in the background.
      await until(() => clock.timers === 0);
      view.dispose();
      model.dispose();
      // Connections that are kept for the next call are the editor's own there.
      if (client === 'undici') await until(() => service.sockets.size === 0);
      await service.close();
      assert.deepEqual(model.listenerErrors, []);
      assert.ok(!log.lines.join().includes(KEY));
      assert.deepEqual(
        log.lines.filter((line) => line.startsWith('error')),
        [],
      );
    },
  };
  return screen;
}

function someStreams(): ScriptedService {
  const data = new ScriptedService(Date.now);
  data.add(
    { id: 'live', name: 'Keynote', isActive: true, lastSeen: Date.now(), playbackId: 'p' },
    { id: 'both', isActive: true, record: true, lastSeen: Date.now() },
    ...['one', 'two', 'three'].map((id, index) => ({ id, record: id === 'two', lastSeen: 1000 - index })),
  );
  const session = (id: string, at: number) => ({ id, parentId: 'one', createdAt: at, lastSeen: at + 1, record: true });
  data.sessions.set('one', [session('s', 5)]);
  data.userSessions.push(...Array.from({ length: 12 }, (_, index) => session(`s${index}`, 5 + index)));
  return data;
}

async function rowsOf(view: TreeModel): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const node of await view.children(undefined)) {
    // Retry comes and goes with what failed.
    if (node.kind === 'retry' || node.kind === 'notice') continue;
    lines.push(view.row(node).label);
    for (const child of await view.children(node)) lines.push(`  ${view.row(child).label}`);
  }
  return lines;
}

/** For `openScreen`: how long a call may take while the service does this. */
export function patienceFor({ outcome }: FaultCase): number {
  return JSON.stringify(outcome).includes('timeout') ? TIMEOUT_MS : LONG_MS;
}

/** What a fault makes of lists, of one thing that is read, or of a change. */
export function outcomeFor(
  fault: FaultCase,
  reading: 'list' | 'one' | 'change',
  client: ClientName = 'undici',
): Outcome {
  const outcome = client === 'undici' ? fault.outcome : (fault.editor ?? fault.outcome);
  return typeof outcome === 'object' && 'list' in outcome ? outcome[reading] : outcome;
}
