import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { inProject } from '../projectFolder.ts';

/** AAC that ffmpeg and fdkaac encoded, in fragmented MP4 by ffmpeg. Made by makeFixtures.ts. */
export interface Fixture {
  readonly name: string;
  readonly profile: 'lc' | 'he' | 'heV2';
  /** Of what is heard, in samples per second. */
  readonly rate: number;
  readonly channels: number;
  readonly seconds: number;
  readonly bitRate: string;
  readonly fragmentMs: number;
  /** In the same fragments, H.264. */
  readonly hasPicture?: boolean;
}

const LC = { profile: 'lc', fragmentMs: 500 } as const;

export const FIXTURES = [
  { ...LC, name: 'stereo48', rate: 48000, channels: 2, seconds: 2, bitRate: '160k' },
  { ...LC, name: 'mono44', rate: 44100, channels: 1, seconds: 2, bitRate: '96k' },
  { ...LC, name: 'mono8', rate: 8000, channels: 1, seconds: 4, bitRate: '24k' },
  { ...LC, name: 'stereo96', rate: 96000, channels: 2, seconds: 1, bitRate: '256k' },
  { ...LC, name: 'surround48', rate: 48000, channels: 6, seconds: 1, bitRate: '448k' },
  { ...LC, name: 'muxed48', rate: 48000, channels: 2, seconds: 3, bitRate: '128k', hasPicture: true },
  { ...LC, name: 'hundred16', rate: 16000, channels: 1, seconds: 26, bitRate: '24k', fragmentMs: 200 },
  { name: 'he44', profile: 'he', rate: 44100, channels: 2, seconds: 4, bitRate: '48000', fragmentMs: 1000 },
  { name: 'heV244', profile: 'heV2', rate: 44100, channels: 2, seconds: 4, bitRate: '32000', fragmentMs: 1000 },
] as const satisfies readonly Fixture[];

export type FixtureName = (typeof FIXTURES)[number]['name'];

export function fixtureOf(name: FixtureName): Fixture {
  const fixture = FIXTURES.find((one) => one.name === name);
  if (fixture === undefined) throw new Error(`There is no fixture ${name}`);
  return fixture;
}

export function readFixture(name: FixtureName): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(inProject('test/support/sound/media', `${name}.mp4`)));
}

/** Of what ffmpeg decoded, one time in so many is kept. */
export const EVERY = 37;

/** What ffmpeg decodes of a fixture. */
export interface Reference {
  /** Samples of each channel. */
  readonly times: number;
  /** From -1 to 1; `time` is a multiple of EVERY. */
  at(time: number, channel: number): number;
}

export function readReference(name: FixtureName): Reference {
  const bytes = gunzipSync(readFileSync(inProject('test/support/sound/media', `${name}.pcm.gz`)));
  const { channels } = fixtureOf(name);
  return {
    times: bytes.readUInt32LE(0),
    at: (time, channel) => bytes.readInt16LE(4 + ((time / EVERY) * channels + channel) * 2) / 0x8000,
  };
}
