import assert from 'node:assert/strict';
import { actOfKey } from '../../../src/webview/player/keys.ts';
import { checkAddress, checkPlaylist, checkSegment } from '../../../src/webview/player/mediaRequests.ts';
import type { Problem } from '../../../src/webview/player/messages.ts';
import { actionLabel, problemText } from '../../../src/webview/player/problemTexts.ts';

const plain = { ctrlKey: false, altKey: false, metaKey: false, on: 'BODY', isInside: true };
const RECORDING = { isStream: false, isPart: false, hasFile: false };
const STREAM = { ...RECORDING, isStream: true };
const AWAITED: readonly ((looksAgain: boolean) => Problem)[] = [
  (looksAgain) => ({ kind: 'processing', looksAgain, since: undefined }),
  (looksAgain) => ({ kind: 'notLive', looksAgain, hasRecording: false }),
  (looksAgain) => ({ kind: 'ended', looksAgain, hasRecording: false }),
];
const isNoBroadcast = (action: string) => action !== 'startTestBroadcast';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('The player, told what came', () => {
  it('knows empty, HTML and other playlists at first sight', () => {
    assert.equal(checkPlaylist('\uFEFF#EXTM3U\n'), undefined);
    assert.deepEqual(checkPlaylist(' \n'), { kind: 'emptyPlaylist' });
    assert.deepEqual(checkPlaylist('\n<!DOCTYPE html>'), { kind: 'htmlPlaylist' });
    assert.deepEqual(checkPlaylist('{"error":"no"}'), { kind: 'malformedPlaylist' });
  });

  it('knows pages in place of segments by what they are and by what they are called', () => {
    assert.deepEqual(checkSegment(bytes('<html>'), 'video/mp2t'), { kind: 'htmlSegment' });
    assert.deepEqual(checkSegment(bytes('G'), 'text/html; charset=utf-8'), { kind: 'htmlSegment' });
    assert.deepEqual(checkSegment(new Uint8Array(), 'video/mp2t'), { kind: 'truncatedSegment' });
    assert.equal(checkSegment(bytes('G123'), 'video/mp2t'), undefined);
  });

  it('lets only allowed origins be asked, and names the others', () => {
    const origins = ['https://cdn.test', 'http://127.0.0.1:80'];
    assert.equal(checkAddress('https://cdn.test/a.ts', origins), undefined);
    assert.deepEqual(checkAddress('https://cdn.test:444/a.ts', origins), {
      kind: 'foreignOrigin',
      origin: 'https://cdn.test:444',
    });
    assert.deepEqual(checkAddress('file:///etc/passwd', origins), { kind: 'foreignScheme', scheme: 'file' });
    assert.deepEqual(checkAddress('data:application/octet-stream;base64,AAAA', origins), {
      kind: 'foreignScheme',
      scheme: 'data',
    });
    assert.deepEqual(checkAddress('javascript:alert(1)', origins), { kind: 'foreignScheme', scheme: 'javascript' });
  });
});

describe('Keys of the player', () => {
  it('does what other players do', () => {
    assert.deepEqual(actOfKey({ ...plain, key: ' ' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'K' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'j' }), { act: 'seek', seconds: -10 });
    assert.deepEqual(actOfKey({ ...plain, key: 'ArrowRight' }), { act: 'seek', seconds: 5 });
    assert.deepEqual(actOfKey({ ...plain, key: 'f' }), { act: 'fullscreen' });
    assert.deepEqual(actOfKey({ ...plain, key: ',' }), { act: 'frame', step: -1 });
    assert.deepEqual(actOfKey({ ...plain, key: '>' }), { act: 'speed', step: 1 });
    assert.deepEqual(actOfKey({ ...plain, key: '3' }), { act: 'jump', portion: 0.3 });
    assert.deepEqual(actOfKey({ ...plain, key: '?' }), { act: 'help' });
  });

  it('seeks wherever the focus is, on the picture and on a button too', () => {
    for (const on of ['VIDEO', 'BUTTON', 'BODY']) {
      assert.deepEqual(actOfKey({ ...plain, key: 'ArrowLeft', on }), { act: 'seek', seconds: -5 });
    }
  });

  it('leaves the editor its shortcuts, and controls their own keys', () => {
    assert.equal(actOfKey({ ...plain, key: 'f', ctrlKey: true }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'k', metaKey: true }), undefined);
    assert.equal(actOfKey({ ...plain, key: ' ', on: 'BUTTON' }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'ArrowLeft', on: 'RANGE' }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'ArrowUp', on: 'SELECT' }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'toString' }), undefined);
  });
});

