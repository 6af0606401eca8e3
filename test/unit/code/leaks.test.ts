import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { KeyIndex } from '../../../src/code/keyIndex.ts';
import {
  createFileScan,
  type Leak,
  MOST_LEAKS,
  scanLines,
  splitLines,
  type TextLines,
  updateLeaks,
} from '../../../src/code/leaks.ts';
import { MOST_TEXT_BYTES, readFoundFile } from '../../../src/code/userFiles.ts';
import { forEachLimit } from '../../../src/util/async.ts';
import { heldBytes } from '../../bench/collectGarbage.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { measureCost } from '../../support/process/runCost.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';

const FILES_AT_ONCE = 8;
const KEYS = ['4f7a-x2k9-0bcd-q1w2', 'aaaa-bbbb-cccc-ddd1'] as const;
const UNKNOWN = 'zzzz-yyyy-xxxx-www9';
const API_KEY = '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11';

describe('Leaked keys in a text', () => {
  const index = new KeyIndex();
  index.addStreams(KEYS.map((streamKey, at) => ({ id: `s${at}`, name: `Stream ${at}`, streamKey })));
  index.setApiKeys([{ id: 'studio', name: 'Studio', apiKey: API_KEY }]);
  const search = { index, onUnknown: () => {}, onUnknownSigner: () => {} };

  it('are each its own range, several in a line too, and hold no key', () => {
    const leaks = scan(`const a = "${KEYS[0]}", b = "${KEYS[1]}";\r\n\n# ${API_KEY}`);
    assert.deepEqual(leaks, [
      { line: 0, start: 11, end: 30, owner: { kind: 'streamKey', id: 's0', name: 'Stream 0' } },
      { line: 0, start: 38, end: 57, owner: { kind: 'streamKey', id: 's1', name: 'Stream 1' } },
      { line: 2, start: 2, end: 38, owner: { kind: 'apiKey', connection: 'Studio' } },
    ]);
    const told = JSON.stringify(leaks);
    for (const key of [...KEYS, API_KEY]) assert.ok(!told.includes(key));
  });

  it('are found in a URL, but not as part of a longer token, in base64, or split over two lines', () => {
    assert.equal(scan(`rtmp://127.0.0.1/live/${KEYS[0]}?a=b`).length, 1);
    assert.equal(scan(`${KEYS[0]}-more`).length, 0);
    assert.equal(scan(Buffer.from(KEYS[0]).toString('base64')).length, 0);
    assert.equal(scan(KEYS[0].replace('0bcd', '\n0bcd')).length, 0);
  });

  it('tell of a token that is formed like a stream key and is nobody’s, and of no other', () => {
    const unknown: string[] = [];
    const told = { index, onUnknown: (token: string) => unknown.push(token), onUnknownSigner: () => {} };
    run(scanLines(splitLines(`${UNKNOWN} ${KEYS[0]} ${API_KEY.replace('0b', 'ff')} this-that-have-some`), told));
    assert.deepEqual(unknown, [UNKNOWN]);
  });

  it('are at most a hundred', () => {
    assert.equal(scan(Array.from({ length: 300 }, () => KEYS.join(' ')).join('\n')).length, MOST_LEAKS);
  });

  it('let others run between many lines, and between long ones', () => {
    const pauses = (text: string) => [...scanLines(splitLines(text), search)].length;
    assert.ok(pauses('x\n'.repeat(1000)) >= 4);
    assert.ok(pauses(`${'x'.repeat(50_000)}\n`.repeat(4)) >= 4);
    assert.equal(pauses('x'), 0);
  });

  it('are not looked for in more than 5 MB, in one line or in many', () => {
    for (const text of [`${KEYS[0]} ${'x'.repeat(6_000_000)}`, `${KEYS[0]} ${'x'.repeat(100)}\n`.repeat(60_000)]) {
      const found = runWhole(scanLines(splitLines(text), search));
      assert.ok(found === 'tooLarge' || found.length === MOST_LEAKS);
    }
    assert.equal(runWhole(scanLines(splitLines('x'.repeat(6_000_000)), search)), 'tooLarge');
  });

  it('stay the same array where a change touches none', () => {
    const text = `a\n${KEYS[0]}\nb`;
    const leaks = scan(text);
    const change = { first: 0, last: 0, count: 1 };
    assert.equal(updateLeaks(leaks, [change], { lines: linesOf(text), search }), leaks);
  });

  it('are at most a hundred after a change', () => {
    const text = Array.from({ length: 60 }, () => KEYS.join(' ')).join('\n');
    const leaks = updateLeaks(scan(KEYS[0]), [{ first: 1, last: 0, count: 59 }], { lines: linesOf(text), search });
    assert.equal(leaks.length, MOST_LEAKS);
  });

  it('are after any changes what a scan of the whole text finds', () => {
    const line = fc.array(fc.constantFrom(...KEYS, UNKNOWN, API_KEY, ' ', '"', 'x', '-'), { maxLength: 5 });
    const lines = fc.array(
      line.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 8 },
    );
    const edit = fc.record({ at: fc.nat(20), removed: fc.nat(4), added: lines });
    fc.assert(
      fc.property(lines, fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 6 }), (start, rounds) => {
        let text = start;
        let leaks = scan(text.join('\n'));
        for (const edits of rounds) {
          const changes = edits.map(({ at, removed, added }) => {
            const first = at % text.length;
            const last = Math.min(first + removed, text.length - 1);
            text = text.toSpliced(first, last - first + 1, ...added);
            return { first, last, count: added.length };
          });
          leaks = updateLeaks(leaks, changes, { lines: linesOf(text.join('\n')), search });
          assert.deepEqual(leaks, scan(text.join('\n')));
        }
      }),
    );
  });

  it('are those that a search for each key finds', () => {
    const part = fc.constantFrom(...KEYS, API_KEY, ' ', '/', '-', 'ab', '\n', '"');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        assert.deepEqual(fieldsOf(scan(text), 'line', 'start', 'end'), naiveLeaks(text));
      }),
    );
  });

  function scan(text: string): readonly Leak[] {
    return run(scanLines(splitLines(text), search));
  }
});

