import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ALL_ABILITIES } from '../../src/api/types.ts';
import { externalAddress } from '../../src/host/boxes/externalAddress.ts';
import { createLoadFailure } from '../../src/host/start/registrations.ts';
import { createPresence } from '../../src/host/start/viewsRuntime.ts';
import { type ContextKeys, contextKeysOf, keepContextKeys } from '../../src/host/tree/contextKeys.ts';
import { readDrawing } from '../../src/host/tree/drawing.ts';
import { makeTooltip, makeTreeItem } from '../../src/host/tree/treeItems.ts';
import { EMPTY_SNAPSHOT } from '../../src/model/store/snapshot.ts';
import type { Row } from '../../src/tree/row.ts';
import { createClock } from '../../src/util/clock.ts';
import { Emitter } from '../../src/util/events.ts';
import { fakeLog } from '../support/model/fakes.ts';
import { replace } from './replace.ts';
import { watchWindow } from './watchedWindow.ts';

describe('Context keys', () => {
  it('are set at the start, and then only when they are others than before', async () => {
    const set: [string, unknown][] = [];
    const changes = new Emitter<void>();
    let keys: ContextKeys = contextKeysOf(
      EMPTY_SNAPSHOT,
      { isDemoRunning: false, knowsDashboard: false, saysUrls: false },
      { isDone: () => false, isMarking: false },
    );
    const keeping = keepContextKeys({
      read: () => keys,
      onDidChange: changes.event,
      log: { ...fakeLog(), error: assert.fail },
      setContext: async (key, value) => void set.push([key, value]),
    });
    assert.deepEqual(
      set.map(([key]) => key.slice('liveStreams.'.length)).sort(),
      Object.entries(keys)
        .filter(([, value]) => value !== false)
        .map(([key]) => key)
        .sort(),
    );
    keys = { ...keys, isDemo: true };
    changes.fire();
    // What is false waits for the next turn, unless it isn't false any more by then.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(set.length, Object.keys(keys).length);
    assert.deepEqual(
      set.filter(([key]) => key === 'liveStreams.isDemo'),
      [['liveStreams.isDemo', true]],
    );
    set.length = 0;
    changes.fire();
    assert.deepEqual(set, []);
    keys = { ...keys, state: 'loaded', connectionCount: 2 };
    changes.fire();
    changes.fire();
    assert.deepEqual(set, [
      ['liveStreams.state', 'loaded'],
      ['liveStreams.connectionCount', 2],
    ]);
    keeping.dispose();
  });

  it('follow the snapshot', () => {
    const info = { id: '1', name: 'n', baseUrl: 'https://a.example', isDemo: true };
    const snapshot = { ...EMPTY_SNAPSHOT, connection: { kind: 'open', info } as const, filter: 'x' };
    const keys = contextKeysOf(
      { ...snapshot, abilities: { ...ALL_ABILITIES, delete: false } },
      { isDemoRunning: false, knowsDashboard: true, saysUrls: false },
      {
        isDone: (step) => step === 'encoder',
        isMarking: true,
      },
    );
    assert.deepEqual(
      [keys.state, keys.isDemo, keys.hasFilter, keys.cannotDelete, keys.cannotCreate, keys.knowsDashboard],
      ['loaded', true, true, true, false, true],
    );
    assert.deepEqual(
      [keys.hasConnected, keys.hasSeenStreams, keys.hasCopiedKey, keys.hasWatchedRecording, keys.marksSteps],
      [false, false, true, false, true],
    );
  });
});

