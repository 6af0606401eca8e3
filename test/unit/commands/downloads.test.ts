import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportInterruptedDownloads } from '../../../src/commands/notificationCommands.ts';
import type { DemoSession } from '../../../src/demo/demoState.ts';
import type { LeftDownload } from '../../../src/services.ts';
import { sampleRecording } from '../../support/demo/sampleRecording.ts';
import { CLIENTS, describeWith } from '../../support/service/clients.ts';
import { until } from '../api/support.ts';
import { type Fixture, type FixtureOptions, withCommands } from './fixture.ts';

const MP4 = await sampleRecording();

/** A recorded session with its media at the demo itself. */
function addRecording({ service }: Fixture, fields: Partial<DemoSession> = {}): DemoSession {
  const stream = service.control.streams().find((each) => !each.isActive && each.parentId === undefined);
  assert.ok(stream);
  service.control.setStream(stream.id, { name: 'Key/note' });
  const session = service.control.addSession(stream.id, {
    record: true,
    createdAt: Date.UTC(2026, 10, 20, 9, 5),
    ...fields,
  });
  const media = new URL(`/recordings/${session.id}/`, service.baseUrl).href;
  const addresses = { recordingUrl: `${media}index.m3u8`, mp4Url: `${media}source.mp4` };
  service.control.setSession(session.id, { recordingStatus: 'ready', ...addresses, ...fields });
  return { ...session, ...addresses, ...fields };
}

