import type { Log } from '../../src/services.ts';
import { composeRealModel, type RealModel } from '../support/model/realModel.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { API_KEY } from './account.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error: (message, error) => console.error(message, error) };

/** The product's model over its real transport, connected to a service; nothing is asked yet. */
export function connectModel(baseUrl: string): RealModel {
  const options = { baseUrl, apiKey: API_KEY, clock: createTestClock(), log: silent };
  const model = composeRealModel({ ...options, timeoutMs: () => 60_000, pageSize: 1000 });
  model.connect();
  return model;
}

/** Fails where the snapshot does not hold so many streams: what was measured would be something else. */
export function requireStreams({ store: { snapshot } }: RealModel, count: number): void {
  const { trouble, streams } = snapshot;
  if (trouble !== undefined) throw trouble.error;
  if (streams.size !== count) throw new Error(`${streams.size} streams are known, not ${count}`);
}
