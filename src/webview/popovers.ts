/** Returns whether a menu or the list of keys is open. Escape closes that first. */
export function hasPopover(): boolean {
  return document.querySelector(':popover-open') !== null;
}

/** Closes what is open when the user turns to another part of VS Code, as VS Code does with its menus. */
export function closePopovers(): void {
  const { activeElement } = document;
  for (const popover of document.querySelectorAll<HTMLElement>(':popover-open')) {
    // Closing a popover that has focus returns it to the button, and so to this page.
    if (activeElement instanceof HTMLElement && popover.contains(activeElement)) activeElement.blur();
    popover.hidePopover();
  }
}