describe('The lines of a text', () => {
  it('are those between all kinds of line breaks, and one of an empty text', () => {
    const text = fc.array(fc.constantFrom('\r\n', '\r', '\n', 'a', 'bc')).map((parts) => parts.join(''));
    fc.assert(fc.property(text, (each) => assert.deepEqual([...splitLines(each)], each.split(/\r\n|\r|\n/))));
  });
});

describe('Leaked keys in files', () => {
  const index = new KeyIndex();
  index.addStreams([{ id: 's0', name: 'Stream 0', streamKey: KEYS[0] }]);
  const scanFile = createFileScan({ index });
  let root = '';
  before(() => {
    root = makeTemporaryFolder('leaks');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('are found without a block, whatever 5 MB consist of', async () => {
    const { signal } = new AbortController();
    const key = `${KEYS[0]}\n`;
    for (const filler of sampleOf(['\n', 'x', `${UNKNOWN} `], 1)) {
      const size = MOST_TEXT_BYTES - key.length - 1;
      const bytes = Buffer.concat([Buffer.alloc(size, filler), Buffer.from(`\n${key}`)]);
      const { result: found, cost } = await measureCost(() => Promise.all([1, 2].map(() => scanFile(bytes, signal))));
      assert.ok(cost.longestBlockMs < 200, `blocked for ${cost.longestBlockMs} ms`);
      assert.ok(cost.keptBytes < MOST_TEXT_BYTES, `kept ${cost.keptBytes} bytes`);
      for (const leaks of found) assert.equal(leaks?.length, 1, JSON.stringify(filler));
    }
  });

  it('are looked for in no further file of 100,000 after a cancel', async () => {
    mkdirSync(join(root, 'files'));
    for (let number = 0; number < 1000; number += 1) {
      writeFileSync(join(root, 'files', `${number}.txt`), `${'const a = 1;\n'.repeat(20)}${KEYS[0]}\n`);
    }
    for (let number = 0; number < 100; number += 1) symlinkSync('files', join(root, `linked${number}`));
    const paths = Array.from({ length: 100_000 }, (_, at) => join(root, `linked${at % 100}`, `${at % 1000}.txt`));
    for (const after of [1, 200]) await searchUntilCancel(paths, after);
  });

  /** Cancels after so many files. */
  async function searchUntilCancel(paths: readonly string[], after: number): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const seen = { begun: 0, files: 0 };
    const searching = forEachLimit(paths, FILES_AT_ONCE, async (path) => {
      seen.begun += 1;
      const bytes = await readFoundFile(path, { folder: root, signal });
      assert.ok(bytes instanceof Uint8Array);
      const leaks = await scanFile(bytes, signal);
      seen.files += 1;
      assert.ok(signal.aborted || leaks?.length === 1);
      if (seen.files === after) controller.abort();
    });
    await assert.rejects(searching, { name: 'AbortError' });
    assert.ok(seen.files < after + FILES_AT_ONCE, `${seen.files} files`);
    assert.ok(seen.begun < after + 2 * FILES_AT_ONCE, `${seen.begun} files were begun`);
  }
});

describe('The index of keys', () => {
  it('leaves out what can’t be told from other text, and forgets streams that are gone', () => {
    const index = new KeyIndex();
    const added = index.addStreams([
      { id: 'a', name: 'A', streamKey: 'abc' },
      { id: 'b', name: 'B', streamKey: 'with spaces in it' },
      { id: 'c', name: 'C', streamKey: undefined },
      { id: 'd', name: 'D', streamKey: KEYS[0] },
    ]);
    assert.equal(added, 1);
    assert.equal(index.addStreams([{ id: 'd', name: 'Renamed', streamKey: KEYS[0] }]), 0);
    assert.deepEqual(index.find(KEYS[0]), { kind: 'streamKey', id: 'd', name: 'Renamed' });
    assert.ok(index.removeStreams(new Set(['d'])));
    assert.ok(!index.removeStreams(new Set(['d'])));
    assert.equal(index.find(KEYS[0]), undefined);
  });

  it('has a key that a child stream repeats as its parent’s, whichever comes first', () => {
    const parent = { id: 'parent', name: 'Keynote', streamKey: KEYS[0], parentId: undefined };
    const child = { id: 'child', name: 'Keynote', streamKey: KEYS[0], parentId: 'parent' };
    for (const streams of [
      [parent, child],
      [child, parent],
    ]) {
      const index = new KeyIndex();
      index.addStreams(streams);
      assert.deepEqual(index.find(KEYS[0]), { kind: 'streamKey', id: 'parent', name: 'Keynote' });
    }
  });

  it('takes less than 3 MB for 10,000 streams', () => {
    const index = new KeyIndex();
    const streams = Array.from({ length: 10_000 }, (_, at) => {
      const digits = at.toString(36).padStart(16, '0');
      return { id: `id-${at}`, name: `Stream ${at}`, streamKey: digits.match(/.{4}/g)?.join('-') };
    });
    const before = heldBytes();
    index.addStreams(streams);
    const held = heldBytes() - before;
    assert.equal(index.size, 10_000);
    assert.ok(held < 3 * 1024 * 1024, `${held} bytes`);
  });
});

function linesOf(text: string): TextLines {
  const lines = text.split(/\r\n|\n/);
  return { lineCount: lines.length, lineAt: (line) => lines[line] ?? '' };
}

function run(scan: ReturnType<typeof scanLines>): readonly Leak[] {
  const result = runWhole(scan);
  return result === 'tooLarge' ? assert.fail('The text is too large') : result;
}

function runWhole(scan: ReturnType<typeof scanLines>): readonly Leak[] | 'tooLarge' {
  for (;;) {
    const step = scan.next();
    if (step.done) return step.value;
  }
}

function naiveLeaks(text: string): readonly (readonly number[])[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(/[A-Za-z0-9_-]+/g)]
      .map((match) => {
        const bare = match[0].replace(/^[-_]+/, '');
        const start = match.index + match[0].length - bare.length;
        return { start, token: bare.replace(/[-_]+$/, '') };
      })
      .filter(({ token }) => token === API_KEY || KEYS.some((key) => key === token))
      .map(({ start, token }) => [at, start, start + token.length]),
  );
}
