import { type Face, fullFace } from '../../../src/demo/api.ts';
import type { DemoFace, DemoOptions, DemoService } from '../../../src/demo/demoContract.ts';
import { openSite } from '../../../src/demo/site.ts';
import { createControl, noteRequest, type Switches } from './control.ts';
import { answerStrict } from './strictApi.ts';

export type {
  DemoControl,
  DemoFace,
  DemoOptions,
  DemoRequest,
  DemoService,
  FaultAnswer,
  FaultRule,
  SeenRequest,
} from '../../../src/demo/demoContract.ts';
export type { DemoSession, DemoStream, RecordingStatus } from '../../../src/demo/world.ts';

const FACES: Readonly<Record<DemoFace, Face>> = {
  full: fullFace(false),
  indifferent: fullFace(true),
  strict: { tellsPlayback: false, hasPages: false, answer: answerStrict },
};

/**
 * Starts the embedded service with what only tests and screenshots need, beyond what ships (embeddedDemo.ts): the other
 * faces and the control. Rejects if it cannot listen. Disposing closes all connections at once.
 */
export async function startDemo(options: DemoOptions): Promise<DemoService> {
  const switches: Switches = { requests: [], fault: undefined, isKeyRevoked: false, browserKey: undefined };
  const { demo, world, life } = await openSite({
    ...options,
    api: FACES[options.face ?? 'full'],
    watch: {
      note: (request) => noteRequest(switches, request),
      fault: (request) => switches.fault?.(request),
      isKeyRevoked: () => switches.isKeyRevoked,
      browserKey: () => switches.browserKey,
    },
  });
  return { ...demo, control: createControl(world, life, switches) };
}
