import assert from 'node:assert/strict';
import type { DemoSession } from '../../../src/demo/demoState.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, withCommands } from './fixture.ts';

const CDN = 'https://cdn.example/recordings';
const HLS = { recordingUrl: `${CDN}/1/index.m3u8` };
const MP4 = { ...HLS, mp4Url: `${CDN}/1/source.mp4` };

/** One stream with one session of each kind, and no other session. */
function addSessions({ service: { control } }: Fixture): { readonly streamId: string } {
  const { id: streamId } = control.addStream({ name: 'Town hall' });
  const add = (fields: Partial<DemoSession>) => control.addSession(streamId, { record: true, ...fields });
  add({ recordingStatus: 'ready', ...MP4, createdAt: Date.UTC(2026, 10, 19, 10, 1) });
  add({ recordingStatus: 'ready', ...HLS, createdAt: Date.UTC(2026, 10, 19, 10, 2) });
  add({ recordingStatus: 'waiting', createdAt: Date.UTC(2026, 10, 19, 10, 3) });
  add({ recordingStatus: 'failed', createdAt: Date.UTC(2026, 10, 19, 10, 4) });
  add({ record: false, createdAt: Date.UTC(2026, 10, 19, 10, 5) });
  return { streamId };
}

/** What a picker listed: the minutes at which its sessions began, and sentences. */
async function offeredBy(fixture: Fixture, command: string): Promise<readonly string[]> {
  fixture.ui.seen.picks.splice(0);
  await fixture.run(command);
  const items = fixture.ui.seen.picks[0]?.items ?? [];
  return items.map(({ label, description }) => /10:0\d/.exec(description ?? '')?.[0] ?? label);
}

const NO_DATA = { streamCount: 0 };

