import { t } from '@vscode/l10n';
import type { Session } from '../../api/types.ts';
import { findKnownClip } from '../../model/clips/knownClips.ts';
import type { ConnectionObjects } from '../../model/context.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import { rowTarget } from '../../model/rows/rowActions.ts';
import { findRecording, findSession } from '../../model/store/sessions.ts';
import type { ConnectionInfo, Snapshot } from '../../model/store/snapshot.ts';
import type { CommandContext, FoundPage } from '../context.ts';

/** A stream or session that the user is looking at: pickers begin with it. */
export interface TargetInFront<C> extends StreamOrSession {
  /** The label of the separator above it in a picker. */
  readonly label: string;
  readonly of: C;
}

interface ShownConnection extends ConnectionObjects {
  readonly info: ConnectionInfo;
  /** Whether it's the one that the command runs in. */
  readonly isOwn: boolean;
}

interface StreamOrSession {
  /** Undefined if a session's stream isn't known. */
  readonly streamId: string | undefined;
  /** Undefined for a stream. */
  readonly sessionId: string | undefined;
  /** As its page has it. */
  readonly session?: Session | undefined;
}

/** Returns the targets of the active tab and then of the selected rows, if they belong to one of these connections. */
export function targetsInFront<C extends ShownConnection>(
  context: CommandContext,
  connections: readonly C[],
): readonly TargetInFront<C>[] {
  const page = context.findPage();
  const shown = connections.find(({ info }) => info.id === page?.connection);
  const ofPage =
    page === undefined || shown === undefined
      ? []
      : [{ ...targetOfPage(page, shown.store.snapshot), label: t('Active editor'), of: shown }];
  const ofRows = context.selectedRows().flatMap((row) => {
    const of = connections.find(({ info, isOwn }) =>
      row.connection === undefined ? isOwn : info.id === row.connection,
    );
    const target = targetOfRow(row);
    return target === undefined || of === undefined ? [] : [{ ...target, label: t('Selected'), of }];
  });
  return [...ofPage, ...ofRows];
}

function targetOfPage({ kind, id, session, clip }: FoundPage, snapshot: Snapshot): StreamOrSession {
  if (kind === 'stream') return { streamId: id, sessionId: undefined };
  if (kind === 'session') {
    return { streamId: session?.parentId ?? streamOfSession(snapshot, id), sessionId: id, session };
  }
  const known = findKnownClip(snapshot, id);
  const { sessionId } = clip ?? known?.clip ?? {};
  return { streamId: known?.streamId ?? (sessionId && streamOfSession(snapshot, sessionId)), sessionId };
}

function targetOfRow(row: ViewNode): StreamOrSession | undefined {
  if (row.kind === 'clip') return { streamId: row.streamId, sessionId: row.sessionId };
  const target = rowTarget(row);
  if (target?.kind === 'session') return { streamId: target.streamId, sessionId: target.id };
  return target && { streamId: target.id, sessionId: undefined };
}

function streamOfSession(snapshot: Snapshot, id: string): string | undefined {
  const streamId = [...snapshot.sessions.keys()].find((each) => findSession(snapshot, each, id) !== undefined);
  return streamId ?? findRecording(snapshot, id)?.parentId;
}
