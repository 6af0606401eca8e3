import { readFileSync } from 'node:fs';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
} from 'mediabunny';
import { inProject } from '../projectFolder.ts';
import { splitFragments } from './fragments.ts';

/**
 * A picture that flashes and sound that beeps at the same times, as HLS, as long as a test needs it: clips that ffmpeg
 * encoded (makeFixtures.ts) come one after the other, and fit together by the frame.
 */
export const CLIP_SECONDS = 3.2;
/** Of flashes and beeps: the first is at half of it. Each lasts 0.12 s. */
export const BEEP_EVERY_SECONDS = 0.8;
export const BEEP_HZ = 1000;
/** What is heard between the beeps, much softer. */
export const TONE_HZ = 440;

export interface BeepStream {
  readonly container: 'ts' | 'fmp4';
  readonly tracks: 'muxed' | 'separate' | 'soundOnly' | 'pictureOnly';
  readonly channels?: 1 | 2 | 6;
  /** How many clips. */
  readonly segments: number;
}

/** Files by their names: index.m3u8 is what to play. */
export async function makeBeepStream(stream: BeepStream): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const { tracks } = stream;
  const files = new Map<string, string | Uint8Array>();
  const add = async (name: string, has: Has): Promise<void> => {
    const media = await makeMedia(stream, has);
    const type = stream.container === 'ts' ? 'ts' : 'm4s';
    for (const [at, bytes] of media.segments.entries()) files.set(`${name}${at}.${type}`, bytes);
    if (media.init !== undefined) files.set(`${name}.mp4`, media.init);
    files.set(`${name}.m3u8`, writePlaylist({ name, type, hasInit: media.init !== undefined, to: stream.segments }));
  };
  if (tracks !== 'separate') {
    await add('index', { picture: tracks !== 'soundOnly', sound: tracks !== 'pictureOnly' });
    return files;
  }
  await add('picture', { picture: true, sound: false });
  await add('sound', { picture: false, sound: true });
  const group = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,URI="sound.m3u8"';
  const level = '#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.42c00b,mp4a.40.2",AUDIO="sound"';
  files.set('index.m3u8', `#EXTM3U\n#EXT-X-VERSION:7\n${group}\n${level}\npicture.m3u8\n`);
  return files;
}

export interface PlaylistOptions {
  /** What segments are called before their number. */
  readonly name: string;
  readonly type: 'ts' | 'm4s';
  readonly hasInit: boolean;
  /** The first segment, 0 unless it is given, and the one after the last. */
  readonly from?: number;
  readonly to: number;
  readonly isLive?: boolean;
}

export function writePlaylist({ name, type, hasInit, from = 0, to, isLive = false }: PlaylistOptions): string {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(CLIP_SECONDS)}`,
    `#EXT-X-MEDIA-SEQUENCE:${from}`,
    ...(hasInit ? [`#EXT-X-MAP:URI="${name}.mp4"`] : []),
    ...numbers.flatMap((number) => [`#EXTINF:${CLIP_SECONDS},`, `${name}${number}.${type}`]),
    ...(isLive ? [] : ['#EXT-X-ENDLIST']),
    '',
  ].join('\n');
}

interface Has {
  readonly picture: boolean;
  readonly sound: boolean;
}

interface Media {
  readonly init: Uint8Array | undefined;
  readonly segments: readonly Uint8Array[];
}

async function makeMedia(stream: BeepStream, has: Has): Promise<Media> {
  const parts: BeepClip[] = [];
  for (let clip = 0; clip < stream.segments; clip++) parts.push(await makeClip(stream, { ...has, clip }));
  return { init: parts[0]?.init, segments: parts.map(({ segment }) => segment) };
}

interface BeepClip {
  /** Of fMP4, the same for each clip. */
  readonly init: Uint8Array | undefined;
  readonly segment: Uint8Array;
}

/** Makes the clip with this number of a stream whose segments have picture and sound. */
export function makeBeepClip(stream: Pick<BeepStream, 'container' | 'channels'>, clip: number): Promise<BeepClip> {
  return makeClip(stream, { picture: true, sound: true, clip });
}

async function makeClip(
  { container, channels = 2 }: Pick<BeepStream, 'container' | 'channels'>,
  clip: Omit<Clips, 'channels'>,
): Promise<BeepClip> {
  const clips = { ...clip, channels };
  if (container === 'ts') return { init: undefined, segment: await write(new MpegTsOutputFormat(), clips) };
  const format = new Mp4OutputFormat({ fastStart: 'fragmented' });
  const [init, ...fragments] = splitFragments(await write(format, clips));
  return { init, segment: Buffer.concat(fragments) };
}

interface Clips extends Has {
  readonly channels: 1 | 2 | 6;
  /** The clip's place in the stream. */
  readonly clip: number;
}

async function write(format: Mp4OutputFormat | MpegTsOutputFormat, clips: Clips): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const adds: (() => Promise<void>)[] = [];
  if (clips.picture) {
    const { packets, config } = await readPicture();
    const source = new EncodedVideoPacketSource('avc');
    output.addVideoTrack(source);
    adds.push(() =>
      addAll(packets, clips, (packet) => source.add(packet, { decoderConfig: config })).then(() => source.close()),
    );
  }
  if (clips.sound) {
    const { packets, config } = await readSound(clips.channels);
    const source = new EncodedAudioPacketSource('aac');
    output.addAudioTrack(source);
    adds.push(() =>
      addAll(packets, clips, (packet) => source.add(packet, { decoderConfig: config })).then(() => source.close()),
    );
  }
  await output.start();
  await Promise.all(adds.map((add) => add()));
  await output.finalize();
  if (target.buffer === null) throw new Error('Nothing was written');
  return new Uint8Array(target.buffer);
}

async function addAll(
  packets: readonly EncodedPacket[],
  { clip }: Clips,
  add: (packet: EncodedPacket) => Promise<void>,
): Promise<void> {
  for (const packet of packets) await add(packet.clone({ timestamp: packet.timestamp + clip * CLIP_SECONDS }));
}

function openClip(name: string): Input {
  const bytes = readFileSync(inProject('test/support/sound/media', `${name}.mp4`));
  return new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
}

async function readPicture() {
  const track = await openClip('beepPicture').getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (track === null || !config) throw new Error('The clip has no picture');
  return { config, packets: await Array.fromAsync(new EncodedPacketSink(track).packets()) };
}

async function readSound(channels: 1 | 2 | 6) {
  const track = await openClip(`beepSound${channels}`).getPrimaryAudioTrack();
  const config = await track?.getDecoderConfig();
  if (track === null || !config) throw new Error('The clip has no sound');
  return { config, packets: await Array.fromAsync(new EncodedPacketSink(track).packets()) };
}
