import assert from 'node:assert/strict';
import type { HealthCondition } from '../../../../src/api/types.ts';
import type { Finding } from '../../../../src/model/inspection/hlsFindings.ts';
import { judgeIngest, judgeStream } from '../../../../src/model/inspection/streamFindings.ts';
import { aFact, aStream, MINUTE, NOW } from '../../../support/model/builders.ts';

const READER = { now: NOW, locale: 'en', timeZone: 'UTC' };

type Given = Omit<Parameters<typeof aStream>[0], 'id'>;
type Health = Parameters<typeof judgeStream>[1];

const found = (stream: Given, health?: Health): readonly Finding[] =>
  judgeStream(aFact(aStream({ id: 'a', ...stream })), health, READER).findings;
const shortened = ({ mark, figure }: Finding): string => `${mark}: ${figure}`;
const only = (findings: readonly Finding[], id: string) => findings.filter((each) => each.id === id).map(shortened);

const LIVE: Given = { isActive: true, lastSeen: NOW };

describe('Findings about a stream', () => {
  const states: readonly (readonly [what: string, stream: Given, finding: string])[] = [
    ['is live', LIVE, 'good: Live'],
    ['is active without data', { isActive: true, lastSeen: NOW - 4 * MINUTE }, 'bad: No data for 4 min'],
    ['is suspended', { suspended: true }, 'bad: Suspended'],
    ['is idle', {}, 'doubtful: Idle'],
  ];
  for (const [what, stream, finding] of states) {
    it(`say that it ${what}, and what to do about it`, () => {
      const findings = found(stream);
      assert.deepEqual(only(findings, 'state'), [finding]);
      const { meaning, advice, remedy } = findings.find(({ id }) => id === 'state') ?? assert.fail();
      const isGood = finding.startsWith('good');
      assert.deepEqual(
        [meaning, advice, remedy].map((said) => said === undefined),
        [isGood, isGood, isGood],
      );
    });
  }

  it('say whether it is recorded', () => {
    assert.deepEqual(only(found({ ...LIVE, record: true }), 'recording'), ['fact: On']);
    assert.deepEqual(only(found({ ...LIVE, record: false }), 'recording'), ['fact: Off']);
  });

  it('say how healthy it is by its conditions, else by what the list says, else not at all', () => {
    const condition = (isMet: boolean | undefined, since?: number): HealthCondition => ({
      type: 'Transcoding',
      isMet,
      since,
      checkedAt: undefined,
    });
    const conditions = [condition(true, NOW - MINUTE), condition(false), condition(undefined)];
    assert.deepEqual(only(found({ ...LIVE, isHealthy: false }, conditions), 'health'), [
      'good: Yes, since Nov 20, 2026, 10:53:00',
      'bad: No',
      'doubtful: Unknown',
    ]);
    assert.deepEqual(only(found(LIVE, 'The service is unavailable (500).'), 'health'), [
      'doubtful: The service is unavailable (500).',
    ]);
    assert.deepEqual(only(found({ ...LIVE, isHealthy: true }), 'health'), ['good: Healthy']);
    assert.deepEqual(only(found({ ...LIVE, isHealthy: false }), 'health'), ['bad: Unhealthy']);
    assert.deepEqual(only(found(LIVE), 'health'), []);
  });

  it('say of each cause once that it is one', () => {
    const condition = (type: string, isMet: boolean): HealthCondition => ({
      ...{ type, isMet, since: undefined, checkedAt: undefined },
    });
    const sending = condition('Multistreaming', false);
    const connection = (id: string, isMet: boolean, profile = 'source'): HealthCondition => ({
      ...{ ...sending, isMet },
      target: { id, profile, name: id },
    });
    const saidOf = (health: readonly HealthCondition[], stream = LIVE) =>
      found(stream, health).flatMap(({ mark, label }) => (mark === 'fact' ? [] : [`${mark}: ${label}`]));
    const targets = [connection('Twitch', false), connection('Twitch', false, '720p0'), connection('YouTube', true)];
    assert.deepEqual(saidOf([sending, ...targets]), [...['good: State', 'doubtful: Twitch', 'good: YouTube']]);
    assert.deepEqual(
      found(LIVE, targets.slice(1))
        .flatMap(({ mark, figure }) => (mark === 'fact' ? [] : [figure]))
        .slice(1),
      ['Failing', 'Connected'],
    );
    assert.deepEqual(saidOf([sending]), ['good: State', 'doubtful: Sending to all multistream targets']);
    const unmet = ['Active', 'Transcoding', 'TranscodeRealTime', 'Multistreaming'].map((type) =>
      condition(type, false),
    );
    const stale = { isActive: true, lastSeen: NOW - 4 * MINUTE };
    for (const isMet of [true, false]) {
      const sent = [connection('Twitch', isMet), condition('Transcoding', isMet), condition('Active', isMet)];
      assert.deepEqual(saidOf([...unmet, ...sent], stale), ['bad: State']);
    }
    const justEnded = [condition('Active', false), condition('Transcoding', true), ...targets];
    assert.deepEqual(saidOf(justEnded), ['good: State', 'bad: Receiving data'], 'which is judged by data');
    const others = [condition('TranscodeNoErrors', false), condition('Other', false), condition('Fine', true)];
    assert.deepEqual(saidOf(others, stale), [
      ...['bad: State', 'bad: Transcoding without errors', 'bad: Other', 'good: Fine'],
    ]);
    for (const isHealthy of [true, false]) {
      assert.deepEqual(only(found({ ...stale, isHealthy }), 'health'), []);
    }
  });

  it('name the target that does not receive the broadcast, by its ID if it has no name', () => {
    for (const [name, said] of [
      ['YouTube', 'YouTube'],
      ['', 't1'],
    ] as const) {
      const target = { id: 't1', profile: 'source', name };
      const condition = { type: 'Multistreaming', isMet: false, since: undefined, checkedAt: undefined, target };
      const finding = found(LIVE, [condition]).find(({ mark }) => mark === 'doubtful');
      assert.equal(finding?.label, said);
      assert.equal(finding.meaning, `The broadcast isn't reaching ${said}.`);
      assert.equal(finding.advice, "Make sure that the target's URL and stream key are correct.");
      assert.deepEqual(finding.remedy, { target: 't1' });
    }
  });

  const TYPES = ['Active', 'Transcoding', 'TranscodeRealTime', 'TranscodeNoErrors', 'Multistreaming', 'Other'];
  for (const type of TYPES) {
    it(`say what it means if a condition is not met, and what to do: ${type}`, () => {
      const condition = { type, isMet: false, since: undefined, checkedAt: undefined };
      const [finding] = found(LIVE, [condition]).filter(({ remedy }) => remedy !== undefined);
      assert.ok(finding?.meaning && finding.advice);
      assert.deepEqual(finding.remedy, { command: 'showStream' });
    });
  }

  it('name conditions that nobody knows as the service does, on one line', () => {
    const condition = { type: 'Some\nthing', isMet: true, since: undefined, checkedAt: undefined };
    assert.equal(found(LIVE, [condition]).find(({ id }) => id === 'health')?.label, 'Some thing');
  });

  it('repeat at most twenty issues of the service, and none if there are none', () => {
    const issues = Array.from({ length: 25 }, (_, number) => `Issue ${number}`);
    assert.deepEqual(
      only(found({ ...LIVE, issues }), 'issue'),
      issues.slice(0, 20).map((issue) => `doubtful: ${issue}`),
    );
    assert.deepEqual(only(found(LIVE), 'issue'), []);
  });
});

