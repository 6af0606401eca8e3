import assert from 'node:assert/strict';
import { shownIds } from '../../../src/model/store/streams.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const made = ({ service }: Fixture, name: string) => service.control.streams().filter((stream) => stream.name === name);

/** The service answers changes with 500, after it has done something; it may do something before it lists, too. */
function loseAnswers({ service }: Fixture, onPost: () => unknown, onList: () => unknown = () => {}): void {
  service.control.fault(({ method, path }) => {
    if (method === 'GET' && path.endsWith('/stream')) onList();
    if (method !== 'POST') return undefined;
    onPost();
    return { status: 500, body: '{}' };
  });
}

/** What each box said that a setting is. */
const settings = ({ seen }: Fixture['ui'], setting: string) =>
  seen.picks.flatMap(({ items }) =>
    items.filter(({ label }) => label === setting).map(({ description }) => description),
  );

/** The renditions that each box showed as chosen. */
const checked = ({ seen }: Fixture['ui']) =>
  seen.picks.flatMap(({ items }) => items.filter(({ icon }) => icon === 'check').map(({ label }) => label));

const RENDITION = { name: '240p', width: 426, height: 240, bitrate: 250_000, fps: 0 };

const postsOf = ({ requests }: Fixture) => requests().filter((request) => request.startsWith('POST')).length;

