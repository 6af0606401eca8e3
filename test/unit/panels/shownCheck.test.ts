import assert from 'node:assert/strict';
import { ALL_ABILITIES } from '../../../src/api/types.ts';
import type { Finding, Mark } from '../../../src/model/inspection/hlsFindings.ts';
import type { InspectionStep } from '../../../src/model/inspection/inspectHls.ts';
import { type CheckReport, summaryOf } from '../../../src/model/inspection/report.ts';
import type { Timeline, TimelineBar, TimelineTrack } from '../../../src/model/inspection/timeline.ts';
import { lineOf, remedyOf, shownCheck } from '../../../src/panels/shownCheck.ts';
import { shownTimeline } from '../../../src/panels/shownTimeline.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { NOW } from '../../support/model/builders.ts';

const READER = { now: NOW, locale: 'en', timeZone: 'UTC' };

const finding = (mark: Mark, label: string, more: Partial<Finding> = {}): Finding => ({
  ...{ id: label, mark, label, figure: '1' },
  ...more,
});
const sectionsOf = (...marks: readonly Mark[]) => [
  { heading: 'Server', findings: marks.map((mark, index) => finding(mark, `Finding ${index}`)) },
];
const SAME = { isChanged: false, connection: [] } as const;
const USAGE = { requests: 12, bytes: 1_500_000, ms: 4200 };

function shownWith(sections: CheckReport['sections'], kind: 'stream' | 'playback' = 'stream', multistream = true) {
  const url = 'https://a:b@video.example/live/index.m3u8?token=secret-token';
  const playback = { url, usage: USAGE, timeline: undefined };
  const report: CheckReport = { title: 'Check results', checkedAt: NOW, sections, playback };
  const known = {
    kind,
    name: 'Keynote',
    running: undefined,
    noResult: undefined,
    report,
    ...SAME,
    abilities: { multistream },
  };
  return shownCheck(known, READER);
}

function shownReport(...given: Parameters<typeof shownWith>) {
  return shownWith(...given).report ?? assert.fail('There is no report');
}

describe('The summary of a check', () => {
  const cases: readonly (readonly [marks: readonly Mark[], summary: string])[] = [
    [['bad', 'bad', 'doubtful', 'doubtful', 'good', 'good'], '2 problems, 2 warnings, 2 checks passed'],
    [['bad', 'doubtful', 'good'], '1 problem, 1 warning, 1 check passed'],
    [['good', 'fact', 'good'], 'No problems, 2 checks passed'],
    [['doubtful'], '1 warning'],
    [['fact'], 'No problems'],
  ];
  for (const [marks, summary] of cases) {
    it(`is "${summary}"`, () => assert.equal(summaryOf(sectionsOf(...marks), READER), summary));
  }
});

