import type { Session } from '../api/types.ts';
import type { PlayerSubject } from '../model/pages/playerState.ts';
import type { Ui } from '../services.ts';
import type { Action } from '../webview/player/messages.ts';

/** What an act of a player is about. */
export interface ActedOn {
  readonly subject: PlayerSubject;
  /** The session that plays, or the latest one of a stream. */
  readonly session: Session | undefined;
  readonly ui: Pick<Ui, 'openSettings'>;
}

/** What a player has the editor do. */
export interface PlayerActs {
  /** Does what a button of the player names, except for those that concern the panel itself. */
  readonly act: (action: Exclude<Action, 'retry' | 'playMp4'>, on: ActedOn) => Promise<void>;
  /** Whether there is a command to download with. */
  readonly canDownload: () => Promise<boolean>;
}
