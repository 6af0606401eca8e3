import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { KeyIndex } from '../../../src/code/keyIndex.ts';
import { type Leak, scanLines, splitLines, updateLeaks } from '../../../src/code/leaks.ts';
import { mayHoldKey } from '../../../src/code/tokens.ts';
import { signViewerToken } from '../../../src/model/access/viewerToken.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';

const NOW = Date.UTC(2026, 10, 20);
const PLAYBACK_ID = 'f5eese9wwl88k4g8';

function makeKey(namedCurve = 'P-256') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: btoa(publicKey), pem: privateKey.trim() };
}

const own = makeKey();
const foreign = makeKey();
const sec1 = createPrivateKey(own.pem).export({ type: 'sec1', format: 'pem' }).toString().trim();
const index = new KeyIndex();
index.setSigningKeys([{ id: 'k1', name: 'Site', publicKey: own.publicKey, createdAt: undefined }]);
index.addStreams([{ id: 's1', name: 'Keynote', playbackId: PLAYBACK_ID, streamKey: undefined }]);
const OWNER = { kind: 'privateKey', id: 'k1', name: 'Site' } as const;

const tokenOf = ({ pem, publicKey }: typeof own, playbackId = PLAYBACK_ID) =>
  signViewerToken({ privateKey: pem, publicKey }, { playbackId, seconds: 3600, now: NOW });

function scan(text: string, unknown: string[] = []): readonly Leak[] {
  const search = { index, onUnknown: () => {}, onUnknownSigner: (point: string) => unknown.push(point) };
  const steps = scanLines(splitLines(text), search);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value === 'tooLarge' ? assert.fail() : step.value;
  }
}

const rangesIn = (text: string) => scan(text).map(({ line, start, endLine, end }) => [line, start, endLine, end]);

describe('Private keys of the account in a text', () => {
  it('are found as a PEM of several lines, from its first mark to its last', () => {
    for (const pem of [own.pem, sec1]) {
      const lines = pem.split('\n');
      const last = lines.at(-1)?.length ?? 0;
      assert.deepEqual(scan(`a\n  ${pem}\nb`), [{ line: 1, start: 2, end: last, endLine: lines.length, owner: OWNER }]);
      assert.equal(scan(`key: |\n${lines.map((line) => `    ${line}`).join('\r\n')}\r\n`).length, 1);
    }
  });

  it('are found as a PEM in one line, with escaped line breaks or none', () => {
    for (const pem of [
      own.pem.replaceAll('\n', '\\n'),
      own.pem.replaceAll('\n', '\\r\\n'),
      own.pem.replaceAll('\n', ' '),
    ]) {
      assert.deepEqual(rangesIn(`KEY="${pem}" # mine`), [[0, 5, undefined, 5 + pem.length]]);
    }
  });

  it('are found as base64 of a PEM, as the service sends them, with their padding', () => {
    for (const pem of [own.pem, `${own.pem}\n`, `${own.pem}\n\n`, sec1]) {
      const encoded = btoa(pem);
      assert.ok(mayHoldKey(`KEY=${encoded}`));
      assert.deepEqual(rangesIn(`KEY=${encoded} x`), [[0, 4, undefined, 4 + encoded.length]]);
    }
  });

  it('are worth a look in any form', () => {
    for (const pem of [own.pem, sec1, own.pem.replaceAll('\n', '\\n')]) assert.ok(pem.split('\n').some(mayHoldKey));
  });

  it('are nobody’s if they are of another account, on another curve, public, damaged, or cut', () => {
    const unknown: string[] = [];
    const cut = own.pem.split('\n').toSpliced(2, 1).join('\n');
    const texts = [foreign.pem, btoa(foreign.pem), makeKey('P-384').pem, own.publicKey, atob(own.publicKey), cut];
    for (const text of [...texts, own.pem.replace('END', 'BEGIN'), own.pem.replace('\n', '\n"'), btoa(cut)]) {
      assert.deepEqual(scan(text, unknown), [], text.slice(0, 40));
    }
    assert.equal(new Set(unknown).size, 1, 'Only the other account’s key is asked for');
    assert.ok(!foreign.pem.includes(unknown[0] ?? ''));
  });

  it('hold no key where they are found', async () => {
    const text = [own.pem, btoa(own.pem), await tokenOf(own)].join('\n');
    const leaks = scan(text);
    assert.equal(leaks.length, 3);
    const told = JSON.stringify(leaks);
    for (const secret of [...own.pem.split('\n').slice(1, -1), btoa(own.pem), (await tokenOf(own)).slice(0, 20)]) {
      assert.ok(!told.includes(secret));
    }
  });

  it('are after any changes what a scan of the whole text finds', () => {
    const [begin = '', first = '', second = '', third = '', end = ''] = own.pem.split('\n');
    const line = fc.constantFrom(
      begin,
      first,
      second,
      third,
      end,
      own.pem.replaceAll('\n', '\\n'),
      btoa(own.pem),
      '',
      'x',
    );
    const lines = fc.array(
      fc.oneof(
        line.map((each) => [each]),
        fc.constant(own.pem.split('\n')),
      ),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    const edit = fc.record({ at: fc.nat(60), removed: fc.nat(4), added: lines });
    const search = { index, onUnknown: () => {}, onUnknownSigner: () => {} };
    fc.assert(
      fc.property(lines, fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 6 }), (start, rounds) => {
        let text = start.flat();
        let leaks = scan(text.join('\n'));
        for (const edits of rounds) {
          const changes = edits.map(({ at, removed, added }) => {
            const first = at % text.length;
            const last = Math.min(first + removed, text.length - 1);
            text = text.toSpliced(first, last - first + 1, ...added.flat());
            return { first, last, count: added.flat().length };
          });
          const now = text;
          const held = { lineCount: now.length, lineAt: (at: number) => now[at] ?? '' };
          leaks = updateLeaks(leaks, changes, { lines: held, search });
          assert.deepEqual(leaks, scan(text.join('\n')));
        }
      }),
    );
  });
});

