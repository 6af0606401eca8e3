import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../projectFolder.ts';

/** What a program that stands in for ffmpeg does after it was asked for its encoders. */
export type FfmpegDeed = 'encode' | 'fail' | 'hang' | 'noise' | 'ignoreSignals';

/** Writes a program that answers as ffmpeg does, and makes FLV of the test pattern in real time. Returns its path. */
export function writeFakeFfmpeg(folder: string, deed: FfmpegDeed): string {
  const path = join(folder, `ffmpeg-${deed}`);
  const source = (file: string) => JSON.stringify(pathToFileURL(inProject(file)).href);
  writeFileSync(
    `${path}.mjs`,
    `import { openMp4Source } from ${source('src/broadcast/mp4Source.ts')};
const deed = ${JSON.stringify(deed)};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
if (deed === 'hang') {
  await wait(1e6);
} else if (deed === 'fail') {
  process.stderr.write('x'.repeat(1e5) + '\\nInvalid data found when processing input\\n');
  process.exitCode = 1;
} else {
  if (deed === 'ignoreSignals') process.on('SIGTERM', () => {});
  process.stdout.on('error', () => {});
  if (deed === 'noise') process.stderr.write(Buffer.alloc(10e6, 'noise '));
  process.stdout.write(Buffer.from('464c5601050000000900000000', 'hex'));
  const { packets } = await openMp4Source(${JSON.stringify(inProject('media/demo/source.mp4'))});
  const began = performance.now();
  for await (const { kind, time, body } of packets(0)) {
    await wait(began + time - performance.now());
    const tag = Buffer.alloc(15 + body.length);
    tag[0] = kind === 'audio' ? 8 : 9;
    tag.writeUIntBE(body.length, 1, 3);
    tag.writeUIntBE(time, 4, 3);
    body.copy(tag, 11);
    process.stdout.write(tag);
  }
}
`,
  );
  // The shell says the encoders: Node may be slow to start on a busy machine, and ffmpeg is only waited for 2 s.
  const encoders = "echo ' V....D libx264 '; echo ' A....D aac '";
  const script = `#!/bin/sh\ncase "$*" in *-encoders*) ${encoders};; *) exec ${process.execPath} ${path}.mjs "$@";; esac\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}
