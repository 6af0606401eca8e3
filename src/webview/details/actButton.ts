import { t } from '@vscode/l10n';
import { makeIcon } from '../icons.ts';
import { make, makeButton } from '../makeElement.ts';
import type { Button, Menu } from './messages.ts';

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

/** A button that opens a menu: the keys and roles of the ARIA pattern; closing by Escape or a click is the browser's. */
export function makeMenu(groups: Menu, press: Press): HTMLElement {
  const label = t('More Actions');
  const opener = makeButton('');
  opener.classList.add('iconButton', 'opener');
  opener.title = label;
  opener.setAttribute('aria-label', label);
  opener.setAttribute('aria-haspopup', 'menu');
  opener.setAttribute('aria-expanded', 'false');
  opener.append(makeIcon('more'));
  const menu = make('div', 'menu');
  menu.id = 'moreActions';
  menu.popover = 'auto';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', label);
  opener.popoverTargetElement = menu;
  opener.setAttribute('aria-controls', menu.id);
  const items = groups.flat().map((entry) => {
    const item = makeActButton(entry, (pressed) => {
      menu.hidePopover();
      press(pressed);
    });
    item.className = 'menuItem';
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    return item;
  });
  let at = 0;
  for (const [place, group] of groups.entries()) {
    if (place > 0) menu.append(separator());
    menu.append(...items.slice(at, at + group.length));
    at += group.length;
  }
  menu.addEventListener('toggle', (event) => {
    const isOpen = (event as ToggleEvent).newState === 'open';
    opener.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) items[0]?.focus();
  });
  menu.addEventListener('keydown', (event) => {
    const next = nextItem(items, event.key);
    if (next !== undefined) {
      event.preventDefault();
      next.focus();
    } else if (event.key === 'Tab') menu.hidePopover();
  });
  return make('div', 'menuHolder', opener, menu);
}

function separator(): HTMLElement {
  const line = make('div', 'separator');
  line.setAttribute('role', 'separator');
  return line;
}

function nextItem(items: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const focused = items.indexOf(document.activeElement as HTMLElement);
  switch (key) {
    case 'ArrowDown':
      return items[(focused + 1) % items.length];
    case 'ArrowUp':
      return items.at(focused <= 0 ? -1 : focused - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return undefined;
  }
}
