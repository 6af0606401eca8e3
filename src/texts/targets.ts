import { t } from '@vscode/l10n';
import type { HealthCondition } from '../api/types.ts';
import { isUnmet } from '../model/inspection/problems.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { nameOf } from './names.ts';

/** Returns "YouTube failing" for each target that the service can't reach. `health`: of targets turned on. */
export function failedTargets(health: readonly HealthCondition[], targets: Snapshot['targets']): readonly string[] {
  const names = health
    .filter(isUnmet)
    .flatMap(({ target }) => (target === undefined ? [] : [nameOf(targets.get(target.id) ?? target)]));
  return [...new Set(names)].map((name) => t('{0} failing', name));
}
