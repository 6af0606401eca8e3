import {
  ALL_FORMATS,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { inProject } from '../projectFolder.ts';
import { SEGMENT_SECONDS } from './mediaServer.ts';

export interface FragmentedMedia {
  readonly init: Uint8Array<ArrayBuffer>;
  readonly segments: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Makes fMP4 segments of the demo's clip by a muxer that others wrote.
 * @param tracks in the order of their ids, which count from 1
 */
export async function fragmentClip(tracks: readonly ('video' | 'audio')[]): Promise<FragmentedMedia> {
  const input = new Input({ source: new FilePathSource(inProject('media/demo/source.mp4')), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: SEGMENT_SECONDS });
  const output = new Output({ format, target });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (video === null || audio === null) throw new Error("The demo's clip has lost a track");
  const copies = tracks.map((track) => (track === 'video' ? copyVideo(output, video) : copyAudio(output, audio)));
  await output.start();
  await Promise.all(copies.map((copy) => copy()));
  await output.finalize();
  if (target.buffer === null) throw new Error('Nothing was written');
  return cutFile(new Uint8Array(target.buffer));
}

function copyVideo(output: Output, track: InputVideoTrack): () => Promise<void> {
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  return async () => {
    const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet, decoderConfig && { decoderConfig });
    }
    source.close();
  };
}

function copyAudio(output: Output, track: InputAudioTrack): () => Promise<void> {
  const source = new EncodedAudioPacketSource('aac');
  output.addAudioTrack(source);
  return async () => {
    const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet, decoderConfig && { decoderConfig });
    }
    source.close();
  };
}

/** What precedes the first `moof` initializes; each segment ends with its `mdat`. */
function cutFile(file: Uint8Array<ArrayBuffer>): FragmentedMedia {
  const view = new DataView(file.buffer);
  const segments: Uint8Array<ArrayBuffer>[] = [];
  let [init, from] = [file, 0];
  for (let at = 0; at + 8 <= file.length; at += view.getUint32(at)) {
    const type = Buffer.from(file.subarray(at + 4, at + 8)).toString('latin1');
    if (type === 'moof' && segments.length === 0) init = file.slice(0, at);
    if (type === 'moof') from = at;
    if (type === 'mdat' && from > 0) segments.push(file.slice(from, at + view.getUint32(at)));
  }
  return { init, segments };
}
