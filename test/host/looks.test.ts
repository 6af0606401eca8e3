import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { restoreDefaults } from './defaultSettings.ts';
import { FACE, withProduct } from './product.ts';

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
      await pause(2 * SECOND);
      product.service.control.clearRequests();
      await pause(13 * SECOND);
      const looks = product.requests().map((line) => decodeURIComponent(line));
      // The strict service refuses what is not stated once; from then on it is asked in its own words.
      assert.ok(looks.length >= 2 && looks.length <= 3, `${FACE}: ${looks.join('\n')}`);
      assert.ok(
        looks.every((line) => line.includes('"isActive","value":true')),
        looks.join('\n'),
      );
      await vscode.commands.executeCommand('workbench.view.explorer');
      await pause(1 * SECOND);
      product.service.control.clearRequests();
      await pause(7 * SECOND);
      assert.deepEqual(product.requests(), []);
    }),
  ).timeout(60 * SECOND);
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
