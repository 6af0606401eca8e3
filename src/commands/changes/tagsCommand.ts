import { t } from '@vscode/l10n';
import type { JsonObject } from '../../api/decode.ts';
import type { Stream } from '../../api/types.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import {
  parseTags,
  parseTagValue,
  type ReadTags,
  readTags,
  TAGS_LENGTH_AT_MOST,
  type TagsProblem,
  writeTagValue,
} from '../../model/streamTags.ts';
import type { InputOptions, PickItem, Ui } from '../../services.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { switchedConnections } from '../../texts/refusals.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { oneLine } from '../../util/text.ts';
import { BACK, inputOrBack, showAsTyped } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { orEdited } from '../editedAgain.ts';
import { givenField } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { changeSingle } from './changeCommands.ts';

const ONE_TAG = 'event:Summit';
const EXAMPLE = `${ONE_TAG}, season:4`;
const LONGEST_TAG_NAME = 60;
const LONGEST_VALUE = 200;

/**
 * Sets the tags of a stream. Takes a row, or {id, tags}, where `tags` replaces all tags; otherwise shows them in a
 * list.
 */
export async function editTags(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = givenField(args[0], 'tags');
  const known = await resolveOneStream(context, args, editTitle());
  if (known === undefined) return;
  // All tags are replaced, and others may have changed them.
  const stream = (await context.connection.account.readStream(known.id)) ?? known;
  const before = stream.tags ?? {};
  if (given === undefined) return editInBoxes(context, { stream, before, tags: before });
  const read = readTags(given, before);
  if (!read.ok) throw new Refusal(problemText(read.problem));
  await save(context, { stream, before, tags: read.tags });
}

function editTitle(): string {
  return t('Edit Stream Tags');
}

interface EditedTags {
  readonly stream: Stream;
  /** The tags as the service has them. */
  readonly before: JsonObject;
  readonly tags: JsonObject;
}

async function save(context: CommandContext, { stream, before, tags }: EditedTags): Promise<void> {
  if (isSameJson(tags, before)) return;
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  await changeSingle(context, { account, info, stream, change: { operation: 'settingTags', tags } });
}

/** Sends nothing until the user saves the tags. If that fails, the message leads back to the input. */
async function editInBoxes(context: CommandContext, edited: EditedTags): Promise<void> {
  const { account } = context.connection;
  const tags = await askForTags(context, edited);
  if (tags === undefined) return;
  if (account.isClosed) throw switchedConnections();
  const entered = { ...edited, tags };
  const again = (next: CommandContext) => editInBoxes(next, entered);
  await orEdited(context, { send: () => save(context, entered), again });
}

type Choice =
  | { readonly kind: 'save' }
  /** `typed` is the text in the list's box. */
  | { readonly kind: 'add'; readonly typed?: string }
  | { readonly kind: 'edit' | 'remove'; readonly name: string };

// A row that has the same object keeps its place when its text changes, and can be highlighted.
const ADD: Choice = { kind: 'add' };
const SAVE: Choice = { kind: 'save' };

/** Shows the tags until the user saves them. Returns undefined if dismissed. */
async function askForTags({ ui }: CommandContext, edited: EditedTags): Promise<JsonObject | undefined> {
  let { tags } = edited;
  // A list with only Add Tag offers no choice.
  let choice: Choice | undefined = Object.keys(tags).length === 0 ? ADD : undefined;
  let next: string | undefined;
  for (;;) {
    choice ??= await pickChange(ui, { ...edited, tags }, next);
    if (choice === undefined) return undefined;
    if (choice.kind === 'save') return tags;
    next = choice.kind === 'remove' ? neighborOf(choice.name, Object.keys(tags)) : undefined;
    tags = (await changeTags(ui, { ...edited, tags }, choice)) ?? tags;
    choice = undefined;
  }
}

function neighborOf(name: string, names: readonly string[]): string | undefined {
  const at = names.indexOf(name);
  return names[at + 1] ?? names[at - 1];
}

