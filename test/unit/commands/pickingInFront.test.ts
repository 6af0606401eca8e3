import assert from 'node:assert/strict';
import { decodeClip } from '../../../src/api/clips.ts';
import { decodeSession } from '../../../src/api/decode.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import type { CommandContext, FoundPage } from '../../../src/commands/context.ts';
import { clipNode, recordingNode, streamNode } from '../../../src/model/rows/nodes.ts';
import { idleStreamOf, withBoth } from './besideFixture.ts';
import { type Fixture, withCommands } from './fixture.ts';

const NO_DATA = { streamCount: 0 };

/** What the first picker listed, with the separators in brackets. */
function listed({ ui }: Fixture): readonly string[] {
  const { items } = ui.seen.picks.at(-1) ?? assert.fail('no picker was shown');
  return items.map(({ label, isSeparator }) => (isSeparator === true ? `[${label}]` : label));
}

/** Three streams, of which one is live, and what commands say is in front. */
async function withThree(fixture: Fixture) {
  const { context, service } = fixture;
  const ids = Object.fromEntries(
    ['Keynote', 'Backup', 'Old'].map((name, index) => {
      const lastSeen = Date.now() - index * 100_000;
      return [name, service.control.addStream({ name, isActive: name === 'Keynote', lastSeen, record: true }).id];
    }),
  ) as Readonly<Record<'Keynote' | 'Backup' | 'Old', string>>;
  await context.loader.refresh();
  return ids;
}

function putInFront({ context }: Fixture, page: Omit<FoundPage, 'connection'>, connection?: string): void {
  const own = connection ?? context.connection.info?.id ?? '';
  Object.assign(context, { findPage: () => ({ connection: own, ...page }) } satisfies Partial<CommandContext>);
}

function select({ context }: Fixture, ...rows: ReturnType<CommandContext['selectedRows']>): void {
  Object.assign(context, { selectedRows: () => rows } satisfies Partial<CommandContext>);
}

