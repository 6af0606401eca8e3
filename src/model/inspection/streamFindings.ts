import { t } from '@vscode/l10n';
import type { HealthCondition } from '../../api/types.ts';
import { formatDateTime, type Reader } from '../../util/dates.ts';
import { formatAge } from '../../util/format.ts';
import { oneLine } from '../../util/text.ts';
import type { StreamFact } from '../store/snapshot.ts';
import { isStale, streamState } from '../store/streams.ts';
import type { Explanation, Finding, FindingRemedy, FindingSection } from './hlsFindings.ts';
import { causesIn, isWithoutData, RECEIVING, SENDING } from './problems.ts';

const MOST_ISSUES = 20;

/**
 * Returns findings from the service's data about a stream. `health` is undefined if the service doesn't provide it,
 * and a sentence if it couldn't be read.
 */
export function judgeStream(
  fact: StreamFact,
  health: readonly HealthCondition[] | string | undefined,
  reader: Reader,
): FindingSection {
  const { record, issues, isHealthy } = fact.stream;
  const recording = record ? t('On') : t('Off');
  return {
    heading: t('Stream'),
    findings: [
      stateFinding(fact),
      { id: 'recording', mark: 'fact', label: t('Recording'), figure: recording },
      ...healthFindings(causesOf(health ?? isHealthy, fact), reader),
      ...issues.slice(0, MOST_ISSUES).map(issueFinding),
    ],
  };
}

type Health = readonly HealthCondition[] | string | boolean | undefined;

/**
 * Leaves out conditions that repeat another finding: for a stream without data, those with that cause, and for a target
 * in several renditions, all but the first.
 */
function causesOf(health: Health, fact: StreamFact): Health {
  if (health === undefined || typeof health === 'string') return health;
  if (typeof health === 'boolean') return isStale(fact) ? undefined : health;
  const names = new Set<string>();
  return causesIn(withLackOfData(fact, health)).filter((condition) => {
    if (condition.isMet !== false) return true;
    if (isStale(fact) && isWithoutData(condition)) return false;
    const name = conditionName(condition);
    return !names.has(name) && names.add(name);
  });
}

/** Returns the health of a stream. A stale one receives no data, regardless of what the service's checks say. */
export function withLackOfData(fact: StreamFact, health: readonly HealthCondition[]): readonly HealthCondition[] {
  if (!isStale(fact)) return health;
  const { stream, serverDate } = fact;
  const receiving = { type: RECEIVING, isMet: false, since: stream.lastSeen, checkedAt: serverDate };
  return [receiving, ...health.filter(({ type }) => type !== RECEIVING)];
}

function stateFinding(fact: StreamFact): Finding {
  const base = { id: 'state', label: t('State') };
  const { stream, serverDate } = fact;
  switch (streamState(fact)) {
    case 'live':
      return { ...base, mark: 'good', figure: t('Live') };
    case 'stale': {
      const figure = t('No data for {0}', formatAge(serverDate - (stream.lastSeen ?? serverDate)) ?? '');
      return { ...base, mark: 'bad', figure, ...withoutData(), remedy: SHOW_STREAM };
    }
    case 'suspended': {
      const meaning = t('The service rejects broadcasts to a suspended stream.');
      const advice = t('Resume the stream, and then start a broadcast.');
      return { ...base, mark: 'bad', figure: t('Suspended'), meaning, advice, remedy: { command: 'resumeStream' } };
    }
    case 'idle': {
      const meaning = t('Playback can be checked only while the stream is live.');
      const advice = t('Start a broadcast, and then check again.');
      return {
        ...base,
        mark: 'doubtful',
        figure: t({ message: 'Idle', comment: 'the state of one stream' }),
        meaning,
        advice,
        remedy: { command: 'startTestBroadcast' },
      };
    }
  }
}

function healthFindings(health: Health, reader: Reader): readonly Finding[] {
  const base = { id: 'health', label: t('Health') };
  if (health === undefined) return [];
  if (typeof health === 'string') {
    const meaning = t("These results don't include the service's health checks.");
    return [{ ...base, mark: 'doubtful', figure: health, meaning, advice: t('Check again later.') }];
  }
  if (typeof health !== 'boolean') return health.map((condition) => conditionFinding(condition, reader));
  if (health) return [{ ...base, mark: 'good', figure: t('Healthy') }];
  return [{ ...base, mark: 'bad', figure: t('Unhealthy'), ...unknownFault(), remedy: SHOW_STREAM }];
}

const SHOW_STREAM: FindingRemedy = { command: 'showStream' };

/** Explains that a stream is live without data and what to do about it. */
export function withoutData(): { readonly meaning: string; readonly advice: string } {
  const meaning = t('The service reports the stream as live, but no data is arriving.');
  return { meaning, advice: checkEncoder() };
}

function checkEncoder(): string {
  return t('Check the encoder and its network connection.');
}

