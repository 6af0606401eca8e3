import { t } from '@vscode/l10n';
import type { Session, Stream } from '../api/types.ts';
import { safeFileName } from '../model/downloads/downloadText.ts';
import { maskJson } from '../model/mask.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { MaskedDocument } from '../services.ts';
import { formatCount } from '../util/format.ts';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { Refusal } from './refusal.ts';
import { givenField } from './targets/commandArguments.ts';
import { type NeedsSession, streamNameOf } from './targets/pickSession.ts';
import { sessionIsGone, streamIsGone } from './targets/refusals.ts';
import { resolveOneSession } from './targets/sessionTargets.ts';
import { type NeedsStream, resolveOneStream } from './targets/streamTargets.ts';

interface Listing {
  readonly which: 'all' | 'active' | 'idle' | 'recording';
  readonly historicChildStreams: boolean;
}

/** VS Code gives extensions no document over 50 MB. The document is indented further than counted here. */
const MOST_CHARACTERS = 40 * 1024 * 1024;

interface CollectedRows {
  readonly rows: readonly unknown[];
  /** Whether there were more rows, which were not requested. */
  readonly isCut: boolean;
}

/** Opens the service's JSON of a stream, with secrets masked. */
export async function openStreamJson(context: NeedsStream, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, t('Open Stream as JSON'));
  if (stream !== undefined) await context.ui.showDocument(await readStreamDocument(context, info, stream));
}

export async function openSessionJson(context: NeedsSession, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const session = await resolveOneSession(context, args, { title: t('Open Session as JSON') });
  if (session !== undefined) await context.ui.showDocument(await readSessionDocument(context, info, session));
}

/** The JSON of a stream or session by its id, with secrets masked. Throws as commands do. */
export async function readDocument(
  context: NeedsStream & NeedsSession,
  { kind, id }: { readonly kind: 'stream' | 'session'; readonly id: string },
): Promise<MaskedDocument | undefined> {
  const info = openConnectionInfo(context);
  if (kind === 'stream') {
    const stream = await resolveOneStream(context, [id], '');
    return stream && readStreamDocument(context, info, stream);
  }
  const session = await resolveOneSession(context, [id], { title: '' });
  return session && readSessionDocument(context, info, session);
}

async function readStreamDocument(
  { current }: Pick<CommandContext, 'current'>,
  info: ConnectionInfo,
  stream: Stream,
): Promise<MaskedDocument> {
  const { id, name, streamKey } = stream;
  const json = await current.account.readStreamJson(id);
  if (json === undefined) throw streamIsGone(stream);
  const fileName = safeFileName(name, id, '.json');
  return { key: `${info.id}/stream/${id}`, fileName, ...maskJson(json.value, [streamKey]) };
}

async function readSessionDocument(
  context: NeedsSession,
  info: ConnectionInfo,
  session: Session,
): Promise<MaskedDocument> {
  const { id, parentId } = session;
  const json = await context.current.account.readSessionJson(id, parentId);
  if (json === undefined) throw sessionIsGone();
  const streamKey = context.store.snapshot.streams.get(parentId ?? '')?.stream.streamKey;
  const fileName = safeFileName(`${streamNameOf(context, session)} session`, id, '.json');
  return { key: `${info.id}/session/${id}`, fileName, ...maskJson(json.value, [streamKey]) };
}

export function revealSecrets({ ui }: Pick<CommandContext, 'ui'>): void {
  if (ui.revealSecrets()) return;
  throw new Refusal(t('To reveal secrets, first open a stream or session as JSON.'), { severity: 'info' });
}

/** Lists streams, page by page, in one document. Takes {which, historicChildStreams} or shows pickers. */
export async function listAllStreams(
  context: Pick<CommandContext, 'ui' | 'current' | 'drawing'>,
  ...args: readonly unknown[]
): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.current;
  const { locale } = context.drawing();
  const listing = givenListing(args[0]) ?? (await pickListing(context));
  if (listing === undefined) return;
  const { which, historicChildStreams } = listing;
  const list = which === 'all' ? undefined : which;
  const { rows, isCut } = await context.ui.progress(t('Listing streams'), (report, signal) =>
    collectRows(account.listStreamsJson(list, { withChildren: historicChildStreams, signal }), {
      most: MOST_CHARACTERS,
      onCount: (count) => report(t('{0} loaded', formatCount(count, locale) ?? '')),
    }),
  );
  const key = `${info.id}/streams/${which}${historicChildStreams ? '+children' : ''}`;
  const fileName = safeFileName(`${info.name} ${which} streams`, 'streams', '.json');
  await context.ui.showDocument({ key, fileName, ...maskJson(rows) });
  if (!isCut) return;
  const count = formatCount(rows.length, locale) ?? '';
  void context.ui.notify(
    'warning',
    t("Only the first {0} streams are shown. VS Code can't open larger documents.", count),
  );
}

function givenListing(given: unknown): Listing | undefined {
  const which = givenField(given, 'which');
  if (which !== 'all' && which !== 'active' && which !== 'idle' && which !== 'recording') return undefined;
  return { which, historicChildStreams: givenField(given, 'historicChildStreams') === true };
}

async function pickListing({ ui }: Pick<CommandContext, 'ui'>): Promise<Listing | undefined> {
  const title = t('Open All Streams as JSON');
  const which = await ui.pick<Listing['which']>({
    title,
    items: [
      { label: t('All'), value: 'all' },
      { label: t('Active'), value: 'active' },
      { label: t('Idle'), value: 'idle' },
      { label: t('Recording On'), value: 'recording' },
    ],
  });
  if (which === undefined) return undefined;
  const children = await ui.pick<'without' | 'with'>({
    title,
    items: [
      { label: t('Without historic child streams'), value: 'without' },
      { label: t('With historic child streams'), description: t('deprecated, one per session'), value: 'with' },
    ],
  });
  return children === undefined ? undefined : { which, historicChildStreams: children === 'with' };
}

/** Collects rows page by page, up to about `most` characters of printed JSON. */
export async function collectRows(
  pages: AsyncIterable<readonly unknown[]>,
  { most, onCount }: { readonly most: number; readonly onCount: (count: number) => void },
): Promise<CollectedRows> {
  const rows: unknown[] = [];
  let left = most;
  for await (const page of pages) {
    for (const row of page) {
      left -= JSON.stringify(row, null, 2).length;
      if (left < 0) return { rows, isCut: true };
      rows.push(row);
    }
    onCount(rows.length);
  }
  return { rows, isCut: false };
}
