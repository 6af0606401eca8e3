import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBroadcastError } from '../../src/broadcast/errors.ts';
import { ffmpegSource } from '../../src/broadcast/ffmpeg.ts';
import { makeTemporaryFolder } from '../support/process/temporaryFolder.ts';
import { inProject } from '../support/projectFolder.ts';
import { itWith } from '../support/runner/itWith.ts';

const PRIVATE = inProject('media/demo/source.mp4');

describe('A text that names another file', () => {
  const texts: Readonly<Record<string, string>> = {
    'an HLS playlist': `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile:${PRIVATE}\n#EXT-X-ENDLIST\n`,
    'a list of files': `ffconcat version 1.0\nfile '${PRIVATE}'\n`,
  };
  for (const [what, text] of Object.entries(texts)) {
    itWith('ffmpeg')(`is not broadcast by ffmpeg in place of a video: ${what}`, async () => {
      const folder = makeTemporaryFolder('input');
      const path = join(folder, 'video.mp4');
      writeFileSync(path, text);
      const source = ffmpegSource('ffmpeg', { kind: 'file', path });
      const read = async () => {
        for await (const _ of source.packets(0, AbortSignal.timeout(20_000))) return 'a packet';
        return 'nothing';
      };
      try {
        const error = await read().catch((failure: unknown) => failure);
        assert.ok(isBroadcastError(error), String(error));
        assert.match(error.detail ?? '', /not in allowed|whitelist|Invalid/i);
      } finally {
        source.dispose();
        rmSync(folder, { recursive: true });
      }
    });
  }

  itWith('ffmpeg')('does not keep ffmpeg from reading a video', async () => {
    const source = ffmpegSource('ffmpeg', { kind: 'file', path: PRIVATE });
    let packets = 0;
    for await (const _ of source.packets(0, AbortSignal.timeout(30_000))) {
      packets += 1;
      if (packets === 10) break;
    }
    source.dispose();
    assert.equal(packets, 10);
  });
});
