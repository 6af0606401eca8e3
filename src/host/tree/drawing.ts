import * as vscode from 'vscode';
import type { Clock } from '../../services.ts';
import type { DrawingContext } from '../../tree/row.ts';

/**
 * How texts are written now. In a remote window the host's time zone can differ from the person's; VS Code does not tell
 * theirs, so the extension runs on the person's machine where it can (extensionKind).
 */
export function readDrawing(clock: Pick<Clock, 'now'>): DrawingContext {
  return {
    now: clock.now(),
    locale: vscode.env.language,
    // Most rows do not tell a date, and to find it out takes a thousand times as long as all the rest.
    get timeZone() {
      return new Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
  };
}
