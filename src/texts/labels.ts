import { t } from '@vscode/l10n';

export function retryLabel(): string {
  return t('Retry');
}

export function watchLabel(): string {
  return t('Watch');
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

export function copyStreamKeyLabel(): string {
  return t('Copy Stream Key');
}

export function checkStreamLabel(): string {
  return t('Check Stream');
}

/** Marks the current connection. */
export function currentWord(): string {
  return t('current');
}
