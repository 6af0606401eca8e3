import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { keepStatusItem, type StatusItem } from '../../src/host/tree/statusBar.ts';
import type { StatusText } from '../../src/tree/statusText.ts';
import { Emitter } from '../../src/util/events.ts';
import { heldClock } from '../support/model/heldClock.ts';

function fakeItem() {
  const calls: string[] = [];
  const item: StatusItem = {
    text: '',
    tooltip: undefined,
    backgroundColor: undefined,
    accessibilityInformation: undefined,
    show: () => void calls.push('show'),
    hide: () => void calls.push('hide'),
    dispose: () => void calls.push('dispose'),
  };
  return { item, calls };
}

describe('The item in the status bar', () => {
  it('follows changes, is written only when it says something else, and hides when its number gets old', async () => {
    const clock = heldClock();
    const changes = new Emitter<void>();
    const { item, calls } = fakeItem();
    let status: StatusText | undefined;
    const of = (text: string, isWarning = false): StatusText => {
      const hidesAt = clock.now() + 1000;
      return { text, tooltip: text, accessibilityLabel: `label of ${text}`, isWarning, hidesAt };
    };
    const read = () => (status !== undefined && clock.now() >= status.hidesAt ? undefined : status);
    const keeping = keepStatusItem({ read, onDidChange: changes.event, clock, item });
    assert.deepEqual([calls, clock.timerCount], [[], 0]);
    status = of('1 live');
    changes.fire();
    changes.fire();
    assert.deepEqual(calls, ['show']);
    assert.equal(item.accessibilityInformation?.label, 'label of 1 live');
    assert.equal(item.backgroundColor, undefined);
    status = of('1 live', true);
    changes.fire();
    assert.equal((item.backgroundColor as vscode.ThemeColor | undefined)?.id, 'statusBarItem.warningBackground');
    assert.equal(clock.timerCount, 1);
    await clock.advance(1000);
    assert.deepEqual(calls, ['show', 'show', 'hide']);
    assert.equal(clock.timerCount, 0);
    keeping.dispose();
    assert.equal(calls.at(-1), 'dispose');
  });
});
