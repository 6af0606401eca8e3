import type * as vscode from 'vscode';
import { DisposableStore, onDispose } from '../../util/disposable.ts';
import { type DefineId, type FindId, registerIdLinks } from './idLinks.ts';
import { watchForKeys } from './keyWatch.ts';
import { type FormsOfRows, registerRowDrops } from './rowDrops.ts';

interface CodeFeatures {
  readonly findId: FindId;
  readonly defineId: DefineId;
  readonly formsOfRows: FormsOfRows;
  /** Called once, when a document may contain a key. */
  readonly guardKeys: () => void;
}

/**
 * Registers the features for editors and terminals; their code is loaded on first use. Waits for the end
 * of activation, because other extensions wait for that too.
 */
export function registerCodeFeatures({ findId, defineId, formsOfRows, guardKeys }: CodeFeatures): vscode.Disposable {
  const owned = new DisposableStore();
  const turn = setImmediate(() => {
    owned.add(registerIdLinks(findId, defineId));
    owned.add(registerRowDrops(formsOfRows));
    owned.add(watchForKeys(guardKeys));
  });
  owned.add(onDispose(() => clearImmediate(turn)));
  return owned;
}
