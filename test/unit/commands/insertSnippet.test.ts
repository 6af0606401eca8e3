import assert from 'node:assert/strict';
import { languageName } from '../../../src/code/snippets/languageNames.ts';
import type { PickOptions } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { withCommands } from './fixture.ts';

describe('Insert Code Snippet', () => {
  it('asks for the form of a snippet, and inserts the snippet', async () => {
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
    })();
  });

  it('says that viewers of a private stream need a token, and offers code that signs them', async () => {
    await withCommands({ languageId: 'python' }, async ({ run, service, inserted, ui }) => {
      const { id } = service.control.addStream({ name: 'Board', playbackPolicy: { type: 'jwt' } });
      await run('insertSnippet', { id, form: 'playbackId' });
      assert.equal(ui.seen.said.length, 0, 'an ID plays nothing');
      await run('insertSnippet', { id, form: 'hlsUrl' });
      assert.equal(inserted.length, 2);
      const [said] = ui.seen.said;
      assert.equal(
        said?.message,
        'Only viewers with a token can watch "Board". Have your server sign a token, and add it to the URL.',
      );
      assert.deepEqual(said?.actions, ['Insert Token Signing Code']);
    })();
  });

  it('says so in the list of forms, too, where a form plays the stream', async () => {
    await withCommands({ languageId: 'html', answers: { picks: ['HLS URL'] } }, async ({ run, service, ui }) => {
      const { id } = service.control.addStream({ name: 'Board', playbackPolicy: { type: 'jwt' } });
      await run('insertSnippet', id);
      const rows = ui.seen.picks[0]?.items ?? [];
      const marked = rows.filter(({ description = '' }) => description.endsWith(' · needs a token'));
      assert.deepEqual(fieldsOf(marked, 'label'), ['Video with hls.js', 'Player in an iframe', 'HLS URL']);
    })();
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
    })();
  });

  it('previews the code of the form that the person is at, and closes the preview', async () => {
    const shown: string[] = [];
    const titles: string[] = [];
    const ui = {
      async pick<T>({ items, title, placeholder, onDidHighlight }: PickOptions<T>) {
        if (typeof items === 'function') return undefined;
        titles.push(title ?? '');
        shown.push(placeholder ?? '', ...items.map(({ label, description }) => `${label}: ${description}`));
        for (const { value } of items.slice(0, 2)) onDidHighlight?.(value);
        onDidHighlight?.(undefined);
        return undefined;
      },
    };
    await withCommands({ languageId: 'typescript', ui }, async ({ run, service, inserted, previewed }) => {
      const [one, two] = service.control.streams();
      await run('insertSnippet', one?.id);
      assert.deepEqual(titles.splice(0), [`Insert Code Snippet for "${one?.name}" (TypeScript)`]);
      assert.deepEqual(inserted, []);
      const [first = '', second = '', ...rest] = previewed.map((text) => text.trim());
      assert.match(previewed[0] ?? '', /^\n{5,}import/, 'below the picker');
      assert.match(first, /^import Hls from 'hls\.js';\n\nconst video/);
      assert.match(second, /^async function getStream\(\) \{/);
      assert.deepEqual(rest, ['closed']);
      assert.deepEqual(shown.slice(0, 3), [
        'Select what to insert',
        'Playback with hls.js: 11 lines',
        'Get the stream from the API: 7 lines',
      ]);
      const rows = [one, two].map((each) => ({ kind: 'stream', id: `x/${each?.id}`, streamId: each?.id }));
      await run('insertSnippet', rows[0], rows);
      assert.deepEqual(titles, [`Insert Code Snippet for "${one?.name}", "${two?.name}" (TypeScript)`]);
    })();
    shown.length = 0;
    await withCommands({ languageId: 'plaintext', ui }, async ({ run, service, previewed }) => {
      await run('insertSnippet', service.control.streams()[0]?.id);
      assert.equal(shown[0], 'In this language, you can insert only a URL or an ID');
      assert.deepEqual(previewed, []);
    })();
  });

  it('says that only values fit into a string, and inserts one', async () => {
    const given = { languageId: 'go', text: 'package a\n\nconst a = "|"\n', answers: { picks: ['Playback ID'] } };
    await withCommands(given, async ({ run, service, inserted, ui }) => {
      const [stream] = service.control.streams();
      await run('insertSnippet', stream?.id);
      assert.deepEqual(inserted, [`package a\n\nconst a = "${stream?.playbackId}"\n`]);
      assert.equal(ui.seen.picks[0]?.placeholder, 'Inside a string, you can insert only a URL or an ID');
    })();
  });

  it('says that a file can’t be edited', async () => {
    await withCommands({ languageId: 'json', isReadOnly: true }, async ({ run, service, ui }) => {
      await run('insertSnippet', { id: service.control.streams()[0]?.id, form: 'id' });
      assert.deepEqual(ui.seen.messages, ["Couldn't edit the file. It may be read-only."]);
    })();
  });

  it('opens a new file in a language that is picked if there is no editor', async () => {
    for (const [language, form] of [
      ['Python', 'Get the stream from the API'],
      ['TypeScript JSX', 'Component with hls.js'],
      ['Go', 'Get the stream from the API'],
    ] as const) {
      await withCommands({ answers: { picks: [language, form] } }, async ({ run, service, ui }) => {
        await run('insertSnippet', service.control.streams()[0]?.id);
        const [{ text, languageId } = assert.fail()] = ui.seen.edited;
        assert.match(text, /^\S[\s\S]{20,}$/);
        assert.equal(languageName(languageId ?? ''), language);
        assert.equal(/^\t/m.test(text), language === 'Go');
        assert.deepEqual(ui.seen.messages, []);
      })();
    }
    await withCommands({ answers: { picks: ['Python'] } }, async ({ run, service, ui }) => {
      await run('insertSnippet', service.control.streams()[0]?.id);
      assert.deepEqual(ui.seen.edited, [], 'dismissed');
    })();
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
      })();
    }
  });
});
