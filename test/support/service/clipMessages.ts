import { readFile } from 'node:fs/promises';
import {
  ALL_FORMATS,
  BufferSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny';
import { MESSAGE, type RtmpMessage } from '../../../src/media/chunks.ts';
import { inProject } from '../projectFolder.ts';

/** The demo's clip as a sender would send it: 12 s of H.264 at 15 frames a second, a key frame every 2 s, and AAC. */
export interface Clip {
  /** What tells how to decode it, first of all. */
  readonly formats: readonly RtmpMessage[];
  /** By timestamp. */
  readonly frames: readonly RtmpMessage[];
}

/** @param movie an MP4 file; the pattern of test broadcasts by default */
export async function readClip(movie?: Buffer): Promise<Clip> {
  const file = movie ?? (await readFile(inProject('media/demo/source.mp4')));
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (video === null || audio === null) throw new Error('The clip has lost a track');
  const formats = [
    videoMessage(0, { isKey: true, packetType: 0, data: await descriptionOf(video) }),
    audioMessage(0, 0, await descriptionOf(audio)),
  ];
  const frames: RtmpMessage[] = [];
  for await (const { timestamp, type, data } of new EncodedPacketSink(video).packets()) {
    const frame = { isKey: type === 'key', packetType: 1, data: Buffer.from(data) };
    frames.push(videoMessage(Math.round(timestamp * 1000), frame));
  }
  for await (const { timestamp, data } of new EncodedPacketSink(audio).packets()) {
    frames.push(audioMessage(Math.max(0, Math.round(timestamp * 1000)), 1, Buffer.from(data)));
  }
  return { formats, frames: frames.sort((a, b) => a.timestamp - b.timestamp) };
}

async function descriptionOf(track: InputAudioTrack | InputVideoTrack): Promise<Buffer> {
  const config = await track.getDecoderConfig();
  const description = config?.description;
  if (!(description instanceof Uint8Array)) throw new Error('The clip has no description of its codecs');
  return Buffer.from(description);
}

interface Frame {
  readonly isKey: boolean;
  readonly packetType: number;
  readonly data: Buffer;
}

export function videoMessage(timestamp: number, { isKey, packetType, data }: Frame): RtmpMessage {
  const payload = Buffer.concat([Buffer.of(isKey ? 0x17 : 0x27, packetType, 0, 0, 0), data]);
  return { type: MESSAGE.video, streamId: 1, timestamp, payload };
}

export function audioMessage(timestamp: number, packetType: number, data: Buffer): RtmpMessage {
  return { type: MESSAGE.audio, streamId: 1, timestamp, payload: Buffer.concat([Buffer.of(0xaf, packetType), data]) };
}

/** From `from` to `to` in ms, the clip played again and again. */
export function framesBetween({ frames }: Clip, from: number, to: number): readonly RtmpMessage[] {
  const length = 12_000;
  const rounds = Math.ceil(to / length);
  return Array.from({ length: rounds }, (_, round) => round * length)
    .flatMap((start) => frames.map((frame) => ({ ...frame, timestamp: frame.timestamp + start })))
    .filter(({ timestamp }) => timestamp >= from && timestamp < to);
}
