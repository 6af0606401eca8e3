import { booleanOf, decodeTargetUse, textOf, timeOf, toRow } from './decode.ts';
import type { HealthCondition } from './types.ts';

/**
 * Returns the conditions of a stream's health, at most 50, and one for the connection to each multistream target. Omits
 * those without a type.
 */
export function decodeHealth(value: unknown): readonly HealthCondition[] | undefined {
  const { conditions, multistream } = toRow(value) ?? {};
  if (!Array.isArray(conditions)) return undefined;
  const targets = Array.isArray(multistream) ? multistream : [];
  return [...conditions.slice(0, 50).flatMap(decodeCondition), ...targets.slice(0, 100).flatMap(decodeConnection)];
}

function decodeCondition(value: unknown): readonly HealthCondition[] {
  const row = toRow(value);
  const type = textOf(row?.type);
  if (row === undefined || !type) return [];
  const [since, checkedAt] = [timeOf(row.lastTransitionTime), timeOf(row.lastProbeTime)];
  return [{ type, isMet: booleanOf(row.status), since, checkedAt }];
}

function decodeConnection(value: unknown): readonly HealthCondition[] {
  const row = toRow(value);
  const [use] = decodeTargetUse(row?.target);
  if (use === undefined) return [];
  const target = { ...use, name: textOf(toRow(row?.target)?.name) ?? '' };
  return [{ type: 'Multistreaming', isMet: booleanOf(row?.connected), since: undefined, checkedAt: undefined, target }];
}
