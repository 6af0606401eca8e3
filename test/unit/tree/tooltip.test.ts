import assert from 'node:assert/strict';
import { ALL_ABILITIES, type Session, type Stream } from '../../../src/api/types.ts';
import { sessionLinks, sessionTooltip, streamLinks, streamTooltip } from '../../../src/tree/tooltip.ts';
import { escapeMarkdown } from '../../../src/util/markup.ts';
import {
  aConnection,
  aFact,
  aLiveStream,
  aSession,
  aSnapshot,
  aStream,
  aTrouble,
  HOUR,
  MINUTE,
  NOW,
  type SnapshotParts,
} from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

/** As it is written, with the backslashes of escaping. */
function raw(stream: Stream, parts: SnapshotParts = {}): string {
  return streamTooltip(aSnapshot({ streams: [stream], ...parts }), aFact(stream), DRAWING);
}

/** As it is read. */
function read(markdown: string): string {
  return markdown.replace(/\\(.)/g, '$1');
}

/** The lines that are read. */
function lines(markdown: string): readonly string[] {
  return read(markdown)
    .split(/\n+/)
    .map((line) => line.trim());
}

describe('the tooltip of a private stream', () => {
  it('says who can watch the stream', () => {
    const policyLine = (type: string) => {
      const playbackPolicy = { type, webhookId: undefined, allowedOrigins: [] };
      return lines(raw(aStream({ id: 'a', playbackPolicy }))).at(-1);
    };
    assert.equal(policyLine('jwt'), 'Private: signed token');
    assert.equal(policyLine('webhook'), 'Private: webhook');
    assert.equal(policyLine('lit_signing_condition'), 'Private: lit_signing_condition');
    assert.equal(policyLine('public'), 'Never live');
  });
});

