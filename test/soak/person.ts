import type { Node } from '../../src/tree/nodes.ts';
import type { Fixture } from '../unit/commands/fixture.ts';
import type { Chance } from './random.ts';

/** Commands that take a stream. */
const OF_STREAM = [
  ...['renameStream', 'turnRecordingOn', 'turnRecordingOff', 'suspendStream', 'resumeStream', 'endBroadcast'],
  ...['deleteStream', 'copyStreamKey', 'copyPlaybackId', 'copyIngestUrl', 'copyPlaybackUrl', 'openStreamJson'],
  ...['goToStream', 'openPlayerPage', 'openDashboard', 'copyLink', 'watchStream'],
];
const OF_ROW = ['refreshItem', 'refreshItem', 'loadMore', 'retry', 'copyStreamId', 'copyPlaybackUrl'];
const ALONE = [
  ...['refresh', 'refresh', 'listAllStreams', 'createStream', 'filterStreams', 'clearFilter', 'sortStreams'],
  ...['showRecordedSessions', 'showAllSessions', 'goToLiveStream', 'showOnlyRecordings', 'showMoreThanRecordings'],
];

/** One thing that a person does: a command with a stream, with a row, or alone. Which it was. */
export async function act(fixture: Fixture, nodes: readonly Node[], chance: Chance): Promise<string> {
  const kind = chance.below(3);
  const node = chance.pick(nodes);
  const id = chance.pick(fixture.service.control.streams())?.id;
  if (kind === 0 && id !== undefined) return run(fixture, chance.pick(OF_STREAM), id);
  if (kind === 1 && node !== undefined) return run(fixture, chance.pick(OF_ROW), node);
  return run(fixture, chance.pick(ALONE));
}

async function run(fixture: Fixture, command: string | undefined, ...args: readonly unknown[]): Promise<string> {
  if (command !== undefined) await fixture.run(command, ...args);
  return command ?? '';
}
