import assert from 'node:assert/strict';
import type { Session, Stream } from '../../../src/api/types.ts';
import { escapeMarkdown } from '../../../src/tree/markdown.ts';
import { sessionTooltip, streamTooltip } from '../../../src/tree/tooltip.ts';
import { aFact, aLiveStream, aSession, aStream, HOUR, NOW } from '../../support/model/builders.ts';
import { DRAWING } from './drawnTree.ts';

/** As it is written, with the backslashes of escaping. */
function raw(stream: Stream): string {
  return streamTooltip(aFact(stream), DRAWING);
}

/** As it is read. */
function read(markdown: string): string {
  return markdown.replace(/\\(.)/g, '$1');
}

/** The cells of a table's line, as a Markdown parser splits them. */
function cells(line: string): readonly string[] {
  return line
    .split(/(?<!(?:^|[^\\])(?:\\\\)*\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('a stream’s tooltip', () => {
  it('is a table of what is known', () => {
    const stream = aLiveStream({
      ...{ id: 'id-1', name: 'Keynote', playbackId: 'play1', record: true, isHealthy: false, suspended: false },
      ...{ sourceSegments: 1200, sourceSegmentsDuration: 3720.5, transcodedSegments: 3, ingestRate: 250_000 },
    });
    const text = read(raw(stream));
    for (const line of [
      ...['**Keynote**', '| State | live · recording |', '| Playback ID | play1 |', '| ID | id-1 |'],
      ...['| Created | Nov 19, 2026, 10:54:00 |', '| Last live | Nov 20, 2026, 10:53:55 |'],
      ...['| Source | 1,200 segments · 1h 02m |', '| Transcoded | 3 segments |', '| Recording | On |'],
      ...['| Health | unhealthy |', '| Suspended | No |', '| Ingest bitrate | 2 Mbit/s |'],
    ]) {
      assert.ok(text.split('\n').includes(line), `${line} in\n${text}`);
    }
  });

  it('leaves out what the service did not say', () => {
    const text = read(raw(aStream({ id: 'a' })));
    assert.doesNotMatch(text, /Health|Suspended|Playback|Source|undefined|null|NaN/);
    assert.match(text, /Last live \| never live/);
  });

  it('says of a stale stream that the service still calls it active', () => {
    assert.match(
      read(raw(aLiveStream({ id: 'a', lastSeen: NOW - HOUR }))),
      /^Reported as active, but no data is being received\./,
    );
  });

  it('never holds the stream key', () => {
    assert.ok(!read(raw(aLiveStream({ id: 'a', streamKey: 'aaaa-bbbb-cccc' }))).includes('aaaa-bbbb'));
  });

  it('keeps its table whatever stands in a name', () => {
    for (const name of ['a | b', 'a \\| b', 'a \\\\| b', '| --- |', 'one\n| two | three |', '\\']) {
      const lines = raw(aStream({ id: 'a', name, playbackId: name }))
        .split('\n')
        .slice(2);
      assert.equal(lines.length, 8, 'no value begins a line of its own');
      assert.ok(
        lines.every((line) => cells(line).length === 2),
        `${name} in\n${lines.join('\n')}`,
      );
    }
  });

  it('makes no link, picture, HTML, icon or code of a name', () => {
    const evil =
      '![x](https://evil/x.png) <img src=x onerror=1> [a](command:b) $(bug) `c` https://evil www.evil.test &lt; *b* _c_ ~d~';
    const written = (raw(aStream({ id: 'a', name: evil })).split('\n')[0] ?? '').slice(2, -2);
    assert.doesNotMatch(written, /(?<!\\)[![\]()<>`*_~$&:@]/);
    assert.doesNotMatch(written, /https?:\/\/|www\./);
    assert.ok(read(written).includes(evil), 'it still shows the name');
  });

  it('cuts names, and stays small whatever is sent', () => {
    const profiles = Array.from({ length: 5000 }, (_, i) => ({
      name: 'x'.repeat(10_000),
      other: 'y'.repeat(10_000),
      fps: i,
    }));
    const text = raw(
      aStream({ id: 'a', name: 'n'.repeat(10_000), issues: Array(5000).fill('z'.repeat(10_000)), profiles }),
    );
    assert.ok(text.length < 20_000, String(text.length));
    assert.ok(!text.includes('n'.repeat(200)));
  });

  it('isolates a name that runs right to left', () => {
    assert.ok(raw(aStream({ id: 'a', name: 'שידור' })).includes('\u2068שידור\u2069'));
  });

  it('shows profiles with known keys as a table', () => {
    const profiles = [
      { name: '720p', width: 1280, height: 720, bitrate: 2_000_000, fps: 30 },
      { name: '360p', width: 640, height: 360, bitrate: 500_000, fps: 30, gop: '2.0' },
    ];
    const text = read(raw(aStream({ id: 'a', profiles })));
    assert.match(text, /\| Profile \| Resolution \| Bitrate \| Frame rate \| Other \|/);
    assert.match(text, /\| 720p \| 1280 × 720 \| 2 Mbit\/s \| 30 \|\s+\|/);
    assert.match(text, /\| 360p \| 640 × 360 \| 500 kbit\/s \| 30 \| \{"gop":"2\.0"\} \|/);
  });

  it('shows a profile as a row of the table though some of it is not known', () => {
    const profiles = [{ name: '720p', width: null, fps: undefined, bitrate: '2M' }];
    assert.match(read(raw(aStream({ id: 'a', profiles }))), /\| 720p \|\s+\| 2M \|\s+\|/);
  });

  it('says that a profile keeps the frame rate of the source, which is told as 0', () => {
    const profiles = [{ name: '720p0', width: 1280, height: 720, bitrate: 2_000_000, fps: 0 }];
    assert.match(read(raw(aStream({ id: 'a', profiles }))), /\| 2 Mbit\/s \| Same as source \|/);
  });

  it('shows profiles of any other shape as compact JSON', () => {
    for (const [profiles, json] of [
      [['720p', 3, null], '["720p",3,null]'],
      [[{ codec: 'h264' }], '[{"codec":"h264"}]'],
      [[{ name: { odd: true } }], '[{"name":{"odd":true}}]'],
      [[{ name: '720p', fps: true }], '[{"name":"720p","fps":true}]'],
    ] as const) {
      assert.ok(read(raw(aStream({ id: 'a', profiles }))).endsWith(json));
    }
  });
});

describe('a session’s tooltip', () => {
  it('says id, start, duration, recorded or not, state, and what is there', () => {
    const session = aSession({
      id: 's-1',
      record: true,
      recordingUrl: 'https://x/?token=secret',
      sourceSegmentsDuration: 90,
    });
    const text = read(sessionTooltip(session, { recording: 'ready' }, DRAWING));
    for (const part of [
      'ID | s-1',
      'Start | Nov 20, 2026, 08:54:00',
      'Duration | 1 min',
      'Recorded | Yes',
      'State | ready',
      'HLS URL | Available',
      'MP4 URL | Unknown',
    ]) {
      assert.ok(text.includes(`| ${part} |`), part);
    }
    assert.ok(!text.includes('secret'), 'addresses may be signed: they are not shown');
  });

  it('says that there is no MP4 only where there can be none: lists of all sessions need not name it', () => {
    const saysOf = (fields: Partial<Session>) =>
      /MP4 URL \| ([\w ]+) \|/.exec(read(sessionTooltip(aSession({ id: 's-1', ...fields }), {}, DRAWING)))?.[1];
    assert.equal(saysOf({ record: false }), 'Not available');
    for (const recordingStatus of ['waiting', 'failed', 'deleted', 'none']) {
      assert.equal(saysOf({ record: true, recordingStatus }), 'Not available', recordingStatus);
    }
    for (const recordingStatus of ['ready', 'in-progress', undefined]) {
      assert.equal(saysOf({ record: true, recordingStatus }), 'Unknown', recordingStatus);
    }
    assert.equal(saysOf({ record: true, mp4Url: 'https://x/source.mp4' }), 'Available');
  });
});

describe('escaped text', () => {
  it('reads as it was', () => {
    const all = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
    assert.equal(read(escapeMarkdown(all)), all);
  });
});
