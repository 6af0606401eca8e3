import * as vscode from 'vscode';
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

/** What activation registers for texts in editors and terminals. The rest is loaded at its first use. */
export function registerCodeFeatures(features: CodeFeatures): vscode.Disposable {
  const { findId, defineId, formsOfRows, guardKeys } = features;
  const links = registerIdLinks(findId, defineId);
  return vscode.Disposable.from(links, registerRowDrops(formsOfRows), watchForKeys(guardKeys));
}
