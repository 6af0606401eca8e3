import * as vscode from 'vscode';
import type { RunCommand } from '../../panels/pageCommands.ts';

export const runOwnCommand: RunCommand = async (id, ...args) => {
  await vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
};
