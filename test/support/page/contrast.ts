/** Red, green, blue (0 to 255) and how opaque (0 to 1). */
export type Color = readonly [number, number, number, number];

/** Reads "#rrggbb", "rgb(…)", "rgba(…)" and "color(srgb …)", as manifests and browsers write colours. */
export function parseColor(text: string): Color {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (hex !== null) {
    const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => Number.parseInt(part, 16));
    return [red, green, blue, 1];
  }
  const mixed = /^color\(srgb ([^)]+)\)$/
    .exec(text.trim())?.[1]
    ?.split(/[\s/]+/)
    .map(Number);
  if (mixed !== undefined) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = mixed;
    return [red * 255, green * 255, blue * 255, alpha];
  }
  const numbers = /^rgba?\(([^)]+)\)$/
    .exec(text.trim())?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  const [red, green, blue, alpha = 1] = numbers ?? [];
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`"${text}" is no colour`);
  return [red, green, blue, alpha];
}

/** What is seen of colours that lie over one another, the topmost first; under the last one is white. */
export function blend(...colors: readonly Color[]): Color {
  const [top, ...under] = colors;
  if (top === undefined) return [255, 255, 255, 1];
  const below = blend(...under);
  const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
  return [mix(0), mix(1), mix(2), 1];
}

/** As WCAG 2 defines it, of two opaque colours: 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
