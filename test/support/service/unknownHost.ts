/**
 * Returns a host that isn't found, without a server of names that may be slow: its label is longer than a name may have
 * (RFC 1035, 2.3.4), so nobody is asked.
 */
export function unknownHost(name: string): string {
  return `${name.padEnd(64, '-x')}.invalid`;
}
