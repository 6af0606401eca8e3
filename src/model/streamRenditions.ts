import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { isSameJson } from '../util/sameJson.ts';

/** Why a value isn't valid as the renditions of a stream. `place` counts from 1. */
export type RenditionsProblem =
  | { readonly kind: 'notList' }
  | { readonly kind: 'notObject'; readonly place: number }
  | { readonly kind: 'name'; readonly place: number }
  /** The field isn't a whole number, or it's less than `least`. */
  | { readonly kind: 'number'; readonly place: number; readonly field: string; readonly least: number };

export type ReadRenditions =
  | { readonly ok: true; readonly profiles: readonly unknown[] }
  | { readonly ok: false; readonly problem: RenditionsProblem };

/** The smallest values that the public service accepts (src/api/README.md, Changes). */
const LEAST: Readonly<Record<string, number>> = { width: 128, height: 128, bitrate: 400, fps: 0 };

/** Reads renditions that were typed as JSON. Empty text means none. */
export function parseRenditions(text: string, before: readonly unknown[] | undefined): ReadRenditions {
  return readRenditions(text.trim() === '' ? [] : parseJson(text), before);
}

/**
 * @param before the renditions as the service has them. These stay valid, because the API states no shape. For the same
 * reason, unknown fields aren't checked.
 */
export function readRenditions(value: unknown, before: readonly unknown[] = []): ReadRenditions {
  if (!Array.isArray(value)) return { ok: false, problem: { kind: 'notList' } };
  for (const [at, profile] of value.entries()) {
    const problem = before.some((each) => isSameJson(each, profile)) ? undefined : problemOf(profile, at + 1);
    if (problem !== undefined) return { ok: false, problem };
  }
  return { ok: true, profiles: value };
}

function problemOf(profile: unknown, place: number): RenditionsProblem | undefined {
  if (!isRecord(profile)) return { kind: 'notObject', place };
  if (typeof profile.name !== 'string' || profile.name === '') return { kind: 'name', place };
  for (const [field, least] of Object.entries(LEAST)) {
    const number = profile[field];
    if (!Number.isInteger(number) || Number(number) < least) return { kind: 'number', place, field, least };
  }
  return undefined;
}
