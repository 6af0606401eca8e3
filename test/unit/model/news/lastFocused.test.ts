import assert from 'node:assert/strict';
import { LastFocused } from '../../../../src/model/news/announcements.ts';
import type { Memento, NotificationKind } from '../../../../src/services.ts';
import { Emitter } from '../../../../src/util/events.ts';
import { fakeLog, fakeMemento, fakeSettings } from '../../../support/model/fakes.ts';

/** Windows that share one storage. */
function openWindows() {
  const values = new Map<string, unknown>();
  const state: { chosen: readonly NotificationKind[] } = { chosen: ['streamStarted'] };
  const settings = new Emitter<void>();
  const log = fakeLog();
  const open = (windowId: string, overrides: Partial<Memento> = {}) => {
    const changes = new Emitter<void>();
    let isFocused = false;
    const lastFocused = new LastFocused({
      presence: { isViewVisible: () => false, isFocused: () => isFocused, onDidChange: changes.event },
      settings: fakeSettings({ notifications: () => new Set(state.chosen), onDidChange: settings.event }),
      global: fakeMemento(values, overrides),
      ...{ windowId, log },
    });
    const focus = (is: boolean) => {
      isFocused = is;
      changes.fire();
    };
    return { lastFocused, focus };
  };
  return { values, state, settings, log, open };
}

describe('The window that had the focus last', () => {
  it('is the only one that may notify, also when no window has the focus any more', () => {
    const { open } = openWindows();
    const [a, b] = [open('a'), open('b')];
    const may = () => [a.lastFocused.isThisWindow(), b.lastFocused.isThisWindow()];
    a.focus(true);
    assert.deepEqual(may(), [true, false]);
    a.focus(false);
    assert.deepEqual(may(), [true, false]);
    b.focus(true);
    assert.deepEqual(may(), [false, true]);
    b.focus(false);
    assert.deepEqual(may(), [false, true]);
  });

  it('is any while none was noted, and again after it was closed', () => {
    const { open } = openWindows();
    const [a, b] = [open('a'), open('b')];
    assert.equal(a.lastFocused.isThisWindow(), true);
    b.focus(true);
    b.focus(false);
    assert.equal(a.lastFocused.isThisWindow(), false);
    b.lastFocused.dispose();
    assert.equal(a.lastFocused.isThisWindow(), true);
  });

  it('keeps the note of another window when it is closed', () => {
    const { open, values } = openWindows();
    const [a, b] = [open('a'), open('b')];
    a.focus(true);
    b.focus(true);
    a.lastFocused.dispose();
    assert.deepEqual([...values.values()], ['b']);
  });

  it('is this one while it has the focus, though the storage lags behind', () => {
    const { open } = openWindows();
    const a = open('a', { get: () => 'b' });
    a.focus(true);
    assert.equal(a.lastFocused.isThisWindow(), true);
  });

  it('is noted only when notifications are chosen, and once', () => {
    const { open, values, state, settings } = openWindows();
    state.chosen = [];
    let writes = 0;
    const a = open('a', {
      set: async (key, value) => {
        writes += 1;
        values.set(key, value);
      },
    });
    a.focus(true);
    assert.equal(writes, 0);
    state.chosen = ['recordingReady'];
    settings.fire();
    a.focus(false);
    a.focus(true);
    assert.deepEqual([writes, ...values.values()], [1, 'a']);
  });

  it('is told to the log when it cannot be noted', async () => {
    const { open, log } = openWindows();
    const a = open('a', { set: () => Promise.reject(new Error('full')) });
    a.focus(true);
    await Promise.resolve();
    assert.equal(log.lines.length, 1);
  });
});
