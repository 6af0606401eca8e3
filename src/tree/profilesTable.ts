import { t } from '@vscode/l10n';
import { formatBitrate } from '../util/format.ts';
import { cut } from '../util/text.ts';
import { escapeMarkdown, markdownTable } from './markdown.ts';

const KNOWN = ['name', 'width', 'height', 'bitrate', 'fps'] as const;
const MOST_PROFILES = 20;
const MOST_JSON = 1000;

/** Transcoding profiles as Markdown: a table of known fields, or compact JSON; cut. Undefined if there are none. */
export function profilesTable(profiles: readonly unknown[], locale: string): string | undefined {
  const rows = profileRows(profiles, locale);
  if (rows === undefined) return undefined;
  return typeof rows === 'string' ? escapeMarkdown(rows, MOST_JSON) : markdownTable(rows);
}

/** The same as plain text: rows of a table, the first its head, or compact JSON. */
export function profileRows(
  profiles: readonly unknown[],
  locale: string,
): readonly (readonly string[])[] | string | undefined {
  if (profiles.length === 0) return undefined;
  const some = profiles.slice(0, MOST_PROFILES);
  if (!some.every(isKnown)) return compactJson(some);
  const head = [t('Profile'), t('Resolution'), t('Bitrate'), t('Frame rate')];
  const rows = some.map((profile) => [...profileCells(profile, locale), otherJson(profile)]);
  const hasOthers = rows.some((row) => row.at(-1) !== '');
  return [hasOthers ? [...head, t('Other')] : head, ...rows.map((row) => row.slice(0, hasOthers ? 5 : 4))];
}

type Profile = Readonly<Record<string, unknown>>;

function isKnown(profile: unknown): profile is Profile {
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile)) return false;
  return KNOWN.some((key) => key in profile) && KNOWN.every((key) => isPlain((profile as Profile)[key]));
}

function isPlain(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'number';
}

function profileCells({ name, width, height, bitrate, fps }: Profile, locale: string): string[] {
  const size = textOf(width) === '' && textOf(height) === '' ? '' : `${textOf(width)} × ${textOf(height)}`;
  const rate = typeof bitrate === 'number' ? formatBitrate(bitrate, locale) : undefined;
  // Observed: 0 keeps the frame rate of the source.
  const frames = fps === 0 ? t('Same as source') : textOf(fps);
  return [textOf(name), size, rate ?? textOf(bitrate), frames];
}

function otherJson(profile: Profile): string {
  const others = Object.entries(profile).filter(([key]) => !KNOWN.some((known) => known === key));
  return others.length === 0 ? '' : compactJson(Object.fromEntries(others));
}

function compactJson(value: unknown): string {
  return cut(JSON.stringify(value) ?? '', MOST_JSON);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
