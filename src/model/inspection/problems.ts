import { t } from '@vscode/l10n';
import type { HealthCondition } from '../../api/types.ts';
import { formatCount } from '../../util/format.ts';
import type { Snapshot, StreamFact } from '../store/snapshot.ts';
import { isLive } from '../store/streams.ts';

/**
 * Returns the problems of a live stream, as far as its health was read. Excludes issues, which the service only
 * mentions.
 */
export function problemsOf({ health, targets }: Snapshot, fact: StreamFact): readonly HealthCondition[] {
  const known = health.get(fact.stream.id);
  return known === undefined || !isLive(fact) ? [] : problemsIn(ofUsedTargets(known, targets));
}

/** Returns the conditions that aren't met, with only one for a target in several renditions. */
export function problemsIn(health: readonly HealthCondition[]): readonly HealthCondition[] {
  const unmet = health.filter(isUnmet);
  const keys = unmet.map(({ type, target }) => target?.id ?? type);
  return unmet.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}

export function isUnmet({ isMet }: HealthCondition): boolean {
  return isMet === false;
}

/** Returns the causes, without conditions about targets that are off. */
export function ofUsedTargets(
  health: readonly HealthCondition[],
  targets: Snapshot['targets'],
): readonly HealthCondition[] {
  return causesIn(health).filter(({ target }) => target === undefined || targets.get(target.id)?.isDisabled !== true);
}

/**
 * Leaves out the condition about all multistream targets if one about a single target isn't met. While no data arrives,
 * also leaves out conditions that can't be judged without data.
 */
export function causesIn(health: readonly HealthCondition[]): readonly HealthCondition[] {
  const isNamed = health.some((condition) => condition.target !== undefined && isUnmet(condition));
  const isJudged = !health.some(isWithoutData);
  return health.filter(({ type, target }) => {
    if (isNamed && target === undefined && type === SENDING) return false;
    return isJudged || !NEED_DATA.test(type);
  });
}

/** The type of the condition for receiving data. */
export const RECEIVING = 'Active';
/** The type of the conditions for multistream targets. */
export const SENDING = 'Multistreaming';
const NEED_DATA = /^(Transcod(ing|eRealTime)|Multistreaming)$/;

export function isWithoutData(condition: HealthCondition): boolean {
  return condition.type === RECEIVING && isUnmet(condition);
}

export function problemsText(count: number, locale: string): string {
  return count === 1 ? t('1 problem') : t('{0} problems', formatCount(count, locale) ?? '');
}
