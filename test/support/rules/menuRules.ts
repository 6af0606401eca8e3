import { readFileSync } from 'node:fs';
import { inProject } from '../projectFolder.ts';
import { type Context, isWhen } from './whenClauses.ts';

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly shortTitle?: string;
      readonly enablement?: string;
    }[];
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly menus: Readonly<Record<string, readonly Item[]>>;
  };
}

/** An entry of a menu as it is shown. A submenu has entries of its own; those without any aren't shown. */
export interface Entry {
  /** Without the prefix. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly entries?: readonly Entry[];
}

const PREFIX = 'liveStreams.';
const readJson = <T>(path: string): T => JSON.parse(readFileSync(inProject(path), 'utf8')) as T;
const { contributes } = readJson<Manifest>('package.json');
const texts = readJson<Readonly<Record<string, string>>>('package.nls.json');

/** The entries that a menu of package.json shows where the context keys have these values, by group. */
export function readMenu(menu: string, context: Context): readonly Entry[] {
  const items = (contributes.menus[menu] ?? []).filter(({ when }) => isWhen(when, context));
  const entries = items.map((item) => readEntry(item, context)).filter(({ entries: inside }) => inside?.length !== 0);
  return entries.sort((a, b) => (a.group < b.group ? -1 : 1));
}

/** What the context menu of a row shows; `inline` gives its icons. */
export function readRowMenu(context: Context): {
  readonly inline: readonly Entry[];
  readonly listed: readonly Entry[];
} {
  const all = readMenu('view/item/context', context);
  const isInline = ({ group }: Entry) => group.startsWith('inline');
  return { inline: all.filter(isInline), listed: all.filter((entry) => !isInline(entry)) };
}

/** The conditions of all entries in the context menus of rows. VS Code redraws all rows when a key in them changes. */
export function rowMenuConditions(menu = 'view/item/context'): readonly string[] {
  return (contributes.menus[menu] ?? []).flatMap(({ command, submenu, when = '' }) => {
    const enablement = contributes.commands.find((each) => each.command === command)?.enablement ?? '';
    return [when, enablement, ...(submenu === undefined ? [] : rowMenuConditions(submenu))];
  });
}

/** What the palette offers. It shows commands that `menus.commandPalette` doesn't name at any time. */
export function readPalette(context: Context): readonly Entry[] {
  const rules = new Map((contributes.menus.commandPalette ?? []).map(({ command, when }) => [command, when]));
  const offered = contributes.commands.filter(({ command }) => isWhen(rules.get(command), context));
  return offered.map(({ command }) => readEntry({ command }, context));
}

/** Commands of a menu, and of its submenus. */
export function flatten(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ id, entries: inside }) => (inside === undefined ? [id] : flatten(inside)));
}

/** VS Code shows short titles in the titles of views, and nowhere else where ours are. */
export function shortTitleOf(id: string): string {
  const found = contributes.commands.find(({ command }) => command === PREFIX + id);
  return textOf(found?.shortTitle ?? found?.title);
}

function readEntry({ command, submenu, group = '' }: Item, context: Context): Entry {
  const id = (command ?? submenu ?? '').slice(PREFIX.length);
  if (submenu !== undefined) {
    const label = contributes.submenus.find((each) => each.id === submenu)?.label;
    return { id, title: textOf(label), group, entries: readMenu(submenu, context) };
  }
  return { id, title: textOf(contributes.commands.find((each) => each.command === command)?.title), group };
}

function textOf(placeholder = ''): string {
  return texts[placeholder.replaceAll('%', '')] ?? placeholder;
}
