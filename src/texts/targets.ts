import { t } from '@vscode/l10n';
import type { HealthCondition } from '../api/types.ts';
import { isUnmet } from '../model/inspection/problems.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { nameOf } from './names.ts';

/** "YouTube isn't connected": for each target that the service can't send to. `health`: only for targets turned on. */
export function failedTargets(health: readonly HealthCondition[], targets: Snapshot['targets']): readonly string[] {
  const failed = health.filter(isUnmet).flatMap(({ target }) => {
    return target === undefined ? [] : [t("{0} isn't connected", nameOf(targets.get(target.id) ?? target))];
  });
  return [...new Set(failed)];
}