describe('Tokens in a text', () => {
  it('are found if a key of the account signed them, with what they play and when they end', async () => {
    const token = await tokenOf(own);
    const start = 'url = "https://cdn.example/hls/x/index.m3u8?jwt='.length;
    const expiresAt = NOW + 3_600_000;
    assert.deepEqual(scan(`url = "https://cdn.example/hls/x/index.m3u8?jwt=${token}"`), [
      { line: 0, start, end: start + token.length, owner: { kind: 'token', id: 'k1', playback: 'Keynote', expiresAt } },
    ]);
    const [other] = scan(await tokenOf(own, 'another'));
    assert.equal(other?.owner.kind === 'token' && other.owner.playback, 'another');
  });

  it('are nobody’s if they are another account’s, or tokens of something else', async () => {
    const unknown: string[] = [];
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const filler = 'x'.repeat(300);
    const made = (claims: unknown) => [part({ alg: 'ES256' }), part(claims), 'a'.repeat(86)].join('.');
    const others = [
      await tokenOf(foreign),
      made({ sub: 'me', filler }),
      made({ pub: 3, filler }),
      made({ pub: own.publicKey, sub: 'x', filler }),
      made([filler, 'pub']),
      `${await tokenOf(own)}x`,
      (await tokenOf(own)).slice(0, -1),
    ];
    for (const text of others) assert.deepEqual(scan(text, unknown), []);
    assert.equal(unknown.length, 1);
  });

  it('are looked for in 5 MB, like private keys, without a second of computing, whatever these consist of', async () => {
    const token = await tokenOf(foreign);
    const parts = [
      ...[
        'eyJ',
        'eyJaaaaaaaaaaaaa.',
        `eyJ${'a'.repeat(250)}.`,
        token,
        `${token}\n`,
        btoa(foreign.pem),
        `${foreign.pem}\n`,
      ],
      ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\n', '-----BEGIN ', '-----END PRIVATE KEY-----\n'],
      ...['LS0tLS1CRUdJTi', `LS0tLS1CRUdJTi${'a'.repeat(1900)} `],
    ];
    for (const part of sampleOf(parts, 5)) {
      const text = part.repeat(5_000_000 / part.length);
      assertCpuTime(1000, () => void scan(text), part.slice(0, 40));
    }
  });
});
