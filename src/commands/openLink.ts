import { t } from '@vscode/l10n';
import type { Clip } from '../api/clips.ts';
import { isApiError } from '../api/errors.ts';
import type { Session, Stream } from '../api/types.ts';
import { clipsOfAccount, isDeleted } from '../model/account/accountClips.ts';
import { findKnownClip } from '../model/clips/knownClips.ts';
import { DEMO_ID } from '../model/connection/connection.ts';
import { demoNames, isSameName } from '../model/connection/connectionNames.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { whenStarted } from '../model/connection/whenStarted.ts';
import { type EditorLink, type LinkParts, type LinkTarget, makeLink, parseLink } from '../model/links.ts';
import { type RowTarget, rowTarget } from '../model/rows/rowActions.ts';
import { clipsOf, findSession } from '../model/store/sessions.ts';
import type { ConnectionInfo } from '../model/store/snapshot.ts';
import { connectAction } from '../texts/actions.ts';
import { clipIsGone, clipsNotOffered } from '../texts/clipRefusals.ts';
import { Refusal } from '../texts/refusal.ts';
import { formerName, idIsGone, requireId, sessionIsGone, switchedConnections } from '../texts/refusals.ts';
import { oneLine } from '../util/text.ts';
import { otherConnection } from './connection/otherConnection.ts';
import type { CommandContext, MessageAction } from './context.ts';
import { flashDone } from './flashDone.ts';
import { clearHidingFilter, revealStream } from './goToStream.ts';
import { givenId, givenRow, givenTargets } from './targets/commandArguments.ts';
import { pickStream } from './targets/pickStream.ts';
import { targetOfId } from './targets/targetOfId.ts';

const SESSION_PAGES_AT_MOST = 20;

/**
 * Reveals the stream, session, or clip of a link. If it has no row because its stream is gone, opens a session's
 * details page or a clip's player. Changes nothing, and never switches the connection.
 */
export async function openLink(context: CommandContext, parts: LinkParts): Promise<void> {
  const parsed = parseLink(parts);
  if (!parsed.ok) throw new Refusal(parsed.sentence);
  await followLink(context, parsed.link);
}

/** Copies links that open these streams, sessions, and clips in any editor that has the connection. */
export async function copyLink(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const connection = info.isDemo ? DEMO_ID : info.name;
  const targets = await linkTargets(context, args);
  if (targets === undefined) return;
  const links = [...new Set(targets.map((target) => makeLink(context.linkScheme, { ...target, connection })))];
  await context.ui.copy(links.join('\n'));
  flashDone(context, links.length === 1 ? t('Copied the VS Code link') : t('Copied {0} VS Code links', links.length));
}

async function followLink(context: CommandContext, link: EditorLink): Promise<void> {
  await whenStarted(context);
  await checkConnection(context, link);
  openConnectionInfo(context);
  if (link.kind === 'stream') await showStream(context, link.id);
  else if (link.kind === 'session') await showSession(context, link.id);
  else await showClip(context, link.id);
}

/** Throws a Refusal if the link names a connection other than the open one. */
async function checkConnection({ connections, connection }: CommandContext, link: EditorLink): Promise<void> {
  const { connection: wanted } = link;
  if (wanted === undefined) return;
  const act = { run: (next: CommandContext) => followLink(next, link) };
  if (demoNames().some((each) => isSameName(each, wanted))) {
    if (connection.info?.isDemo === true) return;
    throw otherConnection({ id: DEMO_ID, name: wanted }, act);
  }
  if (isSameName(connection.info?.name, wanted)) return;
  const all = await connections.list();
  const name = oneLine(wanted, 100);
  const found = all.find((each) => isSameName(each.name, wanted));
  if (found === undefined) {
    // People name connections themselves, so the account may be the open one.
    const { info } = connection;
    const here = info === undefined || info.isDemo ? [] : [openHere(info, link)];
    throw new Refusal(t('This link is for a connection named "{0}", which isn\'t set up on this computer.', name), {
      actions: [...here, connectAction()],
    });
  }
  throw otherConnection(found, act);
}

function openHere(connection: ConnectionInfo, { kind, id }: EditorLink): MessageAction {
  const label = t('Open in "{0}"', oneLine(connection.name, 100));
  return { label, connection, run: (next) => followLink(next, { kind, id }) };
}

async function showStream(context: CommandContext, id: string): Promise<void> {
  const { account } = context.connection;
  const found = await account.readStream(id, { pin: true });
  // The tree shows the parent of a child stream.
  const stream = found?.parentId === undefined ? found : await account.readStream(found.parentId, { pin: true });
  if (stream === undefined) {
    if (formerName(context, id) !== undefined) throw idIsGone(context, id);
    const name = oneLine(openConnectionInfo(context).name, 100);
    throw new Refusal(t('No stream with this ID was found in "{0}".', name));
  }
  await revealStream(context, stream);
}

