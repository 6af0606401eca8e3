import assert from 'node:assert/strict';
import { Connections, UnknownConnectionError } from '../../../../src/model/connection/connections.ts';
import type { Memento, Secrets } from '../../../../src/services.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { fakeLog, fakeMemento, fakeSecrets } from '../../../support/model/fakes.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

const KEY = 'k3y-of-tests-0001';
const STUDIO = { name: 'Studio', baseUrl: 'https://livepeer.studio/api', apiKey: KEY, insecureAccepted: false };

/** One editor: windows share its secrets and global storage, and have a workspace each. */
function editor(options: { secrets?: Partial<Secrets>; global?: Map<string, unknown>; locale?: string } = {}) {
  const store = fakeSecrets();
  const global = options.global ?? new Map<string, unknown>();
  const log = fakeLog();
  let count = 0;
  const window = (parts: { secrets?: Partial<Secrets>; workspace?: Memento } = {}) =>
    new Connections({
      clock: heldClock(),
      secrets: store.window({ ...options.secrets, ...parts.secrets }),
      global: fakeMemento(global),
      workspace: parts.workspace ?? fakeMemento(),
      log,
      newId: () => `id-${++count}`,
      locale: options.locale ?? 'en',
    });
  return { store, global, log, window };
}

const rejecting: Partial<Secrets> = {
  get: async () => Promise.reject(new Error('keyring is locked')),
  keys: async () => Promise.reject(new Error('keyring is locked')),
  store: async () => Promise.reject(new Error(`cannot encrypt ${KEY}`)),
};

describe('connections', () => {
  it('are one secret each, and the list is the secrets', async () => {
    const { store, window } = editor();
    const connections = window();
    const added = await connections.add(STUDIO);
    assert.deepEqual([...store.values.keys()], ['connection/id-1']);
    assert.deepEqual(JSON.parse(store.values.get('connection/id-1') ?? ''), STUDIO);
    assert.deepEqual(added, { ...STUDIO, id: 'id-1' });
    assert.deepEqual(await connections.get('id-1'), added);
    assert.deepEqual(await connections.list(), [{ id: 'id-1', name: 'Studio', baseUrl: STUDIO.baseUrl, hasKey: true }]);
  });

  it("are listed in the order of the editor's language", async () => {
    for (const [locale, names] of [
      ['de', ['Öl', 'Zoo']],
      ['sv', ['Zoo', 'Öl']],
    ] as const) {
      const connections = editor({ locale }).window();
      for (const name of ['Zoo', 'Öl']) await connections.add({ ...STUDIO, name });
      const listed = await connections.list();
      assert.deepEqual(fieldsOf(listed, 'name'), names);
    }
  });

  it('keep the key out of everything but the secret', async () => {
    const { global, log, window } = editor();
    const workspace = new Map<string, unknown>();
    const connections = window({ workspace: fakeMemento(workspace) });
    await connections.choose((await connections.add(STUDIO)).id);
    const written = JSON.stringify([[...global], [...workspace], log.lines, await connections.list()]);
    assert.doesNotMatch(written, new RegExp(KEY));
  });

  it('are both kept if two windows add them at the same time', async () => {
    const { window } = editor();
    const [one, two] = [window(), window()];
    await Promise.all([one.add({ ...STUDIO, name: 'One' }), two.add({ ...STUDIO, name: 'Two' })]);
    assert.deepEqual(fieldsOf(await one.list(), 'name'), ['One', 'Two']);
    assert.deepEqual(await two.list(), await one.list());
  });

  it('tell other windows of what was added, changed and removed, and nothing after they are disposed', async () => {
    const { window } = editor();
    const [one, two] = [window(), window()];
    const heard: string[] = [];
    two.onDidChange((id) => heard.push(id));
    const { id } = await one.add(STUDIO);
    await one.update(id, { name: 'Renamed' });
    await one.remove(id);
    assert.deepEqual(heard, [id, id, id]);
    two.dispose();
    await one.add(STUDIO);
    assert.equal(heard.length, 3);
  });

  it('do not take other secrets for connections', async () => {
    const { store, window } = editor();
    store.values.set('something/else', 'x');
    const connections = window();
    const heard: string[] = [];
    connections.onDidChange((id) => heard.push(id));
    await store.window().store('something/else', 'y');
    assert.deepEqual(await connections.list(), []);
    assert.deepEqual(heard, []);
  });

  it('have unique names', async () => {
    const connections = editor().window();
    await connections.add(STUDIO);
    assert.equal((await connections.add({ ...STUDIO, name: ' studio ' })).name, 'studio 2');
    const third = await connections.add({ ...STUDIO, name: 'Third' });
    await connections.update(third.id, { name: 'Studio' });
    assert.equal((await connections.get(third.id))?.name, 'Studio 3');
    await connections.update(third.id, { name: 'Studio 3' });
    assert.equal((await connections.get(third.id))?.name, 'Studio 3');
  });

  it('keep what is not changed', async () => {
    const connections = editor().window();
    const { id } = await connections.add(STUDIO);
    await connections.update(id, { apiKey: 'another-key' });
    assert.deepEqual(await connections.get(id), { ...STUDIO, id, apiKey: 'another-key' });
  });

  it('cannot be changed where there is none, or none any more', async () => {
    const { store, window } = editor();
    const connections = window();
    const { id } = await connections.add(STUDIO);
    await window().remove(id);
    for (const unknown of [id, 'nobody']) {
      await assert.rejects(connections.update(unknown, { apiKey: KEY }), UnknownConnectionError);
    }
    assert.deepEqual([store.values.size, await connections.list()], [0, []]);
  });

  it('are gone when removed: secret, and what was noted beside it', async () => {
    const { store, global, window } = editor();
    const connections = window();
    const { id } = await connections.add(STUDIO);
    await connections.remove(id);
    assert.equal(store.values.size, 0);
    assert.deepEqual(
      [...global.keys()].filter((key) => key.startsWith('connection/')),
      [],
    );
    assert.deepEqual(await connections.list(), []);
  });

  it('throw when the storage will not delete', async () => {
    const { window } = editor();
    const connections = window({ secrets: { delete: async () => Promise.reject(new Error('locked')) } });
    const { id } = await connections.add(STUDIO);
    await assert.rejects(connections.remove(id));
    assert.equal((await connections.list())[0]?.hasKey, true);
  });
});

