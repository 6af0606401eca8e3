import assert from 'node:assert/strict';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const KEY = 'planted-target-key-51ce';
const ROW = 'Multistream Target';
/** A demo this small has none. */
const NO_TARGETS = { streamCount: 3 };

const madeStream = ({ service }: Fixture) =>
  service.control.streams().find(({ name }) => name === 'Opening') ?? assert.fail('It was not created');

/** The targets of the new stream, with their URLs. */
const targetsOf = (fixture: Fixture) =>
  (madeStream(fixture).multistream?.targets ?? []).map(({ id, profile }) => {
    const { name, url } = fixture.service.control.targets().find((target) => target.id === id) ?? assert.fail();
    return [name, url, profile];
  });

/** What each box said that the target is. */
const shownTargets = ({ ui }: Fixture) =>
  ui.seen.picks.flatMap(({ items }) =>
    items.filter(({ label }) => label === ROW).map(({ description }) => description),
  );

/** Title and step of each picker and text box. */
const stepsOf = (
  boxes: readonly { readonly title: string; readonly step?: Fixture['ui']['seen']['inputs'][0]['step'] }[],
) => boxes.map(({ title, step }) => (step === undefined ? title : `${title} ${step.current}/${step.total}`));

function assertKeyNowhere({ readable, secretStore, ui, context }: Fixture): void {
  const kept = JSON.stringify([[...secretStore.values], [...context.store.snapshot.targets.values()]]);
  const rows = JSON.stringify(
    ui.seen.picks.map(({ items }) => items.map(({ label, description }) => [label, description])),
  );
  for (const text of [readable(), kept, rows]) assert.ok(!text.includes(KEY));
}

