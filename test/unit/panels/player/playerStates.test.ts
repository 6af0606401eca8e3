import assert from 'node:assert/strict';
import jwt from 'jsonwebtoken';
import { changesOf } from '../../../../src/model/account/accountChanges.ts';
import { signingKeysOf } from '../../../../src/model/account/accountSigningKeys.ts';
import { DEMO_ID } from '../../../../src/model/connection/connection.ts';
import type { PlayerPart } from '../../../../src/panels/player/playerPart.ts';
import { streamHeading } from '../../../../src/panels/player/playerSubject.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { runningDemo } from '../../../support/model/fakes.ts';
import { settle } from '../../../support/model/heldClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { PLAYLIST, type PlayerFixture, withPlayer } from './playerFixture.ts';

/** fakeSettings: how often is looked for what is waited for. */
const INTERVAL = 15_000;
const READY = { record: true, recordingStatus: 'ready', recordingUrl: 'https://media.example/a.m3u8' } as const;

describe('A player that is denied the video', () => {
  const problemOf = async (fixture: PlayerFixture, id: string, status = 403) => {
    fixture.media(status);
    await fixture.open('stream', id);
    return fixture.page().problem;
  };
  const forToken = {
    kind: 'said',
    sentence: 'Only viewers with a token can watch this stream.',
    detail: 'With a signing key, Live Streams can sign tokens for you. The private key stays on this computer.',
    actions: ['createSigningKey', 'useSigningKey', 'showDetails', 'retry'],
  };
  const forWebhook = {
    kind: 'said',
    sentence: 'A webhook decides who can watch "Members", so a signed token has no effect.',
    actions: ['showDetails', 'retry'],
  };

  for (const [type, status] of [
    ['jwt', 403],
    ['jwt', 401],
    ['webhook', 403],
  ] as const) {
    it(
      `says who can watch a stream whose policy is ${type} (${status})`,
      withPlayer(async (fixture) => {
        const { control } = fixture.service;
        const { id } = control.addStream({ name: 'Members', isActive: true, playbackPolicy: { type } });
        control.setStream(id, { issues: ['The video is HEVC'] });
        assert.deepEqual(await problemOf(fixture, id, status), type === 'jwt' ? forToken : forWebhook);
        assert.ok(!fixture.requests().some((line) => /\/playback\/[^?]+$/.test(line)), 'the stream says it');
      }),
    );
  }

  it(
    'says so when a segment is denied later',
    withPlayer(async (fixture) => {
      const { service, open, page, serial, untilProblem } = fixture;
      const { id } = service.control.addStream({ isActive: true, playbackPolicy: { type: 'jwt' } });
      const part = await open('stream', id);
      const problem = { kind: 'segmentStatus', status: 403, host: 'x' } as const;
      await part.receive({ kind: 'failed', problem, serial: serial() });
      await untilProblem('said');
      assert.deepEqual(page().problem, forToken);
    }),
  );

  it(
    'asks the playback info for the policy if the stream has no policy',
    withPlayer(async (fixture) => {
      const { control } = fixture.service;
      const { id, playbackId } = control.addStream({ isActive: true });
      const meta = { live: 1, source: [], playbackPolicy: { type: 'jwt', webhookContext: { key: 'abcd-efgh' } } };
      control.fault(({ path }) =>
        path.endsWith(`/playback/${playbackId}`) ? { status: 200, body: JSON.stringify({ meta }) } : undefined,
      );
      assert.deepEqual(await problemOf(fixture, id), forToken);
      assert.ok(!fixture.readable().includes('abcd-efgh'));
    }),
  );

  for (const [what, status] of [
    ['does not have it', 404],
    ['fails', 403],
  ] as const) {
    it(
      `goes on saying what the server said where the playback info ${what}`,
      withPlayer(async (fixture) => {
        const { control } = fixture.service;
        const { id } = control.addStream({ isActive: true });
        control.fault(({ path }) => (path.includes('/playback/') ? { status, body: '{}' } : undefined));
        assert.equal((await problemOf(fixture, id))?.kind, 'status');
      }),
    );
  }

  it(
    'blames no policy of a stream that everybody can watch',
    withPlayer(async (fixture) => {
      const { id } = fixture.service.control.addStream({ isActive: true, playbackPolicy: { type: 'public' } });
      assert.equal((await problemOf(fixture, id))?.kind, 'status');
    }),
  );

  it(
    'says that a recording is denied',
    withPlayer(async ({ service, media, open, page }) => {
      const { id } = service.control.addStream({ name: 'Members' });
      const session = service.control.addSession(id, READY);
      const meta = { live: 0, source: [], playbackPolicy: { type: 'jwt' } };
      service.control.fault(({ path }) =>
        path.endsWith(`/playback/${session.playbackId}`) ? { status: 200, body: JSON.stringify({ meta }) } : undefined,
      );
      media(403);
      await open('session', session.id);
      const { problem } = page();
      assert.ok(problem?.kind === 'said', JSON.stringify(problem));
      assert.equal(problem.sentence, 'Only viewers with a token can watch this recording.');
    }),
  );
});

