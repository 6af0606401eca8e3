export type KeyAct =
  | { readonly act: 'toggle' | 'mute' | 'fullscreen' | 'help' | 'clip' | 'statistics' }
  | { readonly act: 'seek'; readonly seconds: number }
  /** `portion` of the whole, 0 to 1. */
  | { readonly act: 'jump'; readonly portion: number }
  | { readonly act: 'clipEnd'; readonly end: 'start' | 'end' }
  | { readonly act: 'frame' | 'speed'; readonly step: 1 | -1 }
  | { readonly act: 'volume'; readonly step: number };

/** The same keys as in other players. Letters match in either case. */
const KEYS: Readonly<Record<string, KeyAct>> = {
  ' ': { act: 'toggle' },
  k: { act: 'toggle' },
  j: { act: 'seek', seconds: -10 },
  l: { act: 'seek', seconds: 10 },
  c: { act: 'clip' },
  i: { act: 'clipEnd', end: 'start' },
  o: { act: 'clipEnd', end: 'end' },
  m: { act: 'mute' },
  f: { act: 'fullscreen' },
  s: { act: 'statistics' },
  ',': { act: 'frame', step: -1 },
  '.': { act: 'frame', step: 1 },
  '<': { act: 'speed', step: -1 },
  '>': { act: 'speed', step: 1 },
  '?': { act: 'help' },
  Home: { act: 'jump', portion: 0 },
  End: { act: 'jump', portion: 1 },
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
  /** Tag name of the focused element, such as 'SELECT'; 'RANGE' for a slider with arrow keys, Home, and End of its own. */
  readonly on: string;
  /** Whether focus is in the player. Always true if the player is the whole page. */
  readonly isInside: boolean;
}

/** Letters that work on every focused element except selects and inputs: a select types ahead with them. */
const EVERYWHERE = /^[jklmfs]$/;

/**
 * Returns undefined if the key isn't for the player. Space is left to buttons; the arrows, Home, and End to sliders;
 * and all but the letters to the page if focus is outside the player.
 */
export function actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside }: Pressed): KeyAct | undefined {
  if (ctrlKey || altKey || metaKey || on === 'SELECT' || on === 'INPUT') return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (!isInside && !EVERYWHERE.test(name)) return undefined;
  if (on === 'RANGE' && /^(Arrow|Home|End)/.test(name)) return undefined;
  if ((on === 'BUTTON' || on === 'SUMMARY') && name === ' ') return undefined;
  if (/^\d$/.test(name)) return { act: 'jump', portion: Number(name) / 10 };
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}
