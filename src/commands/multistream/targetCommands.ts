import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { MultistreamTarget } from '../../api/multistream.ts';
import type { Stream } from '../../api/types.ts';
import { type AccountTargets, hasTarget, targetsOf } from '../../model/account/accountTargets.ts';
import { mayHaveHappened } from '../../model/account/sentOnce.ts';
import { isChildStream } from '../../model/childStreams/childStreams.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { loadStreamsWithTargets } from '../../model/multistream/streamsWithTargets.ts';
import { isOnAir } from '../../model/store/streams.ts';
import type { Question } from '../../services.ts';
import { refreshAction, showLogAction } from '../../texts/actions.ts';
import { onOrOffText } from '../../texts/lateLabels.ts';
import { multistreamNotOffered, othersWithTarget } from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId, serviceOf, streamIsGone } from '../../texts/refusals.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenField } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { withOfferedTargets } from './offeredTargets.ts';
import { addedText, addTargetTitle, askForNewPlace, askForTarget, changeTargetTitle } from './targetBoxes.ts';
import { tellApart } from './targetChoices.ts';

/**
 * Also sends a stream's broadcasts elsewhere. Takes a row, or {id, name, url, profile?}, and asks for what is missing:
 * without a name and a URL, for a target of the account or a new one.
 * With {id, targetId, url?, name?}, it changes where that target sends. Returns whether something was changed.
 */
export async function addMultistreamTarget(context: CommandContext, ...args: readonly unknown[]): Promise<boolean> {
  if (givenField(args[0], 'targetId') !== undefined) return changeTarget(context, args);
  const stream = await resolveStream(context, args, addTargetTitle());
  if (stream === undefined) return false;
  const targets = targetsOf(context.connection.account);
  const target = await askForTarget(context, args[0], stream);
  if (target === undefined) return false;
  await change(context, () => targets.add(stream, target));
  flashDone(context, addedText(target, stream));
  return true;
}

async function changeTarget(context: CommandContext, args: readonly unknown[]): Promise<boolean> {
  const chosen = await chooseTarget(context, args, changeTargetTitle());
  if (chosen === undefined) return false;
  const { target } = chosen;
  const place = await askForNewPlace(context, args[0], chosen);
  if (place === undefined) return false;
  const question = { message: t('Change the target "{0}"?', nameOf(target)), act: t('Change') };
  if (!(await confirmForOthers(context, chosen, question))) return false;
  const repeat = (sentence: string) =>
    t('{0} The change may still have been applied. To make sure, change the target again.', sentence);
  await change(context, (targets) => targets.edit(target, place), repeat);
  flashDone(context, t('Updated the target "{0}"', nameOf({ ...target, name: place.name })));
  return true;
}

/** Takes {id, targetId}, or asks for what is missing. */
export function turnOnMultistreamTarget(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  return setDisabled(context, args, false);
}

/** Takes {id, targetId}, or asks for what is missing. */
export function turnOffMultistreamTarget(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  return setDisabled(context, args, true);
}

async function setDisabled(context: CommandContext, args: readonly unknown[], isDisabled: boolean): Promise<void> {
  const title = isDisabled ? t('Turn Off Multistream Target') : t('Turn On Multistream Target');
  const chosen = await chooseTarget(context, args, title, isDisabled);
  if (chosen === undefined) return;
  const { target } = chosen;
  const name = nameOf(target);
  const question = isDisabled
    ? { message: t('Turn off the target "{0}"?', name), act: t('Turn Off') }
    : { message: t('Turn on the target "{0}"?', name), act: t('Turn On') };
  const isLosing = isDisabled && isOnAir(chosen.stream);
  const warning = isLosing && t('"{0}" is live. The target will stop receiving it.', nameOf(chosen.stream));
  if (!(await confirmForOthers(context, chosen, question, warning))) return;
  await change(context, (targets) => targets.setDisabled(target, isDisabled));
  flashDone(context, isDisabled ? t('Turned off the target "{0}"', name) : t('Turned on the target "{0}"', name));
}

/** A target belongs to the account: asks for confirmation if other streams have it too, or if there's a warning. */
async function confirmForOthers(
  context: CommandContext,
  { stream, target }: ChosenTarget,
  question: Question,
  warning: string | false = false,
): Promise<boolean> {
  await loadStreamsWithTargets(context);
  const others = othersWithTarget(context.store.snapshot, target.id, stream.id);
  const affected = others.length > 0 && t('Changes to this target also affect these streams: {0}.', others.join(', '));
  const detail = [warning, affected].filter(Boolean).join('\n');
  return detail === '' || context.ui.confirm({ ...question, detail });
}

