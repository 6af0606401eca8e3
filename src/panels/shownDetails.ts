import { t } from '@vscode/l10n';
import type { CommandContext } from '../commands/context.ts';
import { templatesInForce } from '../commands/knownAddresses.ts';
import { knownStream } from '../commands/targets/streamTargets.ts';
import { DEMO_ID } from '../model/connection/current.ts';
import { type WayToConnect, waysToConnect } from '../model/connection/waysToConnect.ts';
import type { KeptSubject } from '../model/pages/panelSubject.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import type { Button, Shown } from '../webview/details/messages.ts';
import { knownSession, type SubjectParts } from './detailsLoading.ts';
import { sessionDetails } from './sessionDetails.ts';
import { streamDetails } from './streamDetails.ts';

type Context = Pick<CommandContext, 'store' | 'settings' | 'demo' | 'current' | 'drawing'>;

export interface ShownParts extends SubjectParts {
  readonly trouble: string | undefined;
}

/** Returns the page's content by what is known, or why there is none. Sends no request. */
export function shownDetails(context: Context, parts: ShownParts): Shown {
  const { target, name, trouble } = parts;
  const { snapshot } = context.store;
  const title = name !== '' ? name : target.kind === 'stream' ? t('Stream') : t('Session');
  const why = whyNotOpen(snapshot, target, title);
  if (why !== undefined) return why;
  const host = URL.parse(context.current.info?.baseUrl ?? '')?.host ?? '';
  const made = { snapshot, reader: context.drawing(), templates: templatesInForce(context), host };
  const fact = target.kind === 'stream' ? factOf(context, target.id) : undefined;
  if (fact !== undefined) return streamDetails(fact, { ...made, hlsUrl: parts.hlsUrl });
  const session = target.kind === 'session' ? knownSession(snapshot, parts) : undefined;
  if (session !== undefined) return sessionDetails(session, made);
  if (trouble === undefined) return notice(title, t('Loading…'));
  return notice(title, trouble, { label: t('Retry'), act: 'retry' });
}

/** Returns the content if the page's own connection is not open; undefined if it is. */
export function whyNotOpen(snapshot: Snapshot, target: KeptSubject, title: string): Shown | undefined {
  const { connection } = snapshot;
  if (connection.kind === 'starting') return notice(title, t('Loading…'));
  const own = 'info' in connection && connection.info.id === target.connection ? connection : undefined;
  if (own === undefined && target.connection === DEMO_ID) {
    const sentence = t('This belongs to the demo, which is off.');
    return notice(title, sentence, { label: t('Try the Demo'), act: 'startDemo' });
  }
  if (own === undefined) {
    const sentence = t('This belongs to a connection that is not open in this window any more.');
    const ways = waysToConnect(snapshot);
    return notice(title, sentence, ...ways.map((act) => ({ label: WAY_LABELS[act](), act })));
  }
  if (own.kind !== 'keyless') return undefined;
  const sentence = t('The API key of "{0}" is not stored here any more.', own.info.name);
  return notice(title, sentence, { label: t('Set API Key…'), act: 'setApiKey' });
}

const WAY_LABELS: Readonly<Record<WayToConnect, () => string>> = {
  switchConnection: () => t('Switch Connection…'),
  addConnection: () => t('Connect to a Service…'),
  startDemo: () => t('Try the Demo'),
};

/** Returns what is known of a stream. Child streams are not among the store's streams. */
export function factOf(context: Pick<CommandContext, 'store' | 'drawing'>, id: string): StreamFact | undefined {
  const known = context.store.snapshot.streams.get(id);
  if (known !== undefined) return known;
  const child = knownStream(context, id);
  const { now } = context.drawing();
  return child && { stream: child, turn: 0, startedAt: now, serverDate: now };
}

function notice(title: string, sentence: string, ...buttons: readonly Button[]): Shown {
  return { kind: 'notice', title, sentence, buttons };
}
