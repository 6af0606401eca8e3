import * as vscode from 'vscode';
import { errorText } from '../../api/errors.ts';
import type { Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

export interface OutputLog extends Log, Disposable {
  show(): void;
}

export function createLog(): OutputLog {
  const channel = vscode.window.createOutputChannel('Live Streams', { log: true });
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => channel.error(error === undefined ? message : `${message}: ${errorText(error)}`),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
