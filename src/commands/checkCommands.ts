import { t } from '@vscode/l10n';
import { isAbortError, isApiError } from '../api/errors.ts';
import { isId } from '../api/ids.ts';
import { isLoopback } from '../api/loopback.ts';
import type { NamedStream, PlaybackPolicy, Stream } from '../api/types.ts';
import type { Account } from '../model/account/account.ts';
import { addressesFor, type CheckedUrl, checkOwnAddress, STUDIO_BASE_URL } from '../model/addresses.ts';
import { droppedShare } from '../model/broadcasts/testBroadcasts.ts';
import { hlsAddressOf, tryReadTemplates } from '../model/connection/hlsAddress.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { publicAddress, withToken } from '../model/filledAddresses.ts';
import { checkPlayback, type RunningCheck } from '../model/inspection/checkStream.ts';
import type { FindingSection } from '../model/inspection/hlsFindings.ts';
import type { CheckReport } from '../model/inspection/report.ts';
import { judgeIngest } from '../model/inspection/streamFindings.ts';
import { needsToken } from '../model/store/streams.ts';
import { signingKeyActions } from '../texts/access.ts';
import type { CheckAction, RunCheck } from '../texts/checkOutcome.ts';
import { notPlayback, reportOfStream, requireHls, requireUrl } from '../texts/checks.ts';
import { checkStreamLabel } from '../texts/labels.ts';
import { nameOf } from '../texts/names.ts';
import { isRefusal, Refusal } from '../texts/refusal.ts';
import { streamIsGone } from '../texts/refusals.ts';
import { reportFailure } from './boundary.ts';
import { broadcastUntilLive } from './broadcast/broadcastUntilLive.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { givenField } from './targets/commandArguments.ts';
import { resolveOneStream } from './targets/streamTargets.ts';

/**
 * Takes an HLS URL or a playback ID, as a string, {url}, or {playbackId}, or asks for it. Needs no connection. Resolves
 * when the check has ended.
 */
export async function inspectPlayback(context: CommandContext, given?: unknown): Promise<void> {
  const text = givenPlayback(given) ?? (await askForPlayback(context));
  if (text === undefined) return;
  const url = await playbackUrlOf(context, text.trim());
  const { host } = new URL(url);
  const run = async (running: RunningCheck) => {
    const tokened = await addOwnToken(context, url, running.signal);
    return { title: t('HLS playback on {0}', host), ...(await checkPlayback(context, tokened, running)) };
  };
  const id = url.replace(/[?#].*$/s, '');
  await context.checks.open({ kind: 'playback', connection: '', id, name: host, run: reporting(context, run) });
}

/** Reports the state of a stream and, while it's live, how it plays. Resolves when the check has ended. */
export async function checkStream(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connection } = openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, checkStreamLabel());
  if (stream === undefined || !(await mayCheck(context, stream))) return;
  const { id } = stream;
  const run = async (running: RunningCheck): Promise<CheckReport> => {
    const report = await reportOfStream(context, stream, running);
    return { ...report, sections: report.sections.toSpliced(1, 0, ...ingestOf(context, id)) };
  };
  await context.checks.open({ kind: 'stream', connection, id, name: nameOf(stream), run: reporting(context, run) });
}