async function showSession(context: CommandContext, id: string): Promise<void> {
  const { account } = context.connection;
  const session = await account.findSession(id);
  if (session === undefined) throw sessionIsGone();
  const stream = await readStreamOf(context, session);
  // Deleted streams keep their sessions. They have no row in the tree of streams, but a details page.
  if (stream === undefined) return context.details.openSession(session);
  clearHidingFilter(context, stream);
  if (await loadSession(context, session, stream.id)) {
    return context.ui.reveal({ kind: 'session', id, streamId: stream.id });
  }
  await context.ui.reveal({ kind: 'stream', id: stream.id });
  throw new Refusal(t("This session isn't listed under its stream."), { severity: 'info' });
}

async function showClip(context: CommandContext, id: string): Promise<void> {
  const { account, info } = context.connection;
  const clips = clipsOfAccount(account);
  if (!clips.isOffered) throw clipsNotOffered(info?.name);
  const clip = await readClip(context, id);
  const session = clip.sessionId === undefined ? undefined : await account.findSession(clip.sessionId);
  const stream = session && (await readStreamOf(context, session));
  if (session === undefined || stream === undefined) return context.player.openClip(clip);
  clearHidingFilter(context, stream);
  if (!(await loadSession(context, session, stream.id))) return context.player.openClip(clip);
  await context.loader.ensureClips([stream.id]);
  const isListed = () => clipsOf(context.store.snapshot, stream.id, session.id).some((each) => each.id === id);
  // It may be newer than the list.
  if (!isListed()) await clips.read(stream.id, id);
  await context.ui.reveal({ kind: 'clip', id, sessionId: session.id, streamId: stream.id });
}

/** Throws a Refusal if it was deleted, or if it belongs to another account. */
async function readClip(context: CommandContext, id: string): Promise<Clip> {
  try {
    const clip = await clipsOfAccount(context.connection.account).find('', id);
    if (clip !== undefined && !isDeleted(clip)) return clip;
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'forbidden') throw error;
    const { name } = openConnectionInfo(context);
    throw new Refusal(t('No clip with this ID was found in "{0}".', oneLine(name, 100)));
  }
  throw clipIsGone();
}

async function readStreamOf({ connection }: CommandContext, { parentId }: Session): Promise<Stream | undefined> {
  return parentId === undefined ? undefined : connection.account.readStream(parentId, { pin: true });
}

/** Loads a stream's sessions up to this one. Returns false if it isn't among them. Throws a Refusal after a switch. */
async function loadSession(
  { loader, store, connection }: CommandContext,
  session: Session,
  streamId: string,
): Promise<boolean> {
  const { account } = connection;
  await loader.ensureSessions(streamId);
  for (let page = 0; page < SESSION_PAGES_AT_MOST; page += 1) {
    if (account.isClosed) throw switchedConnections();
    const list = store.snapshot.sessions.get(streamId);
    if (list?.trouble !== undefined) throw list.trouble.error;
    if (list?.items.slice(0, list.revealed).some(({ id }) => id === session.id)) return true;
    const hasMore = list !== undefined && (list.hasNextPage || list.items.length > list.revealed);
    if (!hasMore) break;
    await loader.loadMoreSessions(streamId);
  }
  // A session that has just begun is missing from a list that was loaded before.
  await loader.reloadSessions(streamId);
  if (account.isClosed) throw switchedConnections();
  return findSession(store.snapshot, streamId, session.id) !== undefined;
}

/**
 * Takes rows or IDs of streams, sessions, and known clips, or shows a picker. Returns undefined if dismissed. Requests
 * only unknown IDs.
 */
async function linkTargets(
  context: CommandContext,
  args: readonly unknown[],
): Promise<readonly LinkTarget[] | undefined> {
  const given: LinkTarget[] = [];
  for (const each of givenTargets(args)) {
    const target = await linkTarget(context, each);
    if (target !== undefined) given.push(target);
  }
  if (given.length > 0) return given;
  const picked = await pickStream(context, t('Copy VS Code Link'));
  return picked === undefined ? undefined : [{ kind: 'stream', id: picked.id }];
}

async function linkTarget(context: CommandContext, given: unknown): Promise<LinkTarget | undefined> {
  const row = givenRow(given);
  if (row?.kind === 'clip') return { kind: 'clip', id: requireId(row.clipId) };
  if (row !== undefined) return idOf(rowTarget(row));
  const id = givenId(given);
  const isClip = findKnownClip(context.store.snapshot, id) !== undefined;
  return isClip ? { kind: 'clip', id } : idOf(await targetOfId(context, id));
}

function idOf(target: Pick<RowTarget, 'kind' | 'id'> | undefined): LinkTarget | undefined {
  return target && { kind: target.kind, id: requireId(target.id) };
}
