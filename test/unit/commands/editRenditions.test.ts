import assert from 'node:assert/strict';
import { type Fixture, withCommands } from './fixture.ts';

const LADDER = [
  { name: '240p0', width: 426, height: 240, bitrate: 250_000, fps: 0 },
  { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 },
];
const OWN = { name: 'own', width: 1280, height: 720, bitrate: 2_000_000, fps: 25 };

const profilesOf = ({ service }: Fixture, id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.profiles;
const sent = (fixture: Fixture) => fixture.requests().filter((line) => !line.startsWith('GET'));

describe('Editing the renditions of a stream', () => {
  it(
    'replaces them with those that are given, and reads them back',
    withCommands({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', profiles: [OWN] });
      await fixture.run('editRenditions', { id, profiles: LADDER });
      assert.deepEqual(profilesOf(fixture, id), LADDER);
      assert.deepEqual(fixture.context.store.snapshot.streams.get(id)?.stream.profiles, LADDER);
      assert.deepEqual(fixture.ui.seen.flashes, ['Updated the renditions for "Talk"']);
      assert.deepEqual(fixture.ui.seen.picks, []);
    }),
  );

  it(
    'offers none, ladders, and those of another stream, with the present ones checked',
    withCommands(
      { answers: { picks: ['Source only (no transcoding)', 'Copy from Another Stream…', 'Other'] } },
      async (fixture) => {
        const { service, run, ui } = fixture;
        const { id } = service.control.addStream({ name: 'Talk', profiles: LADDER });
        service.control.addStream({ name: 'Other', profiles: [OWN], lastSeen: Date.now() });
        await run('editRenditions', id);
        assert.deepEqual(profilesOf(fixture, id), []);
        const [first] = ui.seen.picks;
        assert.deepEqual(
          first?.items.map(({ label, icon }) => (icon === 'check' ? `[${label}]` : label)),
          [
            'Source only (no transcoding)',
            '240p',
            '[Up to 360p]',
            'Up to 480p',
            'Up to 720p',
            'Copy from Another Stream…',
            'Edit as JSON…',
          ],
        );
        const least = first?.items.find(({ label }) => label === '240p');
        assert.deepEqual([least?.description, first?.items[2]?.description], [undefined, '240p · 360p']);
        await run('editRenditions', id);
        assert.deepEqual(profilesOf(fixture, id), [OWN]);
      },
    ),
  );

  it(
    'checks those that it has, also if they are no ladder, or the service has added to one',
    withCommands({}, async (fixture) => {
      const { service, run, ui } = fixture;
      const own = service.control.addStream({ name: 'Own', profiles: [OWN, { ...OWN, name: 'low' }] });
      const added = service.control.addStream({
        name: 'Added',
        profiles: LADDER.map((each) => ({ ...each, gop: '2' })),
      });
      ui.answers.picks.push('Current', 'Up to 360p');
      await run('editRenditions', own.id);
      await run('editRenditions', added.id);
      const checked = ui.seen.picks.map(({ items }) => items.filter(({ icon }) => icon === 'check'));
      assert.deepEqual(
        checked.flat().map(({ label, description }) => [label, description]),
        [
          ['Current', 'own · low'],
          ['Up to 360p', '240p · 360p'],
        ],
      );
      assert.deepEqual(sent(fixture), [], 'there is nothing to change');
    }),
  );

  it(
    'asks for JSON that starts with the present ones, and says what is wrong while it is typed',
    withCommands(
      {
        answers: {
          picks: ['Edit as JSON…'],
          inputs: [
            '{}',
            '[7]',
            JSON.stringify([OWN, { ...OWN, name: '' }]),
            JSON.stringify([{ ...OWN, bitrate: 300 }]),
            JSON.stringify([{ ...OWN, fps: 30 }]),
          ],
        },
      },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', profiles: [OWN] });
        await fixture.run('editRenditions', id);
        assert.equal(fixture.ui.seen.inputs[0]?.value, JSON.stringify([OWN]));
        const example = '{"name": "720p", "width": 1280, "height": 720, "bitrate": 3000000, "fps": 30}';
        assert.deepEqual(fixture.ui.seen.corrections, [
          `Enter a JSON list, such as [${example}].`,
          `Rendition 1 must be an object, such as ${example}.`,
          'Rendition 2 needs a name.',
          'In rendition 1, "bitrate" must be a whole number of at least 400.',
        ]);
        assert.deepEqual(profilesOf(fixture, id), [{ ...OWN, fps: 30 }]);
      },
    ),
  );

  it(
    'is refused in words while the stream is live, before anything is asked',
    withCommands({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', isActive: true, lastSeen: Date.now() });
      await fixture.run('editRenditions', id);
      assert.deepEqual(fixture.ui.seen.messages, [
        '"Talk" is live. You can edit its renditions after the broadcast ends.',
      ]);
      assert.deepEqual([fixture.ui.seen.picks, sent(fixture)], [[], []]);
    }),
  );

  it(
    'is refused in the same words if the stream went live meanwhile',
    withCommands({}, async (fixture) => {
      const { control } = fixture.service;
      const { id } = control.addStream({ name: 'Talk', profiles: [OWN] });
      control.fault(({ method }) => {
        if (method === 'PATCH') control.setStream(id, { isActive: true, lastSeen: Date.now() });
        return undefined;
      });
      await fixture.run('editRenditions', { id, profiles: [] });
      assert.deepEqual(fixture.ui.seen.messages, [
        '"Talk" is live. You can edit its renditions after the broadcast ends.',
      ]);
      assert.deepEqual(profilesOf(fixture, id), [OWN]);
    }),
  );

  it(
    'sends nothing if nothing was changed, a box was dismissed, or what was given can’t be renditions',
    withCommands({ answers: { picks: ['Edit as JSON…'] } }, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', profiles: [OWN] });
      await fixture.run('editRenditions', { id, profiles: [OWN] });
      await fixture.run('editRenditions', id);
      await fixture.run('editRenditions', id);
      for (const profiles of ['x', 7, {}, [null]]) await fixture.run('editRenditions', { id, profiles });
      assert.deepEqual(sent(fixture), []);
      assert.equal(fixture.ui.seen.messages.length, 4);
    }),
  );
});
