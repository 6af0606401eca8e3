import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import type { Session, Stream } from '../api/types.ts';
import { readSnippetFacts } from '../code/snippets/facts.ts';
import { emptyFile, FORM_IDS, lacksToken, type SnippetFacts, snippetForms } from '../code/snippets/forms.ts';
import { changesOf } from '../model/account/accountChanges.ts';
import { isForeignIngest } from '../model/broadcasts/ingestHost.ts';
import type { IngestHost } from '../model/broadcasts/testBroadcasts.ts';
import { type Obstacle, obstacleTo } from '../model/changeRules.ts';
import { changeStream, type Outcome } from '../model/changeStream.ts';
import { wasRecorded } from '../model/store/recordings.ts';
import { isRunning, newestFirst } from '../model/store/sessions.ts';
import type { StreamFact } from '../model/store/snapshot.ts';
import { hasNamePart, streamLabel } from '../model/store/streams.ts';
import { broadcastQuestion, consequencesOf, requireNoneRunning } from '../texts/broadcasts.ts';
import { checkStreamById } from '../texts/checks.ts';
import { namesOfSendingTargets } from '../texts/multistream.ts';
import { requireTemplate } from '../texts/refusals.ts';
import { delay } from '../util/clock.ts';
import { cut } from '../util/text.ts';
import {
  type AgentAnswer,
  detailedFacts,
  parentFacts,
  sessionFacts,
  shortText,
  streamFacts,
  ToolProblem,
} from './answers.ts';
import type { ToolCall } from './call.ts';
import { type InputOf, wrongInput } from './input.ts';
import {
  findStream,
  MOST_STREAMS,
  referenceOf,
  remember,
  requireKnown,
  type StreamReference,
  sourcesOf,
} from './streams.ts';
import { type AgentTool, tool } from './tool.ts';
import { deliveries, testEvent, webhooks } from './webhookTools.ts';

const SESSIONS_SHOWN = 10;
const SESSIONS_READ = 200;
/** How many recordings of one stream are read. */
const RECORDINGS_READ = 100;
const DAY_MS = 86_400_000;
const FINDING_LENGTH = 130;
/** A check of playback takes up to 15 seconds. */
const CHECKED_WITHIN_MS = 25_000;
const HOW_TO_STREAM =
  'The user copies the stream key with the command "Live Streams: Copy Stream Key". Code reads it from a variable, for example STREAM_KEY. Keys aren\'t available to tools.';

const HOW_TO_SIGN =
  'The stream is private: its URL plays only with a token, as the query parameter jwt of an HLS URL. A server signs it. The user inserts code for that with the command "Live Streams: Insert Token Signing Code". Private keys aren\'t available to tools.';

const list = tool({
  fields: {
    state: { kind: 'word', words: ['active', 'idle', 'all'] },
    nameContains: { kind: 'text', longest: 100 },
    limit: { kind: 'wholeNumber', least: 1, most: MOST_STREAMS },
  } as const,
  async run(call, { state = 'active', nameContains: name = '', limit = MOST_STREAMS }) {
    const { account, signal } = call;
    const search = { isActive: state === 'all' ? undefined : state === 'active', name: name || undefined };
    const { items, total, next, isFiltered, ...age } = await account.findStreams(search, { limit, signal });
    const matching = items.filter((stream) => hasNamePart(stream, name)).sort(activeFirst);
    const shown = matching.slice(0, limit);
    remember(account, shown);
    const sources = sourcesOf(call);
    const known = (isFiltered ? total : undefined) ?? (next === undefined ? matching.length : undefined);
    return {
      facts: { total: known, isComplete: shown.length === known },
      rows: { name: 'streams', items: shown.map((stream) => streamFacts({ stream, ...age }, sources)) },
    };
  },
});

const ONE_OF = { id: { kind: 'id' }, playbackId: { kind: 'id' }, name: { kind: 'text', longest: 500 } } as const;

const get = tool({
  fields: ONE_OF,
  async run(call, input) {
    const { fact, isCostly } = await findStream(call, oneReference(input));
    const { id } = fact.stream;
    const sources = sourcesOf(call);
    const howToStream = HOW_TO_STREAM;
    if (isCostly) {
      const next = 'Call the tool again with the ID to get the sessions.';
      return { facts: { stream: detailedFacts(fact, sources), howToStream, next } };
    }
    const { items: sessions } = await call.account.listSomeSessions(id, { recordedOnly: false, signal: call.signal });
    const running = runningOf(sessions, fact);
    const items = sessions.slice(0, SESSIONS_SHOWN).map((session) => sessionFacts(session, sources, running));
    return {
      facts: { stream: detailedFacts(fact, sources, running), howToStream },
      rows: { name: 'sessions', items },
    };
  },
});

