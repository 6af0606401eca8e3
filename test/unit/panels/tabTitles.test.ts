import assert from 'node:assert/strict';
import {
  checkTab,
  deliverySubject,
  deliveryTab,
  detailsTab,
  nameInCheckTab,
  nameInDeliveryTab,
  nameInTab,
  playerTab,
  sessionTitle,
} from '../../../src/panels/tabTitles.ts';
import { aSnapshot, aStream } from '../../support/model/builders.ts';
import { aDelivery } from '../../support/model/fakeWebhooks.ts';

describe('The title of a tab', () => {
  const long = `Long ${'abcdefghi '.repeat(10)}`;

  it('leaves room for what follows a long name, and for the close button', () => {
    assert.match(playerTab(long), /^Long abcdefghi .{24}…$/);
    assert.equal(detailsTab(long), `${playerTab(long)} (Details)`);
    assert.equal(checkTab(long), `${playerTab(long)} (Check)`);
    assert.equal(playerTab(`${long} · ${long}`).length, 40);
  });

  it('keeps the start of a session, and the direction of a name', () => {
    assert.equal(playerTab(sessionTitle(long, 'Yesterday 18:00')), `${playerTab(long)} · Yesterday 18:00`);
    const arabic = `\u2068${'مرحبا '.repeat(10)}\u2069`;
    assert.match(playerTab(arabic), /^\u2068[^\u2068\u2069]{39}…\u2069$/);
  });
});

describe('The title of a delivery’s tab', () => {
  it('has its stream and its time, by which tabs are told apart', () => {
    const tab = deliveryTab('stream.started · Keynote', '10:42');
    assert.equal(tab, 'stream.started · Keynote · 10:42 (Delivery)');
    assert.equal(nameInDeliveryTab(tab), 'stream.started · Keynote');
    const long = deliveryTab(`recording.ready · ${'A · B '.repeat(20)}`, 'Nov 24 10:42');
    assert.match(long, /^recording.ready · A · B .*… · Nov 24 10:42 \(Delivery\)$/);
    assert.ok(long.length < 70);
    for (const other of ['', ' (Delivery)', 'Keynote']) assert.equal(nameInDeliveryTab(other), '');
  });
});

describe('The subject of a delivery’s tab', () => {
  it('is the event and its stream as in the row: the ID of one without a name', () => {
    const snapshot = aSnapshot({
      streams: [aStream({ id: 'nameless', name: ' ' }), aStream({ id: 'one', name: 'Keynote' })],
    });
    const titles = ['nameless', 'one', 'unknown'].map((streamId) =>
      deliverySubject(snapshot, aDelivery({ event: 'stream.idle', streamId })),
    );
    assert.deepEqual(titles, ['stream.idle · nameless', 'stream.idle · Keynote', 'stream.idle']);
    const sent = aDelivery({ event: 'stream.idle', streamId: 'unknown', streamName: '' });
    assert.equal(deliverySubject(snapshot, sent), 'stream.idle · unknown');
  });
});

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
