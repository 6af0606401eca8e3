import assert from 'node:assert/strict';
import { allConnectionsState, allConnectionsStatus } from '../../../src/tree/connections/allConnectionsStatus.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSnapshot,
  aTrouble,
  MINUTE,
  NOW,
  openConnection,
  type SnapshotParts,
} from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

const NOW_DRAWING = { ...DRAWING, refreshInterval: 30 };

const named = (name: string, parts: SnapshotParts = {}) =>
  aSnapshot({ connection: openConnection({ id: name, name }), showsAllConnections: true, ...parts });

const liveAt = (...ids: readonly string[]) => ({ streams: ids.map((id) => aLiveStream({ id })) });

/** An age of the list of active streams. */
const loaded = (ago: number): SnapshotParts => ({
  lists: { active: { isLoaded: true, loadedAt: NOW - ago } },
});

const read = (...snapshots: readonly ReturnType<typeof named>[]) => allConnectionsStatus(snapshots, NOW_DRAWING);

const badge = ([current, ...others]: readonly ReturnType<typeof named>[]) =>
  current && allConnectionsState(current, others, NOW_DRAWING).badge;

describe('The status bar while several connections are shown', () => {
  it('counts the live streams of all, and lists those of each below it in the hover, in the order of the view', () => {
    const stale = aFact(aLiveStream({ id: 'silent', lastSeen: NOW - 5 * MINUTE }));
    const tour = named('Tour', { streams: [aLiveStream({ id: 'b' }), stale] });
    const main = named('Main', liveAt('a', 'c'));
    const status = read(tour, main);
    assert.equal(status?.text, '$(broadcast) 3 live');
    assert.deepEqual(status?.tooltip.split('\n'), [
      '3 live streams',
      'Main: 2 live',
      '    a',
      '    c',
      'Tour: 1 live, 1 more without data',
      '    silent · no data for 5 min',
      '    b',
    ]);
    assert.equal(status?.accessibilityLabel, '3 live streams, Main: 2 live, Tour: 1 live, 1 more without data');
    assert.equal(status?.isWarning, false);
    assert.deepEqual(badge([tour, main]), { value: 3, tooltip: '3 live streams' });
  });

  it('counts a connection that is not reached with what was known last, warns, and says why', () => {
    const away = named('Tour', { ...liveAt('b'), trouble: aTrouble('network', { host: 'api.test' }) });
    const status = read(named('Main', liveAt('a')), away);
    assert.equal(status?.text, '$(warning) 2 live (1 connection out of date)');
    assert.equal(status?.isWarning, true);
    assert.equal(read(away)?.text, '$(warning) 1 live (out of date)', 'none is up to date');
    const quiet = named('Tour', { streams: [], trouble: aTrouble('network', { host: 'api.test' }) });
    const unaffected = read(named('Main', liveAt('a')), quiet);
    assert.equal(unaffected?.text, '$(warning) 1 live (1 connection out of date)', 'no warning is without words');
    assert.match(status?.tooltip ?? '', /\nTour: 1 live · not reachable · Last updated: 10:54\.\n {4}b$/);
    assert.match(status?.tooltip ?? '', /\n {4}a\n/);
    const tooltip = '2 live streams (1 connection out of date)';
    assert.deepEqual(badge([named('Main', liveAt('a')), away]), { value: 2, tooltip });
  });

  it('leaves out what is too old, warns if the service is not reached, and says in the hover since when', () => {
    const parts = { ...liveAt('b'), ...loaded(10 * MINUTE) };
    const away = named('Tour', { ...parts, trouble: aTrouble('network', { host: 'api.test' }) });
    const unwatched = named('Archive', parts);
    const main = named('Main', liveAt('a'));
    const status = read(main, away, unwatched);
    assert.deepEqual([status?.text, status?.isWarning], ['$(warning) 1 live (1 connection out of date)', true]);
    assert.equal(read(main, unwatched)?.text, '$(broadcast) 1 live');
    assert.deepEqual(status?.tooltip.split('\n'), [
      '1 live stream',
      'Archive: Last updated: 10:44.',
      'Main: 1 live',
      '    a',
      'Tour: not reachable · Last updated: 10:44.',
    ]);
    assert.deepEqual(badge([main, away, unwatched]), {
      value: 1,
      tooltip: '1 live stream (1 connection out of date)',
    });
  });

  it('counts the others where the current connection has no number', () => {
    const keyless = named('Main', { connection: { kind: 'keyless', info: aConnection({ id: 'm', name: 'Main' }) } });
    const loading = named('Next', { lists: { active: { isLoaded: false, loadedAt: undefined } } });
    const snapshots = [keyless, loading, named('Tour', liveAt('b'))];
    const status = read(...snapshots);
    assert.equal(status?.text, '$(warning) 1 live (1 connection out of date)');
    assert.equal(read(loading, named('Tour', liveAt('b')))?.text, '$(broadcast) 1 live');
    assert.deepEqual(status?.tooltip.split('\n'), [
      '1 live stream',
      'The API key for "Main" is no longer in secret storage.',
      'Next: Loading…',
      'Tour: 1 live',
      '    b',
    ]);
    assert.equal(badge(snapshots)?.value, 1);
  });

  it('warns of connections that were never reached, too, and lists all as the view sorts them', () => {
    const never: SnapshotParts = { lists: { active: { isLoaded: false, loadedAt: undefined } } };
    const away = named('tour 10', { ...never, trouble: aTrouble('network') });
    const refused = named('Tour 2', {
      ...never,
      connection: { kind: 'refused', info: aConnection({ id: 'r', name: 'Tour 2' }) },
    });
    const status = read(named('Zoo', liveAt('z')), away, refused);
    assert.deepEqual([status?.text, status?.isWarning], ['$(warning) 1 live (2 connections out of date)', true]);
    const lines = ['1 live stream', 'Tour 2: API key rejected', 'tour 10: not reachable', 'Zoo: 1 live', '    z'];
    assert.deepEqual(status?.tooltip.split('\n'), lines);
    assert.equal(status?.accessibilityLabel, lines.slice(0, 4).join(', '));
    assert.deepEqual([read(named('Zoo'), away), badge([named('Zoo'), away])], [undefined, undefined]);
  });

  it('is hidden with the badge while nothing is live anywhere', () => {
    const snapshots = [named('Main'), named('Tour')];
    assert.deepEqual([read(...snapshots), badge(snapshots)], [undefined, undefined]);
    const old = [named('Main', { ...liveAt('a'), ...loaded(10 * MINUTE) })];
    assert.deepEqual([read(...old), badge(old)], [undefined, undefined]);
  });

  it('still warns once all numbers are too old, without a badge, and asks for a key if only that helps', () => {
    const parts = { ...liveAt('a'), ...loaded(10 * MINUTE) };
    const away = named('Tour', { ...parts, trouble: aTrouble('network', { host: 'api.test' }) });
    const info = aConnection({ id: 'm', name: 'Main' });
    const refused = named('Main', { ...parts, connection: { kind: 'refused', info } });
    const status = read(away, refused);
    assert.deepEqual([status?.text, status?.needsKey], ['$(warning) Streams out of date', undefined]);
    const lines = ['Main: API key rejected · Last updated: 10:44.', 'Tour: not reachable · Last updated: 10:44.'];
    assert.deepEqual(status?.tooltip.split('\n'), lines);
    assert.equal(badge([away, refused]), undefined);
    const idle = named('Next');
    assert.equal(read(idle, away)?.text, '$(warning) Streams out of date');
    assert.deepEqual([read(idle, refused)?.text, read(idle, refused)?.needsKey], ['$(warning) API key rejected', 'm']);
  });

  it('names ten of many streams, those with a fault first, and says below each how many more there are', () => {
    const ids = (prefix: string) => Array.from({ length: 8 }, (_, at) => `${prefix}${at}`);
    const silent = aFact(aLiveStream({ id: 'silent', lastSeen: NOW - 5 * MINUTE }));
    const tour = named('Tour', { streams: [...ids('b').map((id) => aLiveStream({ id })), silent] });
    const last = named('Zoo', liveAt('z'));
    const lines = read(named('Main', liveAt(...ids('a'))), tour, last)?.tooltip.split('\n');
    assert.deepEqual(lines, [
      '17 live streams',
      'Main: 8 live',
      ...ids('a').map((id) => `    ${id}`),
      'Tour: 8 live, 1 more without data',
      '    silent · no data for 5 min',
      '    b0',
      '    and 7 more',
      'Zoo: 1 live',
    ]);
  });

  it('is drawn again when the first number gets too old', () => {
    const main = named('Main', { ...liveAt('a'), ...loaded(MINUTE) });
    const tour = named('Tour', { ...liveAt('b'), ...loaded(0) });
    assert.equal(read(main, tour)?.hidesAt, NOW + MINUTE);
    assert.equal(allConnectionsState(tour, [main], NOW_DRAWING).badgeHidesAt, NOW + MINUTE);
  });
});
