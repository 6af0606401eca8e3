import { t } from '@vscode/l10n';
import type { Session, Stream } from '../../api/types.ts';
import {
  type ClipBounds,
  type ClipRange,
  type ClipSource,
  formatClipRange,
  parseClipRange,
  sourceLength,
  type TypedRange,
} from '../../model/clips/clipRange.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { clipBounds, rangeSentence } from '../../texts/clipRefusals.ts';
import { nameOf } from '../../texts/names.ts';
import { formatClipTimer, formatTimer } from '../../util/format.ts';
import { parseTimer, spanNear } from '../../util/positions.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { isBlank } from '../../util/text.ts';
import { type Asked, askInSteps, askText, BACK, pickOrBack, type StepBox, showAsTyped } from '../boxSteps.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';

/** The broadcast or recording that a clip is cut from. */
export interface ClipSubject extends ClipSource {
  readonly stream: Stream;
  readonly playbackId: string;
  /** Undefined for the current broadcast. */
  readonly sessionId: string | undefined;
  readonly session?: Session;
}

export interface EnteredClip {
  readonly subject: ClipSubject;
  readonly range: ClipRange;
  /** Blank if none was requested. */
  readonly name: string;
}

interface Asking {
  readonly title: string;
  /** Asks what to cut the clip from. Returns undefined if dismissed. */
  readonly find: () => Promise<ClipSubject | undefined>;
  /** Undefined to ask for it. */
  readonly subject: ClipSubject | undefined;
  readonly isNamed: boolean;
  /** The previous input, and why the service rejected it, so that the user can change it. */
  readonly rejected?: { readonly clip: ClipBounds; readonly name: string; readonly sentence: string };
}

/** The user's input so far. Going back keeps it. */
interface Draft {
  subject: ClipSubject | undefined;
  /** Selected or typed in the list. Undefined if the start and end are asked for. */
  range?: ClipRange | undefined;
  /** The text typed in the list. */
  text: string;
  start?: string | undefined;
  end?: string | undefined;
  /** The end that was proposed last, which follows the start. */
  proposedEnd?: string;
  /** Undefined for the proposed name, which follows the range. */
  name?: string | undefined;
  /** Why the service rejected the start. Shown once. */
  problem?: string | undefined;
}

type Part = 'subject' | 'range' | 'start' | 'end' | 'name';

/** Asks for what is missing. Returns undefined if a box was dismissed. */
export async function askForClip(
  context: CommandContext,
  { title, find, subject, isNamed, rejected }: Asking,
): Promise<EnteredClip | undefined> {
  const [start] = subject === undefined || rejected === undefined ? [] : placeOf(subject, rejected.clip);
  const draft: Draft = { subject, text: '', start, name: rejected?.name, problem: rejected?.sentence };
  const parts = (): readonly Part[] => [
    ...(subject === undefined ? (['subject'] as const) : []),
    ...(['range', ...timeParts(draft)] as const),
    ...(isNamed ? [] : (['name'] as const)),
  ];
  const asked = await askInSteps({ title, parts, from: start === undefined ? 0 : 1 }, async (part, box) => {
    if (part === 'subject') return findSubject(draft, find);
    return draft.subject && ASKS[part](context, draft, { ...box, subject: draft.subject });
  });
  const range = rangeOf(draft);
  if (asked !== 'done' || draft.subject === undefined || range === undefined) return undefined;
  return { subject: draft.subject, range, name: draft.name ?? '' };
}

async function findSubject(draft: Draft, find: Asking['find']): Promise<Asked> {
  const subject = await find();
  if (subject === undefined) return undefined;
  const { stream, sessionId } = draft.subject ?? {};
  // The times of one recording don't apply to another.
  if (stream?.id !== subject.stream.id || sessionId !== subject.sessionId) {
    Object.assign(draft, { range: undefined, text: '', start: undefined, end: undefined });
  }
  draft.subject = subject;
  return 'done';
}

/** Returns the boxes for a range that isn't in the list. The first one also accepts the whole range. */
function timeParts({ range, start = '' }: Draft): readonly ('start' | 'end')[] {
  if (range !== undefined) return [];
  return parseClipRange(start) === undefined ? ['start', 'end'] : ['start'];
}

function rangeOf({ range, start = '', end = '' }: Draft): ClipRange | undefined {
  if (range !== undefined) return range;
  const from = parseTimer(start);
  return from === undefined ? parseClipRange(start) : rangeFrom(from, end);
}

function rangeFrom(from: number, end: string): ClipRange | undefined {
  const to = parseTimer(end);
  return to === undefined ? parseClipRange(end) : { from, to };
}

