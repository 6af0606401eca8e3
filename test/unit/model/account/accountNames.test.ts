import assert from 'node:assert/strict';
import { namesOf } from '../../../../src/model/account/accountNames.ts';
import { accountWords } from '../../../../src/texts/names.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { withCommands } from '../../commands/fixture.ts';

const BOTH = ['GET /api/project', 'GET /api/user/me'];

describe('What the service calls the account of a connection', () => {
  it(
    'is asked once for a connection, and again after a refresh',
    withCommands(
      { demo: { account: { projects: ['Studio\none'], email: 'me@example.com' } } },
      async ({ context, requests }) => {
        const { account } = context.connection;
        assert.equal(accountWords(context.store.snapshot, 'Production'), undefined);
        await Promise.all([namesOf(account).read(), namesOf(account).read()]);
        await namesOf(account).read();
        assert.deepEqual([...requests()].sort(), BOTH);
        assert.equal(accountWords(context.store.snapshot, 'Production'), 'Project: Studio one · me@example.com');
        account.resetAbilities();
        await namesOf(account).read();
        assert.equal(requests().length, 4);
      },
    ),
  );

  for (const [streamCount, words] of [
    [12, 'Project: One'],
    [0, undefined],
  ] as const) {
    it(
      `is the project of the streams, if there are several projects: ${words}`,
      withCommands({ demo: { streamCount, account: { projects: ['One', 'Two'] } } }, async ({ context }) => {
        await namesOf(context.connection.account).read();
        assert.equal(accountWords(context.store.snapshot, 'Production'), words);
      }),
    );
  }

  it(
    'is nothing where the service says neither, or something else',
    withCommands({ demo: { face: 'strict' } }, async ({ context, service }) => {
      const { account } = context.connection;
      for (const answer of [
        undefined,
        { status: 500 },
        { status: 403 },
        { body: '"odd"' },
        { body: '[{"name":" "}]' },
      ]) {
        service.control.fault(({ path }) =>
          /project|user/.test(path) ? answer && { status: 200, ...answer } : undefined,
        );
        account.resetAbilities();
        await namesOf(account).read();
        assert.equal(accountWords(context.store.snapshot, 'Production'), undefined, JSON.stringify(answer));
      }
    }),
  );

  it(
    'is in the picker of connections, beside the open one',
    withCommands({}, async ({ run, ui, context }) => {
      const { baseUrl = '' } = context.connection.info ?? {};
      await run('switchConnection');
      await run('switchConnection');
      for (const { items } of ui.seen.picks) {
        const [open] = fieldsOf(items, 'description', 'detail') ?? [];
        assert.deepEqual(open, [`${baseUrl} · Project: Studio at home`, undefined], 'rows of one height');
      }
      assert.equal(ui.seen.picks.length, 2);
    }),
  );

  it(
    'leaves out a project that the connection is named after',
    withCommands({}, async ({ run, ui, context }) => {
      const { connection, store } = context;
      assert.ok(connection.info !== undefined);
      const { baseUrl } = connection.info;
      await run('switchConnection');
      store.renamed({ ...connection.info, name: 'Studio at home' });
      await run('switchConnection');
      assert.deepEqual(
        ui.seen.picks.map(({ items }) => items[0]?.description),
        [`${baseUrl} · Project: Studio at home`, baseUrl],
      );
    }),
  );
});
