import { t } from '@vscode/l10n';
import { changedLines, type TextChange } from '../code/snippets/changes.ts';
import { languageName } from '../code/snippets/languageNames.ts';
import type { PickOptions, PickRow, Ui } from '../services.ts';
import { Refusal } from '../texts/refusal.ts';
import type { CodeEditor, CommandContext } from './context.ts';

/** Throws a Refusal if no editor is open. */
export function openEditor({ editor }: CommandContext): CodeEditor {
  const open = editor();
  if (open === undefined) throw new Refusal(t('Open a file in an editor first.'));
  return open;
}

/** Throws a Refusal if the text can't be edited. */
export async function applyChanges(editor: CodeEditor, changes: readonly TextChange[]): Promise<void> {
  const isDone = await editor.apply(changes);
  if (!isDone) throw new Refusal(t("Couldn't edit the file. It may be read-only."));
}

interface CodeOptions<T> extends Required<Pick<PickOptions<T>, 'title' | 'placeholder'>> {
  readonly languageId: string;
  readonly items: readonly PickRow<T>[];
  readonly plan: (value: T) => readonly TextChange[];
}

/**
 * Previews the lines that the file gets in place of the editor while the user moves through the picker, if any of the
 * code takes several lines.
 */
export async function pickCode<T extends { readonly text: string }>(
  ui: Ui,
  editor: CodeEditor,
  { title, languageId, plan, ...options }: CodeOptions<T>,
): Promise<T | undefined> {
  const isPreviewed = options.items.some(({ value }) => value.text.includes('\n'));
  const preview = isPreviewed ? editor.openPreview() : undefined;
  // The picker covers as much of the editor: a line for each row, and its own.
  const covered = '\n'.repeat(options.items.length + 4);
  try {
    const language = languageName(languageId);
    const named = language === undefined ? title : t('{0} ({1})', title, language);
    return await ui.pick({
      ...options,
      title: named,
      onDidHighlight: (code) => code && preview?.show(covered + changedLines(editor.read().text, plan(code))),
    });
  } finally {
    await preview?.close();
  }
}
