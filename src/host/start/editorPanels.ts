import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { createDetailsPanels, type DetailsPanels, type EditorTabsOptions } from '../panels/detailsPanels.ts';
import { createPlayerPanels, type PlayerPanels } from '../panels/playerPanels.ts';

export interface EditorPanels extends Disposable {
  readonly player: Omit<PlayerPanels, 'dispose'>;
  readonly details: Omit<DetailsPanels, 'dispose'>;
}

/** The open players and details pages, loaded as one: a session's page contains a player. */
export function createEditorPanels(options: EditorTabsOptions): EditorPanels {
  const owned = new DisposableStore();
  const player = owned.add(createPlayerPanels(options));
  const details = owned.add(createDetailsPanels(options));
  return { player, details, dispose: () => owned.dispose() };
}
