import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskJson } from '../../../src/model/mask.ts';
import { recordingFileName, safeFileName } from '../../../src/texts/downloads.ts';
import * as dates from '../../../src/util/dates.ts';
import * as format from '../../../src/util/format.ts';
import { formatBytes } from '../../../src/util/formatBytes.ts';
import { cut, oneLine } from '../../../src/util/text.ts';
import { secondOfDay } from '../../../src/util/timeOfDay.ts';
import { forAll, FUZZ_RUNS as numRuns } from '../../support/runner/fuzzRuns.ts';

/** JSON can hold halves of characters. */
const halves = fc.array(fc.constantFrom('\ud800', '\udfff', 'a', '/', '\u0000')).map((parts) => parts.join(''));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), halves);
const secret = fc.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
const SECRET_FIELDS = [
  'streamKey',
  'stream_key',
  'apiKey',
  'password',
  'authorization',
  'accessKey',
  'secret',
  'token',
  'jwt',
];
const ADDRESSES: readonly ((secret: string) => string)[] = [
  (key) => `rtmp://host.example/live/${key}`,
  (key) => `srt://host.example:99/${key}`,
  (key) => `https://user:${key}@host.example/path`,
  (key) => `https://host.example/file.mp4?signature=${key}`,
  (key) => `https://host.example/webrtc/${key}`,
  (key) => `https://host.example/file#${key}`,
];

/** Puts a value somewhere into JSON data. */
const around = fc.array(
  fc.oneof(fc.constant(undefined), fc.constantFrom('a', 'parentStream', 'pull', 'errors', 'x y')),
  { maxLength: 4 },
);
function bury(value: unknown, path: readonly (string | undefined)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (key === undefined ? [0, inner, null] : { before: 1, [key]: inner }),
    value,
  );
}

describe('Masking', () => {
  it('leaves no secret of the data in the masked text, which stays JSON of the same shape', () => {
    const data = fc.record({
      keys: fc.uniqueArray(secret, { minLength: 6, maxLength: 6 }),
      field: fc.constantFrom(...SECRET_FIELDS),
      address: fc.constantFrom(...ADDRESSES),
      path: around,
      noise: fc.jsonValue({ maxDepth: 2 }),
      isNamed: fc.boolean(),
    });
    forAll(data, ({ keys, field, address, path, noise, isNamed }) => {
      const [a = '', b = '', c = '', d = '', e = '', f = ''] = keys;
      const known = isNamed ? [f] : [];
      const value = {
        noise,
        deep: bury({ [field]: a, echo: `the key ${a} is bad`, [`as ${a}`]: 1 }, path),
        url: address(b),
        session: bury({ parentStream: { name: 'P', streamKey: c } }, path),
        pull: { headers: { authorization: `Bearer ${d}`, 'x-y': [d] } },
        multistream: { targets: [{ spec: { url: `rtmp://other/${e}` }, name: 'T' }] },
        words: isNamed ? `${f}${f}` : '',
      };
      const { masked, revealed } = maskJson(value, known);
      for (const one of keys) assert.ok(!masked.includes(one), masked);
      assert.deepEqual(JSON.parse(revealed), JSON.parse(JSON.stringify(value)));
      assert.deepEqual(shapeOf(JSON.parse(masked)), shapeOf(JSON.parse(JSON.stringify(value))));
    });
  });

  it('takes any JSON at all, and gives valid JSON', () => {
    forAll(fc.jsonValue(), fc.array(anyText), (value, known) => {
      const { masked, revealed } = maskJson(value, known);
      JSON.parse(masked);
      assert.deepEqual(JSON.parse(revealed), JSON.parse(JSON.stringify(value)));
    });
  });

  it('changes nothing that is no secret', () => {
    const plain = fc.record({
      id: fc.uuid(),
      name: fc.stringMatching(/^[A-Za-z ]{0,20}$/),
      createdAt: fc.nat(),
      isActive: fc.boolean(),
      createdByTokenName: fc.stringMatching(/^[A-Za-z ]{0,20}$/),
      playbackId: fc.stringMatching(/^[a-z0-9]{16}$/),
    });
    forAll(fc.array(plain), (rows) => {
      assert.deepEqual(JSON.parse(maskJson(rows).masked), JSON.parse(JSON.stringify(rows)));
    });
  });
});

