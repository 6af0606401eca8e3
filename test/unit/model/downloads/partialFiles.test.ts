import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mayHaveLeft } from '../../../../src/model/downloads/partialFiles.ts';

/** The process that runs these tests: another than this one, or this one's parent; running either way. */
const RUNNING = process.ppid;
/** No system gives a process so high a number. */
const GONE = 2 ** 30;

describe('What downloads may have left', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'live-streams-left-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const note = (name: string, fields: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ run: 'a', target: '/x.mp4', note: {}, ...fields }));
    return path;
  };
  const asked = () => mayHaveLeft(folder, Date.now());

  it('is nothing where there is no folder, no note, or a file of another kind', async () => {
    assert.equal(await mayHaveLeft(join(folder, 'none'), Date.now()), false);
    assert.equal(await asked(), false);
    writeFileSync(join(folder, '.DS_Store'), '');
    assert.equal(await asked(), false);
  });

  it('is nothing while another window goes on with its download', async () => {
    note('a.json', { pid: RUNNING });
    assert.equal(await asked(), false);
  });

  it('is there where the process is gone, was one before this with the same number, or its window closed', async () => {
    for (const fields of [{ pid: GONE }, { pid: process.pid }, { pid: RUNNING, isEnded: true }]) {
      note('a.json', fields);
      assert.equal(await asked(), true, JSON.stringify(fields));
    }
  });

  it('is to be looked at where a note is old or torn, beside others that go on', async () => {
    note('a.json', { pid: RUNNING });
    const old = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(note('b.json', { pid: RUNNING }), old, old);
    assert.equal(await asked(), true);
    note('b.json', { pid: RUNNING });
    assert.equal(await asked(), false);
    writeFileSync(join(folder, 'c.json'), '{"pid": 1');
    assert.equal(await asked(), true);
  });
});
