import * as vscode from 'vscode';
import { type FindId, registerIdLinks } from './idLinks.ts';
import { watchForKeys } from './keyWatch.ts';
import { type FormsOfRows, registerRowDrops } from './rowDrops.ts';

interface CodeFeatures {
  readonly findId: FindId;
  readonly formsOfRows: FormsOfRows;
  /** Is called once, when a text may hold a key. */
  readonly guardKeys: () => void;
}

/** What activation registers for texts in editors and terminals. The rest is loaded at its first use. */
export function registerCodeFeatures({ findId, formsOfRows, guardKeys }: CodeFeatures): vscode.Disposable {
  return vscode.Disposable.from(registerIdLinks(findId), registerRowDrops(formsOfRows), watchForKeys(guardKeys));
}
