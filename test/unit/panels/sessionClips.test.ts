import assert from 'node:assert/strict';
import { type Clip, decodeClip } from '../../../src/api/clips.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { ALL_ABILITIES } from '../../../src/api/types.ts';
import { isOther } from '../../../src/panels/detailsModel.ts';
import { sessionDetails } from '../../../src/panels/shownDetails.ts';
import type { Button, ShownDetails } from '../../../src/webview/details/messages.ts';
import { STREAMING_TEMPLATES } from '../../support/model/addressTemplates.ts';
import { aSession, aSnapshot, aStream, DAY, HOUR, NOW, type SnapshotParts } from '../../support/model/builders.ts';

const recorded = aSession({
  ...{ id: 'x1', parentId: 's1', createdAt: NOW - DAY, lastSeen: NOW - DAY + HOUR, record: true },
  ...{ recordingStatus: 'ready', recordingUrl: 'https://cdn.example/r.m3u8', mp4Url: 'https://cdn.example/r.mp4' },
});
const stream = aStream({ id: 's1', name: 'Keynote', playbackId: 'p1' });

function aClip(id: string, phase: string, more: object = {}) {
  const asset = { id, name: `Clip ${id}`, source: { sessionId: 'x1' }, createdAt: NOW - HOUR, status: { phase } };
  return decodeClip({ ...asset, ...more }, new KnownSecrets()) ?? assert.fail();
}

const ready = aClip('ready', 'ready', {
  ...{ videoSpec: { duration: 30 }, downloadUrl: 'https://cdn.example/c.mp4?sig=1' },
  playbackUrl: 'https://cdn.example/c.m3u8',
});

function shownWith(parts: SnapshotParts = {}, session = recorded): ShownDetails {
  const reader = { now: NOW, locale: 'en', timeZone: 'UTC' };
  const snapshot = aSnapshot({ streams: [stream], ...parts });
  return sessionDetails(session, { snapshot, reader, templates: STREAMING_TEMPLATES });
}

const clipsCard = (shown: ShownDetails) => shown.sections.find(({ id }) => id === 'clips');
const actsOf = (buttons: readonly Button[] = []) => buttons.map(({ act, target }) => [act, target].join(' ').trim());

