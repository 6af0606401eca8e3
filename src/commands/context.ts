import type { Session, Stream } from '../api/types.ts';
import type { RunningDemo } from '../model/addresses.ts';
import type { Connections } from '../model/connection/connections.ts';
import type { CurrentConnection } from '../model/connection/current.ts';
import type { Downloader } from '../model/downloads/downloader.ts';
import type { StreamLoader } from '../model/loading/loader.ts';
import type { StreamStore } from '../model/store/store.ts';
import type { Clock, Log, Settings, Transport, Ui } from '../services.ts';
import type { Reader } from '../util/dates.ts';

/** Starts and stops the embedded service. Starting it again just shows it. */
export interface DemoSwitch {
  readonly running: RunningDemo | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Where to open a tab: in the one that a click opened before, as with preview editors, or in another one. */
export type TabPlace = 'reused' | 'new' | 'beside';

/** Player tabs, one per stream and per session. Opening one again shows the existing tab. Default place: 'reused'. */
export interface PlayerTabs {
  openStream(stream: Stream, place?: TabPlace): Promise<void>;
  openRecording(session: Session, place?: TabPlace): Promise<void>;
}

/** Details tabs, one per stream and per session. Opening one again shows the existing tab. Default place: 'reused'. */
export interface DetailsTabs {
  openStream(stream: Stream, place?: TabPlace): Promise<void>;
  openSession(session: Session, place?: TabPlace): Promise<void>;
}

/** What handlers may use. Their first parameter picks only what they need: `Pick<CommandContext, 'ui' | 'store'>`. */
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
  readonly player: PlayerTabs;
  readonly details: DetailsTabs;
  readonly downloader: Downloader;
  /** Sends requests that carry no key, such as for a playlist. */
  readonly transport: Transport;
  /** Runs another command, by its id without the prefix, which reports its own failures. Never rejects. */
  readonly runCommand: (id: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** The machine that files are saved on, in words; undefined if there is only one. */
  readonly machine: () => string | undefined;
  /** The user's locale and time zone, and the current time. */
  readonly drawing: () => Reader;
  /** The URI scheme that opens this editor, such as `vscode`. */
  readonly linkScheme: string;
  /** Tries a connection before it is stored or opened. Throws ApiError if the view could not be loaded with it. */
  readonly checkService: (
    connection: { readonly baseUrl: string; readonly apiKey: string },
    signal: AbortSignal,
  ) => Promise<void>;
}
