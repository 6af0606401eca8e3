import assert from 'node:assert/strict';
import { MAX_ROWS } from '../../../src/api/decode.ts';
import { advance, cursorOfFullPage, cursorOfLink, isCut, MAX_PAGES, startPaging } from '../../../src/api/paging.ts';
import { assertCpuTime } from '../../support/process/cpuTime.ts';

const page = (ids: string, next?: string) => ({ items: ids.split('').map((id) => ({ id })), next });

describe('the paging rule', () => {
  it('goes on while pages bring new ids, and leaves out the ones that came before', () => {
    const first = advance(startPaging(), page('ab', 'skip2'));
    assert.equal(first.next, 'skip2');
    const second = advance(first.state, page('bc', 'skip4'));
    assert.deepEqual(second.fresh, [{ id: 'c' }]);
    assert.equal(second.next, 'skip4');
  });

  it('stops on a page without a cursor, an empty page, and a page that brings no new id', () => {
    const { state } = advance(startPaging(), page('ab', 'skip2'));
    assert.equal(advance(state, page('cd')).next, undefined);
    assert.equal(advance(state, page('', 'skip9')).next, undefined);
    assert.equal(advance(state, page('ba', 'skip9')).next, undefined);
  });

  it('stops on a cursor that repeats', () => {
    const { state } = advance(startPaging(), page('ab', 'skip2'));
    assert.equal(advance(state, page('cd', 'skip2')).next, undefined);
  });

  it('stops at a maximum of pages', () => {
    const { state, next } = advance(startPaging(), page('a', 'skip1'), 2);
    assert.equal(next, 'skip1');
    assert.equal(advance(state, page('b', 'skip2'), 2).next, undefined);
  });

  it('is cut by our own limits alone: of pages, and of rows', () => {
    const state = startPaging();
    assert.equal(isCut({ ...state, pages: MAX_PAGES - 1, count: MAX_ROWS - 1 }), false);
    assert.equal(isCut({ ...state, pages: MAX_PAGES }), true);
    assert.equal(isCut({ ...state, count: MAX_ROWS }), true);
  });

  it('takes rows without an id along, but does not go on for them', () => {
    const step = advance(startPaging(), { items: [{ id: undefined }, { id: undefined }], next: 'skip2' });
    assert.equal(step.fresh.length, 2);
    assert.equal(step.next, undefined);
  });

  it('leaves the state it was given as it was', () => {
    const start = startPaging();
    advance(start, page('ab', 'skip2'));
    assert.deepEqual(start, startPaging());
  });
});

describe('the paging rule, going on twice from one place', () => {
  it('forgets the rows of a page that was given up, when the page is read again', () => {
    const first = advance(startPaging(), page('ab', 'skip2'));
    const givenUp = advance(first.state, page('cd', 'skip4'));
    assert.equal(givenUp.fresh.length, 2);
    const again = advance(first.state, page('xc', 'skip4'));
    assert.deepEqual(again.fresh, [{ id: 'x' }, { id: 'c' }]);
    assert.deepEqual(advance(again.state, page('da', 'skip6')).fresh, [{ id: 'd' }]);
    assert.deepEqual(advance(givenUp.state, page('xd', 'skip6')).fresh, [{ id: 'x' }]);
  });
});

describe('a list without end', () => {
  it('ends at a maximum of rows, and each page costs the same', () => {
    let state = startPaging();
    let rows = 0;
    for (let next: string | undefined = 'first'; next !== undefined; ) {
      const items = Array.from({ length: 1000 }, (_, index) => ({ id: `s${rows + index}` }));
      const step = advance(state, { items, next: `skip${rows}` });
      rows += step.fresh.length;
      ({ state, next } = step);
    }
    assert.equal(rows, MAX_ROWS);
  });
});

describe('a Link header', () => {
  it('gives its cursor, and nothing else of its address', () => {
    assert.equal(cursorOfLink('<http://elsewhere.test/api/stream?limit=2&cursor=skip20>; rel="next"'), 'skip20');
    assert.equal(cursorOfLink('</stream?cursor=a%2Bb%20c&x=1#cursor=z>; rel=next'), 'a+b c');
  });

  it('is looked through for the next page', () => {
    const link = '<https://a/?cursor=first>; rel="prev", <https://a/?q=1,2&cursor=second>; title="x"; rel="last next"';
    assert.equal(cursorOfLink(link), 'second');
  });

  it('is read whatever the case of its words', () => {
    assert.equal(cursorOfLink('<https://a/?cursor=x>; Rel="Next"'), 'x');
    assert.equal(cursorOfLink('<https://a/?cursor=x>; REL=NEXT'), 'x');
  });

  it('gives no cursor when it is empty', () => {
    const links = [
      undefined,
      '',
      'nonsense',
      '<https://a/?cursor=x>',
      '<https://a/?cursor=x>; rel="prev"',
      '<https://a/>; rel="next"',
    ];
    for (const link of links) assert.equal(cursorOfLink(link), undefined, link);
    assert.equal(cursorOfLink(`<https://a/?cursor=${'x'.repeat(2000)}>; rel="next"`), undefined);
  });

  it('costs no time when it is hostile', () => {
    assertCpuTime(500, () => {
      cursorOfLink('<'.repeat(100_000));
      cursorOfLink(`<a>${';rel '.repeat(20_000)}`);
      for (const part of ['<', '<>', '<a>;', '<?cursor=>; rel=next,', ' ', ';rel="', '<a>; rel=   ']) {
        cursorOfLink(part.repeat(16_384 / part.length));
      }
    });
  });
});

describe('a full page without Link', () => {
  it('is followed by the next offset', () => {
    assert.equal(cursorOfFullPage(20, { limit: 20, cursor: undefined }), 'skip20');
    assert.equal(cursorOfFullPage(20, { limit: 20, cursor: 'skip40' }), 'skip60');
  });

  it('is the last when it is not full, fuller than asked for, or was not limited', () => {
    assert.equal(cursorOfFullPage(19, { limit: 20, cursor: undefined }), undefined);
    assert.equal(cursorOfFullPage(21, { limit: 20, cursor: undefined }), undefined);
    assert.equal(cursorOfFullPage(20, { limit: undefined, cursor: undefined }), undefined);
    for (const cursor of ['opaque', 'skip20 or so', 'and skip20'])
      assert.equal(cursorOfFullPage(20, { limit: 20, cursor }), undefined, cursor);
  });
});
