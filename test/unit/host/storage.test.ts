import assert from 'node:assert/strict';
import { createMemento, createSecrets } from '../../../src/host/storage/storage.ts';

describe('Secrets', () => {
  it('are kept, listed and deleted in the editor’s storage, and tell of changes by their key', async () => {
    const stored = new Map<string, string>();
    const listeners = new Set<(event: { readonly key: string }) => void>();
    const changed = (key: string) => {
      for (const listener of listeners) listener({ key });
    };
    const secrets = createSecrets({
      get: async (key) => stored.get(key),
      async store(key, value) {
        stored.set(key, value);
        changed(key);
      },
      async delete(key) {
        stored.delete(key);
        changed(key);
      },
      keys: async () => [...stored.keys()],
      onDidChange: (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    });
    const heard: string[] = [];
    const subscription = secrets.onDidChange((key) => heard.push(key));
    await secrets.store('connection/1', 'value');
    assert.equal(await secrets.get('connection/1'), 'value');
    assert.deepEqual(await secrets.keys(), ['connection/1']);
    await secrets.delete('connection/1');
    assert.equal(await secrets.get('connection/1'), undefined);
    subscription.dispose();
    await secrets.store('connection/2', 'value');
    assert.deepEqual(heard, ['connection/1', 'connection/1']);
  });
});

describe('What a window remembers', () => {
  it('is kept under its key, and removed by undefined', async () => {
    const stored = new Map<string, unknown>();
    const memento = createMemento({
      get: (key: string) => stored.get(key),
      keys: () => [...stored.keys()],
      update: async (key, value) => void (value === undefined ? stored.delete(key) : stored.set(key, value)),
    } as Parameters<typeof createMemento>[0]);
    await memento.set('chosen', { id: 1 });
    assert.deepEqual(memento.get('chosen'), { id: 1 });
    await memento.set('chosen', undefined);
    assert.deepEqual(memento.keys(), []);
  });
});
