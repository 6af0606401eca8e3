/** Whether an error has this tag, which distinguishes classes of errors: a bundle may hold two copies of a class. */
export function hasTag<E extends Error & { readonly tag: string }>(error: unknown, tag: E['tag']): error is E {
  return error instanceof Error && 'tag' in error && error.tag === tag;
}
