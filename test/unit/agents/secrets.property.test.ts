import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExportedReads } from '../../../src/agents/exportedReads.ts';
import type { DemoFace } from '../../support/demo/demoService.ts';
import { FUZZ_RUNS } from '../../support/runner/fuzzRuns.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

/** Each is a whole account and some dozens of calls. */
const RUNS = Math.ceil(FUZZ_RUNS / 20);
const API_KEY = 'planted-api-key-8d1f0c';

/** A secret that is in no other text: of the shape of keys, or of another. */
const secret = fc.oneof(
  fc.stringMatching(/^zq[a-z0-9]{2}(-[a-z0-9]{4}){3}$/),
  fc.stringMatching(/^ZQ[A-Za-z0-9_-]{6,40}$/),
);

/** A stream of which each text may have secrets in it, as a service or whoever names streams can put them there. */
const stream = fc.record({
  key: secret,
  pull: secret,
  around: fc.constantFrom('', ' ', '"', '/', '\n', '“', 'rtmp://ingest.example/live/', 'https://a.example/?key='),
  filler: fc.constantFrom('', 'x'.repeat(90), 'word '.repeat(500), '日本語'.repeat(40)),
  isActive: fc.boolean(),
  isHealthy: fc.option(fc.boolean()),
});
const account = fc.record({ streams: fc.array(stream, { minLength: 1, maxLength: 6 }) });
type Account = typeof account extends fc.Arbitrary<infer A> ? A : never;

function plant({ service: { control, baseUrl } }: AgentFixture, { streams }: Account): readonly string[] {
  for (const { id } of control.streams()) control.deleteStream(id);
  const apart = streams.map(({ key, pull, around, filler, isActive, isHealthy }, at) => {
    const text = `${filler}${around}${key}${around} ${around}${API_KEY} Bearer ${pull}`;
    const { id } = control.addStream({ name: text, streamKey: key, isActive, isHealthy, issues: [text, key] });
    const withUrl = { id: 'target', profile: 'source', spec: { name: 'T', url: `rtmp://other.example/live/${pull}` } };
    control.setStream(id, {
      pull: { source: `https://user:${pull}@cam.example/x?sig=${pull}`, headers: { authorization: `Bearer ${pull}` } },
      multistream: { targets: [withUrl] },
      profiles: [{ name: text, width: 640, height: 360, bitrate: 800_000, fps: 30 }],
    });
    const createdAt = Date.now() - 3_600_000;
    const times = { createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
    const session = control.addSession(id, { record: true, name: text, ...times });
    const media = new URL(`/recordings/${at % 2 === 0 ? 'plain' : key}/index.m3u8?sig=${pull}`, baseUrl).href;
    control.setSession(session.id, { recordingStatus: 'ready', recordingUrl: media, mp4Url: `${media}&token=${key}` });
    return [key, pull];
  });
  return [API_KEY, ...apart.flat()];
}

async function answersOf(fixture: AgentFixture): Promise<readonly string[]> {
  const { answer, context } = fixture;
  const texts: string[] = [];
  const reads = new ExportedReads(context);
  for (const state of ['active', 'idle', 'all']) texts.push(await answer('liveStreams_list', { state }));
  texts.push(await answer('liveStreams_recordings', {}), JSON.stringify(await reads.listLiveStreams()));
  for (const { id, isActive } of fixture.service.control.streams()) {
    // Playing a live one takes as long as its segments.
    if (!isActive) texts.push(await answer('liveStreams_check', { id }));
    texts.push(await answer('liveStreams_get', { id }), await answer('liveStreams_recordings', { stream: id }));
    texts.push(JSON.stringify(await reads.getStream(id)));
    for (const language of ['html', 'json', 'markdown', 'shellscript', 'typescriptreact', 'dotenv']) {
      texts.push(await answer('liveStreams_snippet', { id, language }));
    }
    texts.push(await answer('liveStreams_snippet', { id, language: 'shellscript', form: 'ffmpeg' }));
    texts.push(JSON.stringify([await fixture.tools.prepare('liveStreams_setRecording', { id, on: true })]));
    texts.push(await answer('liveStreams_setRecording', { id, on: true }));
  }
  texts.push(await answer('liveStreams_create', { name: 'New' }));
  return texts;
}

describe('Secrets in what agents and other extensions are answered', () => {
  for (const face of ['full', 'strict'] satisfies DemoFace[]) {
    it(`are none, for any account of a service that is ${face}`, async function () {
      this.timeout(RUNS * 10_000);
      const property = fc.asyncProperty(account, (given) =>
        withAgents({ demo: { face, apiKey: API_KEY, streamCount: 1 } }, async (fixture) => {
          const secrets = plant(fixture, given);
          const texts = await answersOf(fixture);
          const made = fixture.service.control.streams().flatMap(({ streamKey }) => streamKey ?? []);
          for (const text of texts) {
            for (const each of [...secrets, ...made]) assert.ok(!text.includes(each), `${each} is in ${text}`);
          }
          assert.equal(texts.filter((text) => text.includes('"renditions":')).length, 2 * given.streams.length);
        })(),
      );
      await fc.assert(property, { numRuns: RUNS });
    });
  }
});
