import { t } from '@vscode/l10n';
import { formatDateTime, type Reader } from '../../util/dates.ts';
import { formatBytes, formatCount } from '../../util/format.ts';
import type { FindingSection, Mark } from './hlsFindings.ts';
import type { HlsFacts } from './inspectHls.ts';

const MARKS: Readonly<Record<Mark, string>> = { good: '✓', doubtful: '!', bad: '✗' };

interface ReportParts {
  readonly title: string;
  /** Shown without its query; undefined if nothing was requested. */
  readonly url: string | undefined;
  readonly sections: readonly FindingSection[];
  readonly usage: HlsFacts['usage'] | undefined;
}

/** Returns plain text: a heading, a summary, and a line for each finding, with what to do below it. */
export function reportText({ title, url, sections, usage }: ReportParts, reader: Reader): string {
  const head = [
    title,
    ...(url === undefined ? [] : [publicPart(url)]),
    [formatDateTime(reader.now, reader), usage && usageText(usage, reader)]
      .filter((part) => part !== undefined)
      .join(' · '),
    summaryOf(sections, reader),
  ];
  const body = sections.flatMap(({ heading, findings }) => [
    '',
    heading,
    ...findings.flatMap(({ mark, label, figure, advice }) => [
      `  ${MARKS[mark]} ${t('{0}: {1}', label, figure)}`,
      ...(advice === undefined ? [] : [`    ${advice}`]),
    ]),
  ]);
  return [...head, ...body, ''].join('\n');
}

/** Without the query and credentials, which may be secrets. */
function publicPart(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

function summaryOf(sections: readonly FindingSection[], { locale }: Reader): string {
  const count = (mark: Mark) => {
    const found = sections.flatMap(({ findings }) => findings).filter((finding) => finding.mark === mark);
    return formatCount(found.length, locale) ?? '';
  };
  return t('Problems: {0}, warnings: {1}, passed: {2}', count('bad'), count('doubtful'), count('good'));
}

function usageText({ requests, bytes, ms }: HlsFacts['usage'], { locale }: Reader): string {
  const seconds = (ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 });
  return t(
    'Requests: {0} · Data: {1} · Time: {2} s',
    formatCount(requests, locale) ?? '',
    formatBytes(bytes, locale) ?? '',
    seconds,
  );
}
