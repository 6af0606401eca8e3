import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DemoDelivery, DemoStream, DemoWebhook } from '../../src/demo/demoState.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { sampleOf } from '../support/runner/fuzzRuns.ts';
import { startServer, type TestServer } from '../support/service/testServer.ts';
import { answerBoxes } from './answeredBoxes.ts';
import { eventually } from './eventually.ts';
import { answersOf, assertComplete, begin, COMMANDS, type Scene } from './everyCommand.ts';
import {
  API_KEY,
  assertNone,
  assertNowhere,
  echoing,
  MARKER,
  PLANTED,
  plant,
  tellingAll,
  WEBHOOK_SECRET,
  watchConsole,
} from './planted.ts';
import { FACE, type HostRow, type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

/** The strict variant has no webhooks. */
const onlyOnFull = (...commands: readonly string[]) => (FACE === 'full' ? commands : []);
const MAY_COPY = new Set([
  ...['copyStreamKey', 'copyIngestUrl'],
  ...onlyOnFull('copyWebhookSecret', 'copyDeliveryBody', 'copyDeliveryAsCurl', 'copyPlaybackUrlWithToken'),
]);
const DOCUMENTS = new Set(['openJson']);
const PAGES = new Set([
  ...['showStream', 'showSession', 'watchStream', 'openRecording'],
  ...onlyOnFull('openDelivery'),
]);

/** What is said of each status: to the person, or in the log. 503 is asked again and again, and said as 500 is. */
const SENTENCES: Readonly<Record<number, RegExp>> = {
  307: /redirected the request\. Enter the URL that it redirects to\.|\(invalidResponse\)/,
  401: /The API key was rejected|\(unauthorized\)/,
  403: /rejected the request: |\(forbidden\)/,
  404: /Not found on|no longer exists|Couldn't find the API|doesn't support|\(notFound\)/,
  422: /rejected the request|\(rejected\)/,
  429: /Too many requests|\(rateLimited\)/,
  500: /(is unavailable|responded with an error) \(500\)|\(unavailable\)/,
};
const STATUSES = Object.keys(SENTENCES).map(Number);
/** Each command meets this one: it is the one whose text is shown. Of the others it meets two, for they differ in the sentence alone. */
const MET_BY_ALL = 403;
const SHARED_BY = 3;
const isMet = (status: number, indexOfCommand: number) =>
  status === MET_BY_ALL || (indexOfCommand + STATUSES.indexOf(status)) % SHARED_BY === 0;
/** Where the service's own words are shown. */
const WITH_WORDS = [403, 422, 500];
/** In this order, so that a sample of two is of those with the service's own words. */
const SAMPLED = STATUSES.toSorted((one, other) => Number(other === MET_BY_ALL) - Number(one === MET_BY_ALL));

const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');
const jsonDocuments = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'live-streams-json');

/** A delivery whose body has the stream's key, as the service's own have, and whose handler repeated it. */
function deliveryAbout(stream: DemoStream, { id: webhookId, url }: DemoWebhook): DemoDelivery {
  const [event, createdAt] = ['stream.started', Date.now()];
  const body = JSON.stringify({ webhookId, event, createdAt, stream });
  return {
    ...{ id: 'delivery-1', webhookId, event, createdAt, duration: 0.1, success: false, resourceId: stream.id },
    request: { url, method: 'POST', headers: { 'content-type': 'application/json' }, body },
    response: {
      status: 500,
      statusText: 'Error',
      body: Buffer.from(`no such key: ${stream.streamKey}`).toString('base64'),
    },
  };
}

