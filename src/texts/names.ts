import { t } from '@vscode/l10n';
import type { Named, NamedStream } from '../api/types.ts';
import type { ConnectionInfo, Snapshot } from '../model/store/snapshot.ts';
import { streamLabel } from '../model/store/streams.ts';
import { joinParts, oneLine } from '../util/text.ts';

const MAX_NAME_LENGTH = 60;
// The cost of a row grows with the length of its name.
const LONGEST_NAME = 1000;
export const MOST_ID_LENGTH = 64;

/** The open connection, or the one that was open when a command began. */
export interface NamesConnection {
  readonly store: { readonly snapshot: Snapshot };
  readonly connection: { readonly info: ConnectionInfo | undefined };
}

/** Returns the whole name of a stream for a row: VS Code cuts it to fit, and its find searches all of it. */
export function nameLine(stream: NamedStream): string {
  return oneLine(streamLabel(stream), LONGEST_NAME);
}

/** Returns the name of a stream or another item for a sentence: one line, cut. Its ID if it has no name. */
export function nameOf(named: Named, maxLength = MAX_NAME_LENGTH): string {
  return oneLine(streamLabel(named), maxLength);
}

export function connectionName({ isDemo, name }: ConnectionInfo): string {
  return isDemo ? t('Demo') : oneLine(name);
}

export function nameOfConnection({ connection }: Snapshot): string | undefined {
  return 'info' in connection ? connectionName(connection.info) : undefined;
}

/** Whether a message has to say which connection it's about. */
export function isAmbiguous({ connection, connectionCount, showsAllConnections }: Snapshot): boolean {
  const isDemo = 'info' in connection && connection.info.isDemo;
  return showsAllConnections || connectionCount + (isDemo ? 1 : 0) > 1;
}

/**
 * 'Project: Sample Project · demo@example.com', as far as the service reports it. Without the project if its connection
 * is named after it, as they often are.
 */
export function accountWords(
  { accountNames: { project, email } }: Pick<Snapshot, 'accountNames'>,
  connection: string,
): string | undefined {
  const isNamedAfter = project !== undefined && oneLine(project) === oneLine(connection);
  return joinParts(project !== undefined && !isNamedAfter && t('Project: {0}', project), email);
}

/** 'Keynote: live'. */
export function labeledText(label: string, text: string): string {
  return t('{0}: {1}', label, text);
}

/** '2 live (out of date)'. */
export function withNote(words: string, note: string | undefined): string {
  return note === undefined ? words : t('{0} ({1})', words, note);
}

/** '2 of 5'. */
export function countedText(count: string | number, all: string | number): string {
  return t('{0} of {1}', count, all);
}

export function quotedText(text: string): string {
  return t('"{0}"', text);
}
