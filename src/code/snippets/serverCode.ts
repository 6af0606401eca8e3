import { ownValue } from '../../util/ownValue.ts';
import { wholeText } from './forms.ts';
import { forModuleSystem } from './imports.ts';
import type { Place } from './place.ts';
import type { Program } from './players.ts';

/** Code for a server, written with one framework or library. */
export interface ServerCode<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** The whole text, as in a file of its own. */
  readonly text: string;
  readonly program: Program;
}

export interface Library {
  readonly label: string;
  /** Matches the name of its package in a file or a manifest. */
  readonly named: RegExp;
  /** Writes the code, using the declarations in the file's `text`. */
  readonly write: (place: Place, text: string) => Program;
}

export interface ServerCodeOptions<Id extends string> {
  readonly libraries: Readonly<Record<Id, Library>>;
  /** By language ID, most likely first. */
  readonly ofLanguage: Readonly<Record<string, readonly Id[]>>;
}

const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  javascript: ['package.json'],
  javascriptreact: ['package.json'],
  typescript: ['package.json'],
  typescriptreact: ['package.json'],
  python: ['pyproject.toml', 'requirements.txt'],
};

/** Returns the names of the files that list the packages of a program in the language. */
export function manifestNames(languageId: string): readonly string[] {
  return ownValue(MANIFESTS, languageId) ?? [];
}

/**
 * Returns the code for a place in a file: first with the libraries that the file names, then with those that a manifest
 * names. Empty for the script of a page, whose visitors could read the secrets.
 */
export function writeServerCode<Id extends string>(
  { libraries, ofLanguage }: ServerCodeOptions<Id>,
  place: Place,
  { text, manifests = [] }: { readonly text: string; readonly manifests?: readonly string[] | undefined },
): readonly ServerCode<Id>[] {
  if (place.languageId !== place.fileLanguageId) return [];
  const rank = (id: Id) => {
    const { named } = libraries[id];
    return named.test(text) ? 0 : manifests.some((manifest) => named.test(manifest)) ? 1 : 2;
  };
  const ids = ownValue(ofLanguage, place.languageId) ?? [];
  return ids
    .toSorted((one, other) => rank(one) - rank(other))
    .map((id) => {
      const { label, write } = libraries[id];
      const { imports, code } = write(place, text);
      const program = { imports: forModuleSystem(place.languageId, text, imports), code };
      return { id, label, program, text: wholeText({ kind: 'program', ...program }, place) };
    });
}
