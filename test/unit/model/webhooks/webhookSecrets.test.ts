import assert from 'node:assert/strict';
import { KnownSecrets } from '../../../../src/api/knownSecrets.ts';
import { WebhookSecrets } from '../../../../src/model/webhooks/webhookSecrets.ts';
import type { Secrets } from '../../../../src/services.ts';
import { fakeLog, fakeMemento, fakeSecrets } from '../../../support/model/fakes.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

describe('The secrets of webhooks', () => {
  function compose(overrides: Partial<Secrets> = {}, storage = fakeSecrets()) {
    const [clock, log, known, folder] = [heldClock(), fakeLog(), new KnownSecrets(), new Map<string, unknown>()];
    let ids = 0;
    const newId = () => `id-${++ids}`;
    const open = (workspace = folder) =>
      new WebhookSecrets({
        ...{ clock, log, known, newId },
        secrets: storage.window(overrides),
        workspace: fakeMemento(workspace),
      });
    return { clock, log, known, storage, open, secrets: open() };
  }

  it('are stored by connection and webhook', async () => {
    const { secrets, open } = compose();
    await secrets.set('one', 'w', 'whsec-of-one');
    assert.equal(await secrets.of('one', 'w'), 'whsec-of-one');
    assert.equal(await open().of('one', 'w'), 'whsec-of-one', 'in the next window');
    assert.equal(await secrets.of('two', 'w'), undefined);
    assert.equal(await secrets.of('one', 'v'), undefined);
    await secrets.delete('one', 'w');
    assert.equal(await secrets.of('one', 'w'), undefined);
  });

  it('include one for each folder, made once', async () => {
    const { secrets, open, storage } = compose();
    const [made, again] = await Promise.all([secrets.ofFolder(), secrets.ofFolder()]);
    assert.equal(made, again);
    assert.match(made, /^[\w-]{32}$/);
    assert.equal(await open().ofFolder(), made);
    assert.equal(await secrets.of('one'), made);
    assert.notEqual(await open(new Map()).ofFolder(), made, 'of another folder');
    assert.equal(storage.values.size, 2);
  });

  it('go with their connection', async () => {
    const { secrets, storage } = compose();
    await secrets.set('one', 'a', 'secret-1');
    await secrets.set('one', 'b', 'secret-2');
    await secrets.set('one-more', 'a', 'secret-3');
    await secrets.deleteAll('one');
    assert.deepEqual([...storage.values.values()], ['secret-3']);
  });

  it('are removed from all texts', async () => {
    const { secrets, known, log } = compose({ store: () => Promise.reject(new Error('cannot store hunter22')) });
    await secrets.set('one', 'w', 'hunter22');
    assert.equal(known.strip('it was hunter22'), 'it was …');
    assert.doesNotMatch(log.lines.join('\n'), /hunter22/);
  });

  it('stay known until the window closes if they cannot be stored', async () => {
    const { secrets } = compose({ store: () => Promise.reject(new Error('no keyring')) });
    let changes = 0;
    secrets.onDidChange(() => (changes += 1));
    await secrets.set('one', 'w', 'hunter22');
    assert.equal(await secrets.of('one', 'w'), 'hunter22');
    assert.equal(await secrets.ofFolder(), await secrets.ofFolder());
    await secrets.delete('one', 'w');
    assert.equal(await secrets.of('one', 'w'), undefined);
    assert.equal(changes, 3);
  });

  it('are not waited for longer than 5 seconds, nor do they fail anything', async () => {
    const { secrets, clock } = compose({ get: () => new Promise(() => {}), store: () => new Promise(() => {}) });
    const asked = secrets.of('one', 'w');
    const stored = secrets.set('one', 'v', 'hunter22');
    await clock.advance(5000);
    assert.equal(await asked, undefined);
    await stored;
    assert.equal(await secrets.of('one', 'v'), 'hunter22');
  });

  it('tell when another window changed one', async () => {
    const storage = fakeSecrets();
    const { secrets } = compose({}, storage);
    let changes = 0;
    secrets.onDidChange(() => (changes += 1));
    await storage.window().store('connection/one', 'x');
    assert.equal(changes, 0);
    await compose({}, storage).secrets.set('one', 'w', 'hunter22');
    assert.equal(changes, 1);
  });
});
