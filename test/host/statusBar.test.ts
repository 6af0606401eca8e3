import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/errors.ts';
import { keepBroadcastItem } from '../../src/host/boxes/broadcastItem.ts';
import { keepListenItem } from '../../src/host/boxes/listenItem.ts';
import { keepStatusItem, type StatusItem } from '../../src/host/tree/statusBar.ts';
import type { TestBroadcast } from '../../src/model/store/snapshot.ts';
import { StreamStore } from '../../src/model/store/store.ts';
import type { Listening, LocalDelivery } from '../../src/model/webhooks/state.ts';
import type { StatusText } from '../../src/tree/statusText.ts';
import { Emitter } from '../../src/util/events.ts';
import { openConnection } from '../support/model/builders.ts';
import { aLocalDelivery } from '../support/model/fakeWebhooks.ts';
import { heldClock } from '../support/model/heldClock.ts';
import { replace } from './replace.ts';

function fakeItem() {
  const calls: string[] = [];
  const item: StatusItem = {
    text: '',
    tooltip: undefined,
    command: undefined,
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
      return { text, tooltip: text, accessibilityLabel: `label of ${text}`, isWarning, hidesAt, needsKey: undefined };
    };
    const read = () => (status !== undefined && clock.now() >= (status.hidesAt ?? Infinity) ? undefined : status);
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
    assert.equal(item.command, 'liveStreams.goToLiveStream');
    await clock.advance(1000);
    assert.deepEqual(calls, ['show', 'show', 'hide']);
    assert.equal(clock.timerCount, 0);
    status = { ...of('API key rejected', true), hidesAt: undefined, needsKey: 'c1' };
    changes.fire();
    assert.equal(clock.timerCount, 0);
    assert.ok(typeof item.command === 'object');
    const { command, arguments: given } = item.command;
    assert.deepEqual([command, given], ['liveStreams.setApiKey', [{ connectionId: 'c1' }]]);
    keeping.dispose();
    assert.equal(calls.at(-1), 'dispose');
  });
});

describe('The item of test broadcasts', () => {
  it('is there while they run, and says how long they go on and which share of frames is dropped', () => {
    const { item, calls } = fakeItem();
    const store = new StreamStore({ clock: heldClock() });
    const made = replace(vscode.window, 'createStatusBarItem', () => item);
    const keeping = keepBroadcastItem(store);
    const shown = () => [item.text, item.tooltip, item.accessibilityInformation?.label];
    const set = (id: string, change?: Partial<TestBroadcast>) => {
      const base = { connectionId: 'c', name: 'Keynote', state: 'live', secondsLeft: 65, droppedPercent: 0 } as const;
      store.testBroadcastChanged(id, change && { ...base, ...change });
    };
    try {
      set('a', {});
      const line = 'Keynote: 1:05 left in test broadcast';
      const text = 'Stop Test Broadcast (1:05)';
      assert.deepEqual(shown(), [`$(stop-circle) ${text}`, line, `${text}, ${line}`]);
      set('a', { droppedPercent: 12 });
      assert.equal(item.tooltip, `${line}, 12% of frames dropped`);
      assert.equal(item.accessibilityInformation?.label, `${text}, ${line}, 12% of frames dropped`);
      set('b', { name: 'Town hall', state: 'reconnecting' });
      const other = 'Town hall: test broadcast, reconnecting…';
      assert.deepEqual(shown().slice(0, 2), [
        '$(stop-circle) Stop Test Broadcast',
        `${line}, 12% of frames dropped\n${other}`,
      ]);
      set('a');
      assert.equal(item.tooltip, other);
      set('b');
      assert.deepEqual(calls, ['show', 'dispose']);
    } finally {
      keeping.dispose();
      made.dispose();
    }
  });
});

describe('The item of listening', () => {
  it('says in its hover why nothing arrives while the account can not be read, and in words that no server is there', () => {
    const { item } = fakeItem();
    const clock = heldClock();
    const store = new StreamStore({ clock });
    const made = replace(vscode.window, 'createStatusBarItem', () => item);
    const listening: Listening = {
      url: 'http://localhost:3000/hook',
      events: undefined,
      webhookId: undefined,
      since: clock.now(),
    };
    const changed = new Emitter<void>();
    const deliveries: readonly LocalDelivery[] = [];
    const listener = { listening, deliveries, onDidChange: changed.event };
    const keeping = keepListenItem({ listener, store });
    const label = () => item.accessibilityInformation?.label ?? '';
    try {
      assert.match(label(), /^Sending events to localhost:3000/);
      const failed = aLocalDelivery({ isSuccess: false, statusCode: 500, createdAt: clock.now() - 1 });
      listener.deliveries = [failed];
      changed.fire();
      assert.match(label(), /^Sending events to localhost:3000/, 'it was before');
      listener.deliveries = [{ ...failed, createdAt: clock.now() }];
      changed.fire();
      assert.equal(item.text, '$(warning) localhost:3000 · 500');
      assert.match(label(), /^The handler responded with 500\. Sending events to localhost:3000/);
      assert.ok(item.backgroundColor);
      listener.deliveries = [aLocalDelivery({ createdAt: clock.now() })];
      changed.fire();
      assert.equal(item.text, '$(zap) localhost:3000');
      store.connected(openConnection({ id: 'c1' }));
      store.setConnectionCount(2);
      assert.equal(item.text, '$(zap) localhost:3000 · Production');
      const error = new ApiError('unauthorized', 'Refused', { status: 401 });
      store.openWriter().pollFailed({ error, at: clock.now(), nextTryAt: undefined });
      assert.match(label(), /^Not receiving events · localhost:3000\/hook · The API key was rejected/);
      assert.match((item.tooltip as vscode.MarkdownString).value, /API key was rejected/);
      assert.equal(item.text, '$(warning) Not receiving events');
      assert.ok(item.backgroundColor);
      listener.listening = { ...listening, isUnanswered: true };
      changed.fire();
      assert.equal(item.text, '$(warning) No server at localhost:3000');
    } finally {
      keeping.dispose();
      made.dispose();
    }
  });
});
