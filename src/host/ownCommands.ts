import * as vscode from 'vscode';
import type { Session } from '../api/types.ts';

/** Runs a command of ours, by its id without the prefix. Its failures are reported by its own boundary. */
export async function runOwnCommand(id: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
}

/** A session as the tree's row, which names the stream too: a service may know a session only among its stream's. */
export function rowOfSession({ id, parentId }: Pick<Session, 'id' | 'parentId'>): unknown {
  return parentId === undefined ? id : { kind: 'session', id: `session/${id}`, sessionId: id, streamId: parentId };
}
