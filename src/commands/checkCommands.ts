import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError, isApiError } from '../api/errors.ts';
import { isId } from '../api/ids.ts';
import { isLoopback } from '../api/loopback.ts';
import type { HealthCondition, Stream } from '../api/types.ts';
import type { Account } from '../model/account/account.ts';
import { addressesFor, type CheckedUrl, checkOwnAddress, publicAddress, STUDIO_BASE_URL } from '../model/addresses.ts';
import { hlsAddressOf, openConnectionInfo, tryReadTemplates } from '../model/connection/knownAddresses.ts';
import { type FindingSection, judgeHls } from '../model/inspection/hlsFindings.ts';
import { type InspectionStep, inspectHls } from '../model/inspection/inspectHls.ts';
import { type CheckReport, findingsWith, reportText } from '../model/inspection/report.ts';
import { judgeIngest, judgeStream } from '../model/inspection/streamFindings.ts';
import { timelineOf } from '../model/inspection/timeline.ts';
import type { StreamFact } from '../model/store/snapshot.ts';
import type { CheckAction, RunCheck } from '../texts/checks.ts';
import { nameOf } from '../texts/names.ts';
import { isRefusal, Refusal } from '../texts/refusal.ts';
import { streamIsGone, unknownAddress } from '../texts/refusals.ts';
import { reportFailure } from './boundary.ts';
import { broadcastUntilLive } from './broadcast/broadcastUntilLive.ts';
import { droppedShare } from './broadcast/testBroadcasts.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { givenField } from './targets/commandArguments.ts';
import { resolveOneStream } from './targets/streamTargets.ts';

export type CheckContext = Pick<
  CommandContext,
  'ui' | 'store' | 'current' | 'settings' | 'demo' | 'clock' | 'drawing' | 'transport'
>;
type PageContext = CheckContext & Pick<CommandContext, 'checks' | 'log'>;
type BroadcastingContext = PageContext & Pick<CommandContext, 'testBroadcasts' | 'runCommand'>;

interface Running {
  readonly signal: AbortSignal;
  readonly onStep?: ((step: InspectionStep) => void) | undefined;
}

/**
 * Takes an HLS URL or a playback ID, as a string, {url}, or {playbackId}, or asks for it. Needs no connection. Resolves
 * when the check has ended.
 */
export async function inspectPlayback(context: PageContext, given?: unknown): Promise<void> {
  const text = givenPlayback(given) ?? (await askForPlayback(context));
  if (text === undefined) return;
  const url = await playbackUrlOf(context, text.trim());
  const { host } = new URL(url);
  const run = (running: Running) => inspect(context, { title: t('HLS playback on {0}', host), url }, running);
  const id = url.replace(/[?#].*$/s, '');
  await context.checks.open({ kind: 'playback', connection: '', id, name: host, run: reporting(context, run) });
}

/** Reports what the service knows about a stream and, while it's live, how it plays. Resolves when the check has ended. */
export async function checkStream(context: BroadcastingContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connection } = openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, t('Check Stream'));
  if (stream === undefined || !(await mayCheck(context, stream))) return;
  const { id } = stream;
  const run = async (running: Running): Promise<CheckReport> => {
    const report = await check(context, stream, running);
    return { ...report, sections: report.sections.toSpliced(1, 0, ...ingestOf(context, id)) };
  };
  await context.checks.open({ kind: 'stream', connection, id, name: nameOf(stream), run: reporting(context, run) });
}

/** A page shows what can be done beside a button that checks again. */
function reporting(context: PageContext, run: (running: Running) => Promise<CheckReport>): RunCheck {
  return async (signal, onStep) => {
    const { info } = context.current;
    try {
      return { kind: 'report', report: await run({ signal, onStep }) };
    } catch (error) {
      if (isAbortError(error)) throw error;
      const { sentence, actions } = reportFailure(context, error, { info, act: CHECK_AGAIN });
      const canRetry = !isRefusal(error) || actions.length > 0;
      return { kind: 'failure', sentence, actions: actions.flatMap(besideRetry), canRetry };
    }
  };
}

function besideRetry(action: MessageAction): readonly CheckAction[] {
  const { label } = action;
  if ('setting' in action) return [{ label, setting: action.setting }];
  if (!('command' in action) || action.command === CHECK_AGAIN.command) return [];
  return [{ label, command: action.command, args: action.args ?? [] }];
}

const CHECK_AGAIN = { command: 'checkStream' } as const;
const TEST_SECONDS = 60;

/** Offers to broadcast to an idle stream first. Returns false if dismissed. */
async function mayCheck(context: BroadcastingContext, { id, name }: Stream): Promise<boolean> {
  const stream = await readBefore(context, { id, name });
  if (stream === undefined) return true;
  const canBroadcast = stream.streamKey !== undefined && stream.suspended !== true;
  if (stream.isActive || !canBroadcast || (await tryReadTemplates(context, 'rtmp')).rtmp === undefined) return true;
  const first = await context.ui.pick<'broadcast' | 'check'>({
    title: t('Check Stream'),
    placeholder: t('"{0}" isn\'t live', nameOf(stream)),
    items: [
      {
        label: t('Start Test Broadcast and Check'),
        description: t('1 minute'),
        icon: 'broadcast',
        value: 'broadcast',
      },
      { label: t('Check Without Broadcasting'), icon: 'checklist', value: 'check' },
    ],
  });
  if (first !== 'broadcast') return first === 'check';
  const start = () => context.runCommand('startTestBroadcast', { id, source: 'pattern', seconds: TEST_SECONDS });
  return broadcastUntilLive(context, stream, { start });
}

