import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { type ApiError, type ApiErrorReason, isApiError } from '../api/errors.ts';
import type { Stream } from '../api/types.ts';
import type { Account } from '../model/account/account.ts';
import { hlsAddressOf } from '../model/connection/hlsAddress.ts';
import { openConnectionInfo, templatesInForce } from '../model/connection/knownAddresses.ts';
import { fillTemplate, ingestServer, publicAddress } from '../model/filledAddresses.ts';
import type { WalkthroughStep } from '../model/walkthroughSteps.ts';
import type { AddressTemplates, PickItem, PickSeparator } from '../services.ts';
import { copyStreamKeyLabel } from '../texts/labels.ts';
import {
  copiedKeyedUrl,
  copiedKeyedUrls,
  type KeyedUrl,
  playbackIdLabel,
  recordingLabel,
  srtUrlLabel,
  streamIdLabel,
  whipUrlLabel,
} from '../texts/lateLabels.ts';
import { listNames } from '../texts/listedNames.ts';
import { labeledText, nameOf } from '../texts/names.ts';
import { Refusal } from '../texts/refusal.ts';
import { requireTemplate, serviceOf, streamIsGone, unknownAddress } from '../texts/refusals.ts';
import { forEachLimit } from '../util/async.ts';
import type { CommandContext } from './context.ts';
import { flashDone } from './flashDone.ts';
import type { CommandId } from './table.ts';
import { resolveSessions } from './targets/sessionTargets.ts';
import { resolveStreams } from './targets/streamTargets.ts';

/** The value that a copy command copies from a stream, and its messages, which never contain the value. */
interface Copying {
  readonly title: () => string;
  readonly template?: keyof AddressTemplates;
  /** The walkthrough step that it completes. */
  readonly step?: WalkthroughStep;
  readonly value: (
    stream: Stream,
    template: string,
    context: CommandContext,
  ) => string | undefined | Promise<string | undefined>;
  readonly one: (name: string) => string;
  readonly many: (count: number) => string;
  readonly none: (name: string) => string;
  /** Returns a reason other than `none` for a stream without a value. */
  readonly whyNone?: (context: CommandContext, stream: Stream) => Refusal | undefined;
}

/** The number of copied streams that are read afterwards, to report a deleted one. */
const CHECKED_AT_MOST = 5;
const ASKED_AT_ONCE = 6;
/** Reasons why the next stream would fail too, often only after a long wait. */
const FAILS_FOR_ALL: ReadonlySet<ApiErrorReason> = new Set(['network', 'timeout', 'rateLimited']);

export const copyStreamKey = copyCommand({
  title: copyStreamKeyLabel,
  step: 'encoder',
  value: (stream) => stream.streamKey,
  one: (name) => t('Copied the stream key for "{0}"', name),
  many: (count) => t('Copied {0} stream keys', count),
  none: (name) => t('"{0}" has no stream key.', name),
});

export const copyPlaybackId = copyCommand({
  title: () => t('Copy Playback ID'),
  value: (stream) => stream.playbackId,
  one: (name) => t('Copied the playback ID for "{0}"', name),
  many: (count) => t('Copied {0} playback IDs', count),
  none: (name) => t('"{0}" has no playback ID.', name),
});

export const copyStreamId = copyCommand({
  title: () => t('Copy Stream ID'),
  value: (stream) => stream.id,
  one: (name) => t('Copied the stream ID for "{0}"', name),
  many: (count) => t('Copied {0} stream IDs', count),
  none: (name) => t('"{0}" has no stream ID.', name),
});

export const copyIngestUrl = copyKeyedUrl('rtmp', {
  title: () => t('Copy RTMP URL (with Key)'),
  one: (name) => t('Copied the RTMP URL for "{0}". It contains the stream key, so keep it private.', name),
});

