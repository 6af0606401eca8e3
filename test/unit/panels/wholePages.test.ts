import assert from 'node:assert/strict';
import { sessionDetails } from '../../../src/panels/shownDetails.ts';
import { streamDetails } from '../../../src/panels/streamDetails.ts';
import type { Button, Fact, ShownDetails } from '../../../src/webview/details/messages.ts';
import { STREAMING_TEMPLATES } from '../../support/model/addressTemplates.ts';
import { aFact, aSession, aSnapshot, aStream, DAY, HOUR, NOW } from '../../support/model/builders.ts';

const TEMPLATES = { ...STREAMING_TEMPLATES, dashboard: 'https://dash.example/{id}' };
const DOTS = '•'.repeat(16);
const DOTS_IN_URL = '•'.repeat(6);

const stream = aStream({
  ...{ id: 's1', name: 'Keynote', streamKey: 'abcd-efgh', playbackId: 'p1', projectId: 'pr1' },
  ...{ createdByTokenName: 'CI\nserver', createdAt: NOW - 2 * DAY, lastSeen: NOW - HOUR },
  ...{ sourceSegmentsDuration: 3720, transcodedSegmentsDuration: 7440 },
});
const session = aSession({
  ...{ id: 'x1', parentId: 's1', playbackId: 'p2', projectId: 'pr1', record: true, recordingStatus: 'ready' },
  ...{ createdAt: NOW - DAY, lastSeen: NOW - DAY + HOUR, transcodedSegmentsDuration: 7200 },
  ...{ recordingUrl: 'https://cdn.example/r.m3u8', mp4Url: 'https://cdn.example/r.mp4' },
});
const context = {
  snapshot: aSnapshot({ streams: [stream] }),
  reader: { now: NOW, locale: 'en', timeZone: 'UTC' },
  templates: TEMPLATES,
};

const buttonText = ({ label, hint, act }: Button) => `[${label} = ${hint ?? 'no hint'} = ${act}]`;

/** "Stream Key: •••• (code, secret: streamKey) [Copy = Copy: Stream Key = copyStreamKey]" */
function factText({ label, value, note, isCode, secret, link, buttons = [] }: Fact): string {
  const kinds = [isCode === true && 'code', secret !== undefined && `secret: ${secret}`, note];
  const about = kinds.filter((kind) => typeof kind === 'string').join(', ');
  const led = link === undefined ? undefined : `-> ${buttonText(link)}`;
  return [`${label}: ${value}`, about && `(${about})`, led, ...buttons.map(buttonText)].filter(Boolean).join(' ');
}

function linesOf({ sections, more, menu, buttons }: ShownDetails): readonly string[] {
  const lines = [...sections, ...more].flatMap(({ heading, facts = [], texts = [], note, isWide }) => [
    `# ${heading}${isWide === true ? ' (wide)' : ''}`,
    ...facts.map(factText),
    ...texts,
    ...(note === undefined ? [] : [note]),
  ]);
  const acts = [buttons, ...menu].map((group) => group.map(({ label, act }) => `${label} = ${act}`).join(', '));
  return [...acts, ...lines];
}

