import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { formatName, isAacCodec } from '../../../src/webview/player/leftOutSound.ts';
import { type LoadedFragment, leaveOutSound } from '../../../src/webview/player/withoutSound.ts';
import { type FragmentedMedia, fragmentClip } from '../../support/service/fragmentedMedia.ts';
import { masterOf, playlistOf, readSegment } from '../../support/service/mediaServer.ts';
import { readPlayable } from '../../support/service/playableMedia.ts';

const ONLY_SOUND = { kind: 'soundFormat' };

function segmentOf(url: string, fields: Partial<LoadedFragment> = {}): LoadedFragment {
  return { url, byteRange: [], sn: 0, initSegment: null, decryptdata: null, ...fields };
}

function initAt(url: string, byteRange: readonly number[] = []): LoadedFragment {
  return segmentOf(url, { sn: 'initSegment', byteRange });
}

function createFilter() {
  const codecs: string[] = [];
  const canPlay = (codec: string) => !isAacCodec(codec) && codec !== 'ac-3' && codec !== 'ec-3';
  const filter = leaveOutSound(canPlay, (codec) => codecs.push(codec));
  return { ...filter, codecs, notices: () => codecs.length };
}

const readBytes = async (number: number) => new Uint8Array(await readSegment(number));

async function tracksOf({ init, segments }: FragmentedMedia): Promise<readonly (string | undefined)[]> {
  const { video, audio } = await readPlayable(init, ...segments);
  return [video?.codec, audio?.codec];
}

