export type KeyAct =
  | { readonly act: 'toggle' | 'mute' | 'fullscreen' }
  | { readonly act: 'seek'; readonly seconds: number }
  | { readonly act: 'volume'; readonly step: number };

/** As in other players. Letters whatever their case. */
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

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /** Of what has the focus: 'SELECT'. The picture itself counts as nothing, unlike the browser's controls in it. */
  readonly on: string;
  /** Is that in the player, or in nothing else of the page? */
  readonly isInside: boolean;
}

/** Letters that work wherever the focus is; a select types ahead with them. */
const EVERYWHERE = /^[jklmf]$/;

/**
 * What a key does. Space and arrows belong to what has the focus where it has a use for them: buttons, selects, and the
 * browser's own controls, which are inside the video; and to the page where the player is not what has it.
 */
export function actOfKey({ key, ctrlKey, altKey, metaKey, on, isInside }: Pressed): KeyAct | undefined {
  if (ctrlKey || altKey || metaKey || on === 'SELECT' || on === 'INPUT') return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const isOwn = EVERYWHERE.test(name) || (isInside && on !== 'BUTTON' && on !== 'SUMMARY' && on !== 'VIDEO');
  return isOwn && Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}
