import assert from 'node:assert/strict';
import { PartLoader } from '../../../src/webview/player/partLoader.ts';

describe('A part of a page that is loaded late', () => {
  function createLoader() {
    const requested: string[] = [];
    return { requested, loader: new PartLoader((part) => requested.push(part)) };
  }

  it('is requested once, however many want the part', async () => {
    const { requested, loader } = createLoader();
    const loads = [loader.load('mp4'), loader.load('mp4'), loader.load('sound')];
    loader.receive({ part: 'mp4', script: 'code' });
    loader.receive({ part: 'sound', script: 'decoder' });
    const scripts = (await Promise.all([...loads, loader.load('mp4')])).map(({ script }) => script);
    assert.deepEqual(scripts, ['code', 'code', 'decoder', 'code']);
    assert.deepEqual(requested, ['mp4', 'sound']);
  });

  it('is requested again if it could not be read', async () => {
    const { requested, loader } = createLoader();
    const first = loader.load('mp4');
    loader.receive({ part: 'mp4', script: undefined });
    assert.equal((await first).script, undefined);
    const second = loader.load('mp4');
    loader.receive({ part: 'mp4', script: 'code' });
    assert.equal((await second).script, 'code');
    assert.deepEqual(requested, ['mp4', 'mp4']);
  });

  it('is ignored if nobody asked for the part', () => {
    const { requested, loader } = createLoader();
    loader.receive({ part: 'mp4', script: 'code' });
    void loader.load('mp4');
    assert.deepEqual(requested, ['mp4']);
  });
});
