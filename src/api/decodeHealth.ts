import { booleanOf, decodeTargetUse, type TargetUse, textOf, timeOf, toRow } from './decode.ts';

/** A condition that the service probes regularly while a stream is live. */
export interface Condition {
  /** Active, Transcoding, TranscodeRealTime, TranscodeNoErrors, Multistreaming, or any other word. */
  readonly type: string;
  /** undefined: not checked yet. */
  readonly isMet: boolean | undefined;
  /** When that last changed, and when it was last checked. */
  readonly since: number | undefined;
  readonly checkedAt: number | undefined;
  /** Set for the connection to one multistream target. */
  readonly target?: TargetUse & { readonly name: string };
}

/**
 * Returns the conditions of a stream's health, at most 50, and one for the connection to each multistream target. Those
 * without a type are left out.
 */
export function decodeHealth(value: unknown): readonly Condition[] | undefined {
  const { conditions, multistream } = toRow(value) ?? {};
  if (!Array.isArray(conditions)) return undefined;
  const targets = Array.isArray(multistream) ? multistream : [];
  return [...conditions.slice(0, 50).flatMap(decodeCondition), ...targets.slice(0, 100).flatMap(decodeConnection)];
}

function decodeCondition(value: unknown): readonly Condition[] {
  const row = toRow(value);
  const type = textOf(row?.type);
  if (row === undefined || !type) return [];
  const [since, checkedAt] = [timeOf(row.lastTransitionTime), timeOf(row.lastProbeTime)];
  return [{ type, isMet: booleanOf(row.status), since, checkedAt }];
}

function decodeConnection(value: unknown): readonly Condition[] {
  const row = toRow(value);
  const [use] = decodeTargetUse(row?.target);
  if (use === undefined) return [];
  const target = { ...use, name: textOf(toRow(row?.target)?.name) ?? '' };
  return [{ type: 'Multistreaming', isMet: booleanOf(row?.connected), since: undefined, checkedAt: undefined, target }];
}
