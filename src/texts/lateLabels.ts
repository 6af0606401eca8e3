// Only commands and pages use these, so that the first view doesn't have to load them.

import { t } from '@vscode/l10n';
import { retryLabel } from './labels.ts';

/** Says that a stream has no renditions. */
export function noTranscodingText(): string {
  return t('Source only (no transcoding)');
}

export function onOrOffText(isOn: boolean): string {
  return isOn ? t('On') : t('Off');
}

export function editLabel(): string {
  return t('Edit…');
}

/** For a button that shows boxes again before anything is sent. */
export function retryWithBoxesLabel(): string {
  return `${retryLabel()}…`;
}

export function nameLabel(): string {
  return t('Name');
}

export function streamLabel(): string {
  return t('Stream');
}

export function recordingLabel(): string {
  return t('Recording');
}

export function tryDemoLabel(): string {
  return t('Try the Demo');
}

export function connectLabel(): string {
  return t('Connect to a Service…');
}

export function createSigningKeyLabel(): string {
  return t('Create Signing Key…');
}

export function useSigningKeyLabel(): string {
  return t('Import Signing Key…');
}

export function copyHlsUrlLabel(): string {
  return t('Copy HLS URL');
}

export function copySecretLabel(): string {
  return t('Copy Secret');
}

export function enterSecretLabel(): string {
  return t('Enter Secret…');
}

export function openSettingsLabel(): string {
  return t('Open Settings');
}

export function playbackIdLabel(): string {
  return t('Playback ID');
}

export function streamIdLabel(): string {
  return t('Stream ID');
}

export function suspendedLabel(): string {
  return t('Suspended');
}

export function createClipLabel(): string {
  return t('Create Clip…');
}

export function downloadMp4Label(): string {
  return t('Download MP4…');
}

export function showStreamDetailsLabel(): string {
  return t('Show Stream Details');
}

export function startTestBroadcastLabel(): string {
  return t('Start Test Broadcast…');
}

export function editWebhookLabel(): string {
  return t('Edit Webhook…');
}

export function setPlaybackPolicyLabel(): string {
  return t('Set Playback Policy…');
}

/** Returns a command's label for use while its box is open: without the dots that announce the box. */
export function withoutDots(label: string): string {
  return label.replace('…', '');
}

/** A URL that contains the stream key. */
export type KeyedUrl = 'srt' | 'whip';

export function srtUrlLabel(): string {
  return t('SRT URL (with Key)');
}

export function whipUrlLabel(): string {
  return t('WHIP URL (with Key)');
}

/** @param stream its name */
export function copiedKeyedUrl(which: KeyedUrl, stream: string): string {
  return which === 'srt'
    ? t('Copied the SRT URL for "{0}". It contains the stream key, so keep it private.', stream)
    : t('Copied the WHIP URL for "{0}". It contains the stream key, so keep it private.', stream);
}

export function copiedKeyedUrls(count: number): string {
  return t('Copied {0} URLs. They contain the stream keys, so keep them private.', count);
}
