import type { Clock, Log } from '../services.ts';
import type { Reader } from '../util/dates.ts';
import type { RunningDemo } from './addresses.ts';
import type { Connection } from './connection/connection.ts';
import type { StreamLoader } from './loading/loader.ts';
import type { Settings } from './settingValues.ts';
import type { StreamStore } from './store/store.ts';

/** A connection with its store and loader. */
export interface ConnectionObjects {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly connection: Connection;
}

/** The model's objects in a window and their dependencies. Functions take all of it. */
export interface ModelContext extends ConnectionObjects {
  readonly settings: Settings;
  readonly demo: { readonly name: string; readonly running: RunningDemo | undefined };
  readonly clock: Clock;
  readonly log: Log;
  /** The user's locale and time zone, and the current time. */
  readonly drawing: () => Reader;
}
