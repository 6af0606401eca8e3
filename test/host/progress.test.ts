import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showProgress, showWork } from '../../src/host/boxes/progress.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { heldClock } from '../support/model/heldClock.ts';
import { eventually } from './eventually.ts';
import { replace } from './replace.ts';

interface Shown {
  readonly title: string | undefined;
  readonly reports: { readonly message?: string; readonly increment?: number }[];
  cancel(): void;
}

describe('The work of a command', () => {
  it('is shown in its view once it takes longer, then in the Status Bar as well, until it ends', async () => {
    const clock = heldClock();
    const shown: { readonly location: unknown; readonly title: string | undefined; ended: boolean }[] = [];
    const withProgress = async (options: vscode.ProgressOptions, task: () => Thenable<unknown>) => {
      const entry = { location: options.location, title: options.title, ended: false };
      shown.push(entry);
      await task();
      entry.ended = true;
    };
    const watching = replace(vscode.window, 'withProgress', withProgress);
    try {
      showWork(clock, 'createStream').dispose();
      assert.equal(clock.timerCount, 0);
      const work = showWork(clock, 'resendDelivery');
      assert.deepEqual(shown, []);
      await clock.advance(999);
      const inView = { location: { viewId: 'liveStreams.webhooks' }, title: undefined };
      assert.deepEqual(shown, [{ ...inView, ended: false }]);
      await clock.advance(1);
      const inStatusBar = { location: vscode.ProgressLocation.Window, title: 'Resend Delivery…' };
      assert.deepEqual(shown, [
        { ...inView, ended: false },
        { ...inStatusBar, ended: false },
      ]);
      work.dispose();
      await eventually(() => assert.deepEqual(fieldsOf(shown, 'ended'), [true, true]));
    } finally {
      watching.dispose();
    }
  });
});

describe('Progress', () => {
  const shown: Shown[] = [];
  let watching: { dispose(): void };

  beforeEach(() => {
    shown.length = 0;
    const withProgress = async (
      options: vscode.ProgressOptions,
      task: Parameters<typeof vscode.window.withProgress>[1],
    ) => {
      const cancelling = new vscode.CancellationTokenSource();
      const reports: Shown['reports'] = [];
      shown.push({ title: options.title, reports, cancel: () => cancelling.cancel() });
      await task({ report: (value) => void reports.push(value) }, cancelling.token);
    };
    watching = replace(vscode.window, 'withProgress', withProgress);
  });
  afterEach(() => watching.dispose());

  it('is not shown for a task that ends at once, whatever comes of the task', async () => {
    assert.equal(await showProgress('Connecting', async () => 'done'), 'done');
    const failing = showProgress('Connecting', () => Promise.reject(new Error('refused')));
    await assert.rejects(failing, /refused/);
    assert.deepEqual(shown, []);
  });

  it('begins with the latest report of a task that takes longer, and goes on by what each report adds', async () => {
    const task = Promise.withResolvers<string>();
    let report: Parameters<Parameters<typeof showProgress>[1]>[0] = assert.fail;
    const running = showProgress('Deleting', (given) => {
      report = given;
      given('1 of 4', 25);
      given('2 of 4', 50);
      return task.promise;
    });
    await eventually(() => assert.equal(shown.length, 1));
    report('3 of 4', 75);
    report('still 3 of 4');
    task.resolve('done');
    assert.equal(await running, 'done');
    assert.deepEqual(shown[0]?.reports, [
      { message: '2 of 4', increment: 50 },
      { message: '3 of 4', increment: 25 },
      { message: 'still 3 of 4' },
    ]);
    assert.equal(shown[0]?.title, 'Deleting');
  });

  it('aborts its task where the person cancels', async () => {
    const running = showProgress('Waiting', (_, signal) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await eventually(() => assert.equal(shown.length, 1));
    shown[0]?.cancel();
    await assert.rejects(running, { name: 'AbortError' });
  });
});
