import { t } from '@vscode/l10n';
import { NoConnectionError } from '../model/connection/current.ts';
import type { CommandContext } from './context.ts';
import { Refusal } from './refusal.ts';

/** Marks the keys of this account in all text files of the open folders. Returns how many there are. */
export async function findLeakedKeys({
  ui,
  current,
  leakSearch,
  drawing,
  showMessage,
}: Pick<CommandContext, 'ui' | 'current' | 'leakSearch' | 'drawing' | 'showMessage'>): Promise<unknown> {
  if (!current.isOpen) throw new NoConnectionError();
  const search = await leakSearch();
  if (search === undefined) return undefined;
  if (!search.hasFolder()) throw new Refusal(t('Open a folder first.'));
  const number = (count: number) => count.toLocaleString(drawing().locale);
  const found = await ui.progress(t('Finding leaked keys'), (report, signal) =>
    search.findInFolders(
      (done, total) => report(t('{0} of {1} files', number(done), number(total)), (done / total) * 100),
      signal,
    ),
  );
  const skipped = found.tooLarge === 0 ? '' : ` ${t('Files over 5 MB were skipped: {0}.', number(found.tooLarge))}`;
  if (found.leaks === 0) {
    const sentence = t('No keys of this account found in {0} files.', number(found.files)) + skipped;
    showMessage({ severity: 'info', sentence, actions: [] });
    return found;
  }
  const count = found.leaks === 1 ? t('Found 1 leaked key.') : t('Found {0} leaked keys.', number(found.leaks));
  const show = { label: t('Show Problems'), run: () => search.showMarks() };
  showMessage({ severity: 'warning', sentence: count + skipped, actions: [show] });
  return found;
}
