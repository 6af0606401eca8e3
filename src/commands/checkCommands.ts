import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isApiError } from '../api/errors.ts';
import { isId } from '../api/ids.ts';
import { isLoopback } from '../api/loopback.ts';
import type { HealthCondition, Stream } from '../api/types.ts';
import type { Account } from '../model/account/account.ts';
import { addressesFor, type CheckedUrl, checkOwnAddress, publicAddress, STUDIO_BASE_URL } from '../model/addresses.ts';
import { safeFileName } from '../model/downloads/downloadText.ts';
import { type FindingSection, judgeHls } from '../model/inspection/hlsFindings.ts';
import { type HlsFacts, inspectHls } from '../model/inspection/inspectHls.ts';
import { reportText } from '../model/inspection/report.ts';
import { judgeIngest, judgeStream } from '../model/inspection/streamFindings.ts';
import type { StreamFact } from '../model/store/snapshot.ts';
import { broadcastUntilLive } from './broadcast/broadcastUntilLive.ts';
import { droppedShare } from './broadcast/testBroadcasts.ts';
import type { CommandContext } from './context.ts';
import { hlsAddressOf, openConnectionInfo, readTemplates, unknownAddress } from './knownAddresses.ts';
import { nameOf } from './messages.ts';
import { Refusal } from './refusal.ts';
import { givenField } from './targets/commandArguments.ts';
import { streamIsGone } from './targets/refusals.ts';
import { resolveOneStream } from './targets/streamTargets.ts';

export type CheckContext = Pick<
  CommandContext,
  'ui' | 'store' | 'current' | 'settings' | 'demo' | 'clock' | 'drawing' | 'transport'
>;
type BroadcastingContext = CheckContext & Pick<CommandContext, 'testBroadcasts' | 'runCommand'>;

interface Report {
  readonly title: string;
  readonly sections: readonly FindingSection[];
  /** Undefined if nothing was played. */
  readonly playback: { readonly url: string; readonly usage: HlsFacts['usage'] } | undefined;
}

/** Takes an HLS URL or a playback ID, as a string, {url}, or {playbackId}, or asks for it. Needs no connection. */
export async function inspectPlayback(context: CheckContext, given?: unknown): Promise<void> {
  const text = givenPlayback(given) ?? (await askForPlayback(context));
  if (text === undefined) return;
  const url = await playbackUrlOf(context, text.trim());
  const { host } = new URL(url);
  const report = await context.ui.progress(t('Inspecting HLS playback on {0}', host), (_, signal) =>
    inspect(context, { title: t('HLS playback on {0}', host), url }, signal),
  );
  const withoutQuery = url.replace(/[?#].*$/s, '');
  await showReport(context, report, { key: `playback/${withoutQuery}`, name: t('HLS playback on {0}', host) });
}

/** Reports what the service knows about a stream and, while it's live, how it plays. */
export async function checkStream(context: BroadcastingContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, t('Check Stream'));
  if (stream === undefined) return;
  const name = nameOf(stream);
  if (!(await mayCheck(context, stream))) return;
  const report = await context.ui.progress(t('Checking "{0}"', name), (_, signal) => check(context, stream, signal));
  const sections = report.sections.toSpliced(1, 0, ...ingestOf(context, stream.id));
  const shown = { key: `${info.id}/check/${stream.id}`, name: t('Check results for {0}', name) };
  await showReport(context, { ...report, sections }, shown);
}

const TEST_SECONDS = 60;

/** Offers to broadcast to an idle stream first. Returns false if dismissed. */
async function mayCheck(context: BroadcastingContext, { id, name }: Stream): Promise<boolean> {
  const stream = await context.current.account.readStream(id);
  if (stream === undefined) throw streamIsGone({ id, name });
  const canBroadcast = stream.streamKey !== undefined && stream.suspended !== true;
  if (stream.isActive || !canBroadcast || (await readTemplates(context, 'rtmp')).rtmp === undefined) return true;
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
      { label: t('Check Without Playback'), icon: 'checklist', value: 'check' },
    ],
  });
  if (first !== 'broadcast') return first === 'check';
  const start = () => context.runCommand('startTestBroadcast', { id, source: 'pattern', seconds: TEST_SECONDS });
  return broadcastUntilLive(context, stream, { start });
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
  const report = await check(context, { id, name: '' }, signal);
  const findings = report.sections.flatMap((section) => section.findings);
  const isGood = report.playback !== undefined && findings.every(({ mark }) => mark !== 'bad');
  return { text: textOf(context, report), isGood };
}

async function check(
  context: CheckContext,
  { id, name }: Pick<Stream, 'id' | 'name'>,
  signal: AbortSignal,
): Promise<Report> {
  const { account } = context.current;
  const stream = await account.readStream(id);
  if (stream === undefined) throw streamIsGone({ id, name });
  signal.throwIfAborted();
  const health = stream.isActive ? await readHealth(context, id) : undefined;
  const about = withoutSecrets(judgeStream(factOf(context, stream), health, context.drawing()), account);
  const title = t('Check results for "{0}"', nameOf(stream));
  if (!stream.isActive || stream.playbackId === undefined) return { title, sections: [about], playback: undefined };
  const url = requireHls(context, await hlsAddressOf(context, stream));
  const { sections, playback } = await inspect(context, { title, url }, AbortSignal.any([signal, account.signal]));
  return { title, sections: [about, ...sections], playback };
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
  signal: AbortSignal,
): Promise<Report> {
  const facts = await inspectHls({ url, downloads: transport, clock, signal });
  return { title, sections: judgeHls(facts, drawing().locale), playback: { url, usage: facts.usage } };
}

function textOf({ drawing }: Pick<CheckContext, 'drawing'>, { title, sections, playback }: Report): string {
  return reportText({ title, sections, url: playback?.url, usage: playback?.usage }, drawing());
}

async function showReport(
  context: CheckContext,
  report: Report,
  { key, name }: { readonly key: string; readonly name: string },
): Promise<void> {
  await context.ui.showDocument({ key, fileName: safeFileName(name, key, '.txt'), masked: textOf(context, report) });
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
