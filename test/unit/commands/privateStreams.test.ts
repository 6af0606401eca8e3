import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import jwt from 'jsonwebtoken';
import { signingKeysOf } from '../../../src/model/account/accountSigningKeys.ts';
import { reportText } from '../../../src/model/inspection/report.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** The demo's playlists change with the time, which stands still in other tests. */
const clock = createTestClock(4);
const LIVING = { clock, demo: { clock } };

function startPrivate({ service }: Fixture) {
  const { id } = service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
  service.control.startBroadcast(id);
  return service.control.streams().find((stream) => stream.id === id) ?? assert.fail();
}

async function keepKey({ context, access }: Fixture): Promise<void> {
  const { key, privateKey } = await signingKeysOf(context.connection.account).create('Site');
  await access.keep(context.connection.info?.id ?? '', { ...key, privateKey: atob(privateKey) });
}

async function reportOf({ context, run, checked }: Fixture, id: string): Promise<string> {
  await run('checkStream', id);
  const outcome = checked.at(-1)?.outcome;
  assert.ok(outcome?.kind === 'report', JSON.stringify(outcome));
  return reportText(outcome.report, context.drawing());
}

describe('A private stream, with a signing key on this computer', () => {
  it(
    'is opened in a browser with a token',
    withCommands(LIVING, async (fixture) => {
      await keepKey(fixture);
      const { id, playbackId } = startPrivate(fixture);
      await fixture.run('openPlayerPage', id);
      const url = fixture.ui.seen.opened.at(-1) ?? '';
      assert.equal(url.replace(/jwt=.*/, 'jwt='), `${new URL(url).origin}/player?v=${playbackId}&jwt=`);
      assert.match(await (await fetch(url)).text(), /<video/);
      assert.doesNotMatch(fixture.readable(), /eyJ/);
    }),
  );

  it(
    'is checked with a token, which the report does not show',
    withCommands(LIVING, async (fixture) => {
      await keepKey(fixture);
      const { id } = startPrivate(fixture);
      const report = await reportOf(fixture, id);
      assert.doesNotMatch(report, /✗/);
      assert.match(report, /✓ Without a Token: Denied \(403\)\n/);
      assert.match(report, /✓ Updates: /, 'with a token, it was played');
      assert.doesNotMatch(report + fixture.readable(), /eyJ/);
    }),
  );

  it(
    'is inspected with a token, by its playback ID or its URL at the service, but not by one elsewhere',
    withCommands(LIVING, async (fixture) => {
      const { run, service, checked } = fixture;
      await keepKey(fixture);
      const { playbackId = '' } = startPrivate(fixture);
      const own = service.addresses.hls?.replace('{playbackId}', playbackId) ?? assert.fail();
      for (const given of [playbackId, own, `${own}?a=b`]) {
        await run('inspectPlayback', given);
        const outcome = checked.at(-1)?.outcome;
        assert.ok(outcome?.kind === 'report', JSON.stringify(outcome));
        const report = reportText(outcome.report, fixture.context.drawing());
        assert.match(report, /✓ Updates: /, given);
        assert.doesNotMatch(report + fixture.readable(), /eyJ/);
      }
      const elsewhere = createServer((_request, response) => void response.writeHead(403).end());
      const sent: (string | undefined)[] = [];
      elsewhere.on('request', ({ url }) => void sent.push(url));
      await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
      const address = elsewhere.address();
      assert.ok(address !== null && typeof address === 'object');
      const { pathname } = new URL(own);
      await run('inspectPlayback', `http://127.0.0.1:${address.port}${pathname}`);
      elsewhere.close();
      assert.ok(sent.length > 0);
      assert.ok(
        sent.every((url) => url === pathname),
        'without a token',
      );
    }),
  );

  it(
    'is reported if it plays for everybody',
    withCommands(LIVING, async (fixture) => {
      await keepKey(fixture);
      const { id } = startPrivate(fixture);
      fixture.service.control.fault(({ path, query }) =>
        path.endsWith('/index.m3u8') && query === '' ? { status: 200, body: '#EXTM3U\n' } : undefined,
      );
      const report = await reportOf(fixture, id);
      assert.match(report, /✗ Without a Token: Plays \(200\)\n\s+The stream is private, but anyone/);
    }),
  );

  it(
    'is not judged if there is no answer',
    withCommands(LIVING, async (fixture) => {
      const { control } = fixture.service;
      await keepKey(fixture);
      const { id } = startPrivate(fixture);
      for (const [fault, figure] of [
        [{ status: 404 }, /Not found \(404\)/],
        [{ status: 503 }, /127\.0\.0\.1:\d+ returned 503/],
        ['reset', /Lost the connection to 127\.0\.0\.1:\d+\./],
      ] as const) {
        control.fault(({ path, query }) => (path.endsWith('.m3u8') && query === '' ? fault : undefined));
        const report = await reportOf(fixture, id);
        assert.match(report, new RegExp(`! Without a Token: ${figure.source}`));
      }
    }),
  );
});

