import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/commands/table.ts';
import { isDeliveryRun, readDeliveryMessage, runOf } from '../../../src/panels/deliveryMessages.ts';
import type { DeliveryAct, DeliveryRun } from '../../../src/webview/delivery/messages.ts';

describe('What the page of a delivery may say', () => {
  const runs: Readonly<Record<DeliveryRun, string>> = {
    ...{ resendDelivery: 'resendDelivery delivery', openDelivery: 'openDelivery attempt' },
    ...{ replayDelivery: 'replayDelivery delivery', replayElsewhere: 'replayDelivery elsewhere' },
    ...{ showStream: 'showStream stream', editWebhook: 'editWebhook webhook' },
    ...{ enterSecret: 'editWebhook secret', copyWebhookSecret: 'copyWebhookSecret signer' },
    ...{ setApiKey: 'setApiKey none', switchConnection: 'switchConnection none' },
    ...{ addConnection: 'addConnection none', startDemo: 'startDemo none' },
  };
  const acts: Readonly<Record<DeliveryAct, true>> = {
    ...{ copyCurl: true, copyBody: true, copySignature: true, reveal: true, hide: true, retry: true },
    openOwnConnection: true,
  };

  for (const [act, run] of Object.entries(runs)) {
    it(`is ${act}, which runs ${run}`, () => {
      const said = readDeliveryMessage({ kind: 'press', act });
      assert.ok(said && isDeliveryRun(said.act));
      const { command, target } = runOf(said.act);
      assert.ok(Object.hasOwn(COMMANDS, command));
      assert.equal(`${command} ${target}`, run);
    });
  }

  for (const act of Object.keys(acts)) {
    it(`is the act ${act}`, () =>
      assert.deepEqual(readDeliveryMessage({ kind: 'press', act }), { kind: 'press', act, target: undefined }));
  }

  it('is nothing else', () => {
    for (const act of ['deleteWebhook', 'copyStreamKey', 'toString', '__proto__', '', 7, undefined]) {
      assert.equal(readDeliveryMessage({ kind: 'press', act }), undefined);
    }
    for (const message of [
      undefined,
      null,
      'press',
      7,
      [],
      {},
      { kind: 'show', act: 'reveal' },
      { kind: 'press', act: 'openDelivery', target: 7 },
    ]) {
      assert.equal(readDeliveryMessage(message), undefined);
    }
  });
});
