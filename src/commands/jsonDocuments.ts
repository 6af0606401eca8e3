import { t } from '@vscode/l10n';
import type { Session, Stream } from '../api/types.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { maskJson } from '../model/mask.ts';
import { rowTarget } from '../model/rows/rowActions.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import type { MaskedDocument } from '../services.ts';
import { safeFileName } from '../texts/downloads.ts';
import { idleLabel } from '../texts/labels.ts';
import { Refusal } from '../texts/refusal.ts';
import { sessionIsGone, streamIsGone } from '../texts/refusals.ts';
import { formatCount } from '../util/format.ts';
import type { CommandContext } from './context.ts';
import { givenField, givenId, givenRow } from './targets/commandArguments.ts';
import { streamNameOf } from './targets/pickSession.ts';
import { resolveOneSession } from './targets/sessionTargets.ts';
import { resolveOneStream } from './targets/streamTargets.ts';
import { targetOfId } from './targets/targetOfId.ts';

interface Listing {
  readonly which: 'all' | 'active' | 'idle' | 'recording';
  readonly historicChildStreams: boolean;
}

/** VS Code doesn't pass documents over 50 MB to extensions. The document is indented further than counted here. */
const MOST_CHARACTERS = 40 * 1024 * 1024;

interface CollectedRows {
  readonly rows: readonly unknown[];
  /** Whether there were more rows, which were not requested. */
  readonly isCut: boolean;
}

type Subject =
  | { readonly kind: 'stream'; readonly given: readonly unknown[] }
  | { readonly kind: 'session'; readonly given: readonly unknown[] }
  | ({ readonly kind: 'list' } & Listing);

/**
 * Opens the service's JSON for a stream, a session, or a list of streams, with secrets masked. Takes a row, an ID,
 * {id}, or {which, historicChildStreams}; shows pickers otherwise.
 */
export async function openJson(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const subject = (await givenSubject(context, args[0])) ?? (await pickSubject(context));
  switch (subject?.kind) {
    case 'stream': {
      const stream = await resolveOneStream(context, subject.given, t('Open as JSON'));
      return stream && context.ui.showDocument(await readStreamDocument(context, info, stream));
    }
    case 'session': {
      const session = await resolveOneSession(context, subject.given, { title: t('Open as JSON') });
      return session && context.ui.showDocument(await readSessionDocument(context, info, session));
    }
    case 'list':
      return openList(context, info, subject);
    case undefined:
      return undefined;
    default:
      subject satisfies never;
  }
}

/** Returns the JSON of a stream or session by its ID, with secrets masked. Throws as commands do. */
export async function readDocument(
  context: CommandContext,
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
  { connection }: CommandContext,
  info: ConnectionInfo,
  stream: Stream,
): Promise<MaskedDocument> {
  const { id, name, streamKey } = stream;
  const json = await connection.account.readStreamJson(id);
  if (json === undefined) throw streamIsGone(stream);
  const fileName = safeFileName(name, id, '.json');
  return { key: `${info.id}/stream/${id}`, fileName, ...maskJson(json.value, [streamKey]) };
}

async function readSessionDocument(
  context: CommandContext,
  info: ConnectionInfo,
  session: Session,
): Promise<MaskedDocument> {
  const { id, parentId } = session;
  const json = await context.connection.account.readSessionJson(id, parentId);
  if (json === undefined) throw sessionIsGone();
  const streamKey = context.store.snapshot.streams.get(parentId ?? '')?.stream.streamKey;
  const fileName = safeFileName(`${streamNameOf(context, session)} session`, id, '.json');
  return { key: `${info.id}/session/${id}`, fileName, ...maskJson(json.value, [streamKey]) };
}

export function revealSecrets({ ui }: CommandContext): void {
  if (ui.revealSecrets()) return;
  throw new Refusal(t('To reveal secrets, first open a stream or session as JSON.'), { severity: 'info' });
}

/** Lists streams, page by page, in one document. */
async function openList(
  context: CommandContext,
  info: ConnectionInfo,
  { which, historicChildStreams }: Listing,
): Promise<void> {
  const { account } = context.connection;
  const { locale } = context.drawing();
  const list = which === 'all' ? undefined : which;
  const { rows, isCut } = await context.ui.progress(t('Loading streams'), (report, signal) =>
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

async function givenSubject(context: CommandContext, given: unknown): Promise<Subject | undefined> {
  if (given === undefined || given === null) return undefined;
  const which = givenField(given, 'which');
  if (which === 'all' || which === 'active' || which === 'idle' || which === 'recording') {
    return { kind: 'list', which, historicChildStreams: givenField(given, 'historicChildStreams') === true };
  }
  const row = givenRow(given);
  if (row === undefined) {
    const { kind, id } = await targetOfId(context, givenId(given));
    return { kind, given: [id] };
  }
  if (row.kind === 'group') return { kind: 'list', which: row.list, historicChildStreams: false };
  const target = rowTarget(row);
  return target && { kind: target.kind, given: [row] };
}

async function pickSubject({ ui, settings }: CommandContext): Promise<Subject | undefined> {
  const title = t('Open as JSON');
  const which = await ui.pick<Listing['which'] | 'stream' | 'session'>({
    title,
    placeholder: t('Select what to open'),
    items: [
      { label: t('All Streams'), value: 'all' },
      { label: t('Active'), value: 'active' },
      { label: idleLabel(), value: 'idle' },
      { label: t('Recording On'), value: 'recording' },
      { label: '', isSeparator: true },
      { label: t('One Stream…'), value: 'stream' },
      { label: t('One Session…'), value: 'session' },
    ],
  });
  if (which === undefined) return undefined;
  if (which === 'stream' || which === 'session') return { kind: which, given: [] };
  // Few services have them.
  if (!settings.showHistoricChildStreams()) return { kind: 'list', which, historicChildStreams: false };
  const children = await ui.pick<'without' | 'with'>({
    title,
    placeholder: t('Select which streams to include'),
    items: [
      { label: t('Without Deprecated Child Streams'), value: 'without' },
      { label: t('With Deprecated Child Streams'), description: t('one per session'), value: 'with' },
    ],
  });
  return children && { kind: 'list', which, historicChildStreams: children === 'with' };
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
