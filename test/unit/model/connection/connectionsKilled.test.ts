import assert from 'node:assert/strict';
import { Connections } from '../../../../src/model/connection/connections.ts';
import { fakeLog, fakeMemento, fakeSecrets } from '../../../support/model/fakes.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

const STUDIO = { name: 'Studio', baseUrl: 'https://livepeer.studio/api', apiKey: 'k3y', insecureAccepted: false };

/** What the editor holds: what a window finds that starts after another one was killed. */
interface Stored {
  readonly secrets: Map<string, string>;
  readonly global: Map<string, unknown>;
}

function copyOf({ secrets, global }: Stored): Stored {
  return { secrets: new Map(secrets), global: new Map(global) };
}

/** A window over it; `onWrite` is told after each write, of the secrets or of what is kept beside them. */
function openWindow(stored: Stored, onWrite: () => void = () => {}): Connections {
  const secrets = fakeSecrets(stored.secrets).window();
  const global = fakeMemento(stored.global);
  const told =
    <A extends readonly unknown[]>(write: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      await write(...args);
      onWrite();
    };
  let count = stored.secrets.size;
  return new Connections({
    clock: heldClock(),
    secrets: { ...secrets, store: told(secrets.store), delete: told(secrets.delete) },
    global: { ...global, set: told(global.set) },
    workspace: fakeMemento(),
    log: fakeLog(),
    newId: () => `id-${++count}`,
    locale: 'en',
  });
}

/** The lists that windows find which start after this one was killed: before its first write, and after each. */
async function listsAfterKills(stored: Stored, act: (connections: Connections) => Promise<unknown>) {
  const states: Stored[] = [copyOf(stored)];
  await act(openWindow(stored, () => states.push(copyOf(stored))));
  assert.ok(states.length > 2, 'there is a middle to be killed in');
  return Promise.all(
    states.map(async (state) => {
      const window = openWindow(state);
      const chosen = await window.chosenOf(await window.list());
      const known = [...state.global.keys()].filter((key) => key.startsWith('connection/'));
      assert.deepEqual(known, chosen === undefined ? [] : [...state.secrets.keys()], 'both agree once it was opened');
      return (await window.list()).map(({ name, hasKey }) => `${name}${hasKey ? '' : ' without key'}`).join();
    }),
  );
}

describe('a window that is killed', () => {
  const empty = (): Stored => ({ secrets: new Map(), global: new Map() });

  it('leaves a connection that it was adding whole, or none', async () => {
    const lists = await listsAfterKills(empty(), async (connections) => {
      const { id } = await connections.add(STUDIO);
      await connections.choose(id);
    });
    assert.deepEqual([...new Set(lists)], ['', 'Studio']);
  });

  it('leaves a connection that it was changing as it was or as it is', async () => {
    const stored = empty();
    await openWindow(stored).add(STUDIO);
    const lists = await listsAfterKills(stored, (connections) => connections.update('id-1', { name: 'Renamed' }));
    assert.deepEqual([...new Set(lists)], ['Studio', 'Renamed']);
  });

  it('leaves a connection that it was removing whole, or none', async () => {
    const stored = empty();
    await openWindow(stored).add(STUDIO);
    const lists = await listsAfterKills(stored, (connections) => connections.remove('id-1'));
    assert.deepEqual([...new Set(lists)], ['Studio', '']);
  });
});