describe('A player of a private stream', () => {
  const HOUR_MS = 3_600_000;

  async function makePrivate({ service, context, access }: PlayerFixture) {
    const { id, playbackId = '' } = service.control.addStream({ isActive: true, playbackPolicy: { type: 'jwt' } });
    const { key, privateKey } = await signingKeysOf(context.connection.account).create('Site');
    const connection = context.connection.info?.id ?? '';
    await access.keep(connection, { ...key, privateKey: atob(privateKey) });
    return { id, playbackId, key, connection };
  }

  const tokenIn = (url = '') => new URL(url).searchParams.get('jwt') ?? '';

  it(
    'plays it with a token of an hour, which neither the page nor the log gets to know',
    withPlayer(async (fixture) => {
      const { open, page, asked, context, log, told, service } = fixture;
      const { id, playbackId, key } = await makePrivate(fixture);
      await open('stream', id);
      assert.equal(page().problem, undefined);
      assert.equal(
        page().heading.note,
        'Private: your signing key is used to play the stream here. Others need a token.',
      );
      assert.ok(!page().heading.facts.includes('private'), 'the note says it');
      assert.deepEqual(page().offers.slice(0, 2), ['copyWithToken', 'openInBrowser']);
      const token = tokenIn(asked.at(-1));
      // The service's clock is years behind the one here.
      const claims = jwt.verify(token, atob(key.publicKey), { ignoreExpiration: true }) as jwt.JwtPayload;
      assert.ok(Math.abs(Number(claims.iat) * 1000 - context.clock.now()) > HOUR_MS);
      const url = (service.addresses.hls ?? '').replace('{playbackId}', playbackId);
      assert.deepEqual([(await fetch(url)).status, (await fetch(`${url}?jwt=${token}`)).status], [403, 200]);
      assert.deepEqual([claims.sub, Number(claims.exp) - Number(claims.iat)], [playbackId, 3600]);
      const readable = JSON.stringify([page(), told, log.lines, context.store.snapshot.streams.get(id)]);
      assert.ok(!readable.includes(token) && !readable.includes('eyJ'));
    }),
  );

  it(
    'goes on with a new token once the one it has is over',
    withPlayer(async (fixture) => {
      const { open, page, serial, clock, asked, media, untilProblem } = fixture;
      const { id } = await makePrivate(fixture);
      const part = await open('stream', id);
      const first = tokenIn(asked.at(-1));
      await clock.advance(HOUR_MS);
      media(403);
      await part.receive({ kind: 'failed', problem: { kind: 'status', status: 403, host: 'x' }, serial: serial() });
      await untilProblem('opening');
      media(200, PLAYLIST);
      await clock.advance(2000);
      await untilProblem(undefined);
      assert.ok(page().source?.isLive);
      assert.ok(tokenIn(asked.at(-1)) !== '' && tokenIn(asked.at(-1)) !== first);
    }),
  );

  it(
    'says that the token was not accepted',
    withPlayer(async (fixture) => {
      const { id } = await makePrivate(fixture);
      fixture.media(403);
      await fixture.open('stream', id);
      const { problem } = fixture.page();
      assert.ok(problem?.kind === 'said');
      assert.match(problem.sentence, /token for this stream wasn't accepted/);
    }),
  );

  it(
    'plays once the user has given it a signing key, which it offers unless the service has none',
    withPlayer(async (fixture) => {
      const { open, page, media, acted, context, service } = fixture;
      const { id } = service.control.addStream({ isActive: true, playbackPolicy: { type: 'jwt' } });
      media(403);
      const part = await open('stream', id);
      const offered = () => {
        const { problem } = page();
        return problem?.kind === 'said' && problem.actions.includes('createSigningKey');
      };
      assert.ok(offered());
      assert.equal(page().heading.facts[0], 'private');
      media(200, PLAYLIST);
      await part.receive({ kind: 'act', action: 'createSigningKey' });
      assert.deepEqual([acted, page().problem], [['createSigningKey'], undefined]);
      media(403);
      context.connection.account.lateRequests.lose('signingKeys');
      await part.receive({ kind: 'act', action: 'retry' });
      assert.ok(!offered());
    }),
  );

  it(
    'makes no token for a stream that anybody may watch, or that a webhook judges',
    withPlayer(async (fixture) => {
      await makePrivate(fixture);
      for (const type of ['public', 'webhook']) {
        const { id } = fixture.service.control.addStream({ isActive: true, playbackPolicy: { type } });
        await fixture.open('stream', id);
        assert.equal(tokenIn(fixture.asked.at(-1)), '', type);
        assert.deepEqual([fixture.page().heading.note, fixture.page().offers[0]], [undefined, 'copyAddress']);
      }
    }),
  );
});

describe('A player of a suspended stream', () => {
  const SUSPENDED = { kind: 'notLive', looksAgain: true, hasRecording: false, suspended: { canResume: true } };
  const IDLE = { kind: 'notLive', looksAgain: true, hasRecording: false };

  it(
    'offers to resume the stream, and then waits for its broadcast',
    withPlayer(async ({ service, context, open, page, acted, untilProblem, clock }) => {
      const { id } = service.control.addStream({ name: 'Paused', suspended: true });
      const part = await open('stream', id);
      assert.deepEqual(page().problem, SUSPENDED);
      await part.receive({ kind: 'act', action: 'resumeStream' });
      assert.deepEqual(acted, ['resumeStream']);
      await changesOf(context.connection.account).change(id, { operation: 'resuming' });
      part.followStream();
      assert.deepEqual(page().problem, IDLE);
      service.control.startBroadcast(id);
      await clock.advance(INTERVAL);
      await untilProblem(undefined);
    }),
  );

  it(
    'hears of it when it is suspended or resumed elsewhere',
    withPlayer(async ({ service, open, page, clock }) => {
      const { id } = service.control.addStream({ name: 'Paused' });
      await open('stream', id);
      assert.deepEqual(page().problem, IDLE);
      for (const suspended of [true, false]) {
        service.control.setStream(id, { suspended });
        await clock.advance(INTERVAL);
        await waitUntil(async () => JSON.stringify(page().problem) === JSON.stringify(suspended ? SUSPENDED : IDLE));
      }
    }),
  );

  it(
    'says so of a broadcast that suspending has ended, although the service still calls it active',
    withPlayer(async ({ service, context, open, page, serial, untilProblem, clock }) => {
      const { id } = service.control.addStream({ name: 'Paused' });
      service.control.startBroadcast(id);
      const part = await open('stream', id);
      await changesOf(context.connection.account).change(id, { operation: 'suspending' });
      const problem = { kind: 'status', status: 404, host: 'x' } as const;
      await part.receive({ kind: 'failed', problem, serial: serial() });
      await untilProblem('ended');
      assert.deepEqual(page().problem, { ...SUSPENDED, kind: 'ended' });
      service.control.setStream(id, { suspended: false, isActive: false });
      await clock.advance(INTERVAL);
      await waitUntil(async () => JSON.stringify(page().problem) === JSON.stringify({ ...IDLE, kind: 'ended' }));
    }),
  );

  it(
    'does not offer what the service has refused',
    withPlayer(async ({ service, context, open, page }) => {
      context.connection.account.writer.abilitiesChanged({ ...context.store.snapshot.abilities, suspend: false });
      const { id } = service.control.addStream({ suspended: true });
      await open('stream', id);
      assert.deepEqual(page().problem, { ...SUSPENDED, suspended: { canResume: false } });
    }),
  );
});

describe('A player whose stream belongs to another connection', () => {
  const switchAway = ({ context, service }: PlayerFixture) =>
    context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });

  it(
    'names the other connection, offers to open it, and says nothing of the stream',
    withPlayer(async (fixture) => {
      const { context, service, open, page, acted } = fixture;
      const { id: own = '' } = context.connection.info ?? {};
      context.store.setConnectionNames([{ id: own, name: 'Production' }]);
      const { id } = service.control.addStream({ name: 'Keynote', isActive: true, record: true });
      const part = await open('stream', id);
      assert.deepEqual(page().heading, { title: 'Keynote', facts: ['recording'], tone: 'recording', isLive: true });
      switchAway(fixture);
      await part.load({ startsItself: false });
      assert.deepEqual(page().problem, {
        kind: 'said',
        sentence: 'This item belongs to "Production", which isn\'t the current connection.',
        actions: ['openOwnConnection'],
      });
      const nothing = { title: 'Keynote', facts: [], isLive: false };
      assert.deepEqual(page().heading, nothing);
      part.followStream();
      part.sendShown();
      assert.deepEqual(page().heading, nothing, 'what is read of the other connection changes nothing');
      await part.receive({ kind: 'act', action: 'openOwnConnection' });
      assert.deepEqual(acted, ['openOwnConnection']);
    }),
  );
});

