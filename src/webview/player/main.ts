import { config } from '@vscode/l10n';
import { buildPage, type Elements } from './elements.ts';
import { actOfKey, type KeyAct } from './keys.ts';
import type { FromPage, KeptState, PageData, Shown, ToPage } from './messages.ts';
import { Player } from './player.ts';

/** Of the editor, in every webview. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
};

const KEEP_EVERY_MS = 1000;
const SAY_AGAIN_MS = 500;
const OPENING: Shown = {
  heading: { title: '', facts: [], isLive: false },
  source: undefined,
  problem: { kind: 'opening' },
  offers: [],
};

function start(): void {
  const data: PageData = JSON.parse(document.body.dataset.page ?? '{}');
  if (data.texts !== null) config({ contents: { ...data.texts } });
  const vscode = acquireVsCodeApi();
  const elements = buildPage(document.body);
  const startAt = vscode.getState()?.position ?? 0;
  const { page, subject } = data;
  const player = new Player(elements, {
    startAt,
    isStream: subject.kind === 'stream',
    act: (action) => vscode.postMessage({ page, kind: 'act', action }),
    frame: (png, position) => vscode.postMessage({ page, kind: 'frame', png, position }),
    failed: (problem) => vscode.postMessage({ page, kind: 'failed', problem }),
    ended: () => vscode.postMessage({ page, kind: 'ended' }),
  });
  const { video } = elements;
  let keptAt = 0;
  const keep = (): void => {
    // While a source comes and goes the video says 0, which is nobody's position.
    if (video.currentTime === 0) return;
    keptAt = performance.now();
    vscode.setState({ ...subject, position: player.isLive ? 0 : video.currentTime });
  };
  vscode.setState({ ...subject, position: startAt });
  video.addEventListener('timeupdate', () => {
    if (performance.now() - keptAt >= KEEP_EVERY_MS) keep();
  });
  video.addEventListener('seeked', keep);
  player.show(OPENING);
  let serial: number | undefined;
  window.addEventListener('message', ({ data: message }: MessageEvent<ToPage>) => {
    if (message.kind === 'heading') player.showHeading(message.heading);
    else if (message.serial !== serial) {
      serial = message.serial;
      player.show(message);
    }
  });
  const maximise = (): void => vscode.postMessage({ page, kind: 'act', action: 'maximise' });
  window.addEventListener('keydown', (event) => onKey(event, elements, maximise));
  // The editor can lose what is said while one page takes another's place, so it is said until there is an answer.
  const sayReady = (): void => {
    if (serial === undefined) vscode.postMessage({ page, kind: 'ready' });
    else clearInterval(saying);
  };
  const saying = setInterval(sayReady, SAY_AGAIN_MS);
  sayReady();
}

function onKey(event: KeyboardEvent, elements: Elements, maximise: () => void): void {
  const on = event.target instanceof Element ? event.target.tagName : '';
  const act = elements.video.hidden || event.defaultPrevented ? undefined : actOfKey({ ...keysOf(event), on });
  if (act === undefined) return;
  event.preventDefault();
  doAct(act, elements, maximise);
}

function keysOf({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) {
  return { key, ctrlKey, altKey, metaKey };
}

function doAct(act: KeyAct, { video, stage }: Elements, maximise: () => void): void {
  switch (act.act) {
    case 'toggle':
      if (video.paused) void video.play().catch(() => undefined);
      else video.pause();
      return;
    case 'seek':
      video.currentTime = Math.max(0, video.currentTime + act.seconds);
      return;
    case 'volume':
      video.volume = Math.min(1, Math.max(0, video.volume + act.step));
      return;
    case 'mute':
      video.muted = !video.muted;
      return;
    case 'fullscreen':
      toggleFullscreen(stage, maximise);
  }
}

/** A desktop webview may not take the screen: there the editor group is made as large as the window. */
function toggleFullscreen(stage: HTMLElement, maximise: () => void): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else if (document.fullscreenEnabled) stage.requestFullscreen().catch(maximise);
  else maximise();
}

start();
