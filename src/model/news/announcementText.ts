import { t } from '@vscode/l10n';
import type { NamedStream, Session } from '../../api/types.ts';
import { oneLine } from '../../util/text.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { streamLabel } from '../store/streams.ts';
import type { LiveChange } from './followedStreams.ts';

const MAX_NAME_LENGTH = 60;

export interface ReadyRecording {
  readonly stream: NamedStream;
  readonly session: Session;
}

export interface News {
  readonly changes: readonly LiveChange[];
  readonly ready: readonly ReadyRecording[];
}

export type AnnouncedAct =
  | { readonly kind: 'watch'; readonly streamId: string }
  | { readonly kind: 'openRecording'; readonly streamId: string; readonly sessionId: string };

export function announcementText({ changes, ready }: News, snapshot: Snapshot): string {
  const names = (isLive: boolean) => changes.filter((each) => each.isLive === isLive).map(({ stream }) => stream);
  const parts = [
    startedText(names(true).map(nameOf)),
    endedText(names(false).map(nameOf)),
    readyText(ready.map(({ stream }) => nameOf(stream))),
  ];
  const text = parts.filter((part) => part !== undefined).join(' · ');
  const { connection, connectionCount } = snapshot;
  return connectionCount > 1 && 'info' in connection ? t('{0} ({1})', text, oneLine(connection.info.name)) : text;
}

export function announcedActs({ changes, ready }: News): ReadonlyMap<string, AnnouncedAct> {
  const acts = new Map<string, AnnouncedAct>();
  const [started, ...others] = changes.filter(({ isLive }) => isLive);
  if (started?.stream.playbackId !== undefined && others.length === 0) {
    acts.set(t('Watch'), { kind: 'watch', streamId: started.stream.id });
  }
  const [first, ...further] = ready;
  if (first !== undefined && further.length === 0) {
    const { stream, session } = first;
    acts.set(t('Watch Recording'), { kind: 'openRecording', streamId: stream.id, sessionId: session.id });
  }
  return acts;
}

function startedText([first, second, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  if (second === undefined) return t('"{0}" went live', first);
  return more.length === 0
    ? t('"{0}" and "{1}" went live', first, second)
    : t('{0} streams went live', more.length + 2);
}

function endedText([first, second, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  if (second === undefined) return t('"{0}" ended', first);
  return more.length === 0 ? t('"{0}" and "{1}" ended', first, second) : t('{0} streams ended', more.length + 2);
}

function readyText([first, second, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  if (second === undefined) return t('The recording of "{0}" is ready', first);
  return more.length === 0
    ? t('The recordings of "{0}" and "{1}" are ready', first, second)
    : t('{0} recordings are ready', more.length + 2);
}

function nameOf(stream: NamedStream): string {
  return oneLine(streamLabel(stream), MAX_NAME_LENGTH);
}