describe('A player while another connection is opened', () => {
  const openAway = async ({ context, service, open }: PlayerFixture) => {
    const { connection, store } = context;
    const { id: own = '' } = connection.info ?? {};
    store.setConnectionNames([{ id: own, name: 'Production' }]);
    const { id } = service.control.addStream({ name: 'Keynote', isActive: true });
    const part = await open('stream', id);
    const switchTo = (to: string) => {
      connection.open({ ...service, id: to, name: to === own ? 'Production' : 'Other', insecureAccepted: false });
      part.followConnection();
    };
    switchTo('other');
    return { part, comeBack: () => switchTo(own) };
  };

  it(
    'goes on with what it plays, names the connection, and so after a switch back',
    withPlayer(async (fixture) => {
      const { page, told, serial } = fixture;
      const { part, comeBack } = await openAway(fixture);
      const before = serial();
      assert.deepEqual([part.hasSource, page().problem], [true, undefined]);
      const headings = () => told.flatMap((each) => (each.kind === 'heading' ? [each.heading] : []));
      assert.deepEqual(fieldsOf(headings(), 'facts', 'way'), [[['Production'], 'openOwnConnection']]);
      part.followStream();
      assert.equal(headings().length, 1, 'what is known of the other connection changes nothing');
      comeBack();
      assert.deepEqual([part.hasSource, serial(), headings().at(-1)?.way], [true, before, undefined]);
    }),
  );

  it(
    'goes on with what it plays of the demo until that stops',
    withPlayer(async ({ context, service, open, page, untilProblem }) => {
      const { connection } = context;
      const { demo, stop } = runningDemo(service);
      Object.assign(context, { demo });
      connection.open({ ...service, id: DEMO_ID, name: 'Demo', insecureAccepted: false }, true);
      const { id } = service.control.addStream({ name: 'Keynote', isActive: true });
      const part = await open('stream', id);
      connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      part.followConnection();
      assert.deepEqual([part.hasSource, page().problem], [true, undefined]);
      stop();
      await untilProblem('said');
      assert.match(JSON.stringify(page().problem), /This item is from the demo, which isn't running\./);
    }),
  );

  it(
    'goes on with what it plays when its own connection is opened anew, as with another key',
    withPlayer(async (fixture) => {
      const { part, comeBack } = await openAway(fixture);
      comeBack();
      const before = fixture.serial();
      comeBack();
      assert.deepEqual([part.hasSource, fixture.serial()], [true, before]);
    }),
  );

  it(
    'has its buttons act, whose commands offer to switch back',
    withPlayer(async (fixture) => {
      const { part } = await openAway(fixture);
      await part.receive({ kind: 'act', action: 'copyAddress' });
      assert.deepEqual([fixture.acted, part.hasSource], [['copyAddress'], true]);
    }),
  );

  it(
    'says whose it is once it has stopped or is opened again, and asks the other connection nothing',
    withPlayer(async (fixture) => {
      const { part } = await openAway(fixture);
      const { requests } = fixture.service.control;
      const before = requests.length;
      await part.receive({
        kind: 'failed',
        problem: { kind: 'status', status: 404, host: 'media.test' },
        serial: fixture.serial(),
      });
      const { problem, source } = fixture.page();
      assert.deepEqual([problem?.kind, source, requests.length], ['said', undefined, before]);
      part.followConnection();
      await fixture.untilProblem('said');
    }),
  );
});

describe('The heading of a player', () => {
  it(
    'judges whether data arrives by the time at which the stream was read',
    withPlayer(async ({ context, service }) => {
      const { now } = context.drawing();
      const { id } = service.control.addStream({ name: 'Keynote', isActive: true });
      const stream = await context.connection.account.readStream(id);
      assert.ok(stream !== undefined);
      const unlisted = { ...stream, id: 'child', lastSeen: now - 28 * 60_000 };
      const factsAt = (readAt: number) => streamHeading(context, { stream: unlisted, readAt });
      assert.deepEqual(factsAt(unlisted.lastSeen + 1000), { title: 'Keynote', facts: [], isLive: true });
      const heading = { title: 'Keynote', facts: ['no data for 28 min'], isLive: false, way: 'checkStream' };
      assert.deepEqual(factsAt(now), heading);
      const suspended = { ...stream, id: 'child', suspended: true };
      const { tone } = streamHeading(context, { stream: { ...unlisted, isHealthy: false }, readAt: unlisted.lastSeen });
      assert.equal(tone, 'warning');
      const { facts, isLive, way } = streamHeading(context, { stream: suspended, readAt: now });
      assert.deepEqual([facts, isLive, way], [['suspended', 'still live'], false, undefined]);
    }),
  );

  it(
    'names the connection if there are several, which may have streams of the same name',
    withPlayer(async ({ context, service, open, page }) => {
      const { id } = service.control.addStream({ name: 'Keynote', isActive: true, record: true });
      context.store.setConnectionCount(2);
      await open('stream', id);
      assert.deepEqual(page().heading.facts, ['recording', 'Production']);
    }),
  );

  it(
    'names the connection of a clip and of a recording, too, once there are several',
    withPlayer(async ({ context, service, open, page, told }) => {
      const stream = service.control.addStream({ name: 'Keynote', record: true });
      const session = service.control.startBroadcast(stream.id);
      const clip = service.control.addClip(session.id, { name: 'Goal', createdAt: 5, excerpt: { from: 0, to: 2 } });
      const part = await open('clip', clip.id);
      assert.equal(page().heading.facts.includes('Production'), false);
      context.store.setConnectionCount(2);
      part.followStream();
      const headings = told.flatMap((each) => (each.kind === 'heading' ? [each.heading.facts.at(-1)] : []));
      assert.deepEqual(headings, ['Production']);
      await open('clip', clip.id);
      assert.equal(page().heading.facts.at(-1), 'Production');
      await open('session', session.id);
      assert.equal(page().heading.facts.at(-1), 'Production');
    }),
  );
});

describe('A player whose service stops responding', () => {
  const down = { status: 500, body: '{"errors":["it is down"]}' } as const;
  const unavailable = ({ service }: PlayerFixture) => {
    const sentence = `${new URL(service.baseUrl).host} responded with an error (500): "it is down."`;
    return { kind: 'said', sentence, actions: ['retry', 'openInBrowser'], isRetried: true };
  };
  const isShown = (fixture: PlayerFixture, problem: unknown) =>
    waitUntil(async () => JSON.stringify(fixture.page().problem) === JSON.stringify(problem));

  it(
    'says so instead of what it waits for, and waits again once the service responds',
    withPlayer(async (fixture) => {
      const { service, open, page, clock } = fixture;
      const { id } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      const awaited = page().problem;
      assert.equal(awaited?.kind, 'notLive');
      service.control.fault(() => down);
      await clock.advance(INTERVAL);
      await isShown(fixture, unavailable(fixture));
      const { serial } = page();
      await waitUntil(async () => clock.timerCount === 1);
      await clock.advance(INTERVAL);
      await waitUntil(async () => clock.timerCount === 1);
      assert.equal(page().serial, serial, 'it is shown once');
      service.control.fault(undefined);
      await clock.advance(INTERVAL);
      await isShown(fixture, awaited);
      service.control.startBroadcast(id);
      await waitUntil(async () => clock.timerCount === 1);
      await clock.advance(INTERVAL);
      await fixture.untilProblem(undefined);
    }),
  );

  it(
    'opens by itself once the service responds',
    withPlayer(async (fixture) => {
      const { service, open, clock, untilProblem } = fixture;
      const { id } = service.control.addStream({ name: 'Keynote' });
      service.control.fault(() => down);
      await open('stream', id);
      await isShown(fixture, unavailable(fixture));
      service.control.fault(undefined);
      await clock.advance(INTERVAL);
      await untilProblem('notLive');
    }),
  );

  it(
    'keeps what is known of a recording, and what is offered for it',
    withPlayer(async (fixture) => {
      const { service, open, page, media, untilProblem } = fixture;
      const stream = service.control.addStream({ name: 'Keynote' });
      const { id } = service.control.addSession(stream.id, READY);
      media(503);
      const part = await open('session', id);
      const { heading, offers } = await untilProblem('status');
      assert.ok(heading.facts.length > 0 && offers.includes('copyAddress'), JSON.stringify({ heading, offers }));
      service.control.fault(() => down);
      await part.receive({ kind: 'act', action: 'retry' });
      await isShown(fixture, unavailable(fixture));
      assert.deepEqual([page().heading, page().offers], [heading, offers]);
    }),
  );

  it(
    'does not load again and again what is still being broadcast',
    withPlayer(async ({ service, context, open, page, clock }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      const running = service.control.startBroadcast(id);
      service.control.setSession(running.id, { lastSeen: running.createdAt, sourceSegmentsDuration: 60 });
      await context.connection.account.readStream(id);
      await context.loader.ensureSessions(id);
      await open('session', running.id);
      const { problem, serial } = page();
      assert.ok(problem?.kind === 'said', JSON.stringify(problem));
      assert.deepEqual(problem.actions, ['watchLive']);
      await waitUntil(async () => clock.timerCount === 1);
      await clock.advance(INTERVAL);
      await waitUntil(async () => clock.timerCount === 1);
      assert.equal(page().serial, serial);
    }),
  );

  it(
    'offers to set the API key, and asks no more, once the key is rejected',
    withPlayer(async (fixture) => {
      const { service, open, clock } = fixture;
      await open('stream', service.control.addStream({ name: 'Keynote' }).id);
      service.control.revokeKey();
      await clock.advance(INTERVAL);
      await isShown(fixture, { kind: 'said', sentence: 'The API key was rejected.', actions: ['setApiKey'] });
      assert.equal(clock.timerCount, 0);
    }),
  );

  it(
    'says that the stream is gone, and asks no more',
    withPlayer(async ({ service, open, clock, untilProblem }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      service.control.deleteStream(id);
      await clock.advance(INTERVAL);
      const { problem } = await untilProblem('said');
      assert.ok(problem?.kind === 'said');
      assert.match(problem.sentence, /no longer exists/);
      assert.deepEqual([problem.actions, clock.timerCount], [[], 0]);
    }),
  );

  it(
    'goes on waiting for the recording of a broadcast that has ended',
    withPlayer(async (fixture) => {
      const { service, open, page, clock, serial, untilProblem } = fixture;
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.startBroadcast(id);
      const part = await open('stream', id);
      await part.receive({ kind: 'ended', serial: serial(), hasPlayed: true });
      const { problem: ended } = await untilProblem('ended');
      service.control.fault(() => down);
      await clock.advance(INTERVAL);
      await isShown(fixture, unavailable(fixture));
      service.control.fault(undefined);
      await waitUntil(async () => clock.timerCount === 1);
      await clock.advance(INTERVAL);
      await isShown(fixture, ended);
      assert.equal(page().source, undefined, 'the broadcast that ended is not played again');
    }),
  );
});

describe('A player that is shown again', () => {
  it(
    'asks at once for what it waits for, whatever the refresh interval is',
    withPlayer(async ({ service, context, open, see, untilProblem }) => {
      Object.assign(context.settings, { refreshInterval: () => 0 });
      const { id } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      await untilProblem('notLive');
      see(false);
      service.control.startBroadcast(id);
      see(true);
      await untilProblem(undefined);
    }),
  );

  it(
    'asks at once how the stream is that it plays, and nothing of one of another connection',
    withPlayer(async ({ service, context, open, see, requests, page }) => {
      const { id } = service.control.addStream({ name: 'Keynote', isActive: true });
      const part = await open('stream', id);
      const { serial } = page();
      await waitUntil(async () => context.store.snapshot.sessions.get(id)?.isLoaded === true);
      service.control.clearRequests();
      see(true);
      await settle();
      assert.deepEqual(requests(), [], 'it was not hidden');
      see(false);
      see(true);
      await waitUntil(async () => requests().includes(`GET /api/stream/${id}`));
      part.followStream();
      assert.equal(page().serial, serial, 'it plays on');
      see(false);
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      service.control.clearRequests();
      see(true);
      await settle();
      assert.deepEqual(requests(), []);
    }),
  );
});

describe('A player of a broadcast that is recorded', () => {
  const kindOf = (url: string | undefined) => /\/(dvr|hls)\//.exec(url ?? '')?.[1];
  const kinds = ({ asked }: PlayerFixture) => asked.map(kindOf);
  const watch = async ({ service, open }: PlayerFixture, record = true) => {
    const { id } = service.control.addStream({ name: 'Talk', record });
    service.control.startBroadcast(id);
    return { id, part: await open('stream', id) };
  };
  const failed = ({ serial }: PlayerFixture, status = 404) =>
    ({ kind: 'failed', problem: { kind: 'status', status, host: 'x' }, serial: serial() }) as const;

  it(
    'plays it from its beginning',
    withPlayer(async (fixture) => {
      await watch(fixture);
      assert.deepEqual(kinds(fixture), ['dvr']);
      assert.equal(fixture.page().problem, undefined);
    }),
  );

  for (const status of [403, 404, 500]) {
    it(
      `plays it as it goes on where the beginning isn't there (${status})`,
      withPlayer(async (fixture) => {
        fixture.media(status, '', /\/dvr\//);
        await watch(fixture);
        assert.deepEqual(kinds(fixture), ['dvr', 'hls']);
        assert.equal(fixture.page().problem, undefined);
      }),
    );
  }

  it(
    'goes on without the beginning when that fails, and tries it again when the user retries',
    withPlayer(async (fixture) => {
      const { part } = await watch(fixture);
      await part.receive(failed(fixture));
      await fixture.untilProblem(undefined);
      assert.deepEqual(kinds(fixture), ['dvr', 'hls']);
      await part.receive(failed(fixture));
      await fixture.untilProblem('opening');
      await part.receive({ kind: 'act', action: 'retry' });
      assert.deepEqual(kinds(fixture), ['dvr', 'hls', 'dvr']);
    }),
  );

  it(
    'goes on from its beginning after an outage',
    withPlayer(async (fixture) => {
      const { part } = await watch(fixture);
      await part.receive({ kind: 'playing', isPlaying: true });
      await part.receive(failed(fixture, 503));
      await fixture.untilProblem('status');
      assert.deepEqual(kinds(fixture), ['dvr']);
      await fixture.clock.advance(2_000);
      await fixture.untilProblem(undefined);
      assert.deepEqual(kinds(fixture), ['dvr', 'dvr']);
    }),
  );

  it(
    'goes on from its beginning after an outage also if the service can’t name it again',
    withPlayer(async (fixture) => {
      const { part } = await watch(fixture);
      await part.receive({ kind: 'playing', isPlaying: true });
      fixture.service.control.fault(({ query }) => (query === 'recordings=true' ? { status: 503 } : undefined));
      await part.receive(failed(fixture, 503));
      await fixture.untilProblem('status');
      await fixture.clock.advance(2_000);
      await fixture.untilProblem(undefined);
      assert.deepEqual(kinds(fixture), ['dvr', 'dvr']);
    }),
  );

  it(
    'goes on without its beginning if nothing of that has played yet',
    withPlayer(async (fixture) => {
      const { part } = await watch(fixture);
      await part.receive(failed(fixture, 503));
      await fixture.untilProblem(undefined);
      assert.deepEqual(kinds(fixture), ['dvr', 'hls']);
    }),
  );

  it(
    'says that it has ended, and does not look for it elsewhere',
    withPlayer(async (fixture) => {
      const { id, part } = await watch(fixture);
      fixture.service.control.endBroadcast(id);
      await part.receive(failed(fixture));
      await fixture.untilProblem('ended');
      assert.deepEqual(kinds(fixture), ['dvr']);
    }),
  );

  const ENDED = '#EXTM3U\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n';
  const over = ({ serial }: PlayerFixture) => ({ kind: 'ended', serial: serial(), hasPlayed: false }) as const;

  it(
    'plays it as it goes on if the playlist from the beginning is complete',
    withPlayer(async (fixture) => {
      fixture.media(200, ENDED, /\/dvr\//);
      await watch(fixture);
      assert.deepEqual(kinds(fixture), ['dvr', 'hls']);
      assert.equal(fixture.page().problem, undefined);
    }),
  );

  it(
    'plays it as it goes on if the page finds the playlist complete before anything is played',
    withPlayer(async (fixture) => {
      const { part } = await watch(fixture);
      await part.receive(over(fixture));
      await fixture.untilProblem(undefined);
      assert.deepEqual(kinds(fixture), ['dvr', 'hls']);
    }),
  );

  it(
    'waits while the playlist of the previous broadcast is still served, then says that the broadcast has ended',
    withPlayer(async (fixture) => {
      fixture.media(200, ENDED);
      await watch(fixture);
      for (const wait of [2000, 4000, 8000, 16_000, 32_000]) {
        assert.equal(fixture.page().problem?.kind, wait < 8000 ? 'opening' : 'unpublished');
        await fixture.clock.advance(wait);
        await waitUntil(async () => kinds(fixture).length % 2 === 0 && fixture.clock.timerCount > 0);
      }
      await fixture.untilProblem('ended');
    }),
  );

  it(
    'plays a broadcast once its own playlist is served',
    withPlayer(async (fixture) => {
      fixture.media(200, ENDED);
      await watch(fixture);
      fixture.media(200, PLAYLIST);
      await fixture.clock.advance(2000);
      await fixture.untilProblem(undefined);
      assert.equal(fixture.page().source?.isLive, true);
    }),
  );

  it(
    'says at once that the broadcast has ended if the service knows, though its playlist is still served',
    withPlayer(async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk' });
      fixture.service.control.startBroadcast(id);
      const part = await fixture.open('stream', id);
      fixture.service.control.endBroadcast(id);
      await part.receive(over(fixture));
      await fixture.untilProblem('ended');
    }),
  );

  it(
    'asks for no beginning of a broadcast that is not recorded',
    withPlayer(async (fixture) => {
      await watch(fixture, false);
      assert.deepEqual(kinds(fixture), ['hls']);
      assert.ok(!fixture.requests().some((line) => line.includes('/playback/')));
    }),
  );

  it(
    'refuses an address that the service may not name, and does without a beginning that fails to be named',
    withPlayer(async (fixture) => {
      const { control } = fixture.service;
      const nameDvr = (meta: unknown) =>
        control.fault(({ query }) =>
          query === 'recordings=true' ? { status: 200, body: JSON.stringify({ meta }) } : undefined,
        );
      const type = 'html5/application/vnd.apple.mpegurl';
      for (const url of ['file:///etc/passwd', 'https://user:pass@x.test/a.m3u8', 7, '']) {
        nameDvr({ dvrPlayback: [{ type, url }] });
        await watch(fixture);
      }
      for (const odd of [undefined, null, {}, { dvrPlayback: {} }, { dvrPlayback: [null, 7, { type: 'video/mp4' }] }]) {
        nameDvr(odd);
        await watch(fixture);
      }
      control.fault(({ query }) => (query === 'recordings=true' ? { status: 500 } : undefined));
      await watch(fixture);
      assert.deepEqual(kinds(fixture), Array(10).fill('hls'));
    }),
  );

  it(
    'does not wait for the beginning for more than three seconds',
    withPlayer(async (fixture) => {
      fixture.service.control.fault(({ query }) => (query === 'recordings=true' ? 'hang' : undefined));
      const watching = watch(fixture);
      await waitUntil(async () => fixture.requests().some((line) => line.includes('recordings=true')));
      await fixture.clock.advance(3000);
      await watching;
      assert.deepEqual(kinds(fixture), ['hls']);
    }),
  );
});

describe('A player whose server fails for a while', () => {
  /** Returns whether the page plays by itself what `resume` brings back. */
  const resumed = async (
    fixture: PlayerFixture,
    wasPlaying: boolean,
    resume: (part: PlayerPart) => Promise<void>,
    kind: 'stream' | 'session' = 'stream',
  ) => {
    const { service, open, serial, media, untilProblem } = fixture;
    const { id: streamId } = service.control.addStream({ name: 'Talk', record: true });
    const { id } = service.control.addSession(streamId, READY);
    if (kind === 'stream') service.control.startBroadcast(streamId);
    const part = await open(kind, kind === 'stream' ? streamId : id);
    for (const isPlaying of [true, wasPlaying]) await part.receive({ kind: 'playing', isPlaying });
    media(503);
    await part.receive({ kind: 'failed', problem: { kind: 'status', status: 503, host: 'x' }, serial: serial() });
    await waitUntil(async () => !part.hasSource);
    media(200, PLAYLIST);
    await resume(part);
    return (await untilProblem(undefined)).source?.startsItself;
  };

  for (const wasPlaying of [true, false]) {
    const outcome = wasPlaying ? 'goes on playing' : 'stays paused';
    it(
      `${outcome} once it is back by itself, also with its beginning`,
      withPlayer(async (fixture) => {
        const resume = async () => {
          await waitUntil(async () => fixture.clock.timerCount > 0);
          await fixture.clock.advance(10_000);
        };
        assert.equal(await resumed(fixture, wasPlaying, resume), wasPlaying);
        assert.match(fixture.asked.at(-1) ?? '', /\/dvr\//);
      }),
    );

    for (const kind of ['stream', 'session'] as const) {
      it(
        `${outcome} after Retry: ${kind}`,
        withPlayer(async (fixture) => {
          const retry = (part: PlayerPart) => part.receive({ kind: 'act', action: 'retry' });
          assert.equal(await resumed(fixture, wasPlaying, retry, kind), wasPlaying);
        }),
      );

      it(
        `${outcome} once its connection is open again: ${kind}`,
        withPlayer(async (fixture) => {
          const follow = async (part: PlayerPart) => part.followConnection();
          assert.equal(await resumed(fixture, wasPlaying, follow, kind), wasPlaying);
        }),
      );
    }
  }

  it(
    'plays the next broadcast, although the one before was paused',
    withPlayer(async ({ service, open, media, serial, untilProblem, clock }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      service.control.startBroadcast(id);
      const part = await open('stream', id);
      for (const isPlaying of [true, false]) await part.receive({ kind: 'playing', isPlaying });
      media(404);
      service.control.endBroadcast(id);
      await part.receive({ kind: 'failed', problem: { kind: 'status', status: 404, host: 'x' }, serial: serial() });
      await untilProblem('ended');
      media(200, PLAYLIST);
      service.control.startBroadcast(id);
      await clock.advance(INTERVAL);
      assert.equal((await untilProblem(undefined)).source?.startsItself, true);
    }),
  );
});

describe('A recording whose server fails for a while', () => {
  const SERVED = { ...READY, mp4Url: 'https://media.example/a.mp4' };
  const start = async ({ service, open }: PlayerFixture) => {
    const { id } = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, SERVED);
    return open('session', id);
  };
  const interrupt = async (fixture: PlayerFixture, part: PlayerPart) => {
    await part.receive({ kind: 'playing', isPlaying: true });
    fixture.media(503);
    const problem = { kind: 'segmentStatus', status: 503, host: 'x' } as const;
    await part.receive({ kind: 'failed', problem, serial: fixture.serial() });
    await waitUntil(async () => fixture.clock.timerCount > 0);
  };
  /** Advances the clock to each of the times, and returns how often media were asked for until just before, and then. */
  const askedAfter = async ({ clock, asked }: PlayerFixture, waits: readonly number[]) => {
    const counts: number[] = [];
    for (const seconds of waits) {
      const before = asked.length;
      await clock.advance(seconds * 1000 - 1);
      counts.push(asked.length - before);
      await clock.advance(1);
      await waitUntil(async () => asked.length > before && clock.timerCount > 0);
      counts.push(asked.length - before);
    }
    return counts;
  };

  it(
    'is tried again ever more slowly, and says why until it is back',
    withPlayer(async (fixture) => {
      const { page, clock, media, untilProblem } = fixture;
      await interrupt(fixture, await start(fixture));
      assert.equal(page().problem?.kind, 'segmentStatus');
      assert.deepEqual(await askedAfter(fixture, [5, 10, 20, 40, 60, 60]), Array(6).fill([0, 1]).flat());
      assert.deepEqual(page().problem, { kind: 'status', status: 503, host: 'media.example', isRetried: true });
      media(200, PLAYLIST);
      await clock.advance(60_000);
      assert.equal((await untilProblem(undefined)).source?.startsItself, true);
      assert.equal(clock.timerCount, 0);
    }),
  );

  it(
    'is left alone while nobody sees it, and tried at once when somebody does',
    withPlayer(async (fixture) => {
      const { see, clock, asked, media, untilProblem } = fixture;
      await interrupt(fixture, await start(fixture));
      see(false);
      const before = asked.length;
      await clock.advance(300_000);
      assert.deepEqual([asked.length, clock.timerCount], [before, 0]);
      media(200, PLAYLIST);
      see(true);
      await untilProblem(undefined);
    }),
  );

  it(
    'goes on with its MP4 if that is what was played, and paused if it was',
    withPlayer(async (fixture) => {
      const { clock, asked, media, untilProblem } = fixture;
      const part = await start(fixture);
      await part.receive({ kind: 'act', action: 'playMp4' });
      for (const isPlaying of [true, false]) await part.receive({ kind: 'playing', isPlaying });
      media(503);
      await part.receive({ kind: 'failed', problem: { kind: 'timeout' }, serial: fixture.serial() });
      await waitUntil(async () => clock.timerCount > 0);
      media(200, '\0\0\0\x18ftypisom');
      await clock.advance(5000);
      const { source } = await untilProblem(undefined);
      assert.deepEqual([source?.kind, source?.startsItself], ['mp4', false]);
      assert.match(asked.at(-1) ?? '', /mp4$/);
    }),
  );
});

describe('A player that the network interrupted', () => {
  const LOST = { kind: 'timeout' } as const;
  const interrupt = async (fixture: PlayerFixture, startsItself: boolean, ...played: readonly boolean[]) => {
    const { service, open, serial, page, clock } = fixture;
    const { id } = service.control.addStream({ name: 'Talk' });
    service.control.startBroadcast(id);
    const part = await open('stream', id);
    if (!startsItself) await part.load({ startsItself });
    for (const isPlaying of played) await part.receive({ kind: 'playing', isPlaying });
    const before = serial();
    await part.receive({ kind: 'failed', problem: LOST, serial: before });
    await waitUntil(async () => clock.timerCount > 0);
    await clock.advance(2000);
    await waitUntil(async () => serial() > before);
    return page().source?.startsItself;
  };

  it(
    'goes on playing',
    withPlayer(async (fixture) => assert.equal(await interrupt(fixture, true, true), true)),
  );

  it(
    'stays paused if it was',
    withPlayer(async (fixture) => assert.equal(await interrupt(fixture, true, true, false), false)),
  );

  it(
    'goes on in a restored tab only where the user pressed play',
    withPlayer(async (fixture) => {
      assert.equal(await interrupt(fixture, false, true), true);
      assert.equal(await interrupt(fixture, false), false);
    }),
  );
});