function conditionFinding(condition: HealthCondition, reader: Reader): Finding {
  const { isMet, since } = condition;
  const status = conditionStatus(condition);
  const at = formatDateTime(since, reader);
  const figure = at === undefined ? status : t('{0}, since {1}', status, at);
  const finding = { id: 'health', label: conditionName(condition), figure };
  if (isMet === true) return { ...finding, mark: 'good' };
  if (isMet === undefined) {
    const meaning = t("The service hasn't reported this yet.");
    return { ...finding, mark: 'doubtful', meaning, advice: t('Check again later.') };
  }
  const { target } = condition;
  const remedy = target === undefined ? SHOW_STREAM : { target: target.id };
  // Viewers of the stream itself aren't affected.
  const mark = target !== undefined || condition.type === SENDING ? 'doubtful' : 'bad';
  return { ...finding, mark, ...explainCondition(condition), remedy };
}

interface Condition {
  readonly name: () => string;
  /** The effect if it isn't met. */
  readonly meaning: () => string;
  readonly advice: () => string;
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  Active: {
    name: () => t('Receiving data'),
    meaning: () => t('Playback stalls for viewers.'),
    advice: checkEncoder,
  },
  Transcoding: {
    name: () => t('Transcoding'),
    meaning: () => t('Viewers get only the original video, or no video.'),
    advice: () => t("Restart the broadcast. If that doesn't help, contact the service's support."),
  },
  TranscodeRealTime: {
    name: () => t('Transcoding in real time'),
    meaning: () => t('Playback may pause because transcoding takes too long.'),
    advice: () => t('Lower the resolution or frame rate, or use fewer renditions.'),
  },
  TranscodeNoErrors: {
    name: () => t('Transcoding without errors'),
    meaning: () => t('Renditions may be missing or damaged.'),
    advice: () => t("Check the encoder's codec and keyframe interval."),
  },
  Multistreaming: {
    name: () => t('Sending to all multistream targets'),
    meaning: () => t("Some targets aren't receiving the broadcast."),
    advice: () => t('Check the targets and their stream keys.'),
  },
};

function knownCondition({ type }: HealthCondition): Condition | undefined {
  return Object.hasOwn(CONDITIONS, type) ? CONDITIONS[type] : undefined;
}

export function conditionName(condition: HealthCondition): string {
  const { target } = condition;
  if (target !== undefined) return oneLine(target.name, 60) || target.id;
  return knownCondition(condition)?.name() ?? oneLine(condition.type, 60);
}

/** What to do about a multistream target that isn't connected. */
export function targetAdvice(): string {
  return t("Make sure that the target's URL and stream key are correct.");
}

function explainCondition(condition: HealthCondition): Explanation {
  const { target } = condition;
  if (target !== undefined) {
    const meaning = t("The broadcast isn't reaching {0}.", oneLine(target.name, 60) || target.id);
    return { meaning, advice: targetAdvice() };
  }
  const known = knownCondition(condition);
  return known === undefined ? unknownFault() : { meaning: known.meaning(), advice: known.advice() };
}

function unknownFault(): Explanation {
  return { meaning: t('The service reports problems with the broadcast.'), advice: checkEncoder() };
}

export function conditionStatus({ isMet, target }: HealthCondition): string {
  if (isMet === undefined) return t('Unknown');
  if (target !== undefined) return isMet ? t('Connected') : t('Failing');
  return isMet ? t('Yes') : t('No');
}

function issueFinding(issue: string): Finding {
  const isAboutKeyframes = /key-?\s?frame|\bgop\b/i.test(issue);
  return {
    ...{ id: 'issue', mark: 'doubtful', label: t('Reported by the Service'), figure: oneLine(issue, 300) },
    meaning: isAboutKeyframes ? t('Playback may be slow to start.') : t('This may affect playback.'),
    advice: isAboutKeyframes
      ? t("Set the encoder's keyframe interval to 2 seconds.")
      : t('Check the encoder settings.'),
  };
}

const SLOW_CONNECTION_MS = 1000;
const SLOW_ACCEPTANCE_MS = 3000;

/**
 * Facts about a broadcast from this computer to the stream. Times are milliseconds from the beginning of the
 * connection.
 */
interface IngestFacts {
  readonly connectedAfter: number | undefined;
  readonly acceptedAfter: number | undefined;
  readonly droppedPercent: number;
}

export function judgeIngest({ connectedAfter, acceptedAfter, droppedPercent }: IngestFacts): FindingSection {
  const findings: Finding[] = [
    ...timeFinding(t('Time to Connect'), connectedAfter, SLOW_CONNECTION_MS),
    ...timeFinding(t('Time until the broadcast was accepted'), acceptedAfter, SLOW_ACCEPTANCE_MS),
  ];
  const dropped = { id: 'dropped', label: t('Dropped Frames'), figure: t('{0}%', droppedPercent) };
  if (droppedPercent === 0) findings.push({ ...dropped, mark: 'good' });
  else
    findings.push({
      ...dropped,
      mark: 'doubtful',
      meaning: t('The connection was too slow for the test broadcast.'),
      advice: t('Use a lower bitrate in your encoder, or a faster connection.'),
    });
  return { heading: t('Ingest'), findings };
}

function timeFinding(label: string, ms: number | undefined, most: number): readonly Finding[] {
  if (ms === undefined) return [];
  const base = { id: 'ingest', label, figure: t('{0} ms', Math.round(ms)) };
  if (ms <= most) return [{ ...base, mark: 'good' }];
  const meaning = t('Broadcasts are slow to start, and frames may be dropped.');
  return [{ ...base, mark: 'doubtful', meaning, advice: t('Use an ingest server near the encoder.') }];
}
