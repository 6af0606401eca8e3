import assert from 'node:assert/strict';
import type { ApiErrorReason } from '../../../src/api/errors.ts';
import { ALL_ABILITIES } from '../../../src/api/types.ts';
import { noticeNode } from '../../../src/model/rows/nodes.ts';
import type { LoadFailure } from '../../../src/model/store/snapshot.ts';
import { outdatedReason, outdatedWords } from '../../../src/texts/troubles.ts';
import { failureNotice, NOTICE_ROWS, streamsNotices } from '../../../src/tree/noticeRows.ts';
import { statusText } from '../../../src/tree/statusText.ts';
import { ownDescription, recordingsState, streamsState } from '../../../src/tree/treeState.ts';
import { streamsContext } from '../../../src/tree/viewContext.ts';
import {
  aConnection,
  aLiveStream,
  aSnapshot,
  aStream,
  aTrouble,
  DAY,
  HOUR,
  MINUTE,
  NOW,
  openConnection,
  SECOND,
} from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

const LOADED_AT = { active: { loadedAt: NOW - 12 * MINUTE } };
const streams = [aStream({ id: 'a' })];

function message(trouble: LoadFailure, lists: object = LOADED_AT) {
  return streamsState(aSnapshot({ streams, lists, trouble }), DRAWING).message;
}

describe('the view’s message', () => {
  const nextTryAt = NOW + 5 * MINUTE;

  it('says what is wrong, how old the data is, and when the next try is', () => {
    assert.equal(
      message(aTrouble('network', { host: 'api.test', nextTryAt })),
      "Couldn't reach api.test. Last updated: 10:42. Retrying at 10:59.",
    );
    assert.equal(
      message(aTrouble('unavailable', { status: 503, nextTryAt })),
      'service.test is unavailable (503). Last updated: 10:42. Retrying at 10:59.',
    );
    const active = { loadedAt: NOW };
    assert.equal(
      message(aTrouble('unavailable', { nextTryAt: NOW + 30 * SECOND }), { active }),
      'service.test is unavailable. Last updated: 10:54. Retrying in less than a minute.',
      'not at the same minute',
    );
    for (const at of [NOW, NOW - 10 * SECOND, NOW - 16 * SECOND]) {
      assert.equal(
        message(aTrouble('network', { at, nextTryAt: at + 15 * SECOND }), { active }),
        "Couldn't reach service.test. Last updated: 10:54. Retrying every 15 seconds.",
        'the words are the same until it was tried',
      );
    }
    assert.equal(
      message(aTrouble('network', { why: 'certificate', nextTryAt: NOW + 30 * SECOND }), { active }),
      "The certificate for service.test isn't trusted. Last updated: 10:54. Retrying in less than a minute.",
    );
    assert.equal(
      message(aTrouble('rateLimited', { nextTryAt })),
      'Too many requests to service.test. Last updated: 10:42. Retrying at 10:59.',
    );
    assert.equal(
      message(aTrouble('invalidResponse', { why: 'html' })),
      'service.test returned a web page. Check the URL, or check for a sign-in page.',
    );
    assert.equal(
      message(aTrouble('forbidden')),
      "This API key doesn't have permission to do that. Last updated: 10:42.",
    );
    assert.equal(
      message(aTrouble('unavailable', { status: 500, detail: 'The cluster is\nfull' })),
      'service.test responded with an error (500): "The cluster is full." Last updated: 10:42.',
    );
    assert.equal(
      message(aTrouble('rejected', { status: 422, detail: 'No such filter' })),
      'service.test rejected the request: "No such filter." Last updated: 10:42.',
    );
    for (const detail of ['user is suspended', 'user is\nsuspended.']) {
      assert.equal(
        message(aTrouble('forbidden', { detail })),
        'service.test rejected the request: "user is suspended." Last updated: 10:42.',
      );
    }
  });

  it('leaves out what is not known, and names the day of older data', () => {
    assert.equal(
      message(aTrouble('network'), { active: { isLoaded: false, loadedAt: undefined } }),
      "Couldn't reach service.test.",
    );
    assert.equal(
      message(aTrouble('network'), { active: { loadedAt: NOW - DAY } }),
      "Couldn't reach service.test. Last updated: Yesterday 10:54.",
    );
  });

  it('is there for every reason', () => {
    for (const reason of [
      'unauthorized',
      'forbidden',
      'notFound',
      'rejected',
      'rateLimited',
      'unavailable',
      'network',
      'timeout',
      'invalidResponse',
    ] as const) {
      assert.match(message(aTrouble(reason)) ?? '', /\.$/, reason);
    }
    assert.equal(
      message(aTrouble('network', { why: 'proxyAuthentication' })),
      'The proxy requires a password. Last updated: 10:42.',
    );
    const refused = aSnapshot({
      streams,
      connection: { kind: 'refused', info: aConnection() },
      lists: LOADED_AT,
    });
    const sentence = 'The API key was rejected. Last updated: 10:42.';
    for (const trouble of [undefined, aTrouble('unauthorized')]) {
      assert.equal(streamsState({ ...refused, trouble }, DRAWING).message, sentence);
    }
  });

  it('says how the service failed since it rejected the key, which is still rejected', () => {
    const connection = { kind: 'refused', info: aConnection() } as const;
    const snapshot = aSnapshot({ streams, connection, lists: LOADED_AT, trouble: aTrouble('network') });
    assert.equal(
      streamsState(snapshot, DRAWING).message,
      "Couldn't reach service.test. Before that, the API key was rejected. Last updated: 10:42.",
    );
    assert.equal(outdatedReason(snapshot), "Couldn't reach service.test. Before that, the API key was rejected.");
    assert.equal(outdatedWords(snapshot), 'not reachable');
    const row = NOTICE_ROWS.notice.draw(snapshot, noticeNode('keyRefused', true), DRAWING);
    assert.deepEqual([row.label, row.description], ['Set API Key…', 'key rejected']);
    assert.match(row.tooltip?.().markdown ?? '', /^Couldn.+ Before that.+the API key was rejected/);
  });

  it('is a word or two in a narrow row', () => {
    const wordsOf = (reason: ApiErrorReason) => outdatedWords(aSnapshot({ streams, trouble: aTrouble(reason) }));
    assert.deepEqual(
      (['forbidden', 'notFound', 'rateLimited', 'unavailable', 'network', 'timeout', 'invalidResponse'] as const).map(
        wordsOf,
      ),
      [
        'access denied',
        'API not found (404)',
        'too many requests',
        'service unavailable',
        'not reachable',
        'not responding',
        'unexpected response',
      ],
    );
  });

  it('has a row below where the API was not found, which connects again', () => {
    const snapshot = aSnapshot({ streams, trouble: aTrouble('notFound') });
    const [row, ...others] = streamsNotices(snapshot);
    assert.deepEqual([row?.notice, others], ['apiNotFound', []]);
    const { label, command, description } = NOTICE_ROWS.notice.draw(snapshot, row ?? assert.fail(), DRAWING);
    assert.deepEqual([label, command, description], ['Connect Again…', 'addConnection', undefined]);
    assert.equal(failureNotice(aSnapshot(), aTrouble('notFound')), 'retry', 'of one list, which the service may lack');
  });

  it('never hides the welcome of somebody without a connection', () => {
    for (const connection of [
      { kind: 'none' },
      { kind: 'starting' },
      { kind: 'keyless', info: aConnection() },
    ] as const) {
      assert.equal(streamsState(aSnapshot({ connection, trouble: aTrouble('network') }), DRAWING).message, undefined);
    }
    assert.equal(streamsState(aSnapshot(), DRAWING).message, undefined);
  });
});

