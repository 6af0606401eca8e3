import assert from 'node:assert/strict';
import type { PickOptions } from '../../../src/services.ts';
import { withCommands } from './fixture.ts';

describe('Insert Webhook Handler', () => {
  it('asks for the framework, with those of the package first, and previews the handler', async () => {
    const shown: string[] = [];
    const ui = {
      async pick<T>({ items, title, placeholder, onDidHighlight }: PickOptions<T>) {
        if (typeof items === 'function') return undefined;
        shown.push(title, placeholder ?? '', ...items.map(({ label, description }) => `${label}: ${description}`));
        onDidHighlight?.(items[0]?.value);
        return items[0]?.value;
      },
    };
    const manifests = { 'package.json': '{"dependencies":{"hono":"4.13.19"}}', 'requirements.txt': 'flask' };
    const given = { languageId: 'typescript', isConnected: false, manifests, ui };
    await withCommands(given, async ({ run, inserted, previewed }) => {
      await run('insertWebhookHandler');
      assert.deepEqual(shown.slice(0, 2), ['Insert Webhook Handler (TypeScript)', 'Select a framework']);
      assert.match(shown[2] ?? '', /^Hono: \d\d lines$/);
      assert.deepEqual(
        shown.slice(3).map((row) => row.replace(/:.*/, '')),
        ['Express', 'Next.js', 'Fastify'],
      );
      assert.equal(inserted.length, 1);
      assert.deepEqual(
        previewed.map((text) => text.trim()),
        [inserted[0]?.trim(), 'closed'],
      );
      assert.match(inserted[0] ?? '', /^import \{ Hono \} from 'hono';\n/);
    })();
    shown.length = 0;
    await withCommands({ ...given, languageId: 'python' }, async ({ run }) => {
      await run('insertWebhookHandler');
      assert.match(shown[2] ?? '', /^Flask: /);
    })();
  });

  it('asks nothing where there is one framework, or it is given', async () => {
    await withCommands({ languageId: 'go' }, async ({ run, inserted, previewed }) => {
      await run('insertWebhookHandler');
      assert.match(inserted[0] ?? '', /^package main\n/);
      assert.deepEqual(previewed, []);
    })();
    await withCommands({ languageId: 'javascript' }, async ({ run, inserted, ui }) => {
      await run('insertWebhookHandler', { framework: 'fastify' });
      assert.match(inserted[0] ?? '', /const app = Fastify\(\);[\s\S]*\S\n$/, 'ends its file with a line break');
      assert.deepEqual(ui.seen.flashes, ["Set LIVEPEER_WEBHOOK_SECRET to the webhook's secret"]);
      await run('insertWebhookHandler', { framework: 'flask' });
      assert.deepEqual(ui.seen.messages, [
        "This framework isn't available here. Use one of these: express, next, fastify, hono.",
      ]);
      assert.equal(inserted.length, 1);
    })();
  });

  it('stands once, at the first cursor', async () => {
    const text = 'package a\n\n|\n\nvar b = 1\n|\n';
    await withCommands({ languageId: 'go', text }, async ({ run, inserted }) => {
      await run('insertWebhookHandler');
      assert.equal(inserted[0]?.match(/func handleWebhook/g)?.length, 1);
      assert.match(inserted[0] ?? '', /\n\}\n\nvar b = 1\n\n$/);
    })();
  });

  it('opens a new file in a language that has one if there is no editor', async () => {
    await withCommands({ answers: { picks: ['Python', 'FastAPI'] } }, async ({ run, ui }) => {
      await run('insertWebhookHandler');
      assert.deepEqual(
        ui.seen.picks[0]?.items.map(({ label }) => label),
        ['JavaScript', 'TypeScript', 'Python', 'Go'],
      );
      const [{ text, languageId } = assert.fail()] = ui.seen.edited;
      assert.equal(languageId, 'python');
      assert.match(text, /^\S[\s\S]*fastapi[\s\S]*\S\n$/i);
    })();
  });

  it('says where there is none, or none fits', async () => {
    const language =
      "Webhook handlers aren't available for this language. Open a JavaScript, TypeScript, Python, or Go file.";
    const cases = [
      [{ languageId: 'swift' }, language],
      [{ languageId: 'html', text: '<script>\n|\n</script>' }, language],
      [
        { languageId: 'typescript', text: 'const a = `|`;' },
        'The cursor is inside a string. Move it to where the handler belongs.',
      ],
      [{ languageId: 'go', isReadOnly: true }, "Couldn't edit the file. It may be read-only."],
    ] as const;
    for (const [options, sentence] of cases) {
      await withCommands(options, async ({ run, ui, inserted }) => {
        await run('insertWebhookHandler');
        assert.deepEqual(ui.seen.messages, [sentence]);
        assert.deepEqual(inserted, []);
      })();
    }
  });
});

describe('Insert Token Signing Code', () => {
  it('inserts the function for the library of the package, or the one that is given', async () => {
    const manifests = { 'package.json': '{"dependencies":{"jsonwebtoken":"9.0.3"}}' };
    const ui = {
      async pick<T>({ items, title }: PickOptions<T>) {
        assert.equal(title, 'Insert Token Signing Code (TypeScript)');
        return typeof items === 'function' ? undefined : items[0]?.value;
      },
    };
    await withCommands({ languageId: 'typescript', isConnected: false, manifests, ui }, async ({ run, inserted }) => {
      await run('insertTokenSigner');
      assert.match(inserted[0] ?? '', /^import jwt from 'jsonwebtoken';\n\n\/\/ Returns a token/);
    })();
    await withCommands({ languageId: 'javascript' }, async ({ run, inserted, ui }) => {
      await run('insertTokenSigner', { library: 'jose' });
      assert.match(inserted[0] ?? '', /^import \{ importPKCS8, SignJWT \} from 'jose';\n/);
      await run('insertTokenSigner', { library: 'pyjwt' });
      assert.deepEqual(ui.seen.messages, ["This library isn't available here. Use one of these: jose, jsonwebtoken."]);
    })();
  });

  it('says where there is none', async () => {
    await withCommands({ languageId: 'html', text: '<script>\n|\n</script>' }, async ({ run, ui, inserted }) => {
      await run('insertTokenSigner');
      assert.match(ui.seen.said[0]?.message ?? '', /^Token signing code isn't available for this language\./);
      assert.deepEqual(inserted, []);
    })();
  });
});