describe('Findings about a test broadcast', () => {
  const judge = (facts: Partial<Parameters<typeof judgeIngest>[0]>) =>
    judgeIngest({ connectedAfter: 1000, acceptedAfter: 3000, droppedPercent: 0, ...facts }).findings;

  it('are good if it was taken at once and lost nothing', () => {
    assert.deepEqual(judge({}).map(shortened), ['good: 1000 ms', 'good: 3000 ms', 'good: 0%']);
  });

  const slow: readonly (readonly [what: string, facts: Parameters<typeof judge>[0], finding: string])[] = [
    ['the connection', { connectedAfter: 1001 }, 'doubtful: 1001 ms'],
    ['the acceptance', { acceptedAfter: 3001 }, 'doubtful: 3001 ms'],
    ['the network', { droppedPercent: 1 }, 'doubtful: 1%'],
  ];
  for (const [what, facts, finding] of slow) {
    it(`say that ${what} is slow, and what to do about it`, () => {
      const doubtful = judge(facts).filter(({ mark }) => mark !== 'good');
      assert.deepEqual(doubtful.map(shortened), [finding]);
      assert.ok(doubtful[0]?.meaning && doubtful[0].advice);
    });
  }

  it('leave out what was not measured', () => {
    assert.deepEqual(judge({ connectedAfter: undefined, acceptedAfter: undefined }).map(shortened), ['good: 0%']);
  });
});
