import { t } from '@vscode/l10n';
import { checkStreamLabel, watchLabel, watchRecordingLabel } from '../../texts/labels.ts';
import {
  copyHlsUrlLabel,
  createClipLabel,
  createSigningKeyLabel,
  downloadMp4Label,
  startTestBroadcastLabel,
  useSigningKeyLabel,
} from '../../texts/lateLabels.ts';
import type { Action, NotLive, Problem } from './messages.ts';

export interface ProblemText {
  readonly sentence: string;
  /** Why that may be, what happens next, or what can be done. */
  readonly detail?: string;
  readonly actions: readonly Action[];
  /** Not an error: the page updates by itself. */
  readonly isWaiting?: boolean;
  readonly isFailure?: boolean;
  /** The actions that use its URL can't help. */
  readonly isGone?: boolean;
}

const ELSEWHERE: readonly Action[] = ['openInBrowser', 'showDetails', 'copyAddress'];
const AGAIN: readonly Action[] = ['retry', ...ELSEWHERE];

interface Speaker {
  readonly isStream: boolean;
  readonly isPart: boolean;
  readonly hasFile: boolean;
}

export function problemText(problem: Problem, speaker: Speaker): ProblemText {
  const text = withCheck(textOf(problem, speaker), speaker);
  if (!('isRetried' in problem)) return text;
  return { ...text, detail: retriesText() };
}

/** A check finds out whether the stream or only this computer's connection is to blame. */
function withCheck(text: ProblemText, { isStream, isPart }: Speaker): ProblemText {
  const [first, ...others] = text.actions;
  if (!isStream || isPart || text.isFailure !== true || first !== 'retry') return text;
  return { ...text, actions: [first, 'checkStream', ...others] };
}

function retriesText(): string {
  return t('Retrying automatically until the video is available.');
}

function textOf(problem: Problem, speaker: Speaker): ProblemText {
  switch (problem.kind) {
    case 'said':
      return problem;
    case 'opening':
      return { sentence: t('Opening…'), actions: [], isWaiting: true };
    case 'unpublished': {
      const sentence = t('Waiting for the service to publish the video…');
      return { sentence, detail: retriesText(), actions: ['checkStream', 'showDetails'], isWaiting: true };
    }
    case 'processing':
      return processing(speaker, problem.looksAgain);
    case 'notLive':
    case 'ended':
      return problem.suspended === undefined ? silentText(problem) : suspendedText(problem, problem.suspended);
    case 'status':
      return statusText(problem.status, problem.host, speaker);
    case 'segmentStatus':
      return again(t("Couldn't load part of the video ({0} returned {1}).", problem.host, problem.status));
    case 'unreachable':
      return again(problem.sentence);
    case 'refusedAddress':
      return { sentence: problem.sentence, actions: ['showDetails', 'copyAddress'], isFailure: true };
    case 'foreignScheme':
      return elsewhere(
        t('The playlist points to a URL that starts with "{0}:", which isn\'t supported.', problem.scheme),
      );
    default:
      return PLAIN[problem.kind]();
  }
}

type PlainKind = Exclude<
  Problem['kind'],
  | 'said'
  | 'opening'
  | 'unpublished'
  | 'processing'
  | 'notLive'
  | 'ended'
  | 'status'
  | 'segmentStatus'
  | 'unreachable'
  | 'refusedAddress'
  | 'foreignScheme'
>;

const PLAIN: Readonly<Record<PlainKind, () => ProblemText>> = {
  tooManyRedirects: () => elsewhere(t('Too many redirects.')),
  emptyPlaylist: () => again(t('The playlist is empty.')),
  htmlPlaylist: () => again(t('Expected a playlist but received a web page.'), checkProxy()),
  malformedPlaylist: () =>
    again(t("Couldn't read the playlist."), t('It may be damaged, or it may not be an HLS playlist.')),
  endlessPlaylist: () => elsewhere(t("Couldn't read the playlist because the response didn't end.")),
  htmlMedia: () => again(t('Expected a video but received a web page.'), checkProxy()),
  htmlSegment: () => again(t('Expected part of the video but received a web page.'), checkProxy()),
  truncatedSegment: () => again(t('Part of the video is incomplete.')),
  brokenSegment: () => again(t('Part of the video is damaged.')),
  largeSegment: () => elsewhere(t('Part of the video is too large to play here.')),
  timeout: () => again(t('The video server took too long to respond.')),
  noHls: () => elsewhere(t("This version of VS Code can't play HLS.")),
  pictureFormat: () => elsewhere(t("This version of VS Code can't decode the video format.")),
  soundFormat: () => elsewhere(t("This version of VS Code can't decode the audio format.")),
  brokenFile: () =>
    again(t("Couldn't play the video file."), t('It may be damaged, or VS Code may not support its format.')),
  stopped: () => again(t('Playback stopped unexpectedly.')),
};

