import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';
import type { Stream } from '../api/types.ts';
import { findRecording, findSession, isRunningIn, recordingState } from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { isLive, streamLabel } from '../model/store/streams.ts';
import { showDetailsLabel, watchLabel } from '../texts/labels.ts';
import { escapeMarkdown } from '../util/markup.ts';
import { hasText } from '../util/text.ts';
import type { DrawingContext, RowLink, RowTooltip } from './row.ts';
import { sessionHover } from './sessionRow.ts';
import { streamTooltip } from './tooltip.ts';

/** The stream or session that an ID in a document belongs to. */
export interface KnownId {
  readonly kind: 'stream' | 'session';
  readonly id: string;
  readonly name: string;
  readonly tooltip: RowTooltip;
}

/** Returns the owner of an ID, playback ID, or session ID; undefined if it isn't known here. Sends no request. */
export function describeId(snapshot: Snapshot, text: string, drawing: DrawingContext): KnownId | undefined {
  if (!isId(text)) return undefined;
  const fact = snapshot.streams.get(text) ?? byPlaybackId(snapshot, text);
  if (fact !== undefined) {
    const { id } = fact.stream;
    const tooltip = { markdown: streamTooltip(snapshot, fact, drawing), links: linksTo(fact.stream, isLive(fact)) };
    return { kind: 'stream', id, name: streamLabel(fact.stream), tooltip };
  }
  const session = sessionWith(snapshot, text);
  if (session === undefined) return undefined;
  const stream = session.parentId === undefined ? undefined : snapshot.streams.get(session.parentId)?.stream;
  const name = stream === undefined ? (session.parentName ?? session.parentId ?? text) : streamLabel(stream);
  const state = recordingState(session, isRunningIn(snapshot, session));
  const tooltip = sessionHover(snapshot, session, { name, state }, drawing).tooltip();
  return { kind: 'session', id: text, name, tooltip };
}

/** Describes a stream known only from an earlier listing of the account, without its current state. */
export function describeIndexedStream(stream: Pick<Stream, 'id' | 'name' | 'playbackId'>): KnownId {
  const { id, playbackId } = stream;
  const name = streamLabel(stream);
  const lines = [`**${escapeMarkdown(name)}**`];
  if (hasText(playbackId)) lines.push(escapeMarkdown(t('Playback ID: {0}', playbackId)));
  return { kind: 'stream', id, name, tooltip: { markdown: lines.join('\n\n'), links: linksTo(stream, false) } };
}

function byPlaybackId(snapshot: Snapshot, text: string): StreamFact | undefined {
  for (const fact of snapshot.streams.values()) if (fact.stream.playbackId === text) return fact;
  return undefined;
}

function sessionWith(snapshot: Snapshot, id: string) {
  for (const streamId of snapshot.sessions.keys()) {
    const found = findSession(snapshot, streamId, id);
    if (found !== undefined) return { ...found, parentId: found.parentId ?? streamId };
  }
  return findRecording(snapshot, id);
}

function linksTo({ id, playbackId }: Pick<Stream, 'id' | 'playbackId'>, isLiveNow: boolean): readonly RowLink[] {
  if (!isId(id)) return [];
  const links: (RowLink | false)[] = [
    { title: showDetailsLabel(), command: 'showStream', id },
    isLiveNow && hasText(playbackId) && { title: watchLabel(), command: 'watchStream', id },
    hasText(playbackId) && { title: t('Copy HLS URL'), command: 'copyPlaybackUrl', id },
  ];
  return links.filter((link) => link !== false);
}
