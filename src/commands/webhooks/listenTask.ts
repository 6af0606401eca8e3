import { t } from '@vscode/l10n';
import { checkLocalUrl } from '../../model/webhooks/localUrl.ts';
import type { Listening, LocalDelivery } from '../../model/webhooks/state.ts';
import { explainLocalUrl } from '../../texts/localUrls.ts';
import { Refusal } from '../../texts/refusal.ts';
import { failureText, localUrlText, outcomeText, unansweredText, urlHost } from '../../texts/webhooks.ts';
import { joinParts } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';
import { withUrlRefusals } from './localUrlBox.ts';

interface TaskOutput {
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The problem matcher in package.json finds it, in any language. */
const READY = '▶';

/**
 * Listens for events until the user ends the task, stops listening, or listens at another URL, and writes each
 * delivery. Throws a Refusal if it can't listen, and an AbortError if the task has already ended.
 */
export async function runListenTask(
  context: CommandContext,
  definition: unknown,
  output: TaskOutput,
): Promise<boolean> {
  const { eventListener } = context;
  const { write, signal } = output;
  const url = readUrl(definition);
  signal.throwIfAborted();
  const known = new WeakSet(eventListener.deliveries);
  await withUrlRefusals(() => eventListener.start({ url }));
  const { listening } = eventListener;
  if (signal.aborted) {
    eventListener.stop();
    signal.throwIfAborted();
  }
  write(`${READY} ${t('Listening for events and sending them to {0}', localUrlText(url))}`);
  if (listening?.isUnanswered === true) write(unansweredText(urlHost(url)));
  const writeNew = () => {
    for (const delivery of eventListener.deliveries.toReversed()) {
      if (known.has(delivery)) continue;
      known.add(delivery);
      write(lineOf(context, delivery));
    }
  };
  await untilEnded(context, { listening, signal, onDidChange: writeNew });
  if (isSame(eventListener.listening, listening)) eventListener.stop();
  write(t('Stopped listening for events'));
  return true;
}

function readUrl(definition: unknown): string {
  const checked = checkLocalUrl(givenText(definition, 'url') ?? '');
  if ('fault' in checked) throw new Refusal(t('"url" in tasks.json: {0}', explainLocalUrl(checked.fault)));
  return checked.url;
}

interface Watched {
  readonly listening: Listening | undefined;
  readonly signal: AbortSignal;
  readonly onDidChange: () => void;
}

function untilEnded({ eventListener }: CommandContext, { listening, signal, onDidChange }: Watched): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      subscription.dispose();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const subscription = eventListener.onDidChange(() => {
      onDidChange();
      if (!isSame(eventListener.listening, listening)) end();
    });
    signal.addEventListener('abort', end, { once: true });
    // It may have changed before anybody listened.
    onDidChange();
    if (!isSame(eventListener.listening, listening)) end();
  });
}

function isSame(one: Listening | undefined, other: Listening | undefined): boolean {
  return one?.url === other?.url && one?.since === other?.since;
}

function lineOf({ drawing }: CommandContext, delivery: LocalDelivery): string {
  const outcome = joinParts(outcomeText(delivery, drawing()), failureText(delivery)) ?? '';
  return `${delivery.isSuccess ? '✓' : '✗'} ${joinParts(delivery.event, outcome)}`;
}
