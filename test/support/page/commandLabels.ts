import { readFileSync } from 'node:fs';
import { inProject } from '../projectFolder.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

const { contributes }: Manifest = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
const english: Readonly<Record<string, string>> = JSON.parse(readFileSync(inProject('package.nls.json'), 'utf8'));

/** What stands before the title of each of the extension's commands in the palette. */
export function commandCategory(): string {
  return textOf('%category%');
}

/** A command as the palette names it in English: 'Live Streams: Try the Demo'. */
export function commandLabel(id: string): string {
  const found = contributes.commands.find(({ command }) => command === id);
  if (found === undefined) throw new Error(`package.json has no command ${id}`);
  return `${commandCategory()}: ${textOf(found.title)}`;
}

/** The ids of the commands that have this label; those that the palette never shows are left out. */
export function commandsLabelled(label: string): readonly string[] {
  const { commands, menus } = contributes;
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  return commands.map(({ command }) => command).filter((id) => !hidden.has(id) && commandLabel(id) === label);
}

function textOf(placeholder: string): string {
  return english[placeholder.replaceAll('%', '')] ?? placeholder;
}
