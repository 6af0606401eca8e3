import type { AddressTemplates, AgentAccess, NotificationKind, WrittenAddresses } from '../services.ts';
import type { Event } from '../util/events.ts';
import { isRecord } from '../util/isRecord.ts';

export interface ReadValue<T> {
  readonly value: T;
  readonly problem?: string;
}

interface NumberRange {
  readonly standard: number;
  readonly least: number;
  readonly most: number;
}

/** As declared in package.json. */
export const PAGE_SIZE: NumberRange = { standard: 500, least: 20, most: 1000 };
export const TIMEOUT_SECONDS: NumberRange = { standard: 20, least: 1, most: 300 };
export const REFRESH_SECONDS: NumberRange = { standard: 15, least: 5, most: 3600 };
export const NOTIFICATION_KINDS: readonly NotificationKind[] = ['streamStarted', 'streamEnded', 'recordingReady'];

const EXCLUDED: readonly string[] = ['**/node_modules/**'];
const PURPOSES = ['rtmp', 'srt', 'whip', 'hls', 'player', 'recordingPlayer', 'dashboard', 'keys'] as const;

type ReadSetting = <T>(key: string, decode: (written: unknown) => ReadValue<T>, resource?: string) => T;

/**
 * The settings of a window, each with a function that reads its current value. The snapshot contains their values.
 */
function windowSettings(read: ReadSetting) {
  return {
    /** In seconds: 0 is off; otherwise 5 to 3600. */
    refreshInterval: () => read('refreshInterval', readRefreshInterval),
    notifications: () => read('notifications', readNotifications),
    /** From 20 to 1000. */
    pageSize: () => read('pageSize', (written) => readWholeNumber(written, PAGE_SIZE)),
    playIn: () => read('playIn', (written) => readWord<'editor' | 'browser'>(written, 'editor', 'browser')),
    showHistoricChildStreams: () => read('showHistoricChildStreams', (written) => readBoolean(written, false)),
    /** By origin of the base URL. */
    addresses: () => read('addresses', readAddresses),
    networkClient: () => read('network.client', readNetworkClient),
    /** In milliseconds. */
    networkTimeout: () => 1000 * read('network.timeout', (written) => readNumber(written, TIMEOUT_SECONDS)),
    /** The program: a path, or a name on the PATH. */
    ffmpeg: () => read('ffmpeg', readProgram),
    /** Which tools language models may use: none, those that read, or those that change streams, too. */
    agentTools: () => read('agentTools', readAgentAccess),
  };
}

/**
 * Returns all settings. `read` gets a key without the prefix, a function that validates the written value, and for some
 * settings a resource. The default of a setting is the function's result for undefined.
 */
export function settingsFrom(read: ReadSetting) {
  const settings = windowSettings(read);
  return {
    ...settings,
    /** Whether to look for keys in a document, by its URI. */
    leakGuard: (resource: string) => read('leakGuard', (written) => readBoolean(written, true), resource),
    /** Globs for files in which keys aren't looked for. */
    leakGuardExclude: (resource: string) => read('leakGuardExclude', readGlobs, resource),
    /** Returns the current values of all settings that don't depend on a resource. */
    values: () => Object.fromEntries(Object.entries(settings).map(([name, now]) => [name, now()])) as SettingValues,
  };
}

type WindowSettings = ReturnType<typeof windowSettings>;

/** The settings in the snapshot. */
export type SettingValues = { readonly [Name in keyof WindowSettings]: ReturnType<WindowSettings[Name]> };

export const DEFAULT_SETTINGS: SettingValues = settingsFrom((_, decode) => decode(undefined).value).values();

/** Valid, and current on each call. */
export interface Settings extends ReturnType<typeof settingsFrom> {
  /** Merges templates into the user's settings; undefined removes one. Rejects if the settings can't be written. */
  writeAddresses(origin: string, templates: WrittenAddresses): Promise<void>;
  /** Writes to the user's settings. Rejects if the settings can't be written. */
  writeNotifications(kinds: readonly NotificationKind[]): Promise<void>;
  readonly onDidChange: Event<void>;
}

export function readNumber(written: unknown, range: NumberRange): ReadValue<number> {
  const { standard, least, most } = range;
  if (written === undefined) return { value: standard };
  if (typeof written !== 'number' || Number.isNaN(written)) return misfit(standard, written, 'a number');
  const value = Math.min(Math.max(written, least), most);
  return value === written ? { value } : { value, problem: `is not between ${least} and ${most}: ${value} is used` };
}

export function readWholeNumber(written: unknown, range: NumberRange): ReadValue<number> {
  const read = readNumber(written, range);
  return { ...read, value: Math.round(read.value) };
}

