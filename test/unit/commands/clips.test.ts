import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clipNode, sessionNode, streamNode } from '../../../src/model/rows/nodes.ts';
import type { Ui } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { hurriedClock } from '../../support/model/testClock.ts';
import { afterTurns } from '../../support/service/fileServer.ts';
import { readPlayable } from '../../support/service/playableMedia.ts';
import { type Fixture, type FixtureOptions, withCommands } from './fixture.ts';

/** Runs a test with a service and a model on one clock. */
function withClips(
  options: FixtureOptions,
  test: (fixture: Fixture & { readonly clock: ReturnType<typeof hurriedClock> }) => Promise<void>,
): () => Promise<void> {
  const clock = hurriedClock(Date.UTC(2026, 10, 20, 10, 0));
  return withCommands({ ...options, clock, demo: { ...options.demo, clock } }, (fixture) =>
    test({ ...fixture, clock }),
  );
}

type ClipFixture = Fixture & { readonly clock: ReturnType<typeof hurriedClock> };

/** Shows progress that is canceled at once. */
const canceled: Ui['progress'] = (_title, task) => task(() => {}, AbortSignal.abort());

/** A stream that has been live for two minutes, and its session. */
async function aBroadcast({ service, context, clock }: ClipFixture, { record = true } = {}) {
  const stream = service.control.addStream({ name: 'Keynote', record });
  const session = service.control.startBroadcast(stream.id);
  clock.advance(120_000);
  await context.connection.account.readStream(stream.id);
  await context.loader.reloadSessions(stream.id);
  service.control.clearRequests();
  return { stream, session, began: session.createdAt };
}

async function aRecording(fixture: ClipFixture) {
  const made = await aBroadcast(fixture);
  const { service, context, clock } = fixture;
  service.control.endBroadcast(made.stream.id);
  clock.advance(120_000);
  await context.connection.account.readStream(made.stream.id);
  await context.loader.reloadSessions(made.stream.id);
  service.control.clearRequests();
  return made;
}

/** What was sent to make clips. */
const orders = ({ service }: Fixture) =>
  service.control.requests
    .filter(({ method, path }) => method === 'POST' && path === '/api/clip')
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);

const partsIn = ({ ui }: Fixture) => ui.seen.picks[0]?.items.map(({ label, description }) => [label, description]);
const clipsIn = ({ context }: Fixture, streamId: string) => context.store.snapshot.clips.get(streamId) ?? [];
const secondsOf = ({ startTime, endTime }: Record<string, unknown>, began: number) =>
  [startTime, endTime].map((time) => (Number(time) - began) / 1000);

describe('Creating a clip of what a player shows', () => {
  const watching = ({ context }: Fixture, kind: 'stream' | 'session', id: string, watchedAt: number) => {
    const findPage: Fixture['context']['findPage'] = (of) =>
      of?.kind === kind && of.id === id && of.connection === context.connection.info?.id
        ? { ...of, watchedAt }
        : undefined;
    Object.assign(context, { findPage });
  };

  it(
    'begins with the 30 seconds that were just shown of a broadcast',
    withClips({ answers: { picks: ['0:40–1:10'], inputs: ['Goal'] } }, async (fixture) => {
      const { stream, began } = await aBroadcast(fixture);
      watching(fixture, 'stream', stream.id, began + 70_400);
      await fixture.run('createClip', streamNode('active', stream.id));
      assert.deepEqual(partsIn(fixture)?.[0], ['0:40–1:10', "at the player's position"]);
      const [order = {}] = orders(fixture);
      assert.deepEqual(secondsOf(order, began), [40, 70]);
    }),
  );

  it(
    'begins with what comes next of a recording, also where the times are asked for',
    withClips(
      { answers: { picks: ['Custom Range…'], inputs: ['(as suggested)', '(as suggested)', 'Part'] } },
      async (fixture) => {
        const { session, stream, began } = await aRecording(fixture);
        watching(fixture, 'session', session.id, began + 15_000);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        assert.deepEqual(partsIn(fixture)?.[0], ['0:15–0:45', "at the player's position"]);
        assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [15, 45]);
      },
    ),
  );

  it(
    'begins with the last 30 seconds of a recording that was played to its end',
    withClips({}, async (fixture) => {
      const { session, stream, began } = await aRecording(fixture);
      watching(fixture, 'session', session.id, began + 119_980);
      await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
      assert.equal(partsIn(fixture)?.[0]?.[0], '1:30–2:00');
    }),
  );
});