describe('The report on the page of a check', () => {
  it('has problems first, then warnings, and folds what passed by its section', () => {
    const { problems, warnings, passed, facts, tone } = shownReport([
      { heading: 'Stream', findings: [finding('good', 'State'), finding('fact', 'Recording', { figure: 'Off' })] },
      { heading: 'Server', findings: [finding('doubtful', 'Slow'), finding('bad', 'CORS'), finding('good', 'Type')] },
      { heading: 'Renditions', findings: [finding('bad', 'Bitrate')] },
    ]);
    const labels = (group: typeof problems) => group?.findings.map(({ label }) => label);
    assert.deepEqual([labels(problems), labels(warnings), tone], [['CORS', 'Bitrate'], ['Slow'], 'failed']);
    assert.equal(passed?.heading, '2 checks passed');
    assert.deepEqual(
      passed.groups.map(({ heading, findings }) => [heading, ...findings.map(({ label }) => label)]),
      [
        ['Stream', 'State'],
        ['Server', 'Type'],
      ],
    );
    assert.deepEqual(facts[0], { label: 'Recording', value: 'Off' });
    assert.deepEqual(fieldsOf(facts.slice(1), 'value'), ['12', '1.5 MB', '4.2 s']);
  });

  it('leaves out the parts in which nothing is, and is good if nothing is wrong', () => {
    const { problems, warnings, passed, tone, timeline } = shownReport(sectionsOf('fact'));
    assert.deepEqual(
      [problems, warnings, passed, timeline, tone],
      [undefined, undefined, undefined, undefined, 'good'],
    );
    assert.equal(shownReport(sectionsOf('doubtful', 'good')).tone, 'warning');
  });

  it('has problems in red and warnings in amber, whatever they are about', () => {
    const findings = [
      finding('bad', 'Twitch', { id: 'health' }),
      finding('doubtful', 'Slow'),
      finding('bad', 'State', { id: 'state' }),
    ];
    const { problems, warnings, tone, summary } = shownReport([{ heading: 'Stream', findings }]);
    const tones = [problems, warnings].map((group) => group?.findings.map((each) => each.tone).join());
    assert.deepEqual([...tones, tone, summary], ['failed,failed', 'warning', 'failed', '2 problems, 1 warning']);
  });

  it('says when it was made and of what, without secrets', () => {
    const shown = shownWith(sectionsOf('good'));
    assert.deepEqual(shown.about, [
      { text: 'Check results' },
      { text: 'Nov 20, 2026, 10:54:00' },
      { text: 'https://video.example/live/index.m3u8?…', isCode: true },
    ]);
    assert.doesNotMatch(JSON.stringify(shown), /secret-token|a:b/);
  });

  it('offers the command that helps with a stream, and the line that helps with anything', () => {
    const sections = [
      {
        heading: 'Stream',
        findings: [
          finding('good', 'Fine'),
          finding('bad', 'State', { remedy: { command: 'resumeStream' } }),
          finding('bad', 'CORS', { remedy: { line: 'A: *' } }),
        ],
      },
    ];
    const buttons = (kind: 'stream' | 'playback') =>
      shownReport(sections, kind).problems?.findings.map(({ button }) => button);
    const copy = { label: 'Copy', hint: 'Copy: A: *', act: 'copyLine', icon: 'copy', index: 2 };
    assert.deepEqual(buttons('stream'), [{ label: 'Resume Stream', act: 'resumeStream' }, copy]);
    assert.deepEqual(buttons('playback'), [undefined, copy]);
    const report = { title: '', checkedAt: NOW, sections, playback: undefined };
    const lines = [2, 1, 9].map((index) => lineOf(remedyOf(report, index)));
    assert.deepEqual(lines, ['A: *', undefined, undefined]);
  });

  it('offers to change a target that is not reached, unless the service has none', () => {
    const sections = [
      {
        heading: 'Stream',
        findings: [finding('good', 'State'), finding('bad', 'Twitch', { remedy: { target: 't1' } })],
      },
    ];
    const offered = (multistream: boolean) =>
      shownReport(sections, 'stream', multistream).problems?.findings[0]?.button;
    const button = { label: 'Edit Target…', hint: 'Edit: Twitch', act: 'changeTarget', index: 1 };
    assert.deepEqual([offered(true), offered(false)], [button, undefined]);
  });

  it('offers a command once, however many findings it helps with, and none that the page has above', () => {
    const helped = finding('bad', 'State', { remedy: { command: 'resumeStream' } });
    const details = finding('bad', 'Data', { remedy: { command: 'showStream' } });
    const { problems } = shownReport([
      { heading: 'Stream', findings: [details, helped, { ...helped, label: 'Health' }] },
    ]);
    assert.deepEqual(
      problems?.findings.map(({ button }) => button?.act),
      [undefined, 'resumeStream', undefined],
    );
  });

  it('keeps the report while the connection of its stream is not open, and offers nothing of it but copies', () => {
    const findings = [
      finding('bad', 'State', { remedy: { command: 'resumeStream' } }),
      finding('bad', 'Twitch', { remedy: { target: 't1' } }),
      finding('bad', 'CORS', { remedy: { line: 'A: *' } }),
    ];
    const report = { title: '', checkedAt: NOW, sections: [{ heading: 'Stream', findings }], playback: undefined };
    const known = { kind: 'stream', name: 'Keynote', running: undefined, noResult: undefined, report } as const;
    const elsewhere = { sentence: 'It belongs elsewhere.', ways: ['openOwnConnection'] } as const;
    const shown = shownCheck({ ...known, ...SAME, elsewhere, abilities: ALL_ABILITIES }, READER);
    const ways = [{ label: 'Switch Connection', act: 'openOwnConnection' }];
    assert.deepEqual(shown.notice, { text: 'It belongs elsewhere.', isFailure: true, buttons: ways });
    assert.deepEqual(fieldsOf(shown.buttons, 'act'), ['copyReport']);
    const acts = shown.report?.problems?.findings.map(({ button }) => button?.act);
    assert.deepEqual(acts, [undefined, undefined, 'copyLine']);
  });

  it('is titled by what is checked, while nothing is known yet', () => {
    const titleOf = (kind: 'stream' | 'playback', name: string) => {
      const none = { running: undefined, noResult: undefined, report: undefined, ...SAME, abilities: ALL_ABILITIES };
      return shownCheck({ ...none, kind, name }, READER).title;
    };
    assert.equal(titleOf('stream', 'Keynote'), 'Keynote');
    assert.equal(titleOf('stream', ''), 'Check results');
    assert.equal(titleOf('playback', 'video.example'), 'HLS playback on video.example');
  });

  it('says of each step what is done', () => {
    const progressOf = (kind: 'stream' | 'playback', step: InspectionStep | undefined) => {
      const known = { kind, name: 'Keynote', running: { step }, noResult: undefined, report: undefined };
      return shownCheck({ ...known, ...SAME, abilities: ALL_ABILITIES }, READER).progress;
    };
    assert.equal(progressOf('stream', undefined), "Getting the stream's status…");
    assert.equal(progressOf('playback', undefined), 'Loading the playlist…');
    assert.equal(progressOf('stream', { kind: 'playlist' }), 'Loading the playlist…');
    assert.equal(progressOf('stream', { kind: 'rendition', at: 1, count: 2 }), 'Loading rendition 1 of 2…');
    assert.equal(progressOf('stream', { kind: 'changes' }), 'Waiting for new segments…');
  });

  it('has no button that cannot help, if the stream is gone', () => {
    const gone = { kind: 'failure', sentence: '"Keynote" no longer exists.', actions: [], canRetry: false } as const;
    const noResult = { ...gone, failedAt: NOW };
    const known = { kind: 'stream', name: 'Keynote', running: undefined, noResult, report: undefined } as const;
    const { buttons, notice } = shownCheck({ ...known, ...SAME, abilities: ALL_ABILITIES }, READER);
    assert.deepEqual([buttons, notice?.text], [[], gone.sentence]);
  });
});

