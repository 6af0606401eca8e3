import type { Session } from '../api/types.ts';
import type { ModelContext } from '../model/context.ts';
import { belongsElsewhere } from '../texts/refusals.ts';
import { oneLine } from '../util/text.ts';
import type { PageSecrets, ShownDetails } from '../webview/details/messages.ts';
import { connectionProblem, nameOfKnown, type Owned, wayButtons } from './ownConnection.ts';
import { outdated } from './streamDetails.ts';

/** What a page has shown for its connection, and what its buttons copy. */
export interface Kept {
  readonly shown: ShownDetails;
  readonly secrets: PageSecrets;
  readonly session: Session | undefined;
  /** Whether the stream was deleted: nothing can be out of date then. */
  readonly isGone: boolean;
}

/**
 * Returns what a page shows while another connection is open: the same, plus its connection's name and how to switch
 * back.
 */
export function keptDetails(
  { shown, isGone }: Kept,
  context: ModelContext,
  target: Owned,
  hasPlayer: boolean,
): ShownDetails {
  const problem = connectionProblem(context.store.snapshot, target) ?? { ways: [] };
  const known = nameOfKnown(context, target.connection);
  const [name, sentence] = [oneLine(known ?? ''), belongsElsewhere(known)];
  const { sessions } = shown;
  const state = [...shown.state.filter(({ text }) => text !== name), { text: name }];
  if (isGone) return { ...shown, state, buttons: shown.buttons.filter(({ act }) => act === 'openRecording') };
  return {
    ...shown,
    state,
    warning: outdated(sentence, wayButtons(problem, known !== undefined)),
    hasPlayer,
    ...(sessions && { sessions: { ...sessions, notes: sessions.notes.map(({ text }) => ({ text })) } }),
  };
}

/** Returns what a button copies without its connection; undefined if it needs that. */
export function copiedOf({ shown, secrets, session }: Kept, act: string): string | undefined {
  switch (act) {
    case 'copyPlaybackUrlWithToken':
      return undefined;
    // The page has it without secrets.
    case 'copyRecordingUrl':
      return session?.recordingUrl;
    case 'copyMp4Url':
      return session?.mp4Url;
    default: {
      const facts = [...shown.sections, ...shown.more].flatMap((section) => section.facts ?? []);
      const fact = facts.find(({ buttons = [] }) => buttons.some((button) => button.act === act));
      if (fact === undefined || !act.startsWith('copy')) return undefined;
      return fact.secret === undefined ? fact.value : secrets[fact.secret];
    }
  }
}
