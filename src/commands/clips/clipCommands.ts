import { t } from '@vscode/l10n';
import type { Clip } from '../../api/clips.ts';
import { clipsOfAccount, isDeleted } from '../../model/account/accountClips.ts';
import { checkMediaUrl } from '../../model/addresses.ts';
import { findKnownClip, type KnownClip, knownClips } from '../../model/clips/knownClips.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { isBeingMade } from '../../model/store/sessions.ts';
import { deleteLabel } from '../../texts/actions.ts';
import { clipIsGone, clipsNotOffered } from '../../texts/clipRefusals.ts';
import { clipName, clipWord } from '../../texts/clips.ts';
import { safeFileName } from '../../texts/downloads.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId } from '../../texts/refusals.ts';
import type { CommandContext } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { refusedByService, saveDownload } from '../recordingCommands.ts';
import { givenField, givenId, givenRow } from '../targets/commandArguments.ts';

interface FoundClip {
  readonly clip: Clip;
  /** '' if it isn't known. */
  readonly streamId: string;
}

/** Plays a clip. Takes a row or {id, streamId?, inBrowser?}, or shows a picker. */
export async function openClip(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const found = await resolveClip(context, args[0], t('Watch Clip'));
  if (found === undefined) return;
  const clip = await withAddress(context, found);
  const isInBrowser = context.settings.playIn() === 'browser' || givenField(args[0], 'inBrowser') === true;
  if (!isInBrowser) return context.player.openClip(clip);
  // A browser may download the playlist instead.
  await context.ui.openAddress(checked(context, clip.downloadUrl ?? clip.playbackUrl));
}

/** Downloads the MP4 file of a clip. Takes a row or {id, streamId?, target?, overwrite?}, or shows a picker. */
export async function downloadClip(context: CommandContext, ...args: readonly unknown[]) {
  const found = await resolveClip(context, args[0], t('Download Clip'));
  if (found === undefined) return undefined;
  const { clip, streamId } = found;
  const { id, sessionId = id } = clip;
  return saveDownload(context, args[0], {
    note: { sessionId, ...(streamId !== '' && { streamId }), clipId: id },
    fileName: safeFileName(clipName(clip, context.drawing()), t('Clip'), '.mp4'),
    readUrl: async (next, isAgain) => {
      const read = await withAddress(next, isAgain ? { ...found, clip: { ...clip, downloadUrl: undefined } } : found);
      if (read.downloadUrl === undefined) throw new Refusal(t("This clip isn't available as an MP4 file."));
      return checked(next, read.downloadUrl);
    },
  });
}

/** Copies the URL of a clip. Takes a row or {id, streamId?}, or shows a picker. */
export async function copyClipUrl(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const found = await resolveClip(context, args[0], t('Copy Clip URL'));
  if (found === undefined) return;
  await context.ui.copy(addressOf(context, await withAddress(context, found)));
  flashDone(context, t('Copied the clip URL'));
}

/** Deletes a clip after a modal confirmation. Takes a row or {id, streamId?}, or shows a picker. */
export async function deleteClip(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const found = await resolveClip(context, args[0], t('Delete Clip'));
  if (found === undefined) return;
  const { clip, streamId } = found;
  const name = clipName(clip, context.drawing());
  const isConfirmed = await context.ui.confirm({
    message: t('Delete the clip "{0}"?', name),
    detail: t("You can't undo this."),
    act: deleteLabel(),
  });
  if (!isConfirmed) return;
  await clipsOfAccount(context.connection.account).delete(streamId, clip.id);
  flashDone(context, t('Deleted the clip "{0}"', name));
}

/** Returns undefined if dismissed. Throws a Refusal if there is no such clip. */
async function resolveClip(context: CommandContext, given: unknown, title: string): Promise<FoundClip | undefined> {
  openConnectionInfo(context);
  const { connection, store } = context;
  const clips = clipsOfAccount(connection.account);
  if (!clips.isOffered) throw clipsNotOffered(connection.info?.name);
  const row = givenRow(given);
  const isGiven = row !== undefined || typeof given === 'string' || givenField(given, 'id') !== undefined;
  const id = row?.kind === 'clip' ? requireId(row.clipId) : isGiven ? givenId(given) : undefined;
  if (id === undefined) return pickClip(context, knownClips(store.snapshot), title);
  const found = findKnownClip(store.snapshot, id);
  if (found !== undefined) return found;
  const givenStream = givenField(given, 'streamId');
  const streamId = givenStream === undefined ? '' : requireId(givenStream);
  return { streamId, clip: await readClip(context, streamId, id) };
}

async function readClip({ connection }: CommandContext, streamId: string, id: string): Promise<Clip> {
  const clip = await clipsOfAccount(connection.account).find(streamId, id);
  if (clip === undefined || isDeleted(clip)) throw clipIsGone();
  return clip;
}

async function pickClip(
  { ui, drawing }: CommandContext,
  known: readonly KnownClip[],
  title: string,
): Promise<FoundClip | undefined> {
  if (known.length === 0) throw new Refusal(t('There are no clips here yet.'), { severity: 'info' });
  const items = known.map((value) => ({
    ...{ label: clipName(value.clip, drawing()), description: clipWord(value.clip), value },
  }));
  return ui.pick({ title, placeholder: t('Select a clip'), items });
}

/** Reads a clip again if it has no URL yet. Throws a Refusal that says why it has none. */
async function withAddress(context: CommandContext, { clip, streamId }: FoundClip): Promise<Clip> {
  if (clip.downloadUrl !== undefined) return clip;
  const read = await readClip(context, streamId, clip.id);
  if (read.downloadUrl !== undefined || read.playbackUrl !== undefined) return read;
  if (isBeingMade(read)) throw new Refusal(t('This clip is still being created.'), { severity: 'info' });
  throw new Refusal(t("This clip couldn't be created."));
}

function addressOf(context: CommandContext, { playbackUrl, downloadUrl }: Clip): string {
  return checked(context, playbackUrl ?? downloadUrl);
}

function checked(context: CommandContext, url: string | undefined): string {
  const result = checkMediaUrl(url, openConnectionInfo(context));
  if (!result.ok) throw refusedByService(result.fault);
  return result.url;
}
