import type * as vscode from 'vscode';
import { DisposableStore, onDispose } from '../../util/disposable.ts';
import { type DefineId, type FindId, registerIdLinks } from './idLinks.ts';
import { watchForKeys } from './keyWatch.ts';
import { type FormsOfRows, registerRowDrops } from './rowDrops.ts';

interface CodeFeatures {
  readonly findId: FindId;
  readonly defineId: DefineId;
  readonly formsOfRows: FormsOfRows;
  /** Is called once, when a text may hold a key. */
  readonly guardKeys: () => void;
}

/**
 * Registers what texts in editors and terminals need from the start; the rest is loaded at its first use. Waits until
 * activation is through, which other extensions wait for.
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