/** @param highlighted the tag whose row is highlighted at first */
async function pickChange(ui: Ui, edited: EditedTags, highlighted: string | undefined): Promise<Choice | undefined> {
  const { stream, before, tags } = edited;
  const isChanged = !isSameJson(tags, before);
  // Last, so that a second click on a row's button doesn't hit another row.
  const save: PickItem<Choice>[] = [
    { label: '', isSeparator: true },
    { label: t('Save'), description: nameOf(stream), icon: 'save', value: SAVE },
  ];
  const rows = Object.entries(tags).map(rowOf);
  const rowsFor = (text: string) => {
    const add = addRow(text.trim(), edited);
    // Alone, it isn't highlighted.
    return add.isSentence === true ? [add] : [...rows, add, ...(isChanged ? save : [])];
  };
  const tag = rows.find(({ value }) => value?.kind === 'edit' && value.name === highlighted);
  let typed = (): string => '';
  const choice = await ui.pick<Choice>({
    title: editTitle(),
    placeholder: isChanged
      ? t('Save the tags, or make more changes')
      : t('Select a tag to change, or enter a new one such as {0}', ONE_TAG),
    highlighted: tag?.value ?? (isChanged ? SAVE : undefined),
    items(session) {
      typed = session.text;
      showAsTyped(session, rowsFor);
    },
  });
  return choice === ADD ? { kind: 'add', typed: typed().trim() } : choice;
}

function rowOf([name, value]: readonly [string, unknown]): PickItem<Choice> {
  return {
    label: oneLine(name, LONGEST_TAG_NAME),
    description: oneLine(writeTagValue(value), LONGEST_VALUE),
    icon: 'tag',
    value: { kind: 'edit', name },
    buttons: [{ icon: 'trash', tooltip: t('Remove Tag'), value: { kind: 'remove', name } }],
  };
}

/**
 * Returns a row that stays regardless of what is typed, so that the list is never empty. It adds the text or says why
 * not.
 */
function addRow(typed: string, { tags, before }: EditedTags): PickItem<Choice> {
  const row = { icon: 'add', value: ADD, isAlwaysShown: true };
  if (!isLikeTags(typed)) return { ...row, label: t('Add Tag…') };
  const added = addTags(typed, tags, before);
  if (!added.ok) return { ...row, label: problemText(added.problem), icon: 'error', isSentence: true };
  return { ...row, label: t('Add "{0}"', oneLine(typed, LONGEST_VALUE)) };
}

/** Whether the input looks like tags. Otherwise, it's part of the name of a tag in the list. */
function isLikeTags(typed: string): boolean {
  return /[:={]/.test(typed);
}

/** Returns all tags after the change; undefined if the box is dismissed or left with Back. */
async function changeTags(
  ui: Ui,
  { stream, before, tags }: EditedTags,
  choice: Exclude<Choice, { readonly kind: 'save' }>,
): Promise<JsonObject | undefined> {
  if (choice.kind === 'add') {
    const { typed = '' } = choice;
    // Also if Enter came before the list had a row for it.
    const added = addTags(typed, tags, before);
    if (isLikeTags(typed) && added.ok) return added.tags;
    const problem = added.ok ? undefined : { sentence: problemText(added.problem), links: [] };
    return askTags(ui, (text) => addTags(text, tags, before), {
      prompt: t('Enter tags for "{0}", separated by commas, or as a JSON object', nameOf(stream)),
      placeholder: t('Example: {0}', EXAMPLE),
      value: typed,
      problem,
    });
  }
  const { name } = choice;
  if (choice.kind === 'remove') return Object.fromEntries(Object.entries(tags).filter(([each]) => each !== name));
  return askTags(ui, (typed) => readTags({ ...tags, [name]: parseTagValue(typed) }, before), {
    prompt: t('Enter the value of "{0}"', oneLine(name, LONGEST_TAG_NAME)),
    value: writeTagValue(tags[name]),
  });
}

async function askTags(
  ui: Ui,
  read: (typed: string) => ReadTags,
  box: Omit<InputOptions, 'title' | 'validate'>,
): Promise<JsonObject | undefined> {
  const validate = (typed: string) => {
    const tags = read(typed);
    return tags.ok ? undefined : problemText(tags.problem);
  };
  const text = await inputOrBack(ui, { ...box, title: editTitle(), validate }, () => undefined);
  if (text === undefined || text === BACK) return undefined;
  const entered = read(text);
  return entered.ok ? entered.tags : undefined;
}

function addTags(typed: string, tags: JsonObject, before: JsonObject): ReadTags {
  const added = parseTags(typed, before);
  if (!added.ok) return added;
  const twice = Object.keys(added.tags).find((name) => Object.hasOwn(tags, name));
  if (twice !== undefined) return { ok: false, problem: { kind: 'twice', name: twice } };
  return readTags({ ...tags, ...added.tags }, before);
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
      return t('The tag "{0}" appears more than once.', oneLine(problem.name, LONGEST_TAG_NAME));
    case 'value':
      return t(
        'The value of "{0}" must be a string, a number, or a list of strings and numbers.',
        oneLine(problem.name, LONGEST_TAG_NAME),
      );
    case 'tooLong':
      return t('Tags can have up to {0} characters in total. You entered {1}.', TAGS_LENGTH_AT_MOST, problem.length);
  }
}
