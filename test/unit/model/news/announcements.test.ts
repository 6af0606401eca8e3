import assert from 'node:assert/strict';
import { Poller } from '../../../../src/model/loading/poller.ts';
import { Announcements, type AnnouncementsOptions } from '../../../../src/model/news/announcements.ts';
import type { NotificationKind } from '../../../../src/services.ts';
import { Emitter } from '../../../../src/util/events.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { fakeLog, fakeSettings } from '../../../support/model/fakes.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ALL: readonly NotificationKind[] = ['streamStarted', 'streamEnded', 'recordingReady'];

/** The real model with a poller that looks every 15 s, and a person who reads notifications. */
function compose(chosen: readonly NotificationKind[] = ALL, options: { refreshInterval?: number } = {}) {
  const model = composeModel();
  const { service, clock, store } = model;
  const log = fakeLog();
  const changes = new Emitter<void>();
  const state = { chosen, isLastFocused: true, isWatched: true, press: undefined as string | undefined };
  const front: { page?: ReturnType<AnnouncementsOptions['findPage']> } = {};
  const shown: { readonly at: number; readonly message: string; readonly actions: readonly string[] }[] = [];
  const ran: unknown[] = [];
  const settings = fakeSettings({
    refreshInterval: () => options.refreshInterval ?? 15,
    notifications: () => new Set(state.chosen),
    onDidChange: changes.event,
  });
  const presence = {
    isViewVisible: () => state.isWatched,
    isFocused: () => state.isWatched,
    onDidChange: new Emitter<void>().event,
  };
  const announcements = new Announcements({
    ...{ ...model, settings, log, presence },
    findPage: () => front.page,
    lastFocused: { isThisWindow: () => state.isLastFocused },
    ui: {
      async notify(_severity, message, ...actions) {
        shown.push({ at: clock.now(), message, actions });
        return state.press;
      },
    },
    run: (act, connection) => void ran.push({ ...act, connectionId: connection.id }),
  });
  const poller = new Poller({ ...model, presence, settings, random: () => 0 });
  const choose = (kinds: readonly NotificationKind[]) => {
    state.chosen = kinds;
    changes.fire();
  };
  /** Time goes on, and live streams get data: lastSeen follows the clock. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 15 * SECOND) {
      for (const stream of service.streams.values()) if (stream.isActive) stream.lastSeen = clock.now();
      await clock.advance(Math.min(15 * SECOND, ms - passed));
    }
  };
  const start = async (id = 'one') => {
    model.connect(id);
    await clock.advance(0);
  };
  const goLive = (id: string, fields = {}) => {
    if (!service.streams.has(id)) service.add({ id, name: `name of ${id}`, ...fields });
    service.change(id, { isActive: true, lastSeen: clock.now(), ...fields });
  };
  const end = (id: string) => service.change(id, { isActive: false });
  const messages = () => shown.map(({ message }) => message);
  const sessionRequests = () => service.requests.filter((request) => request.includes('/sessions'));
  return {
    ...{
      ...model,
      store,
      log,
      state,
      front,
      shown,
      ran,
      announcements,
      poller,
      choose,
      pass,
      start,
      goLive,
      end,
      messages,
    },
    sessionRequests,
  };
}

function aServedSession(id: string, parentId: string, endedAt: number, fields: object = {}) {
  const status = { record: true, recordingStatus: 'waiting' };
  return { id, parentId, createdAt: endedAt - HOUR, lastSeen: endedAt, ...status, ...fields };
}

describe('Notifications of streams', () => {
  it('tell of a stream that goes live, with Watch, and of its end', async () => {
    const { start, goLive, end, pass, shown, store } = compose();
    await start();
    goLive('a', { name: 'Keynote', playbackId: 'p1' });
    await pass(2 * MINUTE);
    end('a');
    await pass(2 * MINUTE);
    assert.deepEqual(fieldsOf(shown, 'message', 'actions'), [
      ['"Keynote" went live', ['Watch']],
      ['"Keynote" ended', []],
    ]);
    assert.equal(store.snapshot.trouble, undefined);
  });

  it('leave out that a stream went live whose player is in front', async () => {
    const { start, goLive, end, pass, front, state, messages } = compose();
    await start();
    const page = { connection: 'one', kind: 'stream', id: 'a' } as const;
    front.page = { ...page, isPlayer: true };
    goLive('a', { playbackId: 'p1' });
    goLive('b');
    await pass(2 * MINUTE);
    end('a');
    await pass(2 * MINUTE);
    assert.deepEqual(messages(), ['"name of b" went live', '"name of a" ended']);
    front.page = page;
    goLive('a');
    await pass(10 * MINUTE);
    assert.equal(messages().at(-1), '"name of a" went live', 'on a details page');
    end('a');
    await pass(30 * MINUTE);
    front.page = { ...page, isPlayer: true };
    state.isWatched = false;
    goLive('a');
    await pass(30 * MINUTE);
    assert.deepEqual(messages().slice(-2), ['"name of a" ended', '"name of a" went live'], 'without the focus');
  });

  it('say nothing of what the first answer of a connection brings, for each connection anew', async () => {
    const { start, goLive, pass, messages } = compose();
    goLive('a');
    await start();
    await pass(2 * MINUTE);
    await start('two');
    goLive('b');
    await pass(0);
    await start('three');
    await pass(2 * MINUTE);
    assert.deepEqual(messages(), []);
    goLive('c');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of c" went live']);
  });

  it('take the first answer for the baseline, whatever failed before', async () => {
    const { start, goLive, pass, messages, service } = compose();
    goLive('a');
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    await start();
    await pass(MINUTE);
    service.fault = undefined;
    await pass(5 * MINUTE);
    assert.deepEqual(messages(), []);
  });

  it('come at most once a minute, and say together what has gathered', async () => {
    const { start, goLive, pass, shown, messages } = compose();
    await start();
    goLive('a');
    await pass(30 * SECOND);
    for (const id of ['b', 'c', 'd']) {
      goLive(id);
      await pass(15 * SECOND);
    }
    await pass(3 * MINUTE);
    assert.deepEqual(messages(), ['"name of a" went live', '3 streams went live']);
    const [first, second] = shown;
    assert.ok(first && second && second.at - first.at >= MINUTE);
    goLive('e', { playbackId: 'p' });
    goLive('f', { playbackId: 'p' });
    await pass(MINUTE);
    assert.equal(messages().at(-1), '"name of f" and "name of e" went live');
    assert.deepEqual(shown.at(-1)?.actions, []);
  });

  it('say in one what went live and what ended in one look, though each that left is looked up by itself', async () => {
    const { start, goLive, end, pass, messages } = compose();
    for (const id of ['a', 'b', 'c']) goLive(id);
    await start();
    await pass(MINUTE);
    for (const id of ['a', 'b', 'c']) end(id);
    goLive('d');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of d" went live · 3 streams ended']);
  });

  it('name the connection where there are several', async () => {
    const { start, goLive, pass, messages, store } = compose();
    await start();
    store.setConnectionCount(2);
    goLive('a');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of a" went live (one)']);
  });

  it('tell only what was chosen, and nothing old when more is chosen', async () => {
    const { start, goLive, end, pass, messages, choose } = compose(['streamEnded']);
    await start();
    goLive('a');
    await pass(2 * MINUTE);
    assert.deepEqual(messages(), []);
    choose(ALL);
    await pass(2 * MINUTE);
    assert.deepEqual(messages(), []);
    end('a');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of a" ended']);
  });

  it('begin with the state at the moment when they are chosen', async () => {
    const { start, goLive, pass, messages, choose, log } = compose([]);
    await start();
    goLive('a');
    await pass(MINUTE);
    goLive('b');
    choose(['streamStarted']);
    await pass(5 * MINUTE);
    assert.deepEqual(messages(), []);
    goLive('c');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of c" went live']);
    assert.deepEqual(log.lines, []);
  });

  it('do not come when looking is turned off', async () => {
    const { start, goLive, pass, shown, service } = compose(ALL, { refreshInterval: 0 });
    await start();
    goLive('a');
    await pass(10 * MINUTE);
    assert.deepEqual([shown, service.requests], [[], []]);
  });

  it('come while nobody watches, within about a minute', async () => {
    const { start, goLive, pass, messages, state } = compose();
    state.isWatched = false;
    await start();
    goLive('a');
    await pass(MINUTE + 15 * SECOND);
    assert.deepEqual(messages(), ['"name of a" went live']);
  });

  it('are left to the window that had the focus last, and are not told later by another', async () => {
    const { start, goLive, pass, messages, state } = compose();
    await start();
    state.isLastFocused = false;
    goLive('a');
    await pass(2 * MINUTE);
    state.isLastFocused = true;
    await pass(5 * MINUTE);
    assert.deepEqual(messages(), []);
    goLive('b');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of b" went live']);
  });

  it('do not count a stale stream as live, nor its pause as an end until five minutes without data', async () => {
    const { start, goLive, clock, service, messages } = compose();
    service.add({ id: 'old', isActive: true, lastSeen: clock.now() - HOUR });
    goLive('a');
    await start();
    await clock.advance(4 * MINUTE);
    service.change('a', { lastSeen: clock.now() });
    await clock.advance(30 * SECOND);
    assert.deepEqual(messages(), []);
    await clock.advance(6 * MINUTE);
    assert.deepEqual(messages(), ['"name of a" ended']);
    service.change('old', { lastSeen: clock.now() });
    await clock.advance(30 * SECOND);
    assert.deepEqual(messages(), ['"name of a" ended', '"old" went live']);
  });

  it('tell less and less of a stream that comes and goes', async () => {
    const { start, goLive, end, pass, shown } = compose();
    await start();
    for (let n = 0; n < 120; n++) {
      if (n % 2 === 0) goLive('a');
      else end('a');
      await pass(30 * SECOND);
    }
    assert.ok(shown.length >= 2 && shown.length <= 6, `${shown.length} in an hour`);
  });

  it('say nothing of a stream that is back before its end was told', async () => {
    const { start, goLive, end, pass, messages } = compose();
    await start();
    goLive('a');
    await pass(30 * SECOND);
    end('a');
    await pass(15 * SECOND);
    goLive('a');
    await pass(5 * MINUTE);
    assert.deepEqual(messages(), ['"name of a" went live']);
  });

  it('tell of the end of a stream that was deleted', async () => {
    const { start, goLive, pass, messages, service } = compose();
    goLive('a');
    await start();
    service.streams.delete('a');
    await pass(MINUTE);
    assert.deepEqual(messages(), ['"name of a" ended']);
  });

  it('run what is pressed, with the connection the news came from', async () => {
    const { start, goLive, pass, state, ran } = compose();
    await start();
    state.press = 'Watch';
    goLive('a', { playbackId: 'p' });
    await pass(MINUTE);
    assert.deepEqual(ran, [{ kind: 'watch', streamId: 'a', connectionId: 'one' }]);
  });

  it('leave no timer and no listener behind', async () => {
    const { start, goLive, end, pass, announcements, poller, clock, messages } = compose();
    goLive('a', { record: true });
    await start();
    end('a');
    goLive('b');
    await pass(15 * SECOND);
    assert.equal(clock.timerCount, 3);
    announcements.dispose();
    poller.dispose();
    assert.equal(clock.timerCount, 0);
    await pass(2 * MINUTE);
    assert.deepEqual(messages(), []);
  });
});

describe('Notifications of recordings', () => {
  it('wait for the recording of a stream that ended with one request a minute, until the recording is ready', async () => {
    const { start, goLive, end, pass, shown, service, clock, sessionRequests, store, state, ran } = compose();
    goLive('a', { name: 'Keynote', record: true });
    await start();
    await pass(MINUTE);
    end('a');
    const before = aServedSession('before', 'a', clock.now() - 5 * HOUR, { recordingStatus: 'ready' });
    const recorded = aServedSession('s1', 'a', clock.now());
    service.sessions.set('a', [recorded, before]);
    await pass(5 * MINUTE);
    assert.equal(sessionRequests().length, 4);
    assert.match(sessionRequests()[0] ?? '', /^GET \/stream\/a\/sessions\?record=1/);
    service.sessions.set('a', [{ ...recorded, recordingStatus: 'ready' }, before]);
    state.press = 'Watch Recording';
    await pass(3 * HOUR);
    assert.deepEqual(fieldsOf(shown, 'message', 'actions'), [
      ['"Keynote" ended', []],
      ['The recording of "Keynote" is ready', ['Watch Recording']],
    ]);
    assert.equal(sessionRequests().length, 5);
    assert.deepEqual(ran, [{ kind: 'openRecording', streamId: 'a', sessionId: 's1', connectionId: 'one' }]);
    assert.equal(store.snapshot.sessions.size, 0, 'the tree hears nothing of it');
  });

  it('have the tree reload the sessions that it shows', async () => {
    const { start, goLive, end, pass, service, clock, store, loader } = compose();
    goLive('a', { record: true });
    await start();
    const recorded = aServedSession('s1', 'a', clock.now());
    service.sessions.set('a', [recorded]);
    await loader.ensureSessions('a');
    end('a');
    await pass(30 * SECOND);
    service.sessions.set('a', [{ ...recorded, recordingStatus: 'ready' }]);
    await pass(2 * MINUTE);
    assert.equal(store.snapshot.sessions.get('a')?.items[0]?.recordingStatus, 'ready');
  });

  it('do not look where nothing was recorded, or nobody wants to know', async () => {
    for (const [record, kinds] of [
      [false, ALL],
      [true, ['streamStarted', 'streamEnded']],
    ] as const) {
      const { start, goLive, end, pass, sessionRequests } = compose(kinds);
      goLive('a', { record });
      await start();
      end('a');
      await pass(10 * MINUTE);
      assert.deepEqual(sessionRequests(), []);
    }
  });

  it('say nothing of a recording that failed, and stop', async () => {
    const { start, goLive, end, pass, messages, service, clock, sessionRequests } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    service.sessions.set('a', [aServedSession('s1', 'a', clock.now(), { recordingStatus: 'failed' })]);
    await pass(30 * MINUTE);
    assert.deepEqual([messages(), sessionRequests().length], [[], 1]);
  });

  it('wait at most three hours, for at most twenty streams', async () => {
    const { start, goLive, end, pass, service, sessionRequests, clock } = compose(['recordingReady']);
    const ids = Array.from({ length: 25 }, (_, n) => `s${n}`);
    for (const id of ids) goLive(id, { record: true });
    await start();
    for (const id of ids) {
      end(id);
      service.sessions.set(id, [aServedSession(`of-${id}`, id, clock.now())]);
    }
    await pass(90 * SECOND);
    assert.equal(new Set(sessionRequests()).size, 20);
    await pass(3 * HOUR);
    const asked = sessionRequests().length;
    assert.ok(asked >= 20 * 175 && asked <= 20 * 180, `${asked} requests`);
    await pass(HOUR);
    assert.equal(sessionRequests().length, asked);
  });

  it('wait no longer once they are not chosen any more, and not again when they are', async () => {
    const { start, goLive, end, pass, choose, messages, service, clock, sessionRequests } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    service.sessions.set('a', [aServedSession('s1', 'a', clock.now())]);
    await pass(90 * SECOND);
    const asked = sessionRequests().length;
    assert.ok(asked > 0);
    choose(['streamStarted']);
    service.sessions.set('a', [aServedSession('s1', 'a', clock.now(), { recordingStatus: 'ready' })]);
    await pass(5 * MINUTE);
    choose(['recordingReady']);
    await pass(5 * MINUTE);
    assert.deepEqual([sessionRequests().length, messages()], [asked, []]);
  });

  it('wait three hours from the end of the last broadcast of a stream', async () => {
    const { start, goLive, end, pass, service, messages, clock } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    const first = aServedSession('s1', 'a', clock.now());
    service.sessions.set('a', [first]);
    await pass(2 * HOUR);
    goLive('a');
    await pass(MINUTE);
    end('a');
    const second = aServedSession('s2', 'a', clock.now(), { createdAt: clock.now() - MINUTE });
    service.sessions.set('a', [second, first]);
    await pass(2 * HOUR);
    assert.deepEqual(messages(), []);
    service.sessions.set('a', [{ ...second, recordingStatus: 'ready' }, first]);
    await pass(2 * MINUTE);
    assert.equal(messages().length, 1);
  });

  it('wait for the recordings of both broadcasts of a stream that came back', async () => {
    const { start, goLive, end, pass, messages, service, clock } = compose(['recordingReady']);
    goLive('a', { name: 'Keynote', record: true });
    await start();
    end('a');
    const first = aServedSession('s1', 'a', clock.now());
    service.sessions.set('a', [first]);
    await pass(30 * SECOND);
    goLive('a');
    const isReady = { recordingStatus: 'ready' };
    // A service that says only what is stated: the session that runs has an address already.
    const running = { id: 's2', parentId: 'a', record: true, createdAt: clock.now() };
    service.sessions.set('a', [
      { ...running, recordingUrl: 'https://x.test/index.m3u8' },
      { ...first, ...isReady },
    ]);
    await pass(3 * MINUTE);
    assert.equal(messages().length, 1);
    end('a');
    service.sessions.set('a', [
      { ...running, lastSeen: clock.now(), recordingStatus: 'ready' },
      { ...first, ...isReady },
    ]);
    await pass(3 * MINUTE);
    assert.deepEqual(messages(), Array(2).fill('The recording of "Keynote" is ready'));
  });

  it('tell of each recording once where the next broadcast is short and begins soon', async () => {
    const { start, goLive, end, pass, shown, service, clock } = compose(['recordingReady']);
    goLive('a', { name: 'Keynote', record: true });
    await start();
    await pass(MINUTE);
    end('a');
    const endedAt = clock.now();
    const isReady = { recordingStatus: 'ready' };
    const first = aServedSession('s1', 'a', endedAt, { ...isReady, createdAt: endedAt - MINUTE });
    service.sessions.set('a', [first]);
    await pass(30 * SECOND);
    goLive('a');
    await pass(MINUTE);
    assert.equal(shown.length, 1);
    end('a');
    // The second session is listed late.
    await pass(2 * MINUTE);
    const second = aServedSession('s2', 'a', endedAt + 90 * SECOND, { createdAt: endedAt + 30 * SECOND });
    service.sessions.set('a', [second, first]);
    await pass(3 * MINUTE);
    assert.equal(shown.length, 1);
    service.sessions.set('a', [{ ...second, ...isReady }, first]);
    await pass(5 * MINUTE);
    assert.equal(shown.length, 2);
  });

  it('do not take an older recording for the one that is waited for', async () => {
    const { start, goLive, end, pass, messages, service, clock, sessionRequests } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    service.sessions.set('a', [aServedSession('old', 'a', clock.now() - HOUR, { recordingStatus: 'ready' })]);
    await pass(5 * MINUTE);
    assert.deepEqual(messages(), []);
    assert.ok(sessionRequests().length >= 4);
  });

  it('are silent while sessions cannot be read, with one line in the log, and go on', async () => {
    const { start, goLive, end, pass, messages, service, clock, log, store } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    service.sessions.set('a', [aServedSession('s1', 'a', clock.now(), { recordingStatus: 'ready' })]);
    const failing = { status: 403, headers: {}, body: new Uint8Array() };
    service.fault = ({ url }) => (url.includes('/sessions') ? failing : undefined);
    await pass(10 * MINUTE);
    assert.deepEqual([messages(), log.lines.length, store.snapshot.trouble], [[], 1, undefined]);
    service.fault = undefined;
    await pass(2 * MINUTE);
    assert.equal(messages().length, 1);
  });

  it('end with the connection, and ask nothing while the service is down', async () => {
    const { start, goLive, end, pass, service, clock, sessionRequests, connection } = compose(['recordingReady']);
    goLive('a', { record: true });
    await start();
    end('a');
    service.sessions.set('a', [aServedSession('s1', 'a', clock.now())]);
    await pass(30 * SECOND);
    service.fault = () => ({ status: 503, headers: {}, body: new Uint8Array() });
    await pass(10 * MINUTE);
    assert.deepEqual(sessionRequests(), []);
    service.fault = undefined;
    connection.close();
    await pass(10 * MINUTE);
    assert.deepEqual(sessionRequests(), []);
  });
});

describe('Notifications of a clock that is set back by two hours', () => {
  it('are shown as if it were not, and again once it is right', async () => {
    const { start, goLive, pass, messages, clock } = compose();
    await start();
    goLive('a');
    await pass(2 * MINUTE);
    clock.jump(-2 * HOUR);
    goLive('b');
    await pass(2 * MINUTE);
    goLive('c');
    await pass(30 * SECOND);
    clock.jump(2 * HOUR);
    await pass(2 * MINUTE);
    assert.deepEqual(
      messages(),
      ['a', 'b', 'c'].map((id) => `"name of ${id}" went live`),
    );
  });

  it('wait no longer for a recording, nor tell less of a stream that comes and goes', async () => {
    const { start, goLive, end, pass, messages, service, clock, sessionRequests } = compose();
    goLive('a', { record: true });
    await start();
    end('a');
    await pass(2 * MINUTE);
    clock.jump(-2 * HOUR);
    goLive('a', { record: true });
    await pass(2 * MINUTE);
    assert.deepEqual(messages().length, 2);
    end('a');
    await pass(3 * HOUR + 5 * MINUTE);
    const asked = sessionRequests().length;
    assert.ok(asked > 0);
    await pass(10 * MINUTE);
    assert.equal(sessionRequests().length, asked, 'after three hours nobody waits any more');
    assert.deepEqual(service.streams.get('a')?.isActive, false);
  });
});