describe('a stream’s tooltip', () => {
  const live = aLiveStream({
    ...{ id: 'id-1', name: 'Keynote', playbackId: 'play1', streamKey: 'aaaa-bbbb-cccc', record: true },
    ...{ isHealthy: true, ingestRate: 312_500 },
  });

  it('says that it may be out of date, and since when, while the service fails or rejects the key', () => {
    const outdated = (stream: Stream, parts: SnapshotParts) => lines(raw(stream, parts))[2];
    const trouble = aTrouble('network', { host: 'api.test' });
    for (const stream of [live, aStream({ id: 'idle' })]) {
      assert.equal(outdated(stream, { trouble }), "Couldn't reach api.test. Last updated: 10:54.");
      const refused = { connection: { kind: 'refused', info: aConnection() } } as const;
      assert.equal(outdated(stream, refused), 'The API key was rejected. Last updated: 10:54.');
    }
    assert.equal(outdated(live, {}), 'Playback ID: play1');
    assert.equal(lines(raw(live, { trouble }))[1], 'Live · recording', 'nobody knows how well it goes on');
  });

  it('says in one line what a live stream is doing', () => {
    const running = aSession({ id: 's', parentId: 'id-1', createdAt: NOW - 48 * MINUTE, lastSeen: NOW - 5000 });
    assert.deepEqual(lines(raw(live, { sessions: { 'id-1': [running] } })), [
      '**Keynote**',
      'Live for 48 min · recording · 2.5 Mbps · healthy',
      'Playback ID: play1',
    ]);
    assert.equal(lines(raw(live))[1], 'Live · recording · 2.5 Mbps · healthy', 'the session is not loaded');
    assert.equal(lines(raw({ ...live, isHealthy: undefined, ingestRate: 0, record: false }))[1], 'Live');
    const suspended = { ...live, suspended: true, isHealthy: false, issues: ['low bitrate'] };
    assert.deepEqual(lines(raw(suspended)).slice(1), ['Suspended · still live', 'Playback ID: play1']);
  });

  it('says when others were live, and whether the next broadcast is recorded', () => {
    const idle = aStream({ id: 'a', record: true, lastSeen: NOW - 3 * HOUR });
    assert.deepEqual(lines(raw(idle)), ['**a**', 'Idle · recording on', 'Last live: Today 07:54']);
    assert.deepEqual(lines(raw(aStream({ id: 'a', suspended: true }))), ['**a**', 'Suspended', 'Never live']);
  });

  it('says that a stream without data is reported as active', () => {
    assert.deepEqual(lines(raw(aLiveStream({ id: 'a', lastSeen: NOW - HOUR }))), [
      '**a**',
      'No data for 1 h',
      'The service reports the stream as live, but no data is arriving.',
      'Last data: Today 09:54',
    ]);
  });

  it('has eight lines at most, with a picture and links', () => {
    const issues = ['one', 'two', 'three', 'four'];
    const all = lines(raw({ ...live, issues }));
    assert.deepEqual(all.slice(2, 4), ['**one**', '**two** (and 2 more)']);
    assert.ok(all.length + 2 <= 8, all.join('\n'));
    assert.ok(!lines(raw({ ...live, issues, lastSeen: NOW - HOUR })).includes('one'), 'issues of when there was data');
    assert.ok(!lines(raw(aStream({ id: 'a', issues }))).includes('one'), 'issues of the past');
  });

  it('never holds the stream key', () => {
    assert.ok(!read(raw(live)).includes('aaaa-bbbb'));
  });

  it('links to what can be done with a stream, and to nothing where its id is odd', () => {
    const linked = (stream: Stream) =>
      streamLinks(aSnapshot(), aFact(stream)).map(({ title, command, id }) => `${title}: ${command} ${id}`);
    assert.deepEqual(linked(live), [
      'Watch: watchStream id-1',
      'Show Details: showStream id-1',
      'Copy Stream Key: copyStreamKey id-1',
    ]);
    const check = 'Check Stream: checkStream id-1';
    assert.equal(linked({ ...live, isHealthy: false })[1], check);
    assert.equal(linked({ ...live, lastSeen: NOW - HOUR })[0], check, 'no data');
    const suspended = { ...live, suspended: true, isHealthy: false };
    const resume = 'Resume Stream: resumeStream id-1';
    assert.deepEqual(linked(suspended).slice(0, 2), [resume, 'Show Details: showStream id-1']);
    const cannot = streamLinks(aSnapshot({ abilities: { ...ALL_ABILITIES, suspend: false } }), aFact(suspended));
    assert.ok(!cannot.some(({ command }) => command === 'resumeStream'));
    assert.deepEqual(linked(aStream({ id: 'a', playbackId: 'p' })), ['Show Details: showStream a'], 'it is not live');
    assert.deepEqual(linked({ ...live, id: '") [x](command:y' }), []);
  });

  it('makes no link, picture, HTML, icon or code of what the service says', () => {
    const evil =
      '![x](https://evil/x.png) <img src=x onerror=1> [a](command:b) $(bug) `c` https://evil www.evil.test &lt; *b* _c_ ~d~ | e';
    for (const stream of [
      aStream({ id: 'a', name: evil }),
      { ...live, issues: [evil] },
      { ...live, playbackId: evil },
    ]) {
      const written = raw(stream);
      assert.doesNotMatch(written.replaceAll('**', ''), /(?<!\\)[![\]()<>`*_~$&:@|]/);
      assert.doesNotMatch(written, /https?:\/\/|www\./);
      assert.ok(read(written).includes('[a](command:b)'), 'it is still shown');
    }
  });

  it('keeps to its lines whatever stands in a name', () => {
    for (const name of ['one\ntwo', 'one  \ntwo', '# one', '- one', '\\']) {
      assert.equal(lines(raw(aStream({ id: 'a', name, playbackId: name }))).length, 4, name);
    }
  });

  it('cuts names and issues', () => {
    const text = raw({ ...live, name: 'n'.repeat(10_000), issues: Array(5000).fill('z'.repeat(10_000)) });
    assert.ok(text.length < 1000, String(text.length));
  });

  it('isolates a name that runs right to left', () => {
    assert.ok(raw(aStream({ id: 'a', name: 'שידור' })).includes('\u2068שידור\u2069'));
  });
});

describe('a session’s tooltip', () => {
  const session = aSession({ id: 's-1', recordingUrl: 'https://x/?token=secret', sourceSegmentsDuration: 3720 });

  it('says its stream, its times, and what became of its recording', () => {
    const markdown = sessionTooltip(session, { stream: 'Keynote', state: 'Recording ready' }, DRAWING);
    assert.deepEqual(lines(markdown), ['**Keynote**', 'Recording ready', 'Today 08:54 – 09:56 · 1 h 2 min']);
    const odd = sessionTooltip(aSession({ id: 's', createdAt: undefined }), { stream: '*a*', state: '_b_' }, DRAWING);
    assert.deepEqual(lines(odd), ['***a***', '_b_', 'Unknown start time']);
    assert.ok(odd.includes('\\*a\\*') && odd.includes('\\_b\\_'));
  });

  it('links to its recording where there is one, and to the broadcast while it runs', () => {
    const linked = (given: Partial<Session>, parts: SnapshotParts = {}) =>
      sessionLinks(aSnapshot(parts), aSession({ id: 's-1', parentId: 'a', ...given })).map(
        ({ title, id }) => `${title} ${id}`,
      );
    assert.deepEqual(linked(session), ['Watch Recording s-1', 'Show Details s-1']);
    assert.deepEqual(linked({ mp4Url: 'https://x' }), ['Watch Recording s-1', 'Show Details s-1']);
    assert.deepEqual(linked({}), ['Show Details s-1']);
    const running = { createdAt: NOW - MINUTE, lastSeen: NOW - 5000 };
    const sessions = { a: [aSession({ id: 's-1', parentId: 'a', ...running })] };
    assert.deepEqual(linked(running, { streams: [aLiveStream({ id: 'a' })], sessions }), [
      'Watch a',
      'Show Details s-1',
    ]);
  });
});

describe('escaped text', () => {
  it('reads as it was', () => {
    const all = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
    assert.equal(read(escapeMarkdown(all)), all);
  });
});
