import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import {
  parseTags,
  type ReadTags,
  readTags,
  TAGS_LENGTH_AT_MOST,
  type TagsProblem,
  writeTags,
} from '../../model/streamTags.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { givenField } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { changeSingle } from './changeCommands.ts';

const EXAMPLE = 'event:Summit, season:4';
const LONGEST_TAG_NAME = 60;

/** Sets the tags of a stream. Takes a row, or {id, tags}, where `tags` replaces all tags; asks for what is missing. */
export async function editTags(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const given = givenField(args[0], 'tags');
  const known = await resolveOneStream(context, args, t('Edit Stream Tags'));
  if (known === undefined) return;
  // All tags are replaced, and others may have changed them.
  const stream = (await account.readStream(known.id)) ?? known;
  const before = stream.tags ?? {};
  const tags = given === undefined ? await askTags(context, stream) : readTags(given, before);
  if (tags === undefined) return;
  if (!tags.ok) throw new Refusal(problemText(tags.problem));
  if (isSameJson(tags.tags, before)) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'settingTags', tags: tags.tags } });
}

async function askTags({ ui }: CommandContext, stream: Stream): Promise<ReadTags | undefined> {
  const { tags } = stream;
  const text = await ui.input({
    title: t('Edit Stream Tags'),
    prompt: t(
      'Enter all tags of "{0}", separated by commas, or as a JSON object. Tags that you leave out are removed',
      nameOf(stream),
    ),
    placeholder: t('Example: {0}', EXAMPLE),
    value: writeTags(tags ?? {}),
    isAddedTo: true,
    validate: (typed) => {
      const read = parseTags(typed, tags);
      return read.ok ? undefined : problemText(read.problem);
    },
  });
  return text === undefined ? undefined : parseTags(text, tags);
}

function problemText(problem: TagsProblem): string {
  switch (problem.kind) {
    case 'notObject':
      return t('Enter a JSON object, such as {0}.', '{"event": "Summit"}');
    case 'notTag':
      return t(
        'Couldn\'t read "{0}". Enter tags such as {1}. Put text with commas or colons in double quotes (").',
        oneLine(problem.part, LONGEST_TAG_NAME),
        EXAMPLE,
      );
    case 'twice':
      return t('The tag "{0}" is entered twice.', oneLine(problem.name, LONGEST_TAG_NAME));
    case 'value':
      return t(
        'The value of "{0}" must be a string, a number, or a list of strings and numbers.',
        oneLine(problem.name, LONGEST_TAG_NAME),
      );
    case 'tooLong':
      return t('Tags can have at most {0} characters in total. These have {1}.', TAGS_LENGTH_AT_MOST, problem.length);
  }
}
