import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import { knowsDashboard } from '../../../src/commands/knownAddresses.ts';
import { withCommands } from './fixture.ts';

const { contributes } = manifest;
const texts: Readonly<Record<string, string>> = nls;

/** The commands that the welcome offers under a condition. */
function offered(when: string): readonly string[] {
  const shown = contributes.viewsWelcome.filter((each) => each.view === 'liveStreams.streams' && each.when === when);
  const contents = shown.map((each) => texts[each.contents.slice(1, -1)] ?? '');
  return [...contents.join('\n').matchAll(/command:liveStreams\.(\w+)/g)].map(([, id = '']) => id);
}

describe('The command palette', () => {
  it('hides only what another entry does there, or what a key or a row alone can mean', () => {
    const hidden = contributes.menus.commandPalette.filter(({ when }) => when === 'false');
    assert.deepEqual(hidden.map(({ command }) => command.replace('liveStreams.', '')).sort(), [
      'goToLiveStream',
      'openProxySettings',
      'showMoreThanRecordings',
      'showOnlyRecordings',
      'tree.copyPlaybackId',
      'tree.delete',
      'tree.rename',
      'tree.renameOrOpen',
    ]);
  });
});

describe('The welcome', () => {
  it('of a connection without its key offers the key, other connections and the demo', () => {
    assert.deepEqual(offered('liveStreams.state == keyless'), [
      'setApiKey',
      'switchConnection',
      'addConnection',
      'startDemo',
    ]);
  });

  it('of an account without streams offers the dashboard where it is known alone', () => {
    const empty = 'liveStreams.state == empty && !liveStreams.cannotCreate';
    assert.deepEqual(offered(`${empty} && liveStreams.knowsDashboard`), ['createStream', 'openDashboard', 'refresh']);
    assert.deepEqual(offered(`${empty} && !liveStreams.knowsDashboard`), ['createStream', 'refresh']);
  });

  it('of an account without streams does not offer to create one where the service was found not to', () => {
    const empty = 'liveStreams.state == empty && liveStreams.cannotCreate';
    assert.deepEqual(offered(`${empty} && liveStreams.knowsDashboard`), ['openDashboard', 'refresh']);
    assert.deepEqual(offered(`${empty} && !liveStreams.knowsDashboard`), ['refresh']);
  });

  it(
    'knows the dashboard by the addresses of the connection that is open',
    withCommands(
      { isConnected: false, addresses: { hls: 'https://a.example/{playbackId}' } },
      async ({ context, service }) => {
        assert.equal(knowsDashboard(context), false);
        context.current.open({ ...service, id: 'a', name: 'A', insecureAccepted: false });
        assert.equal(knowsDashboard(context), false);
        const studio = {
          id: 'b',
          name: 'B',
          baseUrl: 'https://livepeer.studio/api',
          apiKey: 'k',
          insecureAccepted: false,
        };
        context.current.open(studio);
        assert.equal(knowsDashboard(context), true);
      },
    ),
  );
});
