import { t } from '@vscode/l10n';
import type { Abilities } from '../api/types.ts';
import { type Finding, type FindingRemedy, type FindingSection, wordsIn } from '../model/inspection/hlsFindings.ts';
import type { HlsFacts, InspectionStep } from '../model/inspection/inspectHls.ts';
import { type CheckReport, findingsWith, passedText, publicPart, summaryOf } from '../model/inspection/report.ts';
import type { CheckAction, CheckOutcome } from '../texts/checkOutcome.ts';
import { loadingLabel, resumeStreamLabel } from '../texts/labels.ts';
import { createSigningKeyLabel, showStreamDetailsLabel, startTestBroadcastLabel } from '../texts/lateLabels.ts';
import { formatDateTime, type Reader } from '../util/dates.ts';
import { formatCount } from '../util/format.ts';
import { formatBytes } from '../util/formatBytes.ts';
import type { CheckButton, ShownCheck, ShownFinding, ShownNotice, ShownReport } from '../webview/check/messages.ts';
import { type NotOpen, wayButtons } from './ownConnection.ts';
import { shownTimeline } from './shownTimeline.ts';

/** Why a check has no result. */
export type NoResult =
  | { readonly kind: 'canceled' }
  /** The report was there before a reload of the window. */
  | { readonly kind: 'lost' }
  | (Extract<CheckOutcome, { readonly kind: 'failure' }> & { readonly failedAt: number });

export interface KnownCheck {
  readonly kind: 'stream' | 'playback';
  /** The stream's name, or the host. */
  readonly name: string;
  /** Undefined if nothing runs. */
  readonly running: { readonly step: InspectionStep | undefined } | undefined;
  /** Why the last check that ended has no result. */
  readonly noResult: NoResult | undefined;
  /** The last report. */
  readonly report: CheckReport | undefined;
  /** Whether what was checked has changed since the report. */
  readonly isChanged: boolean;
  /** The name of its connection, if there are several. */
  readonly connection: readonly string[];
  readonly abilities: Pick<Abilities, 'multistream'>;
  /** Why the connection of the stream isn't open; undefined if it is. */
  readonly elsewhere?: NotOpen | undefined;
}

function checkTitle({ kind, name }: Pick<KnownCheck, 'kind' | 'name'>): string {
  if (kind === 'playback') return t('HLS playback on {0}', name);
  return name || resultsText();
}

function resultsText(): string {
  return t('Check results');
}

export function shownCheck(known: KnownCheck, reader: Reader): ShownCheck {
  const { running, noResult, report, isChanged, elsewhere } = known;
  const shown = report && shownReport({ ...known, report }, reader);
  const title = checkTitle(known);
  const about = aboutOf(known, reader);
  if (elsewhere !== undefined) return { ...checkElsewhere(elsewhere, shown), title, about };
  if (running !== undefined) {
    const buttons: readonly CheckButton[] = [{ label: t('Cancel'), act: 'cancel' }];
    const progress = stepText(running.step, known.kind);
    return { title, progress, about: [], notice: undefined, buttons, report: undefined };
  }
  const changed = isChanged ? noticeOf(t('The stream has changed since this check.')) : undefined;
  const notice = noResult === undefined ? changed : whyNoResult(noResult, report !== undefined);
  return { title, progress: undefined, about, notice, buttons: buttonsOf(known), report: shown };
}

function aboutOf({ kind, name, noResult, report, connection }: KnownCheck, reader: Reader): ShownCheck['about'] {
  const timeOf = (at: number) => ({ text: formatDateTime(at, reader) ?? '' });
  if (report === undefined) return noResult?.kind === 'failure' ? [timeOf(noResult.failedAt)] : [];
  const { checkedAt, playback } = report;
  return [
    // The title is that of the stream.
    ...(kind === 'stream' && name !== '' ? [{ text: resultsText() }] : []),
    timeOf(checkedAt),
    ...connection.map((text) => ({ text })),
    ...(playback === undefined ? [] : [{ text: publicPart(playback.url), isCode: true }]),
  ];
}

/** Returns what the page shows while the connection of its stream isn't open: the last report can only be copied. */
function checkElsewhere(elsewhere: NotOpen, report: ShownReport | undefined): Omit<ShownCheck, 'title' | 'about'> {
  const { sentence } = elsewhere;
  const notice =
    sentence === undefined
      ? noticeOf(loadingLabel())
      : { text: sentence, isFailure: true, buttons: wayButtons(elsewhere) };
  return { progress: undefined, notice, buttons: report === undefined ? [] : [copyReport()], report };
}

function copyReport(): CheckButton {
  return { label: t('Copy Report'), act: 'copyReport' };
}

function stepText(step: InspectionStep | undefined, kind: KnownCheck['kind']): string {
  switch (step?.kind) {
    case undefined:
      return kind === 'stream' ? t("Getting the stream's status…") : t('Loading the playlist…');
    case 'playlist':
      return t('Loading the playlist…');
    case 'rendition':
      return t('Loading rendition {0} of {1}…', step.at, step.count);
    case 'changes':
      return t('Waiting for new segments…');
  }
}

function noticeOf(text: string): ShownNotice {
  return { text, isFailure: false, buttons: [] };
}

function whyNoResult(noResult: NoResult, hasReport: boolean): ShownNotice {
  switch (noResult.kind) {
    case 'canceled':
      return noticeOf(
        hasReport
          ? t('The check was canceled. These results are from the previous check.')
          : t('The check was canceled.'),
      );
    case 'lost':
      return noticeOf(t("Results aren't kept when the window reloads."));
    case 'failure': {
      const { sentence, actions, canRetry } = noResult;
      const text = hasReport ? t('{0} These results are from the previous check.', sentence) : sentence;
      const ways = actions.flatMap((action, index) => (isLog(action) ? [] : [actionButton(action, index)]));
      return { text, isFailure: true, buttons: canRetry ? [...ways, runButton(t('Run Again'))] : ways };
    }
  }
}

