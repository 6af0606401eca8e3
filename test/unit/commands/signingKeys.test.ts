import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariables } from '../../../src/code/envFile.ts';
import type { LeakSearch } from '../../../src/commands/context.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { saveTo, textOf } from '../../support/files/envFolder.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { type Fixture, withCommands } from './fixture.ts';

const connectionOf = ({ context }: Fixture) => context.connection.info?.id ?? '';
const saidIn = ({ ui }: Fixture) => ui.seen.messages.join('\n');
const PRIVATE = /PRIVATE KEY|LS0tLS1CRUdJTiBQUklW/;

async function keptNames(fixture: Fixture): Promise<readonly string[]> {
  return (await fixture.access.keysOf(connectionOf(fixture))).map(({ name }) => name);
}

describe('Creating a signing key', () => {
  it(
    'keeps its private half in the secret storage, and shows and copies it nowhere',
    withCommands({}, async (fixture) => {
      const { run, service, ui, secretStore, readable } = fixture;
      await run('createSigningKey', { name: 'Site' });
      const [key] = service.control.signingKeys();
      assert.equal(key?.name, 'Site');
      const kept = await fixture.access.keyOf(connectionOf(fixture));
      assert.deepEqual([kept?.id, kept?.publicKey], [key?.id, key?.publicKey]);
      assert.match([...secretStore.values.values()].join(), PRIVATE);
      assert.match(saidIn(fixture), /"Site" was created\. .*the service won't show it again\./);
      assert.doesNotMatch(readable(), PRIVATE);
      assert.deepEqual(ui.seen.copied, []);
    }),
  );

  it(
    'asks for a name, and suggests one',
    withCommands({ answers: { inputs: ['(as suggested)'] } }, async (fixture) => {
      await fixture.run('createSigningKey');
      assert.deepEqual(await keptNames(fixture), ['VS Code']);
      assert.equal(fixture.ui.seen.inputs[0]?.validate?.(' '), 'Enter a name.');
    }),
  );

  it(
    'says that the service has none, once, and hides its commands until a refresh',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { run, context, requests } = fixture;
      for (const command of ['createSigningKey', 'useSigningKey', 'deleteSigningKey']) {
        await run(command, { name: 'Site', id: 'a', privateKey: 'x' });
      }
      assert.deepEqual(fixture.ui.seen.messages, Array(3).fill("Production doesn't support signing keys."));
      assert.equal(requests().filter((line) => line.includes('signing-key')).length, 1);
      assert.equal(context.store.snapshot.abilities.signingKeys, false);
      await run('refresh');
      assert.equal(context.store.snapshot.abilities.signingKeys, true);
    }),
  );

  it(
    'says that a key may exist without its private key if the response is lost, and offers to delete the key',
    withCommands(
      { answers: { presses: ['Delete Signing Key…'], picks: ['Lost'], confirms: [true] } },
      async (fixture) => {
        const { run, service } = fixture;
        service.control.fault(({ method }) => {
          if (method !== 'POST') return undefined;
          service.control.addSigningKey('Lost');
          return { status: 500 };
        });
        await run('createSigningKey', { name: 'Lost' });
        assert.match(saidIn(fixture), /\(500\)\. A signing key may still have been created\./);
        await fixture.run('showLog');
        assert.deepEqual(service.control.signingKeys(), []);
      },
    ),
  );

  it(
    'says that the account has as many as the service allows, and offers to delete one',
    withCommands({ answers: { presses: ['Delete Signing Key…'] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      for (let number = 0; number < 11; number += 1) service.control.addSigningKey(`Key ${number}`);
      await run('createSigningKey', { name: 'Site' });
      assert.match(
        saidIn(fixture),
        /^Your account has 11 signing keys, and Production doesn't allow more\. Delete one that you no longer use\.$/,
      );
      assert.equal(ui.seen.picks[0]?.title, 'Delete Signing Key');
      assert.deepEqual(await keptNames(fixture), []);
    }),
  );

  it(
    'says what is forbidden if the account has few',
    withCommands({}, async (fixture) => {
      fixture.service.control.fault(({ method }) => (method === 'POST' ? { status: 403 } : undefined));
      await fixture.run('createSigningKey', { name: 'Site' });
      assert.match(saidIn(fixture), /^Create Signing Key: This API key doesn't have permission to do that\./);
    }),
  );

  it(
    'says in words why the service creates no signing key',
    withCommands({}, async (fixture) => {
      const errors = [JSON.stringify({ dataPath: '.name', message: 'is too long' })];
      fixture.service.control.fault(({ method }) =>
        method === 'POST' ? { status: 422, body: JSON.stringify({ errors }) } : undefined,
      );
      await fixture.run('createSigningKey', { name: 'Site' });
      assert.match(saidIn(fixture), /rejected the request: "\.name is too long/);
      assert.deepEqual(await keptNames(fixture), []);
    }),
  );
});

describe('Using a signing key', () => {
  it(
    'takes the private half as an argument',
    withCommands({}, async (fixture) => {
      const { privateKey, publicKey } = fixture.service.control.addSigningKey('Site');
      await fixture.run('useSigningKey', { privateKey, publicKey });
      assert.deepEqual(await keptNames(fixture), ['Site']);
      assert.match(fixture.ui.seen.flashes.join(), /signing key "Site"/);
      assert.doesNotMatch(fixture.readable(), PRIVATE);
    }),
  );

  it('takes it in a password box, which says what is wrong with it and keeps what was typed', () => {
    const answers = { picks: ['Paste Private Key…'], inputs: ['', 'abcd'] };
    return withCommands({ answers }, async (fixture) => {
      const { privateKey } = fixture.service.control.addSigningKey('Site');
      fixture.ui.answers.inputs.push(atob(privateKey).replaceAll('\n', ' '));
      await fixture.run('useSigningKey');
      assert.deepEqual(await keptNames(fixture), ['Site']);
      assert.equal(fixture.ui.seen.inputs[0]?.isPassword, true);
      assert.deepEqual(fixture.ui.seen.corrections, [
        'Enter a private key.',
        'The private key is incomplete or unreadable. Include the BEGIN and END lines.',
      ]);
    })();
  });

  it('reads a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signing-key-'));
    const [file, large, missing] = ['key.pem', 'large.pem', 'missing.pem'].map((name) => join(folder, name));
    const answers = { picks: Array(3).fill('Open File…'), files: [missing, large, file].map(String) };
    await withCommands({ answers }, async (fixture) => {
      const { privateKey } = fixture.service.control.addSigningKey('Site');
      await writeFile(file ?? '', atob(privateKey));
      await writeFile(large ?? '', 'x'.repeat(100_000));
      await fixture.run('useSigningKey');
      await fixture.run('useSigningKey');
      assert.deepEqual(
        fixture.ui.seen.messages,
        Array(2).fill("Couldn't read the file. It may be too large for a private key."),
      );
      assert.deepEqual(await keptNames(fixture), []);
      await fixture.run('useSigningKey');
      assert.deepEqual(await keptNames(fixture), ['Site']);
    })();
    await rm(folder, { recursive: true });
  });

  it(
    'stores nothing of another account, or of a key that was deleted at the service',
    withCommands({}, async (fixture) => {
      const { privateKey, id } = fixture.service.control.addSigningKey('Site');
      fixture.service.control.deleteSigningKey(id);
      await fixture.run('useSigningKey', { privateKey });
      assert.match(saidIn(fixture), /^Your account doesn't have this signing key\./);
      assert.ok(![...fixture.secretStore.values.keys()].some((key) => key.startsWith('signingKey')));
      assert.doesNotMatch(fixture.readable(), PRIVATE);
    }),
  );
});