describe('connections that are renamed while their secrets cannot be read', () => {
  it('have the new name in all windows once they can be read again, and keep their key', async () => {
    const { store, window } = editor();
    const { id } = await window().add(STUDIO);
    await window({ secrets: rejecting }).update(id, { name: 'Renamed' });
    const connections = window();
    assert.deepEqual(await connections.get(id), { ...STUDIO, id, name: 'Renamed' });
    assert.equal((await connections.getPatiently(id))?.name, 'Renamed');
    assert.deepEqual(await connections.list(), [{ id, name: 'Renamed', baseUrl: STUDIO.baseUrl, hasKey: true }]);
    await connections.update(id, { name: 'Again' });
    assert.match(store.values.get(`connection/${id}`) ?? '', /"name":"Again"/);
    assert.equal((await window().get(id))?.name, 'Again');
  });

  it('have it too where only writing fails', async () => {
    const { window } = editor();
    const { id } = await window().add(STUDIO);
    await window({ secrets: { store: async () => Promise.reject(new Error('locked')) } }).update(id, {
      name: 'Renamed',
    });
    assert.deepEqual(await window().get(id), { ...STUDIO, id, name: 'Renamed' });
  });
});

describe('connections without their secret', () => {
  it('are listed by what is known from before, and work again with a key', async () => {
    const { store, window } = editor();
    const { id } = await window().add(STUDIO);
    store.values.clear();
    const connections = window();
    assert.deepEqual(await connections.list(), [{ id, name: 'Studio', baseUrl: STUDIO.baseUrl, hasKey: false }]);
    assert.equal(await connections.get(id), undefined);
    await connections.update(id, { name: 'Still here' });
    assert.equal(store.values.size, 0);
    await connections.update(id, { apiKey: KEY });
    assert.deepEqual(await connections.get(id), { ...STUDIO, id, name: 'Still here' });
  });

  it('are reported once and left alone when the secret is not one of ours', async () => {
    const { store, window, log } = editor();
    const connections = window();
    const { id } = await connections.add(STUDIO);
    const broken = [
      '{"name":"Studio"',
      'null',
      '[]',
      JSON.stringify({ ...STUDIO, apiKey: 7 }),
      JSON.stringify({ ...STUDIO, apiKey: 'two\nlines' }),
      JSON.stringify({ ...STUDIO, baseUrl: 'file:///x' }),
      JSON.stringify({ ...STUDIO, baseUrl: 'http://elsewhere.example' }),
    ];
    for (const text of broken) {
      store.values.set(`connection/${id}`, text);
      assert.equal(await connections.get(id), undefined, text);
      assert.equal(store.values.get(`connection/${id}`), text);
    }
    assert.match(connections.takeWarning() ?? '', /^Couldn't read the saved connection "Studio"/);
    assert.equal(connections.takeWarning(), undefined);
    assert.equal(log.lines.length, 1);
    assert.doesNotMatch(log.lines.join(), new RegExp(KEY));
    assert.equal((await connections.list())[0]?.hasKey, false);
  });

  it('do not vanish for a broken secret of another', async () => {
    const { store, window } = editor();
    store.values.set('connection/broken', '{');
    const connections = window();
    await connections.add(STUDIO);
    assert.deepEqual(fieldsOf(await connections.list(), 'name'), ['Studio']);
  });
});

describe('a secret storage that rejects', () => {
  it('is said once, and the connection goes on in memory', async () => {
    const { store, window, log } = editor({ secrets: rejecting });
    const connections = window();
    const heard: string[] = [];
    connections.onDidChange((id) => heard.push(id));
    const added = await connections.add(STUDIO);
    assert.equal(store.values.size, 0);
    assert.deepEqual(await connections.get(added.id), added);
    assert.deepEqual(await connections.list(), [
      { id: added.id, name: 'Studio', baseUrl: STUDIO.baseUrl, hasKey: true },
    ]);
    assert.deepEqual(heard, [added.id]);
    assert.match(
      connections.takeWarning() ?? '',
      /Couldn't save the API key to secret storage\. You'll stay connected until you close this window\./,
    );
    await connections.add({ ...STUDIO, name: 'Second' });
    assert.equal(connections.takeWarning(), undefined);
    assert.doesNotMatch(log.lines.join('\n'), new RegExp(KEY));
  });

  it('leaves what is known from before without its key', async () => {
    const global = new Map<string, unknown>([['connection/old', { name: 'Old', baseUrl: 'https://a.example' }]]);
    const connections = editor({ secrets: rejecting, global }).window();
    assert.deepEqual(await connections.list(), [
      { id: 'old', name: 'Old', baseUrl: 'https://a.example', hasKey: false },
    ]);
    assert.match(connections.takeWarning() ?? '', /^Couldn't read from secret storage/);
    await assert.rejects(connections.remove('old'));
    assert.equal((await connections.list()).length, 1);
    await connections.update('old', { apiKey: KEY });
    assert.equal((await connections.get('old'))?.apiKey, KEY);
    await connections.remove('old');
    assert.deepEqual(await connections.list(), []);
  });

  it('stores a changed key after all once it works again', async () => {
    let isLocked = true;
    const { store, window } = editor();
    const shared = store.window();
    const connections = window({
      secrets: { store: (key, value) => (isLocked ? Promise.reject(new Error('locked')) : shared.store(key, value)) },
    });
    const { id } = await connections.add(STUDIO);
    isLocked = false;
    await connections.update(id, { apiKey: 'second-key' });
    assert.match(store.values.get(`connection/${id}`) ?? '', /second-key/);
    assert.equal((await connections.get(id))?.apiKey, 'second-key');
  });
});

describe('the connection of a window', () => {
  it('is its own, whatever other windows choose; a new window starts with the last one chosen', async () => {
    const { window } = editor();
    const [one, two] = [window(), window()];
    const a = await one.add({ ...STUDIO, name: 'A' });
    const b = await one.add({ ...STUDIO, name: 'B' });
    await one.choose(a.id);
    await two.choose(b.id);
    assert.equal((await one.chosenOf(await one.list()))?.name, 'A');
    assert.equal((await two.chosenOf(await two.list()))?.name, 'B');
    const three = window();
    assert.equal((await three.chosenOf(await three.list()))?.name, 'B');
    await one.choose(a.id);
    assert.equal((await three.chosenOf(await three.list()))?.name, 'B');
  });

  it('is another when its own is removed, and none when none is left', async () => {
    const connections = editor().window();
    const a = await connections.add({ ...STUDIO, name: 'A' });
    const b = await connections.add({ ...STUDIO, name: 'B' });
    await connections.choose(b.id);
    await connections.remove(b.id);
    assert.equal((await connections.chosenOf(await connections.list()))?.id, a.id);
    await connections.remove(a.id);
    assert.equal(await connections.chosenOf(await connections.list()), undefined);
  });

  it('is found without help of storage that cannot be written', async () => {
    const { window, log } = editor();
    const connections = window({
      workspace: fakeMemento(new Map(), { set: async () => Promise.reject(new Error('disk is full')) }),
    });
    const { id } = await connections.add(STUDIO);
    await connections.choose(id);
    assert.equal((await connections.chosenOf(await connections.list()))?.id, id);
    assert.match(log.lines.join(), /Couldn't save the list of connections/);
  });

  it('remembers that the demo was on', async () => {
    const workspace = fakeMemento();
    const { window } = editor();
    await window({ workspace }).noteDemo(true);
    assert.equal(window({ workspace }).wasDemoOn(), true);
    assert.equal(window().wasDemoOn(), false);
    await window({ workspace }).noteDemo(false);
    assert.equal(window({ workspace }).wasDemoOn(), false);
  });
});
