import assert from 'node:assert/strict';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const TAGS = { event: 'Summit', year: 2026, languages: ['en', 'fr'] };

const tagsOf = ({ service }: Fixture, id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.userTags;
const changesIn = ({ requests }: Fixture) => requests().filter((line) => !line.startsWith('GET'));

describe('Editing the tags of a stream', () => {
  it(
    'replaces them with those that are given, and reads them back',
    withCommands({}, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { old: 'x' } });
      await fixture.run('editTags', { id, tags: TAGS });
      assert.deepEqual(tagsOf(fixture, id), TAGS);
      assert.deepEqual(fixture.context.store.snapshot.streams.get(id)?.stream.tags, TAGS);
      assert.deepEqual(fixture.ui.seen.flashes, ['Updated the tags for "Talk"']);
      assert.deepEqual(fixture.ui.seen.inputs, []);
    }),
  );

  it(
    'lists them, and changes each in a box of its own, until they are to be saved',
    withCommands(
      { answers: { picks: ['event', 'languages', 'year > Remove Tag', 'Save'], inputs: ['Talks, live: 1', '["en"]'] } },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: TAGS });
        await fixture.run('editTags', id);
        const { picks, inputs } = fixture.ui.seen;
        assert.deepEqual(fieldsOf(picks[0]?.items, 'label', 'description'), [
          ['event', 'Summit'],
          ['year', '2026'],
          ['languages', '["en","fr"]'],
          ['Add Tag…', undefined],
        ]);
        assert.deepEqual(fieldsOf(picks.at(-1)?.items, 'label', 'description'), [
          ['event', 'Talks, live: 1'],
          ['languages', '["en"]'],
          ['Add Tag…', undefined],
          ['', undefined],
          ['Save', 'Talk'],
        ]);
        assert.deepEqual(
          picks.slice(0, 2).map(({ placeholder }) => placeholder),
          ['Select a tag to change, or enter a new one such as event:Summit', 'Save the tags, or make more changes'],
        );
        assert.deepEqual(fieldsOf(inputs, 'prompt', 'value'), [
          ['Enter the value of "event"', 'Summit'],
          ['Enter the value of "languages"', '["en","fr"]'],
        ]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks, live: 1', languages: ['en'] });
        assert.equal(changesIn(fixture).length, 1, 'nothing is sent before Save');
      },
    ),
  );

  it(
    'adds several at once, and says what is wrong while they are typed',
    withCommands(
      {
        answers: {
          picks: ['Add Tag…', 'Save'],
          inputs: ['Summit', 'year=1, year=2', 'event:Talks', 'season=4, "a,b":"c:d"'],
        },
      },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit' } });
        await fixture.run('editTags', id);
        const [box] = fixture.ui.seen.inputs;
        assert.deepEqual(
          [box?.prompt, box?.placeholder],
          ['Enter tags for "Talk", separated by commas, or as a JSON object', 'Example: event:Summit, season:4'],
        );
        assert.deepEqual(fixture.ui.seen.corrections, [
          'Couldn\'t read "Summit". Enter tags such as event:Summit, season:4. Put text with commas or colons in double quotes (").',
          'The tag "year" appears more than once.',
          'The tag "event" appears more than once.',
        ]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Summit', season: 4, 'a,b': 'c:d' });
      },
    ),
  );

  for (const typed of ['show=morning', ' show = morning ', '(quick) show:morning'])
    it(
      `adds what is typed into the list: "${typed}"`,
      withCommands({ answers: { typed: [typed] } }, async (fixture) => {
        const { ui } = fixture;
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit' } });
        // Enter may come before the list has a row for it.
        ui.answers.picks.push(typed.startsWith('(quick)') ? 'Add Tag…' : `Add "${typed.trim()}"`, 'Save');
        await fixture.run('editTags', id);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Summit', show: 'morning' });
        assert.deepEqual(ui.seen.inputs, []);
        assert.deepEqual(fieldsOf(ui.seen.picks[1]?.items, 'label'), ['event', 'show', 'Add Tag…', '', 'Save']);
      }),
    );

  it(
    'says why what is typed into the list can’t be added, in a row that nobody can choose',
    withCommands({ answers: {} }, async (fixture) => {
      const { ui } = fixture;
      const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit' } });
      const read = 'Enter tags such as event:Summit, season:4. Put text with commas or colons in double quotes (").';
      for (const [typed, label] of [
        ['show=', `Couldn't read "show=". ${read}`],
        ['event:Talks', 'The tag "event" appears more than once.'],
        ['{"a": true}', 'The value of "a" must be a string, a number, or a list of strings and numbers.'],
        ['{a', 'Enter a JSON object, such as {"event": "Summit"}.'],
      ] as const) {
        ui.answers.typed.push(typed);
        await fixture.run('editTags', id);
        const shown = ui.seen.picks.at(-1)?.items;
        assert.deepEqual(fieldsOf(shown, 'label', 'isSentence', 'isAlwaysShown'), [[label, true, true]], typed);
      }
      assert.deepEqual(changesIn(fixture), []);
    }),
  );

  it(
    'takes other words for a filter, and begins with them in the box for new tags',
    withCommands(
      { answers: { typed: ['sea'], picks: ['Add Tag…', 'Save'], inputs: ['season:4'] } },
      async (fixture) => {
        const { ui } = fixture;
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit' } });
        await fixture.run('editTags', id);
        assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label'), ['event', 'Add Tag…']);
        const [{ value, problem } = {}] = ui.seen.inputs;
        assert.deepEqual([value, problem?.sentence.split('. ')[0]], ['sea', 'Couldn\'t read "sea"']);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Summit', season: 4 });
      },
    ),
  );

  it(
    'begins with the box where there are no tags, and takes JSON there',
    withCommands(
      {
        answers: {
          picks: ['Save'],
          inputs: ['{"event": Summit}', '{"live": true}', `{"a": "${'x'.repeat(2050)}"}`, '{"event": "Talks"}'],
        },
      },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk' });
        await fixture.run('editTags', id);
        assert.deepEqual(fixture.ui.seen.corrections, [
          'Enter a JSON object, such as {"event": "Summit"}.',
          'The value of "live" must be a string, a number, or a list of strings and numbers.',
          'Tags can have up to 2048 characters in total. You entered 2058.',
        ]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks' });
      },
    ),
  );

  it(
    'goes back to the list from a box, with what was changed before, and says there which value can’t be one',
    withCommands(
      {
        answers: {
          picks: ['event', 'year', 'year', 'Save'],
          inputs: ['Talks', '(back) 1', '', '[true]', '"7"'],
        },
      },
      async (fixture) => {
        const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: { event: 'Summit', year: 2026 } });
        await fixture.run('editTags', id);
        const wrong = 'The value of "year" must be a string, a number, or a list of strings and numbers.';
        assert.deepEqual(fixture.ui.seen.corrections, [wrong, wrong]);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks', year: '7' });
      },
    ),
  );

  it(
    'keeps what was entered where the change may have been made',
    withCommands(
      { isHurried: true, answers: { picks: ['event', 'Save', 'Save'], inputs: ['Talks'], presses: ['Edit…'] } },
      async (fixture) => {
        const { service, ui } = fixture;
        const { id } = service.control.addStream({ name: 'Talk', userTags: { event: 'Summit' } });
        let failures = 1;
        service.control.fault(({ method }) => (method === 'PATCH' && failures-- > 0 ? { status: 503 } : undefined));
        await fixture.run('editTags', id);
        await waitUntil(() => ui.seen.flashes.length > 0);
        assert.match(ui.seen.said[0]?.message ?? '', /\(503\)\. The change to "Talk" may still have been applied\./);
        assert.deepEqual(ui.seen.said[0]?.actions, ['Refresh', 'Edit…', 'Show Log']);
        assert.deepEqual(tagsOf(fixture, id), { event: 'Talks' });
      },
    ),
  );

  it(
    'sends nothing if nothing was changed, the list was dismissed, or what was given can’t be tags',
    withCommands({ answers: { picks: ['event'], inputs: ['Talks'] } }, async (fixture) => {
      const { id } = fixture.service.control.addStream({ name: 'Talk', userTags: TAGS });
      await fixture.run('editTags', { id, tags: TAGS });
      await fixture.run('editTags', id);
      for (const tags of ['x', 7, [], { a: null }]) await fixture.run('editTags', { id, tags });
      assert.deepEqual(changesIn(fixture), []);
      assert.deepEqual(fixture.ui.seen.messages.slice(0, 1), ['Enter a JSON object, such as {"event": "Summit"}.']);
      assert.equal(fixture.ui.seen.messages.length, 4);
      assert.deepEqual(tagsOf(fixture, id), TAGS);
    }),
  );
});
