import type { Page } from 'playwright-core';
import { playerFrame } from './playerPage.ts';
import { pickQuickItem, runEditorCommand, typeInQuickInput } from './quickInput.ts';

/** The editor's default themes, one of each other kind, and the class of a webview's body in it. */
export const THEMES = {
  'dark-2026': ['Dark 2026', 'vscode-dark'],
  'light-2026': ['Light 2026', 'vscode-light'],
  light: ['Light Modern', 'vscode-light'],
  dark: ['Dark Modern', 'vscode-dark'],
  'high-contrast': ['Dark High Contrast', 'vscode-high-contrast'],
  'high-contrast-light': ['Light High Contrast', 'vscode-high-contrast-light'],
} as const;

/** Chooses a theme from the palette, and waits until the webview that is in front has it. */
export async function chooseTheme(page: Page, name: keyof typeof THEMES): Promise<void> {
  const [theme, kind] = THEMES[name];
  await runEditorCommand(page, 'Preferences: Color Theme');
  await typeInQuickInput(page, theme);
  await pickQuickItem(page, theme);
  // A dark high contrast page is of the class that both kinds of high contrast have.
  const other = kind === 'vscode-high-contrast' ? ':not(.vscode-high-contrast-light)' : '';
  await playerFrame(page).locator(`body.${kind}${other}[data-vscode-theme-name="${theme}"]`).waitFor();
  await page.mouse.move(5, 5); // no tooltip of the row that was under it
}