const recordings = tool({
  fields: {
    stream: { kind: 'text', longest: 500 },
    days: { kind: 'wholeNumber', least: 1, most: 365 },
    limit: { kind: 'wholeNumber', least: 1, most: 50 },
  } as const,
  async run(call, { stream, days, limit = 20 }) {
    const reference = stream === undefined ? undefined : referenceOf(call, stream);
    const found = reference === undefined || 'id' in reference ? undefined : await findStream(call, reference);
    if (found?.isCostly === true) {
      const facts = { stream: streamFacts(found.fact, sourcesOf(call)) };
      return { facts: { ...facts, next: 'Call the tool again with the ID of the stream to get its recordings.' } };
    }
    const id = reference !== undefined && 'id' in reference ? reference.id : found?.fact.stream.id;
    const { sessions, isWhole } = await (id === undefined ? readAllSessions(call) : readSessionsOf(call, id));
    const since = days === undefined ? Number.NEGATIVE_INFINITY : call.context.clock.now() - days * DAY_MS;
    const matching = sessions.filter((session) => wasRecorded(session) && (session.createdAt ?? 0) >= since);
    const items = matching.slice(0, limit).map((session) => recordingFacts(call, session, sessions));
    return {
      facts: { isComplete: isWhole && items.length === matching.length },
      rows: { name: 'recordings', items },
    };
  },
});

/** @param sessions Newest first; with those of the same stream. */
function recordingFacts(call: ToolCall, session: Session, sessions: readonly Session[]): AgentAnswer {
  const { parentId = '' } = session;
  const sources = sourcesOf(call);
  const ofStream = sessions.filter((each) => each.parentId === parentId);
  const running = runningOf(ofStream, sources.snapshot.streams.get(parentId));
  return { ...sessionFacts(session, sources, running), stream: parentFacts(session, sources) };
}

/** @param sessions Of one stream, newest first. */
function runningOf(sessions: readonly Session[], fact: StreamFact | undefined): Session | undefined {
  const [newest] = sessions;
  return newest !== undefined && isRunning(newest, fact, newest) ? newest : undefined;
}

interface SessionsRead {
  /** Newest first. */
  readonly sessions: readonly Session[];
  readonly isWhole: boolean;
}

async function readAllSessions({ account, signal }: ToolCall): Promise<SessionsRead> {
  const { items, hasNextPage } = await account.listAllSessions({ limit: SESSIONS_READ }, signal);
  return { sessions: newestFirst(items), isWhole: !hasNextPage };
}

async function readSessionsOf({ account, signal }: ToolCall, id: string): Promise<SessionsRead> {
  const { items, hasNextPage } = await account.listSomeSessions(id, {
    recordedOnly: true,
    limit: RECORDINGS_READ,
    signal,
  });
  return { sessions: items.map((session) => ({ ...session, parentId: id })), isWhole: !hasNextPage };
}

const check = tool({
  fields: { id: { kind: 'id', isRequired: true } } as const,
  withinMs: CHECKED_WITHIN_MS,
  async run(call, { id }) {
    const { text, isGood } = await checkStreamById(call.context, id, call.signal);
    const { clean } = sourcesOf(call);
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    // Advice is indented and has no text from the service.
    const items = lines.map((line) => (line.startsWith('    ') ? line : cut(clean(line), FINDING_LENGTH)));
    return { facts: { isPlayingWell: isGood }, rows: { name: 'report', items } };
  },
});

const snippet = tool({
  fields: {
    id: { kind: 'id', isRequired: true },
    language: { kind: 'text', longest: 50, isRequired: true },
    form: { kind: 'word', words: FORM_IDS },
  } as const,
  async run(call, { id, language, form }) {
    const { fact } = await findStream(call, { id });
    const facts = await readSnippetFacts(call.context, fact.stream, call.signal);
    const { clean } = sourcesOf(call);
    const forms = snippetForms(emptyFile(language), [withoutSecrets(facts, clean)]);
    const chosen = form === undefined ? forms[0] : forms.find((each) => each.id === form);
    const available = forms.map((each) => each.id);
    if (chosen === undefined) {
      const next = 'Call the tool again with one of these forms, or without a form.';
      throw new ToolProblem("This form isn't available for this stream and language.", { forms: available, next });
    }
    const variables = 'Keys are variables in the code: STREAM_KEY, LIVEPEER_API_KEY. The user sets them.';
    return {
      facts: {
        form: chosen.id,
        code: chosen.text,
        otherForms: available.filter((each) => each !== chosen.id),
        variables,
        access: lacksToken(facts, chosen.text) ? HOW_TO_SIGN : undefined,
      },
    };
  },
});

