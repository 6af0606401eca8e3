import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { runAction, runCommand } from '../../../src/commands/boundary.ts';
import type { CommandHandler } from '../../../src/commands/context.ts';
import type { PickItem, Ui } from '../../../src/services.ts';
import { type DemoService, startDemo } from '../../support/demo/demoService.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, type FixtureOptions, MEDIA_ROOT, withCommands } from './fixture.ts';

interface TwoConnections extends Fixture {
  /** The service of "Stage", whose connection is open when the test begins. */
  readonly stage: DemoService;
  readonly prod: DemoService;
  readonly ids: { readonly stage: string; readonly prod: string };
  open(name: 'stage' | 'prod'): Promise<void>;
  /** What both services were asked to change. */
  changes(): readonly string[];
}

/** Two connections to services that hold the same streams: a database dump that was restored. */
function withTwo(options: FixtureOptions, test: (fixture: TwoConnections) => Promise<void>): () => Promise<void> {
  return withCommands(options, async (fixture) => {
    const { service: stage, context } = fixture;
    const prod = await startDemo({
      clock: heldClock(),
      mediaRoot: MEDIA_ROOT,
      seed: 1,
      isLively: false,
      streamCount: 12,
    });
    try {
      const { connections, store, connection } = context;
      const add = (name: string, { baseUrl, apiKey }: DemoService) =>
        connections.add({ name, baseUrl, apiKey, insecureAccepted: false });
      const stored = { stage: await add('Stage', stage), prod: await add('Prod', prod) };
      store.setConnectionCount(2);
      const open = async (name: 'stage' | 'prod'): Promise<void> => connection.open(stored[name]);
      await open('stage');
      const ids = { stage: stored.stage.id, prod: stored.prod.id };
      const changes = () =>
        [stage, prod].flatMap(({ control }, index) =>
          control.requests
            .filter(({ method }) => method !== 'GET')
            .map(({ method, path }) => `${index === 0 ? 'Stage' : 'Prod'} ${method} ${path}`),
        );
      await test({ ...fixture, stage, prod, ids, open, changes });
    } finally {
      prod.dispose();
    }
  });
}

/** Messages stay until the test answers them: as in the notification centre. */
function keptMessages(): {
  readonly ui: Pick<Ui, 'notify'>;
  readonly said: Kept[];
  /** Until it has said something, or what is waited for has come. */
  press(label: string, isOver?: () => boolean): Promise<void>;
} {
  const said: Kept[] = [];
  return {
    said,
    ui: {
      notify: (_severity, message, ...actions) =>
        new Promise((resolve) => {
          said.push({ message, actions, answer: resolve });
        }),
    },
    async press(label, isOver) {
      const last = said.at(-1);
      assert.ok(last, 'nothing was said');
      assert.ok(last.actions.includes(label), `${label} is not among: ${last.actions.join(', ')}`);
      const count = said.length;
      last.answer(label);
      await waitUntil(async () => isOver?.() ?? said.length > count);
    },
  };
}

interface Kept {
  readonly message: string;
  readonly actions: readonly string[];
  readonly answer: (label: string | undefined) => void;
}

const RATE_LIMITED = { status: 429, body: '{"errors":["slow down"]}' };

