import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { signViewerToken } from '../../src/model/access/viewerToken.ts';
import { SECRETS_AWAITED_AFTER_MS } from '../../src/model/connection/secretWaits.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { mountSmallDisk } from '../support/files/smallDisk.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';
import { tornFiles } from './tornFiles.ts';

const API_PATH = '/api/stream';
/** Less than half a second on a machine with nothing else to do, and never as long as to the next look at the service. */
const SHOWN_WITHIN_MS = 5000;

describe('Keys in files', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, 'leaks');

  before(async () => {
    mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', folder]);
    writeFileSync(join(folder, 'package.json'), '{}\n');
    await setGit(true);
    const git = await vscode.extensions.getExtension('vscode.git')?.activate();
    const api = await eventually(() => git.getAPI(1));
    await eventually(async () => assert.ok(await api.openRepository(vscode.Uri.file(folder))));
  });
  after(async () => {
    await setGit(undefined);
    await setAutoSave(undefined);
    // Git may still run in the folder itself.
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it(
    'are an error that names the stream and holds no key, gone when the key goes',
    withProduct({}, async (product) => {
      const { streamKey, name } = streamWithKey(product);
      const document = await open('a.py', 'a = 1\n');
      await type(document, `url = 'rtmp://localhost/live/${streamKey}'\n`);
      const [mark] = await eventually(() => {
        const marks = marksOf(document);
        assert.equal(marks.length, 1);
        return marks;
      });
      assert.ok(mark);
      assert.equal(mark.severity, vscode.DiagnosticSeverity.Error);
      assert.equal(document.getText(mark.range), streamKey);
      assert.deepEqual([mark.source, mark.code], ['Live Streams', 'streamKey']);
      assert.ok(mark.message.includes(name), mark.message);
      assert.ok(!JSON.stringify(mark).includes(streamKey));
      await replaceAll(document, 'a = 1\n');
      await eventually(() => assert.deepEqual(marksOf(document), []));
    }),
  );

  it(
    'are marked right after they are typed, also if nothing is loaded yet',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const document = await open('a.ts', 'const a = 1;\n');
      const times = { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY };
      // The fastest of several and without what Git takes, because the machine may be busy with something else.
      for (let start = 0; start < 3; start += 1) {
        await product.restart();
        for (const time of ['first', 'later', 'later'] as const) {
          const took = await markedAfter(document, `const key = '${streamKey}';\n`);
          times[time] = Math.min(times[time], took - (await timeOfGit()));
          await replaceAll(document, 'const a = 1;\n');
          await eventually(() => assert.deepEqual(marksOf(document), []));
        }
      }
      assert.ok(times.first < SHOWN_WITHIN_MS && times.later < SHOWN_WITHIN_MS, JSON.stringify(times));
    }),
  );

  it(
    'are marked in texts that were open before',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const document = await open('open.ts', `const key = '${streamKey}';\n`);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      await product.restart();
      await eventually(() => assert.equal(marksOf(document).length, 1));
    }),
  );

  it(
    'are marked each by itself where several are pasted at several cursors',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const document = await open('cursors.ts', 'const a = ;\nconst b = ;\n');
      const editor = vscode.window.activeTextEditor ?? assert.fail('There is no editor');
      editor.selections = [0, 1].map((line) => new vscode.Selection(line, 10, line, 10));
      await vscode.commands.executeCommand('type', { text: `['${streamKey}', '${streamKey}']` });
      await eventually(() => assert.equal(marksOf(document).length, 4));
      for (const { range } of marksOf(document)) assert.equal(document.getText(range), streamKey);
    }),
  );

  it(
    'are marked in cells of notebooks, where moving them adds the import and makes git ignore .env',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const cell = {
        cell_type: 'code',
        execution_count: null,
        metadata: {},
        outputs: [],
        source: `key = '${streamKey}'`,
      };
      const file = join(folder, 'n.ipynb');
      const metadata = { language_info: { name: 'python' } };
      writeFileSync(file, JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 }));
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
      await vscode.window.showNotebookDocument(notebook);
      const { document } = notebook.cellAt(0);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      assert.equal(marksOf(document)[0]?.severity, vscode.DiagnosticSeverity.Error);
      await move(document, document.getText().indexOf(streamKey));
      await eventually(() => assert.equal(document.getText(), 'import os\n\nkey = os.environ["STREAM_KEY"]'));
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `STREAM_KEY=${streamKey}\n`);
      await eventually(() => {
        const { text = '' } = product.window.said.at(-1) ?? {};
        assert.match(text, /^Moved the key to .*\. Added \.env to leaks\/\.gitignore\./);
      });
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }),
  );

  it(
    'are marked in a commit message',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const git = vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1);
      const repository = git.getRepository(vscode.Uri.file(folder));
      repository.inputBox.value = `Use ${streamKey}`;
      try {
        await vscode.commands.executeCommand('workbench.view.scm');
        const document = await eventually(() => {
          const box = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'vscode-scm');
          return box ?? assert.fail('There is no box for commit messages');
        });
        await eventually(() => assert.equal(marksOf(document).length, 1));
        assert.equal(marksOf(document)[0]?.severity, vscode.DiagnosticSeverity.Error);
      } finally {
        repository.inputBox.value = '';
      }
    }),
  );

  it(
    'stay marked while another connection is open, and are gone with their stream or their connection',
    withProduct({ demo: { seed: 2, face: 'full' } }, async (product) => {
      const { id, streamKey } = streamWithKey(product);
      const { apiKey, baseUrl } = product.service;
      const document = await open('g.ts', `const keys = ['${streamKey}', '${apiKey}'];\n`);
      const codes = () => marksOf(document).map(({ code }) => code);
      await eventually(() => assert.deepEqual(codes(), ['streamKey', 'apiKey']));
      assert.match(marksOf(document)[1]?.message ?? '', /API key of the connection "Production"/);
      await product.run('startDemo');
      await eventually(() => assert.deepEqual(codes(), ['streamKey', 'apiKey']));
      await product.run('switchConnection', 'Production');
      product.window.presses.push('Delete');
      await product.run('deleteStream', id);
      await eventually(() => assert.deepEqual(codes(), ['apiKey']));
      product.window.presses.push('Remove');
      await product.run('removeConnection', 'Production');
      await eventually(() => assert.deepEqual(codes(), []));
      assert.ok(!product.window.readable().includes(apiKey), baseUrl);
    }),
  );

  it(
    'are found once the secret storage answers, however late',
    withProduct({}, async (product) => {
      const storage = Object.getPrototypeOf(product.context.secrets);
      const { get } = storage;
      const { promise: isUnlocked, resolve: unlock } = Promise.withResolvers<void>();
      const locked = replace(storage, 'get', async function (this: unknown, key: string) {
        await isUnlocked;
        return get.call(this, key);
      });
      try {
        await product.restart();
        const document = await open('late.ts', `const key = '${product.service.apiKey}';\n`);
        await new Promise((resolve) => setTimeout(resolve, SECRETS_AWAITED_AFTER_MS + 500));
        unlock();
        await eventually(() => assert.deepEqual(fieldsOf(marksOf(document), 'code'), ['apiKey']));
      } finally {
        unlock();
        locked.dispose();
      }
    }),
  );

  it(
    'have one line of text, whatever their stream is called',
    withProduct({}, async (product) => {
      const { id, streamKey } = streamWithKey(product);
      for (const name of ['](command:evil)', 'One\nand\u2028two', 'x'.repeat(10_000)]) {
        product.service.control.setStream(id, { name });
        await product.restart();
        const document = await open('h.ts', `const key = '${streamKey}';\n`);
        const { message } = await eventually(() => marksOf(document)[0] ?? assert.fail('Nothing is marked'));
        assert.match(message, /^Stream key of "[^\n\u2028]{1,101}"\. Anyone/);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      }
    }),
  );

  it(
    'leave no mark on a file that is closed or renamed while it is scanned',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const known = await open('i.ts', `const key = '${streamKey}';\n`);
      await eventually(() => assert.equal(marksOf(known).length, 1));
      // No language server reads plain text, which takes it long on a busy machine.
      const long = `${'const ordinary = "words of some length";\n'.repeat(100_000)}// ${streamKey}\n`;
      const file = vscode.Uri.file(join(folder, 'closed.txt'));
      const [opened, gone] = [
        nextOf(file, vscode.workspace.onDidOpenTextDocument),
        nextOf(file, vscode.workspace.onDidCloseTextDocument),
      ];
      writeFileSync(file.fsPath, long);
      // A document that an extension opened stays for minutes.
      await vscode.commands.executeCommand('vscode.openWith', file, 'default');
      const closed = await opened;
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      assert.deepEqual([closed.uri.fsPath, await gone], [file.fsPath, closed]);
      const renamed = await open('renamed.txt', long);
      const edit = new vscode.WorkspaceEdit();
      const moved = vscode.Uri.file(join(folder, 'moved.txt'));
      edit.renameFile(renamed.uri, moved);
      assert.ok(await vscode.workspace.applyEdit(edit));
      await eventually(() => assert.equal(marksOf({ uri: moved }).length, 1));
      assert.deepEqual(marksOf(renamed), []);
      assert.deepEqual(marksOf(closed), []);
    }),
  );

  it(
    'are ignored for good in a file that the settings of its folder exclude from then on, and in no other',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `key = "${streamKey}"\n`;
      const [kept, excluded] = [await open('kept.py', code), await open('[fixture].py', code)];
      await eventually(() =>
        assert.deepEqual(
          [kept, excluded].map((each) => marksOf(each).length),
          [1, 1],
        ),
      );
      const fixes = await fixesAt(excluded, code.indexOf(streamKey));
      const { command } = fixes.find(({ title }) => title === 'Always ignore in this file') ?? assert.fail();
      const value = () => vscode.workspace.getConfiguration('liveStreams', excluded.uri).inspect('leakGuardExclude');
      try {
        await vscode.commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []));
        assert.deepEqual(value()?.workspaceFolderValue, ['**/node_modules/**', 'leaks/?fixture?.py']);
        await eventually(() =>
          assert.deepEqual(
            [kept, excluded].map((each) => marksOf(each).length),
            [1, 0],
          ),
        );
      } finally {
        await vscode.workspace
          .getConfiguration('liveStreams', excluded.uri)
          .update('leakGuardExclude', undefined, vscode.ConfigurationTarget.WorkspaceFolder);
      }
    }),
  );

  it(
    'move to .env, which git ignores then; undo brings them back',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `url = "rtmp://localhost/live/${streamKey}"\n`;
      const document = await open('b.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const fixes = await fixesAt(document, code.indexOf(streamKey));
      assert.deepEqual(fieldsOf(fixes, 'title'), [
        'Move to .env',
        'Replace with a placeholder',
        'Show stream details',
        'Ignore in this file until the window reloads',
        'Always ignore in this file',
      ]);
      assert.equal(fixes[0]?.isPreferred, true);
      await move(document, code.indexOf(streamKey));
      await eventually(() => {
        const moved = 'import os\n\nurl = "rtmp://localhost/live/" + os.environ["STREAM_KEY"]\n';
        assert.equal(document.getText(), moved);
        assert.deepEqual(marksOf(document), []);
      });
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `STREAM_KEY=${streamKey}\n`);
      assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '.env\n');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), code);
      assert.ok(readFileSync(join(folder, '.env'), 'utf8').includes(streamKey));
      const env = await open('.env');
      await eventually(() => assert.equal(marksOf(document).length, 1));
      assert.deepEqual(marksOf(env), []);
    }),
  );

  it(
    'move to .env although Git is being asked again which files it ignores',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `url = "rtmp://localhost/live/${streamKey}"\n`;
      const document = await open('c.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const held = await holdGit(document.uri.fsPath, 'after');
      try {
        writeFileSync(join(folder, '.gitignore'), `${readIgnored()}\n`);
        await held.untilAsked();
        await move(document, code.indexOf(streamKey));
        await eventually(() => assert.match(document.getText(), /os\.environ\["STREAM_KEY/));
      } finally {
        held.dispose();
      }
    }),
  );

  it(
    'are not moved after they were edited away, and the person is told',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `key = "${streamKey}"\n`;
      const document = await open('gone.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const [fix] = await fixesAt(document, code.indexOf(streamKey));
      await replaceAll(document, 'key = ""\n');
      await eventually(() => assert.deepEqual(marksOf(document), []));
      const before = readIfThere('.env');
      await vscode.commands.executeCommand(fix?.command?.command ?? '', ...(fix?.command?.arguments ?? []));
      await eventually(() => assert.equal(product.window.said.pop()?.text, 'The key is no longer in this file.'));
      assert.equal(readIfThere('.env'), before);
    }),
  );

  it(
    'are saved to .env when they are private keys that were just created',
    withProduct({ demo: { face: 'full' } }, async (product) => {
      const own = join(folder, 'signing');
      mkdirSync(own);
      writeFileSync(join(own, 'package.json'), '{}\n');
      await open('signing/server.ts', 'export {};\n');
      product.window.presses.push('Save Private Key to .env');
      await product.run('createSigningKey', { name: 'Site' });
      const said =
        /^Saved the signing key "Site" in leaks\/signing\/\.env as LIVEPEER_PUBLIC_KEY and LIVEPEER_PRIVATE_KEY\./;
      await eventually(() => assert.match(product.window.said.at(-1)?.text ?? '', said));
      const [publicLine = '', privateLine = ''] = readFileSync(join(own, '.env'), 'utf8').split('\n');
      const [key] = product.service.control.signingKeys();
      assert.equal(publicLine, `LIVEPEER_PUBLIC_KEY=${key?.publicKey}`);
      const privateKey = privateLine.slice('LIVEPEER_PRIVATE_KEY='.length);
      assert.match(Buffer.from(privateKey, 'base64').toString(), /^-----BEGIN PRIVATE KEY-----\n/);
      assert.match(readIgnored(), /^\.env$/m);
      assert.ok(!product.window.readable().includes(privateKey));
    }),
  );

  it(
    'are private keys and valid tokens of this account, and of no other',
    withProduct({ demo: { face: 'full' } }, async (product) => {
      const { control } = product.service;
      const [own, gone] = [control.addSigningKey('Site'), control.addSigningKey('Gone')];
      control.deleteSigningKey(gone.id);
      const pem = atob(own.privateKey);
      const { playbackId = '' } = streamWithKey(product);
      const sign = (key: typeof own, now: number) =>
        signViewerToken({ ...key, privateKey: atob(key.privateKey) }, { playbackId, seconds: 60, now });
      const tokens = [
        await sign(own, Date.now()),
        await sign(own, Date.now() - 3_600_000),
        await sign(gone, Date.now()),
      ];
      const code = [
        `const key = "${own.privateKey}";`,
        `const pem = \`${pem}\`;`,
        `const other = "${gone.privateKey}";`,
        ...tokens.map((token) => `fetch("https://cdn.example/index.m3u8?jwt=${token}");`),
        '',
      ].join('\n');
      const document = await open('server.ts', code);
      const marks = await eventually(() => {
        assert.deepEqual(
          marksOf(document).map(({ code: kind }) => kind),
          ['privateKey', 'privateKey', 'token'],
        );
        return marksOf(document);
      });
      assert.deepEqual(
        marks.map(({ range }) => document.getText(range)),
        [own.privateKey, pem.trim(), tokens[0]],
      );
      const told = JSON.stringify([marks, product.window.readable()]);
      for (const secret of [own.privateKey, ...pem.trim().split('\n').slice(1, -1), ...tokens]) {
        assert.ok(!told.includes(secret));
      }
      assert.match(marks[0]?.message ?? '', /^Private key "Site"\. Anyone who can read this file can sign tokens/);
      assert.match(
        marks[2]?.message ?? '',
        /^Token for ".+"\. Anyone who can read this file can watch the stream until /,
      );
      assert.equal(product.requests().filter((line) => line.includes('/signing-key')).length, 1);
      const titles = async (mark: vscode.Diagnostic | undefined) =>
        (await fixesAt(document, document.offsetAt(mark?.range.start ?? assert.fail()))).map(({ title }) => title);
      const rest = [
        'Replace with a placeholder',
        'Delete the signing key…',
        'Ignore in this file until the window reloads',
      ];
      const always = 'Always ignore in this file';
      assert.deepEqual(await titles(marks[0]), ['Move to .env', ...rest, always]);
      for (const mark of marks.slice(1)) assert.deepEqual(await titles(mark), [...rest, always]);
      await move(document, document.offsetAt(marks[0]?.range.start ?? assert.fail()));
      await eventually(() => assert.match(document.getText(), /^const key = process\.env\.LIVEPEER_PRIVATE_KEY!;$/m));
      assert.match(readIfThere('.env'), new RegExp(`^LIVEPEER_PRIVATE_KEY=${own.privateKey}$`, 'm'));
      writeFileSync(join(folder, 'site.pem'), pem);
      const found = (await product.run('findLeakedKeys')) as { readonly leaks: number } | undefined;
      assert.ok(found !== undefined && found.leaks >= 3);
      assert.equal(marksOf({ uri: vscode.Uri.file(join(folder, 'site.pem')) })[0]?.code, 'privateKey');
    }),
  );

  it(
    'stay where they are if Git tracks the .env file',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const own = join(folder, 'trackedEnv');
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'package.json'), '{}\n');
      writeFileSync(join(own, '.env'), 'A=1\n');
      execFileSync('git', ['add', '-f', 'trackedEnv/.env'], { cwd: folder });
      const ignored = readIgnored();
      const code = `key = "${streamKey}"\n`;
      const document = await open('trackedEnv/t.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      await move(document, code.indexOf(streamKey));
      const said = /^Git doesn't ignore leaks\/trackedEnv\/\.env, so the key wasn't saved/;
      await eventually(() => assert.match(product.window.said.pop()?.text ?? '', said));
      assert.equal(document.getText(), code);
      assert.equal(readFileSync(join(own, '.env'), 'utf8'), 'A=1\n');
      assert.equal(readIgnored(), ignored);
    }),
  );

  it(
    'stay where they are if the .env file can’t be written',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `key = "${streamKey}"\n`;
      const kinds: Readonly<Record<string, readonly [make: (file: string) => void, said: RegExp]>> = {
        outside: [
          (file) => symlinkSync('/proc/version', file),
          /^leaks\/outside\/\.env points outside the folder through a symbolic link\. The key wasn't saved\.$/,
        ],
        tracked: [
          (file) => {
            mkdirSync(join(folder, 'config'));
            writeFileSync(join(folder, 'config/dev.env'), 'A=1\n');
            execFileSync('git', ['add', '-f', 'config/dev.env'], { cwd: folder });
            symlinkSync('../config/dev.env', file);
          },
          /^Git doesn't ignore .*tracked\/\.env, so the key wasn't saved/,
        ],
        fifo: [(file) => execFileSync('mkfifo', [file]), /fifo\/\.env isn't a regular file\. The key wasn't saved/],
        folder: [(file) => mkdirSync(file), /^.*folder\/\.env is a folder\. The key wasn't saved/],
        latin1: [(file) => writeFileSync(file, Buffer.from([0x41, 0x3d, 0xe4])), /isn't a UTF-8 file/],
        large: [(file) => writeFileSync(file, 'A=1\n'.repeat(1_400_000)), /is larger than 5 MB/],
      };
      for (const [kind, [make, said]] of Object.entries(kinds)) {
        const own = join(folder, kind);
        mkdirSync(own);
        writeFileSync(join(own, 'package.json'), '{}\n');
        make(join(own, '.env'));
        const ignored = readIgnored();
        const document = await open(`${kind}/k.py`, code);
        await eventually(() => assert.equal(marksOf(document).length, 1));
        await move(document, code.indexOf(streamKey));
        await eventually(() => assert.match(product.window.said.pop()?.text ?? '', said));
        assert.equal(document.getText(), code);
        assert.equal(readIgnored(), ignored);
      }
      assert.equal(readFileSync(join(folder, 'config/dev.env'), 'utf8'), 'A=1\n');
      rmSync(join(folder, 'large'), { recursive: true });
      assert.deepEqual(readFileSync(join(folder, 'latin1/.env')), Buffer.from([0x41, 0x3d, 0xe4]));
      assert.ok(!product.window.readable().includes(streamKey));
    }),
  );

  it(
    'stay where they are on a full disk, and move once there is room',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const disk = mountSmallDisk(40 * 4096, folder);
      try {
        const before = `A=${'x'.repeat(3 * 4096)}\n`;
        const code = `key = "${streamKey}"\n`;
        writeFileSync(join(disk.path, 'package.json'), '{}\n');
        writeFileSync(join(disk.path, '.env'), before);
        const document = await open(`${basename(disk.path)}/k.py`, code);
        disk.fill(0);
        const ignored = readIgnored();
        const names = readdirSync(disk.path);
        await eventually(() => assert.equal(marksOf(document).length, 1));
        await move(document, code.indexOf(streamKey));
        const said = /^Couldn't write to leaks\/live-streams-disk-\w+\/\.env\. The key wasn't saved\.$/;
        await eventually(() => assert.match(product.window.said.pop()?.text ?? '', said));
        assert.deepEqual([document.getText(), readIgnored(), readdirSync(disk.path)], [code, ignored, names]);
        assert.equal(readFileSync(join(disk.path, '.env'), 'utf8'), before);
        for (const name of names.filter((each) => each.startsWith('filler-'))) rmSync(join(disk.path, name));
        await move(document, code.indexOf(streamKey));
        await eventually(() => assert.match(document.getText(), /os\.environ/));
        assert.equal(readFileSync(join(disk.path, '.env'), 'utf8'), `${before}STREAM_KEY=${streamKey}\n`);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      } finally {
        disk.remove();
      }
    }),
  );

  it(
    'stay where they are if the .env file has unsaved changes, which are not lost',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const own = join(folder, 'unsaved');
      mkdirSync(own);
      writeFileSync(join(own, 'package.json'), '{}\n');
      await setAutoSave('off');
      const env = await open('unsaved/.env', 'A=1\n');
      await type(env, 'B=2\n');
      const code = `key = "${streamKey}"\n`;
      const document = await open('unsaved/k.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      await move(document, code.indexOf(streamKey));
      const said =
        /^leaks\/unsaved\/\.env has unsaved changes\. The key wasn't saved\. Save the file, and then try again\.$/;
      await eventually(() => assert.match(product.window.said.pop()?.text ?? '', said));
      assert.equal(document.getText(), code);
      assert.equal(readFileSync(env.uri.fsPath, 'utf8'), 'A=1\n');
      assert.ok(env.isDirty && env.getText().includes('B=2'));
      assert.ok(await env.save());
      await setAutoSave(undefined);
      await move(document, code.indexOf(streamKey));
      await eventually(() => assert.match(document.getText(), /os\.environ/));
      assert.equal(readFileSync(env.uri.fsPath, 'utf8'), `A=1\nB=2\nSTREAM_KEY=${streamKey}\n`);
    }),
  );

  it(
    'stay where they are if a file system writes only a part, whose old text is put back',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `key = "${streamKey}"\n`;
      const files = new Map([
        ['/a.py', code],
        ['/.env', 'A=1\n'],
      ]);
      const limits = { bytes: 8 };
      const provider = vscode.workspace.registerFileSystemProvider('vscode-vfs', tornFiles(files, limits));
      try {
        const uri = vscode.Uri.parse('vscode-vfs://torn/a.py');
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document, { preview: false });
        await eventually(() => assert.equal(marksOf(document).length, 1));
        await move(document, code.indexOf(streamKey));
        const said = /Couldn't write to .*\.env\. The key wasn't saved\.$/;
        await eventually(() => assert.match(product.window.said.pop()?.text ?? '', said));
        assert.deepEqual([document.getText(), files.get('/.env')], [code, 'A=1\n']);
        limits.bytes = 1000;
        await move(document, code.indexOf(streamKey));
        await eventually(() => assert.match(document.getText(), /os\.environ/));
        assert.equal(files.get('/.env'), `A=1\nSTREAM_KEY=${streamKey}\n`);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      } finally {
        provider.dispose();
      }
    }),
  );

  it(
    'are looked for at the service once, and only where a token may be one',
    withProduct({}, async (product) => {
      const document = await open(
        'c.ts',
        'const id = "0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11"; // this-that-have-some\n',
      );
      const before = lists(product).length;
      await type(document, 'a = "zzzz-yyyy-xxxx-www9"\n');
      await eventually(() => assert.ok(lists(product).length > before));
      const asked = lists(product).length;
      await type(document, 'b = "zzzz-yyyy-xxxx-www9"\n');
      const { streamKey } = streamWithKey(product);
      await type(document, `c = "${streamKey}"\n`);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      assert.equal(lists(product).length, asked);
    }),
  );

  it(
    'are found in all files of the folder',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      writeFileSync(join(folder, 'd.py'), `KEY = "${streamKey}"\n`);
      writeFileSync(join(folder, 'binary'), Buffer.from([0, ...Buffer.from(streamKey)]));
      writeFileSync(join(folder, 'line.txt'), `${streamKey} ${'x'.repeat(10 * 1024 * 1024)}`);
      writeFileSync(join(folder, 'dump.txt'), `${streamKey}\n`);
      truncateSync(join(folder, 'dump.txt'), 50 * 1024 * 1024);
      product.window.presses.push('Show Problems');
      const found = (await product.run('findLeakedKeys')) as { readonly leaks: number } | undefined;
      assert.ok(found !== undefined && found.leaks >= 1);
      assert.match(
        product.window.said.pop()?.text ?? '',
        /^Found .* leaked keys?\. Files over 5 MB were skipped: 2\.$/,
      );
      const marks = vscode.languages.getDiagnostics(vscode.Uri.file(join(folder, 'd.py')));
      assert.equal(marks.length, 1);
      assert.ok(!product.window.readable().includes(streamKey));
    }),
  );

  it(
    'are not looked for in files that lie outside of the folder or never end',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const own = join(folder, 'links');
      mkdirSync(own);
      const outside = join(tmpdir(), `live-streams-outside-${process.pid}`);
      writeFileSync(outside, `${streamKey}\n`);
      try {
        const linked = { notes: '/proc/self/pagemap', loop: 'loop', again: '.', zero: '/dev/zero', out: outside };
        for (const [name, target] of Object.entries(linked)) symlinkSync(target, join(own, `${name}.txt`));
        execFileSync('mkfifo', [join(own, 'fifo.txt')]);
        writeFileSync(join(own, 'inside.txt'), `${streamKey}\n`);
        const before = process.memoryUsage().rss;
        await product.run('findLeakedKeys');
        assert.ok(process.memoryUsage().rss - before < 256 * 1024 * 1024);
        const count = (name: string) => marksOf({ uri: vscode.Uri.file(join(own, name)) }).length;
        assert.deepEqual([count('out.txt'), count('inside.txt')], [0, 1]);
      } finally {
        rmSync(outside);
        rmSync(own, { recursive: true });
      }
    }),
  );

  it(
    'are not found in an open file that Git ignores since a moment ago',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const ignored = readIgnored();
      const document = await open('late.txt', `${streamKey}\n`);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      try {
        for (const line of ['late.txt', '', 'late.txt']) {
          writeFileSync(join(folder, '.gitignore'), `${ignored}${line}\n`);
          await product.run('findLeakedKeys');
          assert.equal(marksOf(document).length, line === '' ? 1 : 0);
        }
      } finally {
        writeFileSync(join(folder, '.gitignore'), ignored);
      }
    }),
  );

  it(
    'are marked by what Git said last, even if an earlier answer comes later',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const ignored = readIgnored();
      const document = await open('asked.txt', `${streamKey}\n`);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const held = await holdGit(document.uri.fsPath, 'before');
      try {
        writeFileSync(join(folder, '.gitignore'), `${ignored}# Nothing\n`);
        await held.untilAsked();
        held.askOnce();
        writeFileSync(join(folder, '.gitignore'), `${ignored}asked.txt\n`);
        await eventually(() => assert.deepEqual(marksOf(document), []));
        held.release();
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.deepEqual(marksOf(document), []);
      } finally {
        held.dispose();
        writeFileSync(join(folder, '.gitignore'), ignored);
      }
    }),
  );

  it(
    'are problems no more once another program deletes their file or its folder',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      mkdirSync(join(folder, 'gone/deep'), { recursive: true });
      const names = ['gone.txt', 'gone/deep/a.txt', 'stays.txt'];
      for (const name of names) writeFileSync(join(folder, name), `${streamKey}\n`);
      const counts = () => names.map((name) => marksOf({ uri: vscode.Uri.file(join(folder, name)) }).length);
      await product.run('findLeakedKeys');
      assert.deepEqual(counts(), [1, 1, 1]);
      rmSync(join(folder, 'gone.txt'));
      rmSync(join(folder, 'gone'), { recursive: true });
      await eventually(() => assert.deepEqual(counts(), [0, 0, 1]));
      rmSync(join(folder, 'stays.txt'));
    }),
  );

  it(
    'stay problems in files that were searched when another file is excluded, deleted, or renamed',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const names = ['excluded.txt', 'deleted.txt', 'renamed.txt', 'stays.txt'];
      const uris = names.map((name) => vscode.Uri.file(join(folder, name)));
      for (const { fsPath } of uris) writeFileSync(fsPath, `${streamKey}\n`);
      const [excluded, deleted, renamed, stays] = uris;
      assert.ok(excluded && deleted && renamed && stays);
      const counts = () => uris.map((uri) => marksOf({ uri }).length);
      const change = async (key: string, value: unknown) =>
        vscode.workspace
          .getConfiguration('liveStreams', excluded)
          .update(key, value, vscode.ConfigurationTarget.WorkspaceFolder);
      const apply = async (edit: vscode.WorkspaceEdit) => assert.ok(await vscode.workspace.applyEdit(edit));
      await product.run('findLeakedKeys');
      assert.deepEqual(counts(), [1, 1, 1, 1]);
      try {
        await change('leakGuardExclude', ['leaks/excluded.txt']);
        await eventually(() => assert.deepEqual(counts(), [0, 1, 1, 1]));
        const deletion = new vscode.WorkspaceEdit();
        deletion.deleteFile(deleted);
        await apply(deletion);
        await eventually(() => assert.deepEqual(counts(), [0, 0, 1, 1]));
        const renaming = new vscode.WorkspaceEdit();
        renaming.renameFile(renamed, vscode.Uri.file(join(folder, 'new.txt')));
        await apply(renaming);
        await eventually(() => assert.deepEqual(counts(), [0, 0, 0, 1]));
        await change('leakGuard', false);
        await eventually(() => assert.deepEqual(counts(), [0, 0, 0, 0]));
      } finally {
        await change('leakGuard', undefined);
        await change('leakGuardExclude', undefined);
        for (const name of ['excluded.txt', 'new.txt', 'stays.txt']) rmSync(join(folder, name), { force: true });
      }
    }),
  );

  it(
    'stay problems in files that were searched while another connection is open, until theirs is removed',
    withProduct({ demo: { seed: 2, face: 'full' } }, async (product) => {
      const uri = vscode.Uri.file(join(folder, 'searched.txt'));
      writeFileSync(uri.fsPath, `${streamWithKey(product).streamKey}\n`);
      try {
        await product.run('findLeakedKeys');
        assert.equal(marksOf({ uri }).length, 1);
        await product.run('startDemo');
        assert.equal(marksOf({ uri }).length, 1);
        await product.run('switchConnection', 'Production');
        assert.equal(marksOf({ uri }).length, 1);
        product.window.presses.push('Remove');
        await product.run('removeConnection', 'Production');
        await eventually(() => assert.equal(marksOf({ uri }).length, 0));
      } finally {
        rmSync(uri.fsPath);
      }
    }),
  );

  it(
    'are looked for no more once the person cancels or switches, even if Git never answers',
    withProduct({ demo: { seed: 2 } }, async (product) => {
      const own = join(folder, 'held');
      mkdirSync(own);
      const cancelling = new vscode.CancellationTokenSource();
      const reported = Promise.withResolvers<void>();
      const { withProgress } = vscode.window;
      const cancellable: typeof withProgress = (options, task) =>
        withProgress.call(vscode.window, options, (progress, token) => {
          if (options.title !== 'Finding leaked keys') return task(progress, token);
          reported.resolve();
          return task(progress, cancelling.token);
        }) as ReturnType<typeof task>;
      const watching = replace(vscode.window, 'withProgress', cancellable);
      const held = await holdGit(join(own, 'held.txt'), 'after');
      writeFileSync(join(own, 'held.txt'), `${streamWithKey(product).streamKey}\n`);
      try {
        const running = product.run('findLeakedKeys');
        await reported.promise;
        cancelling.cancel();
        assert.equal(await running, undefined);
        const before = product.window.said.length;
        watching.dispose();
        const switched = product.run('findLeakedKeys');
        await product.run('startDemo');
        await switched;
        const said = product.window.said.slice(before).map(({ text }) => text);
        assert.ok(said.includes('The command was canceled because you switched connections.'), said.join());
      } finally {
        watching.dispose();
        held.dispose();
        rmSync(own, { recursive: true });
      }
    }),
  );

  async function setAutoSave(when: 'off' | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('files').update('autoSave', when, vscode.ConfigurationTarget.Workspace);
  }

  async function setGit(isEnabled: boolean | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('git').update('enabled', isEnabled, vscode.ConfigurationTarget.Workspace);
  }

  it(
    'are in no snippet of a row, which is inserted at all cursors',
    withProduct({}, async (product) => {
      const { id, streamKey, playbackId } = streamWithKey(product);
      const document = await open('e.json', '[\n  \n  \n]\n');
      const editor = vscode.window.activeTextEditor ?? assert.fail('There is no editor');
      editor.selections = [1, 2].map((line) => new vscode.Selection(line, 2, line, 2));
      assert.equal(await product.run('insertSnippet', { id, form: 'playbackId' }), `"${playbackId}"`);
      assert.equal(document.getText(), `[\n  "${playbackId}"\n  "${playbackId}"\n]\n`);
      await product.run('insertSnippet', { id, form: 'json' });
      assert.ok(!document.getText().includes(streamKey));
    }),
  );

  it(
    'stand beside ids that say whose they are, after one read at most of the streams that aren’t shown',
    withProduct({}, async (product) => {
      const { streams } = product.service.control;
      const live = streams().find(({ isActive }) => isActive) ?? assert.fail('Nothing is live');
      const unknown = '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11';
      await product.rows();
      const document = await open(
        'f.md',
        `${live.id}\nhttp://h/hls/${live.playbackId}/index.m3u8\n${unknown}\n${streamWithKey(product).id}\n`,
      );
      const before = product.requests().length;
      const hoverAt = async (line: number, character: number) => {
        const { executeCommand } = vscode.commands;
        const at = new vscode.Position(line, character);
        const hovers = await executeCommand<readonly vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
        return hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === 'string' ? part : part.value)));
      };
      for (const [line, character] of [
        [0, 3],
        [1, 16],
      ] as const) {
        const [text = ''] = await hoverAt(line, character);
        assert.match(text, /Live[\s\S]*Show Details[\s\S]*Copy HLS URL/);
        assert.ok(text.includes(live.name) && !text.includes(live.streamKey ?? '?'));
      }
      assert.deepEqual(product.requests().slice(before), []);
      assert.deepEqual(await hoverAt(2, 3), []);
      const [idle = ''] = await hoverAt(3, 3);
      assert.ok(idle.includes('Show Details') && !idle.includes(streamWithKey(product).streamKey), idle);
      await hoverAt(2, 3);
      const sent = product.requests();
      const reads = sent.filter((line) => line.includes('createdAt-true') && !line.includes('filters='));
      assert.ok(reads.length <= 1, sent.join('\n'));
      const at = new vscode.Position(0, 3);
      const [link] = await vscode.commands.executeCommand<readonly vscode.LocationLink[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        at,
      );
      const json = await vscode.workspace.openTextDocument(link?.targetUri ?? assert.fail('There is no definition'));
      assert.equal(JSON.parse(json.getText()).id, live.id);
      assert.ok(!json.getText().includes(live.streamKey ?? '?'));
    }),
  );

  const readIgnored = () => readIfThere('.gitignore');

  function readIfThere(name: string): string {
    return existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  }

  function lists(product: Product): readonly string[] {
    return product.requests().filter((line) => line.includes(`${API_PATH}?`));
  }

  function streamWithKey({ service }: Product) {
    const stream = service.control.streams().find(({ isActive, parentId }) => !isActive && parentId === undefined);
    assert.ok(stream?.streamKey !== undefined);
    const { id, name, streamKey, playbackId } = stream;
    return { id, name, streamKey, playbackId };
  }

  async function open(name: string, text?: string): Promise<vscode.TextDocument> {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async function move(document: vscode.TextDocument, offset: number): Promise<void> {
    const [fix] = await fixesAt(document, offset);
    assert.equal(fix?.title, 'Move to .env');
    await vscode.commands.executeCommand(fix.command?.command ?? '', ...(fix.command?.arguments ?? []));
  }

  /** Git waits with the answer about a file, which it finds before or after that, until it is released. */
  async function holdGit(file: string, finds: 'before' | 'after') {
    const own = mkdtempSync(join(tmpdir(), 'live-streams-git-'));
    const [asked, released, script] = ['asked', 'released', 'git.sh'].map((name) => join(own, name)) as [
      string,
      string,
      string,
    ];
    const wait = `if [ "$4" = "${file}" ]; then touch ${asked}; while [ -d ${own} ] && [ ! -e ${released} ]; do sleep 0.02; done; fi`;
    const lines = finds === 'before' ? ['git "$@"', 'code=$?', wait, 'exit $code'] : [wait, 'git "$@"'];
    writeFileSync(script, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    const git = await vscode.extensions.getExtension('vscode.git')?.activate();
    const replaced = replace(Object.getPrototypeOf(git.getAPI(1).git), 'path', script);
    return {
      untilAsked: () => eventually(() => assert.ok(existsSync(asked))),
      /** Later questions are answered at once. */
      askOnce: () => replaced.dispose(),
      release: () => writeFileSync(released, ''),
      dispose() {
        replaced.dispose();
        rmSync(own, { recursive: true, force: true });
      },
    };
  }

  /** VS Code may close a document of an earlier test meanwhile. */
  function nextOf(file: vscode.Uri, event: vscode.Event<vscode.TextDocument>): Promise<vscode.TextDocument> {
    return new Promise((resolve) => {
      const subscription = event((document) => {
        if (document.uri.fsPath !== file.fsPath) return;
        subscription.dispose();
        resolve(document);
      });
    });
  }

  /** Milliseconds that Git takes to say whether a file is ignored. */
  async function timeOfGit(): Promise<number> {
    const start = performance.now();
    const ignored = promisify(execFile)('git', ['check-ignore', '-q', 'a.ts'], { cwd: folder });
    await assert.rejects(ignored, { code: 1 });
    return performance.now() - start;
  }

  /** Milliseconds from before the edit until VS Code tells of the mark. */
  async function markedAfter(document: vscode.TextDocument, text: string): Promise<number> {
    const marked = new Promise<number>((resolve) => {
      const subscription = vscode.languages.onDidChangeDiagnostics(() => {
        if (marksOf(document).length === 0) return;
        subscription.dispose();
        resolve(performance.now());
      });
    });
    const start = performance.now();
    await type(document, text);
    return (await marked) - start;
  }

  function marksOf({ uri }: Pick<vscode.TextDocument, 'uri'>): readonly vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Live Streams');
  }

  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function fixesAt(document: vscode.TextDocument, offset: number): Promise<readonly vscode.CodeAction[]> {
    const at = document.positionAt(offset);
    const read = async () => {
      const all = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(at, at),
      );
      return all.filter(({ kind }) => kind?.value === 'quickfix');
    };
    // VS Code forgets the commands of such a list after 100 ms, which a busy machine may need to hand it over.
    return eventually(async () => {
      const fixes = await read();
      assert.ok(fixes.every(({ command, edit }) => (command ?? edit) !== undefined));
      return fixes;
    });
  }
});
