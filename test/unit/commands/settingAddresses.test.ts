import assert from 'node:assert/strict';
import { saysUrls } from '../../../src/model/connection/knownAddresses.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, withCommands } from './fixture.ts';

const SILENT = { saysAddresses: false } as const;
const UNKNOWN = { addresses: {}, demo: SILENT } as const;
const RTMP = 'rtmp://127.0.0.1/live/{streamKey}';

const originOf = ({ service }: Fixture) => new URL(service.baseUrl).origin;
const hlsOf = ({ service }: Fixture) => service.addresses.hls ?? '';

describe('Set Streaming URLs', () => {
  it(
    'asks for both in two boxes with what the service says, tests the HLS URL with a live stream, and saves them',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      ui.answers.inputs.push('rtmp://127.0.0.1/live', '(as suggested)');
      await run('setAddresses');
      const { host } = new URL(fixture.service.baseUrl);
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'title', 'step', 'value'), [
        [`Set Streaming URLs for ${host}`, { current: 1, total: 2 }, RTMP],
        [`Set Streaming URLs for ${host}`, { current: 2, total: 2 }, hlsOf(fixture)],
      ]);
      assert.deepEqual(written, [[originOf(fixture), { rtmp: RTMP, hls: hlsOf(fixture) }]]);
      assert.deepEqual(ui.seen.flashes, [`Saved the streaming URLs for ${host}`]);
      assert.deepEqual(ui.seen.said, []);
      assert.ok(fixture.requests().some((each) => each.includes('.m3u8')));
    }),
  );

  it(
    'keeps what was typed when the user goes back',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      const typed = 'http://127.0.0.1:1/{playbackId}';
      ui.answers.inputs.push('rtmp://localhost/a', `(back) ${typed}`, '(as suggested)', '(as suggested)');
      ui.answers.picks.push('Save Anyway');
      await run('setAddresses');
      assert.deepEqual(written, [[originOf(fixture), { rtmp: 'rtmp://localhost/a/{streamKey}', hls: typed }]]);
    }),
  );

  it(
    'says what came instead of a playlist, and saves only if the user wants to',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      const wrong = `${originOf(fixture)}/nothing/{playbackId}`;
      ui.answers.inputs.push('(as suggested)', wrong);
      await run('setAddresses');
      assert.deepEqual(written, []);
      const [said] = ui.seen.said;
      assert.match(
        said?.message ?? '',
        /^Couldn't play "[^"]+" with this URL\. 127\.0\.0\.1:\d+ responded with 404\.$/,
      );
      assert.deepEqual(said?.actions, ['Change URLs…', 'Save Anyway']);
      assert.equal(ui.seen.picks[0]?.placeholder, said?.message);
      ui.answers.inputs.push('(as suggested)', wrong);
      ui.answers.presses.push('Save Anyway');
      await run('setAddresses');
      assert.deepEqual(written, [[originOf(fixture), { rtmp: RTMP, hls: wrong }]]);
    }),
  );

  it(
    'asks again with what was typed',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      const wrong = `${originOf(fixture)}/nothing/{playbackId}`;
      ui.answers.inputs.push('rtmp://localhost/a', wrong, '(as suggested)', hlsOf(fixture));
      ui.answers.picks.push('Change URLs…');
      await run('setAddresses');
      assert.equal(ui.seen.inputs[2]?.value, 'rtmp://localhost/a/{streamKey}');
      assert.equal(ui.seen.inputs[3]?.value, wrong);
      assert.deepEqual(written, [[originOf(fixture), { rtmp: 'rtmp://localhost/a/{streamKey}', hls: hlsOf(fixture) }]]);
    }),
  );

  it(
    'saves without a test when nothing is live, and says so',
    withCommands({ ...UNKNOWN, demo: { ...SILENT, liveCount: 0 } }, async (fixture) => {
      const { ui, run, written, service, context } = fixture;
      for (const { id } of service.control.streams()) service.control.setStream(id, { isActive: false });
      await context.loader.refresh();
      ui.answers.inputs.push('(as suggested)', 'http://127.0.0.1:1/{playbackId}');
      await run('setAddresses');
      assert.equal(written.length, 1);
      assert.match(ui.seen.flashes[0] ?? '', /To test the HLS URL, watch a live stream/);
    }),
  );

  it(
    'takes both as an argument, and refuses what will not do with the reason',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      await run('setAddresses', { rtmp: 'rtmp://localhost/live', hls: '' });
      assert.deepEqual(written, [[originOf(fixture), { rtmp: 'rtmp://localhost/live/{streamKey}', hls: undefined }]]);
      await run('setAddresses', { rtmp: '', hls: 'http://cdn.example.com/{playbackId}' });
      assert.match(ui.seen.said[0]?.message ?? '', /must start with https/);
      assert.deepEqual([written.length, ui.seen.inputs], [1, []]);
    }),
  );

  it(
    'corrects in the box, and never stores the key of a stream',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written, service } = fixture;
      const key = service.control.streams()[0]?.streamKey ?? '';
      ui.answers.inputs.push('https://a.example', `rtmp://localhost/live/${key}`, 'http://a.example/x', hlsOf(fixture));
      await run('setAddresses');
      assert.equal(ui.seen.corrections.length, 2);
      assert.equal(written.length, 1);
      assert.ok(!JSON.stringify(written).includes(key));
    }),
  );

  it(
    'asks before keys go to another domain',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, run, written } = fixture;
      ui.answers.inputs.push('rtmp://in.example.net/live', hlsOf(fixture));
      await run('setAddresses');
      assert.match(ui.seen.questions[0]?.message ?? '', /^Use URLs on in\.example\.net for streams from 127\.0\.0\.1/);
      assert.deepEqual(written, []);
      ui.answers.inputs.push('rtmp://in.example.net/live', hlsOf(fixture));
      ui.answers.confirms.push(true);
      await run('setAddresses');
      assert.equal(written.length, 1);
    }),
  );

  const OTHER_HOSTS: readonly (readonly [baseUrl: string | undefined, host: string, given: Record<string, string>])[] =
    [
      [undefined, '127.0.0.1', { rtmp: 'rtmp://in.example.net/live', hls: '' }],
      [undefined, '127.0.0.1', { rtmp: '', hls: 'https://cdn.example.net/{playbackId}' }],
      ['https://livepeer.studio/api', 'livepeer.studio', { rtmp: 'rtmp://in.example.net/live', hls: '' }],
      ['https://api.mysvc.co.uk', 'api.mysvc.co.uk', { rtmp: 'rtmp://evil.co.uk/live', hls: '' }],
    ];
  for (const [baseUrl, host, given] of OTHER_HOSTS) {
    it(
      `asks before keys of ${host} go to another host that was given as an argument: ${given.rtmp || given.hls}`,
      withCommands(UNKNOWN, async (fixture) => {
        const { ui, run, written } = fixture;
        const argument = { ...given, ...(baseUrl !== undefined && { baseUrl }) };
        await run('setAddresses', argument);
        const [question] = ui.seen.questions;
        assert.match(question?.message ?? '', new RegExp(`^Use URLs on \\S+ for streams from ${host}`));
        assert.match(question?.detail ?? '', given.rtmp === '' ? /^The HLS URL isn't on/ : /^The RTMP URL isn't on/);
        assert.deepEqual(written, []);
        ui.answers.confirms.push(true);
        await run('setAddresses', argument);
        assert.equal(written.length, 1);
      }),
    );
  }

  it(
    'is for the service of a message, whichever connection is open by then',
    withCommands(UNKNOWN, async (fixture) => {
      const { run, written } = fixture;
      const rtmp = 'rtmp://api.example.com/live';
      await run('setAddresses', { baseUrl: 'https://api.example.com/api', rtmp, hls: '' });
      assert.deepEqual(written[0], ['https://api.example.com', { rtmp: `${rtmp}/{streamKey}`, hls: undefined }]);
    }),
  );

  it(
    'keeps what was typed when the settings cannot be written',
    withCommands(UNKNOWN, async (fixture) => {
      const { ui, context, written, run } = fixture;
      let isBroken = true;
      const { writeAddresses } = context.settings;
      Object.assign(context.settings, {
        writeAddresses: async (...args: Parameters<typeof writeAddresses>) => {
          if (isBroken) throw new Error('no');
          await writeAddresses(...args);
        },
      });
      const notify: typeof ui.notify = async (severity, message, ...actions) => {
        ui.seen.said.push({ severity, message, actions });
        isBroken = false;
        return 'Retry';
      };
      Object.assign(ui, { notify });
      await run('setAddresses', { rtmp: 'rtmp://localhost/live', hls: '' });
      assert.deepEqual(ui.seen.said[0]?.actions, ['Retry']);
      assert.equal(written.length, 1);
    }),
  );

  it(
    'is what Set Address… does where an address is missing',
    withCommands({ ...UNKNOWN, answers: { presses: ['Configure…'] } }, async (fixture) => {
      const { ui, run, service } = fixture;
      const [stream] = service.control.streams();
      await run('copyIngestUrl', stream?.id);
      assert.deepEqual(ui.seen.settings, []);
      assert.match(ui.seen.inputs[0]?.title ?? '', /^Set Streaming URLs for /);
    }),
  );

  it(
    'is not needed where the service says its own, unless others are given',
    withCommands({ addresses: {} }, async (fixture) => {
      const { ui, run, written, context } = fixture;
      assert.equal(saysUrls(context), false, 'nobody asked');
      await run('setAddresses');
      assert.equal(saysUrls(context), true, 'the palette hides it');
      assert.match(ui.seen.said[0]?.message ?? '', /^127\.0\.0\.1:\d+ provides its own streaming URLs\./);
      assert.deepEqual([ui.seen.said[0]?.actions, ui.seen.inputs, written], [['Open Settings'], [], []]);
      await run('setAddresses', { rtmp: 'rtmp://localhost/other', hls: '' });
      assert.equal(written.length, 1);
    }),
  );
});
