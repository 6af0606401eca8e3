import { CustomSource, type EncodedPacket, Input, type InputTrack, MP4, QTFF } from 'mediabunny';
import { numberedUrl } from '../../../util/numberedUrl.ts';
import { type MuxedTrack, mux, toMuxedTrack } from './fragmentMuxer.ts';
import { type ByteSource, ReadAhead } from './readAhead.ts';
import { checkSampleTables } from './sampleTables.ts';

/** The number of the initialization segment. The playlist is 0, and the segments follow it. */
export const INIT_NUMBER = 1_000_000_000;
/** In seconds. Segments are longer if the key frames are farther apart. */
const LONGEST = 5;
const MOST_BYTES = 128 * 1024 * 1024;
/** How many bytes may be read to make a playlist longer. */
const PLAYLIST_BYTES = 2 * 1024 * 1024;
const METADATA = { metadataOnly: true } as const;
/** How long a frame that only prepares the decoder is shown, in seconds: two units of the fragments' times. */
const BRIEFLY = 2 / 57_600;

export type Mp4Fault = 'brokenFile' | 'pictureFormat' | 'soundFormat' | 'largeSegment' | 'truncatedSegment';

export class Mp4Error extends Error {
  readonly fault: Mp4Fault;

  constructor(fault: Mp4Fault) {
    super(fault);
    this.fault = fault;
  }
}

/** Where a segment begins, in seconds. */
interface Cut {
  /** The key packet of the leading track. */
  readonly key: number;
  /** The first frame shown, which may be decoded after the key packet. */
  readonly start: number;
}

/**
 * Opens a file as HLS. Throws an `Mp4Error`, or the error of the source.
 * @param canPlay whether a type such as `audio/mp4; codecs="opus"` can be played.
 */
export async function openMp4(source: ByteSource, canPlay: (type: string) => boolean): Promise<Mp4Segments> {
  const size = await source.size();
  const reader = new ReadAhead(source, size);
  const read = async (start: number, end: number) => {
    const bytes = await reader.read(start, end);
    checkSampleTables(bytes);
    return bytes;
  };
  const input = new Input({
    formats: [MP4, QTFF],
    source: new CustomSource({ getSize: () => size, read, maxCacheSize: 0, handleUnhandledError: () => undefined }),
  });
  const [pictures, sounds] = [await input.getVideoTracks(), await input.getAudioTracks()];
  const muxed = async (tracks: readonly InputTrack[]) =>
    (await Promise.all(tracks.map(toMuxedTrack))).filter((track) => track !== undefined);
  const [video] = await muxed(pictures);
  if (video !== undefined && !canPlay(video.type)) throw new Mp4Error('pictureFormat');
  const audio = (await muxed(sounds)).find(({ type }) => canPlay(type));
  const leading = video ?? audio;
  // Packets before 0 are cut off by the file's edit list: they only prepare the decoder and are shown for no time.
  const key =
    (await leading?.packets.getKeyPacket(0, METADATA)) ?? (await leading?.packets.getFirstKeyPacket(METADATA));
  if (leading === undefined || !key) {
    throw new Mp4Error(pictures.length > 0 ? 'pictureFormat' : sounds.length > 0 ? 'soundFormat' : 'brokenFile');
  }
  const leadIn = video === undefined ? [] : await readLeadIn(leading, key);
  const start = leadIn.length > 0 ? 0 : await findStart(leading, key);
  const sound = (await audio?.packets.getFirstPacket(METADATA))?.timestamp ?? start;
  const first = { key: key.timestamp, start: Math.min(start, Math.max(sound, 0)) };
  const tracks = video !== undefined && audio !== undefined ? ([video, audio] as const) : ([leading] as const);
  return new Mp4Segments(reader, {
    tracks,
    ...{ first, leadIn },
    leftOut: audio === undefined ? await codecOf(sounds[0]) : undefined,
  });
}

async function codecOf(track: InputTrack | undefined): Promise<string | undefined> {
  if (track === undefined) return undefined;
  const [codec, entry] = [await track.getCodecParameterString(), await track.getInternalCodecId()];
  return codec ?? (typeof entry === 'string' ? entry : '');
}

interface Opened {
  /** The leading track first. */
  readonly tracks: readonly [MuxedTrack, MuxedTrack?];
  readonly first: Cut;
  /** When frames before 0 would be shown, in order. */
  readonly leadIn: readonly number[];
  readonly leftOut: string | undefined;
}

/** A file as HLS. Segments are made when they are needed. */
export class Mp4Segments {
  /** The codec of sound that can't be played, empty if it has no name; undefined if there is none. */
  readonly leftOut: string | undefined;
  readonly #reader: ReadAhead;
  readonly #tracks: Opened['tracks'];
  readonly #cuts: Cut[];
  readonly #leadIn: Opened['leadIn'];
  #end: number | undefined;

  constructor(reader: ReadAhead, { tracks, first, leadIn, leftOut }: Opened) {
    this.leftOut = leftOut;
    this.#reader = reader;
    this.#tracks = tracks;
    this.#cuts = [first];
    this.#leadIn = leadIn;
  }

  get types(): readonly string[] {
    return this.#all.map(({ type }) => type);
  }

