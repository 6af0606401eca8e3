import * as vscode from 'vscode';
import type { Session } from '../api/types.ts';
import type { PanelSubject } from '../model/panelSubject.ts';
import type { PageCommand } from '../webview/details/messages.ts';
import { targetOf } from './detailsMessages.ts';

/** The extension's commands, for pages that have some run. */
export interface OwnCommands {
  readonly run: typeof runOwnCommand;
  readonly runOnPage: typeof runPageCommand;
}

/** Runs a command of ours, by its id without the prefix. Its failures are reported by its own boundary. */
export async function runOwnCommand(id: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
}

/** A session as the tree's row, which names the stream too: a service may know a session only among its stream's. */
export function rowOfSession({ id, parentId }: Pick<Session, 'id' | 'parentId'>): unknown {
  return parentId === undefined ? id : { kind: 'session', id: `session/${id}`, sessionId: id, streamId: parentId };
}

/** Runs a command that a details page asks for, on what that page shows; `command.session` is one of a stream's page. */
export async function runPageCommand(
  { command, session: named }: { readonly command: PageCommand; readonly session?: string },
  { kind, id, session }: PanelSubject & { readonly session: Session | undefined },
): Promise<void> {
  const target = targetOf(command);
  switch (target) {
    case 'none':
      return runOwnCommand(command);
    case 'stream': {
      const streamId = kind === 'stream' ? id : session?.parentId;
      return streamId === undefined ? undefined : runOwnCommand(command, streamId);
    }
    case 'session': {
      if (kind === 'session') return runOwnCommand(command, rowOfSession(session ?? { id, parentId: undefined }));
      return named === undefined ? undefined : runOwnCommand(command, rowOfSession({ id: named, parentId: id }));
    }
    default:
      target satisfies never;
  }
}
