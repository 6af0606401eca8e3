import { t } from '@vscode/l10n';
import type { NewStream } from '../../api/types.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { CommandContext } from '../context.ts';
import { pickStream } from '../targets/pickStream.ts';

export interface ChosenRenditions {
  readonly label: string;
  /** Undefined leaves the choice to the service. */
  readonly profiles: NewStream['profiles'];
}

/** The shape on the public service; the interface specifies none. An `fps` of 0 is that of the source. */
interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Bit/s. */
  readonly bitrate: number;
  readonly fps: number;
}

const LADDER: readonly Rendition[] = [
  { name: '240p0', width: 426, height: 240, bitrate: 250_000, fps: 0 },
  { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 },
  { name: '480p0', width: 854, height: 480, bitrate: 1_600_000, fps: 0 },
  { name: '720p0', width: 1280, height: 720, bitrate: 3_000_000, fps: 0 },
];

interface Ladder extends ChosenRenditions {
  readonly profiles: readonly Rendition[];
  /** Undefined if the label says everything. */
  readonly sizes: string | undefined;
}

/** Returns all ladders that can be chosen, shortest first. */
export function ladders(): readonly Ladder[] {
  return LADDER.map((_top, at) => ladderOf(LADDER.slice(0, at + 1)));
}

function ladderOf(profiles: readonly Rendition[]): Ladder {
  const sizes = profiles.map(({ height }) => `${height}p`);
  const [only = '', ...others] = sizes;
  if (others.length === 0) return { label: only, sizes: undefined, profiles };
  return { label: t('Up to {0}', sizes.at(-1) ?? ''), sizes: sizes.join(' · '), profiles };
}

/** Throws a Refusal for a stream without renditions, and ApiError. */
export async function renditionsOfAnother(context: CommandContext): Promise<ChosenRenditions | undefined> {
  const stream = await pickStream({ ...context, runBeside: undefined }, t('Copy Renditions'), { isForOther: true });
  if (stream === undefined) return undefined;
  const { profiles = [] } = stream;
  if (profiles.length === 0) throw new Refusal(t('"{0}" has no renditions of its own.', nameOf(stream)));
  return { label: t('Same as "{0}"', nameOf(stream)), profiles };
}