const KEYED_URLS = {
  srt: copyKeyedUrl('srt', { title: srtUrlLabel, one: (name) => copiedKeyedUrl('srt', name) }),
  whip: copyKeyedUrl('whip', { title: whipUrlLabel, one: (name) => copiedKeyedUrl('whip', name) }),
} as const;

function copyKeyedUrl(template: 'rtmp' | KeyedUrl, texts: Pick<Copying, 'title' | 'one'>) {
  return copyCommand({
    ...texts,
    step: 'encoder',
    template,
    value: ({ streamKey }, known) => (streamKey === undefined ? undefined : fillTemplate(known, { streamKey })),
    many: copiedKeyedUrls,
    none: (name) => t('"{0}" has no stream key.', name),
  });
}

export const copyPlaybackUrl = copyCommand({
  title: () => t('Copy HLS URL'),
  value: (stream, _template, context) => hlsAddressOf(context, stream),
  one: (name) => t('Copied the HLS URL for "{0}"', name),
  many: (count) => t('Copied {0} HLS URLs', count),
  none: (name) => t('"{0}" has no playback ID.', name),
  whyNone: (context, { playbackId }) => (playbackId === undefined ? undefined : unknownAddress(context, 'hls')),
});

export const copyPlayerUrl = copyCommand({
  title: () => t('Copy Player URL'),
  template: 'player',
  value: (stream, template) => (stream.playbackId === undefined ? undefined : publicAddress(template, stream)),
  one: (name) => t('Copied the player URL for "{0}"', name),
  many: (count) => t('Copied {0} player URLs', count),
  none: (name) => t('"{0}" has no playback ID.', name),
});

/** Copies the URL that encoders send to. It's the same for all streams and contains no key. */
export async function copyIngestServer(context: CommandContext): Promise<void> {
  const server = ingestServer(await requireTemplate(context, 'rtmp'));
  if (server === undefined) throw unknownAddress(context, 'rtmp');
  await context.ui.copy(server);
  flashDone(context, t('Copied the RTMP server'));
}

export async function copySessionId(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const sessions = await resolveSessions(context, args, { title: t('Copy Session ID') });
  if (sessions === undefined) return;
  await context.ui.copy(sessions.map((session) => session.id).join('\n'));
  const { length } = sessions;
  flashDone(context, length === 1 ? t('Copied the session ID') : t('Copied {0} session IDs', length));
}

function copyCommand(copying: Copying): (context: CommandContext, ...args: readonly unknown[]) => Promise<void> {
  return async (context, ...args) => {
    openConnectionInfo(context);
    const template = copying.template === undefined ? '' : await requireTemplate(context, copying.template);
    const streams = await resolveStreams(context, args, copying.title());
    if (streams === undefined) return;
    const { values, failures } = await readValues(streams, (stream) => copying.value(stream, template, context));
    const copied = streams.filter((stream) => values.has(stream));
    const [failure] = failures.values();
    if (copied.length === 0) throw failure ?? nothingToCopy(context, copying, firstOf(streams));
    const { account } = context.connection;
    await context.ui.copy(copied.map((stream) => values.get(stream)).join('\n'));
    if (copying.step !== undefined) context.noteStep(copying.step);
    if (failure !== undefined) throw copiedSome(context, { copied: copied.length, of: streams.length, failures });
    flashDone(context, copied.length === 1 ? copying.one(nameOf(firstOf(copied))) : copying.many(copied.length));
    await refuseWhatIsGone(account, copied.slice(0, CHECKED_AT_MOST));
  };
}

interface ReadValues {
  /** The values of the streams that have one. */
  readonly values: ReadonlyMap<Stream, string>;
  readonly failures: ReadonlyMap<Stream, ApiError>;
}

