import { t } from '@vscode/l10n';
import { changedLines, type TextChange } from '../code/snippets/changes.ts';
import { LANGUAGES, languageName } from '../code/snippets/languageNames.ts';
import type { PickOptions, PickRow, Ui } from '../services.ts';
import { Refusal } from '../texts/refusal.ts';
import type { CodeEditor, CommandContext } from './context.ts';

/**
 * Returns the active editor. Without one, asks for a language and returns the editor of a new file, which opens once
 * something is inserted; undefined if dismissed.
 */
export async function openEditor(
  { editor, ui }: CommandContext,
  title: string,
  languageIds = LANGUAGES,
): Promise<CodeEditor | undefined> {
  const open = editor();
  if (open !== undefined) return open;
  const items = languageIds.map((value) => ({ label: languageName(value) ?? value, value }));
  const languageId = await ui.pick({ title, placeholder: t('Select the language of the new file'), items });
  return languageId === undefined ? undefined : newFile(ui, languageId);
}

function newFile(ui: Ui, languageId: string): CodeEditor {
  const unit = languageId === 'go' ? '\t' : '    ';
  return {
    read: () => ({ languageId, text: '', unit, cursors: [{ start: 0, end: 0 }] }),
    readNearest: async () => undefined,
    async apply(changes) {
      await ui.editText(languageName(languageId) ?? '', changes.map(({ text }) => text).join(''), languageId);
      return true;
    },
    openPreview: () => ({ show() {}, async close() {} }),
  };
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
 * Picks code. If any of it takes several lines, previews the file's new lines in place of the editor while the user
 * moves through the picker.
 */
export async function pickCode<T extends { readonly text: string }>(
  ui: Ui,
  editor: CodeEditor,
  { title, languageId, plan, ...options }: CodeOptions<T>,
): Promise<T | undefined> {
  const isPreviewed = options.items.some(({ value }) => value.text.includes('\n'));
  const preview = isPreviewed ? editor.openPreview() : undefined;
  // The picker covers that much of the editor: a line for each row, and its own.
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
