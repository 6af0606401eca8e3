import assert from 'node:assert/strict';
import { actOfKey } from '../../../src/webview/player/keys.ts';
import type { Problem } from '../../../src/webview/player/messages.ts';
import { actionLabel, problemText } from '../../../src/webview/player/problemTexts.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';

const plain = { ctrlKey: false, altKey: false, metaKey: false, on: 'BODY', isInside: true };
const RECORDING = { isStream: false, isPart: false, hasFile: false };
const STREAM = { ...RECORDING, isStream: true };
const AWAITED: readonly ((looksAgain: boolean) => Problem)[] = [
  (looksAgain) => ({ kind: 'processing', looksAgain, since: undefined }),
  (looksAgain) => ({ kind: 'notLive', looksAgain, hasRecording: false }),
  (looksAgain) => ({ kind: 'ended', looksAgain, hasRecording: false }),
];
const isNoBroadcast = (action: string) => action !== 'startTestBroadcast';

describe('Keys of the player', () => {
  it('does what other players do', () => {
    assert.deepEqual(actOfKey({ ...plain, key: ' ' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'K' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'j' }), { act: 'seek', seconds: -10 });
    assert.deepEqual(actOfKey({ ...plain, key: 'ArrowRight' }), { act: 'seek', seconds: 5 });
    assert.deepEqual(actOfKey({ ...plain, key: 'f' }), { act: 'fullscreen' });
    assert.deepEqual(actOfKey({ ...plain, key: 's' }), { act: 'statistics' });
    assert.deepEqual(actOfKey({ ...plain, key: ',' }), { act: 'frame', step: -1 });
    assert.deepEqual(actOfKey({ ...plain, key: 'c' }), { act: 'clip' });
    assert.deepEqual(actOfKey({ ...plain, key: 'i' }), { act: 'clipEnd', end: 'start' });
    assert.deepEqual(actOfKey({ ...plain, key: 'O' }), { act: 'clipEnd', end: 'end' });
    assert.deepEqual(actOfKey({ ...plain, key: '>' }), { act: 'speed', step: 1 });
    assert.deepEqual(actOfKey({ ...plain, key: '3' }), { act: 'jump', portion: 0.3 });
    assert.deepEqual(actOfKey({ ...plain, key: 'Home' }), { act: 'jump', portion: 0 });
    assert.deepEqual(actOfKey({ ...plain, key: 'End' }), { act: 'jump', portion: 1 });
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
    for (const key of ['ArrowLeft', 'Home', 'End']) assert.equal(actOfKey({ ...plain, key, on: 'RANGE' }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'ArrowUp', on: 'SELECT' }), undefined);
    assert.equal(actOfKey({ ...plain, key: 'toString' }), undefined);
    for (const key of ['i', ',', '.']) assert.equal(actOfKey({ ...plain, key, on: 'INPUT' }), undefined);
  });
});

describe('Keys of a player that is a part of a page', () => {
  const outside = { ...plain, isInside: false };

  it('leaves the page its own while the player does not have the focus, but for the letters', () => {
    for (const key of [' ', 'ArrowUp', 'ArrowLeft', 'End', '.', '5'])
      assert.equal(actOfKey({ ...outside, key }), undefined);
    assert.deepEqual(actOfKey({ ...outside, key: 'k' }), { act: 'toggle' });
    assert.deepEqual(actOfKey({ ...plain, key: 'ArrowUp', on: 'DIV' }), { act: 'volume', step: 0.1 });
  });
});