describe('Rows in VS Code', () => {
  it('carry no tooltip until it is asked for, and the node for their command', () => {
    const node = { kind: 'group', id: 'group/active', list: 'active' } as const;
    let asked = 0;
    const row: Row = {
      label: 'Active',
      icon: { id: 'broadcast', color: 'liveStreams.liveForeground' },
      contextValue: 'group.active',
      collapsible: 'expanded',
      command: 'retry',
      accessibilityLabel: 'Active, 2 live',
      tooltip: () => {
        asked++;
        return { markdown: 'text' };
      },
    };
    const item = makeTreeItem(node, row, 'one');
    assert.equal(asked, 0);
    assert.equal(item.tooltip, undefined);
    assert.equal(item.id, `one/${node.id}`);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.deepEqual(item.command, { command: 'liveStreams.retry', title: '', arguments: [node] });
  });

  it('have tooltips that are not trusted and hold no HTML', () => {
    const tooltip = makeTooltip({ markdown: '<b>x</b> [y](command:z)' });
    assert.ok(!tooltip.isTrusted);
    assert.ok(!tooltip.supportHtml);
  });

  it('have tooltips that run no command but those of their links', () => {
    const links = [{ title: 'Watch', command: 'watchStream', id: 'id-1' } as const];
    const tooltip = makeTooltip({ markdown: '[y](command:z)', links }, { above: '![Live preview](data:)' });
    assert.deepEqual(tooltip.isTrusted, { enabledCommands: ['liveStreams.watchStream'] });
    const lines = tooltip.value.split('\n\n');
    assert.deepEqual(lines, [
      '![Live preview](data:)',
      '[y](command:z)',
      '[Watch](command:liveStreams.watchStream?%5B%22id-1%22%5D)',
    ]);
    assert.ok(!tooltip.supportHtml);
  });
});

describe('Addresses for the browser', () => {
  it('stay as they are when they are not loopback', async () => {
    const signed = 'https://cdn.example/a%2Fb.m3u8?sig=%2F%2B%3D';
    assert.equal(await externalAddress(signed), signed);
  });

  it('keep path and query to the letter where loopback is made reachable', async () => {
    const reachable = await externalAddress('http://127.0.0.1:8080/a%2Fb.m3u8?sig=%2F%2B%3D');
    assert.match(reachable, /^https?:\/\/.*\/a%2Fb\.m3u8\?sig=%2F%2B%3D$/);
  });
});

describe('Presence', () => {
  it('is a view on screen, of all that are watched', () => {
    const presence = createPresence();
    const visibility = new Emitter<void>();
    const view = { visible: false, onDidChangeVisibility: visibility.event };
    let changes = 0;
    presence.onDidChange(() => changes++);
    presence.watch({ visible: false, onDidChangeVisibility: new Emitter<void>().event });
    const watching = presence.watch(view);
    assert.equal(presence.isViewVisible(), false);
    view.visible = true;
    changes = 0;
    visibility.fire();
    assert.deepEqual([presence.isViewVisible(), changes], [true, 1]);
    watching.dispose();
    assert.equal(presence.isViewVisible(), false);
    presence.dispose();
  });

  it('is the focus of the window, as VS Code has it', () => {
    const focus = new Emitter<void>();
    const listening = replace(vscode.window, 'onDidChangeWindowState', focus.event);
    const presence = createPresence();
    let changes = 0;
    presence.onDidChange(() => changes++);
    try {
      for (const focused of [true, false, true]) {
        const state = replace(vscode.window, 'state', { focused, active: true });
        focus.fire();
        assert.equal(presence.isFocused(), focused);
        state.dispose();
      }
      assert.equal(changes, 3);
    } finally {
      presence.dispose();
      listening.dispose();
    }
  });
});

describe('Texts', () => {
  it('are formatted for the display language', () => {
    for (const language of ['de', 'fr']) {
      const setting = replace(vscode.env, 'language', language);
      try {
        assert.equal(readDrawing(createClock()).locale, language);
      } finally {
        setting.dispose();
      }
    }
  });
});

describe('Code that could not be loaded', () => {
  const tellWith = async (press: string | undefined, times: number) => {
    const ran: string[] = [];
    const window = watchWindow();
    const running = replace(vscode.commands, 'executeCommand', async (command: string) => void ran.push(command));
    try {
      if (press !== undefined) window.presses.push(press);
      const tell = createLoadFailure();
      await Promise.all(Array.from({ length: times }, tell));
      return { ran, said: window.said };
    } finally {
      running.dispose();
      window.dispose();
    }
  };

  it('is told once however often it is met, and nothing is reloaded by itself', async () => {
    const { ran, said } = await tellWith(undefined, 3);
    assert.deepEqual(said, [
      {
        severity: 'error',
        text: "Live Streams couldn't load. Reload the window to try again.",
        actions: ['Reload Window'],
      },
    ]);
    assert.deepEqual(ran, []);
  });

  it('has the window reloaded when that is pressed', async () => {
    assert.deepEqual((await tellWith('Reload Window', 1)).ran, ['workbench.action.reloadWindow']);
  });
});
