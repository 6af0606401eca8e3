import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { targetsOf } from '../../model/account/accountTargets.ts';
import { mayHaveHappened } from '../../model/account/sentOnce.ts';
import { targetProfiles } from '../../model/multistream/targetUrl.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { refreshAction } from '../../texts/actions.ts';
import { withConnection } from '../../texts/listedNames.ts';
import { multistreamNotOffered, profileName } from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { serviceOf, switchedConnections } from '../../texts/refusals.ts';
import { joinParts, oneLine } from '../../util/text.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { withOfferedTargets } from './offeredTargets.ts';
import { addedText, addTargetTitle, askForDraft, type TargetDraft, targetOf } from './targetBoxes.ts';

/** A target that a stream gets once it's created. */
export interface PlannedTarget {
  readonly draft: TargetDraft;
  /** Whether all of it was entered. Incomplete input is kept, too, when the user goes back. */
  readonly isComplete: boolean;
}

/**
 * Asks for the target of a stream that is about to be created. Returns it, or the previous one if a box was dismissed.
 * Throws a Refusal if the service has no targets.
 */
export async function planTarget(
  context: CommandContext,
  planned: PlannedTarget | undefined,
  box: { readonly title: string; readonly profiles: Stream['profiles'] },
): Promise<PlannedTarget | undefined> {
  await requireTargets(context);
  const draft: TargetDraft = { name: '', ...planned?.draft };
  const wasComplete = planned?.isComplete === true;
  const asked = await askForDraft(context, draft, {
    ...box,
    // It's shown within a step of Create Stream, which has its own count.
    ...{ canGoBack: true, canRemove: wasComplete, isCounted: false },
  });
  if (asked === 'done') return draft.service === 'none' ? undefined : { draft, isComplete: true };
  return wasComplete ? planned : { draft, isComplete: false };
}

async function requireTargets(context: CommandContext): Promise<void> {
  try {
    await withOfferedTargets(context, (targets) => targets.ensure({ targets: undefined }));
  } catch (error) {
    // Other failures may be over by the time the target is added.
    if (!isApiError(error)) throw error;
  }
}

/** Returns the target's name, and the rendition that it gets. */
export function describePlanned(planned: PlannedTarget | undefined): string | undefined {
  if (planned?.isComplete !== true) return t('None');
  const { id, name, profile } = { id: '', ...targetOf(planned.draft) };
  return joinParts(oneLine(nameOf({ id, name }), 100), profileName(profile));
}

/** Returns the target, with the source instead of a rendition that the stream won't have. */
export function withProfiles(
  planned: PlannedTarget | undefined,
  profiles: Stream['profiles'],
): PlannedTarget | undefined {
  const { profile } = planned?.draft ?? {};
  if (planned === undefined || profile === undefined || targetProfiles(profiles).includes(profile)) return planned;
  return { ...planned, draft: { ...planned.draft, profile: undefined } };
}

interface NewStreamWithTarget {
  readonly account: Account;
  readonly info: ConnectionInfo;
  readonly stream: Stream;
  readonly draft: TargetDraft;
}

/** Returns whether the target was added. Reports a failure instead of throwing: the stream exists. */
export async function addPlannedTarget(context: CommandContext, added: NewStreamWithTarget): Promise<boolean> {
  const { account, stream, draft } = added;
  try {
    await targetsOf(account).add(stream, targetOf(draft));
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const named = { ...context, connection: added };
    const isOffered = !isApiError(error, 'notOffered');
    const reason = isOffered
      ? describeError(error, { service: serviceOf(named, error), now: context.clock.now() })
      : multistreamNotOffered(added.info.name).sentence;
    const isUncertain = mayHaveHappened(error);
    const sentence = isUncertain
      ? t('"{0}" was created, but its target may be missing. {1} Refresh to check.', nameOf(stream), reason)
      : t('"{0}" was created, but its target wasn\'t added. {1}', nameOf(stream), reason);
    const actions = [...(isUncertain ? [refreshAction()] : []), ...(isOffered ? [askAgain(added, reason)] : [])];
    context.showMessage({ severity: 'error', sentence: withConnection(named, sentence), actions });
    return false;
  }
}

/** The input, including the key, is kept as long as the message is. */
function askAgain({ info, stream: created, draft }: NewStreamWithTarget, problem: string): MessageAction {
  const run = async (next: CommandContext): Promise<void> => {
    const { account } = next.connection;
    const stream = next.store.snapshot.streams.get(created.id)?.stream ?? created;
    const again: TargetDraft = { ...draft };
    // Starts with the server or the key, which the service is most likely to have rejected.
    const from = typeof draft.service === 'object' ? 0 : 1;
    const boxes = { title: addTargetTitle(), profiles: stream.profiles, from, problem };
    if ((await askForDraft(next, again, boxes)) !== 'done') return;
    if (account.isClosed) throw switchedConnections();
    if (!(await addPlannedTarget(next, { account, info, stream, draft: again }))) return;
    flashDone(next, addedText(targetOf(again), stream));
  };
  return { label: t('Add Multistream Target…'), connection: info, run };
}
