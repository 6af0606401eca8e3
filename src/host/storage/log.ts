import * as vscode from 'vscode';
import { errorText } from '../../api/errors.ts';
import type { Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';

export interface OutputLog extends Log, Disposable {
  show(): void;
}

export function createLog(): OutputLog {
  const channel = vscode.window.createOutputChannel('Live Streams', { log: true });
  let isOpen = true;
  // Work in progress may still log when the window closes, and writing to a closed channel is an error.
  const whileOpen = (write: () => void): void => {
    if (isOpen) write();
  };
  return {
    debug: (message) => whileOpen(() => channel.debug(message)),
    info: (message) => whileOpen(() => channel.info(message)),
    warn: (message) => whileOpen(() => channel.warn(message)),
    error: (message, error) =>
      whileOpen(() => channel.error(error === undefined ? message : `${message}: ${errorText(error)}`)),
    show: () => channel.show(),
    dispose() {
      isOpen = false;
      channel.dispose();
    },
  };
}
