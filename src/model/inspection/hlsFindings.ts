import { t } from '@vscode/l10n';
import { dateOf } from '../../api/retryAfter.ts';
import { formatBitrate, localeOrEnglish } from '../../util/format.ts';
import { oneLine } from '../../util/text.ts';
import {
  type Exchange,
  FOREIGN_ORIGIN,
  type HlsFacts,
  type HttpAnswer,
  hasSucceeded,
  isChanged,
  patienceOf,
  type TrackFacts,
} from './inspectHls.ts';
import type { MediaPlaylist, PlaylistFault, PlaylistSegment } from './playlist.ts';

/**
 * `bad`, a problem: viewers can't watch, playback breaks for them, or people without access can watch. `doubtful`, a
 * warning: it plays, but worse than it could, a multistream target isn't reached, or it couldn't be checked. `fact`:
 * neither good nor bad.
 */
export type Mark = 'good' | 'doubtful' | 'bad' | 'fact';

/** Always present if the mark is doubtful or bad. */
export interface Explanation {
  /** The effect on viewers, or the cause. */
  readonly meaning?: string | undefined;
  /** The suggested action. */
  readonly advice?: string | undefined;
}

export interface Finding extends Explanation {
  /** Not shown. */
  readonly id: string;
  readonly mark: Mark;
  readonly label: string;
  readonly figure: string;
  readonly remedy?: FindingRemedy | undefined;
}

/**
 * A command that helps, usually for the stream that is checked; a multistream target to change; or a line for the
 * configuration of a server or packager.
 */
export type FindingRemedy =
  | { readonly command: 'showStream' | 'resumeStream' | 'startTestBroadcast' | 'createSigningKey' }
  | { readonly target: string }
  | { readonly line: string };

export interface FindingSection {
  readonly heading: string;
  readonly findings: readonly Finding[];
}

const SLOW_PLAYLIST_MS = 1000;
const SLOW_START_MS = 3000;
const SLOW_FIRST_BYTE_MS = 800;
const MOST_NAMED = 10;

/**
 * Returns the findings about a playlist, without the queries of URLs.
 * @param isLive whether the service reports that the stream is live
 */
export function judgeHls(facts: HlsFacts, locale: string, isLive = false): readonly FindingSection[] {
  const words = wordsIn(locale);
  const sections = [
    { heading: t('Server'), findings: [...unavailable(facts, isLive), ...delivery(facts, words)] },
    { heading: t('Playlist'), findings: [...playlistFindings(facts, words)] },
    { heading: t('Renditions'), findings: [...renditions(facts, words)] },
  ];
  return sections.filter(({ findings }) => findings.length > 0);
}

export interface Words {
  readonly number: (value: number) => string;
  /** "12 ms", "1.51 s" */
  readonly seconds: (ms: number) => string;
  readonly bitrate: (bitsPerSecond: number) => string;
}

export function wordsIn(locale: string): Words {
  const format = new Intl.NumberFormat(localeOrEnglish(locale), { maximumFractionDigits: 2 });
  const number = (value: number) => format.format(value);
  const seconds = (ms: number) =>
    ms > 0 && ms < 1000 ? t('{0} ms', number(Math.ceil(ms))) : t('{0} s', number(ms / 1000));
  return { number, seconds, bitrate: (rate) => formatBitrate(rate, locale) ?? '' };
}

function playlistAnswers({ entry, tracks, reloads }: HlsFacts): readonly HttpAnswer[] {
  return [...new Set([entry, ...tracks.map(({ exchange }) => exchange), ...reloads.map(({ exchange }) => exchange)])]
    .filter(isAnswer)
    .filter(hasSucceeded);
}

function segmentAnswers({ tracks }: HlsFacts): readonly HttpAnswer[] {
  return tracks
    .flatMap(({ map, segments }) => [...(map ? [map] : []), ...segments.map(({ exchange }) => exchange)])
    .filter(isAnswer)
    .filter(hasSucceeded);
}

function isAnswer(exchange: Exchange): exchange is HttpAnswer {
  return exchange.kind === 'answer';
}

// Delivery of playlists and segments

