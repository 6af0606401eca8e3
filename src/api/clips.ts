import { countOf, idOf, textOf, timeOf, toRow, wholeOf } from './decode.ts';
import type { KnownSecrets } from './knownSecrets.ts';

/** A part of a broadcast as a separate video. Its fields are declared where they are decoded. */
export interface Clip extends Readonly<NonNullable<ReturnType<typeof decodeClip>>> {}

/** Decodes the asset of a clip. Returns undefined if the ID isn't valid. `secrets`: a service may echo them. */
export function decodeClip(value: unknown, secrets: KnownSecrets) {
  const row = toRow(value);
  const id = idOf(row?.id);
  if (row === undefined || id === undefined) return undefined;
  const status = toRow(row.status);
  return {
    id,
    /** '' if it has none. The service's default, `clip-` and the playback ID, counts as none. */
    name: row.name === `clip-${row.playbackId}` ? '' : (textOf(row.name) ?? ''),
    /** The session that it's cut from; undefined if the service doesn't say. */
    sessionId: idOf(toRow(row.source)?.sessionId),
    createdAt: timeOf(row.createdAt),
    /** uploading, waiting, processing, ready, failed, or any other value. */
    phase: textOf(status?.phase) ?? '',
    /** From 0 to 1. */
    progress: countOf(status?.progress),
    /** Why it failed. */
    problem: secrets.strip(textOf(status?.errorMessage) ?? '') || undefined,
    seconds: countOf(toRow(row.videoSpec)?.duration),
    /** An MP4 file. Check URLs with model/addresses before opening them. */
    downloadUrl: wholeOf(row.downloadUrl),
    /** An HLS playlist. */
    playbackUrl: wholeOf(row.playbackUrl),
  };
}
