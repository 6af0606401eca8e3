import { t } from '@vscode/l10n';
import { openConnectionInfo } from '../knownAddresses.ts';
import { nameOf } from '../messages.ts';
import { resolveTargets } from '../targets/changeTargets.ts';
import { changeSingle, type NeedsChanging } from './changeCommands.ts';
import { askStreamName } from './streamName.ts';

/** Renames a stream. Takes {id, name}, or the stream and the name as second argument; prompts for what is missing. */
export async function renameStream(context: NeedsChanging, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.current;
  const title = t('Rename Stream');
  const targets = await resolveTargets(context, args.slice(0, 1), { title, operation: 'renaming' });
  const [stream] = targets?.streams ?? [];
  if (stream === undefined) return;
  const name = await askStreamName(context, givenName(args), {
    title: t('Rename "{0}"', nameOf(stream)),
    prompt: t('Name of the stream'),
    value: stream.name,
  });
  if (name === undefined || name === stream.name) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'renaming', name } });
}

function givenName([first, second]: readonly unknown[]): string | undefined {
  if (typeof second === 'string') return second;
  if (typeof first !== 'object' || first === null || !('name' in first)) return undefined;
  return typeof first.name === 'string' ? first.name : undefined;
}