describe('A private stream, without a signing key', () => {
  it(
    'is checked for what viewers without a token get, and offers to create a key for the rest',
    withCommands(LIVING, async (fixture) => {
      const report = await reportOf(fixture, startPrivate(fixture).id);
      assert.match(report, /✓ Without a Token: Denied \(403\)\n/);
      assert.match(report, /! With a Token: Not checked\n/);
      assert.doesNotMatch(report, /✗/);
      const { id } = fixture.service.control.addStream({ isActive: true, playbackPolicy: { type: 'webhook' } });
      fixture.service.control.startBroadcast(id);
      const judged = await reportOf(fixture, id);
      assert.match(judged, /✓ Without a Token: Denied \(403\)\n/);
      assert.match(judged, /· With a Token: Not checked\n\s+A webhook decides/);
    }),
  );

  it(
    'is not inspected, which is no fault of its playback, and offers to get a key',
    withCommands(LIVING, async (fixture) => {
      await fixture.run('inspectPlayback', startPrivate(fixture).playbackId);
      const outcome = fixture.checked.at(-1)?.outcome;
      assert.ok(outcome?.kind === 'failure', JSON.stringify(outcome));
      assert.equal(outcome.sentence, 'Only viewers with a token can watch this stream.');
      assert.deepEqual(fieldsOf(outcome.actions, 'label'), ['Create Signing Key…', 'Import Signing Key…']);
    }),
  );

  it(
    'has recordings that play without a token, which is said when their URLs are copied',
    withCommands({}, async ({ run, service, ui, context }) => {
      const all = service.control.streams().flatMap((stream) => service.control.sessions(stream.id));
      const session = all.find(({ recordingStatus }) => recordingStatus === 'ready');
      const { id, parentId } = session ?? assert.fail('Nothing was recorded');
      await run('copyRecordingUrl', id);
      assert.equal(ui.seen.flashes.at(-1), 'Copied the recording URL');
      service.control.setStream(parentId, { playbackPolicy: { type: 'jwt' } });
      await context.connection.account.readStream(parentId, { pin: true });
      for (const command of ['copyRecordingUrl', 'copyMp4Url']) {
        await run(command, id);
        assert.match(
          ui.seen.flashes.at(-1) ?? '',
          /^Copied the .+ URL\. The stream is private, but anyone with the URL/,
        );
        assert.equal((await fetch(ui.seen.copied.at(-1) ?? '')).status, 200);
      }
    }),
  );

  it(
    'is opened in a browser without a token',
    withCommands(LIVING, async (fixture) => {
      await fixture.run('openPlayerPage', startPrivate(fixture).id);
      const url = fixture.ui.seen.opened.at(-1) ?? '';
      assert.ok(!url.includes('jwt'));
      assert.match(await (await fetch(url)).text(), /Only viewers with a token/);
    }),
  );
});

for (const hasKey of [true, false]) {
  describe(`A test broadcast to a private stream, ${hasKey ? 'with' : 'without'} a signing key`, () => {
    it(
      'is waited for until it plays, and then checked as far as possible',
      withCommands(
        { ...LIVING, answers: { picks: ['Start Test Broadcast and Check'], confirms: [true] } },
        async (fixture) => {
          if (hasKey) await keepKey(fixture);
          const { id } = fixture.service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
          const startedAt = performance.now();
          const report = await reportOf(fixture, id);
          assert.ok(performance.now() - startedAt < 25_000, 'it is not waited for in vain');
          assert.match(report, /✓ Without a Token: Denied \(403\)/);
          assert.equal(/Time to Playlist/.test(report), hasKey, report);
          assert.doesNotMatch(report, /✗ (Playlist|Time)|eyJ/);
          await fixture.run('stopTestBroadcast', id);
        },
      ),
    ).timeout(60_000);
  });
}

