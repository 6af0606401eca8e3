import { execFileSync } from 'node:child_process';

/** Writes a picture with video in it as lossy WebP, of a quality from 0 to 100. */
export function writeWebp(input: readonly string[], path: string, quality: number): void {
  write([...input, '-c:v', 'libwebp', '-quality', String(quality)], path);
}

/** Writes a picture or an animation in few colors, in the format that the name of the file ends in: PNG, WebP, or GIF. */
export function writeInPalette(input: readonly string[], path: string, colors = 256): void {
  const format = path.endsWith('.webp')
    ? ['-c:v', 'libwebp', '-lossless', '1', '-quality', '100', '-compression_level', '6']
    : [];
  const filter = ['-vf', paletteFilter(colors), '-fps_mode', 'vfr'];
  write([...input, ...filter, ...format], path);
}

function write(options: readonly string[], path: string): void {
  try {
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...options, path], { stdio: 'inherit' });
  } catch (error) {
    throw new Error(`${path} was not written. This needs ffmpeg: apt-get install ffmpeg`, { cause: error });
  }
}

/** One palette for all frames, and of each frame only the part that changed. Dithering would blur letters. */
function paletteFilter(colors: number): string {
  const palette = `palettegen=stats_mode=full:max_colors=${colors}`;
  return `split[a][b];[a]${palette}[p];[b][p]paletteuse=dither=none:diff_mode=rectangle`;
}
