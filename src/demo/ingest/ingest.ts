import { MESSAGE, type RtmpMessage } from '../../media/chunks.ts';
import { type MediaPart, readAudio, readVideo } from '../../media/flvPayload.ts';
import { beginsWithKey, initializationSegment } from '../../media/mp4.ts';
import type { Log } from '../../services.ts';
import type { DemoSession, DemoState, DemoStream, Feed, FeedFile } from '../demoState.ts';
import { loseRecording, startBroadcast, stopBroadcast, takeOver } from '../simulation.ts';
import {
  INITIALIZATION_FILE,
  type ListedSegment,
  masterPlaylist,
  mediaPlaylist,
  PLAYLIST_FILE,
  segmentFile,
} from './playlists.ts';
import { type DemoRecordings, MOST_AT_A_TIME, type Recording } from './recordings.ts';
import type { Publication, PublishRefusal } from './rtmpServer.ts';
import { LONGEST_MS, type Segment, Segmenter } from './segmenter.ts';

interface IngestParts {
  readonly state: DemoState;
  readonly recordings: DemoRecordings;
  readonly log: Log;
}

// The public service takes a minute. This is long enough to see a recording wait.
const RECORDING_MS = 10_000;
const NOTHING_SHOWN_MS = 10_000;
const NOTHING_SHOWN = 'Nothing can be played: there was no key frame in 10 s';

/** Makes the stream with this key live, replacing a simulated broadcast. Calls `disconnect` when the broadcast ends. */
export function publish(parts: IngestParts, streamKey: string, disconnect: () => void): Publication | PublishRefusal {
  const { state } = parts;
  const stream = [...state.streams.values()].find((it) => it.streamKey === streamKey);
  if (stream === undefined) return { refusal: 'The stream key is unknown', isKeyWrong: true };
  if (stream.suspended) return { refusal: 'The stream is suspended', isKeyWrong: false };
  const feeds = [...state.broadcasts.values()].filter(({ feed }) => feed !== undefined).length;
  const running = state.broadcasts.get(stream.id);
  if (running?.feed !== undefined) return { refusal: 'The stream is already being broadcast', isKeyWrong: false };
  if (feeds >= MOST_AT_A_TIME) {
    return { refusal: `The demo takes ${MOST_AT_A_TIME} broadcasts at a time`, isKeyWrong: false };
  }
  if (running !== undefined) stopBroadcast(state, stream);
  const session = startBroadcast(state, stream);
  const feed = new LiveFeed(parts, { stream, session, disconnect });
  takeOver(state, stream, feed);
  return feed;
}

interface FeedSubject {
  readonly stream: DemoStream;
  readonly session: DemoSession;
  readonly disconnect: () => void;
}

class LiveFeed implements Feed, Publication {
  readonly #parts: IngestParts;
  readonly #subject: FeedSubject;
  readonly #segmenter = new Segmenter((segment) => this.#keep(segment));
  readonly #window: LiveWindow;
  readonly #recording: Recording | undefined;
  readonly #issues = new Set<string>();
  #received = { segments: 0, seconds: 0, bytes: 0, bytesPerSecond: 0, lastSeen: 0 };
  #isClosed = false;
  #isRecordingFull = false;

  constructor(parts: IngestParts, subject: FeedSubject) {
    const { id, createdAt, record } = subject.session;
    this.#parts = parts;
    this.#subject = subject;
    this.#window = new LiveWindow(`${id}/`, createdAt);
    this.#received.lastSeen = createdAt;
    this.#recording = record ? beginRecording(parts, subject.session) : undefined;
    this.#log('began');
  }

  get received(): Feed['received'] {
    return this.#received;
  }

  get issues(): readonly string[] {
    return [...this.#issues];
  }

  get isRecorded(): boolean {
    return this.#recording !== undefined && !this.#isRecordingFull;
  }

  read(file: string): FeedFile | undefined {
    return this.#window.read(file);
  }

  take({ type, timestamp, payload }: RtmpMessage): void {
    this.#received = {
      ...this.#received,
      bytes: this.#received.bytes + payload.length,
      lastSeen: this.#parts.state.clock.now(),
    };
    const part = type === MESSAGE.video ? readVideo(payload) : readAudio(payload);
    if (part === undefined) return;
    if (part.kind === 'unsupported') this.#noteUnsupported(part);
    else this.#segmenter.add(timestamp, part);
    if (this.#received.segments === 0 && this.#segmenter.time > NOTHING_SHOWN_MS) {
      this.#note(NOTHING_SHOWN);
    }
  }

