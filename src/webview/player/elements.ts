import { t } from '@vscode/l10n';
import { liveLabel } from '../../texts/labels.ts';
import { formatLocaleNumber, make, makeButton, makeOption } from '../makeElement.ts';

export type Elements = ReturnType<typeof buildPlayer>;

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/**
 * Creates a player's elements. All strings are set as text: nothing from a service is ever parsed as HTML.
 * @param isPart whether the player is only a part of its page, not the main part.
 */
export function buildPlayer(isPart: boolean) {
  const title = make('h1', 'title');
  const live = make('span', 'live');
  // Always there, so that a change in it is announced, and only once.
  const liveState = make('span', 'liveState', live);
  liveState.setAttribute('role', 'status');
  const facts = make('p', 'facts');
  const details = makeTool('details', t('Show Details'));
  details.classList.add('showDetails');
  const way = makeButton('');
  way.classList.add('way');
  const header = make('header', 'top', liveState, title, facts, way, details);
  const picture = buildPicture();
  const row = buildRow();
  const root = make(isPart ? 'div' : 'main', 'player', picture.stage, row.controls);
  for (const element of [
    live,
    way,
    details,
    picture.notice,
    picture.problem,
    picture.trouble,
    picture.last,
    picture.soundOnly,
    picture.loading,
  ])
    element.hidden = true;
  return { header, root, title, live, facts, way, details, ...picture, ...row };
}

/** The video, and what lies over it without moving it. */
function buildPicture() {
  const video = makeVideo();
  // The last frame of a broadcast that has ended.
  const last = make('canvas', 'last');
  last.setAttribute('aria-hidden', 'true');
  // Empty until there is a frame: a canvas has a default size.
  last.width = 0;
  const loading = make('span', 'loading');
  loading.setAttribute('aria-hidden', 'true');
  const soundOnly = make('p', 'soundOnly', t('Audio only'));
  const problem = make('section', 'problem');
  problem.setAttribute('role', 'alert');
  const notice = make('div', 'notice');
  notice.setAttribute('role', 'status');
  const trouble = make('p', 'trouble');
  trouble.setAttribute('role', 'status');
  const keys = makeKeys();
  const stage = make(
    'div',
    'stage',
    video,
    last,
    soundOnly,
    loading,
    problem,
    make('div', 'over', trouble, notice),
    keys,
  );
  return { stage, video, last, soundOnly, loading, problem, notice, trouble, keys };
}

/** The one row of controls. Those that are rarely used are in its menu. */
function buildRow() {
  const play = makeTool('play', t('Play'));
  const clock = make('span', 'clock');
  const behind = make('span', 'behind');
  // Both labels keep their place, so that nothing moves when one takes over from the other.
  const goLive = make('button', 'goLive', make('span', 'atEdge', liveLabel()), make('span', 'toEdge', t('Go Live')));
  goLive.type = 'button';
  const seek = makeSlider('seek', t('Position'));
  // The time below the pointer takes its place.
  seek.title = '';
  const below = make('span', 'timeBelow');
  below.ariaHidden = 'true';
  below.hidden = true;
  const mute = makeTool('sound', t('Mute'));
  const volume = makeSlider('volume', t('Volume'));
  volume.max = '1';
  volume.step = '0.05';
  const quality = make('select', 'select');
  const speed = makeSpeeds();
  const choices = make('span', 'choices', makeChoice(t('Quality'), quality), makeChoice(t('Speed'), speed));
  const inset = makeTool('pictureInPicture', t('Picture in Picture'));
  inset.classList.add('pictureInPicture');
  const fullscreen = makeTool('fullscreen', t('Full Screen'));
  const more = makeTool('more', t('More Actions…'));
  more.classList.add('moreActions');
  const menu = make('div', 'playerMenu');
  menu.popover = 'auto';
  more.popoverTargetElement = menu;
  const saveFrame = makeEntry(t('Save Frame…'));
  saveFrame.classList.add('saveFrame');
  saveFrame.title = t('Save the current frame as a PNG file');
  const clipOffer = make('span', 'clipOffer');
  const offers = make('span', 'offers');
  const showKeys = makeEntry(t('Keyboard Shortcuts'), '?');
  showKeys.classList.add('showKeys');
  const showStatistics = makeEntry(t('Playback Statistics'), 'S');
  showStatistics.classList.add('showStatistics');
  const [below1, below2] = [make('div', 'separator'), make('div', 'separator')];
  menu.append(saveFrame, clipOffer, below1, offers, below2, showStatistics, showKeys);
  // Shown while a clip is cut.
  const previousFrame = withKey(makeTool('previousFrame', t('Previous Frame')), ',');
  const nextFrame = withKey(makeTool('nextFrame', t('Next Frame')), '.');
  const steps = make('span', 'frameSteps', previousFrame, nextFrame);
  const position = make('span', 'position', goLive, clock, behind);
  const sound = make('span', 'sounds', mute, volume);
  const tools = [play, steps, position, seek, sound, choices, inset, fullscreen, more, menu];
  const controls = make('div', 'controls', ...tools, below);
  controls.setAttribute('role', 'group');
  controls.setAttribute('aria-label', t('Player Controls'));
  goLive.hidden = true;
  behind.hidden = true;
  return {
    ...{ controls, play, previousFrame, nextFrame, clock, behind, goLive, seek, below, mute, volume },
    ...{
      choices,
      quality,
      speed,
      inset,
      fullscreen,
      more,
      menu,
      saveFrame,
      clipOffer,
      offers,
      showStatistics,
      showKeys,
    },
  };
}

