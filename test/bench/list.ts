import { request } from 'undici';
import { cursorOfLink } from '../../src/api/paging.ts';
import type { RealModel } from '../support/model/realModel.ts';
import { API_KEY } from './account.ts';
import { connectModel, requireStreams } from './benchModel.ts';
import { withBenchService } from './benchService.ts';
import { collectGarbage } from './collectGarbage.ts';
import { alternate, type Bench, figureOf, formatFigure, formatRatio, type Result, timed } from './measure.ts';

const STREAMS = 10_000;
const ROUNDS = 11;
const RAW_AIM = 1.25;

/** How long it takes from the first request until the store has published 10,000 streams. */
export const list: Bench = {
  name: 'list',
  run: () =>
    withBenchService(async (service) => {
      const account = { title: 'Channel', streams: STREAMS, live: STREAMS, liveFrom: 0 };
      const pages = await service.call('addAccount', 'pages', account);
      const page = await service.call('addAccount', 'page', { ...account, isPaged: false });
      const times = await alternate(ROUNDS, {
        pages: () => timeLook(pages),
        rawPages: () => timeRaw(pages),
        again: () => timeSecondLook(pages),
        page: () => timeLook(page),
        rawPage: () => timeRaw(page),
      });
      const figures = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, figureOf(values)]));
      const inWords = (name: keyof typeof times) => formatFigure(figureOf(times[name]), 'ms');
      const ratio = (ours: keyof typeof times, other: keyof typeof times) =>
        (figures[ours]?.median ?? Number.NaN) / (figures[other]?.median ?? Number.NaN);
      const row = (figure: string, ours: keyof typeof times, raw: keyof typeof times): Result => ({
        figure,
        measured: inWords(ours),
        reference: `undici + JSON.parse of the same bytes: ${inWords(raw)}; ${formatRatio(ratio(ours, raw))}`,
        aim: `${RAW_AIM} × the raw read`,
        isMet: ratio(ours, raw) <= RAW_AIM,
      });
      return [
        row('list 10,000 streams: 10 pages of 1,000', 'pages', 'rawPages'),
        { ...row('… again, with all of them known', 'again', 'rawPages'), aim: '', isMet: undefined },
        row('… one page of 10,000', 'page', 'rawPage'),
      ];
    }),
};

function timeLook(baseUrl: string): Promise<number> {
  return withModel(baseUrl, (model) => timed(() => model.loader.refreshActive()));
}

async function timeSecondLook(baseUrl: string): Promise<number> {
  return withModel(baseUrl, async (model) => {
    await model.loader.refreshActive();
    collectGarbage();
    // By hand: without the ETag, so that everything is sent and read again.
    return timed(() => model.loader.refreshActive());
  });
}

async function withModel(baseUrl: string, run: (model: RealModel) => Promise<number>): Promise<number> {
  const model = connectModel(baseUrl);
  try {
    collectGarbage();
    const time = await run(model);
    requireStreams(model, STREAMS);
    return time;
  } finally {
    model.dispose();
  }
}

/** What nobody can do without: the bytes, and what they mean. */
async function timeRaw(baseUrl: string): Promise<number> {
  collectGarbage();
  const rows: unknown[] = [];
  const time = await timed(async () => {
    const filters = encodeURIComponent(JSON.stringify([{ id: 'isActive', value: true }]));
    const address = `${baseUrl}/stream?streamsonly=1&filters=${filters}&limit=1000&order=createdAt-true,id-true`;
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const headers = { authorization: `Bearer ${API_KEY}` };
      const answer = await request(cursor === undefined ? address : `${address}&cursor=${cursor}`, { headers });
      const page: unknown = JSON.parse(await answer.body.text());
      rows.push(...(Array.isArray(page) ? page : []));
      cursor = cursorOfLink([answer.headers.link ?? ''].flat().join(', '));
    }
  });
  if (rows.length !== STREAMS) throw new Error(`${rows.length} rows came, not ${STREAMS}`);
  return time;
}
