// node test/support/sound/makeFixtures.ts
// Writes test/support/sound/media: AAC in fragmented MP4, what ffmpeg decodes of it, and segments of HLS with other sound. Needs ffmpeg and, for HE-AAC, fdkaac.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { inProject } from '../projectFolder.ts';
import { BEEP_EVERY_SECONDS, BEEP_HZ, CLIP_SECONDS, TONE_HZ } from './beepClips.ts';
import { EVERY, FIXTURES, type Fixture } from './fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'sound-'));
const out = (name: string): string => inProject('test/support/sound/media', name);
const run = (command: string, ...args: readonly string[]): Buffer =>
  execFileSync(command, args, { maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] });
const ffmpeg = (...args: readonly string[]): Buffer => run('ffmpeg', '-v', 'error', '-y', ...args);

/** A rising tone of its own for each channel, a high one, and some noise: what is out of place by a sample shows. */
function signal(channels: number): string {
  const tones = Array.from({ length: channels }, (_, at) => {
    const rising = `0.3*sin(2*PI*(${220 + 70 * at}+${40 + at}*t)*t)`;
    return `${rising}+0.1*sin(2*PI*${1500 + 130 * at}*t)+0.04*(random(${at})-0.5)`;
  });
  return tones.join('|');
}

function make(fixture: Fixture): void {
  const { name, rate, channels, seconds, fragmentMs } = fixture;
  const wav = join(folder, `${name}.wav`);
  const layout = channels === 6 ? ':c=5.1' : '';
  ffmpeg('-f', 'lavfi', '-i', `aevalsrc='${signal(channels)}':s=${rate}${layout}`, '-t', String(seconds), wav);
  const aac = join(folder, `${name}.aac`);
  if (fixture.profile === 'lc') ffmpeg('-i', wav, '-c:a', 'aac', '-aac_pns', '0', '-b:a', fixture.bitRate, aac);
  else
    run('fdkaac', '-S', '-f', '2', '-p', fixture.profile === 'he' ? '5' : '29', '-b', fixture.bitRate, '-o', aac, wav);
  const picture = fixture.hasPicture
    ? [
        '-f',
        'lavfi',
        '-i',
        `testsrc=s=64x36:r=10:d=${seconds}`,
        '-c:v',
        'libx264',
        '-g',
        '10',
        '-bf',
        '2',
        '-pix_fmt',
        'yuv420p',
      ]
    : [];
  const flags = [
    '-movflags',
    '+delay_moov+default_base_moof+frag_keyframe',
    '-frag_duration',
    String(fragmentMs * 1000),
  ];
  ffmpeg('-i', aac, ...picture, '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc', ...flags, out(`${name}.mp4`));
  const pcm = ffmpeg('-i', aac, '-f', 'f32le', '-c:a', 'pcm_f32le', '-');
  writeFileSync(out(`${name}.pcm.gz`), gzipSync(thinOut(pcm, channels), { level: 9 }));
}

/** One time in EVERY, as 16 bits; before them, the count of all times as 32 bits. */
function thinOut(pcm: Buffer, channels: number): Buffer {
  const times = pcm.length / 4 / channels;
  const kept = Buffer.alloc(4 + Math.ceil(times / EVERY) * channels * 2);
  kept.writeUInt32LE(times);
  for (let time = 0, at = 4; time < times; time += EVERY) {
    for (let channel = 0; channel < channels; channel++, at += 2) {
      const value = Math.round(pcm.readFloatLE((time * channels + channel) * 4) * 0x8000);
      kept.writeInt16LE(Math.max(-0x8000, Math.min(0x7fff, value)), at);
    }
  }
  return kept;
}

/**
 * Cuts the second clip out of four: what is there is as it is when clips follow each other. Of AAC, the encoder's first
 * frame is before the sound's beginning.
 */
