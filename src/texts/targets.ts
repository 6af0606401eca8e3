import { t } from '@vscode/l10n';
import type { HealthCondition } from '../api/types.ts';
import { isUnmet } from '../model/inspection/problems.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { isBlank, oneLine } from '../util/text.ts';

const LONGEST_NAME = 60;

/** Returns the name of a multistream target for a sentence or a row, or its ID. */
export function targetName({ id, name = '' }: { readonly id: string; readonly name?: string | undefined }): string {
  return isBlank(name) ? id : oneLine(name, LONGEST_NAME);
}

/** "YouTube isn't connected": for each target that the service can't send to. `health`: only of targets that are on. */
export function failedTargets(health: readonly HealthCondition[], targets: Snapshot['targets']): readonly string[] {
  const failed = health.filter(isUnmet).flatMap(({ target }) => {
    return target === undefined ? [] : [t("{0} isn't connected", targetName(targets.get(target.id) ?? target))];
  });
  return [...new Set(failed)];
}
