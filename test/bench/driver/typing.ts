import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { forEachLimit } from '../../../src/util/async.ts';

const seen = { at: 0 };

/** Has to be the first extension that listens to changes: what runs after it is measured. */
export function watchTyping(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(() => {
    seen.at = performance.now();
  });
}

/** Types at the end of a file. @returns for each change of it, the microseconds that all other extensions took. */
export async function typeText(file: string, text: string): Promise<readonly number[]> {
  const document = await showAtEnd(file);
  const times: number[] = [];
  const last = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document) times.push((performance.now() - seen.at) * 1000);
  });
  for (const character of text) await vscode.commands.executeCommand('type', { text: character });
  last.dispose();
  return times;
}

/** Types into a file. @returns the milliseconds until the file has a diagnostic. */
export async function timeToDiagnostic(file: string, text: string): Promise<number> {
  const { uri } = await showAtEnd(file);
  const shown = new Promise<number>((resolve) => {
    const subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (vscode.languages.getDiagnostics(uri).length === 0) return;
      subscription.dispose();
      resolve(performance.now());
    });
  });
  const start = performance.now();
  await vscode.commands.executeCommand('type', { text });
  return (await shown) - start;
}

/** @returns milliseconds of each hover over the first line of a file, and how many of them said anything. */
export async function timeHovers(
  file: string,
  times: number,
): Promise<{ readonly ms: number[]; readonly said: number }> {
  const { uri } = await showAtEnd(file);
  const ms: number[] = [];
  let said = 0;
  for (let count = 0; count < times; count++) {
    const start = performance.now();
    const at = new vscode.Position(0, 1);
    const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at,
    );
    ms.push(performance.now() - start);
    said += hovers.length;
  }
  return { ms, said };
}

export async function timeCommand(command: string): Promise<{ readonly ms: number; readonly result: unknown }> {
  const start = performance.now();
  const result = await vscode.commands.executeCommand(command);
  return { ms: performance.now() - start, result };
}

/** @returns milliseconds to find the files of the folder and read them, without looking at what is in them. */
export async function timeReads(atOnce: number): Promise<number> {
  const start = performance.now();
  const files = await vscode.workspace.findFiles('**/*');
  await forEachLimit(files, atOnce, async ({ fsPath }) => void (await readFile(fsPath)));
  return performance.now() - start;
}

async function showAtEnd(file: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const editor = await vscode.window.showTextDocument(document);
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  return document;
}
