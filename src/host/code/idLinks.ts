import { setTimeout as delay } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { eachToken, mayBeId } from '../../code/tokens.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

/** A known ID in a document: its hover, and the command that shows it. */
export interface ShownId {
  readonly hover: vscode.MarkdownString;
  readonly name: string;
  readonly show: () => Thenable<unknown>;
  readonly kind: 'stream' | 'session';
  readonly id: string;
}

/** Returns the stream or session with an ID; undefined if there is none. The first call may read all streams. */
export type FindId = (text: string) => Promise<ShownId | undefined>;

/** Requests it and returns a document with masked secrets; undefined if there is none. Doesn't throw. */
export type DefineId = (shown: ShownId) => Promise<vscode.Uri | undefined>;

class IdLink extends vscode.TerminalLink {
  readonly shown: ShownId;

  constructor(start: number, length: number, shown: ShownId) {
    super(start, length, t('Show details of "{0}"', shown.name));
    this.shown = shown;
  }
}

const MOST_IN_A_LINE = 20;
/** A terminal shows a line's links only once all providers have responded. Later results are there the next time. */
const TERMINAL_WAIT_MS = 300;

/** Registers hovers and definitions for IDs in code, and links for IDs in terminals. Other words cost nothing. */
export function registerIdLinks(find: FindId, define: DefineId): Disposable {
  const owned = new DisposableStore();
  const findAt = async (document: vscode.TextDocument, { line, character }: vscode.Position) => {
    const text = document.lineAt(line).text;
    const at = idsIn(text).find(({ start, end }) => start <= character && character <= end);
    const shown = at && (await find(text.slice(at.start, at.end)));
    return shown && { shown, range: new vscode.Range(line, at.start, line, at.end) };
  };
  const everywhere = { pattern: '**' };
  owned.add(
    vscode.languages.registerHoverProvider(everywhere, {
      async provideHover(document, position) {
        const found = await findAt(document, position);
        return found && new vscode.Hover(found.shown.hover, found.range);
      },
    }),
  );
  owned.add(
    vscode.languages.registerDefinitionProvider(everywhere, {
      async provideDefinition(document, position) {
        const found = await findAt(document, position);
        if (found === undefined) return undefined;
        const targetUri = await define(found.shown);
        return (
          targetUri && [{ originSelectionRange: found.range, targetUri, targetRange: new vscode.Range(0, 0, 0, 0) }]
        );
      },
    }),
  );
  owned.add(
    vscode.window.registerTerminalLinkProvider({
      async provideTerminalLinks({ line }): Promise<IdLink[]> {
        const found = idsIn(line).slice(0, MOST_IN_A_LINE);
        const links = found.map(async ({ start, end }) => {
          const shown = await Promise.race([find(line.slice(start, end)), delay(TERMINAL_WAIT_MS, undefined)]);
          return shown && new IdLink(start, end - start, shown);
        });
        return (await Promise.all(links)).filter((link) => link !== undefined);
      },
      async handleTerminalLink({ shown }: IdLink) {
        await shown.show();
      },
    }),
  );
  return owned;
}

function idsIn(line: string): readonly { readonly start: number; readonly end: number }[] {
  const ids: { readonly start: number; readonly end: number }[] = [];
  eachToken(line, (start, end) => {
    if (mayBeId(line.slice(start, end))) ids.push({ start, end });
  });
  return ids;
}
