import * as vscode from 'vscode';
import type { Settings } from '../../model/settingValues.ts';
import type { Clock } from '../../services.ts';
import type { DrawingContext } from '../../tree/row.ts';

/**
 * Returns the current context for formatting. In a remote window, the host's time zone can differ from the user's,
 * which VS Code doesn't expose, so the extension runs on the user's machine if it can (extensionKind).
 */
export function readDrawing(clock: Clock, settings?: Settings): DrawingContext {
  let timeZone: string | undefined;
  return {
    now: clock.now(),
    locale: vscode.env.language,
    get refreshInterval() {
      return settings?.refreshInterval() ?? 0;
    },
    // Most rows contain no date, and reading the time zone takes a thousand times as long as everything else.
    get timeZone() {
      timeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
      return timeZone;
    },
  };
}
