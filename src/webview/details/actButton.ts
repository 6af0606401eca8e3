import { t } from '@vscode/l10n';
import { make, makeButton } from '../makeElement.ts';
import type { Button, Menu } from './messages.ts';

export type Press = (button: Button) => void;

const COPIED_FOR_MS = 2000;

interface Pressable {
  readonly label: string;
  readonly hint?: string;
  readonly act: string;
  readonly target?: string;
  readonly icon?: Button['icon'];
}

export function makeActButton<B extends Pressable>(button: B, press: (button: B) => void): HTMLButtonElement {
  const made = makeButton(button.label, () => press(button));
  made.dataset.act = button.act;
  if (button.target !== undefined) made.dataset.target = button.target;
  if (button.act.startsWith('copy')) made.classList.add('copying');
  if (button.hint !== undefined) {
    made.title = button.hint;
    made.setAttribute('aria-label', button.hint);
  }
  if (button.icon !== undefined) drawIcon(made, button.icon, button);
  return made;
}

/** @param label shown on hover, and for screen readers unless there is a hint */
export function drawIcon(
  button: HTMLButtonElement,
  icon: IconName,
  { label, hint = label }: Pick<Pressable, 'label' | 'hint'>,
): void {
  button.classList.add('iconButton');
  button.title = label;
  button.setAttribute('aria-label', hint);
  button.replaceChildren(makeIcon(icon));
}

/** Shows on a button for two seconds that it has copied something. */
export function showCopied(button: HTMLElement): void {
  if (button.dataset.copied !== undefined) return;
  const before = [...button.childNodes];
  const { title, ariaLabel } = button;
  const copied = t('Copied');
  // Keeps the elements beside it in place.
  button.style.minWidth = `${button.offsetWidth}px`;
  button.dataset.copied = '';
  button.replaceChildren(makeIcon('check'), ...(button.classList.contains('iconButton') ? [] : [copied]));
  Object.assign(button, { title: copied, ariaLabel: copied });
  setTimeout(() => {
    delete button.dataset.copied;
    button.replaceChildren(...before);
    button.style.minWidth = '';
    Object.assign(button, { title, ariaLabel });
  }, COPIED_FOR_MS);
}

/** Empties the element first, because screen readers skip text that doesn't change. */
export function announceCopied(status: HTMLElement): void {
  status.textContent = '';
  status.textContent = t('Copied');
}

/** Makes a menu button with the keys and roles of the ARIA pattern. The browser closes it on Escape or a click. */
export function makeMenu(groups: Menu, press: Press): HTMLElement {
  const label = t('More Actions…');
  const opener = makeButton('');
  opener.classList.add('opener');
  drawIcon(opener, 'more', { label });
  opener.setAttribute('aria-haspopup', 'menu');
  opener.setAttribute('aria-expanded', 'false');
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

const SVG = 'http://www.w3.org/2000/svg';

const EYE =
  'M8 3.2c3 0 5.5 1.8 6.8 4.8-1.3 3-3.8 4.8-6.8 4.8S2.5 11 1.2 8C2.5 5 5 3.2 8 3.2ZM2.6 8a6 6 0 0 0 10.8 0A6 6 0 0 0 2.6 8ZM8 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8Z';

/** Paths of 16 × 16 pixels. */
const ICONS = {
  play: 'M4.5 2.7v10.6c0 .4.4.6.7.4l8.3-5.3a.5.5 0 0 0 0-.8L5.2 2.3a.5.5 0 0 0-.7.4ZM5.7 4 11.9 8 5.7 12Z',
  download:
    'M6 13H4.5A3.5 3.5 0 0 1 4 6 4 4 0 0 1 11.9 6H10.8A3 3 0 0 0 5 7h-.5a2.5 2.5 0 0 0 0 5H6ZM11.5 7a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM12 8.5h-1v3.8L9.75 11.05l-.7.7 2.45 2.45 2.45-2.45-.7-.7L12 12.3Z',
  copy: 'M5 1.5h7A1.5 1.5 0 0 1 13.5 3v8H12V3H5ZM4 3.5h5.5A1.5 1.5 0 0 1 11 5v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 13V5A1.5 1.5 0 0 1 4 3.5ZM4 5v8h5.5V5Z',
  open: 'M2 3.5A1.5 1.5 0 0 1 3.5 2H7v1.3H3.5a.2.2 0 0 0-.2.2v9c0 .1.1.2.2.2h9a.2.2 0 0 0 .2-.2V9H14v3.5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 12.5ZM9 2h5v5h-1.3V4.2L8.2 8.7l-.9-.9 4.5-4.5H9Z',
  edit: 'M11.3 1.6l3.1 3.1-9 9-4 .9.9-4ZM11.3 3.3 3.4 11.2 3 13l1.8-.4 7.9-7.9Z',
  remove:
    'M6 1.8h4v1.4h3.5v1.2h-11V3.2H6ZM3.4 5.4h9.2L12 14.2H4ZM4.7 6.6l.4 6.4h5.8l.4-6.4ZM6.3 7.8h1.1v4H6.3ZM8.6 7.8h1.1v4H8.6Z',
  eye: EYE,
  eyeClosed: `${EYE}M2.4 1.5l12.1 12.1-.9.9L1.5 2.4Z`,
  check: 'M6.3 12.6 2.2 8.5l1.1-1.1 3 3 6.4-6.4 1.1 1.1z',
  more: 'M3.2 6.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm4.8 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm4.8 0a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Z',
} as const;

type IconName = keyof typeof ICONS;

/** Makes an icon in the color of the text. Screen readers skip it. */
function makeIcon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}
