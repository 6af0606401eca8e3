import { setTimeout as wait } from 'node:timers/promises';
import type { DemoControl, FaultAnswer } from '../../src/demo/demoContract.ts';
import type { Chance } from './random.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What a service in trouble answers; `undefined` is what it would have answered anyway, only later. */
const ANSWERS: readonly ((chance: Chance) => FaultAnswer | undefined | Promise<undefined>)[] = [
  () => 'reset',
  () => 'hang',
  () => ({ status: 500 }),
  () => ({ status: 503, headers: { 'retry-after': '0' } }),
  () => ({ status: 429, headers: { 'retry-after': '1' } }),
  () => ({ status: 403, headers: JSON_TYPE, body: '{"errors":["not now"]}' }),
  () => ({ status: 302, headers: { location: 'http://other.invalid/' } }),
  () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in' }),
  () => ({ status: 200, headers: JSON_TYPE, body: '[{"id":"half","name":"of it' }),
  () => ({ status: 200, headers: JSON_TYPE, body: '{"not":"expected"}' }),
  () => ({ status: 204 }),
  (chance) => wait(chance.below(1500)).then(() => undefined),
  (chance) => wait(chance.below(100)).then(() => undefined),
];

/** From now on this share of all requests is answered badly; the path is looked at by nobody. */
export function makeTrouble(control: DemoControl, chance: Chance, share: number): void {
  control.fault(() => (chance.fraction() < share ? chance.pick(ANSWERS)?.(chance) : undefined));
}

/** One thing that happens at the service by itself. */
export function changeService(control: DemoControl, chance: Chance): void {
  const streams = control.streams().filter(({ parentId }) => parentId === undefined);
  const id = chance.pick(streams)?.id;
  if (id === undefined) return void control.addStream({ name: 'The first' });
  const change = chance.pick<() => unknown>([
    () => control.startBroadcast(id),
    () => control.startBroadcast(id),
    () => control.endBroadcast(id),
    () => control.setStream(id, { isActive: false }),
    () => control.setStream(id, { name: `Renamed there ${chance.below(1000)}` }),
    () => control.setStream(id, { record: chance.below(2) === 0 }),
    () => control.addSession(id, { record: true, recordingStatus: 'ready', lastSeen: Date.now() }),
    () => (streams.length < 80 ? control.addStream({ name: `Added there ${chance.below(1000)}` }) : undefined),
    () => (streams.length > 15 ? control.deleteStream(id) : undefined),
  ]);
  change?.();
}
