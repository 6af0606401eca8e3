import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import type { CommandId } from '../../../src/commands/table.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import type { Answers } from '../../support/model/fakes.ts';
import { aWebhook, webhooksState } from '../../support/model/fakeWebhooks.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { withBoth } from './besideFixture.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** The next change is refused with these words. */
function refuseOnce({ service }: Pick<Fixture, 'service'>) {
  let isLeft = true;
  service.control.fault(({ method }) => {
    if (method === 'GET' || !isLeft) return undefined;
    isLeft = false;
    return { status: 422, body: JSON.stringify({ errors: ['not like that'] }) };
  });
}

const refused = (host: string) => `${host} rejected the request: "not like that."`;

const renditions = (name: string) => JSON.stringify([{ name, width: 640, height: 360, bitrate: 500_000, fps: 30 }]);

interface Case {
  readonly command: CommandId;
  readonly answers: Partial<Answers>;
  /** What is entered instead, in each text box that is shown again. */
  readonly again: readonly string[];
  /** What the boxes begin with then. */
  readonly shown: readonly string[];
}

const CASES: readonly Case[] = [
  { command: 'renameStream', answers: { inputs: ['A'] }, again: ['B'], shown: ['A'] },
  {
    command: 'editRenditions',
    answers: { picks: ['Talk', 'Edit as JSON…'], inputs: [renditions('a')] },
    again: [renditions('b')],
    shown: [renditions('a')],
  },
  {
    command: 'setPlaybackPolicy',
    answers: { picks: ['Talk', 'Signed Token', 'Continue Without a Key'], inputs: ['https://a.example'] },
    again: ['https://b.example'],
    shown: ['https://a.example'],
  },
  {
    command: 'addMultistreamTarget',
    answers: { picks: ['Talk', 'YouTube'], inputs: ['a-secret-key', 'Channel'] },
    again: ['another-key', 'Channel 2'],
    shown: ['a-secret-key', 'Channel'],
  },
  {
    command: 'addMultistreamTarget',
    answers: { picks: ['Talk', 'Other…'], inputs: ['rtmp://a.example/live/a-secret-key', '', 'Channel'] },
    again: ['rtmp://b.example/live', 'another-key', 'Channel 2'],
    // The key that the URL ended with is in the password box.
    shown: ['rtmp://a.example/live', 'a-secret-key', 'Channel'],
  },
];