describe('Creating a stream', () => {
  it(
    'asks in two steps, and goes back without losing what was entered',
    withCommands({}, async ({ ui, run, service }) => {
      ui.answers.inputs.push('Opening', '(as suggested)');
      ui.answers.picks.push('Renditions', 'Up to 720p', '(back)', 'Recording', 'Create');
      await run('createStream');
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'title', 'step', 'value'), [
        ['Create Stream', { current: 1, total: 2 }, ''],
        ['Create Stream', { current: 1, total: 2 }, 'Opening'],
      ]);
      assert.deepEqual(checked(ui), ['Default for Production']);
      assert.deepEqual(settings(ui, 'Renditions'), ['Default for Production', ...Array(3).fill('Up to 720p')]);
      assert.deepEqual(settings(ui, 'Recording'), ['Off', 'Off', 'Off', 'On']);
      const created = service.control.streams().find(({ name }) => name === 'Opening');
      assert.equal(created?.record, true);
    }),
  );

  it(
    'shows the new stream, or only its row, and says so, to somebody who works in a text editor by then',
    withCommands({}, async ({ ui, run, service, shown }) => {
      let edits = 0;
      ui.countEdits = () => edits;
      const idOf = (name: string) => service.control.streams().find((stream) => stream.name === name)?.id;
      await run('createStream', { name: 'Calm', record: false });
      assert.deepEqual([shown.length, ui.seen.messages], [1, []]);
      assert.deepEqual(ui.seen.reveals.splice(0), [{ kind: 'stream', id: idOf('Calm') }]);
      service.control.fault(({ method }) => {
        if (method === 'POST') edits += 1;
        return undefined;
      });
      await run('createStream', { name: 'Busy', record: false });
      assert.equal(shown.length, 1);
      assert.deepEqual(ui.seen.reveals.splice(0), [{ kind: 'stream', id: idOf('Busy'), keepsFocus: true }]);
      assert.deepEqual(ui.seen.messages.at(-1), 'Created "Busy"');
      ui.reveal = async () => assert.fail('Its row could not be shown');
      await run('createStream', { name: 'Busy again', record: false });
      assert.deepEqual(ui.seen.messages.at(-1), 'Created "Busy again"');
    }),
  );

  it(
    'has no steps where only one thing is asked',
    withCommands({}, async ({ ui, run }) => {
      ui.answers.inputs.push('Opening');
      await run('createStream', { record: false });
      assert.deepEqual([ui.seen.inputs[0]?.step, ui.seen.picks], [undefined, []]);
    }),
  );

  it(
    'asks for its name, then whether to record it; shows its row, and opens its page',
    withCommands(
      { answers: { inputs: ['', ' ', 'x'.repeat(10_000), ' Opening talk '], picks: ['Recording', 'Create'] } },
      async (fixture) => {
        const { run, ui, context, requests, readable, shown } = fixture;
        await run('createStream');
        const [stream, ...others] = made(fixture, 'Opening talk');
        assert.ok(stream);
        assert.deepEqual([stream.record, others], [true, []]);
        assert.deepEqual(ui.seen.corrections, [
          'Enter a name.',
          'Enter a name.',
          'Enter a name of up to 500 characters.',
        ]);
        assert.deepEqual(requests(), ['POST /api/stream'], 'by its answer: a replica may not have it yet');
        assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream.id }]);
        assert.ok(context.store.snapshot.pinnedIds.has(stream.id));
        assert.deepEqual(shown, [`stream ${stream.id}`]);
        assert.deepEqual([ui.seen.flashes, ui.seen.said], [['Created "Opening talk"'], []]);
        assert.ok(stream.streamKey !== undefined && !readable().includes(stream.streamKey));
      },
    ),
  );

  it(
    'takes name, recording and profiles, and allows a name that there is already',
    withCommands({}, async (fixture) => {
      const { run, ui, service } = fixture;
      for (const record of [true, false]) {
        await run('createStream', { name: 'Twice', record, profiles: [RENDITION] });
      }
      assert.deepEqual(fieldsOf(made(fixture, 'Twice'), 'record', 'profiles'), [
        [true, [RENDITION]],
        [false, [RENDITION]],
      ]);
      assert.equal(ui.seen.inputs.length + ui.seen.picks.length, 0);
      const { body } = service.control.requests[0] ?? {};
      assert.deepEqual(JSON.parse(body ?? ''), { name: 'Twice', record: true, profiles: [RENDITION] });
    }),
  );

  it(
    'sets who can watch in the same box, if somebody wants to, and shows what was chosen',
    withCommands({}, async (fixture) => {
      const { ui, run, requests } = fixture;
      fixture.service.control.addSigningKey('Site');
      ui.answers.inputs.push('Members', 'https://example.com');
      ui.answers.picks.push('Playback Policy', 'Signed Token', 'Create');
      await run('createStream');
      assert.deepEqual(settings(ui, 'Playback Policy'), ['Public', 'Signed Token']);
      const [stream] = made(fixture, 'Members');
      assert.deepEqual(stream?.playbackPolicy, { type: 'jwt', allowedOrigins: ['https://example.com'] });
      assert.deepEqual(requests(), ['GET /api/access-control/signing-key?limit=1000', 'POST /api/stream']);
    }),
  );

  it(
    'offers a signing key if the account has none, and shows the settings again if it can’t be created',
    withCommands({}, async (fixture) => {
      const { ui, run, service } = fixture;
      const failures = [{ status: 403 }];
      service.control.fault(({ method }) => (method === 'POST' ? failures.shift() : undefined));
      ui.answers.inputs.push('Members', '', 'Site');
      ui.answers.picks.push('Playback Policy', 'Signed Token', 'Create Signing Key…', 'Create', 'Create');
      await run('createStream');
      assert.deepEqual(settings(ui, 'Playback Policy'), ['Public', 'Signed Token', 'Signed Token']);
      assert.match(ui.seen.messages.join('\n'), /^This API key doesn't have .*\nThe signing key "Site" was created\./);
      assert.deepEqual(fieldsOf(service.control.signingKeys(), 'name'), ['Site']);
      assert.deepEqual(made(fixture, 'Members')[0]?.playbackPolicy, { type: 'jwt' });
    }),
  );

  it(
    'creates no signing key for a stream that isn’t created, or whose policy needs none in the end',
    withCommands({}, async (fixture) => {
      const { ui, run, service } = fixture;
      for (const end of [[], ['Playback Policy', 'Public', 'Create']]) {
        ui.answers.inputs.push('Members', '', 'Site', '');
        ui.answers.picks.push('Playback Policy', 'Signed Token', 'Create Signing Key…', ...end);
        await run('createStream');
        ui.answers.inputs.length = 0;
      }
      assert.equal(made(fixture, 'Members').length, 1);
      assert.deepEqual(service.control.signingKeys(), []);
    }),
  );

  it(
    'leads back from each box of the playback policy to the one before, with what was entered',
    withCommands({}, async (fixture) => {
      const { ui, run, service } = fixture;
      service.control.addSigningKey('Site');
      ui.answers.inputs.push('Members', '(back) https://example.com', 'Crew', 'https://example.org');
      ui.answers.picks.push('Playback Policy', 'Signed Token', '(back)', '(back)');
      ui.answers.picks.push('Playback Policy', 'Signed Token', 'Create');
      await run('createStream');
      assert.deepEqual(
        ui.seen.picks.map(({ title, step }) => [title, step?.current]),
        [2, undefined, undefined, 2, 2, undefined, 2].map((at) => ['Create Stream', at]),
      );
      assert.deepEqual(fieldsOf(ui.seen.picks[2]?.items, 'label', 'description')?.[1], ['Signed Token', 'current']);
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'title', 'value'), [
        ['Create Stream', ''],
        ['Create Stream', ''],
        ['Create Stream', 'Members'],
        ['Create Stream', ''],
      ]);
      const [stream] = made(fixture, 'Crew');
      assert.deepEqual(stream?.playbackPolicy, { type: 'jwt', allowedOrigins: ['https://example.org'] });
    }),
  );

  it(
    'keeps what was entered if the playback policy needs a webhook and there is none',
    withCommands({}, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push('Members');
      ui.answers.picks.push('Recording', 'Playback Policy', 'Webhook', 'Create');
      await run('createStream');
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        ['There are no webhooks yet.', ['Create Webhook…']],
      ]);
      const [stream] = made(fixture, 'Members');
      assert.deepEqual([stream?.record, stream?.playbackPolicy], [true, undefined]);
    }),
  );

  it(
    'takes a playback policy as an argument without a question, and refuses what is no policy',
    withCommands({}, async (fixture) => {
      const { run, ui } = fixture;
      await run('createStream', { name: 'Members', record: false, playbackPolicy: { type: 'jwt' } });
      assert.deepEqual(made(fixture, 'Members')[0]?.playbackPolicy, { type: 'jwt' });
      for (const playbackPolicy of [{}, 'jwt', { type: 'secret' }, { type: 'jwt', allowedOrigins: ['nowhere'] }]) {
        await run('createStream', { name: 'None', record: false, playbackPolicy });
      }
      assert.deepEqual(made(fixture, 'None'), []);
      assert.deepEqual(ui.seen.messages, [
        ...Array(3).fill('The playback policy must be "public", "jwt", or "webhook".'),
        '"nowhere" isn\'t a valid origin. Enter one like https://example.com.',
      ]);
    }),
  );

  for (const what of ['answers 422 to it', 'ignores it'] as const) {
    it(
      `sets the playback policy afterwards if the service ${what} at first`,
      withCommands({}, async (fixture) => {
        const { run, service, requests } = fixture;
        service.control.fault(({ method, body }) => {
          if (method !== 'POST' || !body.includes('playbackPolicy')) return undefined;
          if (what === 'answers 422 to it') return { status: 422 };
          return { status: 201, body: JSON.stringify(service.control.addStream({ name: 'Members' })) };
        });
        await run('createStream', { name: 'Members', record: false, playbackPolicy: { type: 'jwt' } });
        assert.equal(made(fixture, 'Members').length, 1);
        assert.deepEqual(made(fixture, 'Members')[0]?.playbackPolicy, { type: 'jwt' });
        assert.ok(requests().some((request) => request.startsWith('PATCH')));
      }),
    );
  }

  it(
    'says that the stream was created if its playback policy can’t be set, and offers to set the policy',
    withCommands({}, async (fixture) => {
      const { run, service, ui } = fixture;
      service.control.fault(({ method, body }) =>
        method === 'PATCH' || body.includes('playbackPolicy') ? { status: 422 } : undefined,
      );
      await run('createStream', { name: 'Members', record: false, playbackPolicy: { type: 'jwt' } });
      assert.equal(made(fixture, 'Members').length, 1);
      const [said] = ui.seen.said;
      assert.match(said?.message ?? '', /^"Members" was created, but its playback policy wasn't set\. .*rejected/);
      assert.deepEqual(said?.actions, ['Set Playback Policy…']);
      assert.equal(fixture.shown.length, 1, 'Its page opens');
    }),
  );

  it(
    'says in the box that a name is taken, and takes the name all the same',
    withCommands({ answers: { inputs: ['Twice'], picks: ['Create'] } }, async (fixture) => {
      const { run, ui } = fixture;
      await run('createStream', { name: 'Twice', record: false });
      await run('createStream');
      const [box] = ui.seen.inputs;
      assert.equal(box?.warn?.(' Twice '), 'A stream named "Twice" already exists. You can still use this name.');
      assert.equal(box?.warn?.('twice'), 'A stream named "Twice" already exists. You can still use this name.');
      assert.equal(box?.warn?.('Once'), undefined);
      assert.equal(made(fixture, 'Twice').length, 2);
    }),
  );

  it(
    'gives the stream the renditions that were chosen in the second box, which says what is chosen',
    withCommands(
      {
        answers: {
          inputs: ['Plain', 'Chosen', 'Back to the service'],
          picks: [
            ...['Create'],
            ...['Renditions', 'Up to 360p', 'Recording', 'Create'],
            ...['Renditions', 'Up to 720p', 'Renditions', 'Default for Production', 'Create'],
          ],
        },
      },
      async ({ run, ui, service }) => {
        for (let count = 0; count < 3; count++) await run('createStream');
        const bodies = service.control.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
        const [plain, chosen, byService] = bodies.map((body) => JSON.parse(body));
        assert.deepEqual(plain, { name: 'Plain', record: false });
        assert.deepEqual(chosen, {
          ...{ name: 'Chosen', record: true },
          profiles: [
            { name: '240p0', width: 426, height: 240, bitrate: 250_000, fps: 0 },
            { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 },
          ],
        });
        assert.deepEqual(byService, { name: 'Back to the service', record: false });
        assert.deepEqual(checked(ui), ['Default for Production', 'Default for Production', 'Up to 720p']);
      },
    ),
  );

  it(
    'takes the renditions of another stream, of whatever shape, and says when it has none',
    withCommands({}, async ({ run, ui, service }) => {
      const profiles = [{ own: 'shape' }];
      service.control.addStream({ name: 'Model', profiles });
      service.control.addStream({ name: 'Without', profiles: [] });
      const other = 'Copy from Another Stream…';
      ui.answers.picks.push(...['Renditions', other, 'Model'], ...['Renditions', '(back)', 'Recording', 'Create']);
      ui.answers.picks.push('Renditions', other, 'Without');
      await run('createStream', { name: 'Copy' });
      assert.equal(checked(ui).at(-1), 'Same as "Model"');
      assert.equal(settings(ui, 'Renditions').at(-1), 'Same as "Model"');
      await run('createStream', { name: 'None' });
      const bodies = service.control.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
      assert.deepEqual(
        bodies.map((body) => JSON.parse(body)),
        [{ name: 'Copy', record: true, profiles }],
      );
      assert.equal(ui.seen.said.at(-1)?.message, '"Without" has no renditions of its own.');
    }),
  );

  it(
    'does not ask for renditions that are given',
    withCommands({ answers: { picks: ['Create'] } }, async ({ run, ui, service }) => {
      await run('createStream', { name: 'Opening talk', profiles: [RENDITION] });
      assert.deepEqual(
        ui.seen.picks.flatMap(({ items }) => items.map(({ label }) => label)),
        ['Create', 'Settings', 'Recording'],
      );
      const [{ body } = { body: '' }] = service.control.requests;
      assert.deepEqual(JSON.parse(body), { name: 'Opening talk', record: false, profiles: [RENDITION] });
    }),
  );

  it(
    'makes nothing when the box is dismissed after renditions were chosen',
    withCommands({ answers: { picks: ['Renditions', 'Up to 360p'] } }, async ({ run, requests, ui }) => {
      await run('createStream', { name: 'Opening talk' });
      assert.deepEqual(requests(), []);
      assert.deepEqual(settings(ui, 'Renditions'), ['Default for Production', 'Up to 360p']);
    }),
  );

  it(
    'makes nothing when a box is dismissed, nor with a name that will not do',
    withCommands({ answers: { inputs: ['Opening talk'] } }, async ({ run, ui, requests }) => {
      await run('createStream');
      await run('createStream');
      await run('createStream', { name: '  ', record: true });
      assert.deepEqual(requests(), []);
      assert.deepEqual(ui.seen.messages, ['Enter a name.']);
    }),
  );

  it(
    'asks when the title menu sends the focused row along',
    withCommands({ answers: { inputs: ['Opening talk'], picks: ['Create'] } }, async (fixture) => {
      const id = fixture.context.store.snapshot.lists.idle.ids[0] ?? '';
      await fixture.run('createStream', { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id }, null);
      assert.equal(made(fixture, 'Opening talk').length, 1);
    }),
  );

  it(
    'opens its page although its row cannot be shown',
    withCommands({ ui: { reveal: () => Promise.reject(new Error('no row')) } }, async ({ run, shown }) => {
      await run('createStream', { name: 'Opening talk', record: false });
      assert.equal(shown.length, 1);
    }),
  );

  it(
    'clears a filter that would hide the new stream, saying so',
    withCommands({}, async ({ run, ui, context }) => {
      await run('filterStreams', { text: 'something else' });
      await run('createStream', { name: 'Opening talk', record: false });
      assert.equal(context.store.snapshot.filter, '');
      assert.deepEqual(ui.seen.flashes, ['Created "Opening talk"', 'Cleared the filter to show "Opening talk"']);
    }),
  );

  for (const face of ['full', 'strict', 'indifferent'] as const) {
    it(
      `finds its stream among the newest when the answer is lost, pins it, and does not try again: ${face}`,
      withCommands({ isHurried: true, pageSize: 20, demo: { face, streamCount: 60 } }, async (fixture) => {
        const { run, ui, service, context } = fixture;
        loseAnswers(fixture, () => service.control.addStream({ name: 'Opening talk' }));
        await run('createStream', { name: 'Opening talk', record: false });
        assert.equal(postsOf(fixture), 1);
        const { host } = new URL(service.baseUrl);
        assert.equal(ui.seen.said[0]?.message, `${host} is unavailable (500). However, "Opening talk" was created.`);
        const created = service.control.streams().find(({ name }) => name === 'Opening talk');
        assert.ok(created);
        assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: created.id }]);
        assert.ok(shownIds(context.store.snapshot, 'idle').includes(created.id));
        await context.loader.reloadList('idle');
        assert.ok(shownIds(context.store.snapshot, 'idle').includes(created.id), 'also after a refresh');
      }),
    );

    it(
      `says that its stream is not among the newest when it was not created: ${face}`,
      withCommands({ isHurried: true, demo: { face } }, async (fixture) => {
        const { run, ui, service } = fixture;
        loseAnswers(fixture, () => {});
        await run('createStream', { name: 'Opening talk', record: false });
        assert.equal(postsOf(fixture), 1);
        const { host } = new URL(service.baseUrl);
        assert.equal(ui.seen.said[0]?.message, `Couldn't create "Opening talk". ${host} is unavailable (500).`);
        assert.deepEqual(ui.seen.said[0]?.actions, ['Show Log']);
        assert.deepEqual(ui.seen.reveals, []);
      }),
    );

    it(
      `does not take an older stream of the same name for it: ${face}`,
      withCommands({ isHurried: true, isConnected: false, demo: { face } }, async (fixture) => {
        const { run, ui, service, context } = fixture;
        service.control.addStream({ name: 'Opening talk', createdAt: Date.UTC(2026, 10, 20, 9, 59) });
        context.connection.open({ ...service, id: 'one', name: 'One', insecureAccepted: false });
        loseAnswers(fixture, () => {});
        await run('createStream', { name: 'Opening talk', record: false });
        assert.match(
          ui.seen.said[0]?.message ?? '',
          /^Couldn't confirm that "Opening talk" was created\. .+ Check the Idle group before you try again\.$/,
        );
        assert.deepEqual(ui.seen.reveals, []);
      }),
    );
  }

  it(
    'finds its stream once the replica has the stream',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, ui, service } = fixture;
      let lists = 0;
      loseAnswers(
        fixture,
        () => {},
        () => {
          lists += 1;
          if (lists === 3) service.control.addStream({ name: 'Opening talk' });
        },
      );
      await run('createStream', { name: 'Opening talk', record: false });
      assert.match(ui.seen.said[0]?.message ?? '', /However, "Opening talk" was created\.$/);
    }),
  );

  it(
    'says that the stream may exist when the service did not respond, and what to do before another try alone',
    withCommands({ timeoutMs: 300 }, async (fixture) => {
      const { run, ui, service } = fixture;
      service.control.fault(({ method }) => (method === 'POST' ? 'hang' : undefined));
      await run('createStream', { name: 'Opening talk', record: false });
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(ui.seen.messages, [
        `Couldn't confirm that "Opening talk" was created. ${host} took too long to respond. Check the Idle group before you try again.`,
      ]);
    }),
  );

  it(
    'says that the stream may exist when the newest streams cannot be read',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, ui, service } = fixture;
      service.control.fault(() => ({ status: 500, body: '{}' }));
      await run('createStream', { name: 'Opening talk', record: false });
      assert.match(ui.seen.said[0]?.message ?? '', /^Couldn't confirm that "Opening talk" was created\. /);
    }),
  );

  it(
    'keeps what was entered when the service refuses, whose own reason comes first',
    withCommands({}, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const refusals = [
        { status: 403, body: '{"errors":["You have reached the limit of streams"]}' },
        { status: 422, body: '{"errors":["name is too funny"]}' },
        { status: 429, headers: { 'retry-after': '20' }, body: '{}' },
        { status: 403, body: '{}' },
      ];
      service.control.fault(({ method }) => (method === 'POST' ? refusals.shift() : undefined));
      ui.answers.inputs.push('Opening', 'Opening talk');
      ui.answers.picks.push('Recording', 'Create', '(back)', 'Create', 'Create', 'Create', 'Create');
      ui.answers.presses.push('Retry…', 'Retry…', 'Retry…', 'Retry…');
      await run('createStream');
      await waitUntil(() => made(fixture, 'Opening talk').length === 1);
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        [
          `Couldn't create "Opening". ${host} rejected the request: "You have reached the limit of streams."`,
          ['Retry…', 'Set API Key…', 'Show Log'],
        ],
        [`Couldn't create "Opening talk". ${host} rejected the request: "name is too funny."`, ['Retry…', 'Show Log']],
        ['Couldn\'t create "Opening talk". Too many requests. Try again in 20 s.', ['Retry…', 'Show Log']],
        [
          `Couldn't create "Opening talk". This API key doesn't have permission to do that.`,
          ['Set API Key…', 'Retry…', 'Show Log'],
        ],
      ]);
      assert.deepEqual(fieldsOf(ui.seen.inputs, 'value'), ['', 'Opening']);
      assert.equal(made(fixture, 'Opening talk')[0]?.record, true, 'the settings are kept, too');
      assert.equal(context.store.snapshot.connection.kind, 'open');
    }),
  );

  it(
    'gives the reason of a 500, and keeps what was entered, if it was not created',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, ui, service } = fixture;
      const failures = [{ status: 500, body: '{"errors":["Quota exceeded"]}' }];
      service.control.fault(({ method }) => (method === 'POST' ? failures.shift() : undefined));
      ui.answers.inputs.push('Opening talk');
      ui.answers.picks.push('Create', 'Create');
      ui.answers.presses.push('Retry…');
      await run('createStream');
      await waitUntil(() => made(fixture, 'Opening talk').length === 1);
      const { host } = new URL(service.baseUrl);
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        [
          `Couldn't create "Opening talk". ${host} responded with an error (500): "Quota exceeded."`,
          ['Retry…', 'Show Log'],
        ],
      ]);
    }),
  );

  it(
    'says what a service does not offer, and what it does not accept',
    withCommands({ demo: { face: 'strict' } }, async ({ run, ui, service, context }) => {
      const { host } = new URL(service.baseUrl);
      await run('createStream', { name: 'Opening talk', record: false });
      assert.equal(
        ui.seen.said[0]?.message,
        `Couldn't create "Opening talk". ${host} couldn't make this change. Try again in a moment.`,
      );
      assert.deepEqual(ui.seen.said[0]?.actions, ['Retry', 'Show Log']);
      assert.equal(context.store.snapshot.abilities.create, true);
      await run('createStream', { name: 'Opening talk', record: false });
      assert.equal(ui.seen.said[1]?.message, "Production doesn't support creating streams.");
      assert.equal(context.store.snapshot.abilities.create, false);
      service.control.fault(({ method }) =>
        method === 'POST' ? { status: 422, body: '{"errors":["name is too funny"]}' } : undefined,
      );
      await run('createStream', { name: 'Opening talk', record: false });
      assert.match(ui.seen.said[2]?.message ?? '', /rejected the request: "name is too funny/);
    }),
  );
});
