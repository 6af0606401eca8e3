import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { runTask } from '../../../../src/commands/runTask.ts';
import { LocalUrlError } from '../../../../src/model/webhooks/localUrl.ts';
import type { Listening, LocalDelivery } from '../../../../src/model/webhooks/state.ts';
import { Emitter } from '../../../../src/util/events.ts';
import { aLocalDelivery, fakeWebhooks } from '../../../support/model/fakeWebhooks.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { inProject } from '../../../support/projectFolder.ts';
import { type Fixture, withCommands } from '../fixture.ts';

const URL_OF_HANDLER = 'http://localhost:3000/api/webhook';

/** A listener whose state the test changes. */
function makeListener(refused?: LocalUrlError) {
  const changes = new Emitter<void>();
  let listening: Listening | undefined;
  let deliveries: readonly LocalDelivery[] = [aLocalDelivery({ id: 'before' })];
  const listen = (to: Listening | undefined) => {
    listening = to;
    changes.fire();
  };
  const eventListener: CommandContext['eventListener'] = {
    ...fakeWebhooks().eventListener,
    onDidChange: changes.event,
    get listening() {
      return listening;
    },
    get deliveries() {
      return deliveries;
    },
    async start({ url }) {
      if (refused !== undefined) throw refused;
      listen({ url, events: undefined, webhookId: undefined, since: 1, isUnanswered: url.includes('nobody') });
    },
    stop: () => listen(undefined),
  };
  const deliver = (delivery: LocalDelivery) => {
    deliveries = [delivery, ...deliveries];
    changes.fire();
  };
  return { eventListener, deliver, listen };
}

type Listener = ReturnType<typeof makeListener>;

/** Runs the task until it has ended; `during` runs once it says that it is ready. */
async function run(
  { context }: Fixture,
  { eventListener }: Pick<Listener, 'eventListener'>,
  definition: unknown,
  during: (ending: AbortController) => void = () => {},
) {
  const lines: string[] = [];
  const ending = new AbortController();
  const write = (text: string) => void lines.push(text);
  const terminal = { write, signal: ending.signal, isTrusted: true };
  const result = runTask({ ...context, eventListener }, definition, terminal);
  const ended = result.then(() => true);
  await Promise.race([ended, waitUntil(() => lines.length > 0)]);
  during(ending);
  return { hasSucceeded: await result, lines };
}

const GIVEN = { type: 'liveStreams', task: 'listen', url: URL_OF_HANDLER };

describe('A task that listens for events', () => {
  it(
    'says that it is ready, writes each delivery once, and ends listening when it is ended',
    withCommands({}, async (fixture) => {
      const listener = makeListener();
      const { hasSucceeded, lines } = await run(fixture, listener, GIVEN, (ending) => {
        assert.equal(listener.eventListener.listening?.url, URL_OF_HANDLER);
        listener.deliver(aLocalDelivery({ event: 'stream.started', statusCode: 204, duration: 12 }));
        listener.deliver(aLocalDelivery({ event: 'stream.idle', isSuccess: false, statusCode: 500, duration: 3 }));
        ending.abort();
        listener.deliver(aLocalDelivery({ event: 'recording.ready' }));
      });
      assert.equal(listener.eventListener.listening, undefined);
      const [ready, started = '', idle = '', ...rest] = lines;
      assert.equal(ready, '▶ Listening for events and sending them to localhost:3000/api/webhook');
      assert.match(started, /^✓ stream\.started · 204 · 12 ms$/);
      assert.match(idle, /^✗ stream\.idle · 500 · 3 ms/);
      assert.deepEqual([hasSucceeded, rest], [true, ['Stopped listening for events']]);
    }),
  );

  it(
    'says that nothing listens at the URL',
    withCommands({}, async (fixture) => {
      const given = { ...GIVEN, url: 'http://localhost:3000/nobody' };
      const { lines } = await run(fixture, makeListener(), given, (ending) => ending.abort());
      assert.deepEqual(lines.slice(0, 2), [
        '▶ Listening for events and sending them to localhost:3000/nobody',
        "Nothing is listening at localhost:3000, so events can't be delivered. Start your server, or check the host and port.",
      ]);
    }),
  );

  it(
    'ends when listening is stopped, and leaves alone what is listened to since at another URL',
    withCommands({}, async (fixture) => {
      const stopped = makeListener();
      const first = await run(fixture, stopped, GIVEN, () => stopped.eventListener.stop());
      assert.deepEqual([first.hasSucceeded, first.lines.at(-1)], [true, 'Stopped listening for events']);
      const moved = makeListener();
      const other = { url: 'http://localhost:4000/', events: undefined, webhookId: undefined, since: 2 };
      const second = await run(fixture, moved, GIVEN, () => moved.listen(other));
      assert.deepEqual([second.hasSucceeded, moved.eventListener.listening], [true, other]);
    }),
  );

  it(
    'fails in words, without the line that says that it is ready',
    withCommands({}, async (fixture) => {
      const cases = [
        [makeListener(), { ...GIVEN, url: undefined }, /^"url" in tasks\.json: Enter /],
        [makeListener(), { ...GIVEN, url: 'https://example.com/hook' }, /^"url" in tasks\.json: .*localhost/],
        [makeListener(), { ...GIVEN, url: 7 }, /^"url" in tasks\.json: /],
        [makeListener(new LocalUrlError('inUse')), GIVEN, /[Ww]indow/],
      ] as const;
      for (const [listener, definition, sentence] of cases) {
        const { hasSucceeded, lines } = await run(fixture, listener, definition);
        assert.deepEqual([hasSucceeded, lines.length, listener.eventListener.listening], [false, 1, undefined]);
        assert.match(lines[0] ?? '', sentence);
        assert.doesNotMatch(lines[0] ?? '', readyPattern());
      }
    }),
  );

  it(
    'is ready for the problem matcher of package.json once it listens',
    withCommands({}, async (fixture) => {
      const listener = makeListener();
      const { lines } = await run(fixture, listener, GIVEN, (ending) => {
        listener.deliver(aLocalDelivery({}));
        ending.abort();
      });
      assert.deepEqual(
        lines.map((line) => readyPattern().test(line)),
        [true, false, false],
      );
    }),
  );
});

function readyPattern(): RegExp {
  const { contributes } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const [matcher] = contributes.problemMatchers;
  return new RegExp(matcher.background.endsPattern, 'u');
}
