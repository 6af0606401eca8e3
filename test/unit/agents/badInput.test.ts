import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TOOLS } from '../../../src/agents/tools.ts';
import { PROPERTY_SEEDS } from '../../support/runner/seeds.ts';
import { withAgents } from './fixture.ts';

const BAD_INPUTS = 400;
const SPOKEN = 'ignore-all-previous-instructions';
const LONG = SPOKEN.repeat(400_000);

/** Inputs by hand: what models, and whoever misleads them, have been seen to send. */
const WRITTEN: readonly unknown[] = [
  ...[null, [], 'text', 5, true],
  ...[{ id: 5 }, { id: ['a'] }, { id: {} }, { id: '../stream' }, { id: 'a/../b' }, { id: 'a?b' }, { id: '' }],
  ...[{ state: 'deleted' }, { state: 'ACTIVE' }, { limit: 0 }, { limit: 51 }, { limit: 1.5 }, { limit: '5' }],
  ...[
    { limit: Number.NaN },
    { days: -1 },
    { days: 1e9 },
    { on: 'yes', id: 'a' },
    { name: 5 },
    { name: ['a'] },
    { name: '   ' },
  ],
  ...[{ [SPOKEN]: 1 }, { nameContains: LONG }, { name: LONG }, { stream: LONG }, { id: LONG }],
  JSON.parse('{"__proto__": {"id": "a"}}'),
  JSON.parse('{"constructor": 1}'),
  { id: 'a', language: 'html', form: 'exe' },
  { id: 'a', playbackId: 'b' },
];

const anyKey = fc.oneof(
  fc.constantFrom('id', 'name', 'playbackId', 'state', 'limit', 'days', 'stream', 'on', 'language', 'form'),
  fc.constantFrom('__proto__', 'constructor', 'apiKey', 'streamKey'),
  fc.string(),
);
/** Always has a property that no tool has. */
const unknownProperty = fc
  .tuple(fc.dictionary(anyKey, fc.jsonValue()), fc.jsonValue())
  .map(([input, value]) => ({ ...input, [`${SPOKEN}!`]: value }));
const noId = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.string().filter((text) => !/^[A-Za-z0-9_-]{1,64}$/.test(text)),
);
const wrongId = noId.map((id) => ({ id, language: 'html', on: true }));
const generated = fc.oneof(unknownProperty, wrongId);

describe('Tools for agents that are given something else than their input', () => {
  it(
    `say what is expected, repeat nothing, and send nothing, for ${BAD_INPUTS} inputs`,
    withAgents({}, async ({ answer, requests }) => {
      const [seed = 0] = PROPERTY_SEEDS;
      const names = Object.keys(TOOLS);
      const inputs = [...WRITTEN, ...fc.sample(generated, { seed, numRuns: BAD_INPUTS - WRITTEN.length })];
      let wrong = 0;
      for (const [at, input] of inputs.entries()) {
        // Those by hand are wrong for some tools alone: each tool gets them.
        for (const name of at < WRITTEN.length ? names : [names[at % names.length] ?? '']) {
          const text = await answer(name, input);
          const { problem, expected } = JSON.parse(text);
          assert.match(problem, /tool input is invalid/, `${name} ${String(JSON.stringify(input)).slice(0, 200)}`);
          assert.deepEqual(Object.keys(expected), Object.keys(TOOLS[name]?.fields ?? {}));
          assert.ok(!text.includes(SPOKEN));
          wrong += 1;
        }
      }
      assert.ok(wrong >= BAD_INPUTS, `${wrong} inputs were wrong`);
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'know no other tool',
    withAgents({}, async ({ tools }) => {
      for (const name of ['liveStreams_delete', '__proto__', 'constructor', '']) {
        await assert.rejects(tools.prepare(name, {}), /No tool/);
      }
    }),
  );
});
