import { t } from '@vscode/l10n';
import type { NewStream } from '../../api/types.ts';
import { LADDERS, type Rendition } from '../../model/renditions.ts';
import type { CommandContext } from '../context.ts';
import { nameOf } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import { pickStream } from '../targets/pickStream.ts';

type Context = Pick<CommandContext, 'ui' | 'store' | 'current' | 'clock'>;

export interface ChosenRenditions {
  readonly label: string;
  /** Undefined leaves the choice to the service. */
  readonly profiles: NewStream['profiles'];
}

const OTHER = 'other';

/**
 * Prompts for the renditions of a new stream: the service's default, a ladder, or those of another stream, whose shape
 * only the service may know. Undefined if dismissed. Throws a Refusal for a stream without any, and ApiError.
 */
export async function askRenditions(context: Context, title: string): Promise<ChosenRenditions | undefined> {
  const ladders = LADDERS.map((ladder) => ladderOf(ladder));
  const byService: ChosenRenditions = { label: t('As the Service Chooses'), profiles: undefined };
  const chosen = await context.ui.pick<ChosenRenditions | typeof OTHER>({
    title,
    placeholder: t('Which renditions does it get?'),
    items: [
      { label: byService.label, icon: 'server', value: byService },
      ...ladders.map(({ sizes, ...value }) => ({ label: value.label, description: sizes, icon: 'layers', value })),
      { label: t('Same as Another Stream…'), icon: 'copy', value: OTHER },
    ],
  });
  return chosen === OTHER ? renditionsOfAnother(context, title) : chosen;
}

async function renditionsOfAnother(context: Context, title: string): Promise<ChosenRenditions | undefined> {
  const stream = await pickStream(context, title);
  if (stream === undefined) return undefined;
  const { profiles } = stream;
  if (profiles.length === 0) throw new Refusal(t('"{0}" has no renditions of its own.', nameOf(stream)));
  return { label: t('Same as "{0}"', nameOf(stream)), profiles };
}

function ladderOf(ladder: readonly Rendition[]): ChosenRenditions & { readonly sizes: string } {
  const sizes = ladder.map(({ height }) => `${height}p`);
  return { label: t('Up to {0}', sizes.at(-1) ?? ''), sizes: sizes.join(' · '), profiles: ladder };
}
