import type { StreamApi } from '../api/streamApi.ts';
import type { Session, Stream } from '../api/types.ts';
import type { RunningDemo } from '../model/addresses.ts';
import type { Connections } from '../model/connection/connections.ts';
import type { CurrentConnection } from '../model/connection/current.ts';
import type { Downloader } from '../model/downloads/downloader.ts';
import type { StreamLoader } from '../model/loading/loader.ts';
import type { RecentEnds } from '../model/loading/recentEnds.ts';
import type { StreamStore } from '../model/store/store.ts';
import type { Clock, Log, Settings, Ui } from '../services.ts';
import type { Reader } from '../util/dates.ts';

/** Starts and stops the embedded service; a second start while it runs just shows it. */
export interface DemoSwitch {
  /** Undefined while it does not run. */
  readonly running: RunningDemo | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The player in editor tabs: one for each stream and each session; a second time shows the one that is there. */
export interface PlayerTabs {
  openStream(stream: Stream): Promise<void>;
  openRecording(session: Session): Promise<void>;
}

/** The details page in editor tabs: one for each stream and each session; a second time shows the one that is there. */
export interface DetailsTabs {
  openStream(stream: Stream): Promise<void>;
  openSession(session: Session): Promise<void>;
}

/** What handlers may use. A handler names in its first parameter only what it needs: `Pick<CommandContext, 'ui' | 'store'>`. */
export interface CommandContext {
  readonly ui: Ui;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly connections: Connections;
  readonly current: CurrentConnection;
  readonly demo: DemoSwitch;
  readonly recentEnds: RecentEnds;
  readonly player: PlayerTabs;
  readonly details: DetailsTabs;
  readonly downloader: Downloader;
  /** On which machine files land, in words; undefined where there is only one. */
  readonly machine: () => string | undefined;
  /** How times are written for the person; the host knows. */
  readonly drawing: () => Reader;
  /** The scheme of addresses that this editor opens by itself: `vscode`. */
  readonly linkScheme: string;
  /** A client for a connection that is not open (yet): to check a key before it is stored. */
  readonly makeApi: (connection: { readonly baseUrl: string; readonly apiKey: string }) => StreamApi;
}
