export type KeyAct =
  | { readonly act: 'toggle' | 'mute' | 'fullscreen' }
  | { readonly act: 'seek'; readonly seconds: number }
  | { readonly act: 'volume'; readonly step: number };

/** The same keys as in other players. Letters match in either case. */
const KEYS: Readonly<Record<string, KeyAct>> = {
  ' ': { act: 'toggle' },
  k: { act: 'toggle' },
  j: { act: 'seek', seconds: -10 },
  l: { act: 'seek', seconds: 10 },
  m: { act: 'mute' },
  f: { act: 'fullscreen' },
  ArrowLeft: { act: 'seek', seconds: -5 },
  ArrowRight: { act: 'seek', seconds: 5 },
  ArrowUp: { act: 'volume', step: 0.1 },
  ArrowDown: { act: 'volume', step: -0.1 },
};

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /**
   * Tag name of the focused element, such as 'SELECT'. Empty for the video itself, 'VIDEO' for the browser's controls
   * in it.
   */
  readonly on: string;
  /** Whether the focus is in the player. Always true if the player is the whole page. */
  readonly isInside: boolean;
}

/** Letters that work on every focused element except selects and inputs: a select types ahead with them. */
const EVERYWHERE = /^[jklmf]$/;

/**
 * Returns undefined if the key is not for the player. Space and arrows are left to focused elements that use them
 * (buttons, and the browser's own controls, which are inside the video), and to the page if the focus is outside the
 * player.
 */
export function actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside }: Pressed): KeyAct | undefined {
  if (ctrlKey || altKey || metaKey || on === 'SELECT' || on === 'INPUT') return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const isOwn = EVERYWHERE.test(name) || (isInside && on !== 'BUTTON' && on !== 'SUMMARY' && on !== 'VIDEO');
  return isOwn && Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}
