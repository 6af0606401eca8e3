import type { Clock, Log } from '../services.ts';
import type { Reader } from '../util/dates.ts';
import type { RunningDemo } from './addresses.ts';
import type { Connection } from './connection/connection.ts';
import type { StreamLoader } from './loading/loader.ts';
import type { Settings } from './settingValues.ts';
import type { StreamStore } from './store/store.ts';

/** What is known of one connection, and what loads it. */
export interface ConnectionObjects {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly connection: Connection;
}

/** The objects of the model in a window, and what they run with. Functions take it whole. */
export interface ModelContext extends ConnectionObjects {
  readonly settings: Settings;
  readonly demo: { readonly name: string; readonly running: RunningDemo | undefined };
  readonly clock: Clock;
  readonly log: Log;
  /** The user's locale and time zone, and the current time. */
  readonly drawing: () => Reader;
}
