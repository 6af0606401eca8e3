import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isApiError } from '../../../src/api/errors.ts';
import { isLoopback } from '../../../src/api/loopback.ts';
import { isNoProxy, routeOf, splitNoProxy } from '../../../src/api/transport/proxyRoute.ts';
import { addressesFor, checkMediaUrl } from '../../../src/model/addresses.ts';
import { parseApiKey, parseBaseUrl } from '../../../src/model/connection/baseUrl.ts';
import { fillTemplate } from '../../../src/model/filledAddresses.ts';
import { makeLink, parseLink } from '../../../src/model/links.ts';
import { forAll, forAllAsync } from '../../support/runner/fuzzRuns.ts';
import { apiOver } from '../api/support.ts';

const scraps = fc.array(
  fc.oneof(
    fc.constantFrom(
      'http',
      'https',
      'javascript',
      'file',
      'data',
      ':',
      '/',
      '//',
      '\\',
      '@',
      '?',
      '#',
      '%2f',
      '..',
      '[',
      ']',
    ),
    fc.constantFrom(
      'localhost',
      '127.0.0.1',
      '::1',
      'example.com',
      'user:pw',
      ':80',
      '0x7f.1',
      '2130706433',
      'ⓛocalhost',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
);
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  scraps.map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

const originOf = (text: string) => (URL.canParse(text.trim()) ? new URL(text.trim()).origin : undefined);

describe('The address of a service', () => {
  it('is read as http or https, without credentials, query and slashes at its end, or refused with a sentence', () => {
    forAll(address, (typed) => {
      const parsed = parseBaseUrl(typed);
      if (!parsed.ok) return assert.ok(parsed.sentence.length > 0);
      const url = new URL(parsed.url);
      assert.ok(url.protocol === 'https:' || url.protocol === 'http:');
      assert.deepEqual([url.username, url.password, url.search, url.hash], ['', '', '', '']);
      assert.ok(!parsed.url.endsWith('/'));
      assert.equal(parsed.needsWarning, url.protocol === 'http:' && !isLoopback(url.hostname));
      assert.equal(parsed.host, url.host);
      assert.deepEqual(parseBaseUrl(parsed.url), parsed);
    });
  });

  it('keeps requests at its own origin and below its path, whatever is asked for', () => {
    const base = fc.oneof(
      address,
      fc.webUrl(),
      fc.webAuthority().map((host) => `https://${host}/a/api/`),
    );
    return forAllAsync(
      base,
      fc.oneof(fc.stringMatching(/^[\w-]{1,64}$/), fc.stringMatching(/^[\w-]{65,70}$/), address),
      address,
      async (typed, id, cursor) => {
        const parsed = parseBaseUrl(typed);
        fc.pre(parsed.ok);
        const { api, requests } = apiOver(({ url }) => ({ body: url.includes('?') ? [] : { id: 'a' } }), {
          baseUrl: parsed.url,
        });
        const refused = await api.getStream(id).catch((error: unknown) => error);
        assert.equal(isApiError(refused), !/^[\w-]{1,64}$/.test(id));
        await api.listStreams({ parentsOnly: true, cursor, filters: [{ id: 'name', value: id }] });
        assert.equal(requests.length, isApiError(refused) ? 1 : 2);
        for (const { url } of requests) {
          const asked = new URL(url);
          assert.equal(asked.origin, new URL(parsed.url).origin);
          const { pathname } = new URL(`${parsed.url}/stream`);
          assert.ok(asked.pathname === pathname || asked.pathname === `${pathname}/${id}`, asked.pathname);
        }
      },
    );
  });
});

describe('An API key', () => {
  it('is taken when a header can hold it, and is in no refusal', () => {
    forAll(fc.oneof(fc.stringMatching(/^[\x21-\x7e]+$/), fc.string({ unit: 'binary', minLength: 12 })), (typed) => {
      const parsed = parseApiKey(typed);
      if (parsed.ok) assert.doesNotThrow(() => new Headers({ authorization: `Bearer ${parsed.apiKey}` }));
      else if (typed.length >= 12) assert.ok(!parsed.sentence.includes(typed));
    });
  });
});

describe('An address that the service sent', () => {
  it('is opened as it is understood when it is https, or http where that is safe, and nothing else ever is', () => {
    const base = fc.constantFrom('https://a.example/api', 'http://a.example', 'http://127.0.0.1:1');
    forAll(address, base, (url, baseUrl) => {
      const checked = checkMediaUrl(url, { baseUrl });
      if (!checked.ok) return;
      assert.equal(checked.url, new URL(url.trim()).href);
      const { protocol, hostname } = new URL(checked.url);
      const isPlain = protocol === 'http:' && (isLoopback(hostname) || baseUrl.startsWith('http:'));
      assert.ok(protocol === 'https:' || isPlain, checked.url);
      assert.doesNotMatch(checked.url, /[\s\p{Cc}]/u);
    });
  });

  it('has its values in their places, encoded, if a template makes it', () => {
    const halves = fc.constantFrom('\ud800', 'a\udfffb');
    const value = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), halves);
    forAll(value, value, (...sent) => {
      const [playbackId = '', streamKey = ''] = sent.map((text) => text.toWellFormed());
      const filled = fillTemplate('https://x.example/{playbackId}/a?k={streamKey}', {
        playbackId: sent[0],
        streamKey: sent[1],
      });
      assert.ok(filled);
      const url = new URL(filled);
      assert.equal(url.host, 'x.example');
      assert.equal(url.searchParams.get('k'), streamKey);
      if (!/^\.{1,2}$/.test(playbackId)) assert.equal(decodeURIComponent(url.pathname), `/${playbackId}/a`);
    });
  });

  it('is that of the settings for its own service, however that is written, and never that of another', () => {
    const mine = 'https://mine.invalid/api';
    const own = fc.constantFrom(mine, 'https://mine.invalid', ' https://MINE.invalid:443/other?x#y ');
    const foreign = fc.oneof(
      address,
      fc.constantFrom(
        'http://mine.invalid/api',
        'https://mine.invalid:8443',
        'https://mine.invalid.evil',
        'mine.invalid',
      ),
    );
    const others = fc.array(fc.tuple(foreign, fc.webUrl()));
    forAll(others, fc.option(fc.tuple(own, fc.webUrl()), { nil: undefined }), (theirs, given) => {
      const entries = given === undefined ? theirs : [...theirs, given];
      const settings = Object.fromEntries(entries.map(([key, hls]) => [key, { hls }]));
      assert.equal(addressesFor(mine, settings).hls, given?.[1]);
      for (const [key] of theirs) {
        if (!URL.canParse(key) || new URL(key).origin === 'null') continue;
        const { origin } = new URL(key);
        const last = Object.entries(settings).findLast(([each]) => originOf(each) === origin);
        if (!origin.includes('livepeer')) assert.equal(addressesFor(key, settings).hls, last?.[1].hls);
      }
    });
  });
});

