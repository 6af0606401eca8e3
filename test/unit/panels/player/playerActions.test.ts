import assert from 'node:assert/strict';
import { decodeClip } from '../../../../src/api/clips.ts';
import { KnownSecrets } from '../../../../src/api/knownSecrets.ts';
import { playerActs } from '../../../../src/panels/player/playerActions.ts';
import type { ActionTarget, PlayerActions } from '../../../../src/panels/player/playerPart.ts';
import { aSession } from '../../../support/model/builders.ts';

type PlayerAction = Parameters<PlayerActions['act']>[0];

function compose(kept?: string) {
  const ran: unknown[] = [];
  const acts = playerActs(
    {
      runCommand: async (...call) => void ran.push(call),
      runFor: async (connection, id, args) => void ran.push([connection, id, ...args]),
      playerWindow: {
        playInBrowser: async () => void ran.push('playInBrowser'),
        toggleMaximized: async () => void ran.push('toggleMaximized'),
        canDownload: async () => true,
      },
      showKeptPage: ({ connection, kind, id }) => kept === `${connection}/${kind}/${id}`,
    },
    { connection: 'one' },
  );
  return { acts, ran };
}

async function run(action: PlayerAction, on: ActionTarget): Promise<readonly unknown[]> {
  const { acts, ran } = compose();
  await acts.act(action, on);
  return ran;
}

describe('A button of a player', () => {
  const session = aSession({ id: 's', parentId: 'p', recordingUrl: 'https://cdn.test/index.m3u8' });
  const row = { kind: 'session', id: 'session/s', sessionId: 's', streamId: 'p' };
  const onStream: ActionTarget = { subject: { connection: 'one', kind: 'stream', id: 'p' }, session };
  const onSession: ActionTarget = { subject: { connection: 'one', kind: 'session', id: 's' }, session };
  const onClip: ActionTarget = {
    subject: { connection: 'one', kind: 'clip', id: 'c' },
    session: undefined,
    clip: decodeClip({ id: 'c', source: { sessionId: 's' } }, new KnownSecrets()),
  };
  const none: readonly unknown[] = [];

  it('shows the open page of what plays while another connection is open, in place of an offer to switch', async () => {
    for (const [kept, on] of [
      ['one/stream/p', onStream],
      ['one/session/s', onSession],
      ['one/session/s', onClip],
    ] as const) {
      const { acts, ran } = compose(kept);
      await acts.act('showDetails', on);
      await acts.act('checkStream', onStream);
      assert.deepEqual(ran, [['checkStream', 'p']]);
    }
  });

  for (const [action, ofStream, ofSession] of [
    ['openInBrowser', [['openPlayerPage', 'p']], [['openRecordingInBrowser', row]]],
    ['alwaysInBrowser', ['playInBrowser', ['openPlayerPage', 'p']], ['playInBrowser', ['openRecordingInBrowser', row]]],
    ['copyAddress', [['copyPlaybackUrl', 'p']], [['copyRecordingUrl', row]]],
    ['copyWithToken', [['copyPlaybackUrlWithToken', 'p']], [['copyPlaybackUrlWithToken', row]]],
    ['downloadMp4', [['downloadMp4', 'p']], [['downloadMp4', row]]],
    ['createClip', [['createClip', 'p']], [['createClip', row]]],
    ['copyClipUrl', none, none],
    ['openRecording', [['openRecording', row]], [['openRecording', row]]],
    ['watchLive', [['watchStream', 'p']], [['watchStream', 'p']]],
    ['startTestBroadcast', [['startTestBroadcast', 'p']], none],
    ['resumeStream', [['resumeStream', 'p']], none],
    ['showDetails', [['showStream', 'p']], [['showSession', row]]],
    ['checkStream', [['checkStream', 'p']], none],
    ['openOwnConnection', [['switchConnection', { connectionId: 'one' }]], undefined],
    ['setApiKey', [['setApiKey', { connectionId: 'one' }]], undefined],
    ['createSigningKey', [['createSigningKey']], undefined],
    ['setAddress', [['setAddresses']], undefined],
    ['maximize', ['toggleMaximized'], undefined],
  ] satisfies readonly (readonly [PlayerAction, readonly unknown[], readonly unknown[] | undefined])[]) {
    it(`${action} acts on the stream or the session that plays`, async () => {
      assert.deepEqual(await run(action, onStream), ofStream);
      assert.deepEqual(await run(action, onSession), ofSession ?? ofStream);
    });
  }

  it('acts on the clip that plays', async () => {
    assert.deepEqual(await run('openInBrowser', onClip), [['openClip', { id: 'c', inBrowser: true }]]);
    assert.deepEqual(await run('openRecording', onClip), [['openClip', { id: 'c', inBrowser: false }]]);
    assert.deepEqual(await run('copyClipUrl', onClip), [['copyClipUrl', { id: 'c', inBrowser: false }]]);
    assert.deepEqual(await run('downloadMp4', onClip), [['downloadClip', { id: 'c', inBrowser: false }]]);
    assert.deepEqual(await run('showDetails', onClip), [['showSession', 's']]);
    assert.deepEqual(await run('showDetails', { ...onClip, clip: undefined }), none);
    assert.deepEqual(await run('createClip', onClip), [['createClip', 's']]);
  });

  it('copies the URL of the MP4 file if a recording has nothing else', async () => {
    const onlyFile = aSession({ id: 's', parentId: 'p', mp4Url: 'https://cdn.test/a.mp4' });
    assert.deepEqual(await run('copyAddress', { ...onSession, session: onlyFile }), [['copyMp4Url', row]]);
  });

  it('opens no recording while the session is not known, and shows what it has the id of', async () => {
    const unknown = { ...onSession, session: undefined };
    assert.deepEqual(await run('openRecording', unknown), none);
    assert.deepEqual(await run('showDetails', unknown), [['showSession', 's']]);
  });

  it('creates a clip of the stream or session on its own connection', async () => {
    const { acts, ran } = compose();
    const cut = { startTime: 1, endTime: 2, name: 'Goal' };
    const page = { onProgress() {}, onMade: () => true, onFailed: () => true, onLeft() {} };
    await acts.createClip({ ...cut, order: 1 }, onStream, page);
    await acts.createClip({ ...cut, order: 2 }, onSession, page);
    assert.deepEqual(ran, [
      ['one', 'createClip', { id: 'p', ...cut, ...page }],
      ['one', 'createClip', { ...row, ...cut, ...page }],
    ]);
  });
});
