import { t } from '@vscode/l10n';
import type { HealthCondition } from '../api/types.ts';
import { isUnmet } from '../model/inspection/problems.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { nameOf } from './names.ts';

/** Returns "YouTube isn't connected" for each target that the service can't reach. `health`: of targets turned on. */
export function failedTargets(health: readonly HealthCondition[], targets: Snapshot['targets']): readonly string[] {
  return namesOfFailed(health, targets).map((name) => t("{0} isn't connected", name));
}

/** "YouTube failing", for a row, which has little room. Undefined if the problem isn't that of a target. */
export function failedTargetWord(problem: HealthCondition, targets: Snapshot['targets']): string | undefined {
  const [name] = namesOfFailed([problem], targets);
  return name === undefined ? undefined : t('{0} failing', name);
}

function namesOfFailed(health: readonly HealthCondition[], targets: Snapshot['targets']): readonly string[] {
  const names = health
    .filter(isUnmet)
    .flatMap(({ target }) => (target === undefined ? [] : [nameOf(targets.get(target.id) ?? target)]));
  return [...new Set(names)];
}
