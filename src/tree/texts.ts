/** Did the service tell it? An empty text tells nothing. */
export function isThere(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}

/** Parts of a description; what is missing or false is left out. */
export function joinParts(...parts: readonly (string | false | undefined)[]): string | undefined {
  const there = parts.filter((part) => part !== undefined && part !== false && part !== '');
  return there.length === 0 ? undefined : there.join(' · ');
}

/** The same for a screen reader, which does not speak the dots. */
export function joinWords(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
}
