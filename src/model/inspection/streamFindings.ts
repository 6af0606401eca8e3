import { t } from '@vscode/l10n';
import type { HealthCondition } from '../../api/types.ts';
import { formatDateTime, type Reader } from '../../util/dates.ts';
import { formatAge } from '../../util/format.ts';
import { oneLine } from '../../util/text.ts';
import type { StreamFact } from '../store/snapshot.ts';
import { streamState } from '../store/streams.ts';
import type { Finding, FindingSection } from './hlsFindings.ts';

const MOST_ISSUES = 20;

/**
 * Returns what the service says of a stream. `health` is undefined if the service doesn't have it, and a sentence if it
 * couldn't be read.
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
      { id: 'recording', mark: 'good', label: t('Recording'), figure: recording },
      ...healthFindings(health ?? isHealthy, reader),
      ...issues.slice(0, MOST_ISSUES).map(issueFinding),
    ],
  };
}

function stateFinding(fact: StreamFact): Finding {
  const base = { id: 'state', label: t('State') };
  const { stream, serverDate } = fact;
  switch (streamState(fact)) {
    case 'live':
      return { ...base, mark: 'good', figure: t('Live') };
    case 'stale': {
      const figure = t('No data for {0}', formatAge(serverDate - (stream.lastSeen ?? serverDate)) ?? '');
      return { ...base, mark: 'bad', figure, advice: t('Check the encoder and its network connection.') };
    }
    case 'suspended':
      return { ...base, mark: 'bad', figure: t('Suspended'), advice: t('Resume the stream, then start a broadcast.') };
    case 'idle': {
      const advice = t('Playback can only be checked while the stream is live. Start a broadcast, then check again.');
      return { ...base, mark: 'doubtful', figure: t('Idle'), advice };
    }
  }
}

function healthFindings(
  health: readonly HealthCondition[] | string | boolean | undefined,
  reader: Reader,
): readonly Finding[] {
  const base = { id: 'health', label: t('Health') };
  if (health === undefined) return [];
  if (typeof health === 'string') return [{ ...base, mark: 'doubtful', figure: health }];
  if (typeof health !== 'boolean') return health.map((condition) => conditionFinding(condition, reader));
  return [{ ...base, mark: health ? 'good' : 'bad', figure: health ? t('healthy') : t('unhealthy') }];
}

function conditionFinding(condition: HealthCondition, reader: Reader): Finding {
  const { isMet, since } = condition;
  const status = conditionStatus(condition);
  const at = formatDateTime(since, reader);
  const figure = at === undefined ? status : t('{0}, since {1}', status, at);
  return { id: 'health', mark: MARKS[String(isMet)] ?? 'doubtful', label: conditionName(condition), figure };
}

const MARKS: Readonly<Record<string, Finding['mark']>> = { true: 'good', false: 'bad' };

const CONDITIONS: Readonly<Record<string, () => string>> = {
  Active: () => t('Receiving data'),
  Transcoding: () => t('Transcoding'),
  TranscodeRealTime: () => t('Transcoding in real time'),
  TranscodeNoErrors: () => t('Transcoding without errors'),
  Multistreaming: () => t('Sending to all multistream targets'),
};

export function conditionName({ type }: HealthCondition): string {
  return (Object.hasOwn(CONDITIONS, type) ? CONDITIONS[type]?.() : undefined) ?? oneLine(type, 60);
}

export function conditionStatus({ isMet }: HealthCondition): string {
  return isMet === undefined ? t('Unknown') : isMet ? t('Yes') : t('No');
}

function issueFinding(issue: string): Finding {
  return { id: 'issue', mark: 'doubtful', label: t('Reported by the service'), figure: oneLine(issue, 300) };
}

const SLOW_CONNECTION_MS = 1000;
const SLOW_ACCEPTANCE_MS = 3000;

/** Of a broadcast to the stream from this computer. Times are milliseconds from the beginning of the connection. */
interface IngestFacts {
  readonly connectedAfter: number | undefined;
  readonly acceptedAfter: number | undefined;
  readonly droppedPercent: number;
}

export function judgeIngest({ connectedAfter, acceptedAfter, droppedPercent }: IngestFacts): FindingSection {
  const findings: Finding[] = [
    ...timeFinding(t('Time to connect'), connectedAfter, SLOW_CONNECTION_MS),
    ...timeFinding(t('Time to accept the broadcast'), acceptedAfter, SLOW_ACCEPTANCE_MS),
  ];
  const dropped = { id: 'dropped', label: t('Dropped frames'), figure: t('{0}%', droppedPercent) };
  if (droppedPercent === 0) findings.push({ ...dropped, mark: 'good' });
  else
    findings.push({
      ...dropped,
      mark: 'doubtful',
      advice: t(
        'The connection was too slow for the test broadcast. Use a lower bitrate in your encoder, or a faster connection.',
      ),
    });
  return { heading: t('Ingest'), findings };
}

function timeFinding(label: string, ms: number | undefined, most: number): readonly Finding[] {
  if (ms === undefined) return [];
  const base = { id: 'ingest', label, figure: t('{0} ms', Math.round(ms)) };
  if (ms <= most) return [{ ...base, mark: 'good' }];
  return [{ ...base, mark: 'doubtful', advice: t('Use an ingest server near the encoder.') }];
}
