// node test/support/sound/makeFixtures.ts
// Writes test/support/sound/media: AAC in fragmented MP4, and what ffmpeg decodes of it. Needs ffmpeg and, for HE-AAC, fdkaac.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inProject } from '../projectFolder.ts';
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

for (const fixture of FIXTURES) {
  make(fixture);
  console.log(
    fixture.name,
    readFileSync(out(`${fixture.name}.mp4`)).length,
    readFileSync(out(`${fixture.name}.pcm.gz`)).length,
  );
}
rmSync(folder, { recursive: true });