describe('Creating a clip', () => {
  it(
    'asks for the length and name of a live stream’s clip, waits until the clip is made, and offers what can be done with it',
    withClips({ answers: { picks: ['Last 30 seconds'], inputs: ['Goal'] } }, async (fixture) => {
      const { run, ui } = fixture;
      const { stream, session, began } = await aBroadcast(fixture);
      await run('createClip', streamNode('active', stream.id));
      assert.deepEqual(partsIn(fixture), [
        ['Last 30 seconds', undefined],
        ['Last 60 seconds', undefined],
        ['Select in Player…', undefined],
        ['Custom Range…', 'Recorded: 2:00'],
      ]);
      const [order = {}] = orders(fixture);
      assert.deepEqual([order.playbackId, order.name, order.sessionId], [stream.playbackId, 'Goal', undefined]);
      assert.deepEqual(secondsOf(order, began), [90, 120]);
      const [clip] = clipsIn(fixture, stream.id);
      assert.deepEqual([clip?.name, clip?.phase, clip?.seconds, clip?.sessionId], ['Goal', 'ready', 30, session.id]);
      assert.deepEqual(fieldsOf(ui.seen.said, 'message', 'actions'), [
        ['Created the clip "Goal"', ['Watch', 'Download…', 'Copy URL']],
      ]);
    }),
  );

  it(
    'cuts a recording between the times that are typed, which are checked where they are',
    withClips(
      { answers: { picks: ['Custom Range…'], inputs: ['x', '9:00', '0:10.5', '0:10', '5:00', '0:42', 'Part'] } },
      async (fixture) => {
        const { stream, session, began } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        const [order = {}] = orders(fixture);
        assert.deepEqual(
          partsIn(fixture),
          [
            ['Select in Player…', undefined],
            ['Custom Range…', 'The recording is 2:00 long'],
          ],
          'nothing is last now',
        );
        assert.deepEqual(secondsOf(order, began), [10.5, 42]);
        assert.equal(order.sessionId, session.id);
        assert.deepEqual(fixture.ui.seen.corrections, [
          'Enter a start time such as 1:30, a range such as 1:30-2:00, or a length such as last 45 s.',
          'The clip extends past the end of the recording, which is 2:00 long.',
          'The end time must be later than the start time.',
          'The clip extends past the end of the recording, which is 2:00 long.',
        ]);
        assert.deepEqual(fixture.ui.seen.messages, ['Created the clip "Part"']);
      },
    ),
  );

  it(
    'can be left to the player of the stream or recording, unless streams play in the browser',
    withClips({ answers: { picks: ['Select in Player…', 'Select in Player…'] } }, async (fixture) => {
      const { run, played, ui, context } = fixture;
      const live = await aBroadcast(fixture);
      await run('createClip', streamNode('active', live.stream.id));
      const over = await aRecording(fixture);
      await run('createClip', sessionNode('idle', over.stream.id, over.session.id));
      assert.deepEqual(played, [`stream ${live.stream.id} for a clip`, `session ${over.session.id} for a clip`]);
      assert.deepEqual([orders(fixture), ui.seen.messages], [[], []]);
      context.settings.playIn = () => 'browser';
      await run('createClip', sessionNode('idle', over.stream.id, over.session.id));
      assert.deepEqual(fieldsOf(ui.seen.picks.at(-1)?.items, 'label')?.[0], 'Custom Range…');
    }),
  );

  it(
    'takes a range that is typed into the list, in which the custom range stays whatever is typed',
    withClips({ answers: { typed: [' 0:10 - 0:25'], picks: ['0:10–0:25'], inputs: ['Part'] } }, async (fixture) => {
      const { stream, session, began } = await aRecording(fixture);
      await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
      const [order = {}] = orders(fixture);
      assert.deepEqual([secondsOf(order, began), order.name], [[10, 25], 'Part']);
      const [pick] = fixture.ui.seen.picks;
      assert.match(pick?.placeholder ?? '', /or enter a range such as "0:10-0:25" or "last 45 s"$/);
      assert.deepEqual(
        pick?.items.filter(({ isAlwaysShown }) => isAlwaysShown === true).map(({ label }) => label),
        ['0:10–0:25', 'Custom Range…'],
      );
      assert.equal(pick?.items[0]?.description, 'Length: 0:15');
    }),
  );

  it(
    'begins a custom range with the time that was typed alone',
    withClips(
      { answers: { typed: ['0:20'], picks: ['Custom Range…'], inputs: ['(as suggested)', '(as suggested)', 'Part'] } },
      async (fixture) => {
        const { stream, session, began } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [20, 50]);
      },
    ),
  );

  it(
    'takes a range on Enter though the list has no row for it yet',
    withClips(
      { answers: { typed: ['(quick) 0:10-0:25'], picks: ['Custom Range…'], inputs: ['Part'] } },
      async (fixture) => {
        const { stream, session, began } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [10, 25]);
      },
    ),
  );

  const noRange = 'Enter a start time such as 1:30, a range such as 1:30-2:00, or a length such as last 45 s.';
  for (const [typed, sentence] of [
    ['0:99-1:70', noRange],
    ['0:30 to', noRange],
    ['abc', noRange],
    ['50 - 30', 'The end time must be later than the start time.'],
    ['1:50-2:30', 'The clip extends past the end of the recording, which is 2:00 long.'],
    ['last 5 min', 'The clip extends past the end of the recording, which is 2:00 long.'],
  ] as const) {
    it(
      `keeps what can't be clipped and was entered before the list could say so, says why, and takes a range there: ${typed}`,
      withClips(
        {
          answers: {
            typed: [`(quick) ${typed}`],
            picks: ['Custom Range…'],
            inputs: ['(as suggested)', '0:10-0:25', 'Part'],
          },
        },
        async (fixture) => {
          const { stream, session, began } = await aRecording(fixture);
          await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
          const { inputs, corrections, messages } = fixture.ui.seen;
          assert.deepEqual([inputs[0]?.value, inputs[0]?.problem?.sentence], [typed, sentence]);
          assert.deepEqual(corrections, [sentence]);
          assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [10, 25]);
          assert.deepEqual(messages, ['Created the clip "Part"']);
        },
      ),
    );
  }

  it(
    'takes the end of a recording as it is typed into the list, and shows where that is',
    withClips({ answers: { typed: ['last 45 s'], picks: ['1:15–2:00'], inputs: ['Part'] } }, async (fixture) => {
      const { stream, session, began } = await aRecording(fixture);
      await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
      assert.deepEqual(partsIn(fixture)?.[0], ['1:15–2:00', 'Length: 0:45']);
      assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [75, 120]);
    }),
  );

  it(
    'goes back from the end to the start, which is kept, and takes a whole range for either',
    withClips(
      { answers: { picks: ['Custom Range…'], inputs: ['0:20', '(back)', '(as suggested)', '0:30-0:50', 'Part'] } },
      async (fixture) => {
        const { stream, session, began } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        assert.deepEqual(
          fixture.ui.seen.inputs.map(({ value, step }) => [value, step]),
          [
            ['0:00', undefined],
            ['0:50', undefined],
            ['0:20', undefined],
            ['0:50', undefined],
            ['Keynote (0:30–0:50)', undefined],
          ],
        );
        assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [30, 50]);
      },
    ),
  );

  it(
    'leads back from every box to the one before, up to the list of recordings, and keeps what was entered',
    withClips(
      {
        answers: {
          picks: ['Keynote', 'Custom Range…', '(back)', 'Keynote', 'Custom Range…'],
          inputs: [
            '0:20',
            '0:45',
            '(back) Goal',
            '(back)',
            '(back)',
            '(as suggested)',
            '(as suggested)',
            '(as suggested)',
          ],
        },
      },
      async (fixture) => {
        const { session, began } = await aRecording(fixture);
        await fixture.run('createClip');
        const { picks, inputs } = fixture.ui.seen;
        const boxes = inputs.map(({ value, step, back }) => [value, step, back !== undefined]);
        assert.deepEqual(boxes, [
          ['0:00', undefined, true],
          ['0:50', undefined, true],
          ['Keynote (0:20–0:45)', undefined, true],
          ['0:45', undefined, true],
          ['0:20', undefined, true],
          ['0:20', undefined, true],
          ['0:45', undefined, true],
          ['Goal', undefined, true],
        ]);
        assert.equal(picks.length, 5);
        const [order = {}] = orders(fixture);
        assert.deepEqual([secondsOf(order, began), order.name, order.sessionId], [[20, 45], 'Goal', session.id]);
      },
    ),
  );

  it(
    'goes back from the name to the list of parts, which marks the one that was selected, and proposes a name for the new one',
    withClips(
      { answers: { picks: ['Last 60 seconds', 'Last 30 seconds'], inputs: ['(back)', '(as suggested)'] } },
      async (fixture) => {
        const { stream } = await aBroadcast(fixture);
        await fixture.run('createClip', streamNode('active', stream.id));
        const marks = fixture.ui.seen.picks.map(({ items }) =>
          items.map((item) => (item.isSeparator === true ? undefined : item.icon)),
        );
        assert.deepEqual(marks, [
          [undefined, undefined, undefined, undefined],
          ['blank', 'check', 'blank', 'blank'],
        ]);
        const names = fixture.ui.seen.inputs.map(({ value }) => value);
        assert.deepEqual(names, ['Keynote (1:00–2:00)', 'Keynote (1:30–2:00)']);
        assert.equal(orders(fixture)[0]?.name, 'Keynote (1:30–2:00)');
      },
    ),
  );

  it(
    'offers what was typed into the list when the name leads back to it',
    withClips(
      {
        answers: { typed: ['0:10-0:25'], picks: ['0:10–0:25', '0:10–0:25'], inputs: ['(back)', '(as suggested)'] },
      },
      async (fixture) => {
        const { stream, session, began } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        assert.equal(fixture.ui.seen.picks.length, 2);
        assert.deepEqual(secondsOf(orders(fixture)[0] ?? {}, began), [10, 25]);
      },
    ),
  );

  for (const [typed, sentence] of [
    ['1:50-2:30', 'The clip extends past the end of the recording, which is 2:00 long.'],
    ['1:50-0:30', 'The end time must be later than the start time.'],
  ] as const) {
    it(
      `says what is wrong with a range that is typed into the list, and offers nothing else: ${typed}`,
      withClips({ answers: { typed: [typed] } }, async (fixture) => {
        const { stream, session } = await aRecording(fixture);
        await fixture.run('createClip', sessionNode('idle', stream.id, session.id));
        const [shown] = fixture.ui.seen.picks;
        assert.deepEqual(
          shown?.items.map(({ label, isSentence }) => [label, isSentence]),
          [[sentence, true]],
        );
        assert.deepEqual([fixture.ui.seen.inputs, orders(fixture)], [[], []]);
      }),
    );
  }

  it(
    'lists recordings with how long they are, and a broadcast with how long it has been live',
    withClips({}, async (fixture) => {
      const { clock, service, context } = fixture;
      const { stream } = await aRecording(fixture);
      service.control.startBroadcast(stream.id);
      clock.advance(60_000);
      await context.connection.account.readStream(stream.id);
      await context.loader.reloadSessions(stream.id);
      await fixture.run('createClip');
      const [live, recording] = partsIn(fixture)?.map(([, description]) => description ?? '') ?? [];
      assert.match(live ?? '', / · live$/);
      assert.match(recording ?? '', /:\d\d · 2 min$/);
    }),
  );

  it(
    'takes its whole input as arguments, and asks for nothing',
    withClips({}, async (fixture) => {
      const { run, ui } = fixture;
      const { stream, session, began } = await aRecording(fixture);
      await run('createClip', { id: session.id, from: 5.6, to: 7.25 });
      await run('createClip', { id: session.id, seconds: 20, name: ' End ' });
      const [first = {}, second = {}] = orders(fixture);
      assert.deepEqual([secondsOf(first, began), first.name], [[5.6, 7.25], `${stream.name} (0:06–0:07)`]);
      assert.equal(second.name, 'End');
      assert.deepEqual([ui.seen.picks, ui.seen.inputs], [[], []]);
      assert.equal(clipsIn(fixture, stream.id)[1]?.name, `${stream.name} (0:06–0:07)`);
    }),
  );

  it(
    'takes the moments at which it starts and ends as arguments',
    withClips({}, async (fixture) => {
      const { run, ui } = fixture;
      const { stream, began } = await aBroadcast(fixture);
      await run('createClip', { id: stream.id, startTime: began + 5000, endTime: began + 7250, name: '' });
      const [order = {}] = orders(fixture);
      assert.deepEqual(
        [secondsOf(order, began), order.name, ui.seen.inputs],
        [[5, 7.25], `${stream.name} (0:05–0:07)`, []],
      );
    }),
  );

  it(
    'is cut from the recording if the broadcast ended after its times were chosen',
    withClips({}, async (fixture) => {
      const { run, ui } = fixture;
      const { stream, session, began } = await aRecording(fixture);
      await run('createClip', { id: stream.id, startTime: began + 5000, endTime: began + 7250, name: 'Goal' });
      const [order = {}] = orders(fixture);
      assert.deepEqual([secondsOf(order, began), order.sessionId], [[5, 7.25], session.id]);
      await run('createClip', { id: stream.id, startTime: began - 9000, endTime: began - 7250, name: 'Before' });
      assert.deepEqual(ui.seen.messages, [
        'Created the clip "Goal"',
        '"Keynote" isn\'t live. You can create clips of its recordings.',
      ]);
      assert.equal(orders(fixture).length, 1);
    }),
  );

  it(
    'is refused before anything is sent where it can’t be',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { session } = await aRecording(fixture);
      const idle = service.control.addStream({ name: 'Idle', record: true });
      for (const given of [
        { id: session.id, seconds: 1000 },
        { id: session.id, from: 20, to: 10 },
        { id: session.id, from: 20, to: 2000 },
        { id: session.id, seconds: 'x' },
        { id: session.id, seconds: 5, name: 'a\nb' },
        { id: idle.id, seconds: 5 },
        { id: '../x', seconds: 5 },
      ]) {
        await run('createClip', given);
      }
      const live = await aBroadcast(fixture, { record: false });
      await run('createClip', { id: live.stream.id, seconds: 5 });
      assert.deepEqual(orders(fixture), []);
      assert.deepEqual(fixture.ui.seen.messages, [
        'The clip extends past the end of the recording, which is 2:00 long.',
        'The end time must be later than the start time.',
        'The clip extends past the end of the recording, which is 2:00 long.',
        'Enter a time such as 1:30.',
        "The name can't contain line breaks.",
        '"Idle" isn\'t live. You can create clips of its recordings.',
        "This isn't a valid stream or session ID.",
        '"Keynote" isn\'t being recorded, so you can\'t create clips of it. Select an earlier recording, or turn on recording before the next broadcast.',
      ]);
      assert.deepEqual(fixture.ui.seen.said.at(-1)?.actions, ['Select Recording…']);
    }),
  );

  it(
    'says in words that five are being created, and creates the same one when asked again',
    withClips({ answers: { presses: ['Retry'] } }, async (fixture) => {
      const { run, service, clock, context } = fixture;
      const { stream, began } = await aBroadcast(fixture);
      const body = JSON.stringify({ errors: ['Too many clips are being processed.'] });
      let isFull = true;
      service.control.fault(({ path, method }) => {
        if (!isFull || method !== 'POST' || path !== '/api/clip') return undefined;
        isFull = false;
        clock.advance(60_000);
        return { status: 403, body };
      });
      let made = 0;
      const onMade = () => {
        made += 1;
      };
      await run('createClip', { id: stream.id, seconds: 10, name: 'Sixth', onMade });
      assert.equal(made, 1, 'by the retry');
      const sent = orders(fixture);
      assert.equal(sent.length, 2);
      assert.deepEqual(sent[0], sent[1]);
      assert.deepEqual(secondsOf(sent[1] ?? {}, began), [110, 120]);
      assert.match(
        fixture.ui.seen.messages[0] ?? '',
        /^Couldn't create "Sixth"\. .*You can create up to five clips of a stream at a time\./,
      );
      assert.equal(fixture.ui.seen.messages[1], 'Created the clip "Sixth"');
      assert.notEqual(context.store.snapshot.connection.kind, 'refused');
    }),
  );

  for (const isRecorded of [true, false]) {
    it(
      `asks for another range if the service rejects it, with what was entered and why: ${isRecorded ? 'recording' : 'broadcast'}`,
      withClips(
        {
          answers: {
            presses: ['Edit…'],
            picks: ['Custom Range…'],
            inputs: ['0:10-1:40', 'Goal', '0:10-0:25', '(as suggested)'],
          },
        },
        async (fixture) => {
          const { run, service, ui } = fixture;
          const { stream, session, began } = isRecorded ? await aRecording(fixture) : await aBroadcast(fixture);
          const body = JSON.stringify({ errors: ['Clip is too long'] });
          const isTooLong = () => orders(fixture).length === 1;
          service.control.fault(({ path }) =>
            path === '/api/clip' && isTooLong() ? { status: 422, body } : undefined,
          );
          await run(
            'createClip',
            isRecorded ? sessionNode('idle', stream.id, session.id) : streamNode('active', stream.id),
          );
          assert.deepEqual(
            orders(fixture).map((order) => [order.name, secondsOf(order, began)]),
            [
              ['Goal', [10, 100]],
              ['Goal', [10, 25]],
            ],
          );
          assert.match(ui.seen.messages[0] ?? '', /^Couldn't create "Goal"\. .*: "Clip is too long\."$/);
          assert.deepEqual(ui.seen.said[0]?.actions, ['Edit…', 'Show Log'], 'the same range would be rejected again');
          const again = ui.seen.inputs.slice(-2);
          assert.deepEqual(
            again.map(({ value }) => value),
            ['0:10–1:40', 'Goal'],
          );
          assert.match(again[0]?.problem?.sentence ?? '', /: "Clip is too long\."$/);
        },
      ),
    );
  }

  it(
    'says in words what became of one that failed',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { stream } = await aBroadcast(fixture);
      service.control.failClips('The disk of <b>the service</b> is full');
      const onMade = () => assert.fail('There is no clip');
      await run('createClip', { id: stream.id, seconds: 10, name: 'Lost', onMade });
      assert.deepEqual(fixture.ui.seen.messages, [
        'The clip "Lost" couldn\'t be created. The service reports: The disk of <b>the service</b> is full.',
      ]);
      assert.equal(clipsIn(fixture, stream.id)[0]?.phase, 'failed');
    }),
  );

  it(
    'is waited for again once its connection is open again, if that was closed meanwhile',
    withClips({}, async (fixture) => {
      const { run, service, context } = fixture;
      const { stream } = await aBroadcast(fixture);
      const { id = '' } = context.connection.info ?? {};
      const stored = (await context.connections.get(id)) ?? assert.fail();
      const said: unknown[] = [];
      const page = {
        onProgress: () => void said.push('progress'),
        onMade: ({ name }: { readonly name: string }) => said.push(`made ${name}`) > 0,
        onFailed: () => said.push('failed') > 0,
        onLeft: (goOn: unknown) => void said.push(goOn),
      };
      const leave = () => context.connection.open({ ...service, id: 'b', name: 'B', insecureAccepted: false });
      await run('createClip', { id: stream.id, seconds: 10, name: 'Goal', ...page, onProgress: leave });
      const [goOn] = said.splice(0);
      assert.equal(typeof goOn, 'function');
      context.connection.open(stored);
      await run('createClip', { goOn, ...page });
      assert.deepEqual([said[0], said.at(-1)], ['progress', 'made Goal']);
      assert.equal(orders(fixture).length, 1);
      assert.deepEqual(fixture.ui.seen.said, []);
    }),
  );

  it(
    'leaves it to the page that ordered it to say why there is none, with the key to set if that was rejected',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { stream } = await aBroadcast(fixture);
      const problems: { readonly sentence: string; readonly needsKey: boolean }[] = [];
      let isSeen = true;
      const onFailed = (problem: (typeof problems)[number]) => problems.push(problem) > 0 && isSeen;
      const order = { id: stream.id, seconds: 10, name: 'Short', onFailed };
      const refuse = (status: number, body = '') =>
        service.control.fault(({ method }) => (method === 'POST' ? { status, body } : undefined));
      refuse(400, JSON.stringify({ errors: ['Clip is too short'] }));
      await run('createClip', order);
      const { host } = new URL(service.baseUrl);
      const sentence = `Couldn't create "Short". ${host} rejected the request: "Clip is too short."`;
      assert.deepEqual([problems, fixture.ui.seen.messages], [[{ sentence, needsKey: false }], []]);
      isSeen = false;
      await run('createClip', order);
      assert.deepEqual(fixture.ui.seen.messages, [sentence]);
      isSeen = true;
      refuse(401);
      await run('createClip', order);
      assert.deepEqual(problems.at(-1), { sentence: 'The API key was rejected.', needsKey: true });
      assert.equal(fixture.ui.seen.messages.length, 1);
    }),
  );

  it(
    'shows its progress, unless a page does, whose controls that would cover',
    withClips({}, async (fixture) => {
      const { run, ui } = fixture;
      const { stream } = await aBroadcast(fixture);
      const titles: string[] = [];
      const { progress } = ui;
      ui.progress = (title, task) => {
        titles.push(title);
        return progress(title, task);
      };
      let made = 0;
      await run('createClip', { id: stream.id, seconds: 10, name: 'Of the page', onMade: () => (made += 1) });
      assert.deepEqual([made, titles], [1, []]);
      const said: unknown[] = [];
      const onMade = (clip: { readonly name: string }) => said.push(clip.name) > 0;
      const onProgress = (progress: number) => said.push(progress);
      await run('createClip', { id: stream.id, seconds: 10, name: 'Said there', onMade, onProgress });
      assert.ok(
        said.length > 2 && said.slice(0, -1).every((each) => Number(each) >= 0 && Number(each) < 1),
        said.join(),
      );
      assert.equal(said.at(-1), 'Said there');
      await run('createClip', { id: stream.id, seconds: 10, name: 'Of the palette' });
      assert.deepEqual(titles, ['Creating the clip "Of the palette"']);
      assert.deepEqual(ui.seen.messages, ['Created the clip "Of the page"', 'Created the clip "Of the palette"']);
    }),
  );

  it(
    'goes on without waiting for the clip, if the wait is canceled',
    withClips({ ui: { progress: canceled } }, async (fixture) => {
      const { stream } = await aBroadcast(fixture);
      await fixture.run('createClip', { id: stream.id, seconds: 10, name: 'Later' });
      assert.deepEqual(fixture.ui.seen.flashes, ['The clip "Later" is still being created']);
      assert.deepEqual(fixture.ui.seen.messages, []);
      assert.equal(clipsIn(fixture, stream.id).length, 1);
    }),
  );

  it(
    'counts as done if the response is lost and the clip is listed, and is sent once',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { stream, session } = await aBroadcast(fixture);
      service.control.fault(({ method, path }) => {
        if (method !== 'POST' || path !== '/api/clip') return undefined;
        service.control.addClip(session.id, { excerpt: { from: 110, to: 120 }, name: 'Answered by nobody' });
        return { status: 500 };
      });
      await run('createClip', { id: stream.id, seconds: 10, name: 'Answered by nobody' });
      assert.equal(orders(fixture).length, 1);
      assert.deepEqual(fixture.ui.seen.messages, ['Created the clip "Answered by nobody"']);
    }),
  );

  it(
    'counts as done if the response is lost and a replica lists the clip only after a while',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { stream, session } = await aBroadcast(fixture);
      const name = `${stream.name} (1:50–2:00)`;
      let lists = 0;
      service.control.fault(({ method, path }) => {
        if (method === 'POST' && path === '/api/clip') return { status: 504 };
        if (!path.endsWith('/clips')) return undefined;
        lists += 1;
        if (lists === 3) service.control.addClip(session.id, { excerpt: { from: 110, to: 120 }, name });
        return undefined;
      });
      await run('createClip', { id: stream.id, seconds: 10 });
      assert.equal(lists, 3);
      assert.deepEqual(fixture.ui.seen.messages, [`Created the clip "${name}"`]);
    }),
  );

  it(
    'isn’t taken for one that was created a moment before',
    withClips({}, async (fixture) => {
      const { run, service } = fixture;
      const { stream } = await aBroadcast(fixture);
      await run('createClip', { id: stream.id, seconds: 10 });
      service.control.fault(({ method, path }) =>
        method === 'POST' && path === '/api/clip' ? { status: 504 } : undefined,
      );
      const onMade = () => assert.fail('There is no second clip');
      assert.equal(await run('createClip', { id: stream.id, seconds: 60, onMade }), undefined);
      assert.equal(service.control.clips().length, 1);
      assert.match(fixture.ui.seen.messages[1] ?? '', /The clip may still have been created\. Refresh to check\.$/);
      assert.deepEqual(fixture.ui.seen.said[1]?.actions, ['Refresh', 'Retry', 'Show Log']);
    }),
  );

  it(
    'is hidden until a refresh where the service has no clips',
    withClips({ demo: { face: 'strict' } }, async (fixture) => {
      const { run, context } = fixture;
      const { stream } = await aBroadcast(fixture);
      await run('createClip', { id: stream.id, seconds: 10 });
      await run('createClip', { id: stream.id, seconds: 10 });
      assert.deepEqual(fixture.ui.seen.messages, Array(2).fill("Production doesn't support clips."));
      assert.equal(orders(fixture).length, 1);
      assert.equal(context.store.snapshot.abilities.clips, false);
      await run('refresh');
      assert.equal(context.store.snapshot.abilities.clips, true);
    }),
  );
});

