import { t } from '@vscode/l10n';
import { addLine, addVariables, type EnvVariable, hasLine } from './envFile.ts';
import type { FileLocation } from './exposure.ts';
import { type Replacement, UserFileError, type UserFileProblem } from './userFiles.ts';

/** A text file that can be replaced as a whole. Its methods throw UserFileErrors. */
export interface UserFile {
  /** The path to show to users. */
  readonly shownPath: string;
  readonly isLink: boolean;
  /** undefined if it doesn't exist. */
  read(): Promise<Uint8Array | undefined>;
  prepare(before: Uint8Array | undefined, after: Uint8Array): Promise<Replacement>;
  /** Removes it if it has the content. */
  remove(content: Uint8Array): Promise<void>;
  /** Returns the location of the file, with links followed. Doesn't throw. */
  location(): Promise<FileLocation>;
}

interface EnvMove {
  readonly env: UserFile;
  readonly variables: readonly EnvVariable[];
  readonly openIgnoreFile: () => Promise<UserFile>;
  /** Used if Git can't be queried. */
  readonly isInRepository: () => Promise<boolean>;
}

/** Its message is a sentence for the user. */
export class EnvMoveError extends Error {}

export interface AddedVariables {
  /** They end in a number if the file had another value for a name. */
  readonly names: readonly string[];
  /** The path of the .gitignore file to which the env file was added; undefined if that wasn't necessary. */
  readonly ignoredIn: string | undefined;
  /** Whether there's no repository yet. A new one would have to ignore the env file. */
  readonly isOutside: boolean;
}

/**
 * Adds variables to an env file, all of them or none, and makes Git ignore that file first. If it throws an
 * EnvMoveError, both files are unchanged unless the message says otherwise.
 */
export async function addToEnvFile(move: EnvMove): Promise<AddedVariables> {
  const { env, variables } = move;
  const before = await explain(env, env.read());
  const { text, names } = addVariables(decode(env, before), variables);
  // A full disk is noticed here, before anything is changed.
  const change = await explain(env, env.prepare(before, encode(text)));
  try {
    const ignored = await ignoreEnvFile(move, before !== undefined);
    try {
      if ((await env.location()) === 'kept') throw new EnvMoveError(keptText(env));
      await explain(env, change.commit());
      return { names, ignoredIn: ignored.path, isOutside: ignored.isOutside === true };
    } catch (error) {
      // If the outcome is uncertain, the key may be in the file.
      if (!isUncertain(error)) await ignored.undo(error);
      throw error;
    } finally {
      await ignored.dispose();
    }
  } finally {
    await change.dispose();
  }
}

interface Ignored {
  /** undefined if nothing was changed. */
  readonly path?: string;
  readonly isOutside?: boolean;
  /** Throws an EnvMoveError about both errors if that fails. */
  undo(reason: unknown): Promise<void>;
  dispose(): Promise<void>;
}

const NOTHING_IGNORED: Ignored = { undo: async () => {}, dispose: async () => {} };

async function ignoreEnvFile({ env, openIgnoreFile, isInRepository }: EnvMove, exists: boolean): Promise<Ignored> {
  const location = await env.location();
  const isOutside = location === 'outside' || (location === 'unknown' && !(await isInRepository()));
  if (isOutside || (location !== 'kept' && location !== 'unknown')) return { ...NOTHING_IGNORED, isOutside };
  if (location === 'unknown' && env.isLink) throw toEnvMoveError(env.shownPath, new UserFileError('unknownLink'));
  // Git may track it, and then publishes the key with the next commit, whatever .gitignore says.
  if (location === 'unknown' && exists) throw new EnvMoveError(unknownText(env));
  const file = await openIgnoreFile();
  const before = await explain(file, file.read());
  const text = decode(file, before);
  if (location === 'unknown' && hasLine(text, '.env')) return NOTHING_IGNORED;
  return replaceIgnoreFile(file, before, encode(addLine(text, '.env')));
}

