import * as vscode from 'vscode';
import type { Clock } from '../services.ts';
import type { DrawingContext } from '../tree/row.ts';

/**
 * How texts are written now. In a remote window the host's time zone can differ from the person's; VS Code does not tell
 * theirs, so the extension runs on the person's machine where it can (extensionKind).
 */
export function readDrawing(clock: Pick<Clock, 'now'>): DrawingContext {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { now: clock.now(), locale: vscode.env.language, timeZone };
}