/** Returns undefined if the service can't be asked: the check's page says why. Throws a Refusal if the stream is gone. */
async function readBefore(context: CheckContext, of: Pick<Stream, 'id' | 'name'>): Promise<Stream | undefined> {
  try {
    const stream = await context.current.account.readStream(of.id);
    if (stream === undefined) throw streamIsGone(of);
    return stream;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the report of a stream, and whether it's live and has no problems. Throws ApiError, a Refusal if the stream is
 * gone, and the AbortError of the signal.
 */
export async function checkStreamById(
  context: CheckContext,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isGood: boolean }> {
  const report = await check(context, { id, name: '' }, { signal });
  const isGood = report.playback !== undefined && findingsWith('bad', report.sections).length === 0;
  return { text: reportText(report, context.drawing()), isGood };
}

async function check(
  context: CheckContext,
  { id, name }: Pick<Stream, 'id' | 'name'>,
  { signal, onStep }: Running,
): Promise<CheckReport> {
  const { account } = context.current;
  const stream = await account.readStream(id, { signal });
  if (stream === undefined) throw streamIsGone({ id, name });
  signal.throwIfAborted();
  const health = stream.isActive ? await readHealth(context, id) : undefined;
  const about = withoutSecrets(judgeStream(factOf(context, stream), health, context.drawing()), account);
  const title = t('Check results for "{0}"', nameOf(stream));
  const { now: checkedAt } = context.drawing();
  if (!stream.isActive || stream.playbackId === undefined) {
    return { title, checkedAt, sections: [about], playback: undefined };
  }
  const url = requireHls(context, await hlsAddressOf(context, stream, signal));
  const report = await inspect(context, { title, url }, { signal: AbortSignal.any([signal, account.signal]), onStep });
  return { ...report, sections: [about, ...report.sections] };
}

/** Issues and conditions are the service's own words. */
function withoutSecrets({ heading, findings }: FindingSection, account: Account): FindingSection {
  const clean = (text: string) => account.withoutSecrets(text);
  const cleaned = findings.map((each) => ({ ...each, label: clean(each.label), figure: clean(each.figure) }));
  return { heading, findings: cleaned };
}

/** Of the test broadcast that this window sends to it, if any. */
function ingestOf({ testBroadcasts }: BroadcastingContext, id: string): readonly FindingSection[] {
  const progress = testBroadcasts.progressOf(id);
  return progress === undefined ? [] : [judgeIngest({ ...progress, droppedPercent: droppedShare(progress) })];
}

/** Returns a sentence if it can't be read: that's part of the report. */
async function readHealth(
  { current }: CheckContext,
  id: string,
): Promise<readonly HealthCondition[] | string | undefined> {
  try {
    return await current.account.readHealth(id);
  } catch (error) {
    if (isApiError(error)) return describeError(error, { service: current.info?.name });
    throw error;
  }
}

/** Child streams aren't among the store's streams. */
function factOf({ store, clock }: CheckContext, stream: Stream): StreamFact {
  const now = clock.now();
  return store.snapshot.streams.get(stream.id) ?? { stream, requestSeq: 0, startedAt: now, serverDate: now };
}

async function inspect(
  { transport, clock, drawing }: CheckContext,
  { title, url }: { readonly title: string; readonly url: string },
  { signal, onStep }: Running,
): Promise<CheckReport> {
  const facts = await inspectHls({ url, downloads: transport, clock, signal, onStep });
  const { now: checkedAt, locale } = drawing();
  const playback = { url, usage: facts.usage, timeline: timelineOf(facts) };
  return { title, checkedAt, sections: judgeHls(facts, locale), playback };
}

function givenPlayback(given: unknown): string | undefined {
  const text = typeof given === 'string' ? given : (givenField(given, 'url') ?? givenField(given, 'playbackId'));
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function askForPlayback({ ui, current }: CheckContext): Promise<string | undefined> {
  return ui.input({
    title: t('Inspect HLS Playback'),
    prompt: t('Enter an HLS URL or a playback ID'),
    placeholder: 'https://example.com/live/index.m3u8',
    validate: (text) => (isId(text.trim()) || checkTyped(text, current).ok ? undefined : notPlayback()),
  });
}

function notPlayback(): string {
  return t('Enter a URL that starts with https://, or a playback ID.');
}

/** A service without encryption may have playback without it, too. The demo is no reason to allow it elsewhere. */
function checkTyped(text: string, { info }: Pick<CommandContext['current'], 'info'>): CheckedUrl {
  const isRemote = info !== undefined && !isLoopback(new URL(info.baseUrl).hostname);
  return checkOwnAddress(text, { baseUrl: isRemote ? info.baseUrl : STUDIO_BASE_URL });
}

async function playbackUrlOf(context: CheckContext, text: string): Promise<string> {
  const { current, settings } = context;
  if (!isId(text)) return requireUrl(checkTyped(text, current));
  const stream = { id: '', playbackId: text, projectId: undefined };
  if (current.info !== undefined) return requireHls(context, await hlsAddressOf(context, stream));
  const { hls } = addressesFor(STUDIO_BASE_URL, settings.addresses());
  return requireUrl(checkOwnAddress(hls && publicAddress(hls, stream), { baseUrl: STUDIO_BASE_URL }));
}

function requireUrl(checked: CheckedUrl): string {
  if (checked.ok) return checked.url;
  throw new Refusal(notPlayback());
}

function requireHls(context: CheckContext, url: string | undefined): string {
  if (url === undefined) throw unknownAddress(context, 'hls');
  return requireUrl(checkOwnAddress(url, openConnectionInfo(context)));
}
