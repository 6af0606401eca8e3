import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputTrack,
  Mp4OutputFormat,
  NullTarget,
  Output,
} from 'mediabunny';

/** A track of a file that MP4 fragments can hold. */
export interface MuxedTrack {
  /** The type of a source buffer with this track: `audio/mp4; codecs="opus"`. */
  readonly type: string;
  readonly packets: EncodedPacketSink;
  addTo(output: Output): (packet: EncodedPacket) => Promise<void>;
}

/** Returns undefined for a track that MP4 fragments can't hold, or without packets. */
export async function toMuxedTrack(track: InputTrack): Promise<MuxedTrack | undefined> {
  const packets = new EncodedPacketSink(track);
  const primingPacket = await packets.getFirstKeyPacket();
  const addTo = primingPacket === null ? undefined : await adderOf(track, primingPacket);
  if (addTo === undefined) return undefined;
  const muxed = { type: `${track.type}/mp4; codecs="${await track.getCodecParameterString()}"`, packets, addTo };
  return mux([muxed], []).then(
    () => muxed,
    () => undefined,
  );
}

async function adderOf(track: InputTrack, primingPacket: EncodedPacket): Promise<MuxedTrack['addTo'] | undefined> {
  if (track.isVideoTrack()) {
    const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
    const rotation = await track.getRotation();
    if (codec === null || decoderConfig === null) return undefined;
    return (output) => {
      const source = new EncodedVideoPacketSource(codec);
      output.addVideoTrack(source, { rotation, decoderConfig, primingPacket });
      return (packet) => source.add(packet);
    };
  }
  if (!track.isAudioTrack()) return undefined;
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (codec === null || decoderConfig === null) return undefined;
  return (output) => {
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source, { decoderConfig, primingPacket });
    return (packet) => source.add(packet);
  };
}

/**
 * @param packets of each track, in decoding order. Returns both segments of HLS; without packets the second is empty.
 */
export async function mux(
  tracks: readonly MuxedTrack[],
  packets: readonly (readonly EncodedPacket[])[],
): Promise<{ readonly init: ArrayBuffer; readonly segment: ArrayBuffer }> {
  const init: Uint8Array<ArrayBuffer>[] = [];
  const segment: Uint8Array<ArrayBuffer>[] = [];
  const format = new Mp4OutputFormat({
    fastStart: 'fragmented',
    // A fragment for each key frame: only the first sample of a fragment is marked as a key frame.
    minimumFragmentDuration: 0,
    onFtyp: (box) => init.push(new Uint8Array(box)),
    onMoov: (box) => init.push(new Uint8Array(box)),
    onMoof: (box) => segment.push(new Uint8Array(box)),
    onMdat: (box) => segment.push(new Uint8Array(box)),
  });
  const output = new Output({ format, target: new NullTarget() });
  const adders = tracks.map((track) => track.addTo(output));
  await output.start();
  for (const [index, add] of adders.entries()) {
    for (const packet of packets[index] ?? []) await add(packet);
  }
  await output.finalize();
  return { init: await new Blob(init).arrayBuffer(), segment: await new Blob(segment).arrayBuffer() };
}
