import { t } from '@vscode/l10n';
import type { Action, Problem } from './messages.ts';

export interface ProblemText {
  readonly sentence: string;
  /** What happens next, or can be done. */
  readonly detail?: string;
  readonly actions: readonly Action[];
  /** Not an error: the page updates by itself. */
  readonly isWaiting?: boolean;
}

const ELSEWHERE: readonly Action[] = ['openInBrowser', 'showDetails', 'copyAddress'];
const AGAIN: readonly Action[] = ['retry', ...ELSEWHERE];

interface Speaker {
  readonly isStream: boolean;
  readonly isPart: boolean;
  readonly hasFile: boolean;
}

export function problemText(problem: Problem, speaker: Speaker): ProblemText {
  switch (problem.kind) {
    case 'said':
      return problem;
    case 'opening':
      return { sentence: t('Opening…'), actions: [], isWaiting: true };
    case 'processing':
      return waiting(t('The recording is being processed.'), whenReady(speaker), problem.looksAgain);
    case 'notLive': {
      const then = t('Playback starts automatically when it goes live.');
      return withRecording(waiting(t("This stream isn't live."), then, problem.looksAgain), problem);
    }
    case 'ended': {
      const then = t('Waiting for the next broadcast…');
      return withRecording(waiting(t('This broadcast has ended.'), then, problem.looksAgain), problem);
    }
    case 'status':
      return statusText(problem.status, problem.host, speaker);
    case 'segmentStatus':
      return again(t('A part of the video could not be loaded: {0} answered {1}.', problem.host, problem.status));
    case 'unreachable':
    case 'refusedAddress':
      return {
        sentence: problem.sentence,
        actions: problem.kind === 'unreachable' ? AGAIN : ['showDetails', 'copyAddress'],
      };
    case 'foreignScheme':
      return elsewhere(
        t('The playlist points to an address that begins with "{0}:". Such addresses are not opened.', problem.scheme),
      );
    case 'foreignOrigin':
      return elsewhere(
        t(
          'The playlist points to {0}, which it did not name at the beginning. Nothing was asked there.',
          problem.origin,
        ),
      );
    case 'foreignRedirect':
      return elsewhere(t('{0} sent the player on to another server. Nothing was asked there.', problem.host));
    case 'network':
      return again(
        t(
          '{0} could not be reached from the editor. Check the network; the server may also refuse other pages.',
          problem.host,
        ),
      );
    case 'timeout':
      return again(t('{0} did not finish its answer in time.', problem.host));
    case 'noHls':
      return speaker.hasFile ? { ...noHls(), actions: ['openInBrowser', 'playMp4', 'copyAddress'] } : noHls();
    default:
      return PLAIN[problem.kind]();
  }
}

type PlainKind = Exclude<
  Problem['kind'],
  | 'said'
  | 'opening'
  | 'processing'
  | 'notLive'
  | 'ended'
  | 'status'
  | 'segmentStatus'
  | 'unreachable'
  | 'refusedAddress'
  | 'foreignScheme'
  | 'foreignOrigin'
  | 'foreignRedirect'
  | 'network'
  | 'timeout'
  | 'noHls'
>;

const PLAIN: Readonly<Record<PlainKind, () => ProblemText>> = {
  tooManyRedirects: () => elsewhere(t('The address leads on and on: it was followed five times.')),
  emptyPlaylist: () => again(t('The playlist is empty: there is nothing in it to play.')),
  htmlPlaylist: () => again(t('A web page (HTML) came in place of the playlist. Check for a sign-in page or a proxy.')),
  malformedPlaylist: () => again(t('The playlist cannot be read: it is damaged, or not an HLS playlist.')),
  endlessPlaylist: () => elsewhere(t('The playlist has no end, so reading it was given up.')),
  htmlMedia: () => again(t('A web page (HTML) came in place of the video. Check for a sign-in page or a proxy.')),
  htmlSegment: () =>
    again(t('A web page (HTML) came in place of a part of the video. Check for a sign-in page or a proxy.')),
  truncatedSegment: () => again(t('A part of the video came cut short.')),
  brokenSegment: () => again(t('A part of the video is damaged and cannot be read.')),
  pictureFormat: () => elsewhere(t('This editor cannot decode the picture of this video.')),
  soundFormat: () =>
    elsewhere(t('This editor cannot decode the sound of this video, which cannot be played without it.')),
  brokenFile: () => again(t('The video file cannot be played: it is damaged, or of a kind this editor does not know.')),
  stopped: () => again(t('The player stopped.')),
};

function statusText(status: number, host: string, { isStream }: Speaker): ProblemText {
  if (status === 403 || status === 401) {
    return again(
      t('{0} refused to hand it out ({1}). Its address may have expired, or it may be protected.', host, status),
    );
  }
  if (status !== 404 && status !== 410) return again(t('{0} could not hand it out ({1}).', host, status));
  if (isStream) return again(t('{0} has no such broadcast (404). It may not have begun, or have ended.', host));
  return again(t('{0} does not have this recording, or no longer (404).', host));
}

/** Without automatic refresh, only the user can find out whether it has come. */
function waiting(sentence: string, detail: string, looksAgain: boolean): ProblemText {
  if (!looksAgain) return { sentence, actions: ['retry', 'showDetails'] };
  return { sentence, detail, actions: ['showDetails'], isWaiting: true };
}

function whenReady({ isPart }: Speaker): string {
  return isPart ? t("It will appear here when it's ready.") : t("Playback starts automatically when it's ready.");
}

function withRecording(text: ProblemText, { hasRecording }: { readonly hasRecording: boolean }): ProblemText {
  return hasRecording ? { ...text, actions: ['openRecording', ...text.actions] } : text;
}

function again(sentence: string): ProblemText {
  return { sentence, actions: AGAIN };
}

function noHls(): ProblemText {
  return elsewhere(t('This editor cannot play HLS.'));
}

function elsewhere(sentence: string): ProblemText {
  return { sentence, actions: ELSEWHERE };
}

export function actionLabel(action: Action, isStream: boolean): string {
  switch (action) {
    case 'retry':
      return t('Try Again');
    case 'openInBrowser':
      return t('Watch in Browser');
    case 'alwaysInBrowser':
      return t('Always in Browser');
    case 'copyAddress':
      return isStream ? t('Copy Playback URL') : t('Copy Recording URL');
    case 'downloadMp4':
      return t('Download MP4…');
    case 'playMp4':
      return t('Play the MP4');
    case 'openRecording':
      return t('Watch Recording');
    case 'watchLive':
      return t('Watch');
    case 'showDetails':
      return t('Show Details');
    case 'setApiKey':
      return t('Set API Key…');
    case 'switchConnection':
      return t('Switch Connection…');
    case 'addConnection':
      return t('Connect to a Service…');
    case 'startDemo':
      return t('Try the Demo');
    case 'setAddress':
      return t('Set Address…');
    case 'maximise':
      return t('Maximize');
  }
}