async function replaceIgnoreFile(file: UserFile, before: Uint8Array | undefined, after: Uint8Array): Promise<Ignored> {
  const prepared: Replacement[] = [];
  const prepare = async (from: Uint8Array | undefined, to: Uint8Array) => {
    const replacement = await explain(file, file.prepare(from, to));
    prepared.push(replacement);
    return replacement;
  };
  const dispose = async () => {
    for (const each of prepared) await each.dispose();
  };
  try {
    const change = await prepare(before, after);
    // Undoing must not need space on a disk that is full.
    const back = before && (await prepare(after, before));
    await explain(file, change.commit());
    return {
      path: file.shownPath,
      undo: (reason) => undoIgnored(file, () => back?.commit() ?? file.remove(after), reason),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function undoIgnored(file: UserFile, undo: () => Promise<void>, reason: unknown): Promise<void> {
  try {
    await undo();
  } catch (cause) {
    const sentence = reason instanceof Error ? reason.message : String(reason);
    throw new EnvMoveError(`${sentence} ${t('The line ".env" couldn\'t be removed from {0}.', file.shownPath)}`, {
      cause,
    });
  }
}

function isUncertain(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof UserFileError && error.cause.problem === 'uncertain';
}

/** Converts a UserFileError into an EnvMoveError. */
export async function explain<T>({ shownPath }: { readonly shownPath: string }, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof UserFileError ? toEnvMoveError(shownPath, error) : error;
  }
}

function toEnvMoveError(shownPath: string, cause: UserFileError): EnvMoveError {
  return new EnvMoveError(SENTENCES[cause.problem](shownPath), { cause });
}

const SENTENCES: Readonly<Record<UserFileProblem, (shownPath: string) => string>> = {
  outside: (path) => t("{0} points outside the folder through a symbolic link. The key wasn't saved.", path),
  danglingLink: (path) =>
    t(
      "{0} is a symbolic link to a file that doesn't exist. The key wasn't saved. Create that file or delete the link, and then try again.",
      path,
    ),
  unknownLink: (path) =>
    t(
      "{0} points to another file through a symbolic link, and VS Code can't tell whether Git ignores that file. The key wasn't saved.",
      path,
    ),
  folder: (path) => t("{0} is a folder. The key wasn't saved. Rename the folder, and then try again.", path),
  notRegular: (path) =>
    t("{0} isn't a regular file. The key wasn't saved. Replace it with a file, and then try again.", path),
  tooLarge: (path) => t("{0} is larger than 5 MB. The key wasn't saved. Add the key to the file yourself.", path),
  notUtf8: (path) => t("{0} isn't a UTF-8 file. The key wasn't saved. Save it as UTF-8, and then try again.", path),
  unsaved: (path) => t("{0} has unsaved changes. The key wasn't saved. Save the file, and then try again.", path),
  unreadable: (path) => t("Couldn't read {0}. The key wasn't saved.", path),
  unwritable: (path) => t("Couldn't write to {0}. The key wasn't saved.", path),
  changed: (path) => t("{0} was changed by another program. The key wasn't saved. Try again.", path),
  uncertain: (path) =>
    t("Couldn't finish writing to {0}, so it may be incomplete. Check it before you try again.", path),
};

/** Says what was added to a .gitignore file, or what the user has to add; empty if neither. */
export function ignoredText({ ignoredIn, isOutside }: AddedVariables): string {
  if (ignoredIn !== undefined) return t('Added .env to {0}.', ignoredIn);
  return isOutside ? t("This folder isn't in a Git repository. If you create one, add .env to .gitignore.") : '';
}

function keptText({ shownPath }: { readonly shownPath: string }): string {
  return t(
    'Git doesn\'t ignore {0}, so the key wasn\'t saved. If Git tracks the file, run "git rm --cached" on it, which keeps it on disk. Otherwise, check .gitignore for an exception.',
    shownPath,
  );
}

function unknownText({ shownPath }: { readonly shownPath: string }): string {
  return t(
    "Couldn't check whether Git tracks {0}, so the key wasn't saved. Make sure that Git is turned on in VS Code, and then try again.",
    shownPath,
  );
}

function decode(file: UserFile, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? '' : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw toEnvMoveError(file.shownPath, new UserFileError('notUtf8', error));
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