/** Removes URLs that have a secret from a snippet's facts, and an ingest URL that has one besides its key. */
function withoutSecrets(facts: SnippetFacts, clean: (text: string) => string): SnippetFacts {
  const { id, name, playbackId, hlsUrl, playerUrl, mp4Url, ingest } = facts;
  const publicUrl = (url: string | undefined) =>
    url !== undefined && isPublic(url, [id, playbackId], clean) ? url : undefined;
  return {
    ...facts,
    ...{ name: shortText(name, clean), hlsUrl: publicUrl(hlsUrl), playerUrl: publicUrl(playerUrl) },
    mp4Url: publicUrl(mp4Url),
    ingest: ingest !== undefined && publicUrl(ingest.before + ingest.after) !== undefined ? ingest : undefined,
  };
}

/** Whether a URL has no user, no fragment, and nothing in its query but these IDs. */
function isPublic(url: string, ids: readonly (string | undefined)[], clean: (text: string) => string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username + parsed.password + parsed.hash !== '') return false;
  if (![...parsed.searchParams.values()].every((value) => ids.includes(value))) return false;
  // Without its scheme: the path of an ingest URL would be taken for a key.
  const place = url.replace(/^\w+:\/\//, '');
  return clean(place) === place;
}

const create = tool({
  fields: { name: { kind: 'text', longest: 100, isRequired: true } } as const,
  ask({ context, info }, { name }) {
    requireNameOfOneLine(name);
    if (!context.store.snapshot.abilities.create)
      throw new ToolProblem(`${info.name} doesn't support creating streams.`);
    return {
      title: t('Create a stream?'),
      message: t('An agent wants to create the stream "{0}" on "{1}".', name.trim(), info.name),
    };
  },
  async run(call, { name }) {
    const stream = await createStream(call, name.trim());
    remember(call.account, [stream]);
    const { now } = call.context.clock;
    const fact = { stream, requestSeq: 0, startedAt: now(), serverDate: now() };
    const facts = { stream: streamFacts(fact, sourcesOf(call)), howToStream: HOW_TO_STREAM };
    return { facts: { done: 'The stream was created.', ...facts } };
  },
});

function requireNameOfOneLine(name: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) throw wrongInput(create.fields, 'The name must be a single line.');
}

async function createStream({ account, info }: ToolCall, name: string): Promise<Stream> {
  const outcome = await changesOf(account).create({ name });
  if (outcome.kind === 'done' || outcome.kind === 'doneDespite') return outcome.stream;
  const { kind, error } = outcome;
  if (kind === 'failed') throw error;
  throw new ToolProblem(`${describeError(error, { service: info.name })} However, the stream may have been created.`, {
    next: 'Call liveStreams_list with nameContains before you try again.',
  });
}

const setRecording = tool({
  fields: { id: { kind: 'id', isRequired: true }, on: { kind: 'boolean', isRequired: true } } as const,
  ask(call, { id, on }) {
    const { context, account, info } = call;
    const stream = requireKnown(call, id);
    if (!context.store.snapshot.abilities.patch)
      throw new ToolProblem(`${info.name} doesn't support changing streams.`);
    const obstacle = obstacleTo(operationOf(on), stream, context.store.snapshot.operations.has(id));
    if (obstacle !== undefined) throw new ToolProblem(OBSTACLES[obstacle]);
    const name = shortText(streamLabel(stream), (text) => account.withoutSecrets(text));
    return {
      title: on ? t('Turn on recording?') : t('Turn off recording?'),
      message: on
        ? t('An agent wants to turn on recording for "{0}" on "{1}".', name, info.name)
        : t('An agent wants to turn off recording for "{0}" on "{1}".', name, info.name),
    };
  },
  async run(call, { id, on }) {
    const { context, account, info } = call;
    const change = { operation: operationOf(on) } as const;
    const planned = { account, info, change, stream: requireKnown(call, id) };
    const outcome = await changeStream(context.store, planned, (_, ms) => delay(context.clock, ms));
    const stream = { id, name: shortText(outcome.stream.name, (text) => account.withoutSecrets(text)) };
    return { facts: { done: doneOf(outcome, info.name), stream: { ...stream, recording: on } } };
  },
});

