import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Disposable, onDispose } from '../../src/util/disposable.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

// As long as the title of a tab may be.
const NAME = `</title><script>alert(1)</script> &"'`;
const ESCAPED = '&#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62; &#38;&#34;&#39;';

/** The panels that the extension opens from now on. */
function watchPanels(panels: vscode.WebviewPanel[]): Disposable {
  const { createWebviewPanel } = vscode.window;
  const watching = replace(
    vscode.window,
    'createWebviewPanel',
    (...args: Parameters<typeof createWebviewPanel>): vscode.WebviewPanel => {
      const panel = createWebviewPanel(...args);
      panels.push(panel);
      return panel;
    },
  );
  return onDispose(() => {
    watching.dispose();
    for (const panel of panels) panel.dispose();
  });
}

/** A live stream with a hostile name, opened by a command. */
async function openPage(product: Product, command: string): Promise<vscode.WebviewPanel> {
  const { service } = product;
  const stream = service.control.addStream({ name: NAME });
  service.control.startBroadcast(stream.id);
  const panels: vscode.WebviewPanel[] = [];
  const watching = watchPanels(panels);
  try {
    // A check ends with its page, and the command with it.
    void product.run(command, stream.id);
    await eventually(() => assert.match(panels[0]?.webview.html ?? '', /<body/));
    const [panel] = panels.splice(0);
    assert.ok(panel);
    return panel;
  } finally {
    watching.dispose();
  }
}

function partOf(html: string, pattern: RegExp): string {
  const [, found] = pattern.exec(html) ?? [];
  return (found ?? assert.fail(`No ${pattern} in ${html}`)).replaceAll(/&#(\d+);/g, (_, code) =>
    String.fromCharCode(Number(code)),
  );
}

const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;

for (const [command, plays] of [
  ['showStream', false],
  ['watchStream', true],
  ['checkStream', false],
] as const) {
  describe(`The page of ${command}`, () => {
    it(
      'may run its own script and nothing else, and send no request',
      withProduct({}, async (product) => {
        const panel = await openPage(product, command);
        try {
          const { html, cspSource } = panel.webview;
          const policy = partOf(html, POLICY);
          const nonce = partOf(html, /<script nonce="([^"]*)"/);
          assert.deepEqual(policy.split('; '), [
            "default-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            `script-src 'nonce-${nonce}'${plays ? " 'wasm-unsafe-eval'" : ''}`,
            `style-src ${cspSource}`,
            ...(plays ? ['media-src blob:', 'worker-src blob:'] : []),
          ]);
          assert.ok(Buffer.from(nonce, 'base64url').length >= 16, nonce);
          assert.ok(html.indexOf('Content-Security-Policy') < html.search(/<(link|script|style|body)/));
          assert.deepEqual(html.match(/<script/g)?.length, 1);
        } finally {
          panel.dispose();
        }
      }),
    );

    it(
      'has another nonce each time it is made',
      withProduct({}, async (product) => {
        const readNonce = async () => {
          const panel = await openPage(product, command);
          try {
            return partOf(panel.webview.html, /<script nonce="([^"]*)"/);
          } finally {
            panel.dispose();
          }
        };
        assert.notEqual(await readNonce(), await readNonce());
      }),
    );

    it(
      'is given no file but those that ship for pages',
      withProduct({}, async (product) => {
        const panel = await openPage(product, command);
        try {
          const { enableScripts, localResourceRoots, enableCommandUris, enableForms } = panel.webview.options;
          const { extensionUri } = product.context;
          assert.deepEqual(
            localResourceRoots?.map(String),
            ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder).toString()),
          );
          assert.deepEqual([enableScripts, enableCommandUris ?? false, enableForms ?? false], [true, false, false]);
        } finally {
          panel.dispose();
        }
      }),
    );

    it(
      'takes a name for text',
      withProduct({}, async (product) => {
        const panel = await openPage(product, command);
        try {
          assert.ok(panel.webview.html.includes(`<title>${ESCAPED}`), panel.webview.html);
          assert.ok(!panel.webview.html.includes('<script>'));
        } finally {
          panel.dispose();
        }
      }),
    );
  });
}

describe('A tab that a click reuses', () => {
  for (const command of ['showStream', 'watchStream']) {
    it(
      `is kept once it is pinned, after ${command}`,
      withProduct({}, async ({ service, run }) => {
        const panels: vscode.WebviewPanel[] = [];
        const watching = watchPanels(panels);
        const show = async (name: string): Promise<void> => {
          await run(command, service.control.addStream({ name }).id);
          await eventually(() => assert.ok(tabsOf(name).length > 0, `No tab of ${name}`));
        };
        try {
          await show('Rehearsal');
          await show('Keynote');
          assert.equal(panels.length, 1);
          assert.deepEqual(tabsOf('Rehearsal'), []);
          await vscode.commands.executeCommand('workbench.action.pinEditor');
          await eventually(() => assert.equal(tabsOf('Keynote')[0]?.isPinned, true));
          await show('Interview');
          await show('Panel');
          assert.equal(panels.length, 2);
          assert.deepEqual(
            ['Rehearsal', 'Keynote', 'Interview', 'Panel'].map((name) => tabsOf(name).length),
            [0, 1, 0, 1],
          );
        } finally {
          watching.dispose();
        }
      }),
    );
  }
});

function tabsOf(name: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label.includes(name));
}

describe('A page that is loading', () => {
  it(
    'takes the focus before a box opens, which would close it',
    withProduct({}, async (product) => {
      const order: string[] = [];
      const { createQuickPick } = vscode.window;
      const boxes = replace(vscode.window, 'createQuickPick', () => {
        const box = createQuickPick();
        const show = box.show.bind(box);
        box.show = () => {
          order.push('opened');
          show();
        };
        box.onDidHide(() => order.push('closed'));
        return box;
      });
      const panel = await openPage(product, 'showStream');
      try {
        panel.webview.onDidReceiveMessage(({ said }) => order.push(said.kind));
        const picked = product.run('goToStream');
        await eventually(() => assert.ok(order.includes('opened') && order.includes('ready')));
        // The window has done all that by then.
        for (let turn = 0; turn < 10; turn++) await vscode.commands.getCommands();
        assert.deepEqual(order, ['ready', 'pong', 'opened']);
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        await picked;
      } finally {
        boxes.dispose();
        panel.dispose();
      }
    }),
  );
});