describe('Saving a private key to .env', () => {
  const root = makeTemporaryFolder('savedKeys');
  after(() => rm(root, { recursive: true, force: true }));

  /** Open folders, whose .env files are real. */
  async function searchIn(...names: readonly string[]): Promise<LeakSearch> {
    const places = names.map((name) => ({ name, path: join(root, name) }));
    for (const { path } of places) await mkdir(path, { recursive: true });
    return {
      findStream: async () => undefined,
      hasFolder: () => names.length > 0,
      findInFolders: async () => ({ files: 0, leaks: 0, tooLarge: 0 }),
      showMarks: async () => {},
      envPlaces: () =>
        places.map(({ name, path }) => ({
          folder: name,
          save: async (variables) => {
            return { ...(await saveTo(path, variables)), shownPath: `${name}/.env`, open: async () => {} };
          },
        })),
    };
  }

  const variablesIn = (name: string) => readVariables(textOf(join(root, name), '.env'));

  it('is offered when one was created, and writes both halves as token signers read them', async () => {
    const leakSearch = await searchIn('site');
    await withCommands({ leakSearch }, async (fixture) => {
      await fixture.run('createSigningKey', { name: 'Site' });
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Save Private Key to .env']);
      await fixture.run('savePrivateKey');
      const kept = await fixture.access.keyOf(connectionOf(fixture));
      const variables = variablesIn('site');
      assert.equal(variables.get('LIVEPEER_PUBLIC_KEY'), kept?.publicKey);
      assert.equal(atob(variables.get('LIVEPEER_PRIVATE_KEY') ?? ''), kept?.privateKey);
      assert.match(textOf(join(root, 'site'), '.gitignore'), /^\.env$/m);
      assert.match(
        saidIn(fixture),
        /Saved the signing key "Site" in site\/\.env as LIVEPEER_PUBLIC_KEY and LIVEPEER_PRIVATE_KEY\. Make sure .* Added \.env to \.gitignore\.$/,
      );
      assert.doesNotMatch(fixture.readable(), PRIVATE);
      assert.deepEqual(fixture.ui.seen.copied, []);
    })();
  });

  it('asks which key and which folder if there are several', async () => {
    const leakSearch = await searchIn('one', 'two');
    await withCommands({ leakSearch, answers: { picks: ['Second', 'two'] } }, async (fixture) => {
      for (const name of ['First', 'Second']) await fixture.run('createSigningKey', { name });
      await fixture.run('savePrivateKey');
      const second = fixture.service.control.signingKeys().find(({ name }) => name === 'Second');
      assert.equal(variablesIn('two').get('LIVEPEER_PUBLIC_KEY'), second?.publicKey);
      assert.equal(textOf(join(root, 'one'), '.env'), '');
    })();
  });

  it('is not offered without a folder, and says what is missing', async () => {
    const cases = [
      [await searchIn(), 'Open a folder first.'],
      [await searchIn('site'), "There's no signing key on this computer."],
    ] as const;
    for (const [leakSearch, said] of cases) {
      await withCommands({ leakSearch }, async (fixture) => {
        await fixture.run('savePrivateKey');
        assert.equal(saidIn(fixture), said);
      })();
    }
    await withCommands({ leakSearch: cases[0][0] }, async ({ run, ui }) => {
      await run('createSigningKey', { name: 'Site' });
      assert.deepEqual(ui.seen.said[0]?.actions, []);
    })();
  });

  it('changes nothing if the file can’t be written, and says why', async () => {
    const leakSearch = await searchIn('folder');
    await mkdir(join(root, 'folder/.env'));
    await withCommands({ leakSearch }, async (fixture) => {
      await fixture.run('createSigningKey', { name: 'Site' });
      await fixture.run('savePrivateKey', { id: fixture.service.control.signingKeys()[0]?.id });
      assert.match(
        saidIn(fixture),
        /\.env is a folder\. The key wasn't saved\. Rename the folder, and then try again\.$/,
      );
      assert.equal(textOf(join(root, 'folder'), '.gitignore'), '');
      await fixture.run('savePrivateKey', { id: 'no-such-key' });
      assert.match(saidIn(fixture), /The private key of this signing key isn't on this computer\.$/);
    })();
  });
});

describe('Deleting a signing key', () => {
  it(
    'asks first, naming what stops working, and deletes the private half as well',
    withCommands({ answers: { picks: ['Site'], confirms: [true] } }, async (fixture) => {
      const { run, service, ui, context } = fixture;
      service.control.addSigningKey('Other');
      await run('createSigningKey', { name: 'Site' });
      const { id } = service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
      await context.connection.account.readStream(id, { pin: true });
      await run('deleteSigningKey');
      const [question] = ui.seen.questions;
      assert.deepEqual(question, {
        message: 'Delete the signing key "Site"?',
        detail: [
          'Tokens signed with it will stop working, including those that your servers sign.',
          'Its private key will be deleted from this computer.',
          'Streams that need a token: "Members".',
          "You can't undo this.",
        ].join('\n'),
        act: 'Delete',
      });
      assert.deepEqual(fieldsOf(service.control.signingKeys(), 'name'), ['Other']);
      assert.deepEqual(await keptNames(fixture), []);
      const descriptions = ui.seen.picks[0]?.items.map(({ label, description = '' }) => `${label}: ${description}`);
      assert.ok(descriptions?.some((each) => each.startsWith('Site: on this computer')));
    }),
  );

  it(
    'deletes nothing if that is dismissed, and says what is gone or that there is none',
    withCommands({}, async (fixture) => {
      const { run, service } = fixture;
      await run('deleteSigningKey');
      const { id } = service.control.addSigningKey('Site');
      await run('deleteSigningKey', { id });
      await run('deleteSigningKey', 'no-such-key');
      assert.equal(service.control.signingKeys().length, 1);
      assert.equal(saidIn(fixture), 'There are no signing keys yet.\nThis signing key no longer exists.');
    }),
  );

  it(
    'is done for those of a connection that is removed, on this computer alone',
    withCommands({ answers: { confirms: [true] } }, async (fixture) => {
      const { run, service, secretStore } = fixture;
      await run('createSigningKey', { name: 'Site' });
      await run('removeConnection', 'Production');
      assert.ok(![...secretStore.values.keys()].some((key) => key.startsWith('signingKey')));
      assert.equal(service.control.signingKeys().length, 1);
    }),
  );
});
