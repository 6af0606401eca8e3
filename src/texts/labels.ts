import { t } from '@vscode/l10n';

export function retryLabel(): string {
  return t('Retry');
}

export function watchLabel(): string {
  return t('Watch');
}

/** Of a stream without renditions. */
export function noTranscodingText(): string {
  return t('Source only (no transcoding)');
}

export function onOrOffText(isOn: boolean): string {
  return isOn ? t('On') : t('Off');
}

export function recordingLabel(): string {
  return t('Recording');
}

export function liveLabel(): string {
  return t('Live');
}

export function idleLabel(): string {
  return t('Idle');
}

export function failedLabel(): string {
  return t('Failed');
}

export function showDetailsLabel(): string {
  return t('Show Details');
}

export function setApiKeyLabel(): string {
  return t('Set API Key…');
}

/** Marks the current connection. */
export function currentWord(): string {
  return t('current');
}

export function tryDemoLabel(): string {
  return t('Try the Demo');
}

export function watchRecordingLabel(): string {
  return t('Watch Recording');
}

export function watchClipLabel(): string {
  return t('Watch Clip');
}

export function loadingLabel(): string {
  return t('Loading…');
}

export function loadMoreLabel(): string {
  return t('Load More');
}

export function resumeStreamLabel(): string {
  return t('Resume Stream');
}

export function connectLabel(): string {
  return t('Connect to a Service…');
}

export function createSigningKeyLabel(): string {
  return t('Create Signing Key…');
}

export function useSigningKeyLabel(): string {
  return t('Use a Signing Key…');
}

export function copyHlsUrlLabel(): string {
  return t('Copy HLS URL');
}

export function copyStreamKeyLabel(): string {
  return t('Copy Stream Key');
}

export function checkStreamLabel(): string {
  return t('Check Stream');
}

export function copySecretLabel(): string {
  return t('Copy Secret');
}

export function openSettingsLabel(): string {
  return t('Open Settings…');
}

export function playbackIdLabel(): string {
  return t('Playback ID');
}