function* delivery(facts: HlsFacts, words: Words): Generator<Finding> {
  const { entry, tracks } = facts;
  const playlists = playlistAnswers(facts);
  const segments = segmentAnswers(facts);
  if (entry.kind === 'answer' && hasSucceeded(entry)) {
    yield timed('playlistTime', t('Time to Playlist'), { ms: entry.endedMs, most: SLOW_PLAYLIST_MS }, words);
  }
  const first = tracks[0]?.segments[0]?.exchange;
  if (first?.kind === 'answer' && hasSucceeded(first)) {
    yield timed('segmentTime', t('Time to First Segment'), { ms: first.endedMs, most: SLOW_START_MS }, words);
  }
  const all = [...playlists, ...segments];
  if (all.length === 0) return;
  const slowest = Math.max(...all.map(({ firstByteMs }) => firstByteMs));
  yield timed('firstByte', t('Slowest Time to First Byte'), { ms: slowest, most: SLOW_FIRST_BYTE_MS }, words);
  yield redirects(playlists, words);
  yield* downloadSpeed(tracks, words);
  yield cors(playlists, segments);
  yield contentTypes('playlistTypes', t('Playlist Content Type'), playlists);
  if (segments.length > 0) yield contentTypes('segmentTypes', t('Segment Content Type'), segments);
  yield* limits(facts, words);
}

function timed(
  id: string,
  label: string,
  { ms, most }: { readonly ms: number; readonly most: number },
  { seconds }: Words,
): Finding {
  const figure = seconds(ms);
  if (ms <= most) return { id, mark: 'good', label, figure };
  const meaning = t('If this takes longer than {0}, playback is slow to start.', seconds(most));
  const advice = t('Use a CDN with servers near your viewers.');
  return { id, mark: 'doubtful', label, figure, meaning, advice };
}

function unavailable({ entry, tracks, reloads }: HlsFacts, isLive: boolean): readonly Finding[] {
  const parts: (readonly [label: string, exchange: Exchange | undefined])[] = [
    [t('Playlist'), entry],
    ...tracks.flatMap((track, index) => {
      const name = nameOfTrack(track, index);
      const playlist = track.exchange === entry ? undefined : track.exchange;
      return [
        [t('Playlist of {0}', name), playlist] as const,
        [t('Initialization segment of {0}', name), track.map] as const,
        ...track.segments.map(({ exchange }) => [t('Segment of {0}', name), exchange] as const),
      ];
    }),
    ...reloads.map(({ exchange }) => [t('Playlist, reloaded'), exchange] as const),
  ];
  const findings = parts.flatMap(([label, exchange]) =>
    exchange === undefined ? [] : failureOf(label, exchange, { isFirst: exchange === entry, isLive }),
  );
  return findings.slice(0, MOST_NAMED);
}

interface Failed {
  /** Whether it's the first playlist, which no other lists. */
  readonly isFirst: boolean;
  readonly isLive: boolean;
}

function failureOf(label: string, exchange: Exchange, failed: Failed): readonly Finding[] {
  if (exchange.kind === 'unspent') return [];
  const finding = { id: 'unavailable', mark: 'bad', label } as const;
  if (exchange.kind === 'failure') {
    const { sentence, saysWhatToDo = false } = exchange;
    const advice = t('Check the URL and the network connection of this computer.');
    return [{ ...finding, figure: sentence, meaning: effectOfFailure(failed), ...(!saysWhatToDo && { advice }) }];
  }
  if (hasSucceeded(exchange)) return [];
  const { host, status } = exchange;
  return [{ ...finding, figure: t('{0} returned {1}', host, status), ...explainStatus(status, failed) }];
}

function effectOfFailure({ isFirst }: Failed): string {
  return isFirst ? t("Players can't start playback.") : t('Players stop or switch to another rendition.');
}

function explainStatus(status: number, failed: Failed): Explanation {
  const { isFirst, isLive } = failed;
  switch (status) {
    case 404:
    case 410:
      if (isFirst && isLive) {
        return {
          meaning: t(
            "The service reports the stream as live, but there's no playlist yet. The broadcast may have just started.",
          ),
          advice: t('Check again in a few seconds. If this continues, restart the broadcast.'),
        };
      }
      return isFirst
        ? {
            meaning: t('The stream may not be live, or the URL may be wrong.'),
            advice: t('Correct the URL, or start a broadcast.'),
          }
        : {
            meaning: t('The stream may not be live, or the server deletes files that are still listed.'),
            advice: t("Keep each segment on the server for a while after it's removed from the playlist."),
          };
    case 401:
    case 403:
      return {
        meaning: t('The URL may have expired, or access is restricted.'),
        advice: t("Get a new URL, or check the stream's access settings."),
      };
    default:
      return { meaning: effectOfFailure(failed), advice: t('Check the server and its logs.') };
  }
}

