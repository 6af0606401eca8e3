import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, countDecodedAudio, untilVideo, videoOf } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf, settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { startMediaServer } from '../support/service/mediaServer.ts';
import { serveBeepBroadcast, serveBeepStream } from '../support/sound/beepServer.ts';
import type { BrowserKind } from '../support/vscode/browser.ts';
import { packageForTests } from '../support/vscode/vsix.ts';
import { openWorkbench, type Workbench } from '../support/vscode/workbench.ts';
import { type BrowserUse, readBrowserUse } from './browserProcesses.ts';
import { alternate, type Bench, type Figure, figureOf, formatFigure, formatNumber, type Result } from './measure.ts';
import { type PlaybackStart, readStartInPage, watchStartInPage } from './playbackStart.ts';

const ROUNDS = 7;
/** Unless --minutes says otherwise. With fewer than four, the minutes that are compared would be the same. */
const USUAL_MINUTES = 10;
/** After so long a player has all that it needs: what is added later is compared with it. */
const SETTLED_MINUTES = 5;
const SAMPLE_EVERY_MS = 10_000;
const SAMPLES_A_MINUTE = 60_000 / SAMPLE_EVERY_MS;
const MEMORY_AIM_MB = 60;
const MB = 1e6;

type Both<T> = Readonly<Record<BrowserKind, T>>;

