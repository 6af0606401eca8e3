import type { DemoControl } from '../support/demo/demoService.ts';
import type { Chance } from './random.ts';

/** So many streams a service has, about; all their rows fit on the screen. */
const FEWEST = 12;
const MOST = 36;

/** One thing that happens at the service by itself. What it was. */
export function changeService(control: DemoControl, chance: Chance): string {
  const streams = control.streams().filter(({ parentId }) => parentId === undefined);
  const id = chance.pick(streams)?.id ?? control.addStream({ name: 'The first' }).id;
  const changes: readonly (readonly [what: string, change: () => unknown])[] = [
    ['a broadcast starts', () => control.startBroadcast(id)],
    ['a broadcast starts', () => control.startBroadcast(id)],
    ['a broadcast ends', () => control.endBroadcast(id)],
    ['a broadcast ends', () => control.setStream(id, { isActive: false })],
    ['renamed', () => control.setStream(id, { name: `Renamed there ${chance.below(1000)}` })],
    ['recording is turned on or off', () => control.setStream(id, { record: chance.below(2) === 0 })],
    ['a recording gets ready', () => finishRecording(control, id)],
    ['a session is added', () => control.addSession(id, { ...past(), recordingStatus: 'waiting' })],
    streams.length < MOST
      ? ['a stream is added', () => control.addStream({ name: `Added there ${chance.below(1000)}` })]
      : ['a stream is deleted', () => control.deleteStream(id)],
    streams.length > FEWEST
      ? ['a stream is deleted', () => control.deleteStream(id)]
      : ['a stream is added', () => control.addStream({ name: `Added there ${chance.below(1000)}` })],
  ];
  const [what, change] = chance.pick(changes) ?? ['', () => undefined];
  change();
  return what;
}

/** A session to which something was sent and which was recorded. */
const past = () => ({ record: true, lastSeen: Date.now(), sourceSegments: 30, sourceSegmentsDuration: 60 });

function finishRecording(control: DemoControl, streamId: string): void {
  const waiting = control.sessions(streamId).find(({ recordingStatus }) => recordingStatus === 'waiting');
  if (waiting === undefined) control.addSession(streamId, { ...past(), recordingStatus: 'ready' });
  else control.setSession(waiting.id, { recordingStatus: 'ready' });
}