function redirects(playlists: readonly HttpAnswer[], { number }: Words): Finding {
  const [id, label] = ['redirects', t('Redirects')];
  const longest = playlists.reduce((most, each) => (each.hops.length > most.hops.length ? each : most));
  const count = longest.hops.length - 1;
  if (count === 0) return { id, mark: 'good', label, figure: noneText() };
  const figure = t('{0} (final host: {1})', number(count), longest.host);
  if (count === 1) return { id, mark: 'good', label, figure };
  const [meaning, advice] = [t('Each redirect delays the start of playback.'), t('Use the final URL.')];
  return { id, mark: 'doubtful', label, figure, meaning, advice };
}

function noneText(): string {
  return t({ message: 'None', comment: 'redirects, or discontinuities' });
}

function* downloadSpeed(tracks: readonly TrackFacts[], { number }: Words): Generator<Finding> {
  const speeds = tracks
    .flatMap(({ segments }) => segments)
    .flatMap(({ segment, exchange }) =>
      isAnswer(exchange) && hasSucceeded(exchange) && !exchange.isCut && segment.duration > 0
        ? [(segment.duration * 1000) / Math.max(exchange.totalMs, 1)]
        : [],
    );
  if (speeds.length === 0) return;
  const slowest = Math.min(...speeds);
  const [id, label] = ['speed', t('Segment Download Speed')];
  const figure = t('{0}× playback speed', number(slowest < 10 ? Math.floor(slowest * 10) / 10 : Math.floor(slowest)));
  const meaning = t('Playback may pause to buffer on this connection.');
  const advice = t('Offer renditions with lower bitrates.');
  if (slowest >= 1.5) yield { id, mark: 'good', label, figure };
  else yield { id, mark: slowest < 1 ? 'bad' : 'doubtful', label, figure, meaning, advice };
}

function cors(playlists: readonly HttpAnswer[], segments: readonly HttpAnswer[]): Finding {
  const [id, label] = ['cors', t('Access from Web Pages (CORS)')];
  const refusals = [...playlists, ...segments].filter((answer) => !isReadable(answer));
  if (refusals.length === 0) return { id, mark: 'good', label, figure: t('Allowed') };
  const meaning = t('Browsers can play the stream only on pages from the same origin.');
  const advice = t('Send this header with every playlist, segment, and redirect:');
  const remedy = { line: 'Access-Control-Allow-Origin: *' };
  const isOfPlaylists = refusals.some((answer) => playlists.includes(answer));
  const isOfSegments = refusals.some((answer) => segments.includes(answer));
  const figure =
    isOfPlaylists && isOfSegments
      ? t('Denied for playlists and segments')
      : isOfPlaylists
        ? t('Denied for playlists')
        : t('Denied for segments');
  // A server may allow only its owner's sites.
  const isLimited = refusals.every(({ hops }) => hops.some(({ allowedOrigin = '' }) => /^https?:/.test(allowedOrigin)));
  return { id, mark: isLimited ? 'doubtful' : 'bad', label, figure, meaning, advice, remedy };
}

/** After a redirect to another origin, browsers send the origin "null". */
function isReadable({ hops }: HttpAnswer): boolean {
  return hops.every(
    ({ allowedOrigin }, index) =>
      allowedOrigin === '*' || allowedOrigin === FOREIGN_ORIGIN || (index > 0 && allowedOrigin === 'null'),
  );
}

const MEDIA_TYPES: Readonly<Record<'playlistTypes' | 'segmentTypes', RegExp>> = {
  playlistTypes: /^(application\/(vnd\.apple\.mpegurl|x-mpegurl)|audio\/(x-)?mpegurl)$/,
  segmentTypes: /^(video\/|audio\/|application\/mp4$|text\/vtt$)/,
};
const ADVISED_TYPES: Readonly<Record<keyof typeof MEDIA_TYPES, readonly string[]>> = {
  playlistTypes: ['application/vnd.apple.mpegurl'],
  segmentTypes: ['video/mp2t', 'video/mp4'],
};