/** Keys that hold a secret are other keys when it is masked: what counts is how many there are, and of what. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf);
  return value === null ? 'null' : '';
}

describe('File names', () => {
  const hostile = fc.oneof(
    anyText,
    fc.constantFrom(
      '..',
      '.',
      '',
      '/',
      'CON',
      'nul.mp4',
      'COM1.',
      '../../etc/passwd',
      'C:\\x',
      'a\u202egpj.exe',
      ' . ',
      '~',
      '-rf',
    ),
    fc
      .array(fc.constantFrom('..', '/', '\\', ':', '\u0000', 'a', '\u{1F600}', 'e\u0301', ' '))
      .map((parts) => parts.join('')),
  );

  it('are one part of a path that every system takes, whatever the name', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const made = safeFileName(name, 'Recording', '.json');
        assert.ok(made.endsWith('.json'));
        const stem = made.slice(0, -5);
        assert.ok(stem.length > 0 && [...stem].length <= 80);
        assert.doesNotMatch(made, /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(stem, /^[. ]|[. ]$/);
        assert.doesNotMatch(stem.split('.')[0] ?? '', /^(con|prn|aux|nul|com\d|lpt\d) *$/i);
        assert.ok(stem.isWellFormed(), 'half a character');
      }),
      { numRuns },
    );
  });

  it('fit beside the part file of a recording, with the time in them', () => {
    forAll(hostile, fc.option(fc.double(), { nil: undefined }), anyText, (name, at, timeZone) => {
      const made = recordingFileName(name, at, timeZone);
      assert.ok(Buffer.byteLength(`${made}.part`) <= 255, made);
      assert.match(made, /^[^/\\:]+\.mp4$/);
    });
  });
});

describe('Times and amounts in words', () => {
  const number = fc.option(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(8.64e15, -8.64e15, 8.64e15 + 1, -0)), {
    nil: undefined,
  });
  const time = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2100, 0) });
  const reader = fc.record({
    now: fc.oneof(time, fc.double()),
    locale: fc.oneof(fc.constantFrom('en', 'de', 'ja', 'ar-EG', 'fa', 'th', 'xx', 'no such', ''), anyText),
    timeZone: fc.oneof(
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Nowhere/X', ''),
      anyText,
    ),
  });

  it('are words or nothing, and never throw, for any number, locale and time zone', () => {
    forAll(number, reader, (at, where) => {
      const said = [
        ...[dates.formatClock, dates.formatDay, dates.formatDate, dates.formatDayAndClock, dates.formatDateTime].map(
          (write) => write(at, where),
        ),
        ...[format.formatDuration(at), format.formatAge(at)],
        ...[
          format.formatCount(at, where.locale),
          formatBytes(at, where.locale),
          format.formatBitrate(at, where.locale),
        ],
      ];
      for (const words of said) {
        assert.ok(words === undefined || words.length > 0);
        assert.doesNotMatch(words ?? '', /NaN|Infinity|Invalid|undefined/);
      }
      const second = secondOfDay(at, where);
      assert.ok(second === undefined || (Number.isInteger(second) && second >= 0 && second < 86_400), `${second}`);
      const day = dates.dayNumber(at, where);
      assert.ok(day === undefined || Number.isInteger(day));
    });
  });

  it('count days as the calendar does: later is never earlier, and a day apart is a day apart at noon', () => {
    const zone = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin', 'America/New_York');
    forAll(time, fc.nat(40 * 86_400_000), zone, (at, more, timeZone) => {
      const where = { now: at, locale: 'en', timeZone };
      const [first, second] = [dates.dayNumber(at, where) ?? 0, dates.dayNumber(at + more, where) ?? 0];
      assert.ok(second >= first && Math.abs((second - first) * 86_400_000 - more) <= 2 * 86_400_000);
      assert.equal(dates.formatDay(at, where), 'Today');
    });
  });

  it('write a duration that is read back as what it was, less than its smallest unit', () => {
    forAll(fc.double({ min: 0, max: 1e7, noNaN: true }), (seconds) => {
      const words = format.formatDuration(seconds) ?? '';
      const secondsOf = { d: 86_400, h: 3600, min: 60, m: 60, s: 1 };
      const read = [...words.matchAll(/(\d+) ?(d|h|min|m|s)\b/g)].reduce(
        (sum, [, amount, unit]) => sum + Number(amount) * secondsOf[unit as keyof typeof secondsOf],
        0,
      );
      const smallest = seconds < 60 ? 1 : seconds < 86_400 ? 60 : 3600;
      assert.ok(read <= seconds && seconds - read < smallest, `${seconds}: ${words}`);
    });
  });

  it('are one line of the length that was asked for, without half characters, for names from outside', () => {
    forAll(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), fc.integer({ min: 2, max: 40 }), (text, max) => {
      assert.ok(cut(text, max).length <= max);
      if (text.isWellFormed()) assert.ok(cut(text, max).isWellFormed());
      const line = oneLine(text, max);
      assert.ok(line.length <= max + 2);
      assert.ok(line.isWellFormed());
      assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
    });
  });
});
