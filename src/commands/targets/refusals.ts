import { t } from '@vscode/l10n';
import { isId } from '../../api/ids.ts';
import { nameOf } from '../messages.ts';
import { Refusal } from '../refusal.ts';

export function requireId(id: unknown): string {
  if (isId(id)) return id;
  throw new Refusal(t('This is not the id of a stream or session, so nothing was asked.'));
}

export function streamIsGone(stream: { readonly id: string; readonly name: string }): Refusal {
  return new Refusal(t('"{0}" is gone. It was deleted at the service.', nameOf(stream)));
}

export function sessionIsGone(): Refusal {
  return new Refusal(t('This session is gone. The service does not have it any more.'));
}
