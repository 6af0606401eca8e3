import assert from 'node:assert/strict';
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
