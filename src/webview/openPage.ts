import { config } from '@vscode/l10n';
import { isRecord } from '../util/isRecord.ts';
import type { FromPage, KeptState, PageData, Ping, ShownSubject } from './messages.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage<unknown>): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
};

/** A page's connection to its tab, and the state it keeps across a reload. */
export interface OpenPage {
  readonly name: PageData['name'];
  readonly subject: ShownSubject;
  /** Returns the playback position in seconds; for a page that plays nothing, the scroll position in pixels. */
  readonly position: () => number;
  /** Stores the position. Only the subject is stored beside it, never URLs or keys. */
  readonly keep: (position: number) => void;
  readonly send: (said: object) => void;
  /** Listens to the tab's messages. Reports the page as ready, repeatedly, until `hasAll` returns true. */
  listen<T>(receive: (message: T) => void, hasAll: () => boolean): void;
}

const REPEAT_MS = 500;

export function openPage(): OpenPage {
  const { name, page, subject, texts }: PageData = JSON.parse(document.body.dataset.page ?? '{}');
  if (texts !== null) config({ contents: { ...texts } });
  const vscode = acquireVsCodeApi();
  const position = (): number => {
    const kept = vscode.getState();
    // A tab that is reused keeps the state of what it showed before.
    if (kept === undefined) return 0;
    const isSame = kept.connection === subject.connection && kept.kind === subject.kind && kept.id === subject.id;
    return isSame ? kept.position : 0;
  };
  const keep = (next: number): void => vscode.setState({ ...subject, position: next });
  keep(position());
  return {
    name,
    subject,
    position,
    keep,
    send: (said) => vscode.postMessage({ page, said }),
    listen(receive, hasAll) {
      // Another extension's webview can find this frame and post anything to it, but has another origin. The sender
      // itself can't be compared, because VS Code removes window.parent.
      window.addEventListener('message', ({ data, origin }: MessageEvent) => {
        if (origin !== window.origin) return;
        if (isPing(data)) vscode.postMessage({ page, said: { kind: 'pong' } });
        else receive(data);
      });
      // VS Code can lose messages while one page replaces another.
      const sendReady = (): void => {
        if (hasAll()) clearInterval(repeating);
        else vscode.postMessage({ page, said: { kind: 'ready' } });
      };
      const repeating = setInterval(sendReady, REPEAT_MS);
      sendReady();
    },
  };
}

function isPing(message: unknown): message is Ping {
  return isRecord(message) && message.kind === 'ping';
}
