import assert from 'node:assert/strict';
import { runAction } from '../../../src/commands/boundary.ts';
import { openLink } from '../../../src/commands/openLink.ts';
import { clipNode, type Node, sessionNode } from '../../../src/model/rows/nodes.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { uriParts } from '../../support/model/uriParts.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

const ROOT = 'vscode://live-streams.live-streams';

/** Opens a link as the host does, and waits until its message, if any, was answered. */
async function open({ context }: Fixture, rest: string): Promise<void> {
  await runAction(context, { run: (next) => openLink(next, uriParts(`${ROOT}${rest}`)) });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Requests that change something, or that media are fetched with. */
function changes({ requests }: Fixture): readonly string[] {
  return requests().filter((request) => !request.startsWith('GET '));
}

/** A recorded session with a clip of it. */
function aClip({ service }: Fixture) {
  const stream = service.control.addStream({ name: 'Talk' });
  const seen = { createdAt: stream.createdAt + 1000, lastSeen: stream.createdAt + 61_000, sourceSegmentsDuration: 60 };
  const session = service.control.addSession(stream.id, { record: true, ...seen });
  const clip = service.control.addClip(session.id, { excerpt: { from: 1, to: 3 }, name: 'Applause' });
  return { stream, session, clip };
}

describe('Opening an editor link', () => {
  it(
    'shows the row of a stream, though its page is not loaded',
    withCommands({ demo: { streamCount: 40 }, pageSize: 20 }, async (fixture) => {
      const { service, ui, context } = fixture;
      const added = service.control.addStream({ name: 'Far away' });
      await open(fixture, `/stream/${added.id}?connection=production`);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
      assert.ok(context.store.snapshot.pinnedIds.has(added.id));
      assert.deepEqual([fixture.ui.seen.messages, changes(fixture), ui.seen.opened], [[], [], []]);
    }),
  );

  for (const face of ['full', 'strict', 'indifferent'] as const) {
    it(
      `shows the row of a session under its stream, on a service that is ${face}`,
      withCommands({ demo: { face, streamCount: 12 }, pageSize: 20 }, async (fixture) => {
        const { service, ui, context } = fixture;
        const stream = service.control.addStream({ name: 'Daily' });
        const ids = Array.from({ length: 50 }, (_, n) => {
          const createdAt = stream.createdAt + n * 1000;
          const seen = { lastSeen: createdAt + 500, sourceSegments: 1, sourceSegmentsDuration: 2 };
          return service.control.addSession(stream.id, { createdAt, ...seen }).id;
        });
        const oldest = ids[0] ?? '';
        await open(fixture, `/session/${oldest}`);
        assert.deepEqual(fixture.ui.seen.messages, []);
        assert.deepEqual(ui.seen.reveals, [{ kind: 'session', id: oldest, streamId: stream.id }]);
        const list = context.store.snapshot.sessions.get(stream.id);
        const shown = list?.items.slice(0, list.revealed).map(({ id }) => id) ?? [];
        assert.ok(shown.includes(oldest), 'its row would not be there to be shown');
        assert.deepEqual([changes(fixture), ui.seen.opened], [[], []]);
      }),
    );
  }

  it(
    'shows the row of a clip below its session, though nothing of its stream is loaded, and asks for no media',
    withCommands({ demo: { streamCount: 40 }, pageSize: 20 }, async (fixture) => {
      const { service, ui, context, played } = fixture;
      const { stream, session, clip } = aClip(fixture);
      await open(fixture, `/clip/${clip.id}?connection=production`);
      const shown = { kind: 'clip', id: clip.id, sessionId: session.id, streamId: stream.id };
      assert.deepEqual([ui.seen.reveals, fixture.ui.seen.messages], [[shown], []]);
      const tree = streamsTree(context.store, context.loader);
      const row = tree.find(context.store.snapshot, { ...shown, kind: 'clip' });
      assert.ok(row?.kind === 'clip' && row.clipId === clip.id, 'its row would not be there to be shown');
      const newer = service.control.addClip(session.id, { excerpt: { from: 2, to: 4 }, name: 'Newer than the list' });
      await open(fixture, `/clip/${newer.id}`);
      assert.deepEqual(ui.seen.reveals[1], { ...shown, id: newer.id });
      assert.ok(tree.find(context.store.snapshot, { ...shown, kind: 'clip', id: newer.id }) !== undefined);
      assert.deepEqual([played, ui.seen.opened, changes(fixture), fixture.ui.seen.messages], [[], [], [], []]);
    }),
  );

  it(
    'plays a clip whose stream was deleted, as the tree has no row for the clip',
    withCommands({}, async (fixture) => {
      const { stream, clip } = aClip(fixture);
      fixture.service.control.deleteStream(stream.id);
      await open(fixture, `/clip/${clip.id}`);
      assert.deepEqual(
        [fixture.played, fixture.ui.seen.reveals, fixture.ui.seen.messages],
        [[`clip ${clip.id}`], [], []],
      );
    }),
  );

  it(
    'says that a clip was deleted, is of another account, or that the service has no clips',
    withCommands({}, async (fixture) => {
      const { service, played, ui } = fixture;
      const { clip } = aClip(fixture);
      service.control.fault(({ path }) => (path.endsWith('/asset/of-another') ? { status: 403 } : undefined));
      await open(fixture, '/clip/of-another');
      await open(fixture, '/clip/nobody');
      service.control.deleteClip(clip.id);
      await open(fixture, `/clip/${clip.id}`);
      await open(fixture, '/clip/a.b');
      service.control.fault(({ path }) => (path.includes('/asset/') ? { status: 405 } : undefined));
      await open(fixture, '/clip/any');
      await open(fixture, '/clip/any');
      const [forbidden, unknown, deleted, invalid, , lacking] = fixture.ui.seen.messages;
      assert.equal(forbidden, 'No clip with this ID was found in "Production".');
      assert.deepEqual([unknown, deleted], ['This clip no longer exists.', 'This clip no longer exists.']);
      assert.equal(invalid, "The ID in this link isn't valid.");
      assert.match(lacking ?? '', /doesn't support clips/);
      assert.deepEqual([played, ui.seen.reveals], [[], []]);
    }),
  );

  it(
    'clears a filter that hides the stream, and says so',
    withCommands({}, async (fixture) => {
      const { service, ui, context } = fixture;
      const stream = service.control.addStream({ name: 'Daily' });
      const seen = { lastSeen: stream.createdAt + 5000, sourceSegments: 1, sourceSegmentsDuration: 2 };
      const session = service.control.addSession(stream.id, { record: false, ...seen });
      context.store.setFilter('nothing is called so');
      await open(fixture, `/session/${session.id}`);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'session', id: session.id, streamId: stream.id }]);
      assert.deepEqual(ui.seen.flashes, ['Cleared the filter to show "Daily"']);
    }),
  );

  it(
    'shows the parent of a deprecated child stream',
    withCommands({ demo: { streamCount: 12 } }, async (fixture) => {
      const { service, ui, context } = fixture;
      const child = service.control.streams().find((stream) => stream.parentId !== undefined);
      assert.ok(child?.parentId);
      await open(fixture, `/stream/${child.id}`);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: child.parentId }]);
      assert.equal(context.store.snapshot.streams.has(child.id), false);
    }),
  );

  it(
    'shows the page of a session whose stream was deleted, as the tree of streams has no row for the session',
    withCommands({}, async (fixture) => {
      const { service, ui, shown } = fixture;
      const stream = service.control.addStream({ name: 'Gone' });
      const session = service.control.addSession(stream.id, { lastSeen: stream.createdAt, sourceSegmentsDuration: 2 });
      service.control.deleteStream(stream.id);
      await open(fixture, `/session/${session.id}`);
      assert.deepEqual([shown, ui.seen.reveals, ui.seen.said], [[`session ${session.id}`], [], []]);
    }),
  );

  it(
    'says of a stream that is gone what it was called, like commands that are given its ID',
    withCommands({}, async (fixture) => {
      const { service, ui, run, context, shown } = fixture;
      const id = context.store.snapshot.lists.idle.ids[0] ?? '';
      service.control.setStream(id, { name: 'Bygone' });
      await context.connection.account.readStream(id);
      service.control.deleteStream(id);
      await context.connection.account.readStream(id);
      await open(fixture, `/stream/${id}`);
      await run('showStream', id);
      await run('copyLink', { id });
      assert.deepEqual(ui.seen.messages, Array(3).fill('"Bygone" no longer exists.'));
      assert.deepEqual([shown, ui.seen.copied], [[], []]);
    }),
  );

  it(
    'says that ids are unknown, and that a link leads nowhere',
    withCommands({}, async (fixture) => {
      const { ui } = fixture;
      for (const rest of ['/stream/nobody', '/session/nobody', '/settings/x', '/stream/a.b']) {
        await open(fixture, rest);
      }
      assert.deepEqual(fixture.ui.seen.messages, [
        'No stream with this ID was found in "Production".',
        'This session no longer exists.',
        "This link doesn't point to a stream, session, or clip.",
        "The ID in this link isn't valid.",
      ]);
      assert.deepEqual(ui.seen.reveals, []);
    }),
  );

  it(
    'asks the service nothing about an id that is none',
    withCommands({}, async (fixture) => {
      await open(fixture, `/stream/${encodeURIComponent('../session')}`);
      await open(fixture, '/stream/');
      assert.deepEqual(fixture.requests(), []);
      assert.equal(fixture.ui.seen.messages.length, 2);
    }),
  );

  it(
    'offers to switch the connection, and goes on once the person has switched',
    withCommands({}, async (fixture) => {
      const { service, ui, context } = fixture;
      const { baseUrl, apiKey } = service;
      await context.connections.add({ name: 'R&D 50%', baseUrl, apiKey, insecureAccepted: false });
      const [stream] = service.control.streams();
      const rest = `/stream/${stream?.id}?connection=R%2526D%2050%2525`;
      await open(fixture, rest);
      const [said] = ui.seen.said;
      assert.equal(said?.message, 'This item belongs to "R&D 50%", which isn\'t the current connection.');
      assert.deepEqual(said?.actions, ['Switch to "R&D 50%"']);
      assert.deepEqual([fixture.requests(), ui.seen.reveals, context.connection.info?.name], [[], [], 'Production']);
      ui.answers.presses.push('Switch to "R&D 50%"');
      await open(fixture, rest);
      await waitUntil(() => ui.seen.reveals.length > 0);
      assert.equal(context.connection.info?.name, 'R&D 50%');
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream?.id }]);
    }),
  );

  it(
    'says that a connection is not known here, and opens the link in the open one, if that is chosen',
    withCommands({}, async (fixture) => {
      const { service, ui } = fixture;
      const [stream] = service.control.streams();
      const rest = `/stream/${stream?.id}?connection=Name%20of%20a%20colleague`;
      await open(fixture, rest);
      assert.deepEqual(fixture.ui.seen.messages, [
        'This link is for a connection named "Name of a colleague", which isn\'t set up on this computer.',
      ]);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Open in "Production"', 'Connect to a Service…']);
      assert.deepEqual(fixture.requests(), []);
      ui.answers.presses.push('Open in "Production"');
      await open(fixture, rest);
      await waitUntil(() => ui.seen.reveals.length > 0);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream?.id }]);
    }),
  );

  const demoOf = ({ service: { baseUrl, apiKey } }: Fixture) => {
    return { id: 'demo', name: 'Demo', baseUrl, apiKey, insecureAccepted: false };
  };

  it(
    'offers the demo where the link leads to the demo and the demo is off, and goes on in it though its streams may differ',
    withCommands({}, async (fixture) => {
      const { service, ui, context } = fixture;
      const demo = { ...context.demo, start: async () => context.connection.open(demoOf(fixture), true) };
      const window = { ...fixture, context: { ...context, demo } };
      const [stream] = service.control.streams();
      const rest = `/stream/${stream?.id}?connection=Demo`;
      await open(window, rest);
      assert.deepEqual(fixture.ui.seen.messages, ["This item is from the demo, which isn't running."]);
      assert.deepEqual(ui.seen.said[0]?.actions, ['Try the Demo']);
      assert.deepEqual([fixture.requests(), ui.seen.reveals], [[], []]);
      ui.answers.presses.push('Try the Demo');
      await open(window, rest);
      await waitUntil(() => ui.seen.reveals.length > 0);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream?.id }]);
      await open(window, '/stream/another?connection=demo');
      assert.equal(fixture.ui.seen.messages.at(-1), 'No stream with this ID was found in "Demo".');
    }),
  );

  it(
    'does not take a connection for the demo that is called so since before that was kept free',
    withCommands({}, async (fixture) => {
      const { context, service, ui } = fixture;
      context.connection.open({ ...demoOf(fixture), id: 'stored' });
      await open(fixture, `/stream/${service.control.streams()[0]?.id}?connection=Demo`);
      assert.deepEqual(fixture.ui.seen.messages, ["This item is from the demo, which isn't running."]);
      assert.deepEqual(ui.seen.reveals, []);
    }),
  );

  it(
    'waits for a window that is just starting',
    withCommands({ isConnected: false }, async (fixture) => {
      const { service, ui, context } = fixture;
      const [stream] = service.control.streams();
      const opening = open(fixture, `/stream/${stream?.id}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.deepEqual([ui.seen.said, ui.seen.reveals], [[], []]);
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'one', name: 'Production', baseUrl, apiKey, insecureAccepted: false });
      await opening;
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream?.id }]);
    }),
  );

  it(
    'offers to connect where there is no connection',
    withCommands({ isConnected: false }, async (fixture) => {
      fixture.context.connection.close();
      await open(fixture, '/stream/x');
      assert.deepEqual(fixture.ui.seen.messages, ['Connect to a service first.']);
    }),
  );

  it(
    'shows the stream of a session that the service does not list, and says so',
    withCommands({}, async (fixture) => {
      const { service, ui } = fixture;
      const stream = service.control.addStream({ name: 'Daily' });
      const session = service.control.addSession(stream.id, { lastSeen: 0, sourceSegmentsDuration: 0 });
      await open(fixture, `/session/${session.id}`);
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream.id }]);
      assert.deepEqual(fixture.ui.seen.messages, ["This session isn't listed under its stream."]);
    }),
  );

  it(
    'reports a service that cannot be reached like any command does',
    withCommands({}, async (fixture) => {
      fixture.service.control.fault(() => ({ status: 403, body: '{"errors":["suspended"]}' }));
      await open(fixture, '/session/x');
      assert.match(fixture.ui.seen.messages[0] ?? '', /rejected the request: "suspended\."$/);
    }),
  );
});

describe('Copy Editor Link', () => {
  const row = (id: string): Node => ({ kind: 'stream', id: `active/${id}`, list: 'active', streamId: id });

  it(
    'copies what opens the same stream, with the connection’s name, and asks nobody',
    withCommands({}, async (fixture) => {
      const { service, ui, run, requests } = fixture;
      const [stream] = service.control.streams();
      assert.ok(stream);
      await run('copyLink', row(stream.id));
      const link = `${ROOT}/stream/${stream.id}?connection=Production`;
      assert.deepEqual([ui.seen.copied, ui.seen.flashes], [[link], ['Copied the VS Code link']]);
      assert.deepEqual(requests(), []);
      await open(fixture, link.slice(ROOT.length));
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: stream.id }]);
    }),
  );

  it(
    'takes several rows, of streams and sessions, each once, and ids',
    withCommands({}, async ({ ui, run, service }) => {
      const session: Node = { kind: 'session', id: 'idle/a/s', list: 'idle', streamId: 'a', sessionId: 's' };
      const again: Node = { kind: 'stream', id: 'recording/a', list: 'recording', streamId: 'a' };
      await run('copyLink', row('a'), [row('a'), session, again]);
      const [b, c] = service.control.streams();
      assert.ok(b && c);
      await run('copyLink', b.id);
      await run('copyLink', { id: c.id });
      const query = '?connection=Production';
      const links = [`${ROOT}/stream/a${query}\n${ROOT}/session/s${query}`];
      assert.deepEqual(ui.seen.copied, [...links, `${ROOT}/stream/${b.id}${query}`, `${ROOT}/stream/${c.id}${query}`]);
      assert.equal(ui.seen.flashes[0], 'Copied 2 VS Code links');
    }),
  );

  it(
    'takes a clip: its row, or its ID once it is known',
    withCommands({}, async (fixture) => {
      const { run, ui, context } = fixture;
      const { stream, session, clip } = aClip(fixture);
      await run('copyLink', clipNode(sessionNode('idle', stream.id, session.id), clip.id));
      await context.loader.ensureClips([stream.id]);
      await run('copyLink', { id: clip.id });
      const link = `${ROOT}/clip/${clip.id}?connection=Production`;
      assert.deepEqual(ui.seen.copied, [link, link]);
      await open(fixture, link.slice(ROOT.length));
      assert.deepEqual(fixture.ui.seen.messages, []);
      assert.equal(ui.seen.reveals[0]?.kind, 'clip');
    }),
  );

  it(
    'names the demo by a word that is the same in all languages',
    withCommands({}, async ({ ui, run, context, service: { baseUrl, apiKey } }) => {
      context.connection.open({ id: 'demo', name: 'デモ', baseUrl, apiKey, insecureAccepted: false }, true);
      await run('copyLink', row('a'));
      assert.deepEqual(ui.seen.copied, [`${ROOT}/stream/a?connection=demo`]);
    }),
  );

  it(
    'opens a session by its ID, whether it is loaded or not',
    withCommands({}, async ({ ui, run, service, context, requests }) => {
      const [stream] = service.control.streams();
      assert.ok(stream);
      const createdAt = stream.createdAt + 1000;
      const fields = { createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
      const loaded = service.control.addSession(stream.id, fields);
      const other = service.control.addSession(stream.id, fields);
      await run('copyLink', { id: other.id });
      await context.loader.ensureSessions(stream.id);
      const before = requests().length;
      await run('copyLink', { id: loaded.id });
      assert.equal(requests().length, before);
      const links = [other, loaded].map(({ id }) => `${ROOT}/session/${id}?connection=Production`);
      assert.deepEqual(ui.seen.copied, links);
    }),
  );

  it(
    'refuses an ID that nothing has',
    withCommands({}, async ({ ui, run }) => {
      await run('copyLink', { id: 'nothing' });
      assert.deepEqual([ui.seen.copied, ui.seen.messages], [[], ['"nothing" no longer exists.']]);
    }),
  );

  it(
    'asks for a stream where none was given, and refuses what is no id',
    withCommands({}, async ({ ui, run, service }) => {
      const stream = service.control.addStream({ name: 'Picked' });
      ui.answers.picks.push('Picked');
      await run('copyLink');
      assert.deepEqual(ui.seen.copied, [`${ROOT}/stream/${stream.id}?connection=Production`]);
      await run('copyLink', 'a/b');
      assert.equal(ui.seen.copied.length, 1);
      assert.equal(ui.seen.said.length, 1);
    }),
  );

  it(
    'needs a connection',
    withCommands({ isConnected: false }, async ({ ui, run, context }) => {
      context.connection.close();
      await run('copyLink', 'a');
      assert.deepEqual(ui.seen.copied, []);
      assert.equal(ui.seen.said[0]?.message, 'Connect to a service first.');
    }),
  );
});