function withFolder(options: FixtureOptions, test: (fixture: Fixture, folder: string) => Promise<void>) {
  return withCommands(options, async (fixture) => {
    const folder = mkdtempSync(join(tmpdir(), 'live-streams-command-'));
    try {
      await test(fixture, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

const lastSaid = ({ ui }: Fixture) => ui.seen.said.at(-1);

describeWith(CLIENTS, 'downloading an MP4', (client) => {
  it(
    'asks where to with a sensible name, writes the file there, and offers to show it',
    withFolder({ client, answers: { presses: ['Open Containing Folder', 'Open'] } }, async (fixture, folder) => {
      const { id, parentId } = addRecording(fixture);
      await fixture.context.connection.account.readStream(parentId, { settle: true });
      for (const name of ['1.mp4', '2.mp4']) {
        const target = join(folder, name);
        fixture.ui.answers.targets.push(target);
        await fixture.run('downloadMp4', id);
        assert.ok(readFileSync(target).equals(MP4));
        assert.deepEqual(lastSaid(fixture)?.actions, ['Open Containing Folder', 'Open']);
        assert.match(lastSaid(fixture)?.message ?? '', new RegExp(`^Downloaded "${name}" \\([\\d.]+ kB\\)$`));
      }
      assert.deepEqual(fixture.steps, ['watch', 'watch'], 'of the walkthrough');
      assert.deepEqual(fixture.ui.seen.saveQuestions[0], {
        fileName: 'Key-note 2026-11-20 09-05.mp4',
        filters: { Video: ['mp4'] },
      });
      assert.deepEqual(fixture.ui.seen.revealedFiles, [join(folder, '1.mp4')]);
      assert.deepEqual(fixture.ui.seen.openedFiles, [join(folder, '2.mp4')]);
      assert.deepEqual(readdirSync(folder).sort(), ['1.mp4', '2.mp4']);
    }),
  );

  it(
    'replaces a file that the dialog has asked about, and none that came after it',
    withFolder({ client }, async (fixture, folder) => {
      const { id } = addRecording(fixture);
      const target = join(folder, 'a.mp4');
      writeFileSync(target, 'asked about');
      fixture.ui.answers.targets.push(target);
      await fixture.run('downloadMp4', id);
      assert.ok(readFileSync(target).equals(MP4));
      const other = join(folder, 'b.mp4');
      fixture.ui.answers.targets.push(other);
      fixture.service.control.fault(({ path }) => {
        if (path.includes('source.mp4')) writeFileSync(other, 'of another window');
        return undefined;
      });
      await fixture.run('downloadMp4', id);
      assert.equal(readFileSync(other, 'utf8'), 'of another window');
      assert.match(lastSaid(fixture)?.message ?? '', /".+" already exists and wasn't replaced\./);
      assert.deepEqual(readdirSync(folder).sort(), ['a.mp4', 'b.mp4']);
    }),
  );

  it(
    'does nothing when the dialog is left',
    withFolder({ client }, async (fixture) => {
      const { id } = addRecording(fixture);
      await fixture.run('downloadMp4', id);
      assert.equal(fixture.ui.seen.saveQuestions.length, 1);
      assert.deepEqual(fixture.ui.seen.said, []);
      assert.ok(!fixture.requests().some((each) => each.includes('source.mp4')));
    }),
  );

  it(
    'sends the key to nobody, and takes the address to the letter',
    withFolder({ client }, async (fixture, folder) => {
      const { id } = addRecording(fixture);
      await fixture.run('downloadMp4', { id, target: join(folder, 'a.mp4') });
      const media = fixture.service.control.requests.filter(({ path }) => path.includes('source.mp4'));
      assert.equal(media.length, 1);
      assert.ok(!JSON.stringify(media).includes(fixture.service.apiKey));
      assert.ok(!fixture.readable().includes(fixture.service.apiKey));
    }),
  );

  it(
    'writes to the file it was given without asking, and over one that is there only when told to',
    withFolder({ client }, async (fixture, folder) => {
      const { id } = addRecording(fixture);
      const target = join(folder, 'a.mp4');
      writeFileSync(target, 'mine');
      await fixture.run('downloadMp4', { id, target });
      assert.equal(readFileSync(target, 'utf8'), 'mine');
      assert.match(lastSaid(fixture)?.message ?? '', /".+" already exists and wasn't replaced\./);
      await fixture.run('downloadMp4', { id, target, overwrite: true });
      assert.ok(readFileSync(target).equals(MP4));
      assert.equal(fixture.ui.seen.saveQuestions.length, 0);
    }),
  );

  it(
    'takes no file that is not told in full',
    withFolder({ client }, async (fixture) => {
      const { id } = addRecording(fixture);
      for (const target of ['', 'a.mp4', './a.mp4', '/tmp/', '/tmp/a\0.mp4', 5, {}]) {
        await fixture.run('downloadMp4', { id, target });
        assert.match(lastSaid(fixture)?.message ?? '', /Specify an absolute path for the file\./, String(target));
      }
      assert.deepEqual(fixture.requests(), []);
    }),
  );

  it(
    'asks for the recorded sessions before it says that there is no MP4',
    withFolder({ client, demo: { face: 'strict' } }, async (fixture, folder) => {
      const recorded = addRecording(fixture);
      const streamId = recorded.parentId;
      await fixture.context.loader.ensureSessions(streamId);
      const row = (sessionId: string) => ({ kind: 'session', id: 'r', list: 'idle', streamId, sessionId });
      fixture.ui.answers.targets.push(join(folder, 'a.mp4'));
      fixture.service.control.clearRequests();
      await fixture.run('downloadMp4', row(recorded.id));
      assert.deepEqual(fixture.requests(), [
        `GET /api/stream/${streamId}/sessions?record=1`,
        `GET /recordings/${recorded.id}/source.mp4`,
      ]);
      const { id } = fixture.service.control.addSession(streamId, { record: false });
      await fixture.run('downloadMp4', id);
      assert.match(lastSaid(fixture)?.message ?? '', /wasn't recorded/);
    }),
  );

  it(
    'does not fetch an address that is not to be opened',
    withFolder({ client }, async (fixture, folder) => {
      for (const mp4Url of ['file:///etc/passwd', '/r/source.mp4', 'ftp://a.example/x.mp4']) {
        const { id } = addRecording(fixture, { mp4Url });
        await fixture.run('downloadMp4', { id, target: join(folder, 'a.mp4') });
        assert.match(lastSaid(fixture)?.message ?? '', /wasn't opened/);
      }
      assert.deepEqual(readdirSync(folder), []);
    }),
  );

  it(
    'says why it failed, and tries again into the same file',
    withFolder({ client, answers: { presses: ['Retry'] } }, async (fixture, folder) => {
      const { id } = addRecording(fixture);
      const target = join(folder, 'a.mp4');
      fixture.ui.answers.targets.push(target);
      let failures = 0;
      fixture.service.control.fault(({ path }) => {
        if (!path.endsWith('source.mp4') || failures > 0) return undefined;
        failures += 1;
        return { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Sign in' };
      });
      await fixture.run('downloadMp4', id);
      await until(() => existsSync(target));
      assert.ok(readFileSync(target).equals(MP4));
      assert.match(fixture.ui.seen.said[0]?.message ?? '', /^127\.0\.0\.1:\d+ didn't return a video/);
      assert.equal(fixture.ui.seen.saveQuestions.length, 1);
    }),
  );

  it(
    'tries the address that the service gives by then, where the first one is refused',
    withFolder({ client, answers: { presses: ['Retry', 'Retry'] } }, async (fixture, folder) => {
      const recorded = addRecording(fixture);
      for (const status of [403, 404]) {
        const target = join(folder, `${status}.mp4`);
        const signed = (signature: string) => `${recorded.mp4Url}?Signature=${signature}`;
        fixture.service.control.setSession(recorded.id, { mp4Url: signed(`old-${status}`) });
        fixture.service.control.fault(({ path, query }) => {
          if (!path.endsWith('source.mp4') || query.includes('new')) return undefined;
          fixture.service.control.setSession(recorded.id, { mp4Url: signed(`new-${status}`) });
          return { status };
        });
        await fixture.run('downloadMp4', { id: recorded.id, target });
        await until(() => existsSync(target));
        assert.ok(readFileSync(target).equals(MP4));
      }
      assert.doesNotMatch(fixture.readable(), /Signature/);
    }),
  );

  it(
    'offers to replace an existing file',
    withFolder({ client, answers: { presses: ['Replace'] } }, async (fixture, folder) => {
      const { id } = addRecording(fixture);
      const target = join(folder, 'a.mp4');
      writeFileSync(target, 'mine');
      await fixture.run('downloadMp4', { id, target });
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Replace']);
      await until(() => readFileSync(target).equals(MP4));
    }),
  );

  it(
    'shows an entry of its own for each of several, and says where they land when there are two machines',
    withFolder({ client, machine: 'far (ssh-remote)' }, async (fixture, folder) => {
      const titles: string[] = [];
      const { progress } = fixture.ui;
      Object.assign(fixture.ui, {
        progress: (title: string, task: Parameters<typeof progress>[1]) => {
          titles.push(title);
          return progress(title, task);
        },
      });
      const ids = [1, 2, 3].map(() => addRecording(fixture).id);
      await Promise.all(ids.map((id) => fixture.run('downloadMp4', { id, target: join(folder, `${id}.mp4`) })));
      assert.deepEqual(titles.sort(), ids.map((id) => `Downloading "${id}.mp4" to far (ssh-remote)`).sort());
      assert.ok(lastSaid(fixture)?.message.endsWith(`to ${folder} on far (ssh-remote)`));
      assert.equal(readdirSync(folder).length, 3);
    }),
  );

  it(
    'leaves nothing and says nothing when it is cancelled',
    withFolder(
      {
        ui: {
          progress: (_, task) => {
            const cancelling = new AbortController();
            return task(() => cancelling.abort(), cancelling.signal);
          },
        },
      },
      async (fixture, folder) => {
        const { id } = addRecording(fixture);
        await fixture.run('downloadMp4', { id, target: join(folder, 'a.mp4') });
        assert.deepEqual(readdirSync(folder), []);
        assert.deepEqual(fixture.ui.seen.said, []);
      },
    ),
  );
});

describe('downloads that a killed editor left', () => {
  const left = (fixture: Fixture, target: string, session: DemoSession): LeftDownload => {
    const { id = '', name = '' } = fixture.context.connection.info ?? {};
    const note = { connection: { id, name }, sessionId: session.id, streamId: session.parentId };
    return { target, note };
  };

  it(
    'are told in one message, and nothing is said where there are none',
    withFolder({}, async (fixture, folder) => {
      const session = addRecording(fixture);
      await reportInterruptedDownloads(fixture.context, []);
      assert.deepEqual(fixture.ui.seen.said, []);
      const all = ['1.mp4', '2.mp4'].map((name) => left(fixture, join(folder, name), session));
      await reportInterruptedDownloads(fixture.context, all.slice(0, 1));
      await reportInterruptedDownloads(fixture.context, all);
      assert.deepEqual(fixture.ui.seen.messages, [
        'The download of "1.mp4" was interrupted when VS Code closed.',
        '2 downloads were interrupted when VS Code closed: "1.mp4", "2.mp4".',
      ]);
      assert.deepEqual(readdirSync(folder), []);
    }),
  );

  it(
    'begin again into the same file when that is wished, and never replace what is there by now',
    withFolder({ answers: { presses: ['Resume Download', 'Resume Download'] } }, async (fixture, folder) => {
      const session = addRecording(fixture);
      const target = join(folder, 'a.mp4');
      await reportInterruptedDownloads(fixture.context, [left(fixture, target, session)]);
      assert.ok(readFileSync(target).equals(MP4));
      writeFileSync(target, 'mine');
      await reportInterruptedDownloads(fixture.context, [left(fixture, target, session)]);
      assert.equal(readFileSync(target, 'utf8'), 'mine');
      assert.match(lastSaid(fixture)?.message ?? '', /".+" already exists and wasn't replaced\./);
    }),
  );

  it(
    'begin again at their own connection alone',
    withFolder({ answers: { presses: ['Resume Download', 'Resume Download'] } }, async (fixture, folder) => {
      const own = left(fixture, join(folder, 'a.mp4'), addRecording(fixture));
      const of = (id: string, name: string) => ({ ...own, note: { ...own.note, connection: { id, name } } });
      await reportInterruptedDownloads(fixture.context, [of('other', 'Staging')]);
      assert.match(lastSaid(fixture)?.message ?? '', /"Staging", which isn't the current connection/);
      await reportInterruptedDownloads(fixture.context, [of('demo', 'Demo')]);
      assert.match(lastSaid(fixture)?.message ?? '', /This item is from the demo, which isn't running\./);
      assert.deepEqual(readdirSync(folder), []);
    }),
  );
});
