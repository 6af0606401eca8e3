import { config } from '@vscode/l10n';
import type { FromPage, KeptState, PageData, PageSubject } from './messages.ts';

/** Of the editor, in every webview. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage<unknown>): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
};

/** A page's line to its tab, and what it keeps over a reload. */
export interface OpenPage {
  readonly name: PageData['name'];
  readonly subject: PageSubject;
  /** Where it was played to, in seconds. */
  readonly position: () => number;
  /** Notes it. The subject is all that is kept beside it: neither addresses nor keys. */
  readonly keep: (position: number) => void;
  readonly say: (said: object) => void;
  /** Hears what the tab says. It is told that the page is there, again and again until all that is to be shown has come. */
  listen<T>(hear: (message: T) => void, hasAll: () => boolean): void;
}

const SAY_AGAIN_MS = 500;

/** Takes up the data of this page's HTML, and its display language. */
export function openPage(): OpenPage {
  const { name, page, subject, texts }: PageData = JSON.parse(document.body.dataset.page ?? '{}');
  if (texts !== null) config({ contents: { ...texts } });
  const vscode = acquireVsCodeApi();
  const position = (): number => vscode.getState()?.position ?? 0;
  const keep = (seconds: number): void => vscode.setState({ ...subject, position: seconds });
  keep(position());
  return {
    name,
    subject,
    position,
    keep,
    say: (said) => vscode.postMessage({ page, said }),
    listen(hear, hasAll) {
      // Another extension's webview finds this frame, and may post whatever it likes. Its origin is another; VS Code takes
      // window.parent away, so that the sender itself cannot be compared.
      window.addEventListener('message', ({ data, origin }: MessageEvent) => {
        if (origin === window.origin) hear(data);
      });
      // The editor can lose what is said while one page takes another's place.
      const sayReady = (): void => {
        if (hasAll()) clearInterval(saying);
        else vscode.postMessage({ page, said: { kind: 'ready' } });
      };
      const saying = setInterval(sayReady, SAY_AGAIN_MS);
      sayReady();
    },
  };
}