describe('A message of a connection that is not open any more', () => {
  it('creates nothing in another account, and says where it would have', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, stage, open, changes }) => {
      stage.control.fault(() => RATE_LIMITED);
      await run('createStream', { name: 'Made for Stage', record: true });
      assert.match(kept.said[0]?.message ?? '', /^Stage: /);
      stage.control.fault(() => undefined);
      const before = changes().length;
      await open('prod');
      await kept.press('Retry');
      assert.equal(kept.said.at(-1)?.message, 'This item belongs to "Stage", which isn\'t the current connection.');
      assert.equal(changes().length, before);
    })();
  });

  it('creates nothing in another account when it fails again after switching', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, stage, prod, open, context, ids }) => {
      const posts = ({ control }: DemoService) => control.requests.filter(({ method }) => method === 'POST').length;
      stage.control.fault(({ method }) => (method === 'POST' ? RATE_LIMITED : undefined));
      await run('createStream', { name: 'Made for Stage', record: true });
      await open('prod');
      await kept.press('Retry');
      await kept.press('Switch to "Stage"');
      assert.equal(context.connection.info?.id, ids.stage);
      await open('prod');
      await kept.press('Retry');
      assert.equal(kept.said.at(-1)?.message, 'This item belongs to "Stage", which isn\'t the current connection.');
      assert.equal(posts(prod), 0);
    })();
  });

  it('changes no stream of the same id in another account, and goes on after switching', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, stage, context, open, changes, ids, ui }) => {
      const stream = stage.control.streams().find(({ record, isActive }) => !record && !isActive);
      assert.ok(stream);
      stage.control.fault(({ method }) => (method === 'GET' ? undefined : RATE_LIMITED));
      await run('turnRecordingOn', stream.id);
      assert.match(kept.said[0]?.message ?? '', /^Turn On Recording \(Stage\): /);
      stage.control.fault(() => undefined);
      await open('prod');
      await kept.press('Retry');
      assert.ok(
        changes().every((change) => change.startsWith('Stage ')),
        changes().join(),
      );
      await kept.press('Switch to "Stage"', () => ui.seen.flashes.length > 0);
      assert.equal(context.connection.info?.id, ids.stage);
      assert.ok(
        changes().every((change) => change.startsWith('Stage ')),
        changes().join(),
      );
      assert.match(ui.seen.flashes.at(-1) ?? '', /^Turned on recording .*\(Stage\)$/);
    })();
  });

  it('asks for no key of the account that is open now', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, stage, open, ui }) => {
      stage.control.revokeKey();
      await run('openJson', stage.control.streams()[0]?.id);
      assert.equal(kept.said[0]?.message, 'Open as JSON (Stage): The API key was rejected.');
      await open('prod');
      await kept.press('Set API Key…');
      assert.match(kept.said.at(-1)?.message ?? '', /^This item belongs to "Stage"/);
      assert.deepEqual(ui.seen.inputs, []);
    })();
  });

  it('asks for the key of its own connection, where a key was refused while it was set', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, open, ui, prod }) => {
      await run('setApiKey', { apiKey: 'a-wrong-key' });
      await open('prod');
      await kept.press('Set API Key…', () => ui.seen.inputs.length > 0);
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'title'), ['Set API Key for "Stage"']);
      assert.deepEqual(
        prod.control.requests.filter(({ method }) => method !== 'GET'),
        [],
      );
    })();
  });

  it('offers whatever concerns no connection as before', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ run, stage, open, ui }) => {
      stage.control.revokeKey();
      await run('openJson', stage.control.streams()[0]?.id);
      await open('prod');
      await kept.press('Show Log', () => ui.seen.logShown.length > 0);
      assert.deepEqual([ui.seen.logShown.length, kept.said.length], [1, 1]);
    })();
  });

  it('is switched to by its id, though another has its name by now', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ context, open, ids }) => {
      const ran: (string | undefined)[] = [];
      const refresh: CommandHandler = ({ connection }) => {
        ran.push(connection.info?.id);
        throw new ApiError('timeout', 'for the log');
      };
      await runCommand({ ...context, handlers: { ...context.handlers, refresh } }, 'refresh');
      await context.connections.update(ids.stage, { name: 'Old Stage' });
      await context.connections.update(ids.prod, { name: 'Stage' });
      await open('prod');
      await kept.press('Retry');
      await kept.press('Switch to "Stage"', () => ran.length > 1);
      assert.deepEqual(ran, [ids.stage, ids.stage]);
    })();
  });

  it('says that it is gone, where the connection was removed', async () => {
    const kept = keptMessages();
    await withTwo({ ui: kept.ui }, async ({ context, open, ids }) => {
      let runs = 0;
      const run = () => {
        runs += 1;
        throw new ApiError('timeout', 'for the log');
      };
      await runAction(context, { run });
      await open('prod');
      await context.connections.remove(ids.stage);
      await kept.press('Retry');
      await kept.press('Switch to "Stage"');
      assert.equal(kept.said.at(-1)?.message, 'No connection with this name was found.');
      assert.deepEqual([runs, context.connection.info?.id], [1, ids.prod]);
    })();
  });
});

describe('A box that is answered when another connection is open', () => {
  const SENTENCE = 'The command was canceled because you switched connections.';

  it('copies nothing of what was picked', () => {
    let switchNow = async (): Promise<void> => {};
    return withTwo(
      {
        ui: {
          async pick({ items }) {
            const { promise, resolve } = Promise.withResolvers<PickItem<never> | undefined>();
            const take = (shown: readonly PickItem<never>[]) => {
              const first = shown.find(({ isSeparator }) => isSeparator !== true);
              if (first !== undefined) resolve(first);
            };
            const { signal } = new AbortController();
            if (typeof items !== 'function') take(items as readonly PickItem<never>[]);
            else
              items({
                signal,
                onDidType: () => ({ dispose() {} }),
                text: () => '',
                show: (shown) => take(shown as readonly PickItem<never>[]),
              });
            const chosen = await promise;
            await switchNow();
            return chosen?.value;
          },
        },
      },
      async ({ run, open, ui, prod }) => {
        switchNow = () => open('prod');
        await run('copyStreamKey');
        assert.deepEqual([ui.seen.copied, ui.seen.messages], [[], [SENTENCE]]);
        assert.deepEqual(
          prod.control.requests.filter(({ path }) => path.startsWith('/stream/')),
          [],
        );
      },
    )();
  });

  it('renames nothing', () => {
    let switchNow = async (): Promise<void> => {};
    return withTwo(
      {
        ui: {
          async input() {
            await switchNow();
            return 'Another name';
          },
        },
      },
      async ({ run, open, stage, changes, ui }) => {
        switchNow = () => open('prod');
        await run('renameStream', stage.control.streams()[0]?.id);
        assert.deepEqual([changes(), ui.seen.messages], [[], [SENTENCE]]);
      },
    )();
  });

  it('goes on where the box is of the connections themselves', () => {
    let switchNow = async (): Promise<void> => {};
    return withTwo(
      {
        ui: {
          async input() {
            await switchNow();
            return 'Staging';
          },
        },
      },
      async ({ run, open, context, ids, ui }) => {
        switchNow = () => open('prod');
        await run('renameConnection', 'Stage');
        const all = await context.connections.list();
        assert.deepEqual([all.find(({ id }) => id === ids.stage)?.name, ui.seen.said], ['Staging', []]);
      },
    )();
  });
});