  get #all(): readonly MuxedTrack[] {
    return this.#tracks.filter((track) => track !== undefined);
  }

  /** Returns a media playlist. For a long file of fragments, it gets longer from call to call until it's complete. */
  async playlist(): Promise<string> {
    const most = this.#reader.requested + PLAYLIST_BYTES;
    while (this.#end === undefined && (this.#cuts.length < 2 || this.#reader.requested < most)) await this.#extend();
    const starts = [...this.#cuts.map(({ start }) => start), ...(this.#end === undefined ? [] : [this.#end])];
    const durations = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    const isComplete = this.#end !== undefined;
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...durations))}`,
      ...(isComplete ? ['#EXT-X-PLAYLIST-TYPE:VOD'] : ['#EXT-X-PLAYLIST-TYPE:EVENT', '#EXT-X-START:TIME-OFFSET=0']),
      `#EXT-X-MAP:URI="${numberedUrl(INIT_NUMBER)}"`,
      ...durations.map((seconds, index) => `#EXTINF:${seconds.toFixed(6)},\n${numberedUrl(1 + index)}`),
      ...(isComplete ? ['#EXT-X-ENDLIST'] : []),
    ].join('\n');
  }

  async init(): Promise<ArrayBuffer> {
    return (await mux(this.#all, [])).init;
  }

  /** Times are the file's own, unless it begins before 0, and except for frames that only prepare the decoder. */
  async segment(index: number): Promise<ArrayBuffer> {
    const packets: (readonly EncodedPacket[])[] = [];
    for (const track of this.#all) packets.push(await this.#readPackets(track, index));
    if (packets.flat().length === 0) throw new Mp4Error('truncatedSegment');
    return (await mux(this.#all, packets)).segment;
  }

  async #readPackets(track: MuxedTrack, index: number): Promise<readonly EncodedPacket[]> {
    const [first, cut, next] = [this.#cuts[0], this.#cuts[index], this.#cuts[index + 1]];
    if (first === undefined || cut === undefined) throw new Mp4Error('brokenFile');
    const isLeading = track === this.#tracks[0];
    const end = (isLeading ? next?.key : next?.start) ?? Number.POSITIVE_INFINITY;
    const packets: EncodedPacket[] = [];
    let bytes = 0;
    let packet = await track.packets.getKeyPacket(isLeading ? cut.key : cut.start);
    packet ??= await track.packets.getFirstKeyPacket();
    while (packet !== null && !((packet.type === 'key' || !isLeading) && packet.timestamp >= end)) {
      bytes += packet.byteLength;
      if (bytes > MOST_BYTES) throw new Mp4Error('largeSegment');
      const place = isLeading && index === 0 ? this.#leadIn.indexOf(packet.timestamp) : -1;
      const timestamp = place * BRIEFLY;
      if (place !== -1) packets.push(packet.clone({ timestamp, duration: BRIEFLY }));
      else if (packet.timestamp >= cut.start)
        packets.push(packet.clone({ timestamp: this.#timeOf(packet), type: isLeading ? packet.type : 'key' }));
      packet = await track.packets.getNextPacket(packet);
    }
    return packets;
  }

  #timeOf({ timestamp }: EncodedPacket): number {
    return timestamp - Math.min(0, this.#cuts[0]?.start ?? 0) + this.#leadIn.length * BRIEFLY;
  }

  /** Finds the next segment, or the end. A damaged file ends where it can't be read. */
  async #extend(): Promise<void> {
    try {
      const last = this.#cuts.at(-1)?.key ?? 0;
      const next = await this.#findCut(last);
      if (next === undefined) this.#end = await this.#findEnd();
      else if (this.#cuts.at(-1)?.key === last) this.#cuts.push(next);
    } catch (error) {
      if (error === this.#reader.failure || this.#cuts.length < 2) throw error;
      this.#end = this.#cuts.pop()?.start;
    }
  }

  async #findCut(last: number): Promise<Cut | undefined> {
    const { packets } = this.#tracks[0];
    let key = await packets.getKeyPacket(last + LONGEST, METADATA);
    if (key !== null && key.timestamp <= last) key = await packets.getNextKeyPacket(key, METADATA);
    if (key === null || key.timestamp <= last) return undefined;
    const isAlone = (await packets.getNextPacket(key, METADATA)) === null;
    if (isAlone) return undefined;
    return { key: key.timestamp, start: await findStart(this.#tracks[0], key) };
  }

  async #findEnd(): Promise<number> {
    const lasts = this.#all.map(({ packets }) => packets.getPacket(Number.POSITIVE_INFINITY, METADATA));
    const ends = (await Promise.all(lasts)).map((packet) => (packet === null ? 0 : packet.timestamp + packet.duration));
    return Math.max(...ends, (this.#cuts.at(-1)?.start ?? 0) + 0.001);
  }
}

/** Returns when the frames before 0, from a key frame on, would be shown. */
async function readLeadIn({ packets }: MuxedTrack, key: EncodedPacket): Promise<readonly number[]> {
  const times: number[] = [];
  for (
    let packet: EncodedPacket | null = key;
    packet !== null;
    packet = await packets.getNextPacket(packet, METADATA)
  ) {
    // Frames that are decoded before the first key frame from 0 on may be shown after it.
    if (packet.timestamp >= 0 && (packet === key || packet.type === 'key')) break;
    if (packet.timestamp < 0) times.push(packet.timestamp);
    else if (times.length > 0 && packet.timestamp > LONGEST) break;
  }
  return times.sort((a, b) => a - b);
}

/** Frames may be decoded after a key frame and shown before it. */
async function findStart({ packets }: MuxedTrack, key: EncodedPacket): Promise<number> {
  let start = key.timestamp;
  let packet = await packets.getNextPacket(key, METADATA);
  while (packet !== null && packet.type === 'delta' && packet.timestamp < key.timestamp) {
    start = Math.min(start, packet.timestamp);
    packet = await packets.getNextPacket(packet, METADATA);
  }
  return start;
}
