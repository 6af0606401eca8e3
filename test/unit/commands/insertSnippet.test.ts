import assert from 'node:assert/strict';
import { withCommands } from './fixture.ts';

describe('Insert Code Snippet', () => {
  it('asks for the form, and inserts it', async () => {
    const answers = { picks: ['HLS URL'] };
    await withCommands({ languageId: 'python', answers }, async ({ run, service, inserted, ui }) => {
      const [stream] = service.control.streams();
      await run('insertSnippet', stream?.id);
      assert.equal(inserted.length, 1);
      assert.match(
        inserted[0] ?? '',
        new RegExp(`^'http://127\\.0\\.0\\.1:\\d+/hls/${stream?.playbackId}/index\\.m3u8'$`),
      );
      assert.deepEqual(ui.seen.said, []);
    });
  });

  it('takes the form as an argument, and names the forms where there is no such', async () => {
    await withCommands({ languageId: 'json' }, async ({ run, service, inserted, ui }) => {
      const [stream] = service.control.streams();
      await run('insertSnippet', { id: stream?.id, form: 'playbackId' });
      assert.deepEqual(inserted, [JSON.stringify(stream?.playbackId)]);
      await run('insertSnippet', { id: stream?.id, form: 'video' });
      assert.match(
        ui.seen.said[0]?.message ?? '',
        /isn't available here\. Use one of these: json, hlsUrl, playbackId, id, link\.$/,
      );
    });
  });

  it('needs an editor', async () => {
    await withCommands({}, async ({ run, service, ui }) => {
      await run('insertSnippet', service.control.streams()[0]?.id);
      assert.deepEqual(
        ui.seen.said.map(({ message }) => message),
        ['Open a file in an editor first.'],
      );
    });
  });

  it('holds no key in any form of any language', async () => {
    const languages = ['html', 'typescript', 'typescriptreact', 'shellscript', 'dotenv', 'yaml', 'plaintext'];
    for (const languageId of languages) {
      await withCommands({ languageId }, async ({ run, service, inserted, ui }) => {
        const [stream] = service.control.streams();
        await run('insertSnippet', stream?.id);
        const forms = ui.seen.picks.flatMap(({ items }) => items.map(({ label }) => label));
        assert.ok(forms.length >= 4);
        for (const form of forms) {
          ui.answers.picks.push(form);
          await run('insertSnippet', stream?.id);
        }
        assert.equal(inserted.length, forms.length);
        const all = inserted.join('\n');
        for (const key of [service.apiKey, ...service.control.streams().map(({ streamKey }) => streamKey)]) {
          assert.ok(key === undefined || !all.includes(key), languageId);
        }
      });
    }
  });
});
