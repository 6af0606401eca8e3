import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { parseRenditions, type RenditionsProblem, readRenditions } from '../../model/streamRenditions.ts';
import type { PickItem } from '../../services.ts';
import { noTranscodingText } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { changeSingle, requirePossible } from './changeCommands.ts';
import { ladders, renditionsOfAnother } from './renditionChoices.ts';

const EXAMPLE = '[{"name": "720p", "width": 1280, "height": 720, "bitrate": 3000000, "fps": 30}]';

/** Sets the renditions of an idle stream. Takes a row, or {id, profiles}, where `profiles` replaces all of them. */
export async function editRenditions(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const given = givenField(args[0], 'profiles');
  const known = await resolveOneStream(context, args, t('Edit Stream Renditions'), { first: 'idle' });
  if (known === undefined) return;
  // It may be live by now, and others may have changed the renditions.
  const stream = (await account.readStream(known.id)) ?? known;
  requirePossible(context, 'settingRenditions', stream);
  const before = stream.profiles;
  const profiles = given === undefined ? await askRenditions(context, stream) : requireValid(given, before);
  if (profiles === undefined || isSameJson(profiles, before)) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'settingRenditions', profiles } });
}

function requireValid(given: unknown, before: readonly unknown[] | undefined): readonly unknown[] {
  const read = readRenditions(given, before);
  if (!read.ok) throw new Refusal(problemText(read.problem));
  return read.profiles;
}

type Answer = readonly unknown[] | 'another' | 'json';

async function askRenditions(context: CommandContext, stream: Stream): Promise<readonly unknown[] | undefined> {
  const answer = await context.ui.pick({
    title: t('Edit Stream Renditions'),
    placeholder: t('Select the renditions for "{0}"', nameOf(stream)),
    items: itemsOf(stream),
  });
  if (answer === 'another') return (await renditionsOfAnother(context))?.profiles;
  return answer === 'json' ? askJson(context, stream) : answer;
}

/** The stream's renditions are checked; if they aren't a ladder, they have their own row. */
function itemsOf({ profiles }: Stream): readonly PickItem<Answer>[] {
  const none = { label: noTranscodingText(), sizes: undefined, profiles: [] };
  const rows = [none, ...ladders()].map(({ label, sizes, profiles: value }) => {
    const isChosen = profiles !== undefined && agrees(value, profiles);
    return { label, description: sizes, icon: isChosen ? 'check' : 'blank', value: isChosen ? profiles : value };
  });
  const isOther = profiles !== undefined && rows.every(({ value }) => value !== profiles);
  const names = profiles?.map((profile) => givenText(profile, 'name') ?? '?').join(' · ');
  return [
    ...(isOther ? [{ label: t('Current'), description: oneLine(names ?? ''), icon: 'check', value: profiles }] : []),
    ...rows,
    { label: t('Copy from Another Stream…'), icon: 'copy', value: 'another' },
    { label: t('Edit as JSON…'), icon: 'json', value: 'json' },
  ];
}

/** Services may add fields to those that were sent. */
function agrees(sent: readonly object[], kept: readonly unknown[]): boolean {
  return (
    sent.length === kept.length && sent.every((each, at) => isSameJson({ ...Object(kept[at]), ...each }, kept[at]))
  );
}

async function askJson({ ui }: CommandContext, stream: Stream): Promise<readonly unknown[] | undefined> {
  const { profiles } = stream;
  const text = await ui.input({
    title: t('Edit Stream Renditions'),
    prompt: t('Enter the renditions for "{0}" as a JSON list', nameOf(stream)),
    placeholder: EXAMPLE,
    value: profiles === undefined ? '' : JSON.stringify(profiles),
    validate: (typed) => {
      const read = parseRenditions(typed, profiles);
      return read.ok ? undefined : problemText(read.problem);
    },
  });
  if (text === undefined) return undefined;
  const read = parseRenditions(text, profiles);
  return read.ok ? read.profiles : undefined;
}

function problemText(problem: RenditionsProblem): string {
  switch (problem.kind) {
    case 'notList':
      return t('Enter a JSON list, such as {0}.', EXAMPLE);
    case 'notObject':
      return t('Rendition {0} must be an object, such as {1}.', problem.place, EXAMPLE.slice(1, -1));
    case 'name':
      return t('Rendition {0} needs a name.', problem.place);
    case 'number':
      return t(
        'In rendition {0}, "{1}" must be a whole number of at least {2}.',
        problem.place,
        problem.field,
        problem.least,
      );
  }
}