describe('Copying the HLS URL with a token', () => {
  const said = ({ ui }: Fixture) => ui.seen.messages.join('\n');
  const claimsIn = (url: string) => {
    const token = new URL(url).searchParams.get('jwt') ?? '';
    return jwt.decode(token) as jwt.JwtPayload;
  };

  it(
    'copies one that plays for as long as asked, and shows it nowhere',
    withCommands({ ...LIVING, answers: { picks: ['1 hour', '1 day', '1 week'] } }, async (fixture) => {
      await keepKey(fixture);
      const { id, name, playbackId } = startPrivate(fixture);
      await fixture.run('copyPlaybackUrlWithToken', { id, seconds: 90 });
      for (let turn = 0; turn < 3; turn++) await fixture.run('copyPlaybackUrlWithToken', id);
      const { copied, flashes } = fixture.ui.seen;
      const validFor = copied.map(claimsIn).map(({ exp = 0, iat = 0, sub }) => [exp - iat, sub]);
      assert.deepEqual(
        validFor,
        [90, 3600, 86_400, 604_800].map((seconds) => [seconds, playbackId]),
      );
      for (const url of copied) assert.equal((await fetch(url)).status, 200);
      assert.equal(flashes.length, 4);
      assert.match(flashes[0] ?? '', new RegExp(`^Copied the HLS URL with a token for "${name}"$`));
      assert.doesNotMatch(fixture.readable(), /eyJ/);
    }),
  );

  it(
    'creates a signing key first if this computer has none, and goes on',
    withCommands(
      { ...LIVING, answers: { picks: ['Create Signing Key…', '1 hour', '1 day'], inputs: ['Site'] } },
      async (fixture) => {
        const { ui, run } = fixture;
        const { id } = startPrivate(fixture);
        await run('copyPlaybackUrlWithToken', id);
        assert.equal((await fetch(ui.seen.copied.at(-1) ?? '')).status, 200);
        assert.match(said(fixture), /^The signing key "Site" was created\./);
        await run('copyPlaybackUrlWithToken', id);
        assert.equal(ui.seen.copied.length, 2);
        assert.deepEqual(
          ui.seen.picks.map(({ title, items }) => [title, items.length]),
          [2, 3, 3].map((rows) => ['Copy HLS URL with Token', rows]),
        );
        assert.doesNotMatch(fixture.readable(), /eyJ/);
      },
    ),
  );

  it(
    'takes a signing key of the account first if this computer has none, and goes on',
    withCommands(
      { ...LIVING, answers: { picks: ['Import Signing Key…', 'Paste Private Key…', '1 hour'] } },
      async (fixture) => {
        const { ui, run, context } = fixture;
        const { privateKey } = await signingKeysOf(context.connection.account).create('Site');
        ui.answers.inputs.push(privateKey);
        await run('copyPlaybackUrlWithToken', startPrivate(fixture).id);
        assert.equal((await fetch(ui.seen.copied[0] ?? '')).status, 200);
        assert.deepEqual(ui.seen.messages, []);
      },
    ),
  );

  it(
    'copies nothing, and says nothing, if getting a signing key is dismissed',
    withCommands({ ...LIVING, answers: { picks: ['Create Signing Key…'] } }, async (fixture) => {
      const { ui, run } = fixture;
      const { id } = startPrivate(fixture);
      await run('copyPlaybackUrlWithToken', id);
      await run('copyPlaybackUrlWithToken', id);
      assert.deepEqual([ui.seen.inputs.length, ui.seen.picks.length], [1, 2]);
      assert.deepEqual([ui.seen.copied, ui.seen.messages, ui.seen.flashes], [[], [], []]);
    }),
  );

  it(
    'says why it is not possible: no key if all else is given, no need, a webhook, or a time that is none',
    withCommands({ ...LIVING, answers: { presses: ['Copy HLS URL'] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id } = startPrivate(fixture);
      await run('copyPlaybackUrlWithToken', { id, seconds: 3600 });
      assert.deepEqual(ui.seen.said[0]?.actions, ['Create Signing Key…', 'Import Signing Key…']);
      assert.deepEqual(ui.seen.picks, []);
      await keepKey(fixture);
      for (const seconds of [0, -1, 1.5, '3600', 1e9]) await run('copyPlaybackUrlWithToken', { id, seconds });
      for (const type of ['public', 'webhook']) {
        const { id: other } = service.control.addStream({ name: type, playbackPolicy: { type } });
        await run('copyPlaybackUrlWithToken', { id: other, seconds: 3600 });
      }
      assert.deepEqual(said(fixture).split('\n'), [
        "There's no signing key on this computer.",
        ...Array(5).fill('Specify how long the token is valid, in whole seconds. The maximum is one year.'),
        '"public" doesn\'t use signed tokens.',
        'A webhook decides who can watch "webhook", so a signed token has no effect.',
      ]);
      assert.equal(ui.seen.copied.length, 1, 'the plain URL, which was offered instead');
      assert.ok(!ui.seen.copied[0]?.includes('jwt'));
    }),
  );

  it(
    'knows that a stream has become private elsewhere',
    withCommands(LIVING, async (fixture) => {
      await keepKey(fixture);
      const { id } = fixture.service.control.streams().find(({ isActive }) => isActive) ?? assert.fail();
      fixture.service.control.setStream(id, { playbackPolicy: { type: 'jwt' } });
      await fixture.run('copyPlaybackUrlWithToken', { id, seconds: 3600 });
      assert.match(fixture.ui.seen.copied[0] ?? '', /\?jwt=eyJ/);
    }),
  );
});