  /** The sender left, or was disconnected. */
  end(): void {
    if (!this.#isClosed) stopBroadcast(this.#parts.state, this.#subject.stream);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#segmenter.end();
    this.#subject.disconnect();
    if (this.#received.segments === 0) this.#parts.recordings.discard(this.#subject.session.id);
    this.#log(`ended after ${Math.round(this.#received.seconds)} s`);
  }

  keepRecording(): void {
    void this.#finishRecording();
  }

  async #finishRecording(): Promise<void> {
    const { state, log, recordings } = this.#parts;
    const { session } = this.#subject;
    if (this.#recording === undefined) {
      loseRecording(state, session, 'failed');
      return;
    }
    try {
      await this.#recording.finish();
      state.recordingsDue.set(session.id, state.clock.now() + RECORDING_MS);
    } catch (error) {
      // The file was removed with the demo.
      if (recordings.isDisposed) return;
      log.error(`Demo: the recording ${session.id} couldn't be written`, error);
      recordings.discard(session.id);
      loseRecording(state, session, 'failed');
    }
  }

  #keep(segment: Segment): void {
    const { duration, head, samples, runs } = segment;
    this.#window.add(segment);
    this.#issues.delete(NOTHING_SHOWN);
    this.#record(segment);
    const { segments, seconds } = this.#received;
    const bytesPerSecond = Math.round((head.length + samples.length) / duration);
    this.#received = { ...this.#received, segments: segments + 1, seconds: seconds + duration, bytesPerSecond };
    if (segments === 0) this.#log(`sends ${segment.formats.map(({ codec }) => codec).join(' and ')}`);
    const video = runs.find(({ format }) => format.kind === 'video');
    const startsWithKey = video === undefined || beginsWithKey(video);
    if (!startsWithKey) this.#note(`Keyframe interval is over ${LONGEST_MS / 1000} s; 2 s is recommended.`);
  }

  #record(segment: Segment): void {
    if (this.#recording === undefined || this.#isRecordingFull) return;
    this.#isRecordingFull = !this.#recording.append(segment);
    if (this.#isRecordingFull) this.#log('is not recorded any further');
  }

  #noteUnsupported({ media, codec }: MediaPart & { readonly kind: 'unsupported' }): void {
    const needed = media === 'video' ? 'H.264' : 'AAC';
    this.#note(`The ${media} is ${codec}, which can't be played; send ${needed}`);
  }

  #note(issue: string): void {
    if (this.#issues.has(issue)) return;
    this.#issues.add(issue);
    this.#parts.log.warn(`Demo: the broadcast to ${this.#subject.stream.id}: ${issue}`);
  }

  #log(what: string): void {
    this.#parts.log.info(`Demo: the broadcast to ${this.#subject.stream.id} ${what}`);
  }
}

function beginRecording({ recordings, log }: IngestParts, { id, createdAt }: DemoSession): Recording | undefined {
  try {
    return recordings.begin(id, createdAt);
  } catch (error) {
    log.error(`Demo: the recording ${id} couldn't be started`, error);
    return undefined;
  }
}

interface KeptSegment extends ListedSegment {
  readonly data: Buffer;
}

const MOST_BYTES = 64 * 1024 * 1024;
// A playlist has to be at least three times as long as its longest segment. Removed segments stay for as long again.
const LISTED_SECONDS = 20;
const KEPT_SECONDS = 2 * LISTED_SECONDS;
const TARGET_SECONDS = LONGEST_MS / 1000 + 1;

/** The newest segments of a live broadcast: at most 40 seconds and 64 MB. */
class LiveWindow {
  readonly #folder: string;
  readonly #beganAt: number;
  #kept: readonly KeptSegment[] = [];

  /** @param folder of the segments, relative to the playlists; another one for each broadcast */
  constructor(folder: string, beganAt: number) {
    this.#folder = folder;
    this.#beganAt = beganAt;
  }

  add(segment: Segment): void {
    const data = Buffer.concat([segment.head, segment.samples]);
    const { number, start, duration, formats } = segment;
    const all = [...this.#kept, { number, start, duration, formats, data, bytes: data.length }];
    this.#kept = newest(all, KEPT_SECONDS);
  }

  /** Undefined if there is no such file, or nothing to play yet. */
  read(file: string): FeedFile | undefined {
    const listed = newest(this.#kept, LISTED_SECONDS);
    const [first] = listed;
    if (first === undefined) return undefined;
    if (file === 'index.m3u8') return { type: 'playlist', body: masterPlaylist(this.#kept) };
    if (file === PLAYLIST_FILE) return { type: 'playlist', body: this.#list(listed) };
    if (file === this.#folder + INITIALIZATION_FILE)
      return { type: 'media', body: initializationSegment(first.formats) };
    const segment = this.#kept.find(({ number }) => file === this.#folder + segmentFile(number));
    return segment && { type: 'media', body: segment.data };
  }

  #list(segments: readonly KeptSegment[]): string {
    const [folder, beganAt] = [this.#folder, this.#beganAt];
    return mediaPlaylist({ segments, folder, beganAt, targetSeconds: TARGET_SECONDS, type: 'window' });
  }
}

function newest(segments: readonly KeptSegment[], seconds: number): readonly KeptSegment[] {
  let [duration, bytes] = [0, 0];
  const tooOld = segments.findLastIndex((segment) => {
    duration += segment.duration;
    bytes += segment.bytes;
    return duration > seconds || bytes > MOST_BYTES;
  });
  // The newest one always stays.
  return segments.slice(Math.min(tooOld + 1, segments.length - 1));
}
