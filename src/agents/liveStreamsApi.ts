// The API that the extension `live-streams.live-streams` exports. Copy this file into your own extension.

/** Names come from the service: show them as text. Contains no key, and no URL that needs one. */
export interface LiveStream {
  readonly id: string;
  /** At most 100 characters. */
  readonly name: string;
  readonly state: 'live' | 'noData' | 'idle' | 'suspended';
  /** ISO date. When the broadcast began if that is known, or, unless the stream is live, when data last arrived. */
  readonly since?: string | undefined;
  readonly playbackId?: string | undefined;
  /** Whether broadcasts are recorded. */
  readonly recording: boolean;
  /**
   * Who can watch it, if the service reports it: anyone, viewers with a signed token, or those whom a webhook admits.
   */
  readonly viewers?: 'anyone' | 'withToken' | 'admittedByWebhook' | undefined;
}

export interface LiveStreamDetails extends LiveStream {
  readonly createdAt?: string | undefined;
  /** Without its query. */
  readonly hlsUrl?: string | undefined;
  readonly health: {
    readonly isHealthy?: boolean | undefined;
    readonly issues: readonly string[];
    /** Bits per second. */
    readonly ingestBitrate?: number | undefined;
  };
  readonly renditions: readonly {
    readonly name?: string | undefined;
    readonly width?: number | undefined;
    readonly height?: number | undefined;
    /** Bits per second. */
    readonly bitrate?: number | undefined;
    /** 0: as the source. */
    readonly fps?: number | undefined;
  }[];
}

/** Uses the window's current connection. Promises reject with an Error if there is none, or if it fails. */
export interface LiveStreamsApi {
  readonly version: 1;
  /** Streams that are active: live, or without data. */
  listLiveStreams(): Promise<readonly LiveStream[]>;
  /** Resolves to undefined if there is no such stream. */
  getStream(idOrPlaybackId: string): Promise<LiveStreamDetails | undefined>;
  /**
   * A vscode.Event. Fires when this window learns that streams went live, ended, or started or stopped receiving data,
   * and when the user switches connections. Sends no request by itself.
   */
  readonly onDidChangeLiveStreams: (
    listener: () => unknown,
    thisArgs?: unknown,
    disposables?: { dispose(): unknown }[],
  ) => { dispose(): unknown };
}
