import { t } from '@vscode/l10n';
import { oneLine } from '../util/text.ts';
import { switchConnection } from './connections.ts';
import type { CommandContext } from './context.ts';
import { Refusal } from './refusal.ts';

type GoOn = (context: CommandContext) => unknown;

/** What was asked for is at another connection than the open one: the person may switch to it, and go on there. */
export function otherConnection(name: string, goOn: GoOn): Refusal {
  const run = async (next: CommandContext): Promise<void> => {
    await switchConnection(next, name);
    await goOn(next);
  };
  const sentence = t('This is at the connection "{0}", which is not the one that is open.', oneLine(name, 100));
  return new Refusal(sentence, { severity: 'info', actions: [{ label: t('Switch Connection…'), run }] });
}

/** What was asked for is in the demo, which is not open: the person may start it, and go on there. */
export function demoIsOff(goOn: GoOn): Refusal {
  const run = async (next: CommandContext): Promise<void> => {
    await next.demo.start();
    await goOn(next);
  };
  const sentence = t('This belongs to the demo, which is off.');
  return new Refusal(sentence, { severity: 'info', actions: [{ label: t('Try the Demo'), run }] });
}