describe('The whole text of a details page', () => {
  it('is as expected of a stream of which everything is known', () => {
    const copied = (label: string, act: string) => `[Copy = Copy: ${label} = ${act}]`;
    assert.deepEqual(linesOf(streamDetails(aFact(stream), context)), [
      'Copy Stream Key = copyStreamKey',
      'Check Stream = checkStream, Start Test Broadcast… = startTestBroadcast',
      'Open Stream in Dashboard = openDashboard, Open as JSON = openJson',
      'Rename Stream… = renameStream, Turn On Recording = turnRecordingOn, Suspend Stream = suspendStream',
      'Delete Stream = deleteStream',
      '# Connect an Encoder',
      `RTMP Server: rtmp://in.example/live (code) ${copied('RTMP Server', 'copyIngestServer')}`,
      `Stream Key: ${DOTS} (code, secret: streamKey, In OBS, go to Settings > Stream, set Service to Custom…, and paste the server and the stream key.) [Reveal the stream key for 30 seconds = no hint = reveal] ${copied('Stream Key', 'copyStreamKey')}`,
      `RTMP URL (with Key): rtmp://in.example/live/${DOTS_IN_URL} (code, secret: ingestUrl) ${copied('RTMP URL (with Key)', 'copyIngestUrl')}`,
      `SRT URL (with Key): srt://in.example:2935?streamid=${DOTS_IN_URL} (code, secret: srt) ${copied('SRT URL (with Key)', 'copySrt')}`,
      `WHIP URL (with Key): https://in.example/webrtc/${DOTS_IN_URL} (code, secret: whip) ${copied('WHIP URL (with Key)', 'copyWhip')}`,
      '# Playback and Recording',
      `HLS URL: https://cdn.example/hls/p1/index.m3u8 (code) ${copied('HLS URL', 'copyPlaybackUrl')}`,
      `Player URL: https://play.example/?v=p1 (code) [Open the player page in your browser = no hint = openPlayerPage] ${copied('Player URL', 'copyPlayerUrl')}`,
      `Playback ID: p1 (code) ${copied('Playback ID', 'copyPlaybackId')}`,
      'Recording: Off [Turn On = Turn On Recording = turnRecordingOn]',
      '# IDs',
      `Stream ID: s1 (code) ${copied('Stream ID', 'copyStreamId')}`,
      `Project ID: pr1 (code) ${copied('Project ID', 'copyProjectId')}`,
      'Created with API Key: CI server',
      '# Renditions',
      'Source only (no transcoding)',
      '# Tags',
      'Add tags, such as an event or a language, to help you find streams.',
      '# Activity',
      'Created: Nov 18, 2026, 10:54:00',
      'Last Live: Nov 20, 2026, 09:54:00',
      'Total Streaming Time: 1 h 2 min',
      'Transcoded Time (All Renditions): 2 h 4 min',
    ]);
  });

  it('is as expected of a recording of which everything is known', () => {
    assert.deepEqual(linesOf(sessionDetails(session, context)), [
      'Download MP4… = downloadMp4, Create Clip… = createClip',
      'Watch in Browser = openRecordingInBrowser',
      'Open as JSON = openJson',
      '# Session (wide)',
      'Stream: Keynote -> [Keynote = Show details of "Keynote" = showStream]',
      'Start: Nov 19, 2026, 10:54:00',
      'End: Nov 19, 2026, 11:54:00',
      'Recording URL: https://cdn.example/r.m3u8 (code) [Copy = Copy: Recording URL = copyRecordingUrl]',
      'MP4 URL: https://cdn.example/r.mp4 (code) [Copy = Copy: MP4 URL = copyMp4Url]',
      '# IDs',
      'Session ID: x1 (code) [Copy = Copy: Session ID = copySessionId]',
      'Stream ID: s1 (code) [Copy = Copy: Stream ID = copyStreamId]',
      'Playback ID: p2 (code) [Copy = Copy: Playback ID = copyOwnPlaybackId]',
      'Project ID: pr1 (code) [Copy = Copy: Project ID = copyProjectId]',
      '# Renditions',
      'Source only (no transcoding)',
      '# Activity',
      'Transcoded Time (All Renditions): 2 h',
    ]);
  });

  it('is little of a stream of which nothing is known but its ID', () => {
    const nothing = { sourceSegmentsDuration: 0, transcodedSegmentsDuration: -1 };
    const unknown = { createdAt: undefined, profiles: undefined };
    const bare = aStream({ id: 's1', name: '', streamKey: '', ...nothing, ...unknown });
    const shown = streamDetails(aFact(bare), { ...context, snapshot: aSnapshot(), templates: {} });
    assert.deepEqual(linesOf(shown), [
      '',
      'Open as JSON = openJson',
      '# Connect an Encoder',
      'RTMP Server: Not configured [Configure… = Configure RTMP Server… = setAddress]',
      'Stream Key: Not available',
      'Recording: Off',
      '# IDs',
      'Stream ID: s1 (code) [Copy = Copy: Stream ID = copyStreamId]',
      '# Activity',
    ]);
  });

  it('has no ingest URLs of a stream with a key if none are known', () => {
    const { more } = streamDetails(aFact(stream), { ...context, templates: {} });
    assert.ok(!more.some(({ id }) => id === 'ingest'));
  });

  it('leads from a session without an act of its own to its stream', () => {
    const waiting = { ...session, recordingUrl: undefined, mp4Url: undefined, recordingStatus: 'waiting' };
    const shown = sessionDetails(waiting, context);
    assert.equal(linesOf(shown)[0], 'Show Stream Details = showStream');
  });
});
