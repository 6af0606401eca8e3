import { t } from '@vscode/l10n';
import { isId } from '../../api/ids.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../refusal.ts';

export function requireId(id: unknown): string {
  if (isId(id)) return id;
  throw new Refusal(t("This isn't a valid stream or session ID."));
}

export function streamIsGone(stream: { readonly id: string; readonly name: string }): Refusal {
  return new Refusal(t('"{0}" no longer exists.', nameOf(stream)));
}

export function sessionIsGone(): Refusal {
  return new Refusal(t('This session no longer exists.'));
}