const LENGTHS: readonly { readonly seconds: number; readonly label: () => string }[] = [
  { seconds: 30, label: () => t('Last 30 seconds') },
  { seconds: 60, label: () => t('Last 60 seconds') },
  { seconds: 300, label: () => t('Last 5 minutes') },
];

type Ask = (context: CommandContext, draft: Draft, box: StepBox & { readonly subject: ClipSubject }) => Promise<Asked>;

const ASKS: Readonly<Record<Exclude<Part, 'subject'>, Ask>> = {
  async range(context, draft, { subject, canGoBack, ...box }) {
    const { ui } = context;
    const length = sourceLength(subject);
    const items = itemsOf(subject, {
      chosen: draft.range,
      watched: watchedRange(context, subject),
      hasPlayer: context.settings.playIn() !== 'browser',
    });
    let typed = (): string => '';
    const options = {
      ...box,
      placeholder:
        length === undefined
          ? t('Select the part of "{0}" to clip', nameOf(subject.stream))
          : t('Select a part of "{0}", or enter a range such as "0:10-0:25" or "last 45 s"', nameOf(subject.stream)),
      items: (session: PickSession<Choice>) => {
        typed = session.text;
        showAsTyped(session, (text) => rowsFor(text, subject, items), draft.text);
      },
    };
    const chosen = await (canGoBack ? pickOrBack<Choice>(ui, options) : ui.pick<Choice>(options));
    if (chosen === undefined || chosen === BACK) return chosen;
    if (chosen === 'player') return openInPlayer(context, subject);
    if ('typed' in chosen) noteTyped(draft, subject, typed().trim() || chosen.typed);
    else draft.range = chosen;
    return 'done';
  },
  start(context, draft, { subject, ...box }) {
    const validate = (text: string) => faultOfStart(text, subject);
    const problem = draft.start === undefined ? undefined : (validate(draft.start) ?? draft.problem);
    draft.problem = undefined;
    const options = {
      prompt: t('Enter the start time in the recording, a range such as 1:30-2:00, or a length such as last 45 s'),
      value: draft.start ?? formatTimer(watchedRange(context, subject)?.from ?? 0),
      problem: problem === undefined ? undefined : { sentence: problem, links: [] },
      validate,
    };
    return askText(context.ui, box, options, (text) => {
      draft.start = text;
    });
  },
  end({ ui }, draft, { subject, ...box }) {
    const from = parseTimer(draft.start ?? '') ?? 0;
    const proposed = formatTimer(Math.min(from + 30, sourceLength(subject) ?? 0));
    const value = draft.end === draft.proposedEnd ? proposed : (draft.end ?? proposed);
    draft.proposedEnd = proposed;
    const options = {
      prompt: t('Enter the end time in the recording, such as 1:30'),
      value,
      validate: (text: string) => {
        const range = rangeFrom(from, text);
        return range === undefined ? rangeSentence('noTime', subject) : faultOf(range, subject);
      },
    };
    return askText(ui, box, options, (text) => {
      draft.end = text;
    });
  },
  name({ ui }, draft, { subject, ...box }) {
    const range = rangeOf(draft);
    const times = range && clipBounds(range, subject);
    const proposed = typeof times === 'object' ? proposedName(subject, times) : '';
    const options = {
      prompt: t('Enter a name for the clip'),
      value: draft.name ?? proposed,
      validate: (text: string) => (isBlank(text) ? undefined : sentenceOfName(text)),
    };
    return askText(ui, box, options, (text) => {
      draft.name = text === proposed || isBlank(text) ? undefined : text;
    });
  },
};

/** The range to clip, or the text typed when the row was shown, which may be ''. */
type Choice = ClipRange | { readonly typed: string } | 'player';

/** Opens the player, where the clip is then created instead of by these boxes. */
async function openInPlayer({ player }: CommandContext, { session, stream }: ClipSubject): Promise<undefined> {
  if (session === undefined) await player.openStream(stream, undefined, true);
  else await player.openRecording(session, undefined, true);
}

/** Returns the range that is on screen in the subject's player, as the player itself proposes it. */
function watchedRange({ connection, findPage }: CommandContext, subject: ClipSubject): TypedRange | undefined {
  const { beganAt, sessionId, stream } = subject;
  const of =
    sessionId === undefined
      ? ({ kind: 'stream', id: stream.id } as const)
      : ({ kind: 'session', id: sessionId } as const);
  const { watchedAt } = findPage({ ...of, connection: connection.info?.id ?? '' }) ?? {};
  const end = Math.floor(sourceLength(subject) ?? 0);
  if (watchedAt === undefined || beganAt === undefined) return undefined;
  const at = Math.min(end, Math.max(0, (watchedAt - beganAt) / 1000));
  const span = spanNear(at, { begin: 0, end, goesOn: sessionId === undefined });
  const range = { from: Math.round(span.from), to: Math.round(span.to) };
  return range.from < range.to ? range : undefined;
}