describe('A picker of streams', () => {
  it(
    'begins with the one that the active tab shows, and lists it once',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Old } = await withThree(fixture);
      putInFront(fixture, { kind: 'stream', id: Old });
      for (const command of ['checkStream', 'copyPlaybackId', 'watchStream']) {
        await fixture.run(command);
        const expected = ['[Active editor]', 'Old', '[Live]', 'Keynote', '[Idle]', 'Backup'];
        assert.deepEqual(listed(fixture), expected, command);
      }
    }),
  );

  it(
    'lists only live ones for a command that ends a broadcast, and says that there are none',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Keynote, Old } = await withThree(fixture);
      putInFront(fixture, { kind: 'stream', id: Old });
      await fixture.run('endBroadcast');
      assert.deepEqual(listed(fixture), ['[Live]', 'Keynote']);
      fixture.service.control.setStream(Keynote, { isActive: false });
      await fixture.context.loader.refresh();
      await fixture.run('endBroadcast');
      assert.deepEqual(listed(fixture), ['No live streams']);
    }),
  );

  it(
    'has it once also where what is typed is searched for',
    withCommands({ demo: NO_DATA, answers: { typed: ['Old'] } }, async (fixture) => {
      const { Old } = await withThree(fixture);
      putInFront(fixture, { kind: 'stream', id: Old });
      await fixture.run('copyPlaybackId');
      assert.deepEqual(
        listed(fixture).filter((label) => label === 'Old'),
        ['Old'],
      );
    }),
  );

  it(
    'goes on with the selected rows, each stream once',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Old, Backup } = await withThree(fixture);
      const { id } = fixture.service.control.addSession(Old, {});
      select(fixture, streamNode('idle', Backup), streamNode('recording', Backup), recordingNode(id, Old));
      await fixture.run('copyPlaybackId');
      assert.deepEqual(listed(fixture), ['[Selected]', 'Backup', 'Old', '[Live]', 'Keynote']);
      putInFront(fixture, { kind: 'stream', id: Backup });
      await fixture.run('copyPlaybackId');
      assert.deepEqual(listed(fixture), ['[Active editor]', 'Backup', '[Selected]', 'Old', '[Live]', 'Keynote']);
    }),
  );

  it(
    'knows the stream of the session or clip that is shown',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { context } = fixture;
      const { Old } = await withThree(fixture);
      const session = fixture.service.control.addSession(Old, { record: true });
      await context.loader.ensureRecordings();
      const clip = decodeClip({ id: 'clip1', source: { sessionId: session.id } }, new KnownSecrets());
      context.connection.account.writer.clipRead(Old, clip ?? assert.fail('not a clip'));
      const pages = [
        { kind: 'session', id: session.id },
        { kind: 'clip', id: 'clip1' },
      ] as const;
      for (const page of pages) {
        putInFront(fixture, page);
        await fixture.run('copyPlaybackId');
        assert.deepEqual(listed(fixture).slice(0, 2), ['[Active editor]', 'Old'], page.kind);
      }
    }),
  );

  it(
    'takes from the page what no list that is loaded has',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Old } = await withThree(fixture);
      const id = 'elsewhere';
      const session = decodeSession({ id, parentId: Old });
      putInFront(fixture, { kind: 'session', id, session });
      await fixture.run('copyPlaybackId');
      assert.deepEqual(listed(fixture).slice(0, 2), ['[Active editor]', 'Old']);
      await fixture.run('copySessionId');
      assert.deepEqual(listed(fixture).slice(0, 3), ['[Active editor]', 'Old', '[Sessions]']);
    }),
  );

  it(
    'offers no page of a deleted stream, or of a connection that is closed',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Old, Backup } = await withThree(fixture);
      await fixture.run('copyPlaybackId');
      fixture.ui.answers.confirms.push(true);
      await fixture.run('deleteStream', Old);
      putInFront(fixture, { kind: 'stream', id: Old });
      await fixture.run('copyPlaybackId');
      const rest = ['[Live]', 'Keynote', '[Idle]', 'Backup'];
      assert.deepEqual(listed(fixture), rest);
      putInFront(fixture, { kind: 'stream', id: Backup }, 'closed');
      await fixture.run('copyPlaybackId');
      assert.deepEqual(listed(fixture), rest);
    }),
  );

  for (const [command, order] of [
    ['turnRecordingOff', ['[Idle]', 'Backup', 'Old', '[Live]', 'Keynote']],
    ['editRenditions', ['[Idle]', 'Backup', 'Old', '[Live]', 'Keynote']],
    ['resumeStream', ['[Suspended]', 'Old', '[Live]', 'Keynote', '[Idle]', 'Backup']],
    ['renameStream', ['[Idle]', 'Backup', 'Old', '[Live]', 'Keynote']],
    ['copyPlaybackUrlWithToken', ['[Private: signed token]', 'Backup', '[Live]', 'Keynote', '[Idle]', 'Old']],
  ] as const) {
    it(
      `begins with those that ${command} is for, but for the one that is shown`,
      withCommands({ demo: NO_DATA }, async (fixture) => {
        const { Keynote, Old, Backup } = await withThree(fixture);
        fixture.service.control.setStream(Old, { suspended: true });
        fixture.service.control.setStream(Backup, { playbackPolicy: { type: 'jwt' } });
        await fixture.context.loader.refresh();
        await fixture.run(command);
        assert.deepEqual(listed(fixture), order);
        putInFront(fixture, { kind: 'stream', id: Keynote });
        await fixture.run(command);
        assert.deepEqual(listed(fixture).slice(0, 2), ['[Active editor]', 'Keynote']);
      }),
    );
  }

  for (const command of ['startTestBroadcast', 'deleteStream', 'suspendStream'] as const) {
    it(
      `leaves a live one among those that are live, and marks it, where ${command} would disturb it`,
      withCommands({ demo: NO_DATA }, async (fixture) => {
        const { Keynote, Old } = await withThree(fixture);
        putInFront(fixture, { kind: 'stream', id: Keynote });
        select(fixture, streamNode('active', Keynote));
        await fixture.run(command);
        assert.deepEqual(listed(fixture), ['[Idle]', 'Backup', 'Old', '[Live]', 'Keynote']);
        assert.equal(fixture.ui.seen.picks.at(-1)?.items.at(-1)?.description, 'live · recording');
        putInFront(fixture, { kind: 'stream', id: Old });
        await fixture.run(command);
        assert.deepEqual(listed(fixture), ['[Active editor]', 'Old', '[Idle]', 'Backup', '[Live]', 'Keynote']);
      }),
    );
  }

  it(
    'has no row ahead of the others where it goes to another stream',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { Old } = await withThree(fixture);
      putInFront(fixture, { kind: 'stream', id: Old });
      await fixture.run('goToStream');
      assert.deepEqual(listed(fixture), ['[Live]', 'Keynote', '[Idle]', 'Backup', 'Old']);
    }),
  );

  it(
    'begins with that of another connection that is shown, and acts on it there',
    withBoth({}, async (both) => {
      const id = idleStreamOf(both);
      const name = both.serviceB.control.streams().find((stream) => stream.id === id)?.name ?? '';
      putInFront(both, { kind: 'stream', id }, both.idB);
      both.ui.answers.picks.push(name);
      await both.run('showStream');
      const [separator, first, second] = both.ui.seen.picks.at(-1)?.items ?? [];
      assert.equal(separator?.label, 'Active editor');
      assert.deepEqual([first?.label, first?.description], [name, 'B']);
      assert.equal(second?.isSeparator, true);
      assert.deepEqual(both.shown, [`stream ${id} of ${both.idB}`]);
    }),
  );
});