function buttonsOf({ kind, noResult, report }: KnownCheck): readonly CheckButton[] {
  const failure = noResult?.kind === 'failure' ? noResult : undefined;
  const logs = (failure?.actions ?? []).flatMap((action, index) =>
    isLog(action) ? [actionButton(action, index)] : [],
  );
  const all: readonly (CheckButton | false)[] = [
    // The notice of a failure has it.
    failure === undefined && runButton(report === undefined ? t('Run Check') : t('Run Again')),
    report !== undefined && copyReport(),
    kind === 'stream' && failure?.canRetry !== false && { label: COMMAND_LABELS.showStream(), act: 'showStream' },
    ...logs,
  ];
  return all.filter((button) => button !== false);
}

function isLog(action: CheckAction): boolean {
  return 'command' in action && action.command === 'showLog';
}

function actionButton({ label }: CheckAction, index: number): CheckButton {
  return { label, act: 'runAction', index };
}

function runButton(label: string): CheckButton {
  return { label, act: 'run' };
}

const COMMAND_LABELS: Readonly<Record<Extract<FindingRemedy, { readonly command: unknown }>['command'], () => string>> =
  {
    showStream: showStreamDetailsLabel,
    resumeStream: resumeStreamLabel,
    startTestBroadcast: startTestBroadcastLabel,
    createSigningKey: createSigningKeyLabel,
  };

function shownReport(known: KnownCheck & { readonly report: CheckReport }, reader: Reader): ShownReport {
  const { sections, playback } = known.report;
  const { locale } = reader;
  const [problems, warnings] = [findingsWith('bad', sections), findingsWith('doubtful', sections)];
  const seen = new Set<string>(['showStream']);
  const group = (heading: string, findings: readonly Finding[]) =>
    findings.length === 0
      ? undefined
      : { heading, findings: findings.map((finding) => shownFinding(finding, { ...known, sections, seen })) };
  return {
    summary: summaryOf(sections, reader),
    tone: problems.length > 0 ? 'failed' : warnings.length > 0 ? 'warning' : 'good',
    problems: group(t('Problems'), problems),
    warnings: group(t('Warnings'), warnings),
    timeline: playback?.timeline && shownTimeline(playback.timeline, locale),
    facts: [
      ...findingsWith('fact', sections).map(({ label, figure }) => ({ label, value: figure })),
      ...(playback === undefined ? [] : usageFacts(playback.usage, locale)),
    ],
    passed: shownPassed(sections, locale),
  };
}

function shownPassed(sections: readonly FindingSection[], locale: string): ShownReport['passed'] {
  const groups = sections
    .map(({ heading, findings }) => ({ heading, findings: findings.filter(({ mark }) => mark === 'good') }))
    .filter(({ findings }) => findings.length > 0);
  if (groups.length === 0) return undefined;
  const heading = passedText(findingsWith('good', sections).length, locale);
  const plain = ({ label, figure }: Finding): ShownFinding => ({ tone: 'good', label, figure });
  return { heading, groups: groups.map((group) => ({ ...group, findings: group.findings.map(plain) })) };
}

function usageFacts({ requests, bytes, ms }: HlsFacts['usage'], locale: string): ShownReport['facts'] {
  return [
    { label: t('Requests'), value: formatCount(requests, locale) ?? '' },
    { label: t('Data Received'), value: formatBytes(bytes, locale) ?? '' },
    { label: t('Check Duration'), value: wordsIn(locale).seconds(ms) },
  ];
}

interface Whole extends Pick<KnownCheck, 'kind' | 'abilities' | 'elsewhere'> {
  readonly sections: readonly FindingSection[];
  /** Commands that the page has a button for above: one is enough. */
  readonly seen: Set<string>;
}

function shownFinding(finding: Finding, { kind, abilities, elsewhere, sections, seen }: Whole): ShownFinding {
  const { mark, label, figure, meaning, advice, remedy } = finding;
  const shown = { tone: mark === 'bad' ? 'failed' : 'warning', label, figure, meaning, advice } as const;
  if (remedy === undefined) return shown;
  const index = sections.flatMap(({ findings }) => findings).indexOf(finding);
  if ('target' in remedy) {
    if (!abilities.multistream || elsewhere !== undefined) return shown;
    const button = { label: t('Edit Target…'), hint: t('Edit: {0}', label), act: 'changeTarget', index } as const;
    return { ...shown, button };
  }
  if ('line' in remedy) {
    const { line } = remedy;
    return {
      ...shown,
      line,
      button: { label: t('Copy'), hint: t('Copy: {0}', line), act: 'copyLine', icon: 'copy', index },
    };
  }
  const { command: act } = remedy;
  if (kind === 'playback' || elsewhere !== undefined || seen.has(act)) return shown;
  seen.add(act);
  return { ...shown, button: { label: COMMAND_LABELS[act](), act } };
}

export function remedyOf({ sections }: CheckReport, index: number): FindingRemedy | undefined {
  return sections.flatMap(({ findings }) => findings)[index]?.remedy;
}

/** Returns the line of a finding that can be copied. */
export function lineOf(remedy: FindingRemedy | undefined): string | undefined {
  return remedy !== undefined && 'line' in remedy ? remedy.line : undefined;
}
