import assert from 'node:assert/strict';
import { type Fixture, withCommands } from './fixture.ts';

const TAGS = { event: 'Summit', year: 2026, languages: ['en', 'fr'] };

const tagsOf = ({ service }: Fixture, id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.userTags;
describe('Editing the tags of a stream', () => {
  it(
    'replaces them with those that are given, and reads them back',
    withCommands({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { old: 'x' } });
      await fixture.run('editTags', { id, tags: TAGS });
      assert.deepEqual(tagsOf(fixture, id), TAGS);
      assert.deepEqual(fixture.context.store.snapshot.streams.get(id)?.stream.tags, TAGS);
      assert.deepEqual(fixture.ui.seen.flashes, ['Updated the tags of "Talk"']);
      assert.deepEqual(fixture.ui.seen.inputs, []);
    }),
  );

  it(
    'asks for text that starts with the tags as they are now, and says what is wrong while it is typed',
    withCommands(
      { answers: { inputs: ['Summit', 'event=Talks, event=Summit', 'event=Talks, season:4'] } },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit', year: 2026 } });
        await fixture.run('editTags', id);
        const [box] = fixture.ui.seen.inputs;
        assert.deepEqual(
          [box?.value, box?.isAddedTo, box?.placeholder],
          ['event:Summit, year:2026', true, 'Example: event:Summit, season:4'],
        );
        assert.equal(
          box?.prompt,
          'Enter all tags of "Talk", separated by commas, or as a JSON object. Tags that you leave out are removed',
        );
        assert.deepEqual(fixture.ui.seen.corrections, [
          'Couldn\'t read "Summit". Enter tags such as event:Summit, season:4. Put text with commas or colons in double quotes (").',
          'The tag "event" is entered twice.',
        ]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks', season: 4 });
      },
    ),
  );

  it(
    'asks for JSON where the tags can only be written that way',
    withCommands(
      {
        answers: {
          inputs: ['{"event": Summit}', '{"live": true}', `{"a": "${'x'.repeat(2050)}"}`, '{"event": "Talks"}'],
        },
      },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: TAGS });
        await fixture.run('editTags', id);
        assert.equal(fixture.ui.seen.inputs[0]?.value, JSON.stringify(TAGS));
        assert.deepEqual(fixture.ui.seen.corrections, [
          'Enter a JSON object, such as {"event": "Summit"}.',
          'The value of "live" must be a string, a number, or a list of strings and numbers.',
          'Tags can have at most 2048 characters in total. These have 2058.',
        ]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks' });
      },
    ),
  );

  it(
    'sends nothing if nothing was changed, the box was dismissed, or what was given can’t be tags',
    withCommands({ answers: { inputs: [JSON.stringify(TAGS)] } }, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: TAGS });
      await fixture.run('editTags', id);
      await fixture.run('editTags', id);
      for (const tags of ['x', 7, [], { a: null }]) await fixture.run('editTags', { id, tags });
      assert.deepEqual(
        fixture.requests().filter((line) => !line.startsWith('GET')),
        [],
      );
      assert.deepEqual(fixture.ui.seen.messages.slice(0, 1), ['Enter a JSON object, such as {"event": "Summit"}.']);
      assert.equal(fixture.ui.seen.messages.length, 4);
      assert.deepEqual(tagsOf(fixture, id), TAGS);
    }),
  );
});
