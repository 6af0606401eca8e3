import assert from 'node:assert/strict';
import { PictureLoader } from '../../../src/panels/detailsPanel.ts';
import type { HttpResponse } from '../../../src/services.ts';
import { aConnection, aSnapshot } from '../../support/model/builders.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock, settle } from '../../support/model/heldClock.ts';

const MINUTE_MS = 60_000;
const GIF = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAA='), (sign) => sign.charCodeAt(0));
const PICTURE: HttpResponse = { status: 200, headers: { 'content-type': 'image/gif' }, body: GIF };

function start({
  isOpen = true,
  answer = async () => PICTURE,
}: {
  isOpen?: boolean;
  answer?: () => Promise<HttpResponse>;
} = {}) {
  const clock = heldClock();
  const info = aConnection();
  const snapshot = aSnapshot({ connection: isOpen ? { kind: 'open', info } : { kind: 'refused', info } });
  const asked: string[] = [];
  const shown: (string | undefined)[] = [];
  const account = {
    async readThumbnailUrl(playbackId: string) {
      asked.push(playbackId);
      return `${new URL(info.baseUrl).origin}/${playbackId}.gif`;
    },
    viewerToken: async () => undefined,
  };
  const context = {
    clock,
    log: fakeLog(),
    transport: { send: answer },
    store: { snapshot },
    connection: { account, info },
  };
  const picture = new PictureLoader(context as never, (each) => shown.push(each));
  return { clock, asked, shown, picture };
}

describe('The picture on the page of a live stream', () => {
  it('is fetched when the stream is followed, and once a minute from then on', async () => {
    const { clock, asked, shown, picture } = start();
    picture.follow('one');
    await settle();
    assert.match(shown[0] ?? '', /^data:image\/gif;base64,/);
    picture.follow('one');
    await clock.advance(MINUTE_MS - 1);
    picture.follow('one');
    assert.deepEqual(asked, ['one']);
    await clock.advance(1);
    picture.follow('one');
    await settle();
    assert.deepEqual([asked, shown.length], [['one', 'one'], 2]);
  });

  it('is fetched at once for another page, or another playback id', async () => {
    const { asked, picture } = start();
    picture.follow('one');
    picture.forget();
    picture.follow('one');
    picture.follow('two');
    await settle();
    assert.equal(asked.at(-1), 'two');
  });

  it('is not fetched without a playback id, or where the key was refused, and leaves no place empty', async () => {
    const idle = start();
    await idle.clock.advance(MINUTE_MS);
    idle.picture.follow(undefined);
    const refused = start({ isOpen: false });
    refused.picture.follow('one');
    await settle();
    assert.deepEqual([idle.asked, refused.asked], [[], []]);
    assert.deepEqual([idle.shown, refused.shown], [[], [undefined]]);
  });

  it('is told to be missing where there is none', async () => {
    const { shown, picture } = start({ answer: async () => ({ ...PICTURE, status: 404 }) });
    picture.follow('one');
    await settle();
    assert.deepEqual(shown, [undefined]);
  });

  it('is not shown once the page is hidden', async () => {
    const answer = Promise.withResolvers<HttpResponse>();
    const { shown, picture } = start({ answer: () => answer.promise });
    picture.follow('one');
    await settle();
    picture.forget();
    answer.resolve(PICTURE);
    await settle();
    assert.deepEqual(shown, []);
  });
});