async function readValues(
  streams: readonly Stream[],
  read: (stream: Stream) => ReturnType<Copying['value']>,
): Promise<ReadValues> {
  const values = new Map<Stream, string>();
  const failures = new Map<Stream, ApiError>();
  let common: ApiError | undefined;
  await forEachLimit(streams, ASKED_AT_ONCE, async (stream) => {
    try {
      if (common !== undefined) throw common;
      const value = await read(stream);
      if (value !== undefined) values.set(stream, value);
    } catch (error) {
      if (!isApiError(error)) throw error;
      failures.set(stream, error);
      if (FAILS_FOR_ALL.has(error.reason)) common = error;
    }
  });
  return { values, failures };
}

interface CopiedSome {
  readonly copied: number;
  readonly of: number;
  readonly failures: ReadValues['failures'];
}

function copiedSome(context: CommandContext, { copied, of, failures }: CopiedSome): Refusal {
  const byReason = new Map<string, Stream[]>();
  for (const [stream, error] of failures) {
    const reason = describeError(error, { service: serviceOf(context, error) });
    byReason.set(reason, [...(byReason.get(reason) ?? []), stream]);
  }
  const rest = [...byReason].map(([reason, streams]) => labeledText(listNames(streams), reason));
  return new Refusal([t('{0}.', t('Copied {0} of {1}', copied, of)), ...rest].join(' '), {
    isOfConnection: true,
    canRetry: true,
  });
}

function nothingToCopy(context: CommandContext, copying: Copying, stream: Stream): Refusal {
  return copying.whyNone?.(context, stream) ?? new Refusal(copying.none(nameOf(stream)));
}

/** Reports a deleted stream after copying, which waits for no request. Ignores failed requests. */
async function refuseWhatIsGone(account: Account, streams: readonly Stream[]): Promise<void> {
  const reads = streams.map(async (stream) => {
    try {
      return (await account.readStream(stream.id)) === undefined ? stream : undefined;
    } catch (error) {
      if (isApiError(error)) return undefined;
      throw error;
    }
  });
  const gone = (await Promise.all(reads)).find((stream) => stream !== undefined);
  if (gone !== undefined) throw streamIsGone(gone);
}

function firstOf(streams: readonly Stream[]): Stream {
  const [first] = streams;
  if (first === undefined) throw new Error('No stream');
  return first;
}

/** Picks what to copy and runs the command for it, which picks the stream or session. */
export async function copyValue(context: CommandContext): Promise<void> {
  openConnectionInfo(context);
  const command = await context.ui.pick({
    title: t('Copy ID or URL'),
    placeholder: t('Select what to copy'),
    items: copyItems(templatesInForce(context)),
  });
  if (command === 'srt' || command === 'whip') await KEYED_URLS[command](context);
  else if (command !== undefined) await context.runCommand(command);
}

function copyItems({ srt, whip }: AddressTemplates): readonly PickItem<CommandId | KeyedUrl>[] {
  const heading = (label: string): PickSeparator => ({ label, isSeparator: true });
  return [
    heading(t('Playback')),
    { label: t('HLS URL'), value: 'copyPlaybackUrl' },
    { label: t('HLS URL with Token…'), value: 'copyPlaybackUrlWithToken' },
    { label: t('Player URL'), value: 'copyPlayerUrl' },
    { label: playbackIdLabel(), value: 'copyPlaybackId' },
    heading(t('Encoder')),
    { label: t('Stream Key'), value: 'copyStreamKey' },
    { label: t('RTMP Server'), value: 'copyIngestServer' },
    { label: t('RTMP URL (with Key)'), value: 'copyIngestUrl' },
    ...(srt === undefined ? [] : [{ label: srtUrlLabel(), value: 'srt' } as const]),
    ...(whip === undefined ? [] : [{ label: whipUrlLabel(), value: 'whip' } as const]),
    heading(recordingLabel()),
    { label: t('Recording URL'), value: 'copyRecordingUrl' },
    { label: t('MP4 URL'), value: 'copyMp4Url' },
    heading(t('IDs and Link')),
    { label: streamIdLabel(), value: 'copyStreamId' },
    { label: t('Session ID'), value: 'copySessionId' },
    { label: t('VS Code Link'), value: 'copyLink' },
  ];
}