/** Removes a target from a stream after a modal confirmation. Takes {id, targetId}, or asks for what is missing. */
export async function removeMultistreamTarget(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chooseTarget(context, args, t('Remove Multistream Target'));
  if (chosen === undefined) return;
  const { stream, target } = chosen;
  const name = nameOf(target);
  const isConfirmed = await context.ui.confirm({
    message: t('Remove the target "{0}" from "{1}"?', name, nameOf(stream)),
    detail: t('The target stays in the account, and you can add it again.'),
    act: t('Remove'),
  });
  if (!isConfirmed) return;
  await change(context, (targets) => targets.remove(stream.id, target.id));
  flashDone(context, t('Removed the target "{0}" from "{1}"', name, nameOf(stream)));
}

async function resolveStream(
  context: CommandContext,
  args: readonly unknown[],
  title: string,
): Promise<Stream | undefined> {
  openConnectionInfo(context);
  const { connection } = context;
  if (!targetsOf(connection.account).isOffered) throw multistreamNotOffered(connection.info?.name);
  const stream = await resolveOneStream(context, args, title);
  if (stream === undefined || !isChildStream(stream)) return stream;
  throw new Refusal(t("You can't change deprecated child streams."));
}

interface ChosenTarget {
  readonly stream: Stream;
  readonly target: MultistreamTarget;
}

/**
 * Throws a Refusal if the stream has no such target, or none to choose from.
 * @param isDisabled the state that the target will have; undefined to choose one in either state
 */
async function chooseTarget(
  context: CommandContext,
  args: readonly unknown[],
  title: string,
  isDisabled?: boolean,
): Promise<ChosenTarget | undefined> {
  const given = givenField(args[0], 'targetId');
  const targetId = given === undefined ? undefined : requireId(given);
  const known = await resolveStream(context, args, title);
  if (known === undefined) return undefined;
  // Its targets may have been changed elsewhere.
  const stream = await context.connection.account.readStream(known.id);
  if (stream === undefined) throw streamIsGone(known);
  const ofStream = (await readAllTargets(context)).filter(({ id }) => hasTarget(stream, id));
  if (targetId !== undefined) {
    const target = ofStream.find(({ id }) => id === targetId);
    if (target === undefined) throw new Refusal(t('The stream no longer has this multistream target.'));
    return { stream, target };
  }
  const fit = ofStream.filter((target) => isDisabled === undefined || target.isDisabled !== isDisabled);
  if (fit.length === 0) throw new Refusal(noTargetText(nameOf(stream), isDisabled), { severity: 'info' });
  const rows = fit.map((target) => ({
    label: nameOf(target),
    description: onOrOffText(!target.isDisabled),
    value: target,
  }));
  await loadStreamsWithTargets(context);
  const chosen = await context.ui.pick({
    title,
    placeholder: t('Select a target of "{0}"', nameOf(stream)),
    items: tellApart(context, rows, stream.id).map(({ value: target, ...row }) => ({
      ...row,
      icon: 'broadcast',
      value: { target, isChanged: false },
      buttons: [{ icon: 'edit', tooltip: changeTargetTitle(), value: { target, isChanged: true } }],
    })),
  });
  if (chosen?.isChanged !== true) return chosen && { stream, target: chosen.target };
  await context.runCommand('addMultistreamTarget', { id: stream.id, targetId: chosen.target.id });
  return undefined;
}

function readAllTargets(context: CommandContext): Promise<readonly MultistreamTarget[]> {
  return withOfferedTargets(context, (targets) => targets.readAll());
}

/** Throws a Refusal if the service has no targets, or if it isn't known whether the change was made. */
async function change(
  context: CommandContext,
  send: (targets: AccountTargets) => Promise<void>,
  textOf = (sentence: string) => t('{0} The change may still have been applied. Refresh to check.', sentence),
): Promise<void> {
  try {
    await withOfferedTargets(context, send);
  } catch (error) {
    if (!isApiError(error) || !mayHaveHappened(error)) throw error;
    const sentence = describeError(error, { service: serviceOf(context, error) });
    throw new Refusal(textOf(sentence), {
      isOfConnection: true,
      severity: 'error',
      canEdit: true,
      actions: [refreshAction(), showLogAction()],
    });
  }
}

function noTargetText(name: string, isDisabled: boolean | undefined): string {
  if (isDisabled === undefined) return t('"{0}" has no multistream targets.', name);
  return isDisabled
    ? t('"{0}" has no multistream target that you can turn off.', name)
    : t('"{0}" has no multistream target that you can turn on.', name);
}
