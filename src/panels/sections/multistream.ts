import { t } from '@vscode/l10n';
import type { HealthCondition, Stream } from '../../api/types.ts';
import { isWithoutData } from '../../model/inspection/problems.ts';
import { targetAdvice } from '../../model/inspection/streamFindings.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { loadingLabel } from '../../texts/labels.ts';
import { editLabel, onOrOffText } from '../../texts/lateLabels.ts';
import { othersWithTarget, profileName } from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { oneLine } from '../../util/text.ts';
import type { Button, Fact, Section } from '../../webview/details/messages.ts';

export const MULTISTREAM_ID = 'multistream';
const LONGEST_NAMES = 200;

interface MultistreamContext {
  readonly snapshot: Snapshot;
  /** Empty unless the stream is live. */
  readonly health: readonly HealthCondition[];
  readonly awaitsTargets?: boolean | undefined;
}

export function offersTargets({ targets }: Stream, { hasTargets, abilities }: Snapshot): boolean {
  return abilities.multistream && (targets !== undefined || hasTargets);
}

/** Returns where the broadcasts of a stream are also sent, if the service supports that. It never reports URLs. */
export function multistreamSections(stream: Stream, context: MultistreamContext): readonly Section[] {
  const { snapshot, health, awaitsTargets } = context;
  const { targets = [] } = stream;
  if (!offersTargets(stream, snapshot)) return [];
  const isChangeable = snapshot.streams.has(stream.id);
  const isProbed = health.length > 0;
  const isWaiting = health.some(isWithoutData);
  const facts = targets.map(({ id, profile }): Fact => {
    const known = snapshot.targets.get(id);
    const probed = health.find(({ target }) => target?.id === id && target.profile === profile);
    const named = known ?? probed?.target;
    if (named === undefined && awaitsTargets === true) return { label: loadingLabel(), value: '' };
    // An ID shows which of the targets is missing.
    const label =
      named === undefined && !snapshot.hasTargets ? t('Multistream Target') : nameOf({ id, name: named?.name ?? '' });
    const found = { isConnected: probed?.isMet, isProbed, isWaiting };
    return {
      label,
      isName: true,
      ...stateOf(known?.isDisabled, found),
      note: noteOf(profile, othersWithTarget(snapshot, id, stream.id)),
      // While the targets are being read, it isn't known yet which ones there will be.
      ...(isChangeable && snapshot.hasTargets && { buttons: buttonsOf(id, label, known?.isDisabled) }),
    };
  });
  const add: Button = { label: t('Add Target…'), act: 'addMultistreamTarget' };
  const note = t("Also send this stream's broadcasts to other services, such as YouTube or Twitch.");
  return [
    {
      id: MULTISTREAM_ID,
      heading: t('Multistream Targets'),
      facts,
      ...(facts.length === 0 ? { note } : { isWide: true }),
      ...(isChangeable && { buttons: [add] }),
    },
  ];
}

function noteOf(profile: string, others: readonly string[]): string {
  const rendition = t('Rendition: {0}', profileName(profile));
  if (others.length === 0) return rendition;
  return t('{0} · Also used by: {1}', rendition, oneLine(others.join(', '), LONGEST_NAMES));
}

interface Found {
  readonly isConnected: boolean | undefined;
  /** Whether the service reports anything about the broadcast. */
  readonly isProbed: boolean;
  /** Whether no data arrives that could be sent. */
  readonly isWaiting: boolean;
}

/** The service says whether a target is connected, but not since when. */
function stateOf(
  isDisabled: boolean | undefined,
  { isConnected, isProbed, isWaiting }: Found,
): Pick<Fact, 'value' | 'tone' | 'advice'> {
  if (isDisabled === true) return { value: onOrOffText(false), tone: 'quiet' };
  if (isConnected !== undefined) {
    return isConnected
      ? { value: t('Connected'), tone: 'good' }
      : {
          value: t('Failing'),
          tone: 'warning',
          advice: targetAdvice(),
        };
  }
  if (isDisabled === undefined) return { value: t('Unknown'), tone: 'unknown' };
  if (isWaiting) return { value: t('Waiting for data'), tone: 'unknown' };
  if (!isProbed) return { value: onOrOffText(true), tone: 'good' };
  const advice = t("The service hasn't reported whether the target is connected.");
  return { value: onOrOffText(true), tone: 'unknown', advice };
}

function buttonsOf(target: string, name: string, isDisabled: boolean | undefined): readonly Button[] {
  const turnOn: Button = { label: t('Turn On'), hint: t('Turn On: {0}', name), act: 'turnOnMultistreamTarget', target };
  const turnOff: Button = {
    ...{ label: t('Turn Off'), hint: t('Turn Off: {0}', name) },
    ...{ act: 'turnOffMultistreamTarget', target },
  };
  const change: Button = {
    ...{ label: editLabel(), hint: t('Edit: {0}', name), icon: 'edit' },
    ...{ act: 'addMultistreamTarget', target },
  };
  const remove: Button = {
    ...{ label: t('Remove'), hint: t('Remove: {0}', name), icon: 'remove' },
    ...{ act: 'removeMultistreamTarget', target },
  };
  return isDisabled === undefined ? [remove] : [isDisabled ? turnOn : turnOff, change, remove];
}
