import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { nameLabel, noTranscodingText } from '../../texts/lateLabels.ts';
import { formatBitrate } from '../../util/format.ts';
import { oneLine } from '../../util/text.ts';
import type { Section } from '../../webview/details/messages.ts';

const MOST_PROFILES = 20;
const LONGEST_CELL = 80;

type Profile = Readonly<Record<string, unknown>>;

/** Returns a stream's or session's renditions in words, if known. Anything else is left to the JSON document. */
export function renditionsSections(profiles: readonly unknown[] | undefined, locale: string): readonly Section[] {
  if (profiles === undefined) return [];
  return [{ id: 'renditions', heading: t('Renditions'), ...shownRenditions(profiles, locale) }];
}

/** Adds a way to edit them while the stream is idle: services refuse that while it's live. */
export function streamRenditionsSections(stream: Stream, { streams, abilities }: Snapshot, locale: string) {
  const { id, profiles, recordingProfiles, isActive } = stream;
  const isChangeable = streams.has(id) && abilities.patch;
  const live = renditionsSections(profiles, locale).map((section): Section => {
    if (!isChangeable) return section;
    if (isActive) return { ...section, note: t('You can edit renditions while the stream is idle.') };
    return { ...section, buttons: [{ label: t('Edit Renditions…'), act: 'editRenditions' }] };
  });
  if (recordingProfiles === undefined) return live;
  const recorded = { id: 'recordingRenditions', heading: t('Renditions of Recordings') };
  return [...live, { ...recorded, ...shownRenditions(recordingProfiles, locale) }];
}

function shownRenditions(profiles: readonly unknown[], locale: string): Pick<Section, 'texts' | 'rows' | 'isWide'> {
  if (profiles.length === 0) return { texts: [noTranscodingText()] };
  const known = profiles.filter(isProfile).slice(0, MOST_PROFILES);
  const rows = known.map((profile) => cellsOf(profile, locale));
  if (rows.every((row) => row.every((cell) => cell === ''))) {
    return { texts: [profiles.length === 1 ? t('1 rendition') : t('{0} renditions', profiles.length)] };
  }
  const head = [nameLabel(), t('Resolution'), t('Bitrate'), t('Frame Rate'), t('Encoder Profile')];
  const isUsed = head.map((_, column) => rows.some((row) => row[column] !== ''));
  return { isWide: true, rows: [head, ...rows].map((row) => row.filter((_, column) => isUsed[column])) };
}

function isProfile(profile: unknown): profile is Profile {
  return typeof profile === 'object' && profile !== null && !Array.isArray(profile);
}

function cellsOf({ name, width, height, bitrate, fps, profile }: Profile, locale: string): readonly string[] {
  const size = [textOf(width), textOf(height)];
  return [
    textOf(name),
    size.every((side) => side !== '') ? size.join(' × ') : '',
    typeof bitrate === 'number' ? (formatBitrate(bitrate, locale) ?? '') : textOf(bitrate),
    // Observed: 0 keeps the frame rate of the source.
    fps === 0 ? t('Same as source') : textOf(fps) && t('{0} fps', textOf(fps)),
    codecWords(textOf(profile)),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value), LONGEST_CELL) : '';
}

/** "H264ConstrainedHigh" becomes "H.264 Constrained High". Other words stay as they are. */
function codecWords(profile: string): string {
  const [, codec, rest = ''] = /^H(26[45])([A-Z][A-Za-z]*)?$/.exec(profile) ?? [];
  if (codec === undefined) return profile;
  return `H.${codec} ${rest.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}`.trim();
}
