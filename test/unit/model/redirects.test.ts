import assert from 'node:assert/strict';
import { checkMediaUrl } from '../../../src/model/addresses.ts';
import { followRedirects } from '../../../src/model/redirects.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'ip6-localhost': ['::1'],
  'metadata.example': ['169.254.169.254'],
  'two.example': ['203.0.113.7', '127.0.0.2'],
  'cdn.example': ['203.0.113.7'],
  'studio.lan': ['127.0.0.1'],
};

async function follow(url: string, baseUrl: string, location?: string) {
  const asked: string[] = [];
  const lookedUp: string[] = [];
  const result = await followRedirects(url, {
    check: (next) => checkMediaUrl(next, { baseUrl }),
    async open(next) {
      asked.push(next);
      const isFirst = asked.length === 1 && location !== undefined;
      return { status: isFirst ? 302 : 200, headers: isFirst ? { location } : {} };
    },
    connection: { baseUrl },
    async lookup(name) {
      lookedUp.push(name);
      const found = NAMES[name];
      if (found === undefined) throw new Error('ENOTFOUND');
      return found;
    },
  });
  return { kind: result.kind, asked, lookedUp };
}

describe('A name that leads to this machine', () => {
  const BASE = 'http://studio.lan/api';

  for (const name of ['127.0.0.1.nip.example', 'ip6-localhost', 'metadata.example', 'two.example']) {
    it(`is not asked where a service elsewhere gives it, at first or by a redirect: ${name}`, async () => {
      const first = await follow(`http://${name}/a.mp4`, BASE);
      assert.deepEqual([first.kind, first.asked], ['refused', []]);
      const second = await follow('http://cdn.example/a.mp4', BASE, `http://${name}/b.mp4`);
      assert.deepEqual([second.kind, second.asked], ['refused', ['http://cdn.example/a.mp4']]);
    });
  }

  it('is asked where it is the service’s own, or where the service is on this machine', async () => {
    assert.equal((await follow('http://studio.lan/a.mp4', BASE)).kind, 'response');
    assert.equal((await follow('http://ip6-localhost/a.mp4', 'http://127.0.0.1:3004/api')).kind, 'response');
  });

  it('is not looked up for https, nor for an address; one that nobody knows may be known to a proxy', async () => {
    for (const url of ['https://127.0.0.1.nip.example/a.mp4', 'http://203.0.113.7/a.mp4']) {
      assert.deepEqual((await follow(url, BASE)).lookedUp, []);
    }
    assert.equal((await follow('http://only-the-proxy-knows.example/a.mp4', BASE)).kind, 'response');
  });
});