describe('Secrets', function () {
  this.timeout(600_000);
  let elsewhere: TestServer;
  let folder: string;
  before(async () => {
    elsewhere = await startServer((_request, response) => response.end('[]'));
    folder = mkdtempSync(join(tmpdir(), 'live-streams-secrets-'));
  });
  after(async () => {
    await elsewhere.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a test with secrets planted, boxes that are answered, and everything that can be read looked at in the end. */
  function withSecrets(test: (scene: Scene, shown: readonly string[]) => Promise<void>): () => Promise<void> {
    const options = { demo: { apiKey: API_KEY, streamCount: 24, liveCount: 2 }, settings: { pageSize: 20 } };
    return withProduct(options, async (product) => {
      const [lines, shown, opened]: [string[], string[], unknown[]] = [[], [], []];
      const { executeCommand } = vscode.commands;
      const execute = async (id: string, ...args: readonly unknown[]) =>
        id === 'workbench.action.openSettings' ? opened.push(args) : executeCommand(id, ...args);
      const watching = [
        watchConsole(lines),
        answerBoxes(answersOf(product), shown),
        replace(vscode.commands, 'executeCommand', execute),
      ];
      product.window.choose = (actions) => actions.find((action) => !/Log|Again|Key|Settings|Reveal|Open/.test(action));
      try {
        plant(product);
        await product.run('refresh');
        await test(setScene(product), shown);
        await assertNowhere(product, lines, 'in the end');
        assertNone(shown.join('\n'), 'a box');
        assertNone(JSON.stringify(opened), 'the settings that were opened');
        assert.deepEqual(fieldsOf(elsewhere.requests, 'url'), []);
      } finally {
        for (const each of watching.reverse()) each.dispose();
      }
    });
  }

  function setScene(product: Product): Scene {
    const { control } = product.service;
    const parents = control.streams().filter(({ parentId }) => parentId === undefined);
    const live = parents.find(({ isActive }) => isActive) ?? assert.fail('No live streams');
    const idle = parents.find(({ isActive, suspended }) => !isActive && !suspended) ?? assert.fail('No stream is idle');
    const { id } = control.addSession(idle.id, { record: true, lastSeen: Date.now() });
    const media = new URL(`/recordings/${id}/`, product.service.baseUrl).href;
    const addresses = { recordingUrl: `${media}index.m3u8`, mp4Url: `${media}source.mp4` };
    control.setSession(id, { recordingStatus: 'ready', ...addresses });
    let files = 0;
    const webhook = control.addWebhook({
      ...{ name: 'Website', url: 'https://www.studio.example/hook', events: ['stream.started'] },
      sharedSecret: WEBHOOK_SECRET,
    });
    const delivery = deliveryAbout(idle, webhook);
    const localUrl = new URL('/handler', product.service.baseUrl).href;
    return {
      product,
      live,
      idle,
      session: id,
      webhook,
      delivery,
      localUrl,
      newFile: () => join(folder, `${id}-${++files}.mp4`),
    };
  }

  it(
    'are found only where a person asked for them, after every command: secrets of every kind',
    withSecrets(async (scene, shown) => {
      const { product } = scene;
      const { control } = product.service;
      assertComplete(product);
      control.fault(tellingAll(product));
      for (const [command, deed] of COMMANDS) {
        await begin(scene, deed);
        await vscode.env.clipboard.writeText('');
        product.window.heard.length = 0;
        await product.run(command, ...deed.given(scene));
        assertNone(product.window.readable(), `what ${command} told`);
        const copied = await vscode.env.clipboard.readText();
        if (MAY_COPY.has(command)) assert.match(copied, PLANTED, command);
        else assert.doesNotMatch(copied, PLANTED, command);
        if (DOCUMENTS.has(command)) await assertMasked(command);
        if (PAGES.has(command)) await untilPageIsTold(product, command);
      }
      assert.ok(existsSync(join(folder, `${scene.session}-1.mp4`)), 'the recording that was downloaded');
      const drawn = await product.drawn();
      for (const words of ['"tooltip":', '"accessibilityInformation":', '"kind":"recording"', scene.live.name]) {
        assert.ok(drawn.includes(words), words);
      }
      assert.match(shown.join('\n'), /items: /);
    }),
  );

  /** Its document is there, and masked; revealed it is not, and is forgotten when it is closed. */
  async function assertMasked(command: string): Promise<void> {
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.ok(jsonDocuments().length > 0 && JSON.parse(text) !== null, command);
    for (const document of jsonDocuments()) assertNone(`${document.uri}\n${document.getText()}`, command);
    await vscode.commands.executeCommand('liveStreams.revealSecrets');
    await eventually(() => assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', PLANTED, command));
    await closeAll();
    await eventually(() => {
      for (const document of jsonDocuments()) assertNone(document.getText(), `what is left of ${command}`);
    });
  }

  async function untilPageIsTold({ window }: Product, command: string): Promise<void> {
    await eventually(() => {
      const heard = window.heard.join('\n');
      for (const words of [/page html: <!doctype html>/i, /page postMessage: /]) assert.match(heard, words, command);
    });
    assertNone(window.heard.join('\n'), `the page of ${command}`);
    await closeAll();
  }

  // The variants don't differ in how an error is.
  for (const status of FACE === 'full' ? sampleOf(SAMPLED, 2) : []) {
    it(
      `are in no text where the service answers commands with ${status} and repeats them`,
      withSecrets(async (scene) => {
        const { product } = scene;
        const { control } = product.service;
        let isMarked = false;
        for (const [index, [command, deed]] of [...COMMANDS].entries()) {
          if (!isMet(status, index)) continue;
          // What asks for nothing is not answered either: once is enough.
          if (deed.asks === 'never' && status !== MET_BY_ALL) continue;
          control.fault(undefined);
          await begin(scene, deed);
          forget(product);
          const wasSent = command !== 'addConnection' && command !== 'setApiKey';
          control.fault(echoing(product, { status, elsewhere: elsewhere.url, wasSent }));
          await product.run(command, ...deed.given(scene));
          const faulted = () => control.requests.filter((request) => request.status === status).length;
          if (deed.asks !== 'never') await eventually(() => assert.ok(faulted() > 0, `${command} asked for nothing`));
          const sentence = new RegExp(`${SENTENCES[status]?.source}|status\\W+${status}|${deed.says?.source ?? '^$'}`);
          if (deed.asks === 'aloud') {
            await eventually(async () => assert.match(await told(product), sentence, command));
          }
          const text = await told(product);
          assertNone(text, command);
          isMarked ||= text.includes(MARKER);
          if (PAGES.has(command)) await closeAll();
        }
        assert.equal(isMarked, WITH_WORDS.includes(status), 'what stands beside the secrets is shown');
      }),
    );
  }

  function forget({ service, window, log }: Product): void {
    service.control.clearRequests();
    for (const list of [window.said, window.questions, window.details, window.heard, window.flashes, log])
      list.length = 0;
  }

  /** What was told since: to the person, by the views and pages, and in the log. */
  async function told(product: Product): Promise<string> {
    const { window, view, log } = product;
    const groups = await product.rows();
    const rows = await Promise.all(groups.map((group) => (isShown(group) ? product.rows(group) : [])));
    const logged = log.filter((line) => !line.startsWith('debug'));
    return [window.readable(), view.message ?? '', JSON.stringify([groups, rows]), ...logged].join('\n');
  }
});

/** Its rows were asked for already, while the service was well: looking at them asks for nothing. */
const isShown = ({ contextValue }: HostRow) => contextValue === 'group.active' || contextValue === 'group.idle';