describe('picking a session', () => {
  it(
    'offers those that the command can take, newest first',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      addSessions(fixture);
      for (const command of ['downloadMp4', 'copyMp4Url']) {
        assert.deepEqual(await offeredBy(fixture, command), ['10:01'], command);
      }
      for (const command of ['copyRecordingUrl', 'openRecordingInBrowser']) {
        assert.deepEqual(await offeredBy(fixture, command), ['10:02', '10:01'], command);
      }
      fixture.context.settings.playIn = () => 'editor';
      assert.deepEqual(await offeredBy(fixture, 'openRecording'), ['10:03', '10:02', '10:01']);
      const all = ['10:05', '10:04', '10:03', '10:02', '10:01'];
      for (const command of ['copySessionId', 'showSession']) {
        assert.deepEqual(await offeredBy(fixture, command), all, command);
      }
    }),
  );

  it(
    'asks for a recording from the title of a view, which passes the row that has the focus',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { streamId } = addSessions(fixture);
      const [{ id } = assert.fail()] = fixture.service.control.sessions(streamId);
      const row = { kind: 'session', id: 'row', list: 'idle', streamId, sessionId: id };
      fixture.context.settings.playIn = () => 'editor';
      await fixture.run('searchRecordings', row);
      assert.equal(fixture.ui.seen.picks[0]?.items.length, 4);
      await fixture.run('openRecording', row);
      assert.equal(fixture.ui.seen.picks.length, 1);
    }),
  );

  it(
    'finds all recordings that the view lists, and shows the details of one that cannot be played',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      addSessions(fixture);
      fixture.context.settings.playIn = () => 'editor';
      assert.deepEqual(await offeredBy(fixture, 'searchRecordings'), ['10:04', '10:03', '10:02', '10:01']);
      const failed = fixture.ui.seen.picks[0]?.items[0];
      assert.match(failed?.description ?? '', /failed/);
      const { id } = fixture.service.control.addStream({ name: 'Keynote' });
      fixture.service.control.addSession(id, { record: true, recordingStatus: 'ready', ...MP4 });
      fixture.ui.answers.picks.push('Town hall', 'Keynote');
      await fixture.run('searchRecordings');
      assert.deepEqual([fixture.shown, fixture.played], [[`session ${failed?.value}`], []]);
      await fixture.run('searchRecordings');
      assert.equal(fixture.played.length, 1);
    }),
  );

  it(
    'finds those that have all words that are typed, whatever their order, in the name, the time, and the state',
    withCommands({ demo: NO_DATA, answers: { typed: ['failed HALL'] } }, async (fixture) => {
      addSessions(fixture);
      await fixture.run('searchRecordings');
      const found = fixture.ui.seen.picks[0]?.items.filter(({ isAlwaysShown }) => isAlwaysShown === true) ?? [];
      assert.deepEqual(
        found.map(({ label, description = '' }) => `${label} ${/\w+$/.exec(description)?.[0]}`),
        ['Town hall failed'],
      );
    }),
  );

  it(
    'offers what should have an MP4 where the service tells it of none in this list, and asks for it when it is taken',
    withCommands({ demo: { ...NO_DATA, face: 'strict' } }, async (fixture) => {
      addSessions(fixture);
      assert.deepEqual(await offeredBy(fixture, 'copyMp4Url'), ['10:02', '10:01']);
      const label = 'Town hall';
      fixture.ui.answers.picks.push(label);
      await fixture.run('copyMp4Url');
      assert.match(fixture.ui.seen.said.at(-1)?.message ?? '', /available as an MP4 file/);
    }),
  );

  it(
    'says clearly when there is none that the command can take',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      assert.deepEqual(await offeredBy(fixture, 'downloadMp4'), ['No sessions found']);
      const { id } = fixture.service.control.addStream({ name: 'Town hall' });
      fixture.service.control.addSession(id, { record: false });
      const [none] = await offeredBy(fixture, 'downloadMp4');
      assert.equal(none, 'No MP4 recordings found in the latest session');
      await fixture.run('copyRecordingUrl');
      assert.deepEqual(fieldsOf(fixture.ui.seen.picks.at(-1)?.items, 'label', 'isSentence'), [
        ['No recordings found in the latest session', true],
      ]);
      assert.deepEqual([fixture.ui.seen.said, fixture.ui.seen.copied], [[], []]);
    }),
  );

  it(
    'does not offer to watch the recording of what is still live, though nothing of its stream is loaded',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      addSessions(fixture);
      const { id } = fixture.service.control.addStream({ name: 'Keynote', record: true });
      const live = fixture.service.control.startBroadcast(id);
      assert.equal(live.recordingStatus, 'waiting');
      assert.deepEqual(await offeredBy(fixture, 'openRecording'), ['10:03', '10:02', '10:01']);
      fixture.ui.seen.picks.splice(0);
      await fixture.run('showSession');
      assert.match(fixture.ui.seen.picks[0]?.items[0]?.description ?? '', / · live$/);
    }),
  );

  it(
    'looks further back where the newest sessions have nothing to take',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { streamId } = addSessions(fixture);
      for (let count = 0; count < 250; count++) fixture.service.control.addSession(streamId, { record: false });
      assert.deepEqual(await offeredBy(fixture, 'copyMp4Url'), ['10:01']);
    }),
  );

  it(
    'names streams that the service does not tell with their sessions, and those that are gone',
    withCommands({ demo: { ...NO_DATA, face: 'strict' } }, async (fixture) => {
      const { streamId } = addSessions(fixture);
      const gone = fixture.service.control.addStream({ name: 'Gone' });
      fixture.service.control.addSession(gone.id, { record: true, recordingStatus: 'ready', ...HLS });
      fixture.service.control.deleteStream(gone.id);
      await fixture.run('copyRecordingUrl');
      const labels = fixture.ui.seen.picks[0]?.items.map(({ label }) => label);
      assert.deepEqual(labels?.toSorted(), ['Deleted stream', 'Town hall', 'Town hall']);
      fixture.service.control.clearRequests();
      await fixture.run('copyRecordingUrl');
      assert.ok(!fixture.requests().some((request) => request.includes(streamId)), 'names are asked for once');
    }),
  );

  it(
    'offers what either view has loaded, though the service lists nothing now',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { context, service } = fixture;
      const { streamId } = addSessions(fixture);
      await context.loader.ensureRecordings();
      service.control.fault(() => ({ status: 403, body: '{}' }));
      const [newest, ...others] = await offeredBy(fixture, 'showSession');
      assert.deepEqual([newest, others.length], ['10:05', 5], 'five sessions and a sentence');
      service.control.fault(undefined);
      context.connection.open({ ...service, id: 'next', name: 'Next', insecureAccepted: false });
      const sent = { lastSeen: Date.UTC(2026, 10, 19, 10, 7), sourceSegmentsDuration: 60 };
      service.control.addSession(streamId, { ...sent, createdAt: Date.UTC(2026, 10, 19, 10, 6) });
      await context.loader.ensureSessions(streamId);
      service.control.fault(() => ({ status: 403, body: '{}' }));
      assert.deepEqual((await offeredBy(fixture, 'showSession')).slice(0, -1), ['10:06']);
    }),
  );

  it(
    'does not take names of another connection’s streams that come late for its own',
    withCommands({ demo: { ...NO_DATA, face: 'strict' } }, async (fixture) => {
      const { context, service } = fixture;
      const { streamId } = addSessions(fixture);
      service.control.fault(({ path }) => {
        if (!path.endsWith(`/stream/${streamId}`)) return undefined;
        context.connection.open({ ...service, id: 'next', name: 'Next', insecureAccepted: false });
        return undefined;
      });
      await fixture.run('showSession');
      assert.equal(context.connection.info?.id, 'next');
      assert.deepEqual([...context.store.snapshot.recordings.parents], []);
    }),
  );

  it(
    'says why sessions could not be listed',
    withCommands({ demo: NO_DATA, isHurried: true }, async (fixture) => {
      fixture.service.control.fault(() => ({ status: 403 }));
      await fixture.run('showSession');
      assert.equal(fixture.ui.seen.picks[0]?.items[0]?.icon, 'warning');
      assert.equal(fixture.ui.seen.said.length, 1);
    }),
  );
});
