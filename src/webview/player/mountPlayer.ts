import { buildPlayer, type Elements } from './elements.ts';
import { actOfKey, type KeyAct } from './keys.ts';
import type { FromPlayer, Shown, ToPlayer } from './messages.ts';
import { Player } from './player.ts';

export interface PlayerMount {
  /** Title and state, for pages without a header of their own. */
  readonly header: HTMLElement;
  readonly element: HTMLElement;
  readonly hear: (message: ToPlayer) => void;
  readonly hasShown: () => boolean;
  /** Stops playing until the next 'show' message. */
  readonly stop: () => void;
}

export interface MountOptions {
  /** True for a stream's broadcasts, live or not; false for a session's recording. Decides the wording. */
  readonly isStream: boolean;
  /** Whether the page has other parts, with buttons and keys of their own. */
  readonly isPart: boolean;
  /** Start position in seconds. */
  readonly position: () => number;
  readonly keep: (position: number) => void;
  readonly say: (said: FromPlayer) => void;
}

const KEEP_EVERY_MS = 1000;
const OPENING: Shown = {
  heading: { title: '', facts: [], isLive: false },
  source: undefined,
  problem: { kind: 'opening' },
  offers: [],
  hasFile: false,
};

export function mountPlayer({ isStream, isPart, position, keep, say }: MountOptions): PlayerMount {
  const elements = buildPlayer(isPart);
  let serial: number | undefined;
  const player = new Player(elements, {
    position,
    isStream,
    isPart,
    act: (action) => say({ kind: 'act', action }),
    frame: (png, at) => say({ kind: 'frame', png, position: at }),
    failed: (problem) => say({ kind: 'failed', problem, serial: serial ?? 0 }),
    ended: () => say({ kind: 'ended', serial: serial ?? 0 }),
  });
  keepPosition(player, elements.video, keep);
  listenToKeys(elements, isPart, () => say({ kind: 'act', action: 'maximise' }));
  player.show(OPENING);
  return {
    header: elements.header,
    element: elements.root,
    hear(message) {
      if (message.kind === 'heading') player.showHeading(message.heading);
      else if (message.serial !== serial) {
        serial = message.serial;
        player.show(message);
      }
    },
    hasShown: () => serial !== undefined,
    stop() {
      serial = undefined;
      player.show(OPENING);
    },
  };
}

function keepPosition(player: Player, video: HTMLVideoElement, keep: (position: number) => void): void {
  let keptAt = 0;
  const note = (): void => {
    // The video reports 0 while its source changes.
    if (video.currentTime === 0) return;
    keptAt = performance.now();
    keep(player.isLive ? 0 : video.currentTime);
  };
  video.addEventListener('timeupdate', () => {
    if (performance.now() - keptAt >= KEEP_EVERY_MS) note();
  });
  video.addEventListener('seeked', note);
}

function listenToKeys(elements: Elements, isPart: boolean, maximise: () => void): void {
  const { root, video, stage } = elements;
  // In the capture phase, because the browser's own controls would change the volume as well.
  video.addEventListener('keydown', (event) => take(event, true), true);
  window.addEventListener('keydown', (event) => take(event, false));

  function take(event: KeyboardEvent, isOnPicture: boolean): void {
    const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
    if (video.hidden || root.offsetParent === null || defaultPrevented) return;
    // Events of the browser's controls have the video as their target, which then has :focus-within, not :focus.
    const isPicture = target === video && video.matches(':focus');
    const on = target instanceof Element && !isPicture ? target.tagName : '';
    const isInside = !isPart || (target instanceof Node && root.contains(target));
    const act = actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside });
    if (act === undefined) return;
    event.preventDefault();
    if (isOnPicture) event.stopImmediatePropagation();
    doAct(act, { video, stage, maximise });
  }
}

interface Worked extends Pick<Elements, 'video' | 'stage'> {
  readonly maximise: () => void;
}

function doAct(act: KeyAct, { video, stage, maximise }: Worked): void {
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
      return;
    default:
      act satisfies never;
  }
}

/** A desktop webview can't use the full screen API, so the editor group is maximized instead. */
function toggleFullscreen(stage: HTMLElement, maximise: () => void): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else if (document.fullscreenEnabled) stage.requestFullscreen().catch(maximise);
  else maximise();
}
