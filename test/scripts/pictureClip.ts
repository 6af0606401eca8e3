// What the streams of the README's pictures show: a talk on a stage, drawn on a canvas and encoded with ffmpeg.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, inTestFolder } from '../support/projectFolder.ts';
import { startBrowser } from '../support/vscode/browser.ts';

const FRAMES_PER_SECOND = 3;
/** As many segments of as many seconds as the demo's own clip has. */
const [SEGMENTS, SEGMENT_SECONDS] = [6, 2];

export interface PictureClip {
  /** MPEG-TS. */
  readonly segments: readonly Buffer[];
  /** JPEG. */
  readonly thumbnail: Buffer;
}

/** Draws the clip anew, which takes a minute or two. Needs ffmpeg. */
export async function makePictureClip(): Promise<PictureClip> {
  const folder = inTestFolder('pictureClip');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await drawFrames(folder);
  const run = (...options: string[]) =>
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...options], { cwd: folder, stdio: 'inherit' });
  const keyFrames = ['-g', String(FRAMES_PER_SECOND * SEGMENT_SECONDS), '-sc_threshold', '0', '-bf', '0'];
  const video = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '20', ...keyFrames];
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=44100:cl=mono', '-c:a', 'aac', '-b:a', '32k', '-shortest'];
  const cut = ['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_list_size', '0'];
  const frames = ['-framerate', String(FRAMES_PER_SECOND), '-i', '%03d.jpg'];
  run(...frames, ...silence, ...video, ...cut, '-hls_segment_filename', '%d.mpegts', 'list.m3u8');
  run('-i', '015.jpg', '-vf', 'scale=640:-2', '-q:v', '3', 'thumbnail.jpg');
  const read = (name: string) => readFileSync(join(folder, name));
  const segments = Array.from({ length: SEGMENTS }, (_, number) => read(`${number}.mpegts`));
  return { segments, thumbnail: read('thumbnail.jpg') };
}

async function drawFrames(folder: string): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent(readFileSync(inProject('test/scripts/stage.html'), 'utf8'));
    const count = SEGMENTS * SEGMENT_SECONDS * FRAMES_PER_SECOND;
    for (let frame = 0; frame < count; frame++) {
      await page.evaluate(`draw(${frame / FRAMES_PER_SECOND})`);
      const name = `${String(frame).padStart(3, '0')}.jpg`;
      await page.locator('canvas').screenshot({ path: join(folder, name), quality: 95 });
    }
  } finally {
    await browser.close();
  }
}
