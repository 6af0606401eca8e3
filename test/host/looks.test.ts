import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { restoreDefaults } from './defaultSettings.ts';
import { eventually } from './eventually.ts';
import { withProduct } from './product.ts';

const SECOND = 1000;

function write(seconds: number | undefined): Thenable<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  return vscode.workspace.getConfiguration('liveStreams').update('refreshInterval', seconds, Workspace);
}

describe('Looks at the service', () => {
  afterEach(async () => {
    await write(undefined);
    await restoreDefaults();
    await vscode.commands.executeCommand('workbench.view.explorer');
  });

  it(
    'are one request for the active streams each, in the chosen rhythm while the view is seen, and none when it is hidden',
    withProduct({}, async (product) => {
      await write(5);
      await vscode.commands.executeCommand('liveStreams.streams.focus');
      await product.rows();
      const { control } = product.service;
      const times: number[] = [];
      control.fault(() => void times.push(performance.now()));
      control.clearRequests();
      await eventually(() => assert.ok(times.length >= 3));
      const looks = product.requests().map((line) => decodeURIComponent(line));
      assert.ok(
        looks.every((line) => line.includes('"isActive","value":true')),
        looks.join('\n'),
      );
      const [, second = 0, third = 0] = times;
      assert.ok(third - second > 4.4 * SECOND, times.join());
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually(() => assert.equal(product.view.visible, false));
      control.clearRequests();
      // A look would be due before: its timer is one of this process, as this one is.
      await pause(7 * SECOND);
      assert.deepEqual(product.requests(), []);
    }),
  );
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
