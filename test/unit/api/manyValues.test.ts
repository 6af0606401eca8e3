import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isApiError } from '../../../src/api/errors.ts';
import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { realClock, recordingLog } from './support.ts';
import { failureOf, getting, useTransports } from './useTransports.ts';

/** A list whose rows are the same, in members of gzip that follow each other: nobody holds it whole. */
function listOf(row: string, count: number): Buffer {
  const rows = 100_000;
  const members = Array(Math.ceil(count / rows)).fill(gzipSync(`${row},`.repeat(rows), { level: 9 }));
  return Buffer.concat([gzipSync('['), ...members, gzipSync(`${row}]`)]);
}

const TOO_MANY = {
  'empty objects': listOf('{}', 20_000_000),
  'empty lists': listOf('[]', 20_000_000),
  numbers: listOf('1', 20_000_000),
  'short rows of their own ids': listOf('{"id":"a"}', 5_000_000),
};

/** As a service without a limit sends 100,000 sessions, and 200,000 streams. */
const HONEST = {
  sessions: [
    100_000,
    '{"id":"11111111-aaaa-4444-8888-000000000001","parentId":"11111111-aaaa-4444-8888-000000000002","createdAt":1700000000000,' +
      '"lastSeen":1700000100000,"record":true,"recordingStatus":"ready","sourceSegments":12,"transcodedSegments":24,' +
      '"recordingUrl":"https://cdn.example/recordings/1/index.m3u8","mp4Url":"https://cdn.example/recordings/1/source.mp4"}',
  ],
  streams: [
    200_000,
    '{"id":"11111111-aaaa-4444-8888-000000000001","name":"Keynote","streamKey":"abcd-efgh-ijkl-mnop","isActive":false,' +
      '"playbackId":"abcd1234efgh5678","createdAt":1700000000000,"lastSeen":1700000100000,"record":true,"profiles":[]}',
  ],
} as const;

for (const client of ['undici', 'editor'] as const) {
  describe(`A body that is to be parsed, with the ${client} client`, () => {
    const { open, serve, ending } = useTransports();
    const settings = () => ({ timeoutMs: 60_000 });

    function openClient() {
      if (client === 'undici') return open({ timeoutMs: 60_000 }).transport;
      const transport = createFetchTransport({
        ...{ fetch, settings, clock: realClock, log: recordingLog() },
      });
      ending.push({ end: () => transport.dispose() });
      return transport;
    }

    async function served(body: Buffer): Promise<string> {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return (await serve((_, response) => response.writeHead(200, headers).end(body))).url;
    }

    for (const [what, body] of Object.entries(TOO_MANY)) {
      it(`is refused before that where it is millions of ${what}`, async () => {
        const url = await served(body);
        const error = await failureOf(openClient().send(getting(url, { isJson: true })));
        assert.ok(isApiError(error), String(error));
        assert.deepEqual([error.reason, error.why], ['invalidResponse', 'tooLarge']);
      });
    }

    for (const [what, [count, row]] of Object.entries(HONEST)) {
      it(`is taken where it is ${count} honest ${what}`, async () => {
        const url = await served(listOf(row, count));
        const { body } = await openClient().send(getting(url, { isJson: true }));
        assert.ok(body.byteLength > count * row.length);
      });
    }

    it('counts nothing in what is not', async () => {
      const url = await served(gzipSync(','.repeat(7_000_000)));
      assert.equal((await openClient().send(getting(url))).body.byteLength, 7_000_000);
    });
  });
}
