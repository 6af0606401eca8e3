import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createSettings } from '../../src/host/storage/settings.ts';
import { readNetworkSettings } from '../../src/host/storage/transport.ts';
import { fakeLog } from '../support/model/fakes.ts';
import { restoreDefaults } from './defaultSettings.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;
const write = (key: string, value: unknown, target = Workspace) =>
  vscode.workspace.getConfiguration('liveStreams').update(key, value, target);

describe('Settings', () => {
  const warnings: string[] = [];
  const settings = createSettings({ ...fakeLog(), warn: (message) => warnings.push(message) });
  before(() => restoreDefaults([Global, Workspace]));
  after(() => settings.dispose());
  afterEach(async () => {
    for (const key of ['pageSize', 'showHistoricChildStreams', 'refreshInterval']) await write(key, undefined);
    for (const key of ['network.timeout', 'addresses', 'notifications']) await write(key, undefined, Global);
    await restoreDefaults([Global, Workspace]);
    warnings.length = 0;
  });

  it('have the declared defaults', () => {
    assert.equal(settings.refreshInterval(), 15);
    assert.deepEqual(settings.notifications(), new Set());
    assert.equal(settings.pageSize(), 500);
    assert.equal(settings.showHistoricChildStreams(), false);
    assert.equal(settings.networkTimeout(), 20_000);
    assert.equal(settings.networkClient(), 'undici');
    assert.equal(settings.ffmpeg(), 'ffmpeg');
    assert.deepEqual({ ...settings.addresses() }, {});
    assert.equal(settings.agentTools(), 'read');
    assert.deepEqual(warnings, []);
  });

  it('are moved into their range when a workspace says otherwise, with one log line', async () => {
    await write('pageSize', 0.001);
    assert.equal(settings.pageSize(), 20);
    assert.equal(settings.pageSize(), 20);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^The setting liveStreams\.pageSize is not between 20 and 1000/);
    await write('pageSize', 5000);
    assert.equal(settings.pageSize(), 1000);
    assert.equal(warnings.length, 2);
  });

  it('fall back to the default when a workspace has another type, with one log line', async () => {
    await write('pageSize', 'abc');
    await write('showHistoricChildStreams', 'yes');
    for (const _ of [1, 2]) {
      assert.equal(settings.pageSize(), 500);
      assert.equal(settings.showHistoricChildStreams(), false);
    }
    assert.equal(warnings.length, 2);
  });

  it('turn looking off, or let it be as often as every 5 seconds', async () => {
    for (const [written, seconds] of [
      [0.001, 5],
      [-3, 0],
      [0, 0],
      ['abc', 15],
      [30, 30],
    ]) {
      await write('refreshInterval', written);
      assert.equal(settings.refreshInterval(), seconds);
    }
    assert.equal(warnings.length, 3);
  });

  it('take the kinds of notifications from the person alone', async () => {
    await write('notifications', ['streamStarted', 'nonsense'], Global);
    assert.deepEqual(settings.notifications(), new Set(['streamStarted']));
    assert.equal(warnings.length, 1);
    await write('notifications', 'streamStarted', Global);
    assert.equal(settings.notifications().size, 0);
    assert.equal(warnings.length, 2);
  });

  it('read the addresses that the person wrote', async () => {
    await write('addresses', { 'https://a.example/api': { hls: 'https://cdn.example/{playbackId}' }, b: 5 }, Global);
    assert.deepEqual({ ...settings.addresses() }, { 'https://a.example': { hls: 'https://cdn.example/{playbackId}' } });
    assert.equal(warnings.length, 1);
  });

  it('write addresses beside those that the person wrote, and the kinds of notifications', async () => {
    await write('addresses', { 'https://a.example/api': { hls: 'https://cdn.example/{playbackId}' } }, Global);
    await settings.writeAddresses('https://a.example', { rtmp: 'rtmp://a.example/{streamKey}' });
    await settings.writeAddresses('https://b.example', { hls: 'https://b.example/{playbackId}' });
    assert.deepEqual(settings.addresses(), {
      'https://a.example': { hls: 'https://cdn.example/{playbackId}', rtmp: 'rtmp://a.example/{streamKey}' },
      'https://b.example': { hls: 'https://b.example/{playbackId}' },
    });
    await settings.writeNotifications(['recordingReady']);
    assert.deepEqual(settings.notifications(), new Set(['recordingReady']));
    await settings.writeNotifications([]);
    assert.equal(settings.notifications().size, 0);
  });

  it('give the timeout in milliseconds', async () => {
    await write('network.timeout', 2.5, Global);
    assert.equal(settings.networkTimeout(), 2500);
  });

  it('say when they change, and only for ours', async () => {
    let heard = 0;
    const subscription = settings.onDidChange(() => heard++);
    await vscode.workspace.getConfiguration('editor').update('tabSize', 3, Workspace);
    assert.equal(heard, 0);
    await write('pageSize', 100);
    assert.equal(heard, 1);
    subscription.dispose();
    await vscode.workspace.getConfiguration('editor').update('tabSize', undefined, Workspace);
  });
});

describe('VS Code’s own network settings', () => {
  const SET = {
    proxy: 'http://proxy.test:3128',
    proxyAuthorization: 'Basic b3RoZXI=',
    noProxy: ['a.test', 'b.test'],
    proxySupport: 'off',
    proxyStrictSSL: false,
    systemCertificates: false,
  };
  const OURS = { timeoutMs: 1000, env: process.env };
  const writeHttp = async (values: Readonly<Record<string, unknown>>) => {
    const http = vscode.workspace.getConfiguration('http');
    for (const [key, value] of Object.entries(values)) await http.update(key, value, Global);
  };
  const both = [vscode.ExtensionKind.UI, vscode.ExtensionKind.Workspace];
  afterEach(() => writeHttp(Object.fromEntries(Object.keys(SET).map((key) => [key, undefined]))));

  it('are read with their defaults', () => {
    for (const where of both) {
      assert.deepEqual(readNetworkSettings(where, 1000), {
        ...{ noProxy: [], proxySupport: 'override', strictSSL: true, systemCertificates: true },
        ...{ proxy: undefined, proxyAuthorization: undefined, ...OURS },
      });
    }
  });

  it('are read as the person set them, on either machine', async () => {
    await writeHttp(SET);
    const { proxyStrictSSL: strictSSL, ...rest } = SET;
    for (const where of both) assert.deepEqual(readNetworkSettings(where, 1000), { ...rest, strictSSL, ...OURS });
  });
});