/** A body whose connection is lost once the other side has taken what came before. */
async function* cutOff(start: Uint8Array): AsyncIterable<Uint8Array> {
  yield start;
  await afterTurns();
  throw new Error('Cut off');
}

describe('A clip', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clips-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function aClip(fixture: ClipFixture) {
    const made = await aRecording(fixture);
    await fixture.run('createClip', { id: made.session.id, from: 3, to: 8, name: 'Goal: 1/0' });
    const [clip] = clipsIn(fixture, made.stream.id);
    assert.ok(clip);
    const row = clipNode(sessionNode('idle', made.stream.id, made.session.id), clip.id);
    fixture.service.control.clearRequests();
    return { ...made, clip, row };
  }

  it(
    'is played, and copied as a URL, without a request',
    withClips({}, async (fixture) => {
      const { run, played, ui, requests } = fixture;
      const { clip, row } = await aClip(fixture);
      await run('openClip', row);
      await run('copyClipUrl', row);
      assert.deepEqual(played, [`clip ${clip.id}`]);
      assert.deepEqual(ui.seen.copied, [clip.downloadUrl]);
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'is downloaded under its name, or where it is said, with the frames that were chosen',
    withClips({}, async (fixture) => {
      const { run } = fixture;
      const { clip, row } = await aClip(fixture);
      const target = join(folder, 'clip.mp4');
      await run('downloadClip', { id: clip.id, target });
      const media = await readPlayable(readFileSync(target));
      assert.equal(media.video?.packets.filter(({ time }) => time >= 0).length, 75);
      await run('downloadClip', row);
      assert.deepEqual(fieldsOf(fixture.ui.seen.saveQuestions, 'fileName'), ['Goal- 1-0.mp4']);
    }),
  );

  it(
    'is downloaded from where it was cut off, as the same file',
    withClips({}, async (fixture) => {
      const { run, service, ui } = fixture;
      const { clip } = await aClip(fixture);
      const whole = await fetch(clip.downloadUrl ?? '');
      const file = Buffer.from(await whole.arrayBuffer());
      const etag = whole.headers.get('etag') ?? assert.fail('The file has no ETag');
      const taken = Math.floor(file.length / 3);
      const target = join(folder, 'clip.mp4');
      let isCut = false;
      service.control.clearRequests();
      service.control.fault(({ path }) => {
        if (isCut || !path.startsWith('/clips/')) return undefined;
        isCut = true;
        const headers = { 'content-type': 'video/mp4', 'content-length': `${file.length}`, etag };
        return {
          status: 200,
          headers,
          body: cutOff(file.subarray(0, taken)),
        };
      });
      await run('downloadClip', { id: clip.id, target });
      const asked = service.control.requests.filter(({ path }) => path.startsWith('/clips/'));
      assert.deepEqual(
        asked.map(({ status, headers }) => [status, headers.range, headers['if-range']]),
        [
          [200, undefined, undefined],
          [206, `bytes=${taken}-`, etag],
        ],
      );
      assert.ok(readFileSync(target).equals(file));
      assert.deepEqual(readdirSync(folder), ['clip.mp4'], 'nothing else is left');
      assert.match(fixture.ui.seen.messages.at(-1) ?? '', /^Downloaded /);
      assert.deepEqual(ui.seen.saveQuestions, []);
    }),
  );

  it(
    'is deleted after a question, and is gone from the list',
    withClips({ answers: { confirms: [false, true] } }, async (fixture) => {
      const { run, ui, requests } = fixture;
      const { stream, clip, row } = await aClip(fixture);
      await run('deleteClip', row);
      assert.deepEqual([requests(), clipsIn(fixture, stream.id).length], [[], 1]);
      await run('deleteClip', row);
      assert.deepEqual(requests(), [`DELETE /api/asset/${clip.id}`]);
      assert.deepEqual(clipsIn(fixture, stream.id), []);
      assert.deepEqual(ui.seen.flashes, ['Deleted the clip "Goal: 1/0"']);
      await run('openClip', { id: clip.id });
      assert.equal(fixture.ui.seen.messages.at(-1), 'This clip no longer exists.');
      await fixture.context.loader.refresh();
      assert.deepEqual(clipsIn(fixture, stream.id), []);
    }),
  );

  it(
    'counts as deleted if somebody else has deleted it',
    withClips({ answers: { confirms: [true] } }, async (fixture) => {
      const { service, run } = fixture;
      const { stream, clip, row } = await aClip(fixture);
      service.control.deleteClip(clip.id);
      await run('deleteClip', row);
      assert.deepEqual(clipsIn(fixture, stream.id), []);
    }),
  );
});
