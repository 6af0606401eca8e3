import assert from 'node:assert/strict';
import { withKeyboardKept } from '../../../src/commands/keptKeyboard.ts';
import { withBoth } from './besideFixture.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** Somebody who types into a file whenever the service is requested. */
function typeWhileItAnswers({ ui, service }: Fixture): void {
  let edits = 0;
  ui.countEdits = () => edits;
  service.control.fault(() => {
    edits += 1;
    return undefined;
  });
}

function firstStream({ service }: Fixture) {
  return service.control.streams()[0] ?? assert.fail('no stream');
}

describe('A command that had to wait while the user typed in a text editor', () => {
  it(
    'offers its page or document in a message, which opens it',
    withCommands({}, async (fixture) => {
      const { ui, run, service, shown, played } = fixture;
      typeWhileItAnswers(fixture);
      const opened = () => [...shown, ...played, ...ui.seen.documents.map(({ fileName }) => fileName)];
      for (const command of ['openJson', 'watchStream', 'showStream']) {
        const before = opened().length;
        const { id, name } = service.control.addStream({ name: `Unknown to ${command}` });
        await run(command, id);
        const said = ui.seen.said.at(-1);
        assert.match(said?.message ?? '', new RegExp(`^Loaded "${name}(.json)?"$`), command);
        assert.deepEqual([said?.severity, said?.actions, opened().length], ['info', ['Show'], before], command);
        ui.answers.presses.push('Show');
        await run(command, service.control.addStream({ name: 'Another' }).id);
        assert.equal(opened().length, before + 1, command);
      }
    }),
  );

  it(
    'waits for what VS Code has yet to report of it',
    withCommands({}, async ({ ui, run, service, shown }) => {
      const { name, id } = service.control.addStream({ name: 'Unknown' });
      let edits = 0;
      ui.countEdits = () => edits;
      ui.catchUp = async () => {
        edits += 1;
      };
      await run('showStream', id);
      assert.deepEqual([ui.seen.said.at(-1)?.message, shown], [`Loaded "${name}"`, []]);
    }),
  );

  it(
    'offers what opens in the browser in a message, which names its host alone',
    withCommands({ addresses: { player: 'https://player.example/watch?v={playbackId}' } }, async (fixture) => {
      const { ui, run, service } = fixture;
      typeWhileItAnswers(fixture);
      await run('openPlayerPage', service.control.addStream({ name: 'Unknown' }).id);
      const said = ui.seen.said.at(-1);
      assert.deepEqual(
        [said?.message, said?.actions, ui.seen.opened],
        ['Ready to open player.example in the browser', ['Open'], []],
      );
      ui.answers.presses.push('Open');
      await run('openPlayerPage', service.control.addStream({ name: 'Another' }).id);
      assert.equal(ui.seen.opened.length, 1);
    }),
  );

  it(
    'offers a file to edit in a message, and opens at once what a link in a box leads to',
    withCommands({}, async ({ ui, context }) => {
      let edits = 0;
      ui.countEdits = () => edits;
      const { input } = ui;
      const typing = { ...ui, input: (options: Parameters<typeof input>[0]) => input(options).finally(() => edits++) };
      const kept = withKeyboardKept({ ...context, ui: typing });
      edits = 1;
      await kept.ui.editText('event.json', '{}');
      assert.deepEqual([ui.seen.said.map(({ message }) => message), ui.seen.edited], [['Loaded "event.json"'], []]);
      ui.answers.presses.push('Continue');
      ui.answers.inputs.push('(link) Get a Key', 'key');
      const link = {
        label: 'Get a Key',
        run: () => {
          void kept.ui.openAddress('https://keys.example');
          return 'stay' as const;
        },
      };
      await kept.ui.input({ title: 'Key', links: [link] });
      assert.deepEqual(ui.seen.opened, ['https://keys.example']);
    }),
  );

  it(
    'opens it at once for whoever does nothing else',
    withCommands({}, async (fixture) => {
      await fixture.run('showStream', firstStream(fixture).id);
      assert.deepEqual([fixture.shown.length, fixture.ui.seen.said], [1, []]);
    }),
  );

  it(
    'asks in a message whether to go on, before a box would take what is typed, and not again in the next box',
    withCommands({}, async (fixture) => {
      const { ui, run, service } = fixture;
      const { id } = service.control.addStream({ name: 'Old' });
      typeWhileItAnswers(fixture);
      await run('renameStream', service.control.addStream({ name: 'Other' }).id);
      assert.deepEqual([ui.seen.said.at(-1)?.message, ui.seen.inputs], ['Waiting for your input: Rename "Other"', []]);
      ui.answers.presses.push('Continue');
      ui.answers.inputs.push('New');
      await run('renameStream', id);
      assert.equal(service.control.streams().find((each) => each.id === id)?.name, 'New');
      assert.equal(ui.seen.said.length, 2);
    }),
  );

  it(
    'shows no modal dialog that Enter would confirm',
    withCommands({}, async (fixture) => {
      const { ui, run, service } = fixture;
      const { id } = service.control.addStream({ name: 'Old' });
      typeWhileItAnswers(fixture);
      await run('deleteStream', id);
      assert.deepEqual(ui.seen.questions, []);
      assert.deepEqual(ui.seen.said.at(-1)?.actions, ['Continue']);
      assert.match(ui.seen.said.at(-1)?.message ?? '', /^Delete /);
    }),
  );

  it(
    'takes the time in a box for no such wait',
    withCommands({}, async (fixture) => {
      const { ui, run, shown } = fixture;
      let edits = 0;
      ui.countEdits = () => edits;
      const { pick } = ui;
      ui.pick = async (options) => {
        edits += 1;
        return pick(options);
      };
      ui.answers.picks.push(firstStream(fixture).name);
      await run('showStream');
      assert.deepEqual([shown.length, ui.seen.said], [1, []]);
    }),
  );

  it(
    'offers the page of another connection that is shown, and opens that',
    withBoth({}, async (both) => {
      const { ui, run, shown, serviceB, idB } = both;
      const { id } = serviceB.control.addStream({ name: 'At B' });
      let edits = 0;
      ui.countEdits = () => edits;
      serviceB.control.fault(() => {
        edits += 1;
        return undefined;
      });
      ui.answers.presses.push('Show');
      await run('showStream', { id, connection: idB });
      assert.equal(ui.seen.said.at(-1)?.actions[0], 'Show');
      assert.equal(shown.at(-1), `stream ${id} of ${idB}`);
    }),
  );
});
