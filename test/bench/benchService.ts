import { inProject } from '../support/projectFolder.ts';
import { type OwnWorker, startWorker } from './ownWorker.ts';
import type { ServiceHandlers } from './serviceProcess.ts';

export type BenchService = OwnWorker<ServiceHandlers>;

/** Runs with a service in a process of its own. */
export async function withBenchService<T>(run: (service: BenchService) => Promise<T>): Promise<T> {
  const service = startWorker<ServiceHandlers>(inProject('test/bench/serviceProcess.ts'));
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}
