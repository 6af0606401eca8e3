import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { NAME_LENGTH_AT_MOST, type NameProblem, problemOfStreamName } from '../../model/changeRules.ts';
import type { InputOptions } from '../../services.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { CommandContext } from '../context.ts';

/** Returns the given name, trimmed, or otherwise prompts for one. Throws a Refusal if the given one is invalid. */
export async function promptForStreamName(
  { ui }: CommandContext,
  given: string | undefined,
  options: InputOptions,
): Promise<string | undefined> {
  const text = given ?? (await ui.input({ ...options, validate: sentenceOfName }));
  if (text === undefined) return undefined;
  const problem = sentenceOfName(text);
  if (problem !== undefined) throw new Refusal(problem);
  return text.trim();
}

/** Returns an item whose name looks the same to a reader, who overlooks case. Prefers an exact match. */
export function findSameName<N extends Named>(all: readonly N[], text: string): N | undefined {
  const name = text.trim();
  const same = all.filter((each) => each.name.trim().toLowerCase() === name.toLowerCase());
  return same.find((each) => each.name.trim() === name) ?? same[0];
}

/** Warns that another stream has the name. Services allow duplicate names. Only loaded streams are known. */
export function warningOfSameName({ store }: CommandContext, text: string, ownId?: string): string | undefined {
  const others = [...store.snapshot.streams.values()].map(({ stream }) => stream).filter(({ id }) => id !== ownId);
  const taken = findSameName(others, text);
  return taken && t('A stream named "{0}" already exists. You can still use this name.', nameOf(taken));
}

export function sentenceOfName(text: string): string | undefined {
  const problem = problemOfStreamName(text);
  return problem === undefined ? undefined : NAME_PROBLEM_WORDS[problem]();
}

const NAME_PROBLEM_WORDS: Readonly<Record<NameProblem, () => string>> = {
  empty: () => t('Enter a name.'),
  tooLong: () => t('Enter a name of up to {0} characters.', NAME_LENGTH_AT_MOST),
  lines: () => t("The name can't contain line breaks."),
};
