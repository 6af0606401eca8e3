import assert from 'node:assert/strict';
import { locateMedia } from '../../../src/model/playback/locateMedia.ts';
import type { Downloads } from '../../../src/services.ts';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { type ClientName, createClient, hidesRedirects, MEDIA_CLIENTS } from '../../support/service/clients.ts';
import { startFaultService } from '../../support/service/faultService.ts';
import { recordingLog, until } from '../api/support.ts';
import { countingClock, PATIENCE_MS, resultOf, watchRejections } from './attacked.ts';
import { FAULTS, type FaultCase, type Outcome } from './faults.ts';

const TIMEOUT_MS = 250;
/** What comes to an end by itself is given time for it, however busy the machine. */
const LONG_MS = 8000;
/** Short, for it comes byte by byte too. */
const PLAYLIST = '#EXTM3U\n#EXTINF:2,\n0.ts\n';

/** What neither a playlist nor a file is about, and so what is wrong for those who read JSON alone. */
const OF_JSON = /^sends (NaN|Infinity)$/;
const NOT_A_PLAYLIST = /too small$|nesting$|not closed$|UTF-16$|null$/;

/** What is made of the answer itself, redirects aside. */
function outcomeOf({ outcome, editor }: FaultCase, client: ClientName): FaultCase['outcome'] {
  return client === 'undici' ? outcome : (editor ?? outcome);
}

/** A body that is read by and by takes its time, and is handed on with any status: what is in it is for its reader. */
function downloadOutcome(fault: FaultCase, client: ClientName): Outcome {
  const outcome = outcomeOf(fault, client);
  if (hidesRedirects(client) && fault.what.endsWith('to another host')) return ['network', 'nameNotFound'];
  if (hidesRedirects(client) && fault.what.endsWith('to itself')) return ['invalidResponse', 'redirect'];
  if (!isOne(outcome) || outcome === 'ok' || fault.what === 'sends the body byte by byte') return 'ok';
  const [reason, why] = outcome;
  return reason === 'rateLimited' || reason === 'unavailable' || why === 'redirect' ? 'ok' : outcome;
}

/** Where a playlist is, or what is the matter with it. */
function located(fault: FaultCase, client: ClientName): string {
  const { what } = fault;
  if (outcomeOf(fault, client) === 'ok' || OF_JSON.test(what)) return 'ok';
  if (NOT_A_PLAYLIST.test(what)) return 'malformedPlaylist';
  if (what === 'sends HTML') return 'htmlPlaylist';
  // fetch takes a 204 for empty, and what there is of a gzip for all of it.
  if (what === 'answers 204' || (what === 'answers 204 with a body' && client !== 'undici')) return 'emptyPlaylist';
  if (what === 'sends half of its gzip' && client !== 'undici') return 'ok';
  if (what.endsWith('to itself')) return 'tooManyRedirects';
  return /429|50\d|600|304/.test(what) ? 'status' : 'unreachable';
}

function isOne(outcome: FaultCase['outcome']): outcome is Outcome {
  return typeof outcome === 'string' || Array.isArray(outcome);
}

async function open(timeoutMs: number, stallMs: number, client: ClientName) {
  const headers = { date: new Date().toUTCString() };
  const service = await startFaultService(() => ({ status: 200, headers, body: PLAYLIST }));
  const clock = countingClock();
  const shared = { settings: () => ({ timeoutMs }), clock, log: recordingLog(), random: () => -0.45, stallMs };
  const transport = createClient(client, shared);
  const end = async () => {
    assert.equal(clock.timers, 0, 'timers');
    await until(() => service.waiting.size === 0);
    transport.dispose();
    // Connections that are kept for the next call are the editor's own there.
    if (client === 'undici') await until(() => service.sockets.size === 0);
    await service.close();
  };
  return { service, transport, clock, url: `${service.url}/a.m3u8`, end };
}

async function readAll(transport: Downloads, url: string): Promise<string> {
  const { body } = await transport.download({ url, headers: {} });
  return Buffer.concat(await Array.fromAsync(body)).toString();
}

const patience = (isStalled: boolean) => (isStalled ? TIMEOUT_MS : LONG_MS);

describe('Media of a faulty service', () => {
  watchRejections();

  for (const each of sampleOf(FAULTS, 5)) {
    for (const client of MEDIA_CLIENTS) {
      const expected = downloadOutcome(each, client);
      it(`${each.what}: a download comes to ${JSON.stringify(expected)} (${client})`, async () => {
        const isStalled = expected[0] === 'timeout';
        const { service, transport, clock, url, end } = await open(LONG_MS, patience(isStalled), client);
        service.fault = each.fault;
        const startedAt = clock.elapsed();
        const { outcome, value } = await resultOf(readAll(transport, url));
        assert.deepEqual(outcome, expected);
        if (each.outcome === 'ok') assert.ok(String(value).includes('#EXTINF'), String(value));
        const took = clock.elapsed() - startedAt;
        assert.ok(!isStalled || took < TIMEOUT_MS + PATIENCE_MS, `${Math.round(took)} ms`);
        await end();
      });
    }

    for (const client of MEDIA_CLIENTS) {
      const expected = located(each, client);
      it(`${each.what}: a playlist is ${expected} (${client})`, async () => {
        const isStalled = JSON.stringify(each.outcome).includes('timeout');
        const { service, transport, clock, url, end } = await open(patience(isStalled), LONG_MS, client);
        service.fault = each.fault;
        const startedAt = clock.elapsed();
        const found = await locateMedia({ url, kind: 'hls', connection: { baseUrl: service.url }, transport });
        assert.equal(found.ok ? 'ok' : found.problem.kind, expected);
        if (found.ok) assert.deepEqual([found.media.kind, found.media.url], ['hls', url]);
        const took = clock.elapsed() - startedAt;
        assert.ok(!isStalled || took < TIMEOUT_MS + PATIENCE_MS, `${Math.round(took)} ms`);
        await end();
      });
    }
  }
});
