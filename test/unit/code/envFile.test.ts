import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addLine, addVariables, hasLine, readVariables } from '../../../src/code/envFile.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';

const KEY = '4f7a-x2k9-0bcd-q1w2';

function addVariable(before: string, name: string, value: string) {
  const { text, names } = addVariables(before, [{ name, value }]);
  return { text, name: names.join() };
}

describe('An env file', () => {
  it('gets a variable at its end, and keeps what it has', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['', `STREAM_KEY=${KEY}\n`],
      ['A=1\n', `A=1\nSTREAM_KEY=${KEY}\n`],
      ['A=1', `A=1\nSTREAM_KEY=${KEY}\n`],
      ['A=1\r\n# x\r\n', `A=1\r\n# x\r\nSTREAM_KEY=${KEY}\r\n`],
      ['A=1\r\nB=2', `A=1\r\nB=2\r\nSTREAM_KEY=${KEY}\r\n`],
      ['\uFEFFA=1\n', `\uFEFFA=1\nSTREAM_KEY=${KEY}\n`],
    ];
    for (const [text, expected] of cases) {
      assert.deepEqual(addVariable(text, 'STREAM_KEY', KEY), { text: expected, name: 'STREAM_KEY' });
    }
  });

  it('keeps a variable that has the value, whatever its name and quotes are', () => {
    for (const line of [
      `KEY=${KEY}`,
      `export KEY=${KEY}`,
      `KEY = "${KEY}"`,
      `KEY='${KEY}' # mine`,
      `KEY=${KEY} # mine`,
    ]) {
      assert.deepEqual(addVariable(line, 'STREAM_KEY', KEY), { text: line, name: 'KEY' }, line);
    }
  });

  it('numbers a name that has another value', () => {
    const text = 'STREAM_KEY=x\nexport STREAM_KEY_2="y"\n';
    assert.deepEqual(addVariable(text, 'STREAM_KEY', KEY), {
      text: `${text}STREAM_KEY_3=${KEY}\n`,
      name: 'STREAM_KEY_3',
    });
  });

  it('gets several variables that belong together with the same number, and all or none', () => {
    const pair = [
      { name: 'PUBLIC', value: 'p' },
      { name: 'PRIVATE', value: 's' },
    ];
    const cases: readonly (readonly [before: string, after: string, names: string])[] = [
      ['', 'PUBLIC=p\nPRIVATE=s\n', 'PUBLIC,PRIVATE'],
      ['PRIVATE=x\n', 'PRIVATE=x\nPUBLIC_2=p\nPRIVATE_2=s\n', 'PUBLIC_2,PRIVATE_2'],
      ['PUBLIC=p\n', 'PUBLIC=p\nPRIVATE=s\n', 'PUBLIC,PRIVATE'],
      ['PUBLIC=p\nPRIVATE=x\n', 'PUBLIC=p\nPRIVATE=x\nPUBLIC_2=p\nPRIVATE_2=s\n', 'PUBLIC_2,PRIVATE_2'],
      ['A=s\nB=p\n', 'A=s\nB=p\n', 'B,A'],
    ];
    for (const [before, text, names] of cases) {
      const after = addVariables(before, pair);
      assert.deepEqual([after.text, after.names.join()], [text, names]);
      assert.deepEqual(addVariables(text, pair).text, text, 'a second time');
    }
  });

  it('takes nothing in a comment or in a value of several lines for a variable', () => {
    const text = '# STREAM_KEY=a\nPEM="one\nSTREAM_KEY=b\ntwo"\n';
    assert.deepEqual([...readVariables(text).keys()], ['PEM']);
    assert.equal(addVariable(text, 'STREAM_KEY', KEY).name, 'STREAM_KEY');
  });

  it('reads a value whose quote never ends as it stands', () => {
    const text = "A='tis\nSTREAM_KEY=old\n";
    assert.equal(addVariable(text, 'STREAM_KEY', KEY).name, 'STREAM_KEY_2');
  });

  it('is read in one pass: less than 100 ms of computing for each MB of quotes', () => {
    const texts = {
      neverClosed: 'A="\n'.repeat(40_001),
      ofAllKinds: 'A="\nB=`\nC=\'\n'.repeat(50_001),
      oneLine: `A=${'"'.repeat(1_000_000)}`,
      quoted: 'A="one"\n'.repeat(100_000),
      spaces: `A=${' '.repeat(500_000)}x${' '.repeat(500_000)}`,
      hashes: `A=x${'#'.repeat(500_000)}${' #'.repeat(250_000)}`,
      longName: `${'A'.repeat(1_000_000)}=1`,
      spacesForName: `${' '.repeat(1_000_000)}=1`,
    };
    for (const [kind, text] of Object.entries(texts)) {
      const mostMs = 100 * Math.max(1, text.length / 1_000_000);
      assertCpuTime(mostMs, () => void addVariable(text, 'STREAM_KEY', KEY), kind);
    }
  });

  it('reads values in quotes of several lines, with any line ends, up to the next such quote', () => {
    const text = "A='1\r\n2\r3'4\r\nB=\"x'y\"\rC=`'`\nD=a'b\n=1\nE\nF G=1\n export\tH = h #i\nI=j#k\nJ=#l\nK=";
    const expected = { A: '1\n2\n3', B: "x'y", C: "'", D: "a'b", H: 'h', I: 'j#k', J: '#l', K: '' };
    assert.deepEqual(Object.fromEntries(readVariables(text)), expected);
  });

  it('has after any text the variable, and every one that was there', () => {
    const line = fc.constantFrom('A=1', 'export B="2"', "C='3'", '# x', '', 'STREAM_KEY=old', `K=${KEY}`, 'noise');
    const text = fc.array(line).chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
    fc.assert(
      fc.property(text, (before) => {
        const { text: after, name } = addVariable(before, 'STREAM_KEY', KEY);
        assert.ok(after.startsWith(before));
        const variables = readVariables(after);
        assert.equal(variables.get(name), KEY);
        for (const [known, value] of readVariables(before)) assert.equal(variables.get(known), value);
        assert.deepEqual(addVariable(after, 'STREAM_KEY', KEY), { text: after, name });
      }),
    );
  });
});

describe('A .gitignore file', () => {
  it('gets a line at its end', () => {
    assert.equal(addLine('', '.env'), '.env\n');
    assert.equal(addLine('dist', '.env'), 'dist\n.env\n');
    assert.equal(addLine('dist\r\n', '.env'), 'dist\r\n.env\r\n');
    assert.equal(addLine('\uFEFF', '.env'), '\uFEFF.env\n');
  });

  it('has a line if it is a whole one, with any line ends and after a byte order mark', () => {
    for (const text of ['.env', '\uFEFF.env\n', 'a\r.env\rb', 'a\r\n.env\r\n']) assert.ok(hasLine(text, '.env'), text);
    for (const text of ['', '.env2\n', '#.env\n', ' .env']) assert.ok(!hasLine(text, '.env'), text);
  });
});