type Silent = NotLive & { readonly kind: 'notLive' | 'ended' };

function silentText(problem: Silent): ProblemText {
  if (problem.kind === 'ended') {
    const then = t('Waiting for the next broadcast…');
    return withRecording(waiting(t('This broadcast has ended.'), then, problem.looksAgain), problem);
  }
  const text = waiting(t("This stream isn't live."), playsWhenLive(), problem.looksAgain);
  return withRecording({ ...text, actions: ['startTestBroadcast', ...text.actions] }, problem);
}

/** The service refuses broadcasts to a suspended stream. */
function suspendedText(problem: Silent, { canResume }: NonNullable<NotLive['suspended']>): ProblemText {
  const sentence =
    problem.kind === 'ended' ? t('This broadcast has ended. The stream is suspended.') : t('This stream is suspended.');
  const text = withRecording(
    waiting(sentence, t('Playback starts automatically once the stream is resumed and goes live.'), problem.looksAgain),
    problem,
  );
  return canResume ? { ...text, actions: ['resumeStream', ...text.actions] } : text;
}

function playsWhenLive(): string {
  return t('Playback starts automatically when the stream goes live.');
}

function statusText(status: number, host: string, { isStream, hasFile }: Speaker): ProblemText {
  if (status === 403 || status === 401) {
    const detail = t('The URL may have expired, or the video may be protected.');
    return again(t('{0} denied access ({1}).', host, status), detail);
  }
  if (status !== 404 && status !== 410) return again(t("Couldn't get the video from {0} ({1}).", host, status));
  if (isStream) {
    const detail = t('It may not have started, or it may have ended.');
    return again(t('No broadcast was found on {0} ({1}).', host, status), detail);
  }
  const sentence = t("This recording wasn't found on {0} ({1}).", host, status);
  const detail = t('It may have been deleted.');
  const actions: readonly Action[] = hasFile ? ['playMp4', 'showDetails'] : ['showDetails'];
  return { sentence, detail, actions, isFailure: true, isGone: true };
}

/** Without automatic refresh, only the user can find out whether it has arrived. */
function waiting(sentence: string, detail: string, looksAgain: boolean): ProblemText {
  if (!looksAgain) return { sentence, actions: ['retry', 'showDetails'] };
  return { sentence, detail, actions: ['showDetails'], isWaiting: true };
}

/** If the player is part of a page, that page says what is being done, and for how long. */
function processing({ isPart }: Speaker, looksAgain: boolean): ProblemText {
  const then = isPart
    ? t("The video will appear here when it's ready.")
    : t('Playback starts automatically when the video is ready.');
  const text = waiting(t('The recording is being processed.'), then, looksAgain);
  return isPart && looksAgain ? { sentence: then, actions: [], isWaiting: true } : text;
}

function withRecording(text: ProblemText, { hasRecording }: { readonly hasRecording: boolean }): ProblemText {
  return hasRecording ? { ...text, actions: ['openRecording', ...text.actions] } : text;
}

function again(sentence: string, detail?: string): ProblemText {
  return { sentence, ...(detail !== undefined && { detail }), actions: AGAIN, isFailure: true };
}

function checkProxy(): string {
  return t('Check for a sign-in page or proxy.');
}

function elsewhere(sentence: string): ProblemText {
  return { sentence, actions: ELSEWHERE, isFailure: true };
}

export function actionLabel(action: Action, isStream: boolean): string {
  switch (action) {
    case 'retry':
      return t('Retry');
    case 'openInBrowser':
      return t('Watch in Browser');
    case 'alwaysInBrowser':
      return t('Always Watch in Browser');
    case 'copyAddress':
      return isStream ? copyHlsUrlLabel() : t('Copy Recording URL');
    case 'copyWithToken':
      return t('Copy with Token…');
    case 'downloadMp4':
      return downloadMp4Label();
    case 'createClip':
      return createClipLabel();
    case 'copyClipUrl':
      return t('Copy Clip URL');
    case 'playMp4':
      return t('Watch MP4');
    case 'openRecording':
      return watchRecordingLabel();
    case 'watchLive':
      return watchLabel();
    case 'startTestBroadcast':
      return startTestBroadcastLabel();
    case 'resumeStream':
      return t('Resume Stream');
    case 'showDetails':
      return t('Show Details');
    case 'checkStream':
      return checkStreamLabel();
    case 'setApiKey':
      return t('Set API Key…');
    case 'openOwnConnection':
      return t('Switch Connection');
    case 'switchConnection':
      return t('Switch Connection…');
    case 'addConnection':
      return t('Connect to a Service…');
    case 'startDemo':
      return t('Try the Demo');
    case 'setAddress':
      return t('Configure…');
    case 'createSigningKey':
      return createSigningKeyLabel();
    case 'useSigningKey':
      return useSigningKeyLabel();
    case 'maximize':
      return t('Maximize');
  }
}
