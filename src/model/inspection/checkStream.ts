import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { HealthCondition, Stream } from '../../api/types.ts';
import type { Downloads } from '../../services.ts';
import type { Account } from '../account/account.ts';
import { readHealth } from '../account/accountHealth.ts';
import { hlsAddressOf } from '../connection/hlsAddress.ts';
import type { ModelContext } from '../context.ts';
import { withToken } from '../filledAddresses.ts';
import type { StreamFact } from '../store/snapshot.ts';
import { checkAccess } from './checkAccess.ts';
import { type FindingSection, judgeHls } from './hlsFindings.ts';
import { type InspectionStep, inspectHls } from './inspectHls.ts';
import type { CheckReport } from './report.ts';
import { judgeStream } from './streamFindings.ts';
import { timelineOf } from './timeline.ts';

export interface CheckContext extends ModelContext {
  readonly transport: Downloads;
}

export interface RunningCheck {
  readonly signal: AbortSignal;
  readonly onStep?: ((step: InspectionStep) => void) | undefined;
}

/** The results of a check, which don't have a title yet. */
export type Checked = Omit<CheckReport, 'title'>;

/**
 * Checks the state of a stream on the service and, while it's live, its playback. Returns undefined if it's gone.
 * Throws ApiError, errors of `requireUrl`, and the signal's AbortError.
 * @param requireUrl Returns a URL that may be requested.
 */
export async function inspectStream(
  context: CheckContext,
  id: string,
  { signal, onStep, requireUrl }: RunningCheck & { readonly requireUrl: (url: string | undefined) => string },
): Promise<(Checked & { readonly stream: Stream }) | undefined> {
  const { account } = context.connection;
  const stream = await account.readStream(id, { signal });
  if (stream === undefined) return undefined;
  signal.throwIfAborted();
  const health = stream.isActive ? await tryReadHealth(context, account, id) : undefined;
  const about = withoutSecrets(judgeStream(factOf(context, stream), health, context.drawing()), account);
  const { now: checkedAt } = context.drawing();
  if (!stream.isActive || stream.playbackId === undefined) {
    return { stream, checkedAt, sections: [about], playback: undefined };
  }
  const url = requireUrl(await hlsAddressOf(context, stream, signal));
  const token = await account.viewerToken(stream);
  const { transport: downloads, clock } = context;
  const either = AbortSignal.any([signal, account.signal]);
  const hasToken = token !== undefined;
  const access = await checkAccess(stream, { url, hasToken, downloads, clock, signal: either });
  // Other checks would only find that viewers without a token are denied.
  if (access !== undefined && !hasToken) return { stream, checkedAt, sections: [about, access], playback: undefined };
  const found = await checkPlayback(context, withToken(url, token), { signal: either, onStep, isLive: true });
  return { stream, ...found, sections: [about, ...(access === undefined ? [] : [access]), ...found.sections] };
}

export async function checkPlayback(
  { transport, clock, drawing }: CheckContext,
  url: string,
  { signal, onStep, isLive }: RunningCheck & { readonly isLive?: boolean },
): Promise<Checked> {
  const facts = await inspectHls({ url, downloads: transport, clock, signal, onStep });
  const { now: checkedAt, locale } = drawing();
  const playback = { url, usage: facts.usage, timeline: timelineOf(facts) };
  return { checkedAt, sections: judgeHls(facts, locale, isLive), playback };
}

/** Issues and conditions contain the service's own text. */
function withoutSecrets({ heading, findings }: FindingSection, account: Account): FindingSection {
  const clean = (text: string) => account.withoutSecrets(text);
  const cleaned = findings.map((each) => {
    const { label, figure, meaning } = each;
    return {
      ...each,
      label: clean(label),
      figure: clean(figure),
      ...(meaning !== undefined && { meaning: clean(meaning) }),
    };
  });
  return { heading, findings: cleaned };
}

/** Returns a sentence for the report if it can't be read. */
async function tryReadHealth(
  { connection }: CheckContext,
  account: Account,
  id: string,
): Promise<readonly HealthCondition[] | string | undefined> {
  try {
    const health = await readHealth(account, id);
    account.writer.healthRead(id, health);
    return health;
  } catch (error) {
    if (isApiError(error)) return describeError(error, { service: error.host ?? connection.info?.name });
    throw error;
  }
}

/** Child streams aren't among the store's streams. */
function factOf({ store, clock }: CheckContext, stream: Stream): StreamFact {
  const now = clock.now();
  return store.snapshot.streams.get(stream.id) ?? { stream, requestSeq: 0, startedAt: now, serverDate: now };
}
