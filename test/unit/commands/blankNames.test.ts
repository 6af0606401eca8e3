import assert from 'node:assert/strict';
import { sessionDetails } from '../../../src/panels/shownDetails.ts';
import { streamDetails } from '../../../src/panels/streamDetails.ts';
import { safeFileName } from '../../../src/texts/downloads.ts';
import { aFact, aSession, aSnapshot, aStream, NOW } from '../../support/model/builders.ts';
import { withCommands } from './fixture.ts';

const BLANK = { spaces: '  \u2003', 'zero-width characters': '\u200b\u2060', fillers: '\u00ad\u2800\u3164' };

for (const [what, name] of Object.entries(BLANK)) {
  describe(`A stream whose name is ${what} alone`, () => {
    const reader = { now: NOW, locale: 'en', timeZone: 'UTC' };

    it(
      'is named by its id in pickers, questions and messages',
      withCommands({}, async (fixture) => {
        const { run, ui, service, context } = fixture;
        const { id } = service.control.addStream({ name });
        service.control.startBroadcast(id);
        await context.loader.refreshActive();
        await run('copyStreamKey');
        assert.ok(ui.seen.picks[0]?.items.some(({ label }) => label === id));
        await run('copyPlaybackId', id);
        assert.deepEqual(ui.seen.flashes, [`Copied the playback ID for "${id}"`]);
        await run('deleteStream', id);
        assert.match(ui.seen.questions[0]?.message ?? '', new RegExp(id));
        await run('goToLiveStream');
        assert.ok(ui.seen.picks.at(-1)?.items.some(({ label }) => label === id));
      }),
    );

    it(
      'is named by its id where a session is picked',
      withCommands({ demo: { streamCount: 0 } }, async ({ run, ui, service }) => {
        const { id } = service.control.addStream({ name });
        service.control.addSession(id, {
          record: true,
          recordingStatus: 'ready',
          recordingUrl: 'http://127.0.0.1/x.m3u8',
        });
        await run('copyRecordingUrl');
        assert.equal(ui.seen.picks[0]?.items[0]?.label, id);
      }),
    );

    it('is named by its id on the pages of it and of its sessions', () => {
      const stream = aStream({ id: 's1', name });
      const context = { snapshot: aSnapshot({ streams: [stream] }), reader, templates: {}, host: 'h' };
      assert.equal(streamDetails(aFact(stream), context).title, 's1');
      const known = aSession({ id: 'x1', parentId: 's1' });
      const told = aSession({ id: 'x2', parentId: 's2', parentName: name });
      assert.match(sessionDetails(known, context).title, /^s1 · /);
      assert.match(sessionDetails(told, context).title, /^s2 · /);
    });

    it('gives no name to a file, a connection or a stream', async () => {
      assert.equal(safeFileName(name, 'fallback', '.json'), 'fallback.json');
      await withCommands(
        { demo: { account: { projects: [name] } } },
        async ({ run, ui, service, context, requests }) => {
          const { baseUrl, apiKey } = service;
          await context.connections.update(context.connection.info?.id ?? '', { apiKey: 'old' });
          await run('addConnection', { baseUrl, apiKey });
          assert.equal(context.connection.info?.name, new URL(baseUrl).host);
          ui.answers.inputs.push(name, 'Second');
          await run('renameConnection', 'Production');
          assert.deepEqual(ui.seen.corrections, ['Enter a name.']);
          await run('createStream', { name, record: false });
          assert.ok(!requests().some((request) => request.startsWith('POST')));
        },
      )();
    });
  });
}
