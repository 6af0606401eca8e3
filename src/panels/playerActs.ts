import type { Session } from '../api/types.ts';
import type { PlayerSubject } from '../model/pages/playerState.ts';
import type { Ui } from '../services.ts';
import type { Action } from '../webview/player/messages.ts';

export interface ActedOn {
  readonly subject: PlayerSubject;
  /** The session that plays, or the latest one of a stream. */
  readonly session: Session | undefined;
  readonly ui: Pick<Ui, 'openSettings'>;
}

export interface PlayerActs {
  readonly act: (action: Exclude<Action, 'retry' | 'playMp4'>, on: ActedOn) => Promise<void>;
  readonly canDownload: () => Promise<boolean>;
}
