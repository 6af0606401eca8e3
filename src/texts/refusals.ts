import { t } from '@vscode/l10n';
import { type ApiError, isApiError } from '../api/errors.ts';
import { isId } from '../api/ids.ts';
import type { NamedStream, Session } from '../api/types.ts';
import { type AddressContext, openConnectionInfo, readTemplates } from '../model/connection/knownAddresses.ts';
import { isBeingRecorded, isRunningIn, type RecordingState, recordingState } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { AddressTemplates } from '../services.ts';
import { oneLine } from '../util/text.ts';
import type { OfferedAction } from './actions.ts';
import { showDetailsLabel } from './labels.ts';
import { isAmbiguous, labeledText, type NamesConnection, nameOf, withNote } from './names.ts';
import { Refusal } from './refusal.ts';

/**
 * Returns the name of a failed request's service in a sentence: its host; undefined if the message begins with its
 * connection because there are several. The host doesn't say which of them it is.
 */
export function serviceOf({ store, connection }: NamesConnection, { host }: ApiError): string | undefined {
  return isAmbiguous(store.snapshot) ? undefined : (host ?? connection.info?.name);
}

/** The same in a picker or a task, which has no connection in front: the host, or the connection if it's ambiguous. */
export function serviceOrConnectionOf(context: NamesConnection, error: unknown): string | undefined {
  const { name } = context.connection.info ?? {};
  return isApiError(error) ? (serviceOf(context, error) ?? name) : name;
}

/**
 * Returns a sentence that names a connection once: in place of the service, or otherwise in front, after the title:
 * "Rename Stream: Lost the connection to Production.", "Rename Stream (Production): The API key was rejected."
 */
export function namedOnce(
  connection: string,
  sentenceOf: (service: string | undefined) => string,
  title?: string,
): string {
  const sentence = sentenceOf(connection);
  if (sentence !== sentenceOf(undefined)) return titled(title, sentence);
  return labeledText(title === undefined ? connection : withNote(title, connection), sentence);
}

/** "Rename Stream: Lost the connection to Production." */
export function titled(title: string | undefined, sentence: string): string {
  return title === undefined ? sentence : labeledText(title, sentence);
}

export function requireId(id: unknown): string {
  if (isId(id)) return id;
  throw new Refusal(t("This isn't a valid stream or session ID."));
}

export function streamIsGone(stream: NamedStream): Refusal {
  return new Refusal(t('"{0}" no longer exists.', nameOf(stream)));
}

/** Like `streamIsGone`, if only the ID of the stream was given. */
export function idIsGone(context: NamesConnection, id: string): Refusal {
  return streamIsGone({ id, name: formerName(context, id) ?? '' });
}

/** Returns the last known name of a stream that is gone. */
export function formerName({ store }: NamesConnection, id: string): string | undefined {
  const { lastNames, items } = store.snapshot.recordings;
  return lastNames.get(id) ?? items.find(({ parentId }) => parentId === id)?.parentName;
}

export function switchedConnections(): Refusal {
  return new Refusal(t('The command was canceled because you switched connections.'));
}

/** @param name of the connection; undefined if it's no longer stored */
export function belongsElsewhere(name: string | undefined): string {
  if (name === undefined) return t("This item belongs to a connection that isn't the current one.");
  return t('This item belongs to "{0}", which isn\'t the current connection.', oneLine(name, 100));
}

export function demoIsStopped(): string {
  return t("This item is from the demo, which isn't running.");
}

export function sessionIsGone(): Refusal {
  return new Refusal(t('This session no longer exists.'));
}

export function noRecording({ store }: { readonly store: { readonly snapshot: Snapshot } }, session: Session): Refusal {
  const { snapshot } = store;
  const state = recordingState(session, isRunningIn(snapshot, session));
  const connection = 'info' in snapshot.connection ? snapshot.connection.info : undefined;
  const details = { label: showDetailsLabel(), command: 'showSession', args: [session.id], connection } as const;
  return new Refusal(whyNoRecording(state, session), { severity: 'info', actions: [details] });
}

function whyNoRecording(state: RecordingState, session: Session): string {
  switch (state) {
    case 'notRecorded':
      return t("This session wasn't recorded.");
    case 'running':
      if (!isBeingRecorded(session)) return t("This session isn't being recorded.");
      return t('This session is still in progress. Its recording will be available after it ends.');
    case 'waiting':
      return t('The recording of this session is still being processed. Try again in a few minutes.');
    case 'failed':
      return t('Recording failed for this session.');
    case 'deleted':
      return t('The recording of this session was deleted.');
    case 'none':
      return t('This session has no recording.');
    case 'ready':
      return t("The recording is marked as ready, but the service didn't return a URL.");
    case 'unknown':
      return session.recordingStatus === undefined
        ? t("The service didn't return a URL for the recording of this session.")
        : t('The service didn\'t return a URL for the recording of this session. Its status is "{0}".', short(session));
  }
}

function short({ recordingStatus }: Session): string {
  return oneLine(recordingStatus ?? '', 40);
}

/**
 * Returns a template, or requests it from the service if none is set. Throws a Refusal that offers to set it: no other
 * service's URL is used instead. Throws ApiError.
 */
export async function requireTemplate(context: AddressContext, purpose: keyof AddressTemplates): Promise<string> {
  const template = (await readTemplates(context, purpose))[purpose];
  if (template === undefined) throw unknownAddress(context, purpose);
  return template;
}

export function unknownAddress(context: AddressContext, purpose: keyof AddressTemplates): Refusal {
  const host = new URL(openConnectionInfo(context).baseUrl).host;
  return new Refusal(sentenceOf(purpose, host), { actions: [setAddressAction(context, purpose)] });
}

/** Returns an action that shows the box for the URL if there is one, or opens the setting. */
export function setAddressAction(context: AddressContext, purpose: keyof AddressTemplates): OfferedAction {
  const label = t('Configure…');
  const hasBox = purpose === 'rtmp' || purpose === 'hls';
  if (!hasBox) return { label, setting: 'liveStreams.addresses' };
  const { baseUrl } = openConnectionInfo(context);
  return { label, command: 'setAddresses', args: [{ baseUrl }] };
}

function sentenceOf(purpose: keyof AddressTemplates, host: string): string {
  switch (purpose) {
    case 'rtmp':
    case 'srt':
    case 'whip':
      return t('No RTMP URL is configured for {0}.', host);
    case 'hls':
      return t('No HLS URL is configured for {0}.', host);
    case 'player':
    case 'recordingPlayer':
      return t('No player URL is configured for {0}.', host);
    case 'dashboard':
      return t('No dashboard URL is configured for {0}.', host);
    case 'keys':
      return t('No API key page is configured for {0}.', host);
  }
}
