import * as vscode from 'vscode';
import type { KnownId } from '../../tree/knownId.ts';
import { makeTooltip } from '../tree/treeView.ts';
import type { ShownId } from './idLinks.ts';

export function showKnownId({ kind, id, name, tooltip }: KnownId): ShownId {
  const command = kind === 'stream' ? 'liveStreams.showStream' : 'liveStreams.showSession';
  return { hover: makeTooltip(tooltip), kind, id, name, show: () => vscode.commands.executeCommand(command, id) };
}