describe('The picture of the segments', () => {
  const bar = (start: number, given: Partial<TimelineBar> = {}): TimelineBar => ({
    ...{ start, length: 2, longest: 2, state: 'listed', isAfterDiscontinuity: false },
    ...{ firstSequence: start / 2, lastSequence: start / 2, ...given },
  });
  const COUNTS = { loaded: 0, tooLong: 0, gap: 0, failed: 0, discontinuity: 0 };
  const track = (bars: readonly TimelineBar[], given: Partial<TimelineTrack> = {}): TimelineTrack => ({
    ...{ name: '1280x720', bars, targetDuration: 2, segmentCount: bars.length, length: 2 * bars.length },
    ...{ shortest: 2, longest: 2, counts: COUNTS, ...given },
  });
  const shown = (timeline: Timeline) => shownTimeline(timeline, 'en');

  it('is scaled to the whole, and says in words what it shows', () => {
    const bars = [
      bar(0),
      bar(2, { state: 'loaded' }),
      bar(4, { state: 'gap', isAfterDiscontinuity: true }),
      bar(6, { length: 4, longest: 4, state: 'tooLong' }),
    ];
    const counts = { ...COUNTS, loaded: 1, gap: 1, tooLong: 1, discontinuity: 1 };
    const { tracks, first, last, legend } = shown({
      tracks: [track(bars, { counts, longest: 4, length: 10 })],
      length: 10,
    });
    assert.deepEqual([first, last], ['0 s', '10 s']);
    assert.equal(tracks[0]?.words, '4 segments, 10 s · 2 s to 4 s each · 1 too long · 1 gap · 1 discontinuity');
    assert.equal(tracks[0].target, 0.5);
    const longer = shown({ tracks: [track([bar(0, { length: 20, longest: 20 })], { longest: 20 })], length: 20 });
    assert.deepEqual([longer.tracks[0]?.target, longer.tracks[0]?.bars[0]?.height], [0.5, 1]);
    assert.deepEqual(fieldsOf(tracks[0].bars, 'start', 'width', 'height', 'words'), [
      [0, 0.2, 0.5, undefined],
      [0.2, 0.2, 0.5, 'Segment 1: 2 s · loaded by this check'],
      [0.4, 0.2, 0.5, 'Segment 2: 2 s · gap · discontinuity'],
      [0.6, 0.4, 1, 'Segment 3: 4 s · longer than the target duration'],
    ]);
    assert.deepEqual(fieldsOf(legend, 'sign'), ['listed', 'loaded', 'tooLong', 'gap', 'discontinuity', 'target']);
  });

  it('compares all renditions on one scale, and says what could not be loaded', () => {
    const high = track([bar(0, { longest: 1 })], { longest: 1, targetDuration: undefined });
    const low = track([bar(0, { longest: 4, state: 'failed' })], { longest: 4, counts: { ...COUNTS, failed: 3 } });
    const { tracks, legend } = shown({ tracks: [high, low], length: 2 });
    assert.deepEqual(
      tracks.map(({ bars, target }) => [bars[0]?.height, target]),
      [
        [0.25, undefined],
        [1, 0.5],
      ],
    );
    assert.equal(tracks[1]?.words, '1 segment, 2 s · 2 s to 4 s each · 3 not loaded');
    assert.deepEqual(fieldsOf(legend, 'sign', 'label'), [
      ['listed', 'Listed'],
      ['failed', "Couldn't be loaded"],
      ['target', 'Target duration'],
    ]);
  });

  it('says long times in minutes and hours', () => {
    const last = (length: number) => shown({ tracks: [track([bar(0)])], length }).last;
    assert.deepEqual([119.5, 120, 7320].map(last), ['119.5 s', '2 min', '2 h 2 min']);
  });

  it('explains only what is in it, and has only finite numbers', () => {
    const none = track([bar(0, { length: 0, longest: 0 })], {
      ...{ targetDuration: undefined, length: 0, shortest: 0, longest: 0 },
    });
    const { tracks, legend } = shown({ tracks: [none], length: 0 });
    assert.deepEqual(fieldsOf(legend, 'sign'), ['listed']);
    assert.deepEqual(tracks[0]?.bars, [
      { start: 0, width: 0, height: 0, state: 'listed', isAfterDiscontinuity: false, words: undefined },
    ]);
    assert.match(tracks[0].words, /^1 segment, 0 s · 0 s each$/);
  });
});