describe('What was typed before the service refused it', () => {
  for (const { command, answers, again, shown } of CASES) {
    it(
      `is in the boxes again: ${command}`,
      withCommands(
        { demo: { streamCount: 3 }, answers: { picks: ['Talk'], ...answers, presses: ['Edit…'] } },
        async (fixture) => {
          const { service, ui } = fixture;
          service.control.addStream({ name: 'Talk', profiles: [] });
          ui.answers.inputs.push(...again);
          refuseOnce(fixture);
          await fixture.run(command);
          const sentence = refused(new URL(service.baseUrl).host);
          assert.deepEqual(fieldsOf(ui.seen.said.slice(0, 1), 'message', 'actions'), [
            [`${fixture.context.commandTitle(command)}: ${sentence}`, ['Edit…', 'Show Log']],
          ]);
          const boxes = ui.seen.inputs.slice(-again.length);
          assert.equal(ui.seen.inputs.length, 2 * again.length);
          assert.deepEqual(
            boxes.map(({ value }) => value),
            shown,
          );
          assert.equal(boxes.at(-1)?.problem?.sentence, sentence);
          assert.equal(ui.seen.picks.length, answers.picks?.length ?? 1, 'no picker is shown again');
          assert.equal(ui.seen.flashes.length, 1);
        },
      ),
    );
  }

  it(
    'is there again after the API key was rejected',
    withCommands({ answers: { inputs: ['A', 'B'], presses: ['Edit…'] } }, async ({ service, ui, run }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      let isRejected = true;
      service.control.fault(({ method }) => (isRejected && method === 'PATCH' ? { status: 401 } : undefined));
      const ask = ui.input;
      ui.input = (options) => {
        isRejected = ui.seen.inputs.length === 0;
        // As if the user had set the key before.
        if (!isRejected) service.control.fault(undefined);
        return ask(options);
      };
      await run('renameStream', id);
      await waitUntil(() => ui.seen.inputs.length === 2);
      assert.match(ui.seen.said[0]?.message ?? '', /key was rejected/);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Set API Key…', 'Edit…', 'Show Log']);
      assert.equal(ui.seen.inputs[1]?.value, 'A');
    }),
  );

  it(
    'is in the boxes of a webhook again, with what was selected',
    withCommands(
      {
        webhooks: { state: webhooksState({ webhooks: [aWebhook()] }) },
        answers: {
          inputs: ['Staging', 'https://a.example.com', 'https://b.example.com'],
          picksMany: [['stream.started']],
          picks: ['Events', 'Create', 'Create'],
          presses: ['Edit…'],
        },
      },
      async ({ hooks, ui, context, run }) => {
        const { webhooks } = context;
        const { create } = webhooks;
        let isLeft = true;
        webhooks.create = async (form) => {
          if (!isLeft) return create(form);
          isLeft = false;
          throw new ApiError('rejected', 'Refused', { status: 422, detail: 'not like that' });
        };
        await run('createWebhook');
        assert.deepEqual(
          ui.seen.inputs.slice(2).map(({ value, problem }) => [value, problem === undefined]),
          [['https://a.example.com', false]],
        );
        const [created] = hooks.calls.filter(([name]) => name === 'create').map(([, form]) => form);
        assert.partialDeepStrictEqual(created, {
          name: 'Staging',
          url: 'https://b.example.com',
          events: ['stream.started'],
        });
      },
    ),
  );

  it(
    'is in the list of tags again, also for a stream of another connection that is shown',
    withBoth(
      {
        answers: {
          picks: ['Only at B', 'Save', 'event', 'Save'],
          inputs: ['event:A, season:4', 'B'],
          presses: ['Edit…'],
        },
      },
      async (both) => {
        const { id } = both.serviceB.control.addStream({ name: 'Only at B' });
        refuseOnce({ service: both.serviceB });
        await both.run('editTags');
        assert.deepEqual(
          both.ui.seen.inputs.map(({ value }) => value),
          ['', 'A'],
        );
        assert.deepEqual(both.serviceB.control.streams().find((each) => each.id === id)?.userTags, {
          ...{ event: 'B', season: 4 },
        });
      },
    ),
  );

  it(
    'is kept until it is accepted, also if the command then fails before its box',
    withCommands(
      {
        answers: {
          picks: ['Talk', 'Edit as JSON…'],
          inputs: [renditions('a'), renditions('b')],
          presses: ['Edit…', 'Retry'],
        },
      },
      async (fixture) => {
        const { service, ui } = fixture;
        const { id } = service.control.addStream({ name: 'Talk', profiles: [] });
        let changes = 0;
        service.control.fault(({ method, path }) => {
          if (method !== 'GET') return ++changes === 1 ? { status: 400, body: '{}' } : undefined;
          if (changes !== 1 || !path.endsWith(id)) return undefined;
          changes += 1;
          return { status: 403, body: JSON.stringify({ errors: ['not now'] }) };
        });
        await fixture.run('editRenditions');
        assert.equal(ui.seen.inputs[1]?.value, renditions('a'));
        assert.equal(ui.seen.inputs.length, 2);
        const { profiles } = service.control.streams().find((each) => each.id === id) ?? {};
        assert.deepEqual(profiles, JSON.parse(renditions('b')));
      },
    ),
  );

  it(
    'is not offered where nothing was typed',
    withCommands({ answers: { picks: ['Talk'] } }, async (fixture) => {
      fixture.service.control.addStream({ name: 'Talk' });
      refuseOnce(fixture);
      await fixture.run('turnRecordingOn');
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Show Log']);
    }),
  );

  it(
    'is in the box again for a stream of another connection that is shown',
    withBoth({ answers: { picks: ['Only at B'], inputs: ['A', 'B'], presses: ['Edit…'] } }, async (both) => {
      const { id } = both.serviceB.control.addStream({ name: 'Only at B' });
      refuseOnce({ service: both.serviceB });
      await both.run('renameStream');
      assert.deepEqual(
        both.ui.seen.inputs.map(({ value }) => value),
        ['Only at B', 'A'],
      );
      assert.deepEqual(both.serviceB.control.streams().find((each) => each.id === id)?.name, 'B');
      assert.equal(both.ui.seen.picks.length, 1);
    }),
  );
});
