import { t } from '@vscode/l10n';
import type { MultistreamTarget } from '../../api/multistream.ts';
import type { Stream } from '../../api/types.ts';
import { loadStreamsWithTargets } from '../../model/multistream/streamsWithTargets.ts';
import type { TargetService } from '../../model/multistream/targetUrl.ts';
import type { PickItem, PickOptions } from '../../services.ts';
import { createdText } from '../../texts/clips.ts';
import { onOrOffText } from '../../texts/lateLabels.ts';
import { othersWithTarget, TARGET_SERVICES } from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { formatDayAndClock } from '../../util/dates.ts';
import { compareNames } from '../../util/names.ts';
import { joinParts } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { withOfferedTargets } from './offeredTargets.ts';

/** Where broadcasts go: to a target of the account, or to a new one. 'none' if the target is to be removed. */
export type TargetChoice = MultistreamTarget | TargetService | 'other' | 'none';

interface Offered {
  /** The targets that the stream has; none if those of the account aren't offered. */
  readonly used: Stream['targets'] | undefined;
  readonly canRemove: boolean;
}

const SERVICES = Object.entries(TARGET_SERVICES) as readonly [TargetService, string][];

/** The other targets of the account come last, so that no row moves when they load. A failure leaves the known ones. */
export function choicesOfTarget(
  context: CommandContext,
  chosen: TargetChoice | undefined,
  { used, canRemove }: Offered,
): PickOptions<TargetChoice>['items'] {
  if (used === undefined) return [...newTargets(chosen), ...removal(canRemove)];
  const isUsed = ({ id }: MultistreamTarget) => used.some((use) => use.id === id);
  const known = () => [...context.store.snapshot.targets.values()];
  return ({ show }) => {
    const showWith = (targets: readonly MultistreamTarget[], isBusy: boolean) => {
      const unused = targets.filter((target) => !isUsed(target));
      show(
        [...newTargets(chosen, unused.length > 0), ...ofAccount(context, unused, chosen), ...removal(canRemove)],
        isBusy,
      );
    };
    showWith(known(), true);
    const reading = withOfferedTargets(context, (targets) => targets.readAll());
    Promise.all([reading, loadStreamsWithTargets(context)]).then(
      ([targets]) => showWith(targets, false),
      (error: unknown) => {
        context.log.info(`The multistream targets of the account couldn't be listed: ${String(error)}`);
        showWith(known(), false);
      },
    );
  };
}

/** Returns the choice that is offered for one that was made before. */
export function highlightedTarget({ store }: CommandContext, chosen: TargetChoice | undefined) {
  return typeof chosen === 'object' ? store.snapshot.targets.get(chosen.id) : chosen;
}

function ofAccount(
  context: CommandContext,
  targets: readonly MultistreamTarget[],
  chosen: TargetChoice | undefined,
): readonly PickItem<TargetChoice>[] {
  if (targets.length === 0) return [];
  const rows = targets.map((target) => ({
    label: nameOf(target),
    description: target.isDisabled ? onOrOffText(false) : undefined,
    icon: typeof chosen === 'object' && chosen.id === target.id ? 'check' : 'broadcast',
    value: target,
  }));
  const { locale } = context.drawing();
  return [
    { label: t('Existing Targets'), isSeparator: true },
    ...tellApart(context, rows).sort((one, other) => compareNames(one.label, other.label, locale)),
  ];
}

interface TargetRow {
  readonly label: string;
  readonly description: string | undefined;
  readonly value: MultistreamTarget;
}

/**
 * Tells targets that look the same apart: adds which other streams have them, and then when they were created, until
 * they differ.
 */
export function tellApart<R extends TargetRow>(
  { store, drawing }: CommandContext,
  rows: readonly R[],
  streamId?: string,
): R[] {
  const facts: readonly ((target: MultistreamTarget) => string | undefined)[] = [
    ({ id }) => othersWithTarget(store.snapshot, id, streamId).join(', '),
    ({ createdAt }) => createdText(formatDayAndClock(createdAt, drawing())),
    ({ id }) => id.slice(0, 8),
  ];
  return facts.reduce<R[]>(
    (known, describe) => {
      const alike = Map.groupBy(known, ({ label, description }) => joinParts(label, description));
      return [...alike.values()].flatMap((same) =>
        same.length === 1
          ? same
          : same.map((row) => ({ ...row, description: joinParts(row.description, describe(row.value)) })),
      );
    },
    [...rows],
  );
}

function newTargets(chosen: TargetChoice | undefined, hasOthers = false): readonly PickItem<TargetChoice>[] {
  return [
    ...(hasOthers ? [{ label: t('New Target'), isSeparator: true } as const] : []),
    ...SERVICES.map(([value, label]) => ({
      label,
      icon: chosen === value ? 'check' : 'add',
      value,
    })),
    {
      label: t('Other…'),
      description: t('A URL that starts with rtmp://, rtmps://, or srt://'),
      icon: chosen === 'other' ? 'check' : 'link',
      value: 'other',
    },
  ];
}

function removal(canRemove: boolean): readonly PickItem<TargetChoice>[] {
  if (!canRemove) return [];
  return [
    { label: '', isSeparator: true },
    { label: t('Remove Target'), icon: 'trash', value: 'none' },
  ];
}
