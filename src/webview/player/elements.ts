import { t } from '@vscode/l10n';
import { formatNumber, make, makeButton, makeOption } from '../makeElement.ts';

export type Elements = ReturnType<typeof buildPlayer>;

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/**
 * Creates a player's elements. All texts are set as text: nothing from a service is ever parsed as HTML.
 * @param isPart whether the player is only a part of its page, not the main part.
 */
export function buildPlayer(isPart: boolean) {
  const title = make('h1', 'title');
  const live = make('span', 'live', t('Live'));
  const facts = make('p', 'facts');
  const notice = make('div', 'notice');
  notice.setAttribute('role', 'status');
  const video = makeVideo();
  const problem = make('section', 'problem');
  problem.setAttribute('role', 'alert');
  const trouble = make('p', 'trouble');
  trouble.setAttribute('role', 'status');
  const stage = make('div', 'stage', video, problem, trouble);
  const behind = make('span', 'behind');
  const goLive = makeButton(t('Jump to Live'));
  const quality = make('select', 'select');
  const speed = makeSpeeds();
  const saveFrame = makeButton(t('Save Frame…'));
  saveFrame.title = t('Save the current frame as a PNG file');
  const offers = make('span', 'offers');
  const bar = make(
    'div',
    'bar',
    make('span', 'position', behind, goLive),
    make('label', 'choice', t('Quality'), quality),
    make('label', 'choice', t('Speed'), speed),
    saveFrame,
    offers,
    makeHelp(),
  );
  for (const element of [live, notice, problem, trouble, behind, goLive]) element.hidden = true;
  const header = make('header', 'top', make('div', 'heading', live, title), facts);
  const root = make(isPart ? 'div' : 'main', 'player', notice, stage, bar);
  return {
    header,
    root,
    title,
    live,
    facts,
    notice,
    stage,
    video,
    problem,
    trouble,
    bar,
    behind,
    goLive,
    quality,
    speed,
    saveFrame,
    offers,
  };
}

function makeVideo(): HTMLVideoElement {
  const video = make('video', 'video');
  video.controls = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.tabIndex = 0;
  video.setAttribute('controlslist', 'nodownload noremoteplayback');
  video.setAttribute('aria-describedby', 'keys');
  return video;
}

function makeSpeeds(): HTMLSelectElement {
  const select = make('select', 'select');
  select.append(...SPEEDS.map((speed) => makeOption(String(speed), `${formatNumber(speed)}×`)));
  select.value = '1';
  return select;
}

function makeHelp(): HTMLElement {
  const text = t(
    'Space or K: play or pause. Left and Right: seek 5 seconds. J and L: seek 10 seconds. Up and Down: volume. M: mute. F: full screen.',
  );
  const keys = make('p', 'keys', text);
  keys.id = 'keys';
  return make('details', 'help', make('summary', 'summary', t('Shortcuts')), keys);
}

/**
 * Returns the current picture as PNG; undefined if there is none yet.
 * Throws a SecurityError if the server does not let other pages read its media (CORS).
 */
export async function readFrame(video: HTMLVideoElement): Promise<Uint8Array | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0 || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
