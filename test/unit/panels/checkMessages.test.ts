import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/commands/table.ts';
import { isAboutStream, isCheckCommand, readCheckMessage } from '../../../src/panels/checkMessages.ts';
import type { CheckAct, CheckCommand } from '../../../src/webview/check/messages.ts';

describe('What the page of a check may say', () => {
  const commands: Readonly<Record<CheckCommand, boolean>> = {
    ...{ showStream: true, resumeStream: true, startTestBroadcast: true },
    ...{ createSigningKey: false, setApiKey: false, switchConnection: false, addConnection: false, startDemo: false },
  };
  const acts: Readonly<Record<CheckAct, boolean>> = {
    ...{ run: false, cancel: false, copyReport: false, openOwnConnection: false },
    ...{ copyLine: true, changeTarget: true, runAction: true },
  };

  for (const [act, isOfStream] of Object.entries(commands)) {
    it(`is the command ${act}`, () => {
      const said = readCheckMessage({ kind: 'press', act });
      assert.deepEqual(said, { kind: 'press', act });
      assert.ok(said && isCheckCommand(said.act) && Object.hasOwn(COMMANDS, said.act));
      assert.equal(isAboutStream(said.act), isOfStream);
    });
  }

  for (const [act, hasIndex] of Object.entries(acts)) {
    it(`is the act ${act}, ${hasIndex ? 'of one thing by its index' : 'without an index'}`, () => {
      const [plain, indexed] = [
        { kind: 'press', act },
        { kind: 'press', act, index: 3 },
      ] as const;
      assert.deepEqual(readCheckMessage(hasIndex ? indexed : plain), hasIndex ? indexed : plain);
      assert.equal(readCheckMessage(hasIndex ? plain : indexed), undefined);
    });
  }

  it('is nothing else', () => {
    for (const act of ['deleteStream', 'copyStreamKey', 'toString', '__proto__', '', 7, undefined]) {
      assert.equal(readCheckMessage({ kind: 'press', act }), undefined);
    }
    for (const index of [-1, 0.5, '0', Number.NaN, null]) {
      assert.equal(readCheckMessage({ kind: 'press', act: 'copyLine', index }), undefined);
    }
    for (const message of [undefined, null, 'press', 7, [], {}, { kind: 'show', act: 'run' }]) {
      assert.equal(readCheckMessage(message), undefined);
    }
  });
});
