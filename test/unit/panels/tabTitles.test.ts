import assert from 'node:assert/strict';
import { checkTab, detailsTab, nameInCheckTab, nameInTab, sessionTitle } from '../../../src/panels/tabTitles.ts';

describe('The name in the title of a tab', () => {
  it('is a stream’s, in its details as in its player', () => {
    assert.equal(nameInTab(detailsTab('Keynote'), 'stream'), 'Keynote');
    assert.equal(nameInTab('Keynote', 'stream'), 'Keynote');
    assert.equal(nameInTab(detailsTab('Hall 1 · A (Details)'), 'stream'), 'Hall 1 · A (Details)');
  });

  it('is not the part of the title that stands on each tab', () => {
    assert.equal(nameInTab(' (Details)', 'stream'), ' (Details)');
    assert.equal(nameInCheckTab(checkTab('Keynote')), 'Keynote');
    for (const other of [' (Check)', 'Keynote', '(Check) Keynote']) assert.equal(nameInCheckTab(other), '');
  });

  it('is that of a session’s stream, without the day that the tab was opened on', () => {
    assert.equal(nameInTab(detailsTab(sessionTitle('Keynote', 'Yesterday 18:00')), 'session'), 'Keynote');
    assert.equal(nameInTab(sessionTitle('Hall 1 · A', 'Today 10:42'), 'session'), 'Hall 1 · A');
    for (const none of [undefined, '']) {
      assert.equal(sessionTitle(none, 'Yesterday 18:00'), 'Yesterday 18:00');
      assert.equal(nameInTab(detailsTab(sessionTitle(none, 'Yesterday 18:00')), 'session'), '');
    }
  });
});
