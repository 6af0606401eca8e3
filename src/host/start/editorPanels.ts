import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { createDetailsPanels, type DetailsPanels, type EditorTabsOptions } from '../panels/detailsPanels.ts';
import { createPlayerPanels, type PlayerPanels } from '../panels/playerPanels.ts';

export interface EditorPanels extends Disposable {
  readonly player: Omit<PlayerPanels, 'dispose'>;
  readonly details: Omit<DetailsPanels, 'dispose'>;
}

/** The players and details pages that are open. A page of a session has a player too: they are loaded as one. */
export function createEditorPanels(options: EditorTabsOptions): EditorPanels {
  const owned = new DisposableStore();
  const player = owned.add(createPlayerPanels(options));
  const details = owned.add(createDetailsPanels(options));
  return { player, details, dispose: () => owned.dispose() };
}
