import assert from 'node:assert/strict';
import {
  DownloadError,
  type DownloadErrorInit,
  type DownloadReason,
} from '../../../../src/model/downloads/downloadError.ts';
import { describeDownloadError, recordingFileName, reportProgress } from '../../../../src/texts/downloads.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

const AT = Date.UTC(2026, 10, 20, 23, 5);

describe('the name of a recording’s file', () => {
  it('is the stream’s, and when its session began by the reader’s clock', () => {
    assert.equal(recordingFileName('Keynote', AT, 'UTC'), 'Keynote 2026-11-20 23-05.mp4');
    assert.equal(recordingFileName('Keynote', AT, 'Asia/Tokyo'), 'Keynote 2026-11-21 08-05.mp4');
    assert.equal(recordingFileName('Keynote', Date.UTC(2026, 0, 1), 'UTC'), 'Keynote 2026-01-01 00-00.mp4');
    assert.equal(recordingFileName('Keynote', AT, 'no/where'), 'Keynote 2026-11-20 23-05.mp4');
    assert.equal(recordingFileName('Keynote', undefined, 'UTC'), 'Keynote.mp4');
    assert.equal(recordingFileName('Keynote', 9e15, 'UTC'), 'Keynote.mp4');
  });

  it('is one that every file system takes, whatever the stream is called', () => {
    assert.equal(recordingFileName('../../etc/passwd', AT, 'UTC'), '-..-etc-passwd 2026-11-20 23-05.mp4');
    assert.equal(recordingFileName('a\u202e\0b: "c"?', AT, 'UTC'), 'ab- -c-- 2026-11-20 23-05.mp4');
    assert.equal(recordingFileName(' \n.', undefined, 'UTC'), 'Recording.mp4');
    assert.equal(recordingFileName('NUL', undefined, 'UTC'), 'Recording.mp4');
    for (const name of ['x'.repeat(1000), '本'.repeat(1000), '👩‍💻'.repeat(1000)]) {
      const fileName = recordingFileName(name, AT, 'UTC');
      assert.ok(Buffer.byteLength(`${fileName}.part`) <= 255, fileName);
      assert.ok(fileName.endsWith(' 2026-11-20 23-05.mp4'));
      assert.ok(fileName.isWellFormed());
    }
  });
});

describe('the progress of a download', () => {
  function teller() {
    let now = 0;
    const lines: [string, number | undefined][] = [];
    const report = (message: string, percent?: number): void => void lines.push([message, percent]);
    const { onProgress, onWait } = reportProgress({
      clock: { ...heldClock(), elapsed: () => now },
      locale: 'en',
      report,
    });
    const at = (ms: number, received: number, total: number | undefined = 340e6): void => {
      now = ms;
      onProgress(received, total);
    };
    return { at, onProgress, onWait, lines };
  }

  it('is told in bytes, and in time once there is a speed', () => {
    const { at, lines } = teller();
    at(0, 0);
    at(500, 5e6);
    at(1000, 10e6);
    at(2000, 20e6);
    assert.deepEqual(lines, [
      ['0 bytes of 340 MB', 0],
      ['5 MB of 340 MB', (100 * 5) / 340],
      ['10 MB of 340 MB · 33 s left', (100 * 10) / 340],
      ['20 MB of 340 MB · 32 s left', (100 * 20) / 340],
    ]);
  });

  it('is told four times a second at most, and at the end', () => {
    const { at, lines } = teller();
    for (let ms = 0; ms < 1000; ms++) at(ms, ms * 1000);
    at(1000, 340e6);
    assert.equal(lines.length, 5);
    assert.deepEqual(lines.at(-1), ['340 MB of 340 MB · 0 s left', 100]);
  });

  it('follows the speed of the last seconds, and begins again with the file or after a cut', () => {
    const { at, onWait, lines } = teller();
    for (let second = 0; second <= 60; second++) at(second * 1000, second * 1e6);
    for (let second = 61; second <= 72; second++) at(second * 1000, 60e6 + (second - 60) * 10e6);
    assert.equal(lines.at(-1)?.[0], '180 MB of 340 MB · 16 s left');
    onWait();
    assert.deepEqual(lines.at(-1), ['Connection lost. Retrying…', undefined]);
    at(90_000, 181e6);
    assert.equal(lines.at(-1)?.[0], '181 MB of 340 MB');
    at(91_000, 0);
    assert.equal(lines.at(-1)?.[0], '0 bytes of 340 MB');
  });

  it('says what came where nobody knows how much there is', () => {
    const { onProgress, lines } = teller();
    onProgress(5e6, undefined);
    assert.deepEqual(lines.at(-1), ['5 MB', undefined]);
  });
});

describe('why a download failed', () => {
  const place = { fileName: 'Keynote.mp4', folder: '/home/me', locale: 'en' };
  const said = (reason: DownloadReason, init: DownloadErrorInit = {}) =>
    describeDownloadError(new DownloadError(reason, { host: 'cdn.example', ...init }), place);

  it('is explained with what is needed to do something about the failure', () => {
    assert.equal(said('exists'), '"Keynote.mp4" already exists and wasn\'t replaced.');
    assert.match(said('diskFull'), /isn't enough space in \/home\/me/);
    assert.match(said('readOnly'), /\/home\/me is read-only/);
    assert.match(said('notAllowed'), /don't have permission to write to \/home\/me/);
    assert.match(said('notVideo'), /cdn\.example didn't return a video/);
    assert.match(said('refused', { status: 403 }), /\(403\)/);
    assert.match(said('unavailable', { status: 503 }), /\(503\)/);
    assert.equal(
      said('shorter', { received: 1e6, total: 5e6 }),
      'The download is incomplete: received 1 MB of 5 MB from cdn.example.',
    );
  });
});