const testBroadcast = tool({
  fields: {
    id: { kind: 'id', isRequired: true },
    seconds: { kind: 'wholeNumber', least: 1, most: 300, isRequired: true },
  } as const,
  async ask(call, { id, seconds }) {
    const { context, account, info } = call;
    const stream = requireKnown(call, id);
    const ingest = { host: URL.parse(await requireTemplate(context, 'rtmp'))?.hostname ?? '' };
    requireNoneRunning(context, stream);
    const name = shortText(streamLabel(stream), (text) => account.withoutSecrets(text));
    const wish = t('An agent wants to send a test pattern to the viewers of "{0}" on "{1}".', name, info.name);
    return {
      title: t('Start a test broadcast?'),
      message: [wish, ...consequencesOf(context, stream, { seconds, ingest })].join(' '),
    };
  },
  async run(call, { id, seconds }) {
    const { context } = call;
    // The user may have allowed the tool permanently in VS Code, and the stream may have gone live since it was read.
    const agree = async (current: Stream, ingest: IngestHost) => {
      const isSentElsewhere = namesOfSendingTargets(context.store.snapshot, current).length > 0;
      if (!current.isActive && !isSentElsewhere && !isForeignIngest(context, ingest.host)) return true;
      return context.ui.confirm(broadcastQuestion(context, current, { source: 'pattern', seconds, ingest }));
    };
    const isAccepted = await context.broadcastTestPattern(requireKnown(call, id), { seconds, agree });
    if (!isAccepted) throw new ToolProblem('The user canceled the test broadcast.');
    const { name } = requireKnown(call, id);
    return {
      facts: {
        done: `The server accepted the test broadcast. It ends after ${seconds} seconds.`,
        stream: { id, name: shortText(name, (text) => call.account.withoutSecrets(text)) },
        next: 'The stream goes live within a few seconds. Then call liveStreams_get or liveStreams_check.',
      },
    };
  },
});

const operationOf = (on: boolean) => (on ? 'turningRecordingOn' : 'turningRecordingOff');

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  childStream: "This is a deprecated child stream. It can't be changed.",
  busy: 'The stream is being changed. Try again when the change is complete.',
  live: "Recording can't be changed while the stream is live.",
  liveRenditions: "Renditions can't be changed while the stream is live.",
  wentLive: "Recording can't be changed while the stream is live.",
  notLive: "The stream isn't live.",
  alreadyOn: 'Recording is already on.',
  alreadyOff: 'Recording is already off.',
};

/** Throws a ToolProblem unless the change was made. */
function doneOf(outcome: Outcome, service: string): string {
  switch (outcome.kind) {
    case 'done':
      return 'Recording was changed.';
    case 'doneDespite':
      return `${describeError(outcome.error, { service })} However, the change was applied.`;
    case 'obstacle':
      throw new ToolProblem(OBSTACLES[outcome.obstacle]);
    case 'gone':
      throw new ToolProblem('The stream no longer exists.');
    case 'left':
      throw new ToolProblem('Nothing was changed because the user switched connections.');
    case 'failed':
      throw outcome.error;
    case 'uncertain':
      throw new ToolProblem(`${describeError(outcome.error, { service })} However, the change may have been applied.`, {
        next: 'Call liveStreams_get with the ID before you try again.',
      });
  }
}

/** By their names in package.json. */
export const TOOLS: Readonly<Record<string, AgentTool>> = {
  liveStreams_list: list,
  liveStreams_get: get,
  liveStreams_recordings: recordings,
  liveStreams_check: check,
  liveStreams_snippet: snippet,
  liveStreams_webhooks: webhooks,
  liveStreams_deliveries: deliveries,
  liveStreams_create: create,
  liveStreams_setRecording: setRecording,
  liveStreams_testBroadcast: testBroadcast,
  liveStreams_testEvent: testEvent,
};

function oneReference(input: InputOf<typeof ONE_OF>): StreamReference {
  const [one, ...others] = Object.entries(input).filter(([, value]) => value !== undefined);
  if (one === undefined || others.length > 0)
    throw wrongInput(ONE_OF, 'Specify exactly one of id, playbackId, or name.');
  const { id, playbackId, name = '' } = input;
  if (id !== undefined) return { id };
  return playbackId === undefined ? { name } : { playbackId };
}

function activeFirst(a: Stream, b: Stream): number {
  return Number(b.isActive) - Number(a.isActive) || (b.lastSeen ?? 0) - (a.lastSeen ?? 0);
}
