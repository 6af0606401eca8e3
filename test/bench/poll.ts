import type { RealModel } from '../support/model/realModel.ts';
import { API_KEY, NOW } from './account.ts';
import { connectModel, requireStreams } from './benchModel.ts';
import { type BenchService, withBenchService } from './benchService.ts';
import { alternate, type Bench, type Figure, figureOf, formatFigure, formatNumber, timedCpu } from './measure.ts';

const LIVE = 50;
const FEW = 100;
const MANY = 100_000;
const ROUNDS = 9;
/** A poll takes so little that one alone could not be measured. */
const POLLS_A_SAMPLE = 20;

/** What one poll was, on average over a sample. */
interface Poll {
  readonly requests: number;
  readonly bytes: number;
  readonly cpu: number;
}

/** One look at 50 live streams, of an account with few and with many idle ones. */
export const poll: Bench = {
  name: 'poll',
  run: () =>
    withBenchService(async (service) => {
      const [few, many] = [await open(service, 'few', FEW), await open(service, 'many', MANY)];
      const found = await alternate(ROUNDS, {
        few: () => polls(service, few, true),
        many: () => polls(service, many, true),
        quietFew: () => polls(service, few, false),
        quietMany: () => polls(service, many, false),
        everything: () => listEverything(service, many),
      });
      for (const { model } of [few, many]) model.dispose();
      const all = partsOf(found.everything);
      const reference = `listing everything: ${all.requests}, ${all.bytes}, ${all.cpu} of CPU`;
      return [
        rowOf('a poll: 50 live streams, all of which changed', found.few, found.many, reference),
        rowOf('… when nothing changed (304)', found.quietFew, found.quietMany, ''),
      ];
    }),
};

interface Opened {
  readonly name: string;
  readonly model: RealModel;
  readonly baseUrl: string;
  moved: number;
}

async function open(service: BenchService, name: string, idle: number): Promise<Opened> {
  const account = { title: 'Channel', streams: LIVE + idle, live: LIVE, liveFrom: 20 };
  const baseUrl = await service.call('addAccount', name, account);
  const model = connectModel(baseUrl);
  await model.loader.refreshActive();
  requireStreams(model, LIVE);
  return { name, model, baseUrl, moved: 0 };
}

/** Data arrives all the time: the moment it was last seen is another at each look, unless the service is as it was. */
async function polls(service: BenchService, opened: Opened, areMoving: boolean): Promise<Poll> {
  let cpu = 0;
  await service.call('takeSeen', opened.name);
  for (let count = 0; count < POLLS_A_SAMPLE; count++) {
    opened.moved += areMoving ? 1 : 0;
    const lastSeen = NOW - 4_000 + opened.moved;
    const changes = Array.from({ length: LIVE }, (_, index) => [index + 20, { lastSeen }] as const);
    if (areMoving) await service.call('change', opened.name, changes);
    cpu += await timedCpu(() => opened.model.loader.refreshActive());
  }
  requireStreams(opened.model, LIVE);
  return average(cpu, await service.call('takeSeen', opened.name), POLLS_A_SAMPLE);
}

/** What a client does that knows no filters: page after page. */
async function listEverything(service: BenchService, { name, baseUrl }: Opened): Promise<Poll> {
  await service.call('takeSeen', name);
  let rows = 0;
  const cpu = await timedCpu(async () => {
    for (let skip = 0, length = 1000; length === 1000; skip += length) {
      const address = `${baseUrl}/stream?streamsonly=1&limit=1000&cursor=skip${skip}`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${API_KEY}` } });
      const page: unknown = await answer.json();
      length = Array.isArray(page) ? page.length : 0;
      rows += length;
    }
  });
  if (rows !== MANY + LIVE) throw new Error(`${rows} rows came`);
  return average(cpu, await service.call('takeSeen', name), 1);
}

function average(cpu: number, seen: readonly { readonly bytes: number }[], times: number): Poll {
  const bytes = seen.reduce((sum, request) => sum + request.bytes, 0);
  return { requests: seen.length / times, bytes: bytes / times, cpu: cpu / times };
}

function figuresOf(samples: readonly Poll[]): Readonly<Record<keyof Poll, Figure>> {
  const of = (part: keyof Poll) => figureOf(samples.map((sample) => sample[part]));
  return { requests: of('requests'), bytes: of('bytes'), cpu: of('cpu') };
}

function partsOf(samples: readonly Poll[]): Readonly<Record<keyof Poll, string>> {
  const { requests, bytes, cpu } = figuresOf(samples);
  return {
    requests: `${formatNumber(requests.median)} request${requests.median === 1 ? '' : 's'}`,
    bytes: bytes.median < 1e6 ? `${formatNumber(bytes.median / 1e3)} kB` : `${formatNumber(bytes.median / 1e6)} MB`,
    cpu: formatFigure(cpu, 'ms'),
  };
}

/** Bytes may differ by the length of an address; what grows with idle streams would be far beyond that. */
function rowOf(figure: string, few: readonly Poll[], many: readonly Poll[], reference: string) {
  const [small, large] = [figuresOf(few), figuresOf(many)];
  const isFlat = large.bytes.median <= small.bytes.median * 1.01 && large.cpu.median <= small.cpu.median * 1.5;
  const parts = partsOf(many);
  return {
    figure,
    measured: `with 100,000 idle streams ${parts.requests}, ${parts.bytes}, ${parts.cpu} of CPU; with 100 ${partsOf(few).bytes}, ${partsOf(few).cpu}`,
    reference,
    aim: '1 request, no growth with idle streams',
    isMet: large.requests.max === 1 && isFlat,
  };
}
