import type { Session } from '../api/types.ts';
import type { PanelTarget } from '../model/pages/panelState.ts';
import type { CommandCall } from '../texts/actions.ts';
import type { PageCommand } from '../webview/details/messages.ts';
import { targetOf } from './detailsMessages.ts';

/** Runs a command of the extension by its ID without the prefix. The command's own boundary reports its errors. */
export type RunCommand = (id: CommandCall['command'], ...args: readonly unknown[]) => Promise<void>;

/** Returns a session's tree row, which names its stream too: some services know a session only in its stream's list. */
export function rowOfSession({
  id,
  parentId,
}: {
  readonly id: string;
  readonly parentId: string | undefined;
}): unknown {
  return parentId === undefined ? id : { kind: 'session', id: `session/${id}`, sessionId: id, streamId: parentId };
}

export interface CommandRequest {
  readonly command: PageCommand;
  /** The ID of one of the sessions on a stream's page. */
  readonly session?: string;
  /** The ID of one of the multistream targets on a stream's page, or of the clips on a session's. */
  readonly target?: string;
}

export async function runPageCommand(
  run: RunCommand,
  { command, session: named, target: targetId }: CommandRequest,
  { kind, id, session }: PanelTarget & { readonly session: Session | undefined },
): Promise<void> {
  const target = targetOf(command);
  switch (target) {
    case 'none':
      return run(command);
    case 'own':
      return run(command, kind === 'stream' ? id : rowOfSession(session ?? { id, parentId: undefined }));
    case 'stream': {
      const streamId = kind === 'stream' ? id : session?.parentId;
      return streamId === undefined ? undefined : run(command, streamId);
    }
    case 'streamOrTarget':
      if (kind === 'session') return undefined;
      return run(command, targetId === undefined ? id : { id, targetId });
    case 'target':
      return kind === 'stream' && targetId !== undefined ? run(command, { id, targetId }) : undefined;
    case 'clip':
      return kind === 'session' && targetId !== undefined
        ? run(command, { id: targetId, streamId: session?.parentId })
        : undefined;
    case 'session': {
      if (kind === 'session') return run(command, rowOfSession(session ?? { id, parentId: undefined }));
      return named === undefined ? undefined : run(command, rowOfSession({ id: named, parentId: id }));
    }
    default:
      target satisfies never;
  }
}