function makeVideo(): HTMLVideoElement {
  const video = make('video', 'video');
  video.playsInline = true;
  video.preload = 'auto';
  video.tabIndex = 0;
  video.setAttribute('aria-describedby', 'keys');
  return video;
}

/** Names the key that does the same. */
export function withKey(button: HTMLButtonElement, key: string): HTMLButtonElement {
  button.title = `${button.title || button.textContent} (${key})`;
  button.setAttribute('aria-keyshortcuts', key);
  return button;
}

/** Makes a button with an icon. Its label is its name and its tooltip. */
export function makeTool(icon: Icon, label: string): HTMLButtonElement {
  const button = make('button', 'playerTool');
  button.type = 'button';
  setTool(button, icon, label);
  return button;
}

export function setTool(button: HTMLButtonElement, icon: Icon, label: string): void {
  if (button.dataset.icon === icon && button.title === label) return;
  button.dataset.icon = icon;
  button.title = label;
  button.setAttribute('aria-label', label);
  button.replaceChildren(makeIcon(icon));
}

export function makeClose(run: () => void): HTMLButtonElement {
  const button = makeTool('close', t('Dismiss'));
  button.addEventListener('click', run);
  return button;
}

/** "14:05:09". @param date in Unix time in milliseconds */
export function formatTimeOfDay(date: number, options?: Intl.DateTimeFormatOptions): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', ...options } as const;
  return new Date(date).toLocaleTimeString(document.documentElement.lang, parts);
}

/** Makes a row of the menu. @param key a key that does the same */
export function makeEntry(label: string, key?: string): HTMLButtonElement {
  const entry = make('button', 'menuEntry', label);
  entry.type = 'button';
  if (key === undefined) return entry;
  const shown = make('span', 'entryKey', key);
  shown.ariaHidden = 'true';
  withKey(entry, key).append(shown);
  return entry;
}

function makeSlider(className: string, label: string): HTMLInputElement {
  const slider = make('input', `slider ${className}`);
  slider.type = 'range';
  slider.min = '0';
  slider.step = 'any';
  slider.setAttribute('aria-label', label);
  slider.title = label;
  return slider;
}

function makeChoice(label: string, select: HTMLSelectElement): HTMLElement {
  select.title = label;
  // The label's text would name its options too.
  select.setAttribute('aria-label', label);
  return make('label', 'choice', make('span', 'words', label), select);
}

function makeSpeeds(): HTMLSelectElement {
  const select = make('select', 'select');
  select.append(...SPEEDS.map((speed) => makeOption(String(speed), `${formatLocaleNumber(speed)}×`)));
  select.value = '1';
  return select;
}

