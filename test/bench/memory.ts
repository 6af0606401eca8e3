import type { RealModel } from '../support/model/realModel.ts';
import { connectModel, requireStreams } from './benchModel.ts';
import { type BenchService, withBenchService } from './benchService.ts';
import { usedHeap } from './collectGarbage.ts';
import { alternate, type Bench, figureOf, formatFigure, formatNumber, formatRatio } from './measure.ts';

const STREAMS = 10_000;
const ROUNDS = 7;
const AIM = 1.5;
const MB = 1e6;

/** What 10,000 streams take in the heap, with all that the client and the store keep of them. */
export const memory: Bench = {
  name: 'memory',
  run: () =>
    withBenchService(async (service) => {
      const account = { title: 'Channel', streams: STREAMS, live: STREAMS, liveFrom: 0 };
      const baseUrl = await service.call('addAccount', 'memory', account);
      // Kept to the end: one that is let go in the middle would be counted against the next.
      const models: RealModel[] = [];
      const { heap } = await alternate(ROUNDS, { heap: () => heapOfStreams(baseUrl, models) });
      for (const model of models) model.dispose();
      const text = await textLength(service, baseUrl);
      const figure = figureOf(heap.map((bytes) => bytes / MB));
      const ratio = (figure.median * MB) / text;
      return [
        {
          figure: 'memory: heap of 10,000 streams in the store',
          measured: formatFigure(figure, 'MB'),
          reference: `their JSON text: ${formatNumber(text / MB)} MB; ${formatRatio(ratio)}`,
          aim: `${AIM} × the text`,
          isMet: ratio <= AIM,
        },
      ];
    }),
};

/** Characters of what the service sent, which are bytes here. */
async function textLength(service: BenchService, baseUrl: string): Promise<number> {
  await service.call('takeSeen', 'memory');
  const model = connectModel(baseUrl);
  await model.loader.refreshActive();
  model.dispose();
  const seen = await service.call('takeSeen', 'memory');
  return seen.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function heapOfStreams(baseUrl: string, models: RealModel[]): Promise<number> {
  const model = connectModel(baseUrl);
  models.push(model);
  const before = usedHeap();
  await model.loader.refreshActive();
  const used = usedHeap() - before;
  requireStreams(model, STREAMS);
  return used;
}