/** A player where the editor has no AAC decoder, as on the desktop, beside one where it has. */
export const player: Bench = {
  name: 'player',
  async run(report, { minutes = USUAL_MINUTES }) {
    await packageForTests();
    const [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
    await serveBeepStream(media, 'recorded', { container: 'ts', tracks: 'muxed', segments: 4 });
    serveBeepBroadcast(media, 'live', { container: 'ts' });
    const workbenches: Workbench[] = [];
    const open = async (browser: BrowserKind): Promise<Workbench> => {
      const browserArgs = ['--autoplay-policy=no-user-gesture-required'];
      const workbench = await openWorkbench({ ...settingsFor(service), browser, browserArgs });
      workbenches.push(workbench);
      await workbench.page.addInitScript(watchStartInPage);
      await connectTo(workbench.page, service);
      return workbench;
    };
    try {
      const both = { withoutAac: await open('withoutAac'), withAac: await open('withAac') };
      addRecording(service, 'Recorded', { recordingUrl: `${media.origin}/recorded/index.m3u8` });
      const starts = await alternate(ROUNDS, {
        withoutAac: () => measureStart(both.withoutAac),
        withAac: () => measureStart(both.withAac),
      });
      report('started');
      addRecording(service, 'Live', { recordingUrl: `${media.origin}/live/index.m3u8` });
      const uses = await play(both, minutes, report);
      return [...describeStarts(starts), ...describeUses(uses, minutes)];
    } finally {
      for (const workbench of workbenches) await workbench.close();
      service.dispose();
      media.close();
    }
  },
};

async function measureStart({ page }: Workbench): Promise<PlaybackStart> {
  await openRecordingOf(page, 'Recorded');
  await videoOf(page).waitFor();
  const start = await waitUntil(() => videoOf(page).evaluate(readStartInPage));
  await closeTabs(page);
  return start;
}

/** Plays a broadcast in both at the same time. */
async function play(
  both: Both<Workbench>,
  minutes: number,
  report: (line: string) => void,
): Promise<Both<readonly BrowserUse[]>> {
  for (const { page } of Object.values(both)) {
    await openRecordingOf(page, 'Live');
    await untilVideo(page, ({ currentTime }) => currentTime > 0);
  }
  const uses: { readonly [K in BrowserKind]: BrowserUse[] } = { withoutAac: [], withAac: [] };
  for (let sample = 0; sample <= minutes * SAMPLES_A_MINUTE; sample++) {
    if (sample > 0) await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    for (const kind of ['withoutAac', 'withAac'] as const) uses[kind].push(await readBrowserUse(both[kind].browser));
    if (sample % SAMPLES_A_MINUTE !== 0) continue;
    const now = Object.entries(uses).map(([kind, all]) => `${kind} ${formatMegabytes(all.at(-1)?.rendererBytes ?? 0)}`);
    report(`${sample / SAMPLES_A_MINUTE} minutes: ${now.join(', ')}`);
    await Promise.all(Object.values(both).map(requireSound));
  }
  return uses;
}

/** Fails where it stands still or is silent: what was measured would be something else. */
async function requireSound({ page }: Workbench): Promise<void> {
  const [{ currentTime }, bytes] = [await untilVideo(page, () => true), await countDecodedAudio(page)];
  await untilVideo(page, (video) => video.currentTime > currentTime);
  await waitUntil(async () => (await countDecodedAudio(page)) > bytes);
}

function describeStarts(starts: Both<readonly PlaybackStart[]>): readonly Result[] {
  const figure = (kind: BrowserKind, part: keyof PlaybackStart): string =>
    formatFigure(figureOf(starts[kind].map((start) => start[part])), 'ms');
  const row = (title: string, part: keyof PlaybackStart): Result => ({
    figure: title,
    measured: figure('withoutAac', part),
    reference: `the browser's own decoder: ${figure('withAac', part)}`,
    aim: '',
    isMet: undefined,
  });
  return [
    row('a player without an AAC decoder: from loading its page to the first frame', 'frame'),
    row('… to the first sound', 'sound'),
  ];
}

function describeUses(uses: Both<readonly BrowserUse[]>, minutes: number): readonly Result[] {
  const [ours, native] = [growthOf(uses.withoutAac), growthOf(uses.withAac)];
  return [
    {
      figure: `… ${minutes} minutes of a broadcast: CPU of the whole browser, with the workbench`,
      measured: `${coresOf(uses.withoutAac).toFixed(3)} of a core`,
      reference: `the browser's own decoder: ${coresOf(uses.withAac).toFixed(3)}`,
      aim: '',
      isMet: undefined,
    },
    {
      figure: '… memory of the renderer, with the workbench, in the last minute',
      measured: describeGrowth(ours),
      reference: `the browser's own decoder: ${describeGrowth(native)}`,
      aim: `${MEMORY_AIM_MB} MB more than after ${formatNumber(ours.settledAfter)} minutes`,
      isMet: ours.more <= MEMORY_AIM_MB,
    },
  ];
}

/** Of what the whole browser did in the time. */
function coresOf(uses: readonly BrowserUse[]): number {
  const [first, last] = [uses[0], uses.at(-1)];
  if (first === undefined || last === undefined) throw new Error('Nothing was measured');
  return (last.cpuSeconds - first.cpuSeconds) / (((uses.length - 1) * SAMPLE_EVERY_MS) / 1000);
}

interface Growth {
  readonly settledAfter: number;
  readonly last: Figure;
  /** By medians of a minute, in megabytes. */
  readonly more: number;
}

function growthOf(uses: readonly BrowserUse[]): Growth {
  const megabytes = uses.map(({ rendererBytes }) => rendererBytes / MB);
  const minutes = (uses.length - 1) / SAMPLES_A_MINUTE;
  const settledAfter = Math.min(SETTLED_MINUTES, Math.floor(minutes / 2));
  const from = settledAfter * SAMPLES_A_MINUTE;
  const settled = figureOf(megabytes.slice(from, from + SAMPLES_A_MINUTE + 1));
  const last = figureOf(megabytes.slice(-SAMPLES_A_MINUTE - 1));
  return { settledAfter, last, more: last.median - settled.median };
}

function describeGrowth({ last, more, settledAfter }: Growth): string {
  return `${formatFigure(last, 'MB')}, ${formatNumber(more)} MB more than after ${settledAfter} minutes`;
}

function formatMegabytes(bytes: number): string {
  return `${formatNumber(bytes / MB)} MB`;
}
