export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

export function makeButton(label: string, run?: () => void): HTMLButtonElement {
  const button = make('button', 'button', label);
  button.type = 'button';
  if (run !== undefined) button.addEventListener('click', run);
  return button;
}

export function makeOption(value: string, label: string): HTMLOptionElement {
  const option = make('option', '', label);
  option.value = value;
  return option;
}

/**
 * Returns the part of an element that has focus, before it's drawn again. Undefined while a box of VS Code has the
 * window's focus: without it, the box would close.
 */
export function focusedIn(element: HTMLElement): HTMLElement | undefined {
  const { activeElement } = document;
  const isHere = document.hasFocus() && element.contains(activeElement);
  return isHere && activeElement instanceof HTMLElement ? activeElement : undefined;
}

/** Formats a number in the page's language, with at most two decimals: "1.25", "1,25". */
export function formatLocaleNumber(value: number): string {
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}
