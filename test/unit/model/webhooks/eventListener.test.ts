import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isLocalUrlError } from '../../../../src/model/webhooks/localUrl.ts';
import { checkSignature } from '../../../../src/model/webhooks/signature.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { aStream } from '../../../support/model/builders.ts';
import { startServer } from '../../../support/service/testServer.ts';
import { composeListener, startHandler, until } from './listenerFixture.ts';

const SECOND = 1000;

describe('Listening for events', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function compose(overrides: Parameters<typeof composeListener>[0] = {}) {
    const handler = await startHandler();
    const window = composeListener(overrides);
    closing.push(
      () => handler.close(),
      () => window.poller.dispose(),
      () => window.listener.dispose(),
    );
    const reasonOf = async (work: Promise<unknown>): Promise<string> => {
      const error: unknown = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(isLocalUrlError(error), String(error));
      return error.reason;
    };
    /** Moves the clock on while sockets go on. */
    const pass = async (seconds: number): Promise<void> => {
      for (let each = 0; each < seconds; each += 1) await window.clock.advance(SECOND);
    };
    const received = (count: number) => until(() => handler.received.length >= count, `${count} events`);
    return { ...window, handler, reasonOf, pass, received };
  }

  it('sends that a stream starts and stops, signed, with no view visible', async () => {
    const { service, connect, listener, handler, pass, received, secrets } = await compose();
    service.add({ id: 'one' });
    connect();
    await listener.start({ url: handler.url });
    service.change('one', { isActive: true, lastSeen: 1 });
    await pass(15);
    await received(1);
    service.change('one', { isActive: false });
    await pass(15);
    await received(2);
    assert.deepEqual(handler.events(), ['stream.started one', 'stream.idle one']);
    const [first, second] = handler.received;
    const header = String(first?.headers['livepeer-signature']);
    assert.equal(checkSignature(header, first?.body ?? '', await secrets.ofFolder()), 'valid');
    assert.notEqual(first?.json.id, second?.json.id);
    await until(() => listener.deliveries.length === 2, 'the deliveries');
    assert.equal(listener.deliveries, listener.deliveries, 'the same list until it changes');
    const [newest] = listener.deliveries;
    assert.deepEqual(
      [newest?.event, newest?.statusCode, newest?.isSuccess, newest?.streamId, newest?.attempt, newest?.signature],
      ['stream.idle', 200, true, 'one', 1, 'fresh'],
    );
    assert.equal(newest?.streamName, JSON.parse(second?.body ?? '').stream.name);
    assert.equal(newest?.request?.body, second?.body);
  });

  it('sends nothing of what was so when it began, of what first appears, or once it has stopped', async () => {
    const { service, connect, listener, handler, pass, loader } = await compose();
    service.add({ id: 'live', isActive: true, lastSeen: 1 }, { id: 'stopped', isActive: true, lastSeen: 1 });
    connect();
    await loader.refreshActive();
    // Unseen, because nobody looks.
    service.change('stopped', { isActive: false });
    service.add({ id: 'new', isActive: true, lastSeen: 1 });
    await listener.start({ url: handler.url });
    service.add(...Array.from({ length: 30 }, (_, n) => ({ id: `idle${n}` })));
    await loader.reloadList('idle');
    await pass(30);
    listener.stop();
    service.change('live', { isActive: false });
    await pass(30);
    assert.deepEqual(handler.events(), []);
    assert.equal(listener.listening, undefined);
  });

  it('begins anew with another connection', async () => {
    const { service, connect, listener, handler, pass, received } = await compose();
    service.add({ id: 'live', isActive: true, lastSeen: 1 });
    connect('one');
    await listener.start({ url: handler.url });
    service.add({ id: 'other', isActive: true, lastSeen: 1 });
    service.streams.delete('live');
    connect('two');
    await pass(30);
    assert.deepEqual(handler.events(), []);
    service.change('other', { isActive: false });
    await pass(15);
    await received(1);
    assert.deepEqual(handler.events(), ['stream.idle other']);
  });

  for (const isShown of [true, false]) {
    it(`goes on with another key of the same connection, ${isShown ? 'which shows all streams' : 'without a view'}`, async () => {
      const { service, connect, listener, handler, pass, received, loader, store } = await compose();
      service.add(
        { id: 'starts' },
        ...['goesOn', 'stops', 'deleted'].map((id) => ({ id, isActive: true, lastSeen: 1 })),
      );
      connect('one');
      if (isShown) await loader.reloadList('idle');
      await listener.start({ url: handler.url });
      service.fault = () => ({ status: 401, headers: {}, body: new Uint8Array() });
      await pass(30);
      assert.equal(store.snapshot.connection.kind, 'refused');
      service.change('starts', { isActive: true, lastSeen: 2 });
      service.change('stops', { isActive: false });
      service.streams.delete('deleted');
      service.fault = undefined;
      connect('one', 'another-key');
      assert.equal(store.snapshot.streams.size, 0);
      if (isShown) await loader.reloadList('idle');
      await pass(30);
      await received(2);
      await pass(60);
      assert.deepEqual(handler.events().sort(), ['stream.idle stops', 'stream.started starts']);
      service.change('goesOn', { isActive: false });
      await pass(15);
      await received(3);
      assert.deepEqual(handler.events().slice(2), ['stream.idle goesOn']);
    });
  }

  it('waits for a recording with another key of the same connection, too', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const session = { id: 'x', parentId: 'one', record: true, createdAt: clock.now(), lastSeen: clock.now() };
    service.add({ id: 'one', record: true, isActive: true, lastSeen: clock.now() });
    connect('one');
    await listener.start({ url: handler.url });
    service.change('one', { isActive: false });
    service.sessions.set('one', [{ ...session, recordingStatus: 'waiting' }]);
    await pass(60);
    await received(2);
    connect('one', 'another-key');
    service.sessions.set('one', [{ ...session, recordingStatus: 'ready' }]);
    await pass(60);
    await received(3);
    assert.deepEqual(handler.events(), ['stream.idle one', 'recording.waiting one', 'recording.ready one']);
  });

  it('sends that a stream stops that the first poll left out, although it was active', async () => {
    const { service, connect, listener, handler, pass, received, loader } = await compose();
    service.add({ id: 'one', isActive: true, lastSeen: 1 });
    connect();
    await loader.refreshActive();
    service.fault = ({ url }) => {
      const body = new TextEncoder().encode('[]');
      return url.includes('filters')
        ? { status: 200, headers: { 'content-type': 'application/json' }, body }
        : undefined;
    };
    await listener.start({ url: handler.url });
    service.fault = undefined;
    await pass(15);
    service.change('one', { isActive: false });
    await pass(15);
    await received(1);
    assert.deepEqual(handler.events(), ['stream.idle one']);
  });

  it('sends both events of a broadcast that ends and starts again between two polls, with their times', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const began = clock.now() - 60 * SECOND;
    const session = { id: 'x', parentId: 'one', createdAt: began, lastSeen: clock.now() };
    service.add({ id: 'one', isActive: true, lastSeen: clock.now() });
    service.sessions.set('one', [session]);
    connect();
    await listener.start({ url: handler.url });
    await pass(30);
    assert.deepEqual(handler.events(), []);
    const [endedAt, startedAt] = [clock.now() + 6 * SECOND, clock.now() + 10 * SECOND];
    await pass(12);
    service.change('one', { lastSeen: clock.now() });
    await pass(15);
    // The service leaves out a session that began some seconds ago.
    service.sessions.set('one', [
      { ...session, id: 'y', createdAt: startedAt, lastSeen: clock.now() },
      { ...session, lastSeen: endedAt },
    ]);
    await pass(20);
    await received(2);
    await pass(60);
    assert.deepEqual(handler.events(), ['stream.idle one', 'stream.started one']);
    const [idle, started] = handler.received.map(({ body }) => JSON.parse(body));
    assert.deepEqual([idle.createdAt, started.createdAt], [endedAt, startedAt]);
    assert.deepEqual([idle.stream.isActive, started.stream.isActive], [false, true]);
    const again = clock.now();
    service.sessions.set('one', [
      { ...session, id: 'z', createdAt: again, lastSeen: again },
      { ...session, id: 'y', createdAt: startedAt, lastSeen: undefined },
    ]);
    await pass(20);
    await received(4);
    assert.deepEqual(
      handler.received.slice(2).map(({ json }) => [json.event, json.createdAt]),
      [
        ['stream.idle', again],
        ['stream.started', again],
      ],
      'a service need not say when a session was seen last',
    );
  });

  it('takes no session for another broadcast that began with the stream, or before anybody listened', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const sessionAt = (id: string, createdAt: number) => ({ id, parentId: 'one', createdAt, lastSeen: createdAt });
    service.add({ id: 'one' });
    service.sessions.set('one', [sessionAt('old', clock.now() - 60 * SECOND)]);
    connect();
    await listener.start({ url: handler.url });
    service.change('one', { isActive: true, lastSeen: clock.now() - 60 * SECOND });
    await pass(15);
    await received(1);
    service.sessions.set('one', [sessionAt('new', clock.now() + SECOND), ...(service.sessions.get('one') ?? [])]);
    await pass(60);
    assert.deepEqual(handler.events(), ['stream.started one']);
  });

  it('sends the recording, too, of a broadcast that ended and began again between two polls', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const session = { id: 'x', parentId: 'one', record: true, createdAt: clock.now(), lastSeen: clock.now() };
    service.add({ id: 'one', record: true, isActive: true, lastSeen: clock.now() });
    connect();
    await listener.start({ url: handler.url });
    await pass(20);
    const next = { ...session, id: 'y', createdAt: clock.now(), lastSeen: clock.now() };
    service.change('one', { lastSeen: clock.now() });
    service.sessions.set('one', [next, { ...session, lastSeen: clock.now(), recordingStatus: 'waiting' }]);
    await pass(60);
    await received(3);
    service.sessions.set('one', [next, { ...session, lastSeen: clock.now(), recordingStatus: 'ready' }]);
    await pass(60);
    await received(4);
    assert.deepEqual(handler.events(), [
      ...['stream.idle one', 'stream.started one', 'recording.waiting one', 'recording.ready one'],
    ]);
  });

  it('reads one list of sessions for each live stream in a poll, 20 at most, and only of what is listened to', async () => {
    const { service, connect, listener, handler, pass, become } = await compose();
    service.add(...Array.from({ length: 30 }, (_, n) => ({ id: `s${n}`, isActive: true, lastSeen: 1 })));
    connect();
    const reads = async (): Promise<readonly string[]> => {
      const before = service.requests.length;
      await pass(15);
      return service.requests.slice(before).filter((request) => request.includes('/sessions'));
    };
    await listener.start({ url: handler.url });
    const rounds = [await reads(), await reads()];
    assert.deepEqual(
      rounds.map(({ length }) => length),
      [20, 20],
    );
    assert.equal(new Set(rounds.flat()).size, 30, 'each in its turn');
    await listener.start({ url: handler.url, streamId: 's3' });
    assert.equal((await reads()).length, 1);
    become({ refreshInterval: 5 });
    assert.equal((await reads()).length, 1, 'not in each of three polls');
    await listener.start({ url: handler.url, events: ['asset.ready'] });
    assert.deepEqual(await reads(), []);
    listener.stop();
    assert.deepEqual(await reads(), []);
  });

  it('sends 400 events in their order, each once', async () => {
    const { service, connect, listener, handler, pass, received } = await compose();
    const ids = Array.from({ length: 200 }, (_, n) => `s${n}`);
    connect();
    await listener.start({ url: handler.url });
    service.add(...ids.map((id) => ({ id, isActive: true, lastSeen: 1 })));
    await pass(15);
    for (const id of ids) service.change(id, { isActive: false });
    await pass(15);
    await received(400);
    await pass(15);
    const events = handler.events();
    assert.equal(events.length, 400);
    assert.equal(new Set(events).size, 400);
    assert.ok(events.slice(0, 200).every((event) => event.startsWith('stream.started')));
    assert.equal(new Set(handler.received.map(({ json }) => json.id)).size, 400);
    const sent = [...listener.deliveries].reverse().map(({ event, streamId }) => `${event} ${streamId}`);
    assert.deepEqual(events.slice(-200), sent, 'the newest 200 are kept');
  });

  it('sends the recording of a broadcast that ended once it waits, and once it is ready', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const session = { id: 'x', parentId: 'one', record: true, createdAt: clock.now(), lastSeen: clock.now() };
    service.add({ id: 'one', record: true, isActive: true, lastSeen: clock.now() });
    service.sessions.set('one', [{ ...session, id: 'old', createdAt: 1, lastSeen: 2, recordingStatus: 'ready' }]);
    connect();
    await listener.start({ url: handler.url });
    service.change('one', { isActive: false });
    service.sessions.set('one', [{ ...session, recordingStatus: 'waiting' }, ...(service.sessions.get('one') ?? [])]);
    await pass(60);
    await received(2);
    service.sessions.set('one', [{ ...session, recordingStatus: 'ready' }]);
    await pass(120);
    await received(3);
    await pass(60);
    assert.deepEqual(handler.events(), ['stream.idle one', 'recording.waiting one', 'recording.ready one']);
    assert.match(handler.received[2]?.body ?? '', /"payload":\{.*"session":\{.*"recordingStatus":"ready"/);
  });

  it('does not take the next broadcast of a stream for one whose recording waits', async () => {
    const { service, connect, listener, handler, pass, received, clock } = await compose();
    const first = { id: 'x', parentId: 'one', record: true, createdAt: clock.now(), recordingStatus: 'waiting' };
    service.add({ id: 'one', record: true, isActive: true, lastSeen: clock.now() });
    connect();
    await listener.start({ url: handler.url });
    service.change('one', { isActive: false });
    service.sessions.set('one', [{ ...first, lastSeen: clock.now() }]);
    await pass(60);
    await received(2);
    service.change('one', { isActive: true, lastSeen: clock.now() });
    await pass(20);
    await received(3);
    const next = { ...first, id: 'y', createdAt: clock.now(), lastSeen: clock.now() };
    service.sessions.set('one', [next, { ...first, lastSeen: clock.now() - 60 * SECOND }]);
    await pass(60);
    assert.deepEqual(handler.events(), ['stream.idle one', 'recording.waiting one', 'stream.started one']);
  });

  it('sends that a recording is ready that was waited for when it began, not one that was ready', async () => {
    const { service, connect, listener, handler, pass, received, loader, clock } = await compose();
    const session = { record: true, createdAt: 1, lastSeen: 2, recordingStatus: 'waiting' };
    service.add({ id: 'one', record: true }, { id: 'two', record: true });
    service.sessions.set('one', [{ ...session, id: 'x', parentId: 'one' }]);
    service.sessions.set('two', [{ ...session, id: 'y', parentId: 'two' }]);
    connect();
    await loader.reloadList('idle');
    await loader.ensureSessions('one');
    await loader.ensureSessions('two');
    service.sessions.set('two', [{ ...session, id: 'y', parentId: 'two', recordingStatus: 'ready' }]);
    await listener.start({ url: handler.url });
    await loader.reloadSessions('two');
    service.sessions.set('one', [{ ...session, id: 'x', parentId: 'one', recordingStatus: 'ready' }]);
    await pass(31);
    await received(1);
    await loader.reloadSessions('one');
    await clock.advance(0);
    assert.deepEqual(handler.events(), ['recording.ready one']);
  });

  it('sends only the chosen events, and those of the chosen stream', async () => {
    const { service, connect, listener, handler, pass, received } = await compose();
    service.add({ id: 'one' }, { id: 'two' });
    connect();
    await listener.start({ url: handler.url, events: ['stream.idle'], streamId: 'two' });
    for (const isActive of [true, false]) {
      service.change('one', { isActive, lastSeen: 1 });
      service.change('two', { isActive, lastSeen: 1 });
      await pass(15);
    }
    await received(1);
    assert.deepEqual(handler.events(), ['stream.idle two']);
  });

  it('retries after 5xx with growing pauses and the same event, and not after other failures', async () => {
    const { service, connect, listener, handler, pass, received } = await compose();
    service.add({ id: 'one' });
    connect();
    await listener.start({ url: handler.url });
    handler.state.status = 500;
    service.change('one', { isActive: true, lastSeen: 1 });
    await pass(15);
    for (let attempt = 1, wait = 5; attempt < 6; attempt++, wait *= 2) {
      await until(() => listener.deliveries.length === attempt, `attempt ${attempt}`);
      await pass(wait - 1);
      assert.equal(listener.deliveries.length, attempt);
      await pass(1);
      await received(attempt + 1);
    }
    await until(() => listener.deliveries.length === 6, 'the last attempt');
    await pass(600);
    assert.equal(handler.received.length, 6);
    assert.equal(new Set(handler.received.map(({ json }) => json.id)).size, 1);
    assert.equal(new Set(handler.received.map(({ json }) => json.timestamp)).size, 6);
    assert.deepEqual(fieldsOf(listener.deliveries, 'attempt'), [6, 5, 4, 3, 2, 1]);
    assert.deepEqual(new Set(fieldsOf(listener.deliveries, 'eventId')), new Set([handler.received[0]?.json.id]));
    handler.state.status = 404;
    service.change('one', { isActive: false });
    await pass(60);
    await received(7);
    await pass(60);
    assert.equal(handler.received.length, 7);
    assert.deepEqual([listener.deliveries[0]?.failure, listener.deliveries[0]?.isSuccess], ['status', false]);
  });

  it('does not let an event wait for a handler that hangs', async () => {
    const { service, connect, listener, handler, clock, pass, received } = await compose();
    service.add({ id: 'one' }, { id: 'two' });
    connect();
    await listener.start({ url: handler.url });
    handler.state.hangs = true;
    service.change('one', { isActive: true, lastSeen: 1 });
    service.change('two', { isActive: true, lastSeen: 1 });
    await pass(15);
    await received(1);
    await clock.advance(250);
    await received(2);
    await pass(30);
    await until(() => listener.deliveries.length >= 2, 'the time-outs');
    assert.deepEqual(new Set(listener.deliveries.map(({ failure }) => failure)), new Set(['timedOut']));
  });

  it('drops retries when it stops', async () => {
    const { service, connect, listener, handler, pass, received } = await compose();
    service.add({ id: 'one' });
    connect();
    await listener.start({ url: handler.url });
    handler.state.status = 503;
    service.change('one', { isActive: true, lastSeen: 1 });
    await pass(15);
    await received(1);
    await until(() => listener.deliveries.length === 1, 'the failure');
    listener.stop();
    await pass(120);
    assert.equal(handler.received.length, 1);
  });

  it('signs with the secret of the chosen webhook, also once it is given later', async () => {
    const { service, connect, listener, handler, pass, received, secrets } = await compose();
    service.add({ id: 'one' });
    connect();
    await listener.start({ url: handler.url, webhookId: 'w' });
    await secrets.set('one', 'w', 'secret-of-w');
    await pass(1);
    service.change('one', { isActive: true, lastSeen: 1 });
    await pass(15);
    await received(1);
    const [{ headers, body } = assert.fail()] = handler.received;
    assert.equal(checkSignature(String(headers['livepeer-signature']), body, 'secret-of-w'), 'valid');
    assert.equal(JSON.parse(body).webhookId, 'w');
  });

  it('refuses what is not of this computer, and goes on listening where it did', async () => {
    const { connect, listener, handler, reasonOf } = await compose();
    connect();
    await listener.start({ url: handler.url });
    assert.equal(await reasonOf(listener.start({ url: 'https://example.com/' })), 'notLoopback');
    assert.equal(await reasonOf(listener.start({ url: 'http://localhost:65536/' })), 'port');
    assert.equal(await reasonOf(listener.send({ event: 'stream.started', url: 'http://10.0.0.1/' })), 'notLoopback');
    assert.equal(listener.listening?.url, handler.url);
    assert.equal(listener.lastUrl, handler.url);
    const lookup = async () => [{ address: '10.0.0.1', family: 4 }];
    const elsewhere = await compose({ lookup });
    assert.equal(await reasonOf(elsewhere.listener.start({ url: 'localhost:1' })), 'resolvesElsewhere');
    assert.equal(await reasonOf(elsewhere.listener.send({ event: 'stream.started' })), 'noUrl');
  });

  it('keeps where it listened last, wherever something was sent since', async () => {
    const { connect, listener, handler } = await compose();
    connect();
    const elsewhere = `${handler.url}/elsewhere`;
    await listener.send({ event: 'stream.idle', url: elsewhere });
    assert.equal(listener.lastUrl, elsewhere, 'it never listened');
    await listener.start({ url: handler.url });
    await listener.send({ event: 'stream.idle', url: elsewhere });
    listener.stop();
    await listener.replay(listener.deliveries[0] ?? assert.fail(), elsewhere);
    assert.equal(listener.lastUrl, handler.url);
    await listener.replay(listener.deliveries[0] ?? assert.fail(), elsewhere, true);
    assert.equal(listener.lastUrl, elsewhere, 'the user chose it');
  });

  it('says that another window listens at the URL, and goes on if that is wanted', async () => {
    const held = new Set<string>();
    const takeLock = async (url: string) => {
      if (held.has(url)) return undefined;
      held.add(url);
      return { release: async () => void held.delete(url) };
    };
    const [one, two] = [await compose({ takeLock }), await compose({ takeLock })];
    await one.listener.start({ url: one.handler.url });
    assert.equal(await one.reasonOf(two.listener.start({ url: one.handler.url })), 'inUse');
    assert.equal(two.listener.listening, undefined);
    await one.listener.start({ url: one.handler.url, events: [] });
    assert.deepEqual(one.listener.listening?.events, [], 'the same window may change what is sent');
    await two.listener.start({ url: one.handler.url, isShared: true });
    one.listener.stop();
    two.listener.stop();
    await two.listener.start({ url: one.handler.url });
    two.listener.dispose();
    assert.deepEqual([...held], []);
  });

  it('listens without a lock if the system refuses one, and says so in the log', async () => {
    const { listener, handler, log } = await compose({ takeLock: () => Promise.reject(new Error('EACCES')) });
    await listener.start({ url: handler.url });
    assert.equal(listener.listening?.url, handler.url);
    assert.match(log.lines.join('\n'), /other windows/);
  });

  it('begins although the service does not respond', async () => {
    const { service, connect, listener, handler, clock } = await compose();
    service.isHolding = true;
    connect();
    const started = listener.start({ url: handler.url });
    await until(() => listener.listening !== undefined, 'the listener');
    await clock.advance(5000);
    await started;
  });

  it('is stopped while it starts', async () => {
    const { listener, handler, clock } = await compose();
    const started = listener.start({ url: handler.url });
    listener.stop();
    await started;
    assert.equal(listener.listening, undefined);
    assert.equal(clock.timerCount, 0);
  });

  it('knows that nothing listens at the URL, until something does, and again when a delivery is refused', async () => {
    const { listener, handler, clock } = await compose();
    const isUnanswered = () => listener.listening?.isUnanswered;
    await handler.close();
    await listener.start({ url: handler.url });
    assert.equal(isUnanswered(), true);
    const server = createServer((_request, response) => response.end());
    server.listen(Number(new URL(handler.url).port), '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    await clock.advance(3 * SECOND);
    await until(() => isUnanswered() === false, 'the handler');
    assert.equal(clock.timerCount, 1, 'where something listens and nobody looks, nothing is checked: one timer polls');
    server.close();
    await once(server, 'close');
    await listener.send({ event: 'stream.idle', url: handler.url });
    assert.equal(isUnanswered(), true);
    listener.stop();
  });

  it('finds out that a handler has stopped and runs again, while somebody looks, without a request to it', async () => {
    const { listener, handler, clock, become } = await compose();
    const isUnanswered = () => listener.listening?.isUnanswered;
    let connections = 0;
    await listener.start({ url: handler.url });
    assert.notEqual(isUnanswered(), true);
    await handler.close();
    await clock.advance(60 * SECOND);
    assert.notEqual(isUnanswered(), true, 'nobody looks');
    become({ isFocused: true });
    await clock.advance(0);
    await until(() => isUnanswered() === true, 'that nothing listens');
    const server = createServer((_request, response) => response.end()).on('connection', () => connections++);
    server.listen(Number(new URL(handler.url).port), '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    await clock.advance(3 * SECOND);
    await until(() => isUnanswered() === false, 'the handler');
    await clock.advance(14 * SECOND);
    assert.equal(connections, 1);
    server.close();
    await once(server, 'close');
    await clock.advance(1 * SECOND);
    await until(() => isUnanswered() === true, 'that it has stopped');
    assert.deepEqual([handler.received, listener.deliveries], [[], []]);
    listener.stop();
  });

  it('lists what was sent while the open connection was open', async () => {
    const { connect, listener, handler } = await compose();
    connect('one');
    await listener.send({ event: 'stream.idle', url: handler.url });
    assert.deepEqual(fieldsOf(listener.deliveries, 'event'), ['stream.idle']);
    connect('two');
    assert.deepEqual(listener.deliveries, []);
    await listener.send({ event: 'stream.started', url: handler.url });
    assert.deepEqual(fieldsOf(listener.deliveries, 'event'), ['stream.started']);
    connect('one');
    assert.deepEqual(fieldsOf(listener.deliveries, 'event'), ['stream.idle']);
  });

  it('leaves no timer behind', async () => {
    const { service, connect, listener, handler, clock, poller, pass, received } = await compose();
    service.add({ id: 'one', record: true });
    connect();
    await listener.start({ url: handler.url });
    service.change('one', { isActive: true, lastSeen: 1 });
    await pass(15);
    service.change('one', { isActive: false });
    await pass(15);
    await received(2);
    await until(() => listener.deliveries.length === 2, 'the deliveries');
    listener.dispose();
    poller.dispose();
    assert.equal(clock.timerCount, 0);
  });

  it('sends test events and edited bodies without listening', async () => {
    const { listener, handler, secrets } = await compose();
    const stream = aStream({ id: 'one', streamKey: 'abcd-efgh-ijkl-mnop' });
    const sent = await listener.send({ event: 'stream.started', url: handler.url, subject: { stream } });
    assert.deepEqual([sent.isSuccess, sent.statusCode, sent.webhookId, sent.streamId], [true, 200, '', 'one']);
    const edited = listener.makeBody('asset.ready').replace('waiting', 'ready');
    await listener.send({ event: 'asset.ready', body: edited });
    assert.equal(handler.received[1]?.body, edited);
    for (const { headers, body } of handler.received) {
      assert.equal(checkSignature(String(headers['livepeer-signature']), body, await secrets.ofFolder()), 'valid');
    }
    assert.doesNotMatch(JSON.stringify(handler.received), /abcd-efgh/);
  });

  it('keeps no secret of the account that a handler repeats', async () => {
    const { listener, handler } = await compose({ clean: (text) => text.replaceAll('seen', '•••') });
    const { response } = await listener.send({ event: 'stream.idle', url: handler.url });
    assert.equal(response?.body, '•••');
    assert.equal(listener.deliveries[0]?.response?.body, '•••');
  });

  it('keeps no part of a secret either, where the body of a response is cut', async () => {
    const key = 'plnt-0024-abcd-efgh';
    for (const length of [1000, 1015, 1023, 4080, 4090, 9000]) {
      const handler = await startServer((_, response) => response.end(`${'.'.repeat(length - 1)} ${key}.`.repeat(3)));
      const { listener } = await compose({ clean: (text) => text.replaceAll(key, '•••') });
      const { response } = await listener.send({ event: 'stream.idle', url: `${handler.url}/` });
      await handler.close();
      assert.doesNotMatch(response?.body ?? 'none', /plnt|none/, `${length}`);
    }
  });

  it('makes a delivery of every failure, in words', async () => {
    const { listener, handler } = await compose();
    await handler.close();
    const { failure, error, isSuccess, response } = await listener.send({ event: 'stream.idle', url: handler.url });
    assert.deepEqual([failure, isSuccess, response], ['refused', false, undefined]);
    assert.match(error ?? '', /^Nothing is listening at 127\.0\.0\.1:\d+\./);
  });

  it('signs as the webhook that delivers to the same handler, if its secret is known', async () => {
    const { connect, listener, handler, secrets } = await compose({ findWebhookAt: () => 'w' });
    connect();
    await listener.send({ event: 'stream.idle', url: handler.url });
    await secrets.set('one', 'w', 'secret-of-w');
    await listener.send({ event: 'stream.idle', url: handler.url });
    await listener.send({ event: 'stream.idle', url: handler.url, webhookId: 'of-another' });
    const folder = await secrets.ofFolder();
    const [first, second, third] = handler.received.map(({ headers, body }) => {
      return (secret: string) => checkSignature(String(headers['livepeer-signature']), body, secret);
    });
    assert.deepEqual([first?.(folder), second?.('secret-of-w'), third?.(folder)], ['valid', 'valid', 'valid']);
    assert.deepEqual(await listener.readSigner(), { webhookId: 'w', secret: 'secret-of-w' });
    assert.deepEqual(fieldsOf(listener.deliveries, 'webhookId', 'signedBy'), [
      ['of-another', ''],
      ['w', 'w'],
      ['', ''],
    ]);
    await listener.start({ url: handler.url });
    await listener.send({ event: 'stream.idle', url: handler.url });
    const { headers, body } = handler.received.at(-1) ?? assert.fail();
    assert.equal(checkSignature(String(headers['livepeer-signature']), body, 'secret-of-w'), 'valid', 'also there');
  });

  it('replays a recorded request byte for byte, freshly signed if the secret is known', async () => {
    const { connect, listener, handler, secrets, memory, reasonOf } = await compose();
    connect();
    const body = '{"id":"e", "event":"stream.idle","x":"Küche"}';
    const recorded = `t=1,v1=${'a'.repeat(64)}`;
    const headers = { 'content-type': 'application/json', 'livepeer-signature': recorded, 'x-own': 'kept' };
    const request = { url: 'https://example.com/', method: 'POST', headers, body };
    const rest = {
      duration: 1,
      isSuccess: false,
      statusCode: 500,
      streamId: 'one',
      streamName: undefined,
      response: undefined,
      error: undefined,
    };
    const delivery = { id: 'd', webhookId: 'w', event: 'stream.idle', createdAt: 1, request, ...rest };
    assert.equal((await listener.replay(delivery, handler.url)).signature, 'recorded');
    assert.equal(memory.has('webhookFolder'), false, 'no secret is made for that');
    await secrets.set('one', 'w', 'secret-of-w');
    assert.equal((await listener.replay(delivery)).signature, 'fresh');
    const [first, second] = handler.received;
    assert.deepEqual([first?.body, second?.body], [body, body]);
    assert.deepEqual([first?.headers['livepeer-signature'], first?.headers['x-own']], [recorded, 'kept']);
    assert.equal(checkSignature(String(second?.headers['livepeer-signature']), body, 'secret-of-w'), 'valid');
    assert.equal(await reasonOf(listener.replay({ ...delivery, request: undefined })), 'noRequest');
    const [own = assert.fail()] = listener.deliveries;
    assert.deepEqual([own.replayOf, own.isOfLog], ['d', true]);
    assert.equal(
      (await listener.replay({ ...own, webhookId: '' })).signature,
      'fresh',
      'with the secret of the folder',
    );
    const test = await listener.send({ event: 'stream.idle', url: handler.url, webhookId: 'w' });
    const replays = [await listener.replay(test), await listener.replay(own)];
    assert.deepEqual(fieldsOf([test, ...replays], 'isOfLog'), [undefined, false, true]);
  });

  it('keeps at most 4 MB of bodies', async () => {
    const { listener, handler } = await compose();
    const body = JSON.stringify({ event: 'a', text: 'x'.repeat(1024 * 1024) });
    for (let n = 0; n < 6; n++) await listener.send({ event: 'a', url: handler.url, body });
    assert.equal(listener.deliveries.length, 3);
  });
});