describe('A picker of sessions', () => {
  const MINUTE = 60_000;

  /** Two streams, each with two recordings. */
  async function withRecordings(fixture: Fixture) {
    const { service } = fixture;
    const add = (name: string, ages: readonly number[]) => {
      const { id } = service.control.addStream({ name, record: true });
      const ended = { record: true, recordingStatus: 'ready', recordingUrl: 'https://cdn.example/index.m3u8' } as const;
      return {
        id,
        sessions: ages.map(
          (age) => service.control.addSession(id, { ...ended, createdAt: Date.now() - age * MINUTE }).id,
        ),
      };
    };
    return { newer: add('Newer', [60, 120]), older: add('Older', [180, 240]) };
  }

  const ids = ({ ui }: Fixture) =>
    (ui.seen.picks.at(-1)?.items ?? []).map((item) => (item.isSeparator === true ? item.label : item.value));

  it(
    'begins with the one that the active tab shows',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { newer, older } = await withRecordings(fixture);
      const [third = '', fourth = ''] = older.sessions;
      putInFront(fixture, { kind: 'session', id: fourth });
      const rest = ['Sessions', ...newer.sessions, third];
      for (const command of ['createClip', 'copySessionId', 'openRecording']) {
        await fixture.run(command);
        assert.deepEqual(ids(fixture), ['Active editor', fourth, ...rest], command);
      }
      await fixture.run('searchRecordings');
      assert.deepEqual(ids(fixture), [...newer.sessions, third, fourth], 'a search, where all are alike');
      putInFront(fixture, { kind: 'stream', id: older.id });
      select(fixture, clipNode({ id: `recording/${fourth}`, streamId: older.id, sessionId: fourth }, 'clip1'));
      await fixture.run('createClip');
      assert.deepEqual(ids(fixture), ['Active editor', third, 'Selected', fourth, 'Sessions', ...newer.sessions]);
    }),
  );

  it(
    'waits for its list before it shows others above which it would appear',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { older } = await withRecordings(fixture);
      await fixture.context.loader.ensureRecordings();
      const late = fixture.service.control.addSession(older.id, {
        record: true,
        recordingUrl: 'https://cdn.example/2',
      });
      const firsts: (string | undefined)[] = [];
      const { pick } = fixture.ui;
      fixture.ui.pick = (options) => {
        const { items } = options;
        if (typeof items !== 'function') return pick(options);
        return pick({
          ...options,
          items: (session) =>
            items({
              ...session,
              show(next, isBusy) {
                firsts.push(next[1]?.value === undefined ? undefined : String(next[1].value));
                session.show(next, isBusy);
              },
            }),
        });
      };
      putInFront(fixture, { kind: 'session', id: late.id });
      await fixture.run('copySessionId');
      assert.deepEqual(new Set(firsts), new Set([undefined, late.id]));
    }),
  );

  it(
    'begins with that of another connection that is shown, and acts on it there',
    withBoth({ demo: NO_DATA }, async (both) => {
      const { newer } = await withRecordings(both);
      const { id: streamId } = both.serviceB.control.addStream({ name: 'At B', record: true });
      const ended = { record: true, recordingStatus: 'ready', recordingUrl: 'https://cdn.example/b.m3u8' } as const;
      const { id } = both.serviceB.control.addSession(streamId, { ...ended, createdAt: Date.now() - 30 * MINUTE });
      const isOfB = { connection: both.idB };
      await both.modelB().loader.ensureRecordings();
      for (const page of [{ kind: 'session', id } as const, { kind: 'stream', id: streamId } as const]) {
        putInFront(both, page, both.idB);
        both.ui.answers.picks.push('At B');
        await both.run('showSession');
        const [separator, first, next] = both.ui.seen.picks.at(-1)?.items ?? [];
        assert.deepEqual([separator?.label, first?.label, next?.label], ['Active editor', 'At B', 'Sessions']);
        assert.match(first?.description ?? '', /^B · /);
        assert.equal(ids(both)[3], newer.sessions[0]);
        assert.equal(both.shown.at(-1), `session ${id} of ${both.idB}`);
      }
      putInFront(both, { kind: 'stream', id: 'none' });
      select(both, { ...recordingNode(id, streamId), ...isOfB });
      await both.run('openRecording');
      assert.deepEqual(ids(both).slice(0, 2), ['Selected', `${both.idB}/${id}`]);
      both.ui.answers.picks.push('At B');
      await both.run('copySessionId');
      assert.equal(both.ui.seen.copied.at(-1), id);
    }),
  );

  it(
    'begins with the session in front also if the command cannot use it, and says why when it is picked',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { control } = fixture.service;
      const { newer, older } = await withRecordings(fixture);
      const { id: live } = control.addStream({ name: 'Not recorded', isActive: true, lastSeen: Date.now() });
      const running = control.addSession(live, { createdAt: Date.now() - MINUTE, lastSeen: Date.now() });
      const failed = control.addSession(older.id, { record: true, recordingStatus: 'failed', createdAt: 1000 });
      const all = [...newer.sessions, ...older.sessions];
      await fixture.context.loader.refresh();
      putInFront(fixture, { kind: 'stream', id: live });
      fixture.ui.answers.picks.push('Not recorded');
      await fixture.run('createClip');
      assert.deepEqual(ids(fixture), ['Active editor', running.id, 'Sessions', ...all]);
      assert.match(fixture.ui.seen.picks.at(-1)?.items[1]?.description ?? '', / · not recorded$/);
      const notRecorded = 'or turn on recording before the next broadcast.';
      assert.ok(fixture.ui.seen.said.at(-1)?.message.endsWith(notRecorded), fixture.ui.seen.said.at(-1)?.message);
      await fixture.context.loader.ensureSessions(older.id);
      putInFront(fixture, { kind: 'session', id: failed.id });
      for (const command of ['createClip', 'openRecording']) {
        fixture.ui.answers.picks.push('Older');
        await fixture.run(command);
        assert.deepEqual(ids(fixture), ['Active editor', failed.id, 'Sessions', ...all], command);
        assert.equal(fixture.ui.seen.said.at(-1)?.message, 'Recording failed for this session.');
        assert.deepEqual(fixture.ui.seen.said.at(-1)?.actions, ['Show Details'], command);
      }
    }),
  );

  it(
    'finds the recordings of the stream in front also if many newer ones are listed first',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { control } = fixture.service;
      const { newer } = await withRecordings(fixture);
      for (let index = 0; index < 220; index += 1) {
        const ended = { record: true, recordingStatus: 'ready', recordingUrl: 'https://cdn.example/n' } as const;
        control.addSession(newer.id, { ...ended, createdAt: Date.now() - index });
      }
      const { id } = control.addStream({ name: 'Ancient', record: true });
      const began = Date.now() - 9000 * MINUTE;
      const old = control.addSession(id, {
        ...{ record: true, recordingUrl: 'https://cdn.example/o', createdAt: began },
        ...{ lastSeen: began + MINUTE, sourceSegmentsDuration: 60 },
      });
      await fixture.context.loader.refresh();
      putInFront(fixture, { kind: 'stream', id });
      await fixture.run('createClip');
      assert.deepEqual(ids(fixture).slice(0, 3), ['Active editor', old.id, 'Sessions']);
    }),
  );

  it(
    'begins with the stream in front, and that it has no sessions, before those of others',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { newer, older } = await withRecordings(fixture);
      const { id } = fixture.service.control.addStream({ name: 'Never live' });
      await fixture.context.loader.refresh();
      putInFront(fixture, { kind: 'stream', id });
      fixture.ui.answers.picks.push('Never live');
      await fixture.run('showSession');
      const { label, description } = fixture.ui.seen.picks.at(-1)?.items[1] ?? {};
      assert.deepEqual([label, description], ['Never live', 'No sessions found']);
      assert.deepEqual(ids(fixture).slice(2), ['Sessions', ...newer.sessions, ...older.sessions]);
      assert.equal(fixture.ui.seen.said.at(-1)?.message, 'Never live: No sessions found');
    }),
  );

  it(
    'begins with what can be clipped if the stream that is selected has no sessions',
    withCommands({ demo: NO_DATA }, async (fixture) => {
      const { newer, older } = await withRecordings(fixture);
      const { id } = fixture.service.control.addStream({ name: 'Never live' });
      await fixture.context.loader.refresh();
      select(fixture, streamNode('idle', id));
      await fixture.run('createClip');
      assert.deepEqual(ids(fixture), [...newer.sessions, ...older.sessions]);
    }),
  );
});
