import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import { blend, contrast, parseColor } from '../../support/page/contrast.ts';

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
          assert.ok(
            contrast(parseColor(color), parseColor(background)) >= least,
            `${color} on ${background} (${kind})`,
          );
        }
      }
    });
  }
});

describe('Contrast', () => {
  it('is what WCAG 2 says it is', () => {
    assert.equal(contrast(parseColor('#000000'), parseColor('rgb(255, 255, 255)')), 21);
    assert.equal(contrast(parseColor('#777777'), parseColor('#777777')), 1);
    assert.equal(contrast(parseColor('#777777'), parseColor('#ffffff')).toFixed(2), '4.48');
  });

  it('is of what is seen through colours that are not opaque', () => {
    assert.deepEqual(blend(parseColor('rgba(0, 0, 0, 0.5)'), parseColor('#ffffff')), [127.5, 127.5, 127.5, 1]);
    assert.deepEqual(blend(parseColor('rgba(0, 0, 0, 0)'), parseColor('#102030')), [16, 32, 48, 1]);
  });

  it('is not of what is no colour', () => {
    assert.throws(() => parseColor('var(--vscode-foreground)'), /no colour/);
  });
});
