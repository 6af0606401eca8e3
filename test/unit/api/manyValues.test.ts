import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isApiError } from '../../../src/api/errors.ts';
import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { assertBounded } from '../../support/process/runCost.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { failureOf, patientClock, recordingLog } from './support.ts';
import { getting, useTransports } from './useTransports.ts';

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

/** An object, or objects of so many each, whose names are all different, in members of gzip. */
function differentNames(count: number, ofEach: number): Buffer {
  const rows = 100_000;
  const isOne = ofEach === count;
  const pieces = Array.from({ length: count / rows }, (_, piece) => {
    const names = Array.from({ length: rows }, (__, index) => `"${(piece * rows + index).toString(36)}":0`);
    const text = isOne ? names.join() : names.map((_name, index) => nameIn(names, index, ofEach)).join('');
    return gzipSync(`${piece === 0 ? '' : ','}${text}`, { level: 1 });
  });
  const [start, end] = isOne ? ['{', '}'] : ['[', ']'];
  return Buffer.concat([gzipSync(start), ...pieces, gzipSync(end)]);
}

function nameIn(names: readonly string[], index: number, ofEach: number): string {
  const begins = index % ofEach === 0 ? `${index === 0 ? '' : ','}{` : ',';
  return `${begins}${names[index]}${index % ofEach === ofEach - 1 ? '}' : ''}`;
}

/** Making six million takes longer than all that is done with them. */
const NAMES = sampleOf([300_000, 6_000_000], 1).at(-1) ?? 0;
const MANY_NAMES = new Map<number, Buffer>();

/** Made once for both clients. */
function manyNames(ofEach: number): Buffer {
  const made = MANY_NAMES.get(ofEach) ?? differentNames(NAMES, ofEach);
  MANY_NAMES.set(ofEach, made);
  return made;
}

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

// Both read bodies alike.
for (const client of sampleOf(['undici', 'editor'] as const, 1)) {
  describe(`A body that is to be parsed, with the ${client} client`, () => {
    const { open, serve, ending } = useTransports();
    const settings = () => ({ timeoutMs: 60_000 });

    function openClient() {
      if (client === 'undici') return open({ timeoutMs: 60_000 }).transport;
      const transport = createFetchTransport({
        ...{ fetch, settings, clock: patientClock, log: recordingLog() },
      });
      ending.push({ end: () => transport.dispose() });
      return transport;
    }

    async function served(body: Buffer): Promise<string> {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return (await serve((_, response) => response.writeHead(200, headers).end(body))).url;
    }

    for (const [what, body] of sampleOf(Object.entries(TOO_MANY), 2)) {
      it(`is refused before that where it is millions of ${what}`, async () => {
        const url = await served(body);
        const error = await assertBounded(() => failureOf(openClient().send(getting(url, { isJson: true }))));
        assert.ok(isApiError(error), String(error));
        assert.deepEqual([error.reason, error.why], ['invalidResponse', 'tooLarge']);
      });
    }

    for (const ofEach of sampleOf([50, NAMES, 1], 1)) {
      it(`is refused before that where it has ${NAMES} different names, ${ofEach} in an object`, async () => {
        const url = await served(manyNames(ofEach));
        // Parsing six million takes 20 s.
        const error = await assertBounded(() => failureOf(openClient().send(getting(url, { isJson: true }))));
        assert.ok(isApiError(error), String(error));
        assert.deepEqual([error.reason, error.why], ['invalidResponse', 'tooLarge']);
      }).timeout(60_000);
    }

    it('is refused where its names have one hash in the usual functions', async () => {
      const names = ['Aa', 'BB'].flatMap((a) => ['Aa', 'BB'].map((b) => a + b));
      const longer = (list: readonly string[]) => list.flatMap((a) => names.map((b) => a + b));
      const all = longer(longer(longer(longer(longer(longer(longer(names)))))));
      const url = await served(gzipSync(`{${all.map((name) => `"${name}":0`).join()}}`));
      const error = await failureOf(openClient().send(getting(url, { isJson: true })));
      assert.ok(all.length === 65_536 && isApiError(error) && error.why === 'tooLarge', String(error));
    });

    it('is taken where values, not names, are all different, whatever is in them', async () => {
      const rows = Array.from({ length: 100_000 }, (_, index) => ({
        id: `${index}":{"${index}`,
        name: `\\"${index}\\`,
      }));
      const url = await served(gzipSync(JSON.stringify(rows)));
      const { body } = await openClient().send(getting(url, { isJson: true }));
      assert.equal(JSON.parse(new TextDecoder().decode(body)).length, 100_000);
    });

    for (const [what, [count, row]] of sampleOf(Object.entries(HONEST), 1)) {
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
