import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbortError, isApiError } from '../../../../src/api/errors.ts';
import type { DownloadFiles } from '../../../../src/services.ts';
import { heldClock } from '../../../support/model/heldClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { CLIENTS, describeWith, hidesRedirects, MEDIA_CLIENTS } from '../../../support/service/clients.ts';
import { FILE_TYPE, fileListener, type ServedFile, someBytes } from '../../../support/service/fileServer.ts';
import { until } from '../../api/support.ts';
import { type DownloadKit, withDownloads } from './downloadFixture.ts';

const CONTENT = someBytes(300_000);
const OTHER = someBytes(300_000, 99);
const ETAG = '"one"';

/** The file, cut once after 100,000 bytes. */
const cutOnce = (kit: DownloadKit, more: Partial<ServedFile>) =>
  fileListener((count) => ({
    content: CONTENT,
    ...more,
    ...(count === 1 && kit.cut(100_000)),
  }));

async function failsWithNothingLeft(kit: DownloadKit, url: string, reason: string): Promise<void> {
  assert.equal(await kit.failure(url), reason);
  assert.deepEqual(kit.names(), []);
}

for (const client of CLIENTS) {
  describe(`a download (${client})`, () => {
    it(
      'is the file, to the byte; no key was sent, nothing was compressed, and nothing else is left',
      withDownloads({ client }, async (kit) => {
        const server = await kit.serve(fileListener(() => ({ content: CONTENT, etag: ETAG })));
        assert.equal(await kit.get(`${server.url}/source.mp4?Signature=a%2Fb+c`), CONTENT.length);
        assert.ok(kit.written().equals(CONTENT));
        assert.deepEqual(kit.names(), ['a.mp4']);
        const [request] = server.requests;
        assert.equal(request?.url, '/source.mp4?Signature=a%2Fb+c');
        assert.equal(request?.headers.authorization, undefined);
        assert.equal(request?.headers['accept-encoding'], 'identity');
        assert.doesNotMatch(kit.log.lines.join(), /Signature/);
      }),
    );

    it(
      'goes on where it broke off if it is cut and the file is the same',
      withDownloads({ client }, async (kit) => {
        const server = await kit.serve(cutOnce(kit, { etag: ETAG }));
        await kit.get(server.url);
        assert.ok(kit.written().equals(CONTENT));
        assert.equal(kit.waits(), 1);
        const again = server.requests[1]?.headers;
        assert.deepEqual([again?.range, again?.['if-range']], ['bytes=100000-', ETAG]);
        assert.equal(server.requests.length, 2);
      }),
    );

    it('is tried again if it falls silent, and not while it is slow', () => {
      const clock = heldClock();
      return withDownloads({ client, clock, stallMs: 150 }, async (kit) => {
        const silent = await kit.serve(
          fileListener((count) => ({ content: CONTENT, etag: ETAG, ...(count === 1 && { silentAfter: 5000 }) })),
        );
        const onProgress = (received: number) => void (received === 5000 && clock.advance(150));
        await kit.get(silent.url, { onProgress });
        assert.ok(kit.written().equals(CONTENT));
        assert.equal(silent.requests[1]?.headers.range, 'bytes=5000-');

        let send = (_bytes: number): void => {};
        const slow = await kit.serve((_, response) => {
          response.writeHead(200, { 'content-length': 30 });
          send = (bytes) => response.write(Buffer.alloc(bytes));
          response.write(FILE_TYPE.subarray(0, 20));
        });
        const sendNext = () => clock.advance(100).then(() => send(1));
        const options = { mayReplace: true, onProgress: (received: number) => void (received < 30 && sendNext()) };
        assert.equal(await kit.get(slow.url, options), 30);
        assert.equal(slow.requests.length, 1);
      })();
    });

    it('is neither given up nor read ahead if its writer is slow', () => {
      const clock = heldClock();
      const chunk = someBytes(1024 * 1024);
      let sent = 0;
      let sentInPause = 0;
      /** Until the server can send no more, and for twice as long as nothing may come. */
      const pause = async () => {
        for (let before = -1; before !== sent; ) {
          before = sent;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        sentInPause = sent;
        await clock.advance(1400);
      };
      const files = (real: DownloadFiles): DownloadFiles => ({
        ...real,
        async startPart(...args) {
          const part = await real.startPart(...args);
          const append = async (bytes: Uint8Array) => {
            if (sentInPause === 0) await pause();
            await part.append(bytes);
          };
          return { ...part, append };
        },
      });
      return withDownloads({ client, clock, stallMs: 700, files }, async (kit) => {
        const server = await kit.serve((_, response) => {
          response.writeHead(200, { 'content-length': 64 * chunk.length });
          const push = (): void => {
            while (sent < 64) {
              sent += 1;
              if (!response.write(chunk)) return void response.once('drain', push);
            }
          };
          push();
        });
        assert.equal(await kit.get(server.url), 64 * chunk.length);
        assert.equal(server.requests.length, 1);
        assert.ok(sentInPause < 20, `${sentInPause} MB had been sent`);
      })();
    });

    it(
      'ends its connection and leaves nothing if it is cancelled',
      withDownloads({ client }, async (kit) => {
        const server = await kit.serve(fileListener(() => ({ content: CONTENT, silentAfter: 100_000 })));
        const cancelling = new AbortController();
        let received = 0;
        const running = kit.get(server.url, {
          signal: cancelling.signal,
          onProgress: (now) => {
            received = now;
          },
        });
        await until(() => received === 100_000);
        assert.match(kit.names().join(), /^a\.mp4\.[0-9a-f]{16}\.part$/);
        cancelling.abort();
        await assert.rejects(running, isAbortError);
        assert.deepEqual(kit.names(), []);
        await until(() => server.sockets.size === 0);
      }),
    );
  });
}

describeWith(CLIENTS, 'a download that is taken up again', (client) => {
  it(
    'is checked by Last-Modified where the ETag is weak, and by its length where there is neither',
    withDownloads({ client }, async (kit) => {
      const lastModified = 'Wed, 18 Nov 2026 10:00:00 GMT';
      const dated = await kit.serve(cutOnce(kit, { etag: 'W/"one"', lastModified }));
      await kit.get(dated.url);
      assert.equal(dated.requests[1]?.headers['if-range'], lastModified);
      const bare = await kit.serve(cutOnce(kit, {}));
      await kit.get(bare.url, { mayReplace: true });
      const { range, 'if-range': condition } = bare.requests[1]?.headers ?? {};
      assert.deepEqual([range, condition], ['bytes=100000-', undefined]);
      assert.ok(kit.written().equals(CONTENT));
    }),
  );

  const changed: Readonly<Record<string, Partial<ServedFile>>> = {
    'another ETag': { etag: '"two"' },
    'another ETag, and If-Range was not looked at': { etag: '"two"', honoursIfRange: false },
    'another length alone': { content: OTHER.subarray(0, 250_000) },
  };
  for (const [what, after] of Object.entries(changed)) {
    it(
      `starts over when the file changed: ${what}`,
      withDownloads({ client }, async (kit) => {
        const content = after.content ?? OTHER;
        const server = await kit.serve(
          fileListener((count) =>
            count === 1
              ? { content: CONTENT, ...(after.etag && { etag: ETAG }), ...kit.cut(100_000) }
              : { ...after, content },
          ),
        );
        assert.equal(await kit.get(server.url), content.length);
        assert.ok(kit.written().equals(content));
      }),
    );
  }

  for (const [what, headers] of [
    ['and its length', { 'content-range': 'bytes */50000' }],
    ['alone', {}],
  ] as const) {
    it(
      `starts over when there is nothing where it broke off: 416 ${what}`,
      withDownloads({ client }, async (kit) => {
        const first = cutOnce(kit, { etag: ETAG });
        const after = fileListener(() => ({ content: OTHER.subarray(0, 50_000), etag: '"two"' }));
        const server = await kit.serve((request, response) => {
          if (server.requests.length === 1) return first(request, response);
          if (request.headers.range !== undefined) return void response.writeHead(416, headers).end();
          after(request, response);
        });
        await kit.get(server.url);
        assert.ok(kit.written().equals(OTHER.subarray(0, 50_000)));
        assert.equal(server.requests.length, 3);
      }),
    );
  }

  it(
    'fails when a page comes in place of the rest, whatever it calls itself',
    withDownloads({ client }, async (kit) => {
      const page = '<html>Sign in to this network</html>';
      for (const type of ['text/html', 'video/mp4']) {
        const first = cutOnce(kit, { etag: ETAG });
        const server = await kit.serve((request, response) => {
          if (server.requests.length === 1) return first(request, response);
          response.writeHead(200, { 'content-type': type }).end(page);
        });
        await failsWithNothingLeft(kit, server.url, 'notVideo');
        assert.equal(server.requests.length, 2);
      }
    }),
  );

  it(
    'gives up on a file that changes every time',
    withDownloads({ client }, async (kit) => {
      const server = await kit.serve(
        fileListener((count) => ({
          content: someBytes(300_000, count),
          etag: `"${count}"`,
          ...kit.cut(100_000),
        })),
      );
      await failsWithNothingLeft(kit, server.url, 'changes');
    }),
  );

  it(
    'starts over where the server knows no ranges, a few times',
    withDownloads({ client }, async (kit) => {
      const server = await kit.serve(cutOnce(kit, { hasRanges: false, etag: ETAG }));
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      const cutting = await kit.serve(
        fileListener(() => ({ content: CONTENT, hasRanges: false, ...kit.cut(100_000) })),
      );
      assert.equal(await kit.failure(cutting.url, { mayReplace: true }), 'shorter');
      assert.ok(cutting.requests.length <= 5);
      assert.ok(kit.written().equals(CONTENT), 'what was there stays when its replacement fails');
    }),
  );

  it(
    'goes on for as long as something comes',
    withDownloads({ client }, async (kit) => {
      const server = await kit.serve(fileListener(() => ({ content: CONTENT, etag: ETAG, ...kit.cut(20_000) })));
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      assert.equal(server.requests.length, 15);
    }),
  );

  it(
    'starts over after a part from another place, and takes no more than was promised',
    withDownloads({ client }, async (kit) => {
      const inner = fileListener((count) => ({
        content: CONTENT,
        etag: ETAG,
        ...(count === 1 && kit.cut(100_000)),
      }));
      const server = await kit.serve((request, response) => {
        if (request.headers.range === undefined) return inner(request, response);
        response.writeHead(206, { etag: ETAG, 'content-range': 'bytes 5-299999/300000', 'content-type': 'video/mp4' });
        response.end(CONTENT.subarray(5));
      });
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      const longer = await kit.serve((request, response) => {
        if (request.headers.range === undefined) return cutOnce(kit, { etag: ETAG })(request, response);
        response.writeHead(206, { etag: ETAG, 'content-range': 'bytes 100000-299999/300000' });
        response.end(Buffer.alloc(200_001));
      });
      assert.equal(await kit.failure(longer.url, { mayReplace: true }), 'wrongRange');
      assert.ok(kit.written().equals(CONTENT));
    }),
  );
});

describeWith(CLIENTS, 'a download of something else', (client) => {
  it(
    'fails on a file that is shorter than promised',
    withDownloads({ client }, async (kit) => {
      for (const hasRanges of [true, false]) {
        const content = CONTENT.subarray(0, 1000);
        const server = await kit.serve(fileListener(() => ({ content, claims: 5000, hasRanges })));
        await failsWithNothingLeft(kit, server.url, 'shorter');
      }
    }),
  );

  it(
    'fails on a page, a message or a playlist instead of a video, whatever it calls itself',
    withDownloads({ client }, async (kit) => {
      const page = '<!doctype html><title>Sign in</title>';
      const answers: readonly [string, string | undefined][] = [
        [page, 'text/html; charset=utf-8'],
        [page, 'video/mp4'],
        [` \n${page}`, undefined],
        ['{"errors":["gone"]}', 'application/octet-stream'],
        ['#EXTM3U', 'application/vnd.apple.mpegurl'],
      ];
      for (const [body, type] of answers) {
        const server = await kit.serve((_, response) =>
          response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body),
        );
        await failsWithNothingLeft(kit, server.url, 'notVideo');
        assert.equal(server.requests.length, 1);
      }
    }),
  );

  it(
    'fails on an answer that is no file',
    withDownloads({ client }, async (kit) => {
      const statuses: readonly [number, string, number][] = [
        [403, 'refused', 1],
        [404, 'gone', 1],
        [416, 'status', 1],
        [204, 'status', 1],
        [304, 'status', 1],
        [503, 'unavailable', 3],
      ];
      for (const [status, reason, tries] of statuses) {
        const server = await kit.serve((_, response) => response.writeHead(status).end());
        await failsWithNothingLeft(kit, server.url, reason);
        assert.equal(server.requests.length, tries, String(status));
      }
      const empty = await kit.serve((_, response) => response.end());
      await failsWithNothingLeft(kit, empty.url, 'empty');
      const middle = await kit.serve((_, response) =>
        response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('56789'),
      );
      await failsWithNothingLeft(kit, middle.url, 'wrongRange');
    }),
  );

  it('waits as long as a 503 says, and then has the file', () => {
    const pauses = heldClock();
    return withDownloads({ client, pauses }, async (kit) => {
      const inner = fileListener(() => ({ content: CONTENT }));
      const server = await kit.serve((request, response) => {
        if (server.requests.length > 1) return inner(request, response);
        response.writeHead(503, { 'retry-after': '1' }).end('<html>busy</html>');
      });
      const getting = kit.get(server.url);
      await waitUntil(() => pauses.timerCount === 1);
      await pauses.advance(999);
      assert.equal(server.requests.length, 1);
      await pauses.advance(1);
      await getting;
      assert.ok(kit.written().equals(CONTENT));
    })();
  });

  it(
    'says what is wrong with the network after a few tries',
    withDownloads({ client }, async (kit) => {
      const server = await kit.serve(() => {});
      await server.close();
      const error = await kit.get(server.url).catch((thrown: unknown) => thrown);
      assert.ok(isApiError(error) && error.why === 'refused');
      assert.equal(kit.waits(), 2);
      assert.deepEqual(kit.names(), []);
    }),
  );
});

