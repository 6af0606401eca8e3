import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { composeStep } from '../../scripts/walkthroughPicture.ts';
import { inProject } from '../../support/projectFolder.ts';

const STEPS = ['connect', 'look', 'encoder', 'watch'];

describe('The picture of a step', () => {
  it('shows one picture, and in light themes another above it, without styles or addresses', () => {
    const svg = composeStep({ dark: 'data:image/webp;base64,AAAA', light: 'data:image/webp;base64,BBBB' });
    const images = [...svg.matchAll(/<image [^>]*href="([^"]*)"([^>]*)\/>/g)].map(([, url, rest]) => [
      url,
      rest?.trim(),
    ]);
    assert.deepEqual(images, [
      ['data:image/webp;base64,AAAA', ''],
      ['data:image/webp;base64,BBBB', 'mask="url(#inLight)"'],
    ]);
    assert.doesNotMatch(svg, /<style|style=|https:/);
  });

  it('is made by that for each step of the walkthrough', () => {
    const files = STEPS.map((name) => readFileSync(inProject(`media/walkthrough/${name}.svg`), 'utf8'));
    for (const file of files) {
      const [dark = '', light = ''] = [...file.matchAll(/href="(data:image\/webp;base64,[^"]+)"/g)].map(
        ([, url]) => url,
      );
      assert.equal(file, composeStep({ dark, light }));
      assert.notEqual(dark, light);
    }
    assert.equal(new Set(files).size, STEPS.length);
  });
});
