import assert from 'node:assert/strict';
import type { AddressTemplates } from '../../../src/services.ts';
import { type AgentFixture, withAgents } from './fixture.ts';

const HLS = 'https://cdn.example/{playbackId}.m3u8';

/** The code for a new stream of a service with these addresses, or why there is none. */
async function codeOf({ service, call }: AgentFixture, input: Readonly<Record<string, unknown>>) {
  const stream = service.control.addStream({ name: 'Opening' });
  const answer = await call('liveStreams_snippet', { id: stream.id, ...input });
  return { stream, code: String(answer.code ?? answer.problem), answer };
}

function withAddresses(addresses: AddressTemplates, test: (fixture: AgentFixture) => Promise<void>) {
  return withAgents({ addresses, demo: { streamCount: 1, saysAddresses: false } }, test);
}

describe('A snippet for agents', () => {
  const INGESTS: readonly (readonly [string, boolean])[] = [
    ['rtmp://in.example/live/{streamKey}', true],
    ['rtmp://in.example/live/{streamKey}?token=s3cret', false],
    ['rtmp://user:s3cret@in.example/live/{streamKey}', false],
    ['rtmp://user@in.example/live/{streamKey}', false],
    ['rtmp://:s3cret@in.example/live/{streamKey}', false],
    ['rtmp://in.example/planted-api-key-8d1f0c/{streamKey}', false],
  ];
  for (const [rtmp, isWritten] of INGESTS) {
    it(`${isWritten ? 'has' : 'has nothing of'} the ingest URL ${rtmp}`, async () => {
      const options = { addresses: { rtmp }, demo: { streamCount: 1, apiKey: 'planted-api-key-8d1f0c' } };
      await withAgents(options, async (fixture) => {
        const { code, answer } = await codeOf(fixture, { language: 'shellscript', form: 'ffmpeg' });
        if (isWritten) assert.match(code, /-f flv "rtmp:\/\/in\.example\/live\/\$\{STREAM_KEY\}"$/);
        else assert.equal(code, "This form isn't available for this stream and language.");
        if (!isWritten) assert.ok(Array.isArray(answer.forms) && !answer.forms.includes('ffmpeg'));
        assert.ok(!JSON.stringify(answer).includes('s3cret'));
      })();
    });
  }

  it('says that the URL of a private stream needs a token, and how to sign one', async () => {
    await withAgents({ demo: { streamCount: 1 } }, async ({ service, call }) => {
      const { id } = service.control.addStream({ name: 'Board', playbackPolicy: { type: 'jwt' } });
      const { stream } = await call('liveStreams_get', { id });
      assert.equal((stream as { viewers?: string }).viewers, 'withToken');
      const playing = await call('liveStreams_snippet', { id, language: 'html' });
      assert.match(String(playing.access), /plays only with a token.*Insert Token Signing Code/);
      const naming = await call('liveStreams_snippet', { id, language: 'html', form: 'playbackId' });
      assert.equal(naming.access, undefined);
    })();
  });

  it(
    'is written without an ingest URL and a player where the service has none',
    withAddresses({ hls: HLS }, async (fixture) => {
      const { code, stream, answer } = await codeOf(fixture, { language: 'markdown' });
      assert.equal(code, `[Opening](<https://cdn.example/${stream.playbackId}.m3u8>)`);
      assert.deepEqual(
        [answer.form, answer.variables],
        ['markdown', 'Keys are variables in the code: STREAM_KEY, LIVEPEER_API_KEY. The user sets them.'],
      );
    }),
  );

  for (const player of [
    'https://player.example/?v={playbackId}',
    'https://player.example/?v={playbackId}&stream={id}',
  ]) {
    it(
      `has the player's URL where its query has public IDs only: ${player}`,
      withAddresses({ hls: HLS, player }, async (fixture) => {
        const { code, stream } = await codeOf(fixture, { language: 'markdown' });
        const url = player.replace('{playbackId}', stream.playbackId ?? '').replace('{id}', stream.id);
        assert.equal(code, `[Opening](<${url}>)`);
      }),
    );
  }

  it(
    'is in the form that was chosen, and names the others; without a choice in the likeliest',
    withAddresses({ hls: HLS }, async (fixture) => {
      const { answer: likeliest } = await codeOf(fixture, { language: 'html' });
      assert.ok(Array.isArray(likeliest.otherForms) && typeof likeliest.form === 'string');
      const [other] = likeliest.otherForms;
      const { answer: chosen } = await codeOf(fixture, { language: 'html', form: other });
      assert.equal(chosen.form, other);
      assert.ok(Array.isArray(chosen.otherForms));
      assert.deepEqual(
        new Set([chosen.form, ...chosen.otherForms]),
        new Set([likeliest.form, ...likeliest.otherForms]),
      );
      assert.ok(chosen.otherForms.includes(likeliest.form) && !chosen.otherForms.includes(other));
    }),
  );

  it(
    'says that there is no such stream, or form',
    withAddresses({ hls: HLS }, async (fixture) => {
      const gone = await fixture.call('liveStreams_snippet', { id: 'gone', language: 'html' });
      assert.equal(gone.problem, "There's no stream with this ID.");
      const { answer } = await codeOf(fixture, { language: 'markdown', form: 'ffmpeg' });
      assert.equal(answer.next, 'Call the tool again with one of these forms, or without a form.');
      assert.ok(Array.isArray(answer.forms) && answer.forms.includes('markdown'));
    }),
  );
});