describeWith(MEDIA_CLIENTS, 'a download that is sent on', (client) => {
  it(
    'follows up to five times, from its own address each time',
    withDownloads({ client }, async (kit) => {
      const inner = cutOnce(kit, { etag: ETAG });
      const server = await kit.serve((request, response) => {
        const hop = Number(request.url?.slice(1));
        if (hop === 5) return inner(request, response);
        response.writeHead(302, { location: `/${hop + 1}` }).end();
      });
      await kit.get(`${server.url}/0`);
      assert.ok(kit.written().equals(CONTENT));
      assert.ok(server.requests.every(({ headers }) => !('authorization' in headers) && !('cookie' in headers)));
      const asked = server.requests.map(({ url }) => url).join(' ');
      // What hides redirects follows them by itself, and breaks off before the body; the cut is met there.
      if (hidesRedirects(client)) assert.equal(asked, '/0 /0 /1 /2 /3 /4 /5 /5');
      else assert.equal(asked, '/0 /1 /2 /3 /4 /5 /0 /1 /2 /3 /4 /5');
    }),
  );

  it(
    'does not follow a sixth time, nor to what is not encrypted or no address of the web',
    withDownloads({ client }, async (kit) => {
      const circle = await kit.serve((_, response) => response.writeHead(307, { location: '/' }).end());
      await failsWithNothingLeft(kit, circle.url, hidesRedirects(client) ? 'redirect' : 'tooManyRedirects');
      if (!hidesRedirects(client)) assert.equal(circle.requests.length, 6);
      // A fetch that hides redirects has asked there before it is known where that was: here no host has the name.
      const plain = hidesRedirects(client) ? [] : ['http://cdn.example/x'];
      for (const location of [...plain, 'file:///etc/passwd', 'ftp://a.example/x', 'https://']) {
        const server = await kit.serve((_, response) => response.writeHead(302, { location }).end());
        assert.equal(await kit.failure(server.url, { connection: { baseUrl: 'https://a.example/api' } }), 'redirect');
        assert.deepEqual(kit.names(), []);
      }
    }),
  );

  for (const name of ['.bashrc', 'x.exe', 'x.mp4.sh', 'mp4']) {
    it(`is written as ${name} only where it begins with the type of a video file`, () =>
      withDownloads({}, async (kit) => {
        const target = join(kit.folder, name);
        writeFileSync(target, 'mine');
        const scripts = ['# hello\nexport PATH=/tmp/evil:$PATH\n', '#   ftypisom\nrm -rf /\n', '#   ftyp\nrm -rf /\n'];
        const video = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(100)]);
        const headers = { 'content-type': 'video/mp4' };
        for (const script of scripts) {
          const bad = await kit.serve((_, response) => response.writeHead(200, headers).end(script));
          assert.equal(await kit.failure(bad.url, { target, mayReplace: true }), 'notVideo');
          assert.deepEqual([readFileSync(target, 'utf8'), kit.names()], ['mine', [name]]);
        }
        // Its first bytes come one by one.
        const good = await kit.serve(async (_, response) => {
          response.writeHead(200, headers);
          for (const byte of video.subarray(0, 9)) {
            response.write(Buffer.from([byte]));
            await new Promise((resolve) => setImmediate(resolve));
          }
          response.end(video.subarray(9));
        });
        await kit.get(good.url, { target, mayReplace: true });
        assert.ok(readFileSync(target).equals(video));
      })());
  }

  for (const name of ['a.mp4', 'A.MP4', 'a.m4v', 'a.mov']) {
    it(`is written as ${name} if it begins with a box of a movie`, () =>
      withDownloads({}, async (kit) => {
        const target = join(kit.folder, name);
        for (const type of ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'uuid', 'pdin']) {
          const { url } = await kit.serve((_, response) => response.end(Buffer.from(`\0\0\0\x08${type}`, 'latin1')));
          assert.equal(await kit.get(url, { target, mayReplace: true }), 8);
        }
      })());
  }

  const OTHERS: Readonly<Record<string, string>> = {
    'a script': '#!/bin/sh\nrm -rf /tmp/evil\n',
    'a playlist': '#EXTM3U\n#EXT-X-VERSION:3\n',
    'a page': '<!doctype html><title>Sign in</title>',
    'a short text': 'abc',
    'a picture': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    'a program': '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0',
  };
  for (const [what, text] of Object.entries(OTHERS)) {
    it(`is no video, whatever the service calls it: ${what}`, () =>
      withDownloads({}, async (kit) => {
        const headers = { 'content-type': 'video/mp4' };
        const { url } = await kit.serve((_, response) =>
          response.writeHead(200, headers).end(Buffer.from(text, 'latin1')),
        );
        for (const name of ['a.mp4', 'a.mov', '.bashrc']) {
          assert.equal(await kit.failure(url, { target: join(kit.folder, name) }), 'notVideo', name);
        }
        assert.deepEqual(kit.names(), []);
      })());
  }

  it('is not sent from elsewhere to this machine', () => {
    const asked: string[] = [];
    const transport = {
      async download({ url }: { readonly url: string }) {
        asked.push(url);
        const headers = { location: 'http://127.0.0.1:9/secret' };
        return { status: 302, headers, body: (async function* () {})(), dispose() {} };
      },
    };
    return withDownloads({ client, transport }, async (kit) => {
      await failsWithNothingLeft(kit, 'https://a.example/x.mp4', 'redirect');
      assert.deepEqual(asked, ['https://a.example/x.mp4']);
    })();
  });
});
