import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nls from '../../../package.nls.json' with { type: 'json' };
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { type BoundaryContext, runCommand, showMessage } from '../../../src/commands/boundary.ts';
import type { CodeEditor, CommandContext, DetailsTabs, LeakSearch, PlayerTabs } from '../../../src/commands/context.ts';
import { HANDLERS } from '../../../src/commands/handlers.ts';
import { workingView } from '../../../src/commands/shownWork.ts';
import { PlaybackAccess } from '../../../src/model/access/playbackAccess.ts';
import type { TokenRequest } from '../../../src/model/access/token.ts';
import { Account } from '../../../src/model/account/account.ts';
import { findService, readAccountName, tryService } from '../../../src/model/account/serviceChecks.ts';
import { TestBroadcasts } from '../../../src/model/broadcasts/testBroadcasts.ts';
import { Connection } from '../../../src/model/connection/connection.ts';
import { Connections } from '../../../src/model/connection/connections.ts';
import { Downloader } from '../../../src/model/downloads/download.ts';
import { createDownloadFiles } from '../../../src/model/downloads/downloadFiles.ts';
import { Interest } from '../../../src/model/loading/interest.ts';
import { StreamLoader } from '../../../src/model/loading/loader.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import type { WalkthroughStep } from '../../../src/model/walkthroughSteps.ts';
import type { AddressTemplates, Clock, Secrets, Ui } from '../../../src/services.ts';
import type { CheckOutcome, CheckTabs, RequestedCheck } from '../../../src/texts/checkOutcome.ts';
import { applyChanges, openText } from '../../support/code/openText.ts';
import { type DemoOptions, type DemoService, startDemo } from '../../support/demo/demoService.ts';
import {
  type Answers,
  type FakeUi,
  fakeLog,
  fakeMemento,
  fakeSecrets,
  fakeSettings,
  fakeUi,
  type SecretStore,
} from '../../support/model/fakes.ts';
import { type FakeWebhooks, fakeWebhooks } from '../../support/model/fakeWebhooks.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { createTestClock, hurriedClock } from '../../support/model/testClock.ts';
import { type ClientName, createClient } from '../../support/service/clients.ts';

export interface FixtureOptions {
  readonly demo?: Partial<DemoOptions>;
  readonly answers?: Partial<Answers>;
  readonly ui?: Partial<Ui>;
  readonly secrets?: Partial<Secrets>;
  /** What the secret storage is waited for by. Default: the real one. */
  readonly secretClock?: Clock;
  /** Set for the service's origin. Default: its own. */
  readonly addresses?: AddressTemplates;
  readonly pageSize?: number;
  /** Of each request. Default: 3 s. */
  readonly timeoutMs?: number;
  /** Default: the product's, 'editor'. */
  readonly playIn?: 'editor' | 'browser';
  /** Default: undici. */
  readonly client?: ClientName;
  /** Of the active editor. Default: there is none. */
  readonly languageId?: string;
  /** Its text, with a cursor at each `|`. Default: an empty file. */
  readonly text?: string;
  readonly isReadOnly?: boolean;
  /** Files near it, by their names. */
  readonly manifests?: Readonly<Record<string, string>>;
  /** Default: none, as if its code could not be loaded. */
  readonly leakSearch?: LeakSearch;
  /** Where files land, where that needs saying. */
  readonly machine?: string;
  /** The model's. Default: the real one. */
  readonly clock?: Clock;
  /** The model's waits end at once, as if the time had passed. */
  readonly isHurried?: boolean;
  /** What is known of webhooks, and what was sent to this computer. */
  readonly webhooks?: Parameters<typeof fakeWebhooks>[0];
  /** Open the service as a stored connection before the test begins. Default: true. */
  readonly isConnected?: boolean;
}

export interface Fixture {
  readonly service: DemoService;
  readonly context: BoundaryContext;
  readonly ui: FakeUi;
  readonly log: ReturnType<typeof fakeLog>;
  readonly secretStore: SecretStore;
  /** The signing keys on this computer. */
  readonly access: PlaybackAccess;
  /** Answers of the demo switch: what was called. */
  readonly demoCalls: string[];
  /** What was opened in the player: 'stream ID', 'session ID'. */
  readonly played: string[];
  /** What was opened in the details page: 'stream ID', 'session ID'. */
  readonly shown: string[];
  /** What was opened in check pages, and what came of it. */
  readonly checked: { readonly check: RequestedCheck; readonly outcome: CheckOutcome }[];
  /** What the text of the active editor became, each time from what it was at first. */
  readonly inserted: string[];
  /** What was shown beside it, and 'closed'. */
  readonly previewed: string[];
  /** What was written to the settings: the origin and templates of addresses, or the kinds of notifications. */
  readonly written: unknown[];
  /** Webhooks, the listener, and their secrets, as fakes. */
  readonly hooks: FakeWebhooks;
  /** Steps of the walkthrough that were noted. */
  readonly steps: WalkthroughStep[];
  /** Views that show now that a command works. */
  readonly work: readonly string[];
  /** Runs a command as the host does, and waits until its message, if any, was answered. */
  run(id: string, ...args: readonly unknown[]): Promise<void>;
  /** Requests so far, without the base URL's path. */
  requests(): readonly string[];
  /** All that a person could have read. */
  readable(): string;
}

