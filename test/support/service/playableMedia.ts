import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

export interface PlayableTrack {
  /** As RFC 6381 has it: avc1.4d401e. */
  readonly codec: string;
  readonly packets: readonly {
    /** In seconds: when it is shown. */
    readonly time: number;
    readonly duration: number;
    readonly isKey: boolean;
    readonly bytes: number;
  }[];
}

export interface PlayableMedia {
  /** Of the whole, in seconds. */
  readonly duration: number;
  readonly video: PlayableTrack | undefined;
  readonly audio: PlayableTrack | undefined;
}

/** What a reader that others wrote finds in an MP4 file, or in an initialization segment and what follows it. */
export async function readPlayable(...parts: readonly Uint8Array[]): Promise<PlayableMedia> {
  const input = new Input({ source: new BufferSource(Buffer.concat(parts)), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  return {
    duration: await input.computeDuration(),
    video: video === null ? undefined : await readTrack(video, new EncodedPacketSink(video)),
    audio: audio === null ? undefined : await readTrack(audio, new EncodedPacketSink(audio)),
  };
}

async function readTrack(
  track: { getCodecParameterString(): Promise<string | null> },
  sink: EncodedPacketSink,
): Promise<PlayableTrack> {
  const packets = await Array.fromAsync(sink.packets(), ({ timestamp, duration, type, byteLength }) => ({
    time: timestamp,
    duration,
    isKey: type === 'key',
    bytes: byteLength,
  }));
  return { codec: (await track.getCodecParameterString()) ?? '', packets };
}