/** Reads the `refreshInterval` setting, in seconds: 0 or less is off. */
export function readRefreshInterval(written: unknown): ReadValue<number> {
  if (written === 0) return { value: 0 };
  if (typeof written === 'number' && written < 0) return { value: 0, problem: 'is negative (off)' };
  return readNumber(written, REFRESH_SECONDS);
}

export function readNotifications(written: unknown): ReadValue<ReadonlySet<NotificationKind>> {
  if (written === undefined) return { value: new Set() };
  if (!Array.isArray(written)) return misfit(new Set(), written, 'a list', 'there are no notifications');
  const value = new Set(NOTIFICATION_KINDS.filter((kind) => written.includes(kind)));
  const isKnown = written.every((word: unknown) => NOTIFICATION_KINDS.some((kind) => kind === word));
  return isKnown ? { value } : { value, problem: 'has unknown values (ignored)' };
}

export function readNetworkClient(written: unknown): ReadValue<'undici' | 'editor'> {
  return readWord(written, 'undici', 'editor');
}

/** Any other value allows reading only. */
export function readAgentAccess(written: unknown): ReadValue<AgentAccess> {
  if (written === 'off') return { value: written };
  return readWord<AgentAccess>(written, 'read', 'readAndChange');
}

function readWord<W extends string>(written: unknown, standard: W, other: W): ReadValue<W> {
  if (written === undefined || written === standard) return { value: standard };
  if (written === other) return { value: other };
  return { value: standard, problem: `is neither "${standard}" nor "${other}": "${standard}" is used` };
}

function readGlobs(written: unknown): ReadValue<readonly string[]> {
  if (written === undefined) return { value: EXCLUDED };
  if (!Array.isArray(written)) return misfit(EXCLUDED, written, 'a list');
  const value = written.filter((glob): glob is string => typeof glob === 'string' && glob !== '');
  return value.length === written.length ? { value } : { value, problem: "has entries that aren't globs (ignored)" };
}

/** Reads the `ffmpeg` setting: empty means the one on the PATH. */
export function readProgram(written: unknown): ReadValue<string> {
  const standard = 'ffmpeg';
  if (written === undefined) return { value: standard };
  if (typeof written !== 'string') return misfit(standard, written, 'a path');
  return { value: written.trim() || standard };
}

export function readBoolean(written: unknown, standard: boolean): ReadValue<boolean> {
  if (written === undefined) return { value: standard };
  if (typeof written === 'boolean') return { value: written };
  return misfit(standard, written, 'true or false');
}

/** By origin; a key with a path counts for its origin. Drops invalid entries. */
export function readAddresses(written: unknown): ReadValue<Readonly<Record<string, AddressTemplates>>> {
  if (written === undefined) return { value: {} };
  if (!isRecord(written)) return misfit({}, written, 'an object', "it isn't used");
  const wrong: string[] = [];
  const entries = Object.entries(written).flatMap(
    ([key, templates]): readonly (readonly [string, AddressTemplates])[] => {
      const origin = originOf(key);
      if (origin !== undefined && isRecord(templates)) return [[origin, readTemplates(templates, wrong)]];
      wrong.push(origin === undefined ? "a URL that isn't HTTP(S)" : "an entry that isn't an object");
      return [];
    },
  );
  const value = Object.fromEntries(entries);
  return wrong.length === 0 ? { value } : { value, problem: `has ${[...new Set(wrong)].join(', ')} (ignored)` };
}

/** Returns the setting with changed templates; undefined removes one. Keeps everything else that was written. */
export function addressesWith(
  written: unknown,
  origin: string,
  templates: WrittenAddresses,
): Readonly<Record<string, unknown>> {
  const before = isRecord(written) ? written : {};
  // If several keys have one origin, the last counts.
  const key = Object.keys(before).findLast((each) => originOf(each) === origin) ?? origin;
  const old = before[key];
  const entries = Object.entries({ ...(isRecord(old) ? old : {}), ...templates });
  const left = entries.filter(([, template]) => template !== undefined);
  const { [key]: _, ...others } = before;
  return left.length === 0 ? others : { ...before, [key]: Object.fromEntries(left) };
}

function readTemplates(written: Readonly<Record<string, unknown>>, wrong: string[]): AddressTemplates {
  const known: Record<string, string> = {};
  for (const purpose of PURPOSES) {
    const template = written[purpose];
    if (typeof template === 'string' && template.trim() !== '') known[purpose] = template.trim();
    else if (template !== undefined) wrong.push(`a value for "${purpose}" that isn't text`);
  }
  return known;
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : undefined;
}

function misfit<T>(value: T, written: unknown, expected: string, instead = `${value} is used`): ReadValue<T> {
  return { value, problem: `is ${kindOf(written)}, not ${expected}: ${instead}` };
}

// Returns the type in words, never the value: users paste keys into the wrong place.
function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
