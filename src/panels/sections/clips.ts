import { t } from '@vscode/l10n';
import type { Clip } from '../../api/clips.ts';
import type { Session } from '../../api/types.ts';
import { clipsOf, isBeingMade, isBeingRecorded, isPlayable, type RecordingState } from '../../model/store/sessions.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { clipName, clipStatus, createdLabel } from '../../texts/clips.ts';
import { watchClipLabel } from '../../texts/labels.ts';
import { nameLabel } from '../../texts/lateLabels.ts';
import { formatDayAndClock, type Reader } from '../../util/dates.ts';
import { formatClipTimer } from '../../util/format.ts';
import { hasText, joinParts, joinWords, oneLine } from '../../util/text.ts';
import type { Button, Cell, Section } from '../../webview/details/messages.ts';

interface ClipsContext {
  readonly snapshot: Snapshot;
  readonly reader: Reader;
  /** When clips begin, by their IDs, as far as it is known: Unix times in milliseconds. */
  readonly clipStarts?: ReadonlyMap<string, number> | undefined;
  /** The clip whose row is marked. */
  readonly clipId?: string | undefined;
}

/** Returns the section with the clips of a session. */
export function clipsSections(session: Session, context: ClipsContext): readonly Section[] {
  const { snapshot, reader, clipStarts, clipId } = context;
  const clips = snapshot.abilities.clips ? clipsOf(snapshot, session.parentId, session.id) : [];
  if (clips.length === 0) return [];
  const starts = clips.map(({ id }) => startOf(clipStarts?.get(id), session));
  const areKnown = starts.some((start) => start !== undefined);
  const head = [nameLabel(), ...(areKnown ? [t('Start')] : []), t('Duration'), createdLabel(), ''];
  const rows = clips.map((clip, at) => {
    const [name, ...others] = cellsOf(clip, reader);
    return [name, ...(areKnown ? [starts[at] ?? ''] : []), ...others];
  });
  const current = clips.findIndex(({ id }) => id === clipId);
  const marked = current === -1 ? {} : { current };
  return [{ id: 'clips', heading: t('Clips'), isWide: true, rows: [head, ...rows], ...marked }];
}

/** Returns the start of a clip from the beginning of the broadcast. */
function startOf(at: number | undefined, { createdAt }: Session): string | undefined {
  if (at === undefined || createdAt === undefined) return undefined;
  return formatClipTimer(Math.max(0, at - createdAt) / 1000);
}

/** Returns whether the service would create a clip of a session. */
export function isCuttable(session: Session, state: RecordingState, { streams, abilities }: Snapshot): boolean {
  const { stream } = streams.get(session.parentId ?? '') ?? {};
  if (!hasText(stream?.playbackId) || !abilities.clips) return false;
  return state === 'running' ? isBeingRecorded(session) : state === 'ready' && isPlayable(session);
}

function cellsOf(clip: Clip, reader: Reader): readonly [name: Cell, ...others: Cell[]] {
  const name = clipName(clip, reader);
  const acts = actsOf(clip, name);
  const status = clipStatus(clip);
  const created = formatDayAndClock(clip.createdAt, reader) ?? '';
  const problem = clip.problem && oneLine(clip.problem);
  if (clip.phase === 'failed' || isBeingMade(clip)) {
    const tone = clip.phase === 'failed' ? 'failed' : 'processing';
    const below = { text: joinParts(status, problem) ?? '', tone } as const;
    return [{ text: name, below }, '', created, acts];
  }
  return [name, status ?? '', created, acts];
}

function actsOf(clip: Clip, name: string): readonly Button[] {
  const button = (act: Button['act'], icon: NonNullable<Button['icon']>, label: string): Button => {
    return { label, hint: joinWords(label, name), act, icon, target: clip.id };
  };
  const hasFile = hasText(clip.downloadUrl);
  return [
    ...(hasFile || hasText(clip.playbackUrl)
      ? [button('openClip', 'play', watchClipLabel()), button('copyClipUrl', 'copy', t('Copy Clip URL'))]
      : []),
    ...(hasFile ? [button('downloadClip', 'download', t('Download Clip'))] : []),
  ];
}
