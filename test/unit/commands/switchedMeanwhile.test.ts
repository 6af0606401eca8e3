import assert from 'node:assert/strict';
import { runAction } from '../../../src/commands/boundary.ts';
import { openLink } from '../../../src/commands/openLink.ts';
import { uriParts } from '../../support/model/uriParts.ts';
import { type Fixture, withCommands } from './fixture.ts';

const CANCELED = 'The command was canceled because you switched connections.';

function openNext({ context, service }: Fixture): void {
  context.connection.open({ ...service, id: 'next', name: 'Next', insecureAccepted: false });
}

/** Another connection is opened before the secret storage has responded. */
function openNextBeforeAccess(fixture: Fixture): void {
  const access = async () => {
    openNext(fixture);
    return fixture.access;
  };
  Object.assign(fixture.context, { access });
}

const requestsAbout = ({ requests }: Fixture, text: string) => requests().filter((line) => line.includes(text));
describe('A command during which another connection is opened', () => {
  it(
    'lists no sessions of a stream of the connection before',
    withCommands({}, async (fixture) => {
      const { context, service, ui } = fixture;
      const stream = service.control.addStream({ name: 'Talk' });
      const session = service.control.addSession(stream.id, { record: true });
      service.control.fault(({ path }) => void (path.endsWith(`/stream/${stream.id}/sessions`) && openNext(fixture)));
      const parts = uriParts(`vscode://live-streams.live-streams/session/${session.id}`);
      await runAction(context, { run: (next) => openLink(next, parts) });
      assert.deepEqual([fixture.ui.seen.messages, ui.seen.reveals], [[CANCELED], []]);
      assert.equal(requestsAbout(fixture, `/stream/${stream.id}/sessions`).length, 1);
    }),
  );

  it(
    'does not look for copied streams in it',
    withCommands({}, async (fixture) => {
      const { context, service, run } = fixture;
      const { id } = service.control.streams()[0] ?? assert.fail();
      Object.assign(context, { ui: { ...context.ui, copy: async () => openNext(fixture) } });
      await run('copyPlaybackId', id);
      assert.equal(context.connection.info?.id, 'next');
      assert.deepEqual([fixture.ui.seen.messages, requestsAbout(fixture, `/stream/${id}`)], [[], []]);
    }),
  );

  it(
    'copies no URL of it with a token of the connection before',
    withCommands({}, async (fixture) => {
      const { service, run, ui } = fixture;
      await run('createSigningKey', { name: 'Site' });
      ui.seen.said.length = 0;
      const { id } = service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
      openNextBeforeAccess(fixture);
      await run('copyPlaybackUrlWithToken', { id, seconds: 60 });
      assert.deepEqual([fixture.ui.seen.messages, ui.seen.copied], [[CANCELED], []]);
    }),
  );

  it(
    'offers none of its signing keys for deletion',
    withCommands({}, async (fixture) => {
      const { run, ui } = fixture;
      await run('createSigningKey', { name: 'Site' });
      openNextBeforeAccess(fixture);
      const before = requestsAbout(fixture, 'signing-key').length;
      await run('deleteSigningKey');
      assert.deepEqual([ui.seen.picks, requestsAbout(fixture, 'signing-key').length], [[], before]);
    }),
  );
});
