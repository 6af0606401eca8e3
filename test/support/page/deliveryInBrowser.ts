import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { readDeliveryMessage } from '../../../src/panels/deliveryMessages.ts';
import { DeliveryPanel, type DeliveryPanelOptions, type DeliveryTarget } from '../../../src/panels/deliveryPanel.ts';
import type { PageEvents } from '../../../src/panels/page.ts';
import { deliveryTab } from '../../../src/panels/tabTitles.ts';
import { pagePolicy } from '../../../src/panels/webviewHtml.ts';
import type { FromDelivery } from '../../../src/webview/delivery/messages.ts';
import { inProject } from '../projectFolder.ts';

/** Of test/support/page/vscodeApi.js. */
declare function receive(json: string): void;

export interface ReportFiles {
  readonly script: string;
  readonly style: string;
}

export async function buildReportFiles(): Promise<ReportFiles> {
  const bundle = async (entry: string) => {
    const common = { bundle: true, format: 'iife', target: 'chrome140', write: false, logLevel: 'error' } as const;
    const given = { entryPoints: [entry], absWorkingDir: inProject('.'), outdir: 'out' };
    const { outputFiles } = await build({ ...common, ...given });
    return outputFiles[0]?.text ?? '';
  };
  const [script, style] = await Promise.all([bundle('src/webview/reportMain.ts'), bundle('src/webview/page.css')]);
  return { script, style };
}

/** The colors of the editor's default themes, as far as the page uses them. */
export const PAGE_THEMES = {
  dark: {
    bodyClass: 'vscode-dark',
    colors: `--vscode-foreground: #bfbfbf; --vscode-descriptionForeground: #8c8c8c; --vscode-editor-background: #121314;
      --vscode-button-background: #297aa0; --vscode-button-foreground: #fff; --vscode-button-hoverBackground: #2b7da3;
      --vscode-button-secondaryBackground: #2a2b2d; --vscode-button-secondaryForeground: #bfbfbf;
      --vscode-button-secondaryHoverBackground: #323335; --vscode-widget-border: #2a2b2c; --vscode-focusBorder: #3994bc;
      --vscode-textLink-foreground: #48a0c7; --vscode-textCodeBlock-background: #242526;
      --vscode-liveStreams-liveForeground: #89d185; --vscode-liveStreams-staleForeground: #cca700;
      --vscode-liveStreams-failedForeground: #f48771; --vscode-debugTokenExpression-name: #c586c0;
      --vscode-debugTokenExpression-string: #ce9178; --vscode-debugTokenExpression-number: #b5cea8;
      --vscode-debugTokenExpression-boolean: #4e94ce;`,
  },
  light: {
    bodyClass: 'vscode-light',
    colors: `--vscode-foreground: #202020; --vscode-descriptionForeground: #606060; --vscode-editor-background: #fff;
      --vscode-button-background: #0069cc; --vscode-button-foreground: #fff; --vscode-button-hoverBackground: #0063c1;
      --vscode-button-secondaryBackground: #ededed; --vscode-button-secondaryForeground: #202020;
      --vscode-button-secondaryHoverBackground: #f3f3f3; --vscode-widget-border: #e4e5e6; --vscode-focusBorder: #0069cc;
      --vscode-textLink-foreground: #0069cc; --vscode-textCodeBlock-background: #f7f7f7;
      --vscode-liveStreams-liveForeground: #2e7d32; --vscode-liveStreams-staleForeground: #855f00;
      --vscode-liveStreams-failedForeground: #c72e0f; --vscode-debugTokenExpression-name: #9b46b0;
      --vscode-debugTokenExpression-string: #a31515; --vscode-debugTokenExpression-number: #098658;
      --vscode-debugTokenExpression-boolean: #0000ff;`,
  },
} as const;

/** Opens the page of a delivery in a browser without a workbench, and its host here. What they post is real. */
export async function openDeliveryPage(
  browser: Browser,
  given: Omit<DeliveryPanelOptions, 'title' | 'makePage' | 'keep'> & {
    readonly files: ReportFiles;
    readonly target: DeliveryTarget;
    readonly theme: keyof typeof PAGE_THEMES;
    readonly width: number;
  },
): Promise<Page> {
  const { files, target, theme, width } = given;
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  let events: PageEvents<FromDelivery> | undefined;
  let sending = Promise.resolve();
  const panel = new DeliveryPanel(target, {
    ...given,
    title: deliveryTab(target.delivery?.event ?? ''),
    keep() {},
    makePage(its) {
      events = its;
      const send = (message: object): void => {
        sending = sending.then(() => page.evaluate((json) => receive(json), JSON.stringify(message)));
      };
      return { isSeen: true, title: '', reveal() {}, send, dispose() {} };
    },
  });
  await page.exposeFunction('sendToHost', (json: string) => {
    const { said } = JSON.parse(json);
    if (said.kind === 'ready') return events?.onReady();
    const known = readDeliveryMessage(said);
    return known && void events?.onSaid(known);
  });
  const { connection, kind, webhookId, id } = target;
  const data = { name: 'delivery', page: 1, subject: { connection, kind, webhookId, id }, texts: null };
  const { bodyClass, colors } = PAGE_THEMES[theme];
  const policy = pagePolicy({ nonce: 'test', ownFiles: "'unsafe-inline'", hasPlayer: false });
  const head = `<title>Delivery</title><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const fonts = '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px';
  const style = `<style>:root { ${colors} ${fonts} }\n${files.style}</style>`;
  const body = `<body class="${bodyClass}" data-page='${JSON.stringify(data)}'></body>`;
  await page.setContent(`<!DOCTYPE html><html lang="en"><head>${head}${style}</head>${body}</html>`);
  await page.evaluate(await readFile(inProject('test/support/page/vscodeApi.js'), 'utf8'));
  await page.evaluate(files.script);
  await panel.load();
  await page.locator('h1').waitFor();
  return page;
}
