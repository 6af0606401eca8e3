import assert from 'node:assert/strict';
import { describeId, describeIndexedStream } from '../../../src/tree/knownId.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { aLiveStream, aSession, aSnapshot, aStream, NOW } from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

const LIVE_ID = '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11';

describe('An id in a text', () => {
  const live = aLiveStream({
    id: LIVE_ID,
    name: 'Key](command:evil)note',
    playbackId: 'abcd1234efgh5678',
    streamKey: 'aaaa-bbbb-cccc-ddd1',
  });
  const snapshot = aSnapshot({
    streams: [live, aStream({ id: 'idle-1', name: '' })],
    sessions: { 'idle-1': [aSession({ id: 'session-1', createdAt: NOW })] },
  });

  it('is described by the stream that has it, or has it as its playback ID, without its key', () => {
    for (const text of [live.id, 'abcd1234efgh5678']) {
      const known = describeId(snapshot, text, DRAWING);
      assert.deepEqual([known?.kind, known?.id, known?.name], ['stream', live.id, live.name]);
      assert.match(known?.tooltip.markdown ?? '', /Live/);
      assert.ok(!JSON.stringify(known).includes('aaaa-bbbb'));
      assert.ok(!known?.tooltip.markdown.includes('](command:evil)'));
      assert.deepEqual(fieldsOf(known?.tooltip.links, 'command'), ['showStream', 'watchStream', 'copyPlaybackUrl']);
    }
  });

  it('is described by the session that has it, with the name of its stream', () => {
    const known = describeId(snapshot, 'session-1', DRAWING);
    assert.deepEqual([known?.kind, known?.id, known?.name], ['session', 'session-1', 'idle-1']);
    assert.ok(known?.tooltip.links?.some(({ command }) => command === 'showSession'));
  });

  it('is described by its name where no more is known, without what may have changed', () => {
    const known = describeIndexedStream({ id: LIVE_ID, name: 'a](command:evil)', playbackId: 'abcd1234efgh5678' });
    assert.equal(known.name, 'a](command:evil)');
    assert.match(known.tooltip.markdown, /^\*\*a.*\*\*\n\nPlayback ID\\: abcd1234efgh5678$/);
    assert.ok(!known.tooltip.markdown.includes('](command:evil)'));
    assert.deepEqual(fieldsOf(known.tooltip.links, 'command'), ['showStream', 'copyPlaybackUrl']);
    const bare = describeIndexedStream({ id: LIVE_ID, name: '', playbackId: undefined });
    assert.deepEqual([bare.name, bare.tooltip.links?.length], [LIVE_ID, 1]);
  });

  it('is nobody’s where it isn’t known, or is no id', () => {
    for (const text of ['ffffffff-6a3f-4c52-9d7f-2f6f8f6f1a11', '', 'a b', '__proto__', live.name]) {
      assert.equal(describeId(snapshot, text, DRAWING), undefined, text);
    }
  });
});