describe('Links into the editor', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() === text && text !== '');

  /** What the editor hands over: each part with its percent-encoding undone once. */
  function partsOf(link: string) {
    const [, authority = '', path = '', query = ''] = /^\w+:\/\/([^/]*)([^?]*)\??(.*)$/s.exec(link) ?? [];
    return { authority, path: decodeURIComponent(path), query: decodeURIComponent(query) };
  }

  it('come back as they were made', () => {
    forAll(fc.constantFrom('stream', 'session'), id, fc.option(name, { nil: undefined }), (kind, given, connection) => {
      const link = {
        kind,
        id: given,
        ...(connection === undefined ? {} : { connection: connection.toWellFormed() }),
      };
      assert.deepEqual(parseLink(partsOf(makeLink('vscode', link as never))), { ok: true, link });
    });
  });

  it('lead to an id that may stand in a path, or nowhere, whoever wrote them, and refusals repeat nothing', () => {
    const part = fc.oneof(
      address,
      scraps.map((parts) => `/${parts.join('')}`),
      id.map((one) => `/stream/${one}`),
    );
    forAll(fc.constantFrom('live-streams.live-streams', 'evil'), part, address, (authority, path, query) => {
      const parsed = parseLink({ authority, path, query });
      if (parsed.ok) assert.match(parsed.link.id, /^[A-Za-z0-9_-]{1,64}$/);
      else if (path.length > 40) assert.ok(!parsed.sentence.includes(path));
    });
  });
});

describe('NO_PROXY', () => {
  const host = fc.domain();

  it('reads any text, and never throws', () => {
    const entry = fc.oneof(
      fc.string({ unit: 'binary' }),
      scraps.map((parts) => parts.join('')),
      fc.ipV4(),
      fc.ipV6(),
    );
    forAll(host, fc.array(entry), (name, entries) => {
      isNoProxy(new URL(`https://${name}/`), entries);
      isNoProxy(new URL(`https://${name}/`), splitNoProxy(entries.join(',')));
    });
  });

  it('means a host and what is below it, in any case and with or without dots and stars, and not what ends like it', () => {
    forAll(host, fc.constantFrom('', '.', '*.'), fc.constantFrom('', 'www.', 'a.b.'), (name, before, below) => {
      const entry = before + name.toUpperCase();
      assert.ok(isNoProxy(new URL(`https://${below}${name}/`), [entry]));
      assert.ok(!isNoProxy(new URL(`https://x${name}/`), [entry]));
      assert.ok(!isNoProxy(new URL(`https://${name}.evil/`), [entry]));
      assert.ok(!isNoProxy(new URL(`https://${name}:8443/`), [`${entry}:443`]));
    });
  });

  it('means the addresses in a range', () => {
    const inRange = (bits: number, a: number, b: number) =>
      bits === 0 ? true : a >>> (32 - bits) === b >>> (32 - bits);
    const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
    const number = fc.integer({ min: 0, max: 0xffffffff });
    forAll(number, fc.oneof(number, fc.nat(255)), fc.integer({ min: 0, max: 32 }), (a, other, bits) => {
      const b = other < 256 ? (a ^ other) >>> 0 : other;
      const url = new URL(`http://${dotted(a)}/`);
      assert.equal(isNoProxy(url, [`${dotted(b)}/${bits}`]), inRange(bits, a, b));
    });
  });

  it('leaves loopback direct, and gives no proxy its own credentials in its address', () => {
    const loopback = fc.oneof(
      fc.constantFrom('localhost', '[::1]', 'a.localhost', '2130706433', '0x7f000001'),
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rest) => `127.${rest.join('.')}`),
    );
    forAll(loopback, host, address, (here, there, proxy) => {
      assert.deepEqual(routeOf(`http://${here}:99/`, { timeoutMs: 1, proxy }), { kind: 'direct' });
      const route = routeOf(`https://${there}/`, { timeoutMs: 1, proxy });
      if (route.kind !== 'proxy') return;
      const { username, password, origin } = new URL(route.uri);
      assert.deepEqual([username, password, origin], ['', '', route.uri]);
    });
  });
});
