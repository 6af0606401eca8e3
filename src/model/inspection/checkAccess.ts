import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { PlayableStream } from '../../api/types.ts';
import type { Clock, Downloads } from '../../services.ts';
import { createDeadline } from '../../util/deadline.ts';
import { type CheckedUrl, checkMediaUrl } from '../addresses.ts';
import { describeAddressFault } from '../addressFaults.ts';
import { followRedirects } from '../redirects.ts';
import { isPrivate } from '../store/streams.ts';
import type { Finding, FindingSection } from './hlsFindings.ts';
import { tooManyRedirects } from './inspectHls.ts';

interface AccessRequest {
  /** Checked and without a token. */
  readonly url: string;
  /** Whether this computer was able to make a token. */
  readonly hasToken: boolean;
  readonly downloads: Downloads;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const WITHIN_MS = 5000;

/**
 * Checks whether viewers without a token are denied a private stream. Returns undefined for a public stream. Throws the
 * signal's AbortError.
 */
export async function checkAccess(stream: PlayableStream, request: AccessRequest): Promise<FindingSection | undefined> {
  if (!isPrivate(stream)) return undefined;
  const without = judge(await statusWithoutToken(request), new URL(request.url).host);
  const findings = request.hasToken ? [without] : [without, notTried(stream.playbackPolicy?.type)];
  return { heading: t('Access'), findings };
}

/** Returns a sentence if there was no response. */
async function statusWithoutToken({ url, downloads, clock, signal }: AccessRequest): Promise<number | string> {
  const { host } = new URL(url);
  const deadline = createDeadline(clock, WITHIN_MS, signal);
  try {
    const followed = await followRedirects(url, {
      open: (next) => downloads.download({ url: next, headers: {}, signal: deadline.signal }),
      check: (next): CheckedUrl => checkMediaUrl(next, { baseUrl: url }),
      discard: (response) => response.dispose(),
      connection: { baseUrl: url },
    });
    if (followed.kind === 'refused') return describeAddressFault(followed.fault, 'redirect');
    if (followed.kind === 'tooMany') return tooManyRedirects();
    followed.response.dispose();
    return followed.response.status;
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.isOver) return t('{0} took too long to respond.', host);
    if (!isApiError(error)) throw error;
    return describeError(error, { service: error.host ?? host });
  } finally {
    deadline.dispose();
  }
}

function judge(outcome: number | string, host: string): Finding {
  const base = { id: 'withoutToken', label: t('Without a Token') };
  if (outcome === 401 || outcome === 403) return { ...base, mark: 'good', figure: t('Denied ({0})', outcome) };
  if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) {
    const meaning = t('The stream is private, but anyone with its URL can watch it.');
    const advice = t('A new playback policy may not have taken effect yet. Check again in a moment.');
    return {
      ...base,
      mark: 'bad',
      figure: t('Plays ({0})', outcome),
      meaning,
      advice,
      remedy: { command: 'showStream' },
    };
  }
  const isMissing = outcome === 404 || outcome === 410;
  const response = isMissing ? t('Not found ({0})', outcome) : t('{0} returned {1}', host, outcome);
  const figure = typeof outcome === 'string' ? outcome : response;
  const meaning = t("Couldn't determine whether viewers without a token are denied access.");
  return { ...base, mark: 'doubtful', figure, meaning, advice: t('Check again later.') };
}

function notTried(type: string | undefined): Finding {
  const base = { id: 'withToken', label: t('With a Token'), figure: t('Not checked') };
  if (type !== 'jwt') return { ...base, mark: 'fact', meaning: t('A webhook decides who can watch.') };
  const meaning = t("Playback can't be checked without a signing key on this computer.");
  const advice = t('Create or import a signing key, and then check again.');
  return { ...base, mark: 'doubtful', meaning, advice, remedy: { command: 'createSigningKey' } };
}