/** The page shows the actions for a failure beside a button that checks again. */
function reporting(context: CommandContext, run: (running: RunningCheck) => Promise<CheckReport>): RunCheck {
  return async (signal, onStep) => {
    const { info } = context.connection;
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
async function mayCheck(context: CommandContext, { id, name }: Stream): Promise<boolean> {
  const { account } = context.connection;
  const stream = await readBefore(account, { id, name });
  if (stream === undefined) return true;
  const canBroadcast = stream.streamKey !== undefined && stream.suspended !== true;
  if (stream.isActive || !canBroadcast) return true;
  const { rtmp } = await tryReadTemplates(context, 'rtmp');
  account.signal.throwIfAborted();
  if (rtmp === undefined) return true;
  const first = await context.ui.pick<'broadcast' | 'check'>({
    title: checkStreamLabel(),
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

/** Returns undefined if the stream can't be read: the check's page says why. Throws a Refusal if the stream is gone. */
async function readBefore(account: Account, of: NamedStream): Promise<Stream | undefined> {
  try {
    const stream = await account.readStream(of.id);
    if (stream === undefined) throw streamIsGone(of);
    return stream;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

/** Returns a section about the test broadcast that this window sends to the stream, if any. */
function ingestOf({ testBroadcasts }: CommandContext, id: string): readonly FindingSection[] {
  const progress = testBroadcasts.progressOf(id);
  return progress === undefined ? [] : [judgeIngest({ ...progress, droppedPercent: droppedShare(progress) })];
}

function givenPlayback(given: unknown): string | undefined {
  const text = typeof given === 'string' ? given : (givenField(given, 'url') ?? givenField(given, 'playbackId'));
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function askForPlayback({ ui, connection }: CommandContext): Promise<string | undefined> {
  return ui.input({
    title: t('Inspect HLS Playback'),
    prompt: t('Enter an HLS URL or a playback ID'),
    placeholder: 'https://example.com/live/index.m3u8',
    validate(text) {
      const checked = isId(text.trim()) ? undefined : checkTyped(text, connection);
      return checked === undefined || checked.ok ? undefined : notPlayback(checked.fault, text.trim());
    },
  });
}

/** An unencrypted service may have unencrypted playback, too. The demo isn't a reason to allow that elsewhere. */
function checkTyped(text: string, { info }: CommandContext['connection']): CheckedUrl {
  const isRemote = info !== undefined && !isLoopback(new URL(info.baseUrl).hostname);
  return checkOwnAddress(text, { baseUrl: isRemote ? info.baseUrl : STUDIO_BASE_URL });
}

/**
 * Adds a token to a URL at which the open connection's service plays a private stream, and to no other. Throws a
 * Refusal if there is no signing key.
 */
async function addOwnToken(context: CommandContext, url: string, signal: AbortSignal): Promise<string> {
  const { connection } = context;
  if (!connection.isOpen || new URL(url).searchParams.has('jwt')) return url;
  const { account } = connection;
  const playbackId = await ownPlaybackId(context, url);
  const playbackPolicy =
    playbackId === undefined ? undefined : await policyOf(context, { account, playbackId, signal });
  if (!needsToken({ playbackPolicy })) return url;
  const token = await account.viewerToken({ playbackId, playbackPolicy });
  if (token !== undefined) return withToken(url, token);
  throw new Refusal(t('Only viewers with a token can watch this stream.'), { actions: signingKeyActions() });
}

/** Returns the playback ID in a URL; undefined if it isn't an HLS URL of the open connection's service. */
async function ownPlaybackId(context: CommandContext, url: string): Promise<string | undefined> {
  const { hls } = await tryReadTemplates(context, 'hls');
  const { origin, pathname } = new URL(url);
  if (hls === undefined) return undefined;
  const isAddressOf = (playbackId: string) => publicAddress(hls, { id: '', playbackId }) === origin + pathname;
  return pathname.split('/').find((part) => isId(part) && isAddressOf(part));
}

async function policyOf(
  { store }: CommandContext,
  of: { readonly account: Account; readonly playbackId: string; readonly signal: AbortSignal },
): Promise<PlaybackPolicy | undefined> {
  const known = [...store.snapshot.streams.values()].find(({ stream }) => stream.playbackId === of.playbackId);
  if (known?.stream.playbackPolicy !== undefined) return known.stream.playbackPolicy;
  try {
    return await of.account.readPlaybackPolicy(of.playbackId, of.signal);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return undefined;
  }
}

async function playbackUrlOf(context: CommandContext, text: string): Promise<string> {
  const { connection, settings } = context;
  if (!isId(text)) return requireUrl(checkTyped(text, connection), text);
  const stream = { id: '', playbackId: text, projectId: undefined };
  if (connection.info !== undefined) return requireHls(context, await hlsAddressOf(context, stream));
  const { hls } = addressesFor(STUDIO_BASE_URL, settings.addresses());
  const address = hls && publicAddress(hls, stream);
  return requireUrl(checkOwnAddress(address, { baseUrl: STUDIO_BASE_URL }), address ?? '');
}
