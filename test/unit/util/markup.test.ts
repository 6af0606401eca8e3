import assert from 'node:assert/strict';
import { withoutIcons, withoutLinks } from '../../../src/util/markup.ts';

describe('Names in the texts of the editor', () => {
  it('make no link in a notification', () => {
    assert.doesNotMatch(withoutLinks('[Fix](command:evil) and [a](https://b)'), /\]\(/);
    assert.equal(withoutLinks('Stage [1] (main)'), 'Stage [1] (main)');
  });

  it('keep what VS Code takes for no icon, and a backslash of their own', () => {
    for (const name of ['Price $(USD 5)', '$(', '$()', '$(a_b)', '$(a~)', 'a\\b'])
      assert.equal(withoutIcons(name), name);
    // VS Code takes one backslash away (renderLabelWithIcons).
    assert.equal(withoutIcons('\\$(flame)'), '\\\\$(flame)');
  });

  it('make no icon in the status bar or a picker', () => {
    assert.equal(withoutIcons('$(flame) sale, $5'), '\\$(flame) sale, $5');
    assert.equal(withoutIcons('$(sync~spin)$(a-1)'), '\\$(sync~spin)\\$(a-1)');
  });
});
