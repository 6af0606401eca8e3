/** Returns a string to search in, or for: in lower case, without accents. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

// More would take too long, and nobody types the beginnings of so many words.
const MOST_TYPED = 30;
const MOST_WORDS = 12;

/**
 * Whether words of a string begin with what is typed, in this order, as VS Code's pickers match: "slowkit" for
 * "Slow Kitchen".
 */
export function hasWordStarts(text: string, typed: string): boolean {
  if (typed.length > MOST_TYPED) return false;
  const parted = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return areWordStarts(
    typed,
    foldText(parted)
      .split(/[^\p{L}\p{N}]+/u)
      .slice(0, MOST_WORDS),
  );
}

/** @param typed folded */
function areWordStarts(typed: string, words: readonly string[]): boolean {
  if (typed === '') return true;
  return words.some((word, index) => {
    const rest = words.slice(index + 1);
    for (let length = commonStart(word, typed); length > 0; length -= 1) {
      if (areWordStarts(typed.slice(length), rest)) return true;
    }
    return false;
  });
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