describe('Creating a stream with a multistream target', () => {
  it(
    'asks for all of the target before anything is sent, shows it in its row, and then adds it without a question',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run, requests, shown } = fixture;
      ui.answers.inputs.push('Opening', 'rtmps://elsewhere.example/live', KEY, 'Channel');
      ui.answers.picks.push(ROW, 'Other…', 'Create');
      await run('createStream');
      assert.deepEqual(stepsOf(ui.seen.picks), ['Create Stream 2/2', 'Create Stream', 'Create Stream 2/2']);
      const uncounted = Array(3).fill('Create Stream');
      assert.deepEqual(stepsOf(ui.seen.inputs), ['Create Stream 1/2', ...uncounted], 'within the second step');
      assert.deepEqual(shownTargets(fixture), ['None', 'Channel · Source']);
      assert.deepEqual(targetsOf(fixture), [['Channel', `rtmps://elsewhere.example/live/${KEY}`, 'source']]);
      const changes = requests().filter((line) => line.startsWith('POST'));
      assert.deepEqual(changes, [
        'POST /api/stream',
        `POST /api/stream/${madeStream(fixture).id}/create-multistream-target`,
      ]);
      assert.deepEqual([ui.seen.flashes, ui.seen.said, shown.length], [['Created "Opening"'], [], 1]);
      assertKeyNowhere(fixture);
    }),
  );

  it(
    'goes back from each box to the one before, and to the settings, and keeps what was entered',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push('Opening', `(back) ${KEY}`, '(as suggested)', '(back)', '(as suggested)', 'Channel');
      ui.answers.picks.push(ROW, 'YouTube', '(back)', ROW, 'YouTube', 'Create');
      await run('createStream');
      assert.deepEqual(shownTargets(fixture), ['None', 'None', 'Channel · Source']);
      assert.deepEqual(fieldsOf(ui.seen.inputs.slice(1), 'value'), [undefined, KEY, 'YouTube', KEY, 'YouTube']);
      assert.equal(targetsOf(fixture)[0]?.[1], `rtmps://a.rtmps.youtube.com:443/live2/${KEY}`);
      assertKeyNowhere(fixture);
    }),
  );

  it(
    'offers the renditions that were chosen for the stream, and falls back to the source if they are changed',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push(...['Renditions', 'Up to 480p', ROW, 'Twitch', '480p0']);
      ui.answers.picks.push(...['Renditions', 'Up to 720p', 'Renditions', 'Up to 360p', 'Create']);
      await run('createStream');
      const offered = ui.seen.picks.find(({ placeholder }) => placeholder === 'Select the rendition to send');
      assert.deepEqual(fieldsOf(offered?.items, 'label'), ['Source', '240p0', '360p0', '480p0']);
      const [source] = fieldsOf(offered?.items, 'description', 'detail') ?? [];
      assert.deepEqual(source, ['What the encoder sends, unchanged', undefined], 'rows of one height');
      const shown = ['Channel · 480p0', 'Channel · 480p0', 'Channel · Source'];
      assert.deepEqual(shownTargets(fixture), ['None', 'None', ...shown]);
      assert.deepEqual(targetsOf(fixture)[0]?.[2], 'source');
    }),
  );

  it(
    'changes the target if its row is chosen again, or leaves it out',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push('Opening', KEY, 'Channel', 'another-key', '(back)', '(back)');
      ui.answers.picks.push(ROW, 'YouTube', ROW, 'Twitch', '(back)', ROW, 'Remove Target', ROW, '(back)', 'Create');
      await run('createStream');
      const kept = 'Channel · Source';
      assert.deepEqual(shownTargets(fixture), ['None', kept, kept, 'None', 'None'], 'going back changes nothing');
      const offered = ui.seen.picks.filter(({ placeholder }) => placeholder === 'Select where to send the broadcasts');
      assert.deepEqual(
        offered.map(({ items }) => items.some(({ label }) => label === 'Remove Target')),
        [false, true, true, true, false],
      );
      assert.deepEqual(targetsOf(fixture), []);
    }),
  );

  it(
    'offers the targets of the account, whose URLs nobody enters again, and highlights the one that was chosen',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run, service } = fixture;
      service.control.addTarget({ name: 'Shared', url: `rtmps://live.example:443/app/${KEY}` });
      ui.answers.inputs.push('Opening');
      ui.answers.picks.push(ROW, 'Shared', ROW, 'Shared', 'Create');
      await run('createStream');
      const shown = 'Shared · Source';
      assert.deepEqual(shownTargets(fixture), ['None', shown, shown]);
      const icons = ui.seen.picks.flatMap(({ items }) =>
        items.filter(({ label }) => label === 'Shared').map(({ icon }) => icon),
      );
      assert.deepEqual(icons, ['broadcast', 'check']);
      assert.deepEqual(targetsOf(fixture), [['Shared', `rtmps://live.example:443/app/${KEY}`, 'source']]);
      assert.deepEqual([service.control.targets().length, ui.seen.inputs.length], [1, 1]);
      assertKeyNowhere(fixture);
    }),
  );

  it(
    'is possible with a name that was given',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push(KEY, 'Channel');
      ui.answers.picks.push(ROW, 'YouTube', 'Create');
      await run('createStream', { name: 'Opening' });
      assert.deepEqual(stepsOf(ui.seen.inputs), ['Create Stream', 'Create Stream']);
      assert.equal(targetsOf(fixture).length, 1);
    }),
  );

  it(
    'offers no target that the service lacks, and says so as soon as that is known',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { ui, run } = fixture;
      ui.answers.inputs.push('Opening');
      ui.answers.picks.push(ROW);
      await run('createStream');
      assert.deepEqual(shownTargets(fixture), ['None'], 'the box that followed had no such row');
      assert.equal(ui.seen.picks.length, 2);
      assert.deepEqual(ui.seen.messages, ["Production doesn't support multistream targets."]);
    }),
  );

  it(
    'asks for the target although the service failed to list targets',
    withCommands({ demo: NO_TARGETS, isHurried: true }, async (fixture) => {
      const { ui, run, service } = fixture;
      service.control.fault(({ method, path }) =>
        method === 'GET' && path.includes('/multistream/') ? { status: 403 } : undefined,
      );
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push(ROW, 'YouTube', 'Create');
      await run('createStream');
      assert.deepEqual([targetsOf(fixture).length, ui.seen.messages], [1, []]);
    }),
  );

  it(
    'keeps the target if the stream is not created at first',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run, service } = fixture;
      const failures = [{ status: 422, body: '{"errors":["not now"]}' }];
      service.control.fault(({ method }) => (method === 'POST' ? failures.shift() : undefined));
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push(ROW, 'YouTube', 'Create', 'Create');
      ui.answers.presses.push('Retry…');
      await run('createStream');
      await waitUntil(() => targetsOf(fixture).length === 1);
      assert.deepEqual(shownTargets(fixture), ['None', 'Channel · Source', 'Channel · Source']);
      assertKeyNowhere(fixture);
    }),
  );
});