describe('The texts of the player', () => {
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
    { kind: 'unreachable', sentence: "Couldn't reach cdn.test." },
    { kind: 'largeSegment' },
    { kind: 'timeout' },
    { kind: 'noHls' },
    { kind: 'pictureFormat' },
    { kind: 'soundFormat' },
    { kind: 'brokenFile' },
    { kind: 'stopped' },
  ];

  it('offers the browser with every problem but a recording that is gone, and says each in words of its own', () => {
    const sentences = problems.map((problem) => problemText(problem, RECORDING));
    const without = sentences.filter(({ actions }) => !actions.includes('openInBrowser'));
    assert.deepEqual(fieldsOf(without, 'sentence', 'detail'), [
      ["This recording wasn't found on cdn.test (404).", 'It may have been deleted.'],
    ]);
    assert.equal(new Set(sentences.map(({ sentence }) => sentence)).size, problems.length);
  });

  it('offers for a recording that is gone its MP4 and its details, and not to retry', () => {
    for (const status of [404, 410]) {
      const gone = { kind: 'status', status, host: 'cdn.test' } as const;
      assert.deepEqual(problemText(gone, RECORDING).actions, ['showDetails']);
      assert.deepEqual(problemText(gone, { ...RECORDING, hasFile: true }).actions, ['playMp4', 'showDetails']);
      assert.equal(problemText(gone, RECORDING).isGone, true);
      assert.deepEqual(
        problemText(gone, STREAM).actions.slice(0, 2),
        ['retry', 'checkStream'],
        'one may be about to begin',
      );
    }
  });

  it('says what it waits for while a broadcast has no video yet, and how to find out why', () => {
    const unpublished = problemText({ kind: 'unpublished' }, STREAM);
    assert.deepEqual(unpublished.actions, ['checkStream', 'showDetails']);
    assert.match(unpublished.sentence, /^Waiting for the service/);
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

  it('offers to resume a suspended stream, if the service can, and never a test broadcast', () => {
    const textOf = (kind: 'notLive' | 'ended', canResume: boolean) =>
      problemText({ kind, looksAgain: true, hasRecording: true, suspended: { canResume } }, STREAM);
    assert.deepEqual(textOf('notLive', true).actions, ['resumeStream', 'openRecording', 'showDetails']);
    assert.deepEqual(textOf('notLive', false).actions, ['openRecording', 'showDetails']);
    assert.equal(textOf('notLive', true).sentence, 'This stream is suspended.');
    assert.match(textOf('notLive', true).detail ?? '', /once the stream is resumed/);
    assert.equal(textOf('ended', true).sentence, 'This broadcast has ended. The stream is suspended.');
    assert.equal(actionLabel('resumeStream', true), 'Resume Stream');
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

  it('says as a part of a page only what its state line does not', () => {
    const problem = { kind: 'processing', looksAgain: true, since: undefined } as const;
    const { sentence, detail, isWaiting } = problemText(problem, { ...RECORDING, isPart: true });
    const then = "The video will appear here when it's ready.";
    assert.deepEqual([sentence, detail, isWaiting], [then, undefined, true]);
    const alone = problemText({ ...problem, looksAgain: false }, { ...RECORDING, isPart: true });
    assert.deepEqual([alone.sentence, alone.actions[0]], ['The recording is being processed.', 'retry']);
  });

  it('says that the host retries', () => {
    const problem = { kind: 'unreachable', sentence: "Couldn't reach cdn.test." } as const;
    assert.equal(problemText(problem, STREAM).detail, undefined);
    assert.ok(problemText(problem, STREAM).isFailure);
    assert.ok(problemText(problem, STREAM).actions.includes('checkStream'));
    assert.ok(!problemText(problem, { ...STREAM, isPart: true }).actions.includes('checkStream'));
    assert.ok(!problemText(problem, RECORDING).actions.includes('checkStream'));
    const refused = { kind: 'status', status: 500, host: 'cdn.test' } as const;
    const detail = 'Retrying automatically until the video is available.';
    assert.equal(problemText({ ...refused, isRetried: true }, STREAM).detail, detail);
    assert.equal(problemText({ ...problem, isRetried: true }, RECORDING).detail, detail);
  });

  it('calls a button what it does', () => {
    assert.equal(actionLabel('copyAddress', true), 'Copy HLS URL');
    assert.equal(actionLabel('copyAddress', false), 'Copy Recording URL');
  });
});
