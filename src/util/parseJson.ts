/** Returns undefined for text that is no JSON, which JSON can't hold. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
