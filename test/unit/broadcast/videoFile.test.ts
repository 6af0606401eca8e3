import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBroadcastError } from '../../../src/broadcast/errors.ts';
import { ffmpegSource } from '../../../src/broadcast/ffmpeg.ts';
import { openMp4Source } from '../../../src/broadcast/mp4Source.ts';
import { beginsLikeVideo, requireVideoFile } from '../../../src/broadcast/videoFile.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';

const reasonOf = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.catch((failure: unknown) => failure);
  return isBroadcastError(error) ? error.reason : 'none';
};

describe('A file that is to be broadcast', () => {
  let folder: string;
  before(() => {
    folder = makeTemporaryFolder('videoFile');
  });
  after(() => rmSync(folder, { recursive: true }));

  const packets = (bytes: number, start = 0) => {
    const head = Buffer.alloc(400);
    for (let at = start; at < head.length; at += bytes) head[at] = 0x47;
    return head;
  };
  const videos: Readonly<Record<string, Buffer>> = {
    MP4: Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0', 'latin1'),
    QuickTime: Buffer.from('\0\0\0\x08wide\0\0\0\0', 'latin1'),
    'MP4 for progressive download': Buffer.from('\0\0\0\x0cpdin\0\0\0\0', 'latin1'),
    "an editor's MP4": Buffer.from('\0\0\0\x18uuid\0\0\0\0', 'latin1'),
    Matroska: Buffer.from('1a45dfa301000000000000', 'hex').subarray(0, 11),
    'MPEG-TS': packets(188),
    'MPEG-TS with time codes': packets(192, 4),
    FLV: Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0', 'latin1'),
    AVI: Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'),
  };
  for (const [what, head] of Object.entries(videos)) {
    it(`is a video if it begins like ${what}`, () => {
      const whole = Buffer.concat([head, Buffer.alloc(Math.max(0, 12 - head.length))]);
      assert.equal(beginsLikeVideo(whole), true);
      assert.equal(beginsLikeVideo(whole.subarray(0, 8)), false);
    });
  }

  const others: Readonly<Record<string, string>> = {
    'an HLS playlist': '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n',
    'a list of files': "ffconcat version 1.0\nfile '/home/me/private.mp4'\n",
    'a DASH manifest': '<?xml version="1.0"?><MPD></MPD>',
    'an SDP description': 'v=0\nc=IN IP4 127.0.0.1\n',
    'a sound': 'RIFF\x10\0\0\0WAVEfmt ',
    'a picture': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    'one packet': `G${'\0'.repeat(300)}`,
    nothing: '',
  };
  for (const [what, text] of Object.entries(others)) {
    it(`is refused by its bytes, whatever its name is: ${what}`, async () => {
      const path = join(folder, 'video.mp4');
      writeFileSync(path, text, 'latin1');
      assert.equal(await reasonOf(requireVideoFile(path)), 'fileNotVideo');
    });
  }

  it('is refused unless it is a regular file, and not waited for', async () => {
    const pipe = join(folder, 'pipe.mp4');
    execFileSync('mkfifo', [pipe]);
    mkdirSync(join(folder, 'folder.mp4'));
    for (const path of [pipe, join(folder, 'folder.mp4'), '/dev/zero']) {
      assert.equal(await reasonOf(openMp4Source(path)), 'fileNotVideo', path);
      assert.equal(await reasonOf(requireVideoFile(path)), 'fileNotVideo', path);
    }
    assert.equal(await reasonOf(requireVideoFile(join(folder, 'missing'))), 'fileMissing');
  });

  it('is read by ffmpeg as a container, and by no other protocol than files', async () => {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.txt"\n', { mode: 0o755 });
    const source = ffmpegSource(program, { kind: 'file', path: '/tmp/a.mp4' });
    const read = async () => {
      for await (const _ of source.packets(0, new AbortController().signal)) assert.fail('It writes nothing');
    };
    assert.equal(await reasonOf(read()), 'ffmpeg');
    const given = readFileSync(`${program}.txt`, 'utf8').split('\n');
    const input = given.indexOf('-i');
    assert.equal(given[input + 1], 'file:/tmp/a.mp4');
    assert.deepEqual(given.slice(input - 4, input), [
      ...['-format_whitelist', 'mov,mp4,matroska,webm,mpegts,flv,avi', '-protocol_whitelist', 'file'],
    ]);
  });
});