describe('the view’s description', () => {
  it('names the connection, or says Demo', () => {
    assert.equal(streamsState(aSnapshot(), DRAWING).description, 'Production');
    assert.equal(
      streamsState(aSnapshot({ connection: openConnection({ isDemo: true }) }), DRAWING).description,
      'Demo',
    );
    const keyless = { kind: 'keyless', info: aConnection() } as const;
    assert.equal(
      streamsState(aSnapshot({ connection: keyless }), DRAWING).description,
      'Production',
      'the welcome says so',
    );
    assert.equal(streamsState(aSnapshot({ connection: { kind: 'none' } }), DRAWING).description, undefined);
  });

  it('says that the Streams view shows all connections', () => {
    const both = aSnapshot({ showsAllConnections: true, filter: 'back' });
    assert.equal(streamsState(both, DRAWING, [aSnapshot()]).description, 'Filter: back · All connections');
    assert.equal(streamsState(both, DRAWING).description, 'Filter: back · Production', 'no other is left');
  });

  it('says in the other views which connection they show, if there are several', () => {
    const all = { recordingsRecordedOnly: false };
    const demo = openConnection({ isDemo: true });
    for (const several of [{ showsAllConnections: true }, { connectionCount: 2 }]) {
      assert.equal(
        recordingsState(aSnapshot({ ...several, ...all }), DRAWING).description,
        'Production · all sessions',
      );
      assert.equal(recordingsState(aSnapshot({ ...several, connection: demo }), DRAWING).description, 'Demo');
      assert.equal(ownDescription(aSnapshot({ ...several, connection: demo }), []), 'Demo');
      assert.equal(ownDescription(aSnapshot({ ...several, connection: { kind: 'none' } }), []), undefined);
    }
    assert.equal(ownDescription(aSnapshot(), []), undefined);
    assert.equal(recordingsState(aSnapshot(), DRAWING).description, undefined);
    assert.equal(recordingsState(aSnapshot(all), DRAWING).description, 'all sessions');
  });

  it('says in the other views, in a word or two, why their rows are old', () => {
    const refused = { kind: 'refused', info: aConnection() } as const;
    const failures = [
      [{ connection: refused }, 'API key rejected'],
      [{ trouble: aTrouble('network') }, 'not reachable'],
      [{ trouble: aTrouble('unavailable') }, 'service unavailable'],
    ] as const;
    for (const [parts, why] of failures) {
      assert.equal(ownDescription(aSnapshot(parts), ['row']), why);
      assert.equal(ownDescription(aSnapshot(parts), []), undefined, 'no row is old');
      assert.equal(ownDescription(aSnapshot({ ...parts, connectionCount: 2 }), ['row']), `Production · ${why}`);
    }
    assert.equal(ownDescription(aSnapshot(), ['row']), undefined);
  });

  it('shows the filter, and says where the work is done here because the service cannot', () => {
    const abilities = { ...ALL_ABILITIES, listExtras: false };
    assert.equal(
      streamsState(aSnapshot({ filter: 'back', sort: 'name' }), DRAWING).description,
      'Filter: back · Production',
    );
    assert.equal(
      streamsState(aSnapshot({ filter: 'back', sort: 'name', abilities }), DRAWING).description,
      'Filter: back · Production · filtered in VS Code · sorted in VS Code',
    );
    assert.equal(streamsState(aSnapshot({ abilities }), DRAWING).description, 'Production');
    const paged = { ...ALL_ABILITIES, listFilters: false };
    assert.equal(
      streamsState(aSnapshot({ filter: 'back', sort: 'name', abilities: paged }), DRAWING).description,
      'Filter: back · Production · filtered in VS Code',
    );
  });
});

