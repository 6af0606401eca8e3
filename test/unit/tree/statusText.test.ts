import assert from 'node:assert/strict';
import type { AccountNames } from '../../../src/model/store/snapshot.ts';
import { statusText } from '../../../src/tree/statusText.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSnapshot,
  aStream,
  aTrouble,
  MINUTE,
  NOW,
  openConnection,
  type SnapshotParts,
} from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

const live = aLiveStream({ id: 'a' });
const read = (parts: SnapshotParts = {}, now = NOW, refreshInterval = 30) =>
  statusText(aSnapshot({ streams: [live], ...parts }), { ...DRAWING, now, refreshInterval });

describe('the status bar', () => {
  it('counts live streams, without idle and stale ones', () => {
    const without = [live, aLiveStream({ id: 'b' }), aStream({ id: 'idle' })];
    assert.equal(read({ streams: without })?.tooltip, '2 live streams in Production\na\nb');
    const stale = aFact(aLiveStream({ id: 'stale', lastSeen: NOW - 5 * MINUTE }));
    const streams = [live, aLiveStream({ id: 'b' }), aStream({ id: 'idle' }), stale];
    const status = read({ streams });
    assert.equal(status?.text, '$(broadcast) 2 live');
    assert.match(status?.tooltip ?? '', /^2 live streams in Production\n/);
    assert.equal(status?.accessibilityLabel, '2 live streams in Production, 1 more without data');
    assert.equal(status?.isWarning, false);
    assert.equal(read()?.accessibilityLabel, '1 live stream in Production');
    assert.equal(read({ streams: [stale] }), undefined, 'nothing is live');
    assert.equal(read({ streams: [], trouble: aTrouble('network') }), undefined, 'an outage hides nothing');
  });

  it('says the project and the email address of the account, as far as the service does', () => {
    const lines = (accountNames: AccountNames) => read({ accountNames })?.tooltip.split('\n');
    assert.deepEqual(lines({ project: 'Sample', email: 'me@example.com' }), [
      '1 live stream in Production',
      'Project: Sample · me@example.com',
      'a',
    ]);
    assert.deepEqual(lines({ project: undefined, email: 'me@example.com' })?.[1], 'me@example.com');
  });

  it('leaves out a project that the connection is named after', () => {
    const lines = (accountNames: AccountNames) => read({ accountNames })?.tooltip.split('\n');
    assert.deepEqual(lines({ project: 'Production', email: undefined }), ['1 live stream in Production', 'a']);
    assert.deepEqual(lines({ project: 'Production', email: 'me@example.com' })?.[1], 'me@example.com');
  });

  it('says how many have problems or are without data, and which, in front of the others', () => {
    const streams = [
      live,
      aLiveStream({ id: 'b', isHealthy: true }),
      aLiveStream({ id: 'c', isHealthy: false }),
      aFact(aLiveStream({ id: 'd', lastSeen: NOW - 5 * MINUTE, isHealthy: false })),
    ];
    const status = read({ streams });
    assert.deepEqual(status?.tooltip.split('\n'), [
      '3 live streams in Production',
      '1 with problems, 1 more without data',
      'c · unhealthy',
      'd · no data for 5 min',
      'a',
      'b',
    ]);
    assert.equal(status?.accessibilityLabel, '3 live streams in Production, 1 with problems, 1 more without data');
    assert.equal(status?.text, '$(broadcast) 3 live');
  });

  it('leaves out who is suspended, as its broadcast is about to end', () => {
    const given = { isHealthy: false, suspended: true };
    const old = aFact(aLiveStream({ id: 'b', lastSeen: NOW - 5 * MINUTE, ...given }));
    const status = read({ streams: [live, old, aLiveStream({ id: 'c', ...given })] });
    assert.deepEqual(status?.tooltip.split('\n'), ['1 live stream in Production', 'a']);
  });

  it('names who is live, ten at most', () => {
    const streams = [3, 1, 2].map((n) => aLiveStream({ id: `s${n}`, name: `Room ${n}` }));
    assert.equal(read({ streams })?.tooltip, '3 live streams in Production\nRoom 1\nRoom 2\nRoom 3');
    const many = Array.from({ length: 1200 }, (_, n) => aLiveStream({ id: `s${n}`, name: `Room ${n}` }));
    const lines = read({ streams: many })?.tooltip.split('\n') ?? [];
    assert.deepEqual([lines.length, lines.at(-1)], [12, 'and 1,190 more']);
  });

  it('writes large numbers as the reader does', () => {
    const streams = Array.from({ length: 1200 }, (_, n) => aLiveStream({ id: `s${n}` }));
    assert.equal(read({ streams })?.text, '$(broadcast) 1,200 live');
  });

  it('is hidden without a connection, and before the first answer', () => {
    for (const connection of [
      { kind: 'none' },
      { kind: 'starting' },
      { kind: 'keyless', info: aConnection() },
    ] as const) {
      assert.equal(read({ connection }), undefined);
    }
    assert.equal(read({ lists: { active: { isLoaded: false, loadedAt: undefined } } }), undefined);
  });

  it('is hidden once its number is two minutes old, and says when that will be', () => {
    assert.equal(read()?.hidesAt, NOW + 2 * MINUTE);
    assert.ok(read({}, NOW + 2 * MINUTE - 1));
    assert.equal(read({}, NOW + 2 * MINUTE), undefined);
  });

  it('still warns once its number is too old while the service is not reached, if streams were live', () => {
    const trouble = aTrouble('network', { host: 'api.test' });
    const accountNames = { project: 'Sample', email: undefined };
    const status = read({ trouble, accountNames }, NOW + 10 * MINUTE);
    assert.equal(status?.text, '$(warning) Streams out of date');
    assert.equal(status?.tooltip, "Production: Couldn't reach api.test. Last updated: 10:54.\nProject: Sample");
    assert.equal(status?.accessibilityLabel, "Production: Couldn't reach api.test. Last updated: 10:54.");
    assert.deepEqual([status?.isWarning, status?.hidesAt, status?.needsKey], [true, undefined, undefined]);
    const stale = aFact(aLiveStream({ id: 'stale', lastSeen: NOW - 5 * MINUTE }));
    for (const streams of [[], [stale]]) assert.equal(read({ streams, trouble }, NOW + 10 * MINUTE), undefined);
  });

  it('then says that the key was rejected, and which connection needs another', () => {
    const connection = { kind: 'refused', info: aConnection({ id: 'c1' }) } as const;
    assert.equal(read({ connection })?.needsKey, undefined);
    const status = read({ connection }, NOW + 10 * MINUTE);
    assert.equal(status?.text, '$(warning) API key rejected');
    assert.equal(status?.tooltip, 'Production: The API key was rejected. Last updated: 10:54.');
    assert.deepEqual([status?.isWarning, status?.needsKey], [true, 'c1']);
    const since = read({ connection, trouble: aTrouble('network', { host: 'api.test' }) }, NOW + 10 * MINUTE);
    assert.deepEqual([since?.text, since?.needsKey], ['$(warning) Streams out of date', undefined]);
    assert.match(
      since?.tooltip ?? '',
      /^Production: Couldn't reach api\.test\. Before that, the API key was rejected\. Last/,
    );
  });

  it('says so too if the key was rejected before any stream was read, and nothing once none was live', () => {
    const connection = { kind: 'refused', info: aConnection({ id: 'c1' }) } as const;
    const active = { isLoaded: false, loadedAt: undefined };
    const status = read({ streams: [], connection, lists: { active } });
    assert.deepEqual([status?.text, status?.needsKey], ['$(warning) API key rejected', 'c1']);
    assert.equal(status?.tooltip, 'Production: The API key was rejected.');
    assert.equal(read({ streams: [], connection }), undefined);
  });

  it('keeps its number for two refresh intervals where these are longer, and for two minutes without polls', () => {
    assert.equal(read({}, NOW, 300)?.hidesAt, NOW + 10 * MINUTE);
    assert.ok(read({}, NOW + 9 * MINUTE, 300));
    assert.equal(read({}, NOW + 10 * MINUTE, 300), undefined);
    assert.equal(read({}, NOW, 60)?.hidesAt, NOW + 2 * MINUTE);
    assert.equal(read({}, NOW, 0)?.hidesAt, NOW + 2 * MINUTE);
  });

  it('warns of trouble, with the reason', () => {
    const status = read({ trouble: aTrouble('network', { host: 'api.test' }) });
    assert.equal(status?.isWarning, true);
    assert.equal(status?.text, '$(warning) 1 live (out of date)');
    assert.equal(status?.tooltip, "1 live stream in Production\nCouldn't reach api.test. Last updated: 10:54.\na");
    assert.match(status?.accessibilityLabel ?? '', /Couldn't reach api\.test/);
  });

  it('gives the reasons too that a row of the tree tells', () => {
    const { info } = { info: aConnection() };
    const refused = read({ connection: { kind: 'refused', info }, trouble: aTrouble('unauthorized') });
    assert.match(refused?.tooltip ?? '', /\nThe API key was rejected\. Last updated: 10:54\.\na$/);
    const rejected = read({ connection: { kind: 'refused', info } });
    assert.deepEqual([rejected?.text, rejected?.isWarning], ['$(warning) 1 live (API key rejected)', true]);
    const proxy = read({ trouble: aTrouble('network', { why: 'proxyAuthentication' }) });
    assert.match(proxy?.tooltip ?? '', /\nThe proxy requires a password\. Last updated: 10:54\.\na$/);
  });

  it('keeps a connection’s name on one line', () => {
    const status = read({ connection: openConnection({ name: 'two\nlines' }) });
    assert.equal(status?.tooltip, '1 live stream in two lines\na');
  });
});
