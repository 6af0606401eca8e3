import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/commands/table.ts';
import { deliveryTargetOf, isDeliveryCommand, readDeliveryMessage } from '../../../src/panels/deliveryMessages.ts';
import type { DeliveryAct, DeliveryCommand } from '../../../src/webview/delivery/messages.ts';

describe('What the page of a delivery may say', () => {
  const commands: Readonly<Record<DeliveryCommand, ReturnType<typeof deliveryTargetOf>>> = {
    ...{ resendDelivery: 'delivery', replayDelivery: 'delivery', showStream: 'stream', editWebhook: 'webhook' },
    ...{ copyWebhookSecret: 'webhook', openDelivery: 'attempt' },
    ...{ setApiKey: 'none', switchConnection: 'none', addConnection: 'none', startDemo: 'none' },
  };
  const acts: Readonly<Record<DeliveryAct, true>> = {
    ...{ copyCurl: true, copyBody: true, copySignature: true, reveal: true, hide: true, retry: true },
    ...{ enterSecret: true, replayElsewhere: true, openOwnConnection: true },
  };

  for (const [act, target] of Object.entries(commands)) {
    it(`is the command ${act}, on ${target === 'none' ? 'nothing' : `its ${target}`}`, () => {
      const said = readDeliveryMessage({ kind: 'press', act });
      assert.ok(said && isDeliveryCommand(said.act) && Object.hasOwn(COMMANDS, said.act));
      assert.equal(deliveryTargetOf(said.act), target);
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