async function makeClips(): Promise<void> {
  const isOn = `lt(mod(t+${BEEP_EVERY_SECONDS / 2},${BEEP_EVERY_SECONDS}),0.12)`;
  const length = ['-t', String(4 * CLIP_SECONDS)];
  const flash = `color=black:s=160x90:r=25,drawbox=c=white:t=fill:enable='${isOn}'`;
  const h264 = [
    '-c:v',
    'libx264',
    '-profile:v',
    'baseline',
    '-g',
    String(CLIP_SECONDS * 25),
    '-sc_threshold',
    '0',
    '-bf',
    '0',
  ];
  const picture = join(folder, 'picture.mp4');
  ffmpeg('-f', 'lavfi', '-i', flash, ...length, ...h264, '-pix_fmt', 'yuv420p', picture);
  await cutClip(picture, 'beepPicture', CLIP_SECONDS * 25, 0);
  const sound = `0.03*sin(2*PI*${TONE_HZ}*t)+0.4*sin(2*PI*${BEEP_HZ}*t)*${isOn}`;
  for (const channels of [1, 2, 6] as const) {
    const all = Array.from({ length: channels }, (_, at) => (channels === 6 && at === 3 ? '0' : sound)).join('|');
    const aac = join(folder, `sound${channels}.mp4`);
    const layout = channels === 6 ? ':c=5.1' : '';
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='${all}':s=48000${layout}`,
      ...length,
      '-c:a',
      'aac',
      '-b:a',
      `${channels * 24}k`,
      aac,
    );
    await cutClip(aac, `beepSound${channels}`, (CLIP_SECONDS * 48000) / 1024, 1);
  }
}

/** Two segments of two seconds each, of a picture with sound that all browsers decode. */
function makeSegments(name: string, soundCodec: string, type: readonly string[]): void {
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=10:d=4', '-f', 'lavfi', '-i', 'sine=440:r=48000:d=4'];
  const h264 = ['-c:v', 'libx264', '-profile:v', 'baseline', '-g', '20', '-bf', '0', '-pix_fmt', 'yuv420p'];
  const sound = ['-c:a', soundCodec, '-b:a', '48k'];
  const hls = ['-f', 'hls', '-hls_time', '2', ...type, '-hls_segment_filename'];
  // tsc would take what ends in ".ts" for TypeScript.
  const extension = type.length === 0 ? 'mpegts' : 'm4s';
  ffmpeg(...sources, ...h264, ...sound, ...hls, out(`${name}%d.${extension}`), join(folder, `${name}.m3u8`));
}

async function cutClip(from: string, name: string, frames: number, priming: number): Promise<void> {
  const input = new Input({ source: new BufferSource(readFileSync(from)), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const track = video ?? audio;
  if (track === null) throw new Error(`${from} has no track`);
  const packets = (await Array.fromAsync(new EncodedPacketSink(track).packets())).slice(
    priming + frames,
    priming + 2 * frames,
  );
  const start = packets[0]?.timestamp ?? 0;
  const add = await addTrack(output, video, audio);
  await output.start();
  for (const packet of packets) await add(packet.clone({ timestamp: Math.max(0, packet.timestamp - start) }));
  await output.finalize();
  if (target.buffer !== null) writeFileSync(out(`${name}.mp4`), new Uint8Array(target.buffer));
}

async function addTrack(output: Output, video: InputVideoTrack | null, audio: InputAudioTrack | null) {
  const videoConfig = await video?.getDecoderConfig();
  if (videoConfig) {
    const source = new EncodedVideoPacketSource('avc');
    output.addVideoTrack(source);
    return (packet: EncodedPacket) => source.add(packet, { decoderConfig: videoConfig });
  }
  const audioConfig = await audio?.getDecoderConfig();
  if (!audioConfig) throw new Error('The track has no configuration');
  const source = new EncodedAudioPacketSource('aac');
  output.addAudioTrack(source);
  return (packet: EncodedPacket) => source.add(packet, { decoderConfig: audioConfig });
}

makeSegments('mp3-', 'libmp3lame', []);
makeSegments('opus-', 'libopus', ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'opus-init.mp4']);
copyFileSync(join(folder, 'opus-init.mp4'), out('opus-init.mp4'));
await makeClips();
for (const fixture of FIXTURES) {
  make(fixture);
  console.log(
    fixture.name,
    readFileSync(out(`${fixture.name}.mp4`)).length,
    readFileSync(out(`${fixture.name}.pcm.gz`)).length,
  );
}
rmSync(folder, { recursive: true });