describe('A stream that was created, but whose target was not added', () => {
  it(
    'is shown, with one message, which leads to the boxes with all that was entered',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run, service, shown } = fixture;
      const failures = ['not like that', 'nor like that'].map((error) => ({
        status: 422,
        body: JSON.stringify({ errors: [error] }),
      }));
      service.control.fault(({ path }) => (path.endsWith('/create-multistream-target') ? failures.shift() : undefined));
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push('Renditions', 'Up to 360p', ROW, 'Twitch', '360p0', 'Create', '360p0', 'Source');
      ui.answers.inputs.push('(as suggested)', '(as suggested)', `${KEY}-2`, 'Channel 2');
      ui.answers.presses.push('Add Multistream Target…', 'Add Multistream Target…');
      await run('createStream');
      await waitUntil(() => targetsOf(fixture).length === 1);
      const host = new URL(service.baseUrl).host;
      const reasons = ['not like that', 'nor like that'].map((reason) => `${host} rejected the request: "${reason}."`);
      assert.deepEqual(
        fieldsOf(ui.seen.said, 'message', 'actions'),
        reasons.map((reason) => [
          `"Opening" was created, but its target wasn't added. ${reason}`,
          ['Add Multistream Target…'],
        ]),
      );
      assert.deepEqual(
        ui.seen.inputs
          .slice(3)
          .map(({ title, step, value, problem }) => [title, step?.current, value, problem?.sentence]),
        [
          ['Add Multistream Target', 2, KEY, reasons[0]],
          ['Add Multistream Target', 4, 'Channel', undefined],
          ['Add Multistream Target', 2, KEY, reasons[1]],
          ['Add Multistream Target', 4, 'Channel', undefined],
        ],
      );
      assert.ok(ui.seen.inputs.slice(3).every(({ back }) => back !== undefined));
      assert.deepEqual(targetsOf(fixture), [['Channel 2', `rtmp://live.twitch.tv/app/${KEY}-2`, 'source']]);
      assert.deepEqual(ui.seen.flashes, ['Created "Opening"', 'Added the target "Channel 2" to "Opening"']);
      assert.equal(shown.length, 1);
      assertKeyNowhere(fixture);
    }),
  );

  it(
    'may have it all the same, if the response was lost',
    withCommands({ demo: NO_TARGETS, isHurried: true }, async (fixture) => {
      const { ui, run, service } = fixture;
      service.control.fault(({ path }) => (path.endsWith('/create-multistream-target') ? { status: 500 } : undefined));
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push(ROW, 'Twitch', 'Create');
      await run('createStream');
      const [said] = ui.seen.said;
      assert.match(
        said?.message ?? '',
        /^"Opening" was created, but its target may be missing\. .+ Refresh to check\.$/,
      );
      assert.deepEqual(said?.actions, ['Refresh', 'Add Multistream Target…']);
      assertKeyNowhere(fixture);
    }),
  );

  it(
    'has none where the service turns out to have no targets, which nobody is asked for again',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { ui, run, service } = fixture;
      service.control.fault(({ path }) => (path.endsWith('/create-multistream-target') ? { status: 501 } : undefined));
      ui.answers.inputs.push('Opening', KEY, 'Channel');
      ui.answers.picks.push(ROW, 'Twitch', 'Create');
      await run('createStream');
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        ['"Opening" was created, but its target wasn\'t added. Production doesn\'t support multistream targets.', []],
      ]);
    }),
  );
});
