import { t } from '@vscode/l10n';
import { makeIcon } from '../icons.ts';
import { makeButton } from '../makeElement.ts';
import type { Button } from './messages.ts';

export type Press = (button: Button) => void;

const COPIED_FOR_MS = 2000;

export function makeActButton(button: Button, press: Press): HTMLButtonElement {
  const made = makeButton(button.label, () => press(button));
  made.dataset.act = button.act;
  if (button.act.startsWith('copy')) made.classList.add('copying');
  if (button.hint !== undefined) {
    made.title = button.hint;
    made.setAttribute('aria-label', button.hint);
  }
  return made;
}

export function makeIconButton(icon: Parameters<typeof makeIcon>[0], button: Button, press: Press): HTMLButtonElement {
  const made = makeActButton(button, press);
  made.classList.add('iconButton');
  made.title = button.label;
  made.replaceChildren(makeIcon(icon));
  return made;
}

/** Lets a button say for two seconds that it has copied. */
export function showCopied(button: HTMLElement): void {
  if (button.dataset.copied !== undefined) return;
  const before = [...button.childNodes];
  button.dataset.copied = '';
  button.replaceChildren(makeIcon('check'), t('Copied'));
  setTimeout(() => {
    delete button.dataset.copied;
    button.replaceChildren(...before);
  }, COPIED_FOR_MS);
}