function contentTypes(id: keyof typeof MEDIA_TYPES, label: string, answers: readonly HttpAnswer[]): Finding {
  const types = new Set(
    answers.map(({ headers }) => (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''),
  );
  const wrong = [...types].filter((type) => !MEDIA_TYPES[id].test(type));
  // A missing type, which is shown in words, comes first.
  const shown = (wrong.length > 0 ? wrong : [...types])
    .toSorted()
    .map((type) => (type === '' ? t('Not sent') : oneLine(type, 60)));
  const figure = shown.slice(0, MOST_NAMED).join(', ');
  if (wrong.length === 0) return { id, mark: 'good', label, figure };
  const [type = '', ...others] = ADVISED_TYPES[id];
  const meaning = t('Some players need {0}.', [type, ...others].join(', '));
  if (others.length > 0) {
    return { id, mark: 'doubtful', label, figure, meaning, advice: t('Set the Content-Type header on the server.') };
  }
  const advice = t('Set this header on the server:');
  return { id, mark: 'doubtful', label, figure, meaning, advice, remedy: { line: `Content-Type: ${type}` } };
}

function* limits({ entry, tracks, reloads, leftOut }: HlsFacts, { number }: Words): Generator<Finding> {
  const exchanges = [
    entry,
    ...tracks.flatMap(({ exchange, map, segments }) => [exchange, map, ...segments.map((each) => each.exchange)]),
    ...reloads.map(({ exchange }) => exchange),
  ];
  const count = exchanges.filter((exchange) => exchange?.kind === 'unspent').length + leftOut;
  if (count === 0) return;
  const figure = count === 1 ? t('1 playlist or segment') : t('{0} playlists and segments', number(count));
  const meaning = t('A check is limited to 15 seconds, 40 requests, and 30 MB.');
  const advice = t('To check the rest, inspect the URL of one rendition.');
  yield { id: 'limits', mark: 'doubtful', label: t('Not checked'), figure, meaning, advice };
}

// Contents of the playlist

function* playlistFindings(facts: HlsFacts, words: Words): Generator<Finding> {
  const { playlist, tracks } = facts;
  if (playlist?.kind === 'fault') yield faultFinding(t('Format'), playlist);
  for (const [index, track] of tracks.entries()) {
    if (track.playlist?.kind === 'fault')
      yield faultFinding(t('Playlist of {0}', nameOfTrack(track, index)), track.playlist);
  }
  const first = tracks[0]?.playlist;
  if (first?.kind !== 'media') return;
  yield summary(first, words);
  yield* durations(first, words);
  if (!first.isEnded) yield* liveFindings(facts, first, words);
  yield* discontinuities(first, words);
  yield* specialFeatures(facts, first, words);
}

const FAULTS: Readonly<Record<PlaylistFault['fault'], () => string>> = {
  empty: () => t('The playlist is empty.'),
  html: () => t('Expected a playlist but received a web page.'),
  noHeader: () => t("The first line isn't #EXTM3U."),
  noEntries: () => t('The playlist has no renditions and no segments.'),
  tooMany: () => t('The playlist is too large.'),
};

function faultFinding(label: string, { fault }: PlaylistFault): Finding {
  const finding = { id: 'format', mark: 'bad', label, figure: FAULTS[fault]() } as const;
  if (fault === 'tooMany') {
    const meaning = t('The playlist takes too long to load, so the check stopped reading it.');
    return { ...finding, meaning, advice: t('Keep fewer segments in the playlist.') };
  }
  const advice = t("Check the URL and the packager's output.");
  return { ...finding, meaning: t("Players can't play this playlist."), advice };
}

export function lengthOf(segments: readonly PlaylistSegment[]): number {
  return segments.reduce((sum, { duration }) => sum + duration, 0);
}

export function segmentCountText(count: number, number: Words['number']): string {
  return count === 1 ? t('1 segment') : t('{0} segments', number(count));
}

function summary({ segments, isEnded }: MediaPlaylist, { number, seconds }: Words): Finding {
  const [count, length] = [segmentCountText(segments.length, number), seconds(lengthOf(segments) * 1000)];
  const figure = isEnded ? t('Complete, {0}, {1}', count, length) : t('Live, {0}, {1}', count, length);
  const base = { id: 'segments', label: t('Type'), figure };
  if (segments.length > 0) return { ...base, mark: 'fact' };
  const advice = t('Wait until the first segments are available, and then check again.');
  return { ...base, mark: 'bad', meaning: t("There's nothing to play yet."), advice };
}

function* durations({ segments, targetDuration }: MediaPlaylist, { number, seconds }: Words): Generator<Finding> {
  const [id, label] = ['durations', t('Segment Durations')];
  const longest = segments.reduce((most, { duration }) => Math.max(most, duration), 0);
  if (targetDuration === undefined) {
    const meaning = t('The tag is required (RFC 8216, 4.3.3.1), and some players reject a playlist without it.');
    const advice = t('Add this line to each media playlist:');
    const remedy = { line: `#EXT-X-TARGETDURATION:${Math.max(Math.round(longest), 1)}` };
    yield { id, mark: 'bad', label, figure: t('#EXT-X-TARGETDURATION is missing'), meaning, advice, remedy };
    return;
  }
  const tooLong = segments.filter((segment) => isTooLong(segment, targetDuration)).length;
  const figure = t('Up to {0}, target duration {1}', seconds(longest * 1000), seconds(targetDuration * 1000));
  if (tooLong === 0) yield { id, mark: 'good', label, figure };
  else {
    const counted = t('{0}, {1} of {2} too long', figure, number(tooLong), number(segments.length));
    const meaning = t(
      'No segment can be longer than the target duration when rounded to the nearest second (RFC 8216, 4.3.3.1).',
    );
    const advice = t('Increase the target duration, or send keyframes more often.');
    yield { id, mark: 'doubtful', label, figure: counted, meaning, advice };
  }
}

/** RFC 8216, 4.3.3.1 */
export function isTooLong({ duration }: PlaylistSegment, targetDuration: number | undefined): boolean {
  return targetDuration !== undefined && Math.round(duration) > targetDuration;
}

function* discontinuities(playlist: MediaPlaylist, { number }: Words): Generator<Finding> {
  const { segments, isEnded, discontinuitySequence } = playlist;
  const count = segments.filter(({ isAfterDiscontinuity }) => isAfterDiscontinuity).length;
  const [id, label] = ['discontinuities', t('Discontinuities')];
  const figure = count === 0 ? noneText() : number(count);
  const isUnnumbered = count > 0 && !isEnded && discontinuitySequence === undefined;
  if (isUnnumbered) {
    const meaning = t('Players can lose sync when old segments are removed.');
    const advice = t('Add #EXT-X-DISCONTINUITY-SEQUENCE to each media playlist.');
    yield { id, mark: 'doubtful', label, figure, meaning, advice };
  } else if (count > 2 && !isEnded) {
    const [meaning, advice] = [t('The encoder may be reconnecting repeatedly.'), t("Check the encoder's connection.")];
    yield { id, mark: 'doubtful', label, figure, meaning, advice };
  } else yield { id, mark: count === 0 ? 'good' : 'fact', label, figure };
}

function* specialFeatures(
  { tracks }: HlsFacts,
  playlist: MediaPlaylist,
  { number, seconds }: Words,
): Generator<Finding> {
  const { encryption, partTarget, segments } = playlist;
  if (encryption !== undefined) {
    const figure = oneLine(encryption, 40);
    const meaning = t("Players need the key or a license. The check doesn't request them.");
    const advice = t('Watch the stream in a player that has access.');
    yield { id: 'encryption', mark: 'doubtful', label: t('Encryption'), figure, meaning, advice };
  }
  if (partTarget !== undefined) {
    const figure = t('{0} parts', seconds(partTarget * 1000));
    yield { id: 'lowLatency', mark: 'fact', label: t('Low Latency'), figure };
  }
  const gaps = segments.filter(({ isGap }) => isGap).length;
  if (gaps > 0) {
    const [meaning, advice] = [t('These segments are missing.'), t('Check the encoder and the packager.')];
    yield { id: 'gaps', mark: 'doubtful', label: t('Gaps'), figure: number(gaps), meaning, advice };
  }
  const ranged = tracks.flatMap((track) => track.segments).filter(({ segment }) => segment.byteRange !== undefined);
  if (ranged.length === 0) return;
  const isIgnored = ranged.some(({ exchange }) => isAnswer(exchange) && exchange.status === 200);
  const label = t('Byte Ranges');
  if (!isIgnored) yield { id: 'byteRanges', mark: 'good', label, figure: t('Supported') };
  else {
    const [meaning, advice] = [
      t('The server sends the whole file for each segment.'),
      t('Enable range requests on the server.'),
    ];
    yield { id: 'byteRanges', mark: 'bad', label, figure: t('Ignored'), meaning, advice };
  }
}

// Changes while a stream is live

function* liveFindings(facts: HlsFacts, first: MediaPlaylist, words: Words): Generator<Finding> {
  const latest = facts.reloads.findLast(({ playlist }) => playlist !== undefined);
  yield* updates(facts, first, words);
  yield* bufferLength(first, words);
  if (latest?.playlist !== undefined) yield sequence(first, latest.playlist);
  yield* newestSegment(facts, first, words);
  yield* wallClock(facts, first, words);
}

function* updates({ tracks, reloads }: HlsFacts, first: MediaPlaylist, { seconds }: Words): Generator<Finding> {
  const begun = tracks[0]?.exchange;
  const last = reloads.at(-1);
  if (begun?.kind !== 'answer' || last?.exchange.kind !== 'answer' || last.playlist === undefined) return;
  const [id, label] = ['updates', t('Updates')];
  const waitedMs = last.exchange.endedMs - begun.endedMs;
  if (isChanged(first, last.playlist)) {
    yield { id, mark: 'good', label, figure: t('Changed after {0}', seconds(waitedMs)) };
    return;
  }
  const patience = patienceOf(first);
  const figure = t('Unchanged for {0} (limit: {1})', seconds(waitedMs), seconds(patience));
  const meaning = t('Players will run out of segments.');
  const advice = t(
    "Make sure that the encoder is still sending data and that caches don't keep playlists for too long.",
  );
  yield waitedMs < patience ? { id, mark: 'good', label, figure } : { id, mark: 'bad', label, figure, meaning, advice };
}

function* bufferLength({ segments, targetDuration = 0 }: MediaPlaylist, { seconds }: Words): Generator<Finding> {
  const length = lengthOf(segments);
  const isNew = (segments[0]?.sequence ?? 0) === 0;
  const least = 3 * targetDuration;
  const [id, label] = ['window', t('Playlist Window')];
  const figure = seconds(length * 1000);
  if (isNew || length >= least) yield { id, mark: 'good', label, figure };
  else {
    const meaning = t('Playback may stop on slow connections.');
    const advice = t(
      'Keep at least {0} of segments in the playlist, which is three times the target duration (RFC 8216, 6.2.2).',
      seconds(least * 1000),
    );
    yield { id, mark: 'doubtful', label, figure, meaning, advice };
  }
}

function sequence(before: MediaPlaylist, after: MediaPlaylist): Finding {
  const [id, label] = ['sequence', t('Media Sequence')];
  const [from, to] = [before.segments[0]?.sequence ?? 0, after.segments[0]?.sequence ?? 0];
  const meaning = t('Players may stop or repeat segments.');
  const advice = t('Number segments consecutively, even after the encoder restarts.');
  const wrong = { id, mark: 'bad', label, meaning, advice } as const;
  if (to < from) return { ...wrong, figure: t('Decreased from {0} to {1}', from, to) };
  if (to > (before.segments.at(-1)?.sequence ?? to) + 1) {
    return { ...wrong, figure: t('Jumped from {0} to {1}', from, to) };
  }
  const replaced = after.segments.find(({ sequence: at, uri }) => {
    const old = before.segments[at - from];
    return old !== undefined && withoutQuery(old.uri) !== withoutQuery(uri);
  });
  if (replaced !== undefined) return { ...wrong, figure: t('Segment {0} was replaced', replaced.sequence) };
  if (numberOfRemovedDiscontinuities(before, after) !== discontinuityStep(before, after)) {
    const figure = t("Discontinuity sequence doesn't match the removed segments");
    const advice = t(
      "Increase #EXT-X-DISCONTINUITY-SEQUENCE by 1 for each discontinuity that's removed from the playlist (RFC 8216, 6.2.2).",
    );
    return { id, mark: 'doubtful', label, figure, meaning: t('Renditions may lose sync with each other.'), advice };
  }
  return { id, mark: 'good', label, figure: t('{0} to {1}', from, to) };
}

/** Signed URLs differ in each playlist. */
function withoutQuery(uri: string): string {
  return uri.replace(/[?#].*$/s, '');
}

function numberOfRemovedDiscontinuities(before: MediaPlaylist, after: MediaPlaylist): number {
  const first = after.segments[0];
  if (first === undefined) return 0;
  const isRemoved = ({ sequence: at }: PlaylistSegment) =>
    at < first.sequence || (at === first.sequence && !first.isAfterDiscontinuity);
  return before.segments.filter((segment) => segment.isAfterDiscontinuity && isRemoved(segment)).length;
}

function discontinuityStep(before: MediaPlaylist, after: MediaPlaylist): number {
  return (after.discontinuitySequence ?? 0) - (before.discontinuitySequence ?? 0);
}

/** Returns the server's time at the response, even if a cache sent it: Unix time in milliseconds. */
function serverTime({ headers, receivedAt }: HttpAnswer): number {
  const age = Number(headers.age ?? 0);
  return (dateOf(headers) ?? receivedAt) + (Number.isFinite(age) ? age * 1000 : 0);
}

/** Returns when the newest segment ends, by the program date time: Unix time in milliseconds. */
function endByClock({ segments }: MediaPlaylist): number | undefined {
  const at = segments.findLastIndex(({ programDateTime }) => programDateTime !== undefined);
  const time = segments[at]?.programDateTime;
  return time === undefined ? undefined : time + lengthOf(segments.slice(at)) * 1000;
}

function* newestSegment(facts: HlsFacts, first: MediaPlaylist, { seconds }: Words): Generator<Finding> {
  const age = ageByClock(facts, first) ?? ageByUpload(facts);
  if (age === undefined) return;
  const [id, label] = ['age', t('Age of Newest Segment')];
  const figure = seconds(Math.max(age, 0));
  const most = Math.max(3 * (first.targetDuration ?? 0), 10) * 1000;
  if (age <= most) yield { id, mark: 'good', label, figure };
  else {
    const meaning = t('The encoder may have stopped, or the clock of the encoder or the server is wrong.');
    const advice = t('Check the encoder, and synchronize the clocks with NTP.');
    yield { id, mark: age > 3 * most ? 'bad' : 'doubtful', label, figure, meaning, advice };
  }
}

function ageByClock({ tracks }: HlsFacts, first: MediaPlaylist): number | undefined {
  const end = endByClock(first);
  const answer = tracks[0]?.exchange;
  return end === undefined || answer?.kind !== 'answer' ? undefined : serverTime(answer) - end;
}

function ageByUpload({ tracks }: HlsFacts): number | undefined {
  const newest = tracks[0]?.segments.at(-1)?.exchange;
  if (newest?.kind !== 'answer' || !hasSucceeded(newest)) return undefined;
  const uploaded = Date.parse(newest.headers['last-modified'] ?? '');
  return Number.isNaN(uploaded) ? undefined : serverTime(newest) - uploaded;
}

const CLOCK_TOLERANCE_MS = 2000;

function* wallClock(facts: HlsFacts, first: MediaPlaylist, { seconds }: Words): Generator<Finding> {
  const [id, label] = ['clock', t('Program Date-Time')];
  const age = ageByClock(facts, first);
  if (age === undefined) {
    // Only players that show the delay or synchronize data with the video need it.
    yield { id, mark: 'fact', label, figure: t('Not in the playlist') };
    return;
  }
  const drift = clockDrift(first.segments);
  if (age < -CLOCK_TOLERANCE_MS) {
    const meaning = t('Players may stall or show an incorrect latency.');
    const advice = t('Synchronize the clock of the encoder or packager with NTP.');
    yield { id, mark: 'doubtful', label, figure: t('{0} in the future', seconds(-age)), meaning, advice };
  } else if (drift > CLOCK_TOLERANCE_MS) {
    const advice = t('Add #EXT-X-DISCONTINUITY where the time jumps, or correct the durations.');
    const figure = t('Differs from the segment durations by {0}', seconds(drift));
    yield {
      id,
      mark: 'doubtful',
      label,
      figure,
      meaning: t('Seeking to a specific time shows the wrong part of the video.'),
      advice,
    };
  } else yield { id, mark: 'good', label, figure: t('Matches the segment durations') };
}

/** Returns the largest difference, in milliseconds, between two times and the durations between them. */
function clockDrift(segments: readonly PlaylistSegment[]): number {
  let expected: number | undefined;
  let most = 0;
  for (const { programDateTime, duration, isAfterDiscontinuity } of segments) {
    if (isAfterDiscontinuity) expected = undefined;
    if (programDateTime !== undefined) {
      if (expected !== undefined) most = Math.max(most, Math.abs(programDateTime - expected));
      expected = programDateTime;
    }
    if (expected !== undefined) expected += duration * 1000;
  }
  return most;
}

// Stated and actual properties of the renditions

/** Returns "1280 × 720", 'audio "English"', or "rendition 1". */
export function nameOfTrack({ name, variant }: TrackFacts, index: number): string {
  const shown = oneLine(name, 40);
  if (shown !== '') return variant === undefined ? t('audio "{0}"', shown) : shown.replace(/^(\d+)x(\d+)$/, '$1 × $2');
  return t('rendition {0}', index + 1);
}

function* renditions({ playlist, tracks }: HlsFacts, words: Words): Generator<Finding> {
  for (const [index, track] of tracks.entries()) yield* bitrate(track, nameOfTrack(track, index), words);
  if (playlist?.kind === 'master') yield codecs(playlist.variants.map((variant) => variant.codecs));
}

function* bitrate({ variant, segments }: TrackFacts, name: string, { bitrate: rate }: Words): Generator<Finding> {
  const label = t('Bitrate ({0})', name);
  const measured = peakOf(segments);
  if (variant === undefined) {
    if (measured !== undefined)
      yield { id: 'bandwidth', mark: 'fact', label, figure: t('{0} measured', rate(measured)) };
    return;
  }
  const { bandwidth } = variant;
  if (bandwidth === undefined || bandwidth === 0) {
    const meaning = t('BANDWIDTH is required. Players need it to select a rendition.');
    const advice = t('Add BANDWIDTH to each #EXT-X-STREAM-INF.');
    yield { id: 'bandwidth', mark: 'bad', label, figure: t('Missing'), meaning, advice };
    return;
  }
  if (measured === undefined) return;
  const figure = t('{0} declared, {1} measured', rate(bandwidth), rate(measured));
  if (measured <= 1.25 * bandwidth) yield { id: 'bandwidth', mark: 'good', label, figure };
  else {
    const meaning = t('Players may select a rendition whose bitrate is too high for the connection.');
    const advice = t('Set BANDWIDTH to at least the peak bitrate, or lower the bitrate of this rendition.');
    yield { id: 'bandwidth', mark: 'doubtful', label, figure, meaning, advice };
  }
}

/** Returns the highest bitrate of a segment, in bits per second. */
function peakOf(segments: TrackFacts['segments']): number | undefined {
  const rates = segments.flatMap(({ segment, exchange }) => {
    if (!isAnswer(exchange) || !hasSucceeded(exchange) || exchange.bytes === undefined) return [];
    // A server that ignores ranges sends the whole file.
    const bytes = segment.byteRange?.length ?? exchange.bytes;
    return segment.duration >= 0.5 ? [(bytes * 8) / segment.duration] : [];
  });
  return rates.length === 0 ? undefined : Math.max(...rates);
}

/** Codecs that all browsers play. */
const COMMON_CODECS = /^(avc1|avc3|mp4a)(\.|$)/i;

function codecs(stated: readonly (string | undefined)[]): Finding {
  const [id, label] = ['codecs', t('Codecs')];
  const all = [...new Set(stated.flatMap((text = '') => text.split(',').map((codec) => codec.trim())))];
  const known = all.filter((codec) => codec !== '');
  if (known.length < all.length) {
    const meaning = t("Players can't skip renditions that they can't decode.");
    const advice = t('Add CODECS to each #EXT-X-STREAM-INF.');
    return { id, mark: 'doubtful', label, figure: t('Missing'), meaning, advice };
  }
  const figure = oneLine(known.slice(0, MOST_NAMED).join(', '));
  if (known.every((codec) => COMMON_CODECS.test(codec))) return { id, mark: 'good', label, figure };
  const [meaning, advice] = [
    t('Not all browsers can play these codecs.'),
    t('Also provide a rendition with H.264 and AAC.'),
  ];
  return { id, mark: 'doubtful', label, figure, meaning, advice };
}
