import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AmfValue, decodeAmf, encodeAmf } from '../../../src/media/amf.ts';
import { isProtocolError } from '../../../src/media/protocolError.ts';
import { forAll } from '../../support/runner/fuzzRuns.ts';
import { forbidLargeBuffers } from '../../support/runner/largeBuffers.ts';

const { value } = fc.letrec<{ value: AmfValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.double(),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, undefined),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}));

describe('AMF0', () => {
  forbidLargeBuffers();
  it('reads what it wrote', () => {
    forAll(fc.array(value, { maxLength: 5 }), (values) => {
      const wellFormed = JSON.parse(JSON.stringify(values.map((item) => item ?? null)));
      assert.deepEqual(decodeAmf(encodeAmf(wellFormed)), wellFormed);
      assert.doesNotThrow(() => decodeAmf(encodeAmf(values)));
    });
  });

  it('keeps numbers and undefined as they are', () => {
    const values = [Number.NaN, -0, Number.POSITIVE_INFINITY, 5e-324, undefined, null];
    assert.deepEqual(decodeAmf(encodeAmf(values)), values);
  });

  it('counts the bytes of a string, not its letters', () => {
    const values = ['ключ', 'é'.repeat(40_000), { größe: '鍵' }];
    assert.deepEqual(decodeAmf(encodeAmf(values)), values);
  });

  it('reads ECMA arrays and typed objects as objects, and dates as numbers', () => {
    const entry = Buffer.concat([Buffer.of(0, 1), Buffer.from('a'), Buffer.of(1, 1), Buffer.of(0, 0, 9)]);
    const typed = Buffer.concat([Buffer.of(0x10, 0, 1), Buffer.from('T'), entry]);
    const ecma = Buffer.concat([Buffer.of(8, 0xff, 0xff, 0xff, 0xff), entry]);
    const date = Buffer.concat([Buffer.of(0x0b), encodeAmf([1000]).subarray(1), Buffer.of(0, 0)]);
    assert.deepEqual(decodeAmf(Buffer.concat([typed, ecma, date])), [{ a: true }, { a: true }, 1000]);
  });

  it('refuses AMF3, references, nesting without end, and counts that lie', () => {
    const hostile = {
      AMF3: Buffer.of(0x11, 0x04, 0x01),
      'a reference': Buffer.of(0x07, 0, 0),
      'arrays in arrays': Buffer.alloc(5 * 1000, Buffer.of(0x0a, 0, 0, 0, 1)),
      'objects in objects': Buffer.alloc(4 * 1000, Buffer.of(0x03, 0, 1, 0x61)),
      'an array of 4 billion': Buffer.of(0x0a, 0xff, 0xff, 0xff, 0xff, 5, 5, 5),
      'a string of 4 GB': Buffer.of(0x0c, 0xff, 0xff, 0xff, 0xff, 0x61),
      'an array with a value for each byte': Buffer.concat([Buffer.of(0x0a, 0, 16, 0, 0), Buffer.alloc(1 << 20, 5)]),
      'an object without an end': Buffer.of(0x03, 0, 1, 0x61, 5),
    };
    for (const [what, bytes] of Object.entries(hostile)) {
      assert.throws(() => decodeAmf(bytes), isProtocolError, what);
    }
  });

  it('throws nothing but its own error, whatever it reads', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.array(value, { maxLength: 4 }), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }))
        .map(([values, changes]) => {
          const encoded = encodeAmf(values);
          for (const [at, byte] of changes) if (encoded.length > 0) encoded[at % encoded.length] = byte;
          return encoded;
        }),
    );
    forAll(bytes, (input) => {
      try {
        decodeAmf(Buffer.from(input));
      } catch (error) {
        assert.ok(isProtocolError(error), String(error));
      }
    });
  });
});
