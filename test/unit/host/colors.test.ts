import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };

/** The side bar's background in VS Code's own themes, and that of a selected row. */
const BACKGROUNDS = {
  dark: ['#181818', '#252526'],
  light: ['#f8f8f8', '#f3f3f3'],
  highContrast: ['#000000'],
  highContrastLight: ['#ffffff'],
} as const;

describe('The colours of rows', () => {
  for (const { id, defaults } of manifest.contributes.colors) {
    it(`stand out in every kind of theme: ${id}`, () => {
      for (const [kind, backgrounds] of Object.entries(BACKGROUNDS)) {
        const color = new Map(Object.entries(defaults)).get(kind) ?? '';
        const least = kind.startsWith('highContrast') ? 7 : 4.5;
        for (const background of backgrounds) {
          assert.ok(contrast(color, background) >= least, `${color} on ${background} (${kind})`);
        }
      }
    });
  }
});

/** As WCAG 2 defines it: 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
