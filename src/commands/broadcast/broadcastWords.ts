import { t } from '@vscode/l10n';
import type { BroadcastError } from '../../broadcast/errors.ts';
import type { Ingest } from '../../broadcast/sender.ts';
import { hasTag } from '../../util/hasTag.ts';
import { oneLine } from '../../util/text.ts';

const LONGEST_DETAIL = 200;

/** By its tag: its class is loaded with the code that sends. */
export function isBroadcastError(error: unknown): error is BroadcastError {
  return hasTag<BroadcastError>(error, 'BroadcastError');
}

/** A sentence for people. Contains the host and port of the server, and never the key. */
export function describeBroadcastError(error: BroadcastError, { host, port }: Pick<Ingest, 'host' | 'port'>): string {
  const server = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return SENTENCES[error.reason](server, oneLine(error.detail?.split('\n').at(-1) ?? '', LONGEST_DETAIL));
}

const SENTENCES: Readonly<Record<BroadcastError['reason'], (server: string, detail: string) => string>> = {
  protocol: (server) => t("{0} responded with data that isn't RTMP.", server),
  nameNotFound: (server) => t("The RTMP server {0} couldn't be found.", server),
  refused: (server) => t('Nothing is listening at {0}.', server),
  unreachable: (server) => t("The RTMP server {0} couldn't be reached.", server),
  certificate: (server) => t("The certificate of {0} isn't valid.", server),
  timeout: (server) => t("{0} didn't respond in time.", server),
  closed: (server) => t('{0} closed the connection.', server),
  stalled: (server) => t('{0} stopped receiving data.', server),
  appRejected: (server) => t('{0} refused the connection.', server),
  keyRejected: () => t('The service rejected the stream key.'),
  keyInUse: () => t('Another encoder is already broadcasting with this stream key.'),
  fileMissing: () => t("The video file doesn't exist."),
  fileUnreadable: () => t("The video file can't be read."),
  fileIncomplete: () => t('The video file is incomplete.'),
  fileNotMp4: () => t("The file isn't an MP4 video."),
  fileUnsupported: (_, detail) =>
    t("This video can't be sent as it is ({0}). Select an MP4 video with H.264 and AAC, or install ffmpeg.", detail),
  ffmpeg: (_, detail) =>
    detail === '' ? t("ffmpeg couldn't create the video.") : t("ffmpeg couldn't create the video: {0}", detail),
};
