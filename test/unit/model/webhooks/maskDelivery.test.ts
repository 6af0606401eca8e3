import assert from 'node:assert/strict';
import type { DeliveryDetails } from '../../../../src/api/webhooks.ts';
import { maskDelivery, SHOWN_CHARACTERS } from '../../../../src/model/webhooks/maskDelivery.ts';

const KEY = 'abcd-efgh-ijkl-mnop';

function maskedOf(
  { body = '', url = 'https://example.com/hook', headers = {}, answer = '' },
  { known = [], signing }: { readonly known?: readonly string[]; readonly signing?: string } = {},
) {
  const request = { url, method: 'POST', headers, body };
  const response: DeliveryDetails['response'] = { status: 200, statusText: 'OK', body: answer };
  return maskDelivery({ request, response }, { known, signing });
}

describe('What a page shows of a delivery', () => {
  it('is formatted JSON without its secrets, and with them', () => {
    const { masked, revealed, isJson } = maskedOf({ body: `{"stream":{"name":"Keynote","streamKey":"${KEY}"}}` });
    assert.ok(isJson);
    assert.match(masked.body, /^\{\n {2}"stream": \{\n {4}"name": "Keynote",\n {4}"streamKey": "•+"\n/);
    assert.equal(revealed.body, masked.body.replace(/•+/, KEY));
  });

  it('has a secret of the body nowhere else: not in the answer, the URL, or a header', () => {
    const { masked, revealed } = maskedOf({
      body: JSON.stringify({ stream: { streamKey: KEY } }),
      url: `https://user:pw@example.com/${KEY}?token=t0ken`,
      headers: { 'X-Stream': `is ${KEY}`, 'X-Api-Key': 'other-secret' },
      answer: `No stream ${KEY}, other-secret`,
    });
    assert.doesNotMatch(JSON.stringify(masked), /abcd-|other-secret|t0ken|user:pw/);
    assert.ok(JSON.stringify(revealed).split(KEY).length === 5 && revealed.answer.includes('other-secret'));
  });

  it('shows the signature, which is no secret', () => {
    const headers = { 'livepeer-signature': 't=1700000000000,v1=abcdef' };
    assert.deepEqual(maskedOf({ headers }).masked.headers, [
      { name: 'livepeer-signature', value: 't=1700000000000,v1=abcdef' },
    ]);
  });

  it('never has what signs the deliveries, even if it is revealed', () => {
    const signing = 'whsec-1234567';
    const { masked, revealed } = maskedOf({ body: `{"a":"${signing}"}`, answer: `Expected ${signing}` }, { signing });
    assert.doesNotMatch(JSON.stringify([masked, revealed]), /whsec/);
  });

  const brokenBodies: Readonly<Record<string, string>> = {
    'JSON that was cut within it': `{"stream":{"name":"Keynote","streamKey":"${KEY.slice(0, 12)}`,
    'JSON that was cut after it': `{"stream":{"streamKey" : "${KEY}","name":"Key`,
    'a form': `name=Keynote&streamKey=${KEY}&x=1`,
    'lines of names and values': `name: Keynote\nstream_key: ${KEY}\n`,
  };
  for (const [what, body] of Object.entries(brokenBodies)) {
    it(`masks a stream key in ${what}`, () => {
      const { masked, revealed, isJson } = maskedOf({ body });
      assert.equal(isJson, false);
      assert.doesNotMatch(masked.body, /abcd-efgh/);
      assert.match(masked.body, /•{8}/);
      assert.equal(revealed.body, body);
    });
  }

  it('masks the known key of the stream wherever it is', () => {
    assert.equal(maskedOf({ body: `plain ${KEY} text` }, { known: [KEY] }).masked.body, 'plain •••••••• text');
  });

  const large: Readonly<Record<string, string>> = {
    'JSON of 900 KB': JSON.stringify(
      Array.from({ length: 15_000 }, (_, id) => ({ id, streamKey: `${KEY}-${id}`, x: 'y' })),
    ),
    'JSON of 5 MB': JSON.stringify({ streamKey: KEY, text: '<b>'.repeat(1_700_000) }),
    'text of 5 MB': `token=${KEY} ${'a '.repeat(2_500_000)}`,
    'quotes and keys alone': '"key"key:"'.repeat(500_000),
  };
  for (const [what, body] of Object.entries(large)) {
    it(`is at most ${SHOWN_CHARACTERS} characters of ${what}, quickly`, () => {
      const startedAt = performance.now();
      const { masked, revealed, isCut } = maskedOf({ body });
      assert.ok(isCut);
      assert.deepEqual([masked.body.length <= SHOWN_CHARACTERS, revealed.body.length], [true, SHOWN_CHARACTERS]);
      assert.doesNotMatch(masked.body, /abcd-efgh/);
      // 100 ms on an idle machine. What reads a body of 5 MB again for each part of it takes hours.
      assert.ok(performance.now() - startedAt < 60_000);
    });
  }

  it('is text if JSON is nested too deeply to be printed, or holds a mere word', () => {
    for (const body of ['['.repeat(100_000) + ']'.repeat(100_000), '"word"', '7', 'null', '']) {
      const { isJson, revealed } = maskedOf({ body });
      assert.deepEqual([isJson, revealed.body], [false, body.slice(0, SHOWN_CHARACTERS)]);
    }
  });

  it('bounds headers, URLs and answers', () => {
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`X-${at}`, 'v'.repeat(100_000)]));
    const { masked } = maskedOf({ headers, url: `https://a.example/${'b'.repeat(100_000)}`, answer: ' '.repeat(9000) });
    assert.equal(masked.headers.length, 200);
    assert.ok(masked.headers.every(({ value }) => value.length === 2000));
    assert.deepEqual([masked.url.length, masked.answer.length], [2000, 1024]);
  });

  it('has no part of a key in an answer that the service has cut', () => {
    const answer = `${'no '.repeat(400)}`.slice(0, 1010);
    assert.equal(maskedOf({ answer: `${answer} abcd-efgh-ijk`.slice(0, 1024) }).masked.answer, `${answer} …`);
    assert.equal(maskedOf({ answer: 'see abcd' }).masked.answer, 'see abcd');
  });

  it('is nothing where nothing was recorded', () => {
    const { masked } = maskDelivery({ request: undefined, response: undefined }, { known: [], signing: undefined });
    assert.deepEqual(masked, { url: '', headers: [], body: '', answer: '' });
  });
});
