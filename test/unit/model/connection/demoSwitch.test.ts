import assert from 'node:assert/strict';
import { openConnection } from '../../../../src/commands/connection/openConnection.ts';
import { createDemoSwitch } from '../../../../src/model/connection/demoSwitch.ts';
import { Emitter } from '../../../../src/util/events.ts';
import { withCommands } from '../../commands/fixture.ts';

function serviceAt(port: number, dispose = () => {}) {
  const onDidStop = new Emitter<void>().event;
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k3y', addresses: {}, onDidStop, dispose };
}

/** A demo whose services start and end when a test lets them. */
function compose({ context }: Parameters<Parameters<typeof withCommands>[1]>[0]) {
  const { connections, connection } = context;
  const starts: (() => void)[] = [];
  const ended: number[] = [];
  let count = 0;
  const demo = createDemoSwitch({
    ...{ connections, connection, name: 'Demo' },
    async startService() {
      await new Promise<void>((resolve) => starts.push(resolve));
      count += 1;
      const number = count;
      return serviceAt(number, () => void ended.push(number));
    },
  });
  const letStart = async () => {
    while (starts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    starts.shift()?.();
  };
  return { demo, connection, connections, ended, letStart };
}

describe('The demo', () => {
  it(
    'is another one, and runs, if it is started while it stops',
    withCommands({}, async (fixture) => {
      const { demo, connection, connections, ended, letStart } = compose(fixture);
      const first = demo.start();
      await letStart();
      await first;
      const both = [demo.stop(), demo.start()];
      await letStart();
      await Promise.all(both);
      assert.deepEqual([connection.info?.name, connection.info?.baseUrl], ['Demo', 'http://127.0.0.1:2']);
      assert.deepEqual([demo.running?.baseUrl, ended], ['http://127.0.0.1:2', [1]]);
      assert.equal(connections.wasDemoOn(), true);
    }),
  );

  it(
    'says when it has started and when it has stopped',
    withCommands({}, async (fixture) => {
      const { demo, letStart } = compose(fixture);
      const said: boolean[] = [];
      demo.onDidChange(() => said.push(demo.running !== undefined));
      const starting = demo.start();
      await letStart();
      await starting;
      await demo.stop();
      assert.deepEqual(said, [true, false]);
    }),
  );

  it(
    'does not run any more for those who hear of the connection that is opened instead',
    withCommands({}, async (fixture) => {
      const { demo, connection, ended, letStart } = compose(fixture);
      const starting = demo.start();
      await letStart();
      await starting;
      const heard: unknown[] = [];
      connection.onDidChange(() => heard.push([demo.running, ended.length]));
      await demo.stop();
      assert.deepEqual([connection.info?.name, heard, ended], ['Production', [[undefined, 0]], [1]]);
    }),
  );

  it(
    'ends if it is stopped while it starts, and leaves the connection of before',
    withCommands({}, async (fixture) => {
      const { demo, connection, connections, ended, letStart } = compose(fixture);
      const both = [demo.start(), demo.stop()];
      await letStart();
      await Promise.all(both);
      assert.deepEqual([connection.info?.name, demo.running, ended], ['Production', undefined, [1]]);
      assert.equal(connections.wasDemoOn(), false);
    }),
  );

  it(
    'does not open over a connection that was opened while it started',
    withCommands({}, async (fixture) => {
      const { demo, connection, connections, ended, letStart } = compose(fixture);
      const starting = demo.start();
      await fixture.run('switchConnection', 'Production');
      await letStart();
      await starting;
      assert.deepEqual([connection.info?.name, demo.running, ended], ['Production', undefined, [1]]);
      assert.equal(connections.wasDemoOn(), false);
    }),
  );

  it(
    'runs on while another connection is open, and is the same one again',
    withCommands({}, async (fixture) => {
      const { demo, connection, connections, ended, letStart } = compose(fixture);
      const starting = demo.start();
      await letStart();
      await starting;
      const [stored = assert.fail('No connection')] = await connections.list();
      await openConnection(fixture.context, stored);
      assert.deepEqual([connection.info?.name, demo.running?.baseUrl, ended], [stored.name, 'http://127.0.0.1:1', []]);
      assert.equal(connections.wasDemoOn(), false, 'the next window opens what was open last');
      await demo.start();
      assert.deepEqual([connection.info?.baseUrl, ended], ['http://127.0.0.1:1', []]);
      await openConnection(fixture.context, stored);
      await demo.stop();
      assert.deepEqual([connection.info?.name, demo.running, ended], [stored.name, undefined, [1]]);
    }),
  );

  it(
    'says so if it could not start, and starts the next time',
    withCommands({}, async (fixture) => {
      const { connections, connection } = fixture.context;
      let isFailing = true;
      const demo = createDemoSwitch({
        ...{ connections, connection, name: 'Demo' },
        async startService() {
          if (isFailing) throw new Error('No port is free');
          return serviceAt(1);
        },
      });
      await assert.rejects(demo.start(), /No port is free/);
      isFailing = false;
      await demo.start();
      assert.equal(connection.info?.isDemo, true);
    }),
  );
});