describe('Keys of a player that is a part of a page', () => {
  const outside = { ...plain, isInside: false };

  it('leaves the page its own while the player does not have the focus, but for the letters', () => {
    for (const key of [' ', 'ArrowUp', 'ArrowLeft', '.', '5']) assert.equal(actOfKey({ ...outside, key }), undefined);
    assert.deepEqual(actOfKey({ ...outside, key: 'k' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'ArrowUp', on: 'DIV' }), { act: 'volume', step: 0.1 });
  });
});

describe('What the player says', () => {
  const problems: readonly Problem[] = [
    { kind: 'status', status: 403, host: 'cdn.test' },
    { kind: 'status', status: 404, host: 'cdn.test' },
    { kind: 'status', status: 500, host: 'cdn.test' },
    { kind: 'segmentStatus', status: 404, host: 'cdn.test' },
    { kind: 'emptyPlaylist' },
    { kind: 'htmlPlaylist' },
    { kind: 'malformedPlaylist' },
    { kind: 'endlessPlaylist' },
    { kind: 'htmlSegment' },
    { kind: 'truncatedSegment' },
    { kind: 'brokenSegment' },
    { kind: 'foreignScheme', scheme: 'file' },
    { kind: 'foreignOrigin', origin: 'https://elsewhere.test' },
    { kind: 'foreignRedirect', host: 'cdn.test' },
    { kind: 'network', host: 'cdn.test' },
    { kind: 'timeout', host: 'cdn.test' },
    { kind: 'noHls' },
    { kind: 'pictureFormat' },
    { kind: 'soundFormat' },
    { kind: 'brokenFile' },
    { kind: 'stopped' },
  ];

  it('offers the browser with every problem but a recording that is gone, and says each in words of its own', () => {
    const sentences = problems.map((problem) => problemText(problem, RECORDING));
    const without = sentences.filter(({ actions }) => !actions.includes('openInBrowser'));
    assert.deepEqual(
      without.map(({ sentence }) => sentence),
      ["This recording wasn't found on cdn.test (404). It may have been deleted."],
    );
    assert.equal(new Set(sentences.map(({ sentence }) => sentence)).size, problems.length);
  });

  it('offers for a recording that is gone its MP4 and its details, and not to retry', () => {
    for (const status of [404, 410]) {
      const gone = { kind: 'status', status, host: 'cdn.test' } as const;
      assert.deepEqual(problemText(gone, RECORDING).actions, ['showDetails']);
      assert.deepEqual(problemText(gone, { ...RECORDING, hasFile: true }).actions, ['playMp4', 'showDetails']);
      assert.equal(problemText(gone, RECORDING).isGone, true);
      assert.equal(problemText(gone, STREAM).actions[0], 'retry', 'a broadcast may be about to begin');
    }
  });

  it('offers the recording of a broadcast that ended where there is one', () => {
    const ended = (hasRecording: boolean) => problemText({ kind: 'ended', looksAgain: true, hasRecording }, STREAM);
    assert.equal(ended(true).actions[0], 'openRecording');
    assert.ok(!ended(false).actions.includes('openRecording'));
  });

  it('offers a test broadcast to a stream that is not live', () => {
    const { actions } = problemText({ kind: 'notLive', looksAgain: true, hasRecording: true }, STREAM);
    assert.deepEqual(actions, ['openRecording', 'startTestBroadcast', 'showDetails']);
  });

  it('says that it goes on by itself only where it does', () => {
    for (const problemOf of AWAITED) {
      const awaited = problemText(problemOf(true), RECORDING);
      assert.match(awaited.detail ?? '', /automatically|Waiting/);
      assert.deepEqual(awaited.actions.filter(isNoBroadcast), ['showDetails']);
      const alone = problemText(problemOf(false), RECORDING);
      assert.equal(alone.detail, undefined);
      assert.deepEqual(alone.actions.filter(isNoBroadcast), ['retry', 'showDetails']);
    }
  });

  it('does not promise to begin by itself as a part of a page', () => {
    const problem = { kind: 'processing', looksAgain: true, since: undefined } as const;
    assert.equal(problemText(problem, { ...RECORDING, isPart: true }).detail, "It will appear here when it's ready.");
  });

  it('offers the MP4 only where there is one', () => {
    const actions = (hasFile: boolean) => problemText({ kind: 'noHls' }, { ...RECORDING, hasFile }).actions;
    assert.deepEqual(actions(true), ['openInBrowser', 'playMp4', 'copyAddress']);
    assert.deepEqual(actions(false), ['openInBrowser', 'showDetails', 'copyAddress']);
  });

  it('calls a button what it does', () => {
    assert.equal(actionLabel('copyAddress', true), 'Copy HLS URL');
    assert.equal(actionLabel('copyAddress', false), 'Copy Recording URL');
  });
});
