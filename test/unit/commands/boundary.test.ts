import assert from 'node:assert/strict';
import { ApiError, type ApiErrorCause, type ApiErrorReason } from '../../../src/api/errors.ts';
import { runAction, runCommand } from '../../../src/commands/boundary.ts';
import { HANDLERS } from '../../../src/commands/handlers.ts';
import { Refusal } from '../../../src/texts/refusal.ts';
import { serviceOf } from '../../../src/texts/refusals.ts';
import { withCommands } from './fixture.ts';

const NEEDS_CONNECTION = Object.keys(HANDLERS).filter(
  (id) =>
    !/Connection$|^setApiKey$|^chooseNotifications$|Demo$|^show|^revealSecrets$|^openProxySettings$|^collapse|^inspect|^stopTest|^stopListening$|^sendEditedEvent$|^insertWebhookHandler$|^insertTokenSigner$/.test(
      id,
    ),
);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('the error boundary', () => {
  it(
    'says what to do without a connection, for every command that needs one, and asks nobody',
    withCommands({ isConnected: false }, async ({ run, ui, requests, context }) => {
      context.connection.close();
      assert.ok(NEEDS_CONNECTION.length >= 20);
      for (const id of NEEDS_CONNECTION) {
        for (const args of [[], ['an-id']]) {
          ui.seen.said.splice(0);
          await run(id, ...args);
          assert.deepEqual(
            ui.seen.said,
            [
              {
                severity: 'info',
                message: 'Connect to a service first.',
                actions: ['Connect to a Service…', 'Try the Demo'],
              },
            ],
            id,
          );
        }
      }
      assert.deepEqual([requests(), ui.seen.picks, ui.seen.copied], [[], [], []]);
    }),
  );

  it(
    'offers to switch to a stored connection, where there is one and none is open',
    withCommands({}, async ({ run, ui, context }) => {
      context.connection.close();
      await run('refresh');
      assert.deepEqual(ui.seen.said[0]?.actions, ['Switch Connection…', 'Connect to a Service…']);
    }),
  );

  it(
    'runs what was pressed',
    withCommands(
      { isConnected: false, answers: { presses: ['Try the Demo'] } },
      async ({ run, demoCalls, context }) => {
        context.connection.close();
        await run('refresh');
        assert.deepEqual(demoCalls, ['start']);
      },
    ),
  );

  it(
    'offers another key after a 401, and marks the key as refused',
    withCommands({}, async ({ run, ui, service, context, readable }) => {
      service.control.revokeKey();
      await run('openJson', service.control.streams()[0]?.id);
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'error',
          message: 'Open as JSON: The API key was rejected.',
          actions: ['Set API Key…', 'Show Log'],
        },
      ]);
      assert.equal(context.store.snapshot.connection.kind, 'refused');
      assert.ok(!readable().includes(service.apiKey));
    }),
  );

  for (const id of [
    'createStream',
    'createWebhook',
    'createSigningKey',
    'setPlaybackPolicy',
    'addMultistreamTarget',
  ] as const) {
    it(
      `says before ${id} asks for anything that the key is rejected, and asks once the service accepts it`,
      withCommands({}, async ({ run, ui, service, context }) => {
        const target = /^create/.test(id) ? [] : [service.control.streams()[0]?.id];
        const asked = () => [...ui.seen.inputs, ...ui.seen.picks, ...ui.seen.questions].length;
        service.control.revokeKey();
        await context.loader.reloadList('active');
        assert.equal(context.store.snapshot.connection.kind, 'refused');
        await run(id, ...target);
        assert.equal(asked(), 0);
        const message = `${context.commandTitle(id)}: The API key was rejected.`;
        assert.deepEqual(ui.seen.said, [{ severity: 'error', message, actions: ['Set API Key…', 'Show Log'] }]);
        service.control.restoreKey();
        await run(id, ...target);
        assert.equal(asked(), 1);
        assert.equal(context.store.snapshot.connection.kind, 'open');
      }),
    );
  }

  it(
    'says that nothing was changed where the service that rejected the key is away',
    withCommands({ answers: { confirms: [true] } }, async ({ run, ui, service, context, requests }) => {
      const id = service.control.streams()[0]?.id;
      service.control.revokeKey();
      await context.loader.reloadList('active');
      service.control.fault(() => 'reset');
      await run('deleteStream', id);
      const [{ severity, message, actions } = { message: '' }] = ui.seen.said;
      assert.match(message, /^Couldn't check the API key, so nothing was changed\. Lost the connection to /);
      assert.deepEqual([severity, actions, ui.seen.questions], ['error', ['Retry', 'Show Log'], []]);
      assert.ok(requests().every((line) => line.startsWith('GET')));
    }),
  );

  it(
    'says that the API is not there, not that something was deleted, where the service that rejected the key has moved',
    withCommands({}, async ({ run, ui, service, context }) => {
      service.control.revokeKey();
      await context.loader.reloadList('active');
      service.control.fault(() => ({ status: 404, body: '{}' }));
      await run('deleteStream', service.control.streams()[0]?.id);
      const said = /^Couldn't check the API key, so nothing was changed\. Couldn't find the API on \S+ \(404\)\./;
      assert.match(ui.seen.said[0]?.message ?? '', said);
    }),
  );

  it(
    'copies what is known with a key that is rejected',
    withCommands({}, async ({ run, ui, service, context }) => {
      service.control.revokeKey();
      await context.loader.reloadList('active');
      const [first] = context.store.snapshot.streams.values();
      ui.answers.picks.push(first?.stream.name ?? '');
      await run('copyStreamKey');
      assert.deepEqual(ui.seen.copied, [first?.stream.streamKey]);
    }),
  );

  it(
    'keeps the connection after a 403, and offers to set another key',
    withCommands({}, async ({ run, ui, service, context }) => {
      service.control.fault(() => ({ status: 403, body: '{"errors":["account suspended"]}' }));
      await run('openJson', service.control.streams()[0]?.id);
      assert.equal(context.store.snapshot.connection.kind, 'open');
      assert.match(ui.seen.said[0]?.message ?? '', /rejected the request: "account suspended\."$/);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Retry', 'Set API Key…', 'Show Log']);
      service.control.fault(() => ({ status: 403, body: '{}' }));
      await run('openJson', service.control.streams()[0]?.id);
      assert.equal(ui.seen.said[1]?.message, "Open as JSON: This API key doesn't have permission to do that.");
      assert.deepEqual(ui.seen.said[1]?.actions, ['Set API Key…', 'Show Log']);
    }),
  );

  it(
    'offers another try of what may pass, and runs the command again with what it was given',
    withCommands({}, async ({ context, ui }) => {
      const passing: readonly ApiErrorReason[] = [
        'rateLimited',
        'unavailable',
        'network',
        'timeout',
        'invalidResponse',
      ];
      for (const reason of passing) {
        const calls: unknown[] = [];
        const handler = (_: unknown, ...args: readonly unknown[]): void => {
          calls.push(args);
          if (calls.length === 1) throw new ApiError(reason, 'for the log');
        };
        ui.answers.presses.push('Retry');
        await runCommand({ ...context, handlers: { ...HANDLERS, refresh: handler } }, 'refresh', ['given']);
        await settle();
        assert.deepEqual(calls, [['given'], ['given']], reason);
      }
      assert.equal(ui.seen.said.length, passing.length);
    }),
  );

  it(
    'says what failed, and names the connection once if there are several, and the host if there is one',
    withCommands({}, async ({ context, ui }) => {
      const failing = (reason: ApiErrorReason) => () => {
        throw new ApiError(reason, 'for the log', { host: 'a.example' });
      };
      const said = async (reason: ApiErrorReason) => {
        await runCommand({ ...context, handlers: { ...HANDLERS, renameStream: failing(reason) } }, 'renameStream');
        return ui.seen.said.at(-1)?.message;
      };
      assert.equal(await said('unavailable'), 'Rename Stream: a.example is unavailable.');
      context.store.setConnectionCount(2);
      assert.equal(await said('unavailable'), 'Rename Stream: Production is unavailable.');
      assert.equal(await said('unauthorized'), 'Rename Stream (Production): The API key was rejected.');
      const service = serviceOf(context, new ApiError('unavailable', 'for the log', { host: 'a.example' }));
      assert.equal(service, undefined, 'a message that begins with the connection');
    }),
  );

  it(
    'offers the setting that helps against what stands in the way',
    withCommands({}, async ({ context, ui }) => {
      const network = (why: ApiErrorCause) => new ApiError('network', 'for the log', { why, host: 'a.example' });
      const helping: readonly [ApiError, string][] = [
        [network('proxyAuthentication'), 'http.proxy'],
        [network('proxy'), 'http.proxy'],
        [network('proxyUnsupported'), 'liveStreams.network.client'],
        [network('certificate'), 'http.systemCertificates'],
        [new ApiError('timeout', 'for the log', { host: 'a.example' }), 'liveStreams.network.timeout'],
      ];
      for (const [error, setting] of helping) {
        ui.answers.presses.push('Open Settings');
        await runAction(context, {
          run: () => {
            throw error;
          },
        });
        await settle();
        assert.deepEqual(ui.seen.said.pop()?.actions, ['Open Settings', 'Retry', 'Show Log']);
        assert.equal(ui.seen.settings.pop(), setting);
      }
    }),
  );

  it(
    'does not wait for its message to be answered, and returns what a handler returns',
    withCommands({ ui: { notify: () => new Promise(() => {}) } }, async ({ context }) => {
      assert.equal(
        await runAction(context, {
          run: () => {
            throw new Refusal('No.');
          },
        }),
        undefined,
      );
      assert.equal(await runAction(context, { run: () => 'value' }), 'value');
    }),
  );

  it(
    'says nothing of what was aborted',
    withCommands({}, async ({ context, ui, log }) => {
      await runAction(context, { run: () => AbortSignal.abort().throwIfAborted() });
      assert.deepEqual([ui.seen.said, log.lines], [[], []]);
    }),
  );

  it(
    'tells the person where to look for an error that nobody foresaw, and not what the error quotes',
    withCommands({ answers: { presses: ['Show Log'] } }, async ({ context, ui, log }) => {
      await runAction(context, {
        run: () => {
          throw new TypeError('cannot read abc');
        },
      });
      await settle();
      assert.doesNotMatch(ui.seen.said[0]?.message ?? '', /abc/);
      assert.match(log.lines.join(), /cannot read abc/);
      assert.equal(ui.seen.logShown.length, 1);
    }),
  );

  it(
    'does not blame the connection that is open for a 401 of the one before',
    withCommands({}, async ({ context, service }) => {
      await runAction(context, {
        run: () => {
          context.connection.open({ ...service, id: 'next', name: 'Next', insecureAccepted: false });
          throw new ApiError('unauthorized', 'of the one before');
        },
      });
      assert.equal(context.store.snapshot.connection.kind, 'open');
    }),
  );
});
