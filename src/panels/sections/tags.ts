import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { oneLine } from '../../util/text.ts';
import type { Fact, Section } from '../../webview/details/messages.ts';

const MOST_TAGS = 100;
const LONGEST_NAME = 80;
const LONGEST_VALUE = 500;

/** Returns the tags of a stream, if the service reports them. */
export function tagsSections({ id, tags }: Stream, { streams, abilities }: Snapshot): readonly Section[] {
  const isChangeable = streams.has(id) && abilities.patch;
  if (tags === undefined && !isChangeable) return [];
  const facts = Object.entries(tags ?? {})
    .slice(0, MOST_TAGS)
    .map(([name, value]): Fact => ({ label: oneLine(name, LONGEST_NAME), value: valueText(value) }));
  return [
    {
      id: 'tags',
      heading: t('Tags'),
      facts,
      ...(facts.length === 0 && { note: t('Add tags, such as an event or a language, to help you find streams.') }),
      ...(isChangeable && { buttons: [{ label: t('Edit Tags…'), act: 'editTags' as const }] }),
    },
  ];
}

function valueText(value: unknown): string {
  const isPlain = (each: unknown) => typeof each === 'string' || typeof each === 'number';
  if (isPlain(value)) return oneLine(String(value), LONGEST_VALUE);
  const isList = Array.isArray(value) && value.every(isPlain);
  return oneLine(isList ? value.join(', ') : JSON.stringify(value), LONGEST_VALUE);
}
