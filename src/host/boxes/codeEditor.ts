import * as vscode from 'vscode';
import type { CodeEditor } from '../../commands/context.ts';
import { languageOf, toSnippet } from '../code/rowDrops.ts';

/** The text editor that the person used last. */
export function createCodeEditor(): CodeEditor {
  return {
    languageId: () => {
      const document = vscode.window.activeTextEditor?.document;
      return document && languageOf(document);
    },
    insert: async (text) => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return false;
      return editor.insertSnippet(toSnippet(text));
    },
  };
}
