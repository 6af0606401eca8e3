import type { StreamApi } from '../../api/streamApi.ts';
import type { Clock, Log } from '../../services.ts';
import type { StreamStore } from '../store/store.ts';
import type { RecentEnds } from './recentEnds.ts';

/** What the parts of an account share. The signal aborts when the connection closes. */
export interface AccountParts {
  readonly api: StreamApi;
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly recentEnds: RecentEnds;
}
