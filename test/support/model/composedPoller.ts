import { Poller } from '../../../src/model/loading/poller.ts';
import type { NotificationKind } from '../../../src/services.ts';
import { Emitter } from '../../../src/util/events.ts';
import { composeModel } from './composedModel.ts';
import { fakeSettings } from './fakes.ts';

/** A model with its poller, in a window with the focus whose views are on screen until it becomes otherwise. */
export function composePoller(
  options: { refreshInterval?: number; notifications?: NotificationKind[]; random?: () => number } = {},
) {
  const model = composeModel();
  const state = { isViewVisible: true, isFocused: true, refreshInterval: options.refreshInterval ?? 15 };
  const present = new Emitter<void>();
  const settings = new Emitter<void>();
  const presence = {
    isViewVisible: () => state.isViewVisible,
    isFocused: () => state.isFocused,
    onDidChange: present.event,
  };
  const poller = new Poller({
    ...model,
    presence,
    settings: fakeSettings({
      refreshInterval: () => state.refreshInterval,
      notifications: () => new Set(options.notifications ?? []),
      onDidChange: settings.event,
    }),
    random: options.random ?? (() => 0),
  });
  const become = (change: Partial<typeof state>) => {
    Object.assign(state, change);
    ('refreshInterval' in change ? settings : present).fire();
  };
  return { ...model, presence, poller, state, become };
}
