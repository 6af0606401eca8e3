import { t } from '@vscode/l10n';
import { formatDateTime, type Reader } from '../../util/dates.ts';
import { formatCount } from '../../util/format.ts';
import { formatBytes } from '../../util/formatBytes.ts';
import type { Finding, FindingSection, Mark } from './hlsFindings.ts';
import type { HlsFacts } from './inspectHls.ts';
import { problemsText } from './problems.ts';
import type { Timeline } from './timeline.ts';

export interface CheckReport {
  readonly title: string;
  /** Unix time in milliseconds. */
  readonly checkedAt: number;
  readonly sections: readonly FindingSection[];
  /** Undefined if nothing was played. The URL may contain secrets, which `publicPart` removes. */
  readonly playback:
    | { readonly url: string; readonly usage: HlsFacts['usage']; readonly timeline: Timeline | undefined }
    | undefined;
}

const MARKS: Readonly<Record<Mark, string>> = { good: '✓', doubtful: '!', bad: '✗', fact: '·' };

/** Returns plain text: a heading, a summary, and a line for each finding, with its meaning and advice below it. */
export function reportText({ title, checkedAt, sections, playback }: CheckReport, reader: Reader): string {
  const head = [
    title,
    ...(playback === undefined ? [] : [publicPart(playback.url)]),
    [formatDateTime(checkedAt, reader), playback && usageText(playback.usage, reader)]
      .filter((part) => part !== undefined)
      .join(' · '),
    summaryOf(sections, reader),
  ];
  const body = sections.flatMap(({ heading, findings }) => ['', heading, ...findings.flatMap(linesOf)]);
  return [...head, ...body, ''].join('\n');
}

function linesOf({ mark, label, figure, meaning, advice, remedy }: Finding): readonly string[] {
  const line = remedy !== undefined && 'line' in remedy ? remedy.line : undefined;
  const below = [meaning, advice, line].filter((text) => text !== undefined);
  return [`  ${MARKS[mark]} ${t('{0}: {1}', label, figure)}`, ...below.map((text) => `    ${text}`)];
}

/** Returns a URL without its query and credentials, which may be secrets. */
export function publicPart(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

export function findingsWith(mark: Mark, sections: readonly FindingSection[]): readonly Finding[] {
  return sections.flatMap(({ findings }) => findings).filter((finding) => finding.mark === mark);
}

/** "3 problems, 2 warnings, 17 checks passed", "1 warning, 17 checks passed", "No problems, 17 checks passed" */
export function summaryOf(sections: readonly FindingSection[], { locale }: Reader): string {
  const [problems = 0, warnings = 0, passed = 0] = (['bad', 'doubtful', 'good'] as const).map(
    (mark) => findingsWith(mark, sections).length,
  );
  const number = (count: number) => formatCount(count, locale) ?? '';
  const words = [
    ...(problems === 0 ? [] : [problemsText(problems, locale)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? t('1 warning') : t('{0} warnings', number(warnings))]),
    ...(problems + warnings === 0 ? [t('No problems')] : []),
    ...(passed === 0 ? [] : [passedText(passed, locale)]),
  ];
  return words.join(', ');
}

export function passedText(count: number, locale: string): string {
  return count === 1 ? t('1 check passed') : t('{0} checks passed', formatCount(count, locale) ?? '');
}

function usageText({ requests, bytes, ms }: HlsFacts['usage'], { locale }: Reader): string {
  const seconds = (ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 });
  return t(
    'Requests: {0} · Data: {1} · Duration: {2} s',
    formatCount(requests, locale) ?? '',
    formatBytes(bytes, locale) ?? '',
    seconds,
  );
}