describe('the badge', () => {
  it('shows the number of the status bar, as long as that shows it', () => {
    const snapshot = aSnapshot({ streams: [aLiveStream({ id: 'a' })], lists: { active: { loadedAt: NOW } } });
    for (const [refreshInterval, hidden] of [
      [15, 2 * MINUTE],
      [300, 10 * MINUTE],
    ] as const) {
      for (const [now, isShown] of [
        [NOW + hidden - 1, true],
        [NOW + hidden, false],
      ] as const) {
        const { badge, badgeHidesAt } = streamsState(snapshot, { ...DRAWING, now, refreshInterval });
        assert.equal(badge?.value, isShown ? 1 : undefined);
        assert.equal(
          statusText(snapshot, { ...DRAWING, now, refreshInterval })?.text.includes('1 live') ?? false,
          isShown,
        );
        if (isShown) assert.equal(badgeHidesAt, NOW + hidden);
      }
    }
  });

  it('says in its tooltip that it is out of date', () => {
    const streams = [aLiveStream({ id: 'a' })];
    const { badge } = streamsState(aSnapshot({ streams, trouble: aTrouble('network') }), DRAWING);
    assert.deepEqual(badge, { value: 1, tooltip: '1 live stream (out of date)' });
  });

  it('counts live streams, without stale ones, and is not there for none', () => {
    const stale = aLiveStream({ id: 's', lastSeen: NOW - HOUR });
    assert.equal(streamsState(aSnapshot({ streams: [stale] }), DRAWING).badge, undefined);
    const one = streamsState(aSnapshot({ streams: [stale, aLiveStream({ id: 'a' })] }), DRAWING).badge;
    assert.deepEqual(one, { value: 1, tooltip: '1 live stream' });
    const two = streamsState(
      aSnapshot({ streams: [aLiveStream({ id: 'a' }), aLiveStream({ id: 'b' })] }),
      DRAWING,
    ).badge;
    assert.deepEqual(two, { value: 2, tooltip: '2 live streams' });
  });
});

describe('the welcome that is due', () => {
  it('follows the connection, and whether the account is known to be empty', () => {
    const due = (parts: Parameters<typeof aSnapshot>[0]) => streamsContext(aSnapshot(parts));
    assert.equal(due({ connection: { kind: 'starting' } }), 'starting');
    assert.equal(due({ connection: { kind: 'none' } }), 'none');
    assert.equal(due({ connection: { kind: 'keyless', info: aConnection() } }), 'keyless');
    assert.equal(due({}), 'empty');
    assert.equal(due({ streams }), 'loaded');
    assert.equal(due({ lists: { idle: { isLoaded: false } } }), 'loaded');
    assert.equal(due({ connection: { kind: 'refused', info: aConnection() } }), 'loaded');
  });
});
