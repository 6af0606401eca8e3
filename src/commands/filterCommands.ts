import { t } from '@vscode/l10n';
import type { SortKey } from '../model/store/snapshot.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { Refusal } from './refusal.ts';
import { givenText } from './targets/commandArguments.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'loader' | 'current'>;

/** The filter is part of a URL, which services limit in length. */
const FILTER_LENGTH_AT_MOST = 200;

const SORT_LABELS: Readonly<Record<SortKey, () => string>> = {
  lastSeen: () => t('Last Live'),
  name: () => t('Name'),
  createdAt: () => t('Created'),
};

/** Filters streams by a part of their name. Takes {text} or prompts for it. An empty text clears the filter. */
export async function filterStreams(context: Context, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const text = textIn(args[0], 'text') ?? (await promptForText(context));
  if (text === undefined) return;
  const problem = problemOfFilter(text);
  if (problem !== undefined) throw new Refusal(problem);
  applyFilter(context, text.trim());
}

export function clearFilter(context: Context): void {
  openConnectionInfo(context);
  applyFilter(context, '');
}

/** Sorts the streams of each group. Takes lastSeen, name or createdAt, or shows a picker. */
export async function sortStreams(context: Context, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = textIn(args[0], 'by');
  const sort = given === undefined ? await pickSort(context) : SORT_KEYS.find((key) => key === given);
  if (sort !== undefined) return context.store.setSort(sort);
  if (given !== undefined) throw new Refusal(t('Sort order must be lastSeen, name, or createdAt.'));
}

/**
 * Sets the filter and reloads the groups that were requested with the previous one: the service filters these. The
 * active streams are all known and filtered locally.
 */
export function applyFilter({ store, loader }: Pick<CommandContext, 'store' | 'loader'>, text: string): void {
  const { filter, lists } = store.snapshot;
  if (text === filter) return;
  const requested = (['idle', 'recording'] as const).filter((list) => {
    const { isLoaded, isLoading, trouble } = lists[list];
    return isLoaded || isLoading || trouble !== undefined;
  });
  store.setFilter(text);
  // Reloads even a list that is already loading: it was requested with the previous filter.
  for (const list of requested) void loader.reloadList(list);
}

const SORT_KEYS: readonly SortKey[] = ['lastSeen', 'name', 'createdAt'];

function promptForText({ ui, store }: Context): Promise<string | undefined> {
  return ui.input({
    title: t('Filter Streams by Name'),
    prompt: t("Enter part of a stream's name, or clear the box to show all streams"),
    value: store.snapshot.filter,
    validate: problemOfFilter,
  });
}

function problemOfFilter(text: string): string | undefined {
  const isTooLong = text.trim().length > FILTER_LENGTH_AT_MOST;
  return isTooLong ? t('Enter up to {0} characters.', FILTER_LENGTH_AT_MOST) : undefined;
}

function pickSort({ ui, store }: Context): Promise<SortKey | undefined> {
  const items = SORT_KEYS.map((key) => ({
    label: SORT_LABELS[key](),
    icon: key === store.snapshot.sort ? 'check' : 'blank',
    value: key,
  }));
  return ui.pick({ title: t('Sort Streams By'), items });
}

/** Returns a string, or the field of this name. Rows, which the view's title menu passes, have neither field. */
function textIn(given: unknown, field: 'text' | 'by'): string | undefined {
  return typeof given === 'string' ? given : givenText(given, field);
}
