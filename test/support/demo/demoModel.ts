import { fakeLog } from '../model/fakes.ts';
import { type HeldClock, heldClock } from '../model/heldClock.ts';
import { composeRealModel, type RealModel } from '../model/realModel.ts';
import { inProject } from '../projectFolder.ts';
import { startDemo } from './demoService.ts';

type Control = Awaited<ReturnType<typeof startDemo>>['control'];

/** The model over a demo service without streams, by a held clock. */
export async function withDemoModel(
  pageSize: number,
  test: (model: RealModel, control: Control, clock: HeldClock) => Promise<void>,
): Promise<void> {
  const clock = heldClock();
  const options = { seed: 7, isLively: false, streamCount: 0 };
  const service = await startDemo({ clock, mediaRoot: inProject('media/demo'), ...options });
  const { baseUrl, apiKey } = service;
  const model = composeRealModel({ baseUrl, apiKey, clock, log: fakeLog(), timeoutMs: 60_000, pageSize });
  try {
    await test(model, service.control, clock);
  } finally {
    model.dispose();
    service.dispose();
  }
}