describe('Leaving out sound that can’t be played', () => {
  it('says once that there is no sound, however much of it is left out', async () => {
    const { adaptPlaylist, adaptSegment, notices } = createFilter();
    assert.equal(adaptPlaylist(playlistOf(['0.ts'])), playlistOf(['0.ts']));
    assert.equal(notices(), 0);
    assert.match(String(adaptPlaylist(masterOf(['all.m3u8']))), /CODECS="avc1.4d401e"/);
    for (const number of [0, 1, 2]) {
      assert.equal(await adaptSegment(await readBytes(number), segmentOf(`${number}.ts`)), undefined);
    }
    assert.equal(notices(), 1);
  });

  it('says nothing where there is no such sound', async () => {
    const { init, segments } = await fragmentClip(['video']);
    const { adaptSegment, notices } = createFilter();
    await adaptSegment(init, initAt('init.mp4'));
    for (const segment of segments)
      await adaptSegment(segment, segmentOf('0.m4s', { initSegment: initAt('init.mp4') }));
    assert.equal(notices(), 0);
  });

  it('takes the tracks of a segment from its own initialization segment', async () => {
    const renditions: readonly (readonly [LoadedFragment, FragmentedMedia])[] = [
      [initAt('all.mp4', [0, 900]), await fragmentClip(['video', 'audio'])],
      [initAt('all.mp4', [900, 1800]), await fragmentClip(['audio', 'video'])],
      [initAt('picture.mp4'), await fragmentClip(['video'])],
    ];
    const { adaptSegment } = createFilter();
    for (const [init, media] of renditions) assert.equal(await adaptSegment(media.init, init), undefined);
    for (const [init, media] of renditions) {
      for (const segment of media.segments) await adaptSegment(segment, segmentOf('0.m4s', { initSegment: init }));
      assert.deepEqual(await tracksOf(media), ['avc1.4d401e', undefined], init.url);
    }
  });

  it('takes the newest initialization segment of an address', async () => {
    const init = initAt('init.mp4');
    const [first, second] = [await fragmentClip(['video', 'audio']), await fragmentClip(['audio', 'video'])];
    const { adaptSegment } = createFilter();
    for (const media of [first, second]) {
      await adaptSegment(media.init, init);
      for (const segment of media.segments) await adaptSegment(segment, segmentOf('0.m4s', { initSegment: init }));
      assert.deepEqual(await tracksOf(media), ['avc1.4d401e', undefined]);
    }
  });

  it('finds the tracks in segments that initialize themselves', async () => {
    const { init, segments } = await fragmentClip(['video', 'audio']);
    const whole = segments.map((segment) => new Uint8Array(Buffer.concat([init, segment])));
    const { adaptSegment } = createFilter();
    for (const segment of whole) await adaptSegment(segment, segmentOf('0.mp4'));
    assert.deepEqual(await tracksOf({ init: new Uint8Array(), segments: whole }), ['avc1.4d401e', undefined]);
  });

  it('leaves it out of segments that are encrypted as a whole, which stay encrypted', async () => {
    const { adaptSegment, notices } = createFilter();
    const [key, iv] = [new Uint8Array(randomBytes(16)), new Uint8Array(randomBytes(16))];
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const clear = await readBytes(0);
    const bytes = new Uint8Array(Buffer.concat([cipher.update(clear), cipher.final()]));
    const decryptdata = { method: 'AES-128', key, iv };
    assert.equal(await adaptSegment(bytes, segmentOf('0.ts', { decryptdata })), undefined);
    const decipher = createDecipheriv('aes-128-cbc', key, iv);
    const decrypted = new Uint8Array(Buffer.concat([decipher.update(bytes), decipher.final()]));
    await createFilter().adaptSegment(clear, segmentOf('0.ts'));
    assert.deepEqual(decrypted, clear);
    assert.equal(notices(), 1);
  });

  it('leaves a segment as it is that it cannot decrypt', async () => {
    const { adaptSegment, notices } = createFilter();
    const iv = new Uint8Array(16);
    for (const key of [null, new Uint8Array(16), new Uint8Array(3)]) {
      const bytes = await readBytes(0);
      const decryptdata = { method: 'AES-128', key, iv };
      assert.equal(await adaptSegment(bytes, segmentOf('0.ts', { decryptdata })), undefined);
      assert.deepEqual(bytes, await readBytes(0));
    }
    assert.equal(notices(), 0);
  });

  it('has a problem with what is sound alone: a playlist, fMP4, or packed AAC, with or without tags', async () => {
    const { adaptPlaylist, adaptSegment, notices } = createFilter();
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\nsound.m3u8\n';
    assert.deepEqual(adaptPlaylist(master), ONLY_SOUND);
    const { init } = await fragmentClip(['audio']);
    assert.deepEqual(await adaptSegment(init, initAt('init.mp4')), ONLY_SOUND);
    const adts = Uint8Array.from([0xff, 0xf1, 0x4c, 0x80, 0x01, 0xbf, 0xfc]);
    assert.deepEqual(await adaptSegment(adts, segmentOf('0.aac')), ONLY_SOUND);
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2, ...new Array<number>(130).fill(0xff)]);
    const tagged = new Uint8Array(Buffer.concat([tag, tag, adts]));
    assert.deepEqual(await adaptSegment(tagged, segmentOf('0.aac')), ONLY_SOUND);
    assert.equal(notices(), 0);
  });

  it('knows packed AC-3 and E-AC-3', async () => {
    for (const bitstreamId of [8, 16]) {
      const bytes = Uint8Array.from([0x0b, 0x77, 0, 0, 0, bitstreamId << 3]);
      assert.deepEqual(await createFilter().adaptSegment(bytes, segmentOf('0.ac3')), ONLY_SOUND);
    }
  });

  it('leaves packed MP3 alone', async () => {
    const mp3 = Uint8Array.from([0xff, 0xfb, 0x90, 0x64]);
    assert.equal(await createFilter().adaptSegment(mp3, segmentOf('0.mp3')), undefined);
    assert.deepEqual([...mp3], [0xff, 0xfb, 0x90, 0x64]);
  });
});

describe('The name of a format', () => {
  it('is what people call it, or the codec itself', () => {
    const codecs = [
      'mp4a.40.2',
      'mp4a.67',
      'mp4a.40.34',
      'mp4a.6b',
      'mp3',
      'ac-3',
      'ec-3',
      'opus',
      'dtsc',
      'pcm-s16',
      'xyz1',
    ];
    const names = ['AAC', 'AAC', 'MP3', 'MP3', 'MP3', 'AC-3', 'E-AC-3', 'Opus', 'DTS', 'PCM', 'xyz1'];
    assert.deepEqual(codecs.map(formatName), names);
  });
});
