// Makes media/demo/clips.bin.br and src/demo/clipSizes.ts: what the demo's streams show. Each scene of stage.html is drawn as
// 12 seconds, in segments of exactly 2 as MPEG-TS in two renditions, with a thumbnail; the first is an MP4 too. All are in
// one file, because a package of few files installs faster, compressed with Brotli. Needs ffmpeg.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { RENDITIONS, SEGMENT_COUNT } from '../../src/demo/site.ts';
import { inProject, inTestFolder } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

const FRAMES_PER_SECOND = 15;
const SEGMENT_SECONDS = 2;
const SECONDS = SEGMENT_COUNT * SEGMENT_SECONDS;
const SCENES = ['stage', 'studio', 'nest'];

// A soft chord that swells. Its waves fit into a frame of AAC and the swell into 32, so that frames repeat and the package
// gets small.
const SAMPLE_RATE = 16_000;
const FRAME_SECONDS = 1024 / SAMPLE_RATE;
const tones = [14, 21, 28, 35].map((waves) => `sin(2*PI*${waves / FRAME_SECONDS}*t)`);
const CHORD = `0.04*(1-cos(2*PI*t/${32 * FRAME_SECONDS}))*(${tones.join('+')})`;

const folder = inTestFolder('demoClips');
rmSync(folder, { recursive: true, force: true });
const parts: [name: string, bytes: Buffer][] = [];
await drawScenes();
for (const scene of SCENES) {
  for (const { name, profile } of RENDITIONS) {
    const movie = join(folder, `${scene}-${name}.mp4`);
    encode(scene, `${profile.width}:${profile.height}`, movie);
    const segments = join(folder, `${scene}-${name}`);
    const cut = ['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_list_size', '0'];
    run('-i', movie, '-c', 'copy', ...cut, '-hls_segment_filename', `${segments}%d.ts`, join(folder, 'list.m3u8'));
    for (let number = 0; number < SEGMENT_COUNT; number++) {
      parts.push([`${scene}/${name}${number}.ts`, readFileSync(`${segments}${number}.ts`)]);
    }
  }
  const thumbnail = join(folder, `${scene}.jpg`);
  run('-i', join(folder, scene, '045.png'), '-vf', 'scale=320:-2', '-q:v', '9', thumbnail);
  parts.push([`${scene}/thumbnail.jpg`, readFileSync(thumbnail)]);
}
parts.push(['recording.mp4', readFileSync(join(folder, `${SCENES[0]}-high.mp4`))]);
const clips = Buffer.concat(parts.map(([, bytes]) => bytes));
writeFileSync(inProject('media/demo/clips.bin.br'), brotliCompressSync(clips));
const lines = parts.map(([name, { length }]) => `  '${name}': ${length},\n`);
const comment =
  '/** What is in media/demo/clips.bin.br, in this order, in bytes. Written by test/scripts/demoClips.ts. */';
const table = `${comment}\nexport const CLIP_SIZES: Readonly<Record<string, number>> = {\n${lines.join('')}};\n`;
writeFileSync(inProject('src/demo/clipSizes.ts'), table);

async function drawScenes(): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent(readFileSync(inProject('test/scripts/stage.html'), 'utf8'));
    for (const scene of SCENES) {
      mkdirSync(join(folder, scene), { recursive: true });
      for (let frame = 0; frame < SECONDS * FRAMES_PER_SECOND; frame++) {
        const picture = await page.evaluate(`clips.${scene}(${frame / FRAMES_PER_SECOND}), takeSmall()`);
        const name = `${String(frame).padStart(3, '0')}.png`;
        writeFileSync(join(folder, scene, name), Buffer.from(String(picture).split(',')[1] ?? '', 'base64'));
      }
    }
  } finally {
    await browser.close();
  }
}

/** At a fixed quantizer, so that each segment's first picture, which is the same, becomes the same bytes. */
function encode(scene: string, size: string, path: string): void {
  const frames = ['-framerate', String(FRAMES_PER_SECOND), '-i', join(folder, scene, '%03d.png')];
  const sound = ['-f', 'lavfi', '-i', `aevalsrc=${scene === 'nest' ? 0 : CHORD}:s=${SAMPLE_RATE}:d=${SECONDS}`];
  const groups = ['-g', '30', '-keyint_min', '30', '-sc_threshold', '0', '-bf', '0'];
  const video = [
    '-c:v',
    'libx264',
    '-profile:v',
    'main',
    '-level',
    '3.0',
    '-preset',
    'veryslow',
    '-qp',
    '36',
    ...groups,
  ];
  const audio = ['-c:a', 'aac', '-q:a', '0.3', '-ac', '1', '-t', String(SECONDS)];
  const filter = ['-vf', `scale=${size}:flags=lanczos,format=yuv420p`, '-threads', '1'];
  run(...frames, ...sound, ...filter, ...video, ...audio, '-map_metadata', '-1', '-movflags', '+faststart', path);
}

function run(...options: string[]): void {
  const exact = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options.slice(0, -1), ...exact, ...options.slice(-1)], {
    stdio: 'inherit',
  });
}
