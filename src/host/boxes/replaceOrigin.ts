/** @param base an origin, which may have a path that leads to the machine: `https://host/proxy/8080/` */
export function replaceOrigin(url: string, base: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/?(.*)$/is.exec(url)?.[1] ?? '';
  return `${base.replace(/\/+$/, '')}/${rest}`;
}
