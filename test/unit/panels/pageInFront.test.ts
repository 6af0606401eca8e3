import assert from 'node:assert/strict';
import { notePage, untilFocused } from '../../../src/panels/pageInFront.ts';
import { DisposableStore } from '../../../src/util/disposable.ts';

describe('The page in front', () => {
  let owned: DisposableStore;

  beforeEach(() => {
    owned = new DisposableStore();
  });

  afterEach(() => owned.dispose());

  function addPage(isInFront: boolean) {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const ping = () => {
      asked.resolve();
      return answer.promise;
    };
    const noted = owned.add(notePage({ isInFront, ping }));
    return { asked: asked.promise, answer: answer.resolve, noted };
  }

  it('is waited for until it answers; others are not asked', async () => {
    let isOtherAsked = false;
    void addPage(false).asked.then(() => {
      isOtherAsked = true;
    });
    const front = addPage(true);
    let isOver = false;
    const waiting = untilFocused().then(() => {
      isOver = true;
    });
    await front.asked;
    assert.equal(isOver, false);
    front.answer();
    await waiting;
    assert.equal(isOtherAsked, false);
  });

  it('is not waited for once its tab is closed, or is behind another', async () => {
    addPage(false);
    addPage(true).noted.dispose();
    await untilFocused();
  });
});
