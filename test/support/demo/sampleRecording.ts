import { openSampleMovie } from '../../../src/demo/sampleMovie.ts';
import { readMovie } from '../../../src/demo/site.ts';
import { inProject } from '../projectFolder.ts';

/** How long an MP4 file plays. */
export function movieSeconds(file: Buffer): number {
  const header = file.subarray(file.indexOf('mvhd') + 4);
  return header.readUInt32BE(16) / header.readUInt32BE(12);
}

/** The MP4 file of a broadcast of the demo. As short as the demo has one, where nothing is said of its length. */
export async function sampleRecording(seconds = 12): Promise<Buffer> {
  const file = openSampleMovie(readMovie(inProject('media/demo'))).cut({ from: 0, to: seconds });
  return Buffer.concat(await Array.fromAsync(file.read(0, file.size - 1)));
}
