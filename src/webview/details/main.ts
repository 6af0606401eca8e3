import { config } from '@vscode/l10n';
import { DetailsPage } from './detailsPage.ts';
import type { Button, FromPage, PageAct, PageCommand, PageData, ToPage } from './messages.ts';

/** Of the editor, in every webview. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: PageData['subject']): void;
};

/** What the page's tab does by itself; all else is a command. */
const ACTS: Readonly<Record<PageAct, true>> = {
  reveal: true,
  hide: true,
  copyWhip: true,
  setAddress: true,
  retry: true,
  loadMore: true,
  showStream: true,
};

function start(): void {
  const data: PageData = JSON.parse(document.body.dataset.page ?? '{}');
  if (data.texts !== null) config({ contents: { ...data.texts } });
  const vscode = acquireVsCodeApi();
  const act = (name: PageAct): void => vscode.postMessage({ kind: 'act', act: name });
  const press = ({ act: name }: Button): void => {
    if (name === 'reveal') act(page.isRevealed ? 'hide' : 'reveal');
    else if (isAct(name)) act(name);
    else vscode.postMessage({ kind: 'command', command: name });
  };
  const open = (session: string): void => vscode.postMessage({ kind: 'command', command: 'openRecording', session });
  const page = new DetailsPage(document.body, { press, act, open });
  window.addEventListener('message', ({ data: message }: MessageEvent<ToPage>) => obey(page, message));
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) page.hide();
  });
  // The subject alone: neither addresses nor keys stay.
  vscode.setState(data.subject);
  vscode.postMessage({ kind: 'ready' });
}

function obey(page: DetailsPage, message: ToPage): void {
  if (message.kind === 'show') page.show(message.shown);
  else if (message.kind === 'reveal') page.reveal(message.secrets);
  else page.hide();
}

function isAct(name: PageAct | PageCommand): name is PageAct {
  return Object.hasOwn(ACTS, name);
}

start();
