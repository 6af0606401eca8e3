import assert from 'node:assert/strict';
import jwt from 'jsonwebtoken';
import { signingKeysOf } from '../../../src/model/account/accountSigningKeys.ts';
import { reportText } from '../../../src/model/inspection/report.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** The demo's playlists change with the time, which stands still in other tests. */
const LIVING = { demo: { clock: createTestClock() } };

function startPrivate({ service }: Fixture) {
  const { id } = service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
  service.control.startBroadcast(id);
  return service.control.streams().find((stream) => stream.id === id) ?? assert.fail();
}

async function keepKey({ context, access }: Fixture): Promise<void> {
  const { key, privateKey } = await signingKeysOf(context.current.account).create('Site');
  await access.keep(context.current.info?.id ?? '', { ...key, privateKey: atob(privateKey) });
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
      await fixture.run('checkStream', id);
      const outcome = fixture.checked.at(-1)?.outcome;
      assert.ok(outcome?.kind === 'report', JSON.stringify(outcome));
      const report = reportText(outcome.report, fixture.context.drawing());
      assert.doesNotMatch(report, /✗|403/);
      assert.doesNotMatch(report + fixture.readable(), /eyJ/);
    }),
  );
});

describe('A private stream, without a signing key', () => {
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

describe('Copying the HLS URL with a token', () => {
  const said = ({ ui }: Fixture) => ui.seen.said.map(({ message }) => message).join('\n');
  const claimsIn = (url: string) => {
    const token = new URL(url).searchParams.get('jwt') ?? '';
    return jwt.decode(token) as jwt.JwtPayload;
  };

  it(
    'copies one that plays for as long as asked, and shows it nowhere',
    withCommands({ ...LIVING, answers: { picks: ['1 Hour', '1 Day', '1 Week'] } }, async (fixture) => {
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
      assert.match(flashes[0] ?? '', new RegExp(`^Copied the HLS URL for "${name}" with a token\\.`));
      assert.doesNotMatch(fixture.readable(), /eyJ/);
    }),
  );

  it(
    'says why it is not possible: no key, no need, a webhook, or a time that is none',
    withCommands({ ...LIVING, answers: { presses: ['Copy HLS URL'] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id } = startPrivate(fixture);
      await run('copyPlaybackUrlWithToken', { id, seconds: 3600 });
      assert.deepEqual(ui.seen.said[0]?.actions, ['Create Signing Key…', 'Use a Signing Key…']);
      await keepKey(fixture);
      for (const seconds of [0, -1, 1.5, '3600', 1e9]) await run('copyPlaybackUrlWithToken', { id, seconds });
      for (const type of ['public', 'webhook']) {
        const { id: other } = service.control.addStream({ name: type, playbackPolicy: { type } });
        await run('copyPlaybackUrlWithToken', { id: other, seconds: 3600 });
      }
      assert.deepEqual(said(fixture).split('\n'), [
        'There is no signing key on this computer.',
        ...Array(5).fill('A token must be valid for a whole number of seconds, and for a year at most.'),
        '"public" doesn\'t need a token. Anyone can watch it.',
        'A webhook decides who can watch "webhook", so a signed token isn\'t of use.',
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