/** Laid over the video, so that the video keeps its size. */
function makeKeys(): HTMLElement {
  const list = make('dl', 'keyList');
  const all: readonly (readonly [string, ...string[]])[] = [
    [t('Play or pause'), t('Space'), 'K'],
    [t('Skip back or forward 5 seconds'), '←', '→'],
    [t('Skip back or forward 10 seconds'), 'J', 'L'],
    [t('Go to the previous or next frame'), ',', '.'],
    [t('Go to 0% through 90%'), '0–9'],
    [t('Go to the start or end'), 'Home', 'End'],
    [t('Decrease or increase speed'), '<', '>'],
    [t('Decrease or increase volume'), '↓', '↑'],
    [t('Mute or unmute'), 'M'],
    [document.fullscreenEnabled ? t('Enter or exit full screen') : t('Maximize or restore'), 'F'],
    [t('Show playback statistics'), 'S'],
    [t('Create a clip'), 'C'],
    [t('Set the start or end of the clip'), 'I', 'O'],
    [t('Show these shortcuts'), '?'],
  ];
  for (const [what, ...names] of all) {
    const caps = names.flatMap((name) => [' ', make('kbd', 'keycap', name)]).slice(1);
    list.append(make('dt', '', what), make('dd', '', ...caps));
  }
  const close = makeClose(() => keys.hidePopover());
  close.autofocus = true;
  const title = make('div', 'keysTitle', make('h2', '', t('Keyboard Shortcuts')), close);
  const keys = make('section', 'keys', title, list);
  keys.id = 'keys';
  keys.popover = 'auto';
  return keys;
}

/** Returns the current frame as PNG; undefined if there is none yet. */
export async function readFrame(video: HTMLVideoElement): Promise<Uint8Array | undefined> {
  const canvas = document.createElement('canvas');
  if (!drawFrame(video, canvas)) return undefined;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}

/** Draws the current frame, in its own size unless a width is given; returns false if there is none yet. */
export function drawFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement, width = video.videoWidth): boolean {
  const { videoWidth, videoHeight } = video;
  const height = Math.round((width * videoHeight) / videoWidth);
  if (videoWidth === 0 || height === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return false;
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
  return true;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Paths in a square of 16 units: filled ones, and lines. */
interface Shape {
  readonly fill?: string;
  readonly line?: string;
}

const SPEAKER = 'M1.5 6v4h2.8L8 13.3V2.7L4.3 6z';

const SHAPES = {
  play: { fill: 'M4 2.3v11.4L13.5 8z' },
  pause: { fill: 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z' },
  sound: { fill: SPEAKER, line: 'M10 5.6a3.4 3.4 0 0 1 0 4.8M11.9 3.6a6.2 6.2 0 0 1 0 8.8' },
  muted: { fill: SPEAKER, line: 'M10.2 6l4 4M14.2 6l-4 4' },
  pictureInPicture: { fill: 'M8 8h5v4H8z', line: 'M1.5 2.5h13v11h-13z' },
  fullscreen: { line: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10' },
  smallScreen: { line: 'M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5' },
  more: {
    fill: 'M3 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM8 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6zM13 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z',
  },
  // In other players, a triangle with a bar stands for the previous or next item.
  previousFrame: { line: 'M10.5 3 5.5 8l5 5' },
  nextFrame: { line: 'M5.5 3l5 5-5 5' },
  details: { line: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.3v4M8 4.7v.2' },
  picture: {
    fill: 'M5.5 5a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z',
    line: 'M1.5 3h13v10h-13zM1.5 11.5 5 8.5l2.5 2 3-3.5 4 4',
  },
  close: { line: 'M4 4l8 8M12 4l-8 8' },
} satisfies Readonly<Record<string, Shape>>;

type Icon = keyof typeof SHAPES;

/** Creates an icon in the text's color. It has no name of its own, because its button has one. */
export function makeIcon(icon: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('playerIcon');
  const { fill, line }: Shape = SHAPES[icon];
  if (fill !== undefined) svg.append(makePath(fill, 'filled'));
  if (line !== undefined) svg.append(makePath(line, 'line'));
  return svg;
}

function makePath(data: string, className: string): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', data);
  path.classList.add(className);
  return path;
}
