import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { NamedStream, Stream } from '../api/types.ts';
import type { BroadcastError } from '../broadcast/errors.ts';
import type { Ingest } from '../broadcast/sender.ts';
import { isForeignIngest } from '../model/broadcasts/ingestHost.ts';
import type { IngestHost, TestBroadcasts } from '../model/broadcasts/testBroadcasts.ts';
import type { AddressContext } from '../model/connection/knownAddresses.ts';
import type { ModelContext } from '../model/context.ts';
import type { Question } from '../services.ts';
import { formatDuration } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import type { OfferedAction } from './actions.ts';
import { startTestBroadcastLabel, withoutDots } from './lateLabels.ts';
import { withConnection } from './listedNames.ts';
import { namesOfSendingTargets } from './multistream.ts';
import { nameOf, quotedText } from './names.ts';
import { Refusal } from './refusal.ts';

interface AskedBroadcast {
  /** 'pattern', 'clock', or the absolute path of a video file. */
  readonly source: string;
  /** Infinity until it's stopped. */
  readonly seconds: number;
  readonly ingest: IngestHost;
}

interface Running {
  readonly testBroadcasts: TestBroadcasts;
}

/** Returns the question to ask before a stream's viewers see something different. */
export function broadcastQuestion(
  context: AddressContext & ModelContext,
  stream: Stream,
  { source, seconds, ingest }: AskedBroadcast,
): Question {
  const name = withConnection(context, quotedText(nameOf(stream)));
  const isPattern = source === 'pattern' || source === 'clock';
  const shown = isPattern
    ? t('Viewers will see the test pattern.')
    : t('Viewers will see the video "{0}".', basename(source));
  const detail = [shown, ...consequencesOf(context, stream, { seconds, ingest })].join('\n');
  return { message: t('Start a test broadcast to {0}?', name), detail, act: withoutDots(startTestBroadcastLabel()) };
}

/** Returns the consequences of a test broadcast for a stream, a sentence for each. `seconds` may be Infinity. */
export function consequencesOf(
  context: AddressContext & ModelContext,
  stream: Stream,
  { seconds, ingest: { host } }: Omit<AskedBroadcast, 'source'>,
): readonly string[] {
  const targets = namesOfSendingTargets(context.store.snapshot, stream);
  const lines = [
    isForeignIngest(context, host) && t("The stream key will be sent to {0}, which isn't the service's host.", host),
    stream.isActive && t('This stream is already live. Its current broadcast may be interrupted.'),
    stream.suspended === true && t('This stream is suspended, so the service may reject the broadcast.'),
    stream.record && t('The test broadcast will be recorded.'),
    targets.length > 0 && t('The test broadcast will also be sent to {0}.', targets.join(', ')),
    Number.isFinite(seconds) &&
      t(
        'The test broadcast will end after {0}, or when you stop it or close the window.',
        formatDuration(seconds) ?? '',
      ),
    !Number.isFinite(seconds) && t('The test broadcast ends when you stop it or close the window, or after 4 hours.'),
  ];
  return lines.filter((line) => line !== false);
}

export function isBroadcasting({ testBroadcasts }: Running, stream: { readonly id: string }): boolean {
  return testBroadcasts.running.some(({ id }) => id === stream.id);
}

/** Throws a Refusal that offers to stop the one that is running. */
export function requireNoneRunning(context: Running, stream: NamedStream): void {
  if (!isBroadcasting(context, stream)) return;
  const stop: OfferedAction = { label: t('Stop'), command: 'stopTestBroadcast', args: [stream.id] };
  throw new Refusal(t('You\'re already sending a test broadcast to "{0}".', nameOf(stream)), { actions: [stop] });
}

const LONGEST_DETAIL = 200;

/** Returns a sentence for the user. Contains the host and port of the server, and never the key. */
export function describeBroadcastError(error: BroadcastError, { host, port }: Ingest): string {
  const server = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return SENTENCES[error.reason](server, oneLine(error.detail?.split('\n').at(-1) ?? '', LONGEST_DETAIL));
}

const SENTENCES: Readonly<Record<BroadcastError['reason'], (server: string, detail: string) => string>> = {
  protocol: (server) => t("{0} isn't an RTMP server. Check the RTMP URL.", server),
  nameNotFound: (server) => t("Couldn't find {0}. Check the RTMP URL and your network connection.", server),
  refused: (server) =>
    t('Nothing is listening at {0}. Check the RTMP URL, and make sure that the server is running.', server),
  unreachable: (server) => t("Couldn't reach {0}. Check your network connection and firewall.", server),
  certificate: (server) => t("The certificate for {0} isn't valid. Check the certificate and the RTMP URL.", server),
  timeout: (server) => t('{0} took too long to respond. Try again.', server),
  closed: (server) => t('{0} closed the connection.', server),
  stalled: (server) => t('{0} stopped accepting data. Check your network connection.', server),
  appRejected: (server) => t('{0} rejected the connection. Check the path of the RTMP URL.', server),
  keyRejected: (server) =>
    t(
      "{0} didn't accept the stream key. Check that the stream isn't suspended, and that the RTMP URL belongs to this service.",
      server,
    ),
  keyInUse: () => t('Another encoder is already broadcasting with this stream key.'),
  publishDenied: () =>
    t(
      'The service rejected the broadcast. Check the stream key. The stream may be suspended, or too many streams may be live.',
    ),
  publishFailed: (server) => t("{0} couldn't start the broadcast. Try again.", server),
  fileMissing: () => t("The video file doesn't exist."),
  fileUnreadable: () => t("The video file can't be read."),
  fileIncomplete: () => t('The video file is incomplete.'),
  fileNotMp4: () => t("The file isn't an MP4 video. Select an MP4 video, or install ffmpeg to send other formats."),
  fileNotVideo: () => t("The file isn't a video. Select an MP4, MOV, MKV, WebM, TS, FLV, or AVI file."),
  fileUnsupported: (_, detail) =>
    t(
      "This video can't be sent as it is ({0}). Convert it to a regular MP4 with H.264 and AAC, or install ffmpeg, and then try again.",
      (Object.hasOwn(FEATURES, detail) ? FEATURES[detail]?.() : undefined) ?? detail,
    ),
  ffmpeg: (_, detail) =>
    detail === '' ? t("ffmpeg couldn't create the video.") : t("ffmpeg couldn't create the video: {0}", detail),
};

/** The features that broadcast/mp4Source.ts refuses; other details are names of codecs. */
const FEATURES: Readonly<Record<string, () => string>> = {
  'Fragmented MP4': () => t('fragmented MP4'),
  'No video': () => t('no video'),
  'No samples': () => t('an empty track'),
  'Several edits': () => t('multiple edits'),
  'Changed speed': () => t('a changed playback speed'),
  'Compact sample sizes': () => t('compact sample sizes'),
  'Unknown codec': () => t('an unknown codec'),
};
