import assert from 'node:assert/strict';
import type { Exchange, TrackFacts } from '../../../../src/model/inspection/inspectHls.ts';
import { parsePlaylist } from '../../../../src/model/inspection/playlist.ts';
import { type TimelineTrack, timelineOf } from '../../../../src/model/inspection/timeline.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';

const ANSWER: Exchange = {
  ...{ kind: 'answer', url: 'https://video.example/0.ts', host: 'video.example', status: 200, headers: {}, hops: [] },
  ...{ bytes: 1, isCut: false, firstByteMs: 1, totalMs: 1, endedMs: 1, receivedAt: 0 },
};

interface Given {
  readonly name?: string;
  readonly target?: number;
  /** Unix time of the first segment, in seconds. */
  readonly begin?: number;
  readonly tagsBefore?: (sequence: number) => readonly string[];
  readonly requested?: Readonly<Record<number, Exchange>>;
}

function track(durations: readonly number[], { name = '1280x720', target = 2, ...given }: Given = {}): TrackFacts {
  const lines = durations.flatMap((duration, sequence) => [
    ...(given.tagsBefore?.(sequence) ?? []),
    `#EXTINF:${duration},`,
    `${sequence}.ts?token=secret-token`,
  ]);
  const time = given.begin === undefined ? [] : [new Date(given.begin * 1000).toISOString()];
  const clock = time.map((at) => `#EXT-X-PROGRAM-DATE-TIME:${at}`);
  const playlist = parsePlaylist(['#EXTM3U', `#EXT-X-TARGETDURATION:${target}`, ...clock, ...lines].join('\n'));
  assert.ok(playlist.kind === 'media');
  const requested = Object.entries(given.requested ?? {}).flatMap(([sequence, exchange]) => {
    const segment = playlist.segments[Number(sequence)];
    return segment === undefined ? [] : [{ segment, exchange }];
  });
  const variant = { uri: '', bandwidth: 1, codecs: undefined, resolution: name };
  return { variant, name, exchange: ANSWER, playlist, map: undefined, segments: requested };
}

const only = (...tracks: readonly TrackFacts[]) => timelineOf({ tracks }) ?? assert.fail('There is no timeline');
const first = (...tracks: readonly TrackFacts[]): TimelineTrack => only(...tracks).tracks[0] ?? assert.fail();

describe('The timeline of a check', () => {
  it('has a bar for each segment, one after the other', () => {
    const { bars, segmentCount, length, shortest, longest } = first(track([2, 1.5, 2]));
    assert.deepEqual(
      bars.map((bar) => [bar.start, bar.length, bar.longest, bar.firstSequence]),
      [
        [0, 2, 2, 0],
        [2, 1.5, 1.5, 1],
        [3.5, 2, 2, 2],
      ],
    );
    assert.deepEqual([segmentCount, length, shortest, longest], [3, 5.5, 1.5, 2]);
  });

  it('says what is special about each, the worst first', () => {
    const tagsBefore = (sequence: number) =>
      sequence === 1 ? ['#EXT-X-GAP'] : sequence === 4 ? ['#EXT-X-DISCONTINUITY'] : [];
    const requested = { 2: { ...ANSWER, status: 404 }, 3: ANSWER, 4: { kind: 'failure', sentence: '' } as const };
    const { bars, counts } = first(track([2, 2, 2, 2, 9, 9], { tagsBefore, requested }));
    const states = ['listed', 'gap', 'failed', 'loaded', 'failed', 'tooLong'];
    assert.deepEqual(fieldsOf(bars, 'state'), states);
    assert.deepEqual(fieldsOf(bars, 'isAfterDiscontinuity'), [false, false, false, false, true, false]);
    assert.deepEqual(counts, { loaded: 1, tooLong: 2, gap: 1, failed: 2, discontinuity: 1 });
  });

  it('joins neighbors where there are very many, and keeps what is special about them', () => {
    const tagsBefore = (sequence: number) => (sequence === 70_003 ? ['#EXT-X-GAP'] : []);
    const { bars, segmentCount, length, counts } = first(track(Array(100_000).fill(2), { tagsBefore }));
    assert.equal(bars.length, 500);
    assert.deepEqual([segmentCount, length, counts.gap], [100_000, 200_000, 1]);
    assert.deepEqual(
      bars.filter(({ state }) => state !== 'listed').map((bar) => [bar.state, bar.firstSequence, bar.lastSequence]),
      [['gap', 70_000, 70_199]],
    );
    const last = bars.at(-1);
    assert.equal((last?.start ?? 0) + (last?.length ?? 0), length);
  });

  it('places renditions by their clock if they overlap, and side by side otherwise', () => {
    const later = only(track([2, 2], { begin: 1000 }), track([2, 2], { begin: 1002, name: '640x360' }));
    assert.deepEqual(
      later.tracks.map(({ bars }) => bars[0]?.start),
      [0, 2],
    );
    assert.equal(later.length, 6);
    for (const begin of [5000, undefined]) {
      const other = track([2, 2], { name: '640x360', ...(begin === undefined ? {} : { begin }) });
      const apart = only(track([2, 2], { begin: 1000 }), other);
      assert.deepEqual([apart.length, ...apart.tracks.map(({ bars }) => bars[0]?.start)], [4, 0, 0]);
    }
  });

  it('leaves out renditions without segments, and is not there if there are none', () => {
    const { tracks } = only(track([2]), track([]), {
      ...track([]),
      playlist: { kind: 'fault', fault: 'html' },
    });
    assert.equal(tracks.length, 1);
    assert.equal(timelineOf({ tracks: [track([])] }), undefined);
    assert.equal(timelineOf({ tracks: [] }), undefined);
  });

  it('holds no address', () => {
    assert.doesNotMatch(JSON.stringify(only(track([2, 2]))), /secret-token|\.ts/);
  });
});