export const MEDIA_ROOT = fileURLToPath(new URL('../../../media/demo', import.meta.url));

const realClock = createTestClock();

/** Runs a test with the commands over a real service and the real model; people, secrets and storage are fakes. */
export function withCommands(options: FixtureOptions, test: (fixture: Fixture) => Promise<void>): () => Promise<void> {
  return async () => {
    const clock = heldClock();
    const demo = { clock, mediaRoot: MEDIA_ROOT, seed: 1, isLively: false, streamCount: 12, ...options.demo };
    const service = await startDemo(demo);
    const transport = createClient(options.client ?? 'undici', {
      settings: () => ({ timeoutMs: options.timeoutMs ?? 3000 }),
      clock: realClock,
      log: fakeLog(),
    });
    const fixture = compose(service, transport, options);
    const { testBroadcasts } = fixture.context;
    try {
      if (options.isConnected !== false) await open(fixture);
      service.control.clearRequests();
      await test(fixture);
    } finally {
      testBroadcasts.dispose();
      transport.dispose();
      service.dispose();
    }
  };
}

function compose(service: DemoService, transport: ReturnType<typeof createClient>, options: FixtureOptions): Fixture {
  const log = fakeLog();
  const ui = fakeUi(options.answers, options.ui);
  const secretStore = fakeSecrets();
  const clock = options.clock ?? (options.isHurried === true ? hurriedClock() : realClock);
  const workspace = fakeMemento();
  const store = new StreamStore({ clock });
  const loader = new StreamLoader({
    clock,
    log,
    interest: new Interest(),
    pageSize: () => options.pageSize ?? 500,
  });
  const parts = { transport, clock, log };
  const serviceChecks: Pick<CommandContext, 'checkService' | 'findService' | 'readAccountName'> = {
    checkService: (access, signal) => tryService({ ...access, ...parts }, signal),
    findService: (baseUrl, signal) => findService({ baseUrl, ...parts }, signal),
    readAccountName: (access, signal) => readAccountName({ ...access, ...parts }, signal),
  };
  const connection = new Connection(store);
  const known = new KnownSecrets();
  const access = new PlaybackAccess({ secrets: secretStore.window(options.secrets), clock, log, known });
  connection.serve({
    loader,
    openAccount: ({ id, baseUrl, apiKey }) => {
      const makeToken = (request: TokenRequest) => access.makeToken(id, request);
      return new Account({ baseUrl, apiKey, transport, store, clock, log, secrets: known, makeToken });
    },
  });
  const connections = new Connections({
    secrets: secretStore.window(options.secrets),
    clock: options.secretClock ?? realClock,
    global: fakeMemento(),
    workspace,
    log,
    newId: randomUUID,
    locale: 'en',
  });
  const demoCalls: string[] = [];
  const played: string[] = [];
  const player: PlayerTabs = {
    openStream: async ({ id }, at, isForClip) =>
      void played.push(`stream ${id}${ofConnection(at)}${forClip(isForClip)}`),
    openRecording: async ({ id }, at, isForClip) =>
      void played.push(`session ${id}${ofConnection(at)}${forClip(isForClip)}`),
    openClip: async ({ id }, at) => void played.push(`clip ${id}${ofConnection(at)}`),
  };
  const shown: string[] = [];
  const inserted: string[] = [];
  const previewed: string[] = [];
  const written: unknown[] = [];
  const steps: WalkthroughStep[] = [];
  const work: string[] = [];
  const details: DetailsTabs = {
    openStream: async ({ id }, at) => void shown.push(`stream ${id}${ofConnection(at)}`),
    openSession: async ({ id }, at, clipId) =>
      void shown.push(`session ${id}${ofConnection(at)}${clipId === undefined ? '' : ` at clip ${clipId}`}`),
  };
  const checked: Fixture['checked'] = [];
  const checks: CheckTabs = {
    open: async (check) => {
      const outcome = await check.run(new AbortController().signal, () => {});
      checked.push({ check, outcome });
    },
  };
  // A folder that cannot be made: notes are the files' own tests.
  const files = createDownloadFiles({ folder: join(MEDIA_ROOT, 'source.mp4', 'notes'), clock, log: fakeLog() });
  const downloader = new Downloader({ transport, files, clock, log, random: () => 0.5 });
  const hooks = fakeWebhooks(options.webhooks);
  const { webhooks, eventListener, webhookSecrets, deliveries, revealWebhook, isWebhooksViewVisible } = hooks;
  const context: BoundaryContext = {
    ...{ webhooks, eventListener, webhookSecrets, deliveries, revealWebhook, isWebhooksViewVisible },
    ...{
      ui,
      log,
      clock,
      workspace,
      store,
      loader,
      connections,
      connection,
      player,
      details,
      ...serviceChecks,
      checks,
      downloader,
      transport,
    },
    testBroadcasts: new TestBroadcasts({ store, clock, log, testPattern: join(MEDIA_ROOT, 'source.mp4') }),
    access: async () => access,
    leakSearch: async () => options.leakSearch,
    editor: () => (options.languageId === undefined ? undefined : fakeEditor(options, { inserted, previewed })),
    handlers: HANDLERS,
    isDisposed: () => false,
    contextBeside: () => undefined,
    showWork(command) {
      const view = workingView(command) ?? 'page';
      work.push(view);
      return { dispose: () => void work.splice(work.indexOf(view), 1) };
    },
    commandTitle: (command) => (new Map(Object.entries(nls)).get(`command.${command}`) ?? command).replace(/…$/, ''),
    findPage: () => undefined,
    findDelivery: () => undefined,
    selectedRows: () => [],
    shownModels: () => [context],
    dismissRemoved() {},
    runCommand: (id, ...args) => runCommand(context, id, args),
    showMessage: (message) => void showMessage(context, message),
    machine: () => options.machine,
    settings: fakeSettings({
      addresses: () => ({ [new URL(service.baseUrl).origin]: options.addresses ?? service.addresses }),
      writeAddresses: async (origin, templates) => void written.push([origin, templates]),
      writeNotifications: async (kinds) => void written.push(kinds),
      ...(options.playIn !== undefined && { playIn: () => options.playIn ?? 'editor' }),
    }),
    demo: {
      name: 'Demo',
      running: undefined,
      start: async () => void demoCalls.push('start'),
      stop: async () => void demoCalls.push('stop'),
    },
    isUserTyping: async () => false,
    noteStep: (step) => void steps.push(step),
    linkScheme: 'vscode',
    drawing: () => ({ now: Date.UTC(2026, 10, 20, 10, 0), locale: 'en', timeZone: 'UTC' }),
  };
  return {
    ...{
      service,
      context,
      ui,
      log,
      secretStore,
      access,
      demoCalls,
      played,
      shown,
      checked,
      inserted,
      previewed,
      written,
    },
    steps,
    hooks,
    work,
    async run(id, ...args) {
      await runCommand(context, id, args);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
    requests: () =>
      service.control.requests.map(({ method, path, query }) => `${method} ${path}${query === '' ? '' : `?${query}`}`),
    readable: () => JSON.stringify([ui.seen.said, ui.seen.flashes, ui.seen.questions, ui.seen.picks, log.lines]),
  };
}

/** As if this window broadcast to a stream that doesn't go live. The first wait ends with another connection. */
export function openNextWhileWaiting({ context, service }: Fixture, streamId: string): void {
  const { clock } = context;
  const setTimeout: Clock['setTimeout'] = (act) => {
    context.connection.open({ ...service, id: 'next', name: 'Next', insecureAccepted: false });
    return clock.setTimeout(act, 0);
  };
  Object.defineProperty(context.testBroadcasts, 'running', { value: [{ id: streamId }] });
  Object.assign(context, { clock: { ...clock, setTimeout }, runCommand: async () => undefined });
}

function ofConnection(id: string | undefined): string {
  return id === undefined ? '' : ` of ${id}`;
}

function forClip(isForClip: boolean | undefined): string {
  return isForClip === true ? ' for a clip' : '';
}

async function open({ context, service }: Fixture): Promise<void> {
  const { baseUrl, apiKey } = service;
  const added = await context.connections.add({ name: 'Production', baseUrl, apiKey, insecureAccepted: false });
  await context.connections.choose(added.id);
  context.store.setConnectionCount(1);
  context.connection.open(added);
  await context.loader.ensureList('active');
  await context.loader.ensureList('idle');
}

function fakeEditor(
  { languageId = '', text = '|', isReadOnly = false, manifests = {} }: FixtureOptions,
  { inserted, previewed }: Pick<Fixture, 'inserted' | 'previewed'>,
): CodeEditor {
  const file = openText(languageId, text);
  return {
    read: () => file,
    readNearest: async (name) => manifests[name],
    async apply(changes) {
      if (!isReadOnly) inserted.push(applyChanges(file.text, changes));
      return !isReadOnly;
    },
    openPreview: () => ({
      show: (code) => void previewed.push(code),
      close: async () => void previewed.push('closed'),
    }),
  };
}