describe('The clips on the page of a session', () => {
  it('have the row marked that was opened, also after others were added', () => {
    const parts = (clips: readonly Clip[]) => ({
      snapshot: aSnapshot({ streams: [stream], clips: new Map([['s1', clips]]) }),
      reader: { now: NOW, locale: 'en', timeZone: 'UTC' },
      templates: STREAMING_TEMPLATES,
    });
    const marked = (clips: readonly Clip[], clipId?: string) =>
      clipsCard(sessionDetails(recorded, parts(clips), { clipId }))?.current;
    const [broken, newer] = [aClip('broken', 'failed'), aClip('newer', 'ready')];
    assert.deepEqual([marked([ready, broken], 'broken'), marked([newer, ready, broken], 'broken')], [1, 2]);
    assert.deepEqual([marked([ready, broken]), marked([ready], 'broken')], [undefined, undefined]);
  });

  it('say how long they are, or how far, and offer what their rows do', () => {
    const clips = [
      aClip('waiting', 'waiting'),
      aClip('half', 'processing', { status: { phase: 'processing', progress: 0.456 } }),
      aClip('broken', 'failed', { status: { phase: 'failed', errorMessage: 'No\ndisk' } }),
      ready,
      aClip('streamed', 'ready', { playbackUrl: 'https://cdn.example/s.m3u8' }),
      aClip('gone', 'deleted'),
      aClip('other', 'ready', { source: { sessionId: 'x2' } }),
    ];
    const { rows: [head, ...rows] = [], heading } = clipsCard(shownWith({ clips: new Map([['s1', clips]]) })) ?? {};
    assert.deepEqual([heading, head], ['Clips', ['Name', 'Duration', 'Created', '']]);
    const shown = rows.map(([name, length, created, acts]) => [
      name,
      length,
      created,
      Array.isArray(acts) ? actsOf(acts) : acts,
    ]);
    const created = 'Today 09:54';
    assert.deepEqual(shown, [
      [{ text: 'Clip waiting', below: { text: 'Processing', tone: 'processing' } }, '', created, []],
      [{ text: 'Clip half', below: { text: 'Processing (45%)', tone: 'processing' } }, '', created, []],
      [{ text: 'Clip broken', below: { text: 'Failed · No disk', tone: 'failed' } }, '', created, []],
      ['Clip ready', '0:30', created, ['openClip ready', 'copyClipUrl ready', 'downloadClip ready']],
      ['Clip streamed', '', created, ['openClip streamed', 'copyClipUrl streamed']],
    ]);
  });

  it('say where in the broadcast they begin, to the nearest second, once that is known of one', () => {
    const clips = [ready, aClip('other', 'ready', { videoSpec: { duration: 4.73 } }), aClip('broken', 'failed')];
    const began = recorded.createdAt ?? assert.fail();
    const rowsWith = (clipStarts: ReadonlyMap<string, number>) => {
      const snapshot = aSnapshot({ streams: [stream], clips: new Map([['s1', clips]]) });
      const context = { snapshot, reader: { now: NOW, locale: 'en', timeZone: 'UTC' }, templates: STREAMING_TEMPLATES };
      return clipsCard(sessionDetails(recorded, context, { clipStarts }))?.rows?.map((row) => row.slice(1, 3));
    };
    const starts = [['ready', began + 62_900] as const, ['broken', began - 500] as const];
    assert.deepEqual(rowsWith(new Map(starts)), [
      ['Start', 'Duration'],
      ['1:03', '0:30'],
      ['', '0:05'],
      ['0:00', ''],
    ]);
    assert.deepEqual(rowsWith(new Map([['elsewhere', began]]))?.[0], ['Duration', 'Created']);
  });

  it('have no address on the page: one may be signed', () => {
    const shown = shownWith({ clips: new Map([['s1', [ready]]]) });
    assert.ok(!/sig=1|c\.m3u8/.test(JSON.stringify(shown)));
  });

  it('can be created where a recording is, or is being made, after the primary act', () => {
    const isOffered = (parts?: SnapshotParts, session?: typeof recorded) =>
      actsOf(shownWith(parts, session).buttons).slice(1).includes('createClip');
    const shown = shownWith();
    assert.equal(isOffered(), true);
    assert.equal(clipsCard(shown), undefined, 'an empty card says nothing');
    assert.deepEqual(actsOf(shown.buttons), ['downloadMp4', 'createClip']);
    const running = { ...recorded, ...{ recordingStatus: 'waiting', recordingUrl: undefined, mp4Url: undefined } };
    const live = aStream({ ...stream, isActive: true, record: true, lastSeen: NOW });
    const session = { ...running, createdAt: NOW - HOUR, lastSeen: NOW };
    const now = { streams: [live], sessions: { s1: [session] } };
    assert.equal(isOffered(now, session), true);
    const unrecorded = { ...session, record: false, recordingStatus: undefined };
    assert.equal(isOffered({ ...now, sessions: { s1: [unrecorded] } }, unrecorded), false);
    for (const recordingStatus of ['waiting', 'failed', 'deleted', 'none']) {
      assert.equal(isOffered({}, { ...running, recordingStatus }), false, recordingStatus);
    }
    assert.equal(isOffered({ streams: [] }), false, 'nothing is cut of a stream that is gone');
    assert.equal(isOffered({ streams: [{ ...stream, playbackId: undefined }] }), false);
  });

  it('are not there if the service has none, or there are none', () => {
    const clips = new Map([['s1', [ready]]]);
    assert.equal(clipsCard(shownWith({ clips, abilities: { ...ALL_ABILITIES, clips: false } })), undefined);
    const deleted = { ...recorded, recordingStatus: 'deleted', recordingUrl: undefined, mp4Url: undefined };
    assert.equal(clipsCard(shownWith({}, deleted)), undefined);
    const left = clipsCard(shownWith({ clips }, deleted));
    assert.equal(left?.rows?.length, 2);
  });

  it('are drawn again when those of its stream change', () => {
    const of = (clips: readonly (typeof ready)[]) => aSnapshot({ streams: [stream], clips: new Map([['s1', clips]]) });
    const parts = { target: { connection: 'one', kind: 'session', id: 'x1' }, session: recorded } as const;
    const previous = of([]);
    const streams = previous.streams;
    assert.equal(isOther({ previous, current: { ...of([ready]), streams } }, parts), true);
    assert.equal(isOther({ previous, current: { ...previous } }, parts), false);
  });
});