/** @param chosen is marked */
function itemsOf(
  subject: ClipSubject,
  {
    chosen,
    watched,
    hasPlayer,
  }: { readonly chosen: ClipRange | undefined; readonly watched: TypedRange | undefined; readonly hasPlayer: boolean },
): readonly PickItem<Choice>[] {
  const length = sourceLength(subject);
  // The end of a recording is rarely what matters.
  const lengths = subject.sessionId === undefined ? LENGTHS : [];
  const fitting = lengths.filter(({ seconds }) => length === undefined || seconds <= length);
  const rowOf = (value: ClipRange, label: string, description?: string): PickItem<Choice> => ({
    ...{ label, value },
    ...(description !== undefined && { description }),
    ...(chosen !== undefined && { icon: isSameJson(chosen, value) ? 'check' : 'blank' }),
  });
  const shown = watched && rowOf(watched, formatClipRange(watched.from, watched.to), t("at the player's position"));
  const custom: readonly PickItem<Choice>[] =
    length === undefined
      ? []
      : [
          // Stays regardless of what is typed, so that the list is never empty.
          {
            ...{ label: t('Custom Range…'), description: lengthText(subject, length) },
            ...{ value: { typed: '' }, isAlwaysShown: true },
            ...(chosen !== undefined && { icon: 'blank' }),
          },
        ];
  const inPlayer: readonly PickItem<Choice>[] = hasPlayer
    ? [{ label: t('Select in Player…'), value: 'player', ...(chosen !== undefined && { icon: 'blank' }) }]
    : [];
  const last = fitting.map(({ seconds, label }) => rowOf({ seconds }, label()));
  return [...(shown === undefined ? [] : [shown]), ...last, ...inPlayer, ...custom];
}

/** Notes the typed range, even if Enter came before the list had its row. Other text becomes the start to ask for. */
function noteTyped(draft: Draft, subject: ClipSubject, text: string): void {
  const range = parseClipRange(text);
  draft.range = range !== undefined && faultOf(range, subject) === undefined ? range : undefined;
  draft.text = draft.range === undefined ? '' : text;
  if (draft.range === undefined && text !== '') Object.assign(draft, { start: text, end: undefined });
}

function faultOf(range: ClipRange, subject: ClipSubject): string | undefined {
  const times = clipBounds(range, subject);
  return typeof times === 'string' ? times : undefined;
}

function faultOfStart(typed: string, subject: ClipSubject): string | undefined {
  const range = parseClipRange(typed);
  const from = parseTimer(typed);
  if (range !== undefined) return faultOf(range, subject);
  if (from === undefined)
    return t('Enter a start time such as 1:30, a range such as 1:30-2:00, or a length such as last 45 s.');
  return from < (sourceLength(subject) ?? 0) ? undefined : rangeSentence('tooLong', subject);
}

function lengthText({ sessionId }: ClipSubject, length: number): string {
  const timer = formatTimer(length);
  return sessionId === undefined ? t('Recorded: {0}', timer) : t('The recording is {0} long', timer);
}

/** Adds a row that shows how the typed range was understood. Shows only the problem if there is one. */
function rowsFor(text: string, subject: ClipSubject, items: readonly PickItem<Choice>[]): readonly PickItem<Choice>[] {
  const typed = text.trim();
  const range = parseClipRange(typed);
  if (range === undefined) return items;
  const times = clipBounds(range, subject);
  const row = { value: { typed }, isAlwaysShown: true };
  if (typeof times === 'string') return [{ ...row, label: times, icon: 'error', isSentence: true }];
  const length = t('Length: {0}', formatClipTimer((times.endTime - times.startTime) / 1000));
  const [place = typed] = placeOf(subject, times);
  return [{ ...row, label: place, description: length }, ...items];
}

/** Returns a clip's range within its broadcast; empty if it isn't known when that began. */
function placeOf({ beganAt }: ClipSubject, { startTime, endTime }: ClipBounds): readonly string[] {
  return beganAt === undefined ? [] : [formatClipRange((startTime - beganAt) / 1000, (endTime - beganAt) / 1000)];
}

/** Proposes a name, because services make up names that say nothing. */
export function proposedName(subject: ClipSubject, times: ClipBounds): string {
  const [range] = placeOf(subject, times);
  return range === undefined ? nameOf(subject.stream) : `${nameOf(subject.stream)} (${range})`;
}
