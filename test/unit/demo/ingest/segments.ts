import assert from 'node:assert/strict';
import { type Segment, Segmenter } from '../../../../src/demo/ingest/segmenter.ts';
import { MESSAGE, type RtmpMessage } from '../../../../src/media/chunks.ts';
import { readAudio, readVideo } from '../../../../src/media/flvPayload.ts';
import { initializationSegment } from '../../../../src/media/mp4.ts';
import { type PlayableMedia, readPlayable } from '../../../support/service/playableMedia.ts';

/** The segments of these messages, and of what is left at their end. */
export function cut(messages: readonly RtmpMessage[]): readonly Segment[] {
  const segments: Segment[] = [];
  const segmenter = new Segmenter((segment) => segments.push(segment));
  for (const { type, timestamp, payload } of messages) {
    const part = type === MESSAGE.video ? readVideo(payload) : readAudio(payload);
    if (part !== undefined) segmenter.add(timestamp, part);
  }
  segmenter.end();
  return segments;
}

/** What another reader finds in them. */
export function play(segments: readonly Segment[]): Promise<PlayableMedia> {
  const [first] = segments;
  assert.ok(first);
  return readPlayable(
    initializationSegment(first.formats),
    ...segments.map(({ head, samples }) => Buffer.concat([head, samples])),
  );
}
