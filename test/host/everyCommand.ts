import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DemoDelivery, DemoStream, DemoWebhook } from '../../src/demo/demoState.ts';
import type { DemoControl } from '../support/demo/demoService.ts';
import type { Answer } from './answeredBoxes.ts';
import { eventually } from './eventually.ts';
import { PRIVATE_KEY, TARGET_URL, WEBHOOK_SECRET } from './planted.ts';
import { FACE, type Product } from './product.ts';

/** What commands are run on. */
export interface Scene {
  readonly product: Product;
  readonly live: DemoStream;
  readonly idle: DemoStream;
  /** Recorded, with an MP4; of the idle stream. */
  readonly session: string;
  readonly webhook: DemoWebhook;
  /** Of the webhook. */
  readonly delivery: DemoDelivery;
  /** Of this computer; what is there answers every event with an error. */
  readonly localUrl: string;
  /** An absolute path that nothing is at. */
  newFile(): string;
}

/** What a command does where the service answers every request with an error. */
type ConnectionSession =
  /** What it needs is known, or here. */
  | 'never'
  /** It does what it is for without the answer, or says why not on a page, and in no message. */
  | 'silently'
  | 'aloud';

export type Subject = 'stream' | 'session' | 'webhook' | 'nothing';

interface CommandCase {
  /** What it is run on if it needs no more than that. */
  readonly on?: Subject;
  readonly given: (scene: Scene) => readonly unknown[];
  readonly asks: ConnectionSession;
  /** What it says instead of what is said of an error elsewhere. */
  readonly says?: RegExp;
  /** Done while the service is well, just before. */
  readonly before?: (scene: Scene) => Promise<unknown> | unknown;
}

const IDLE_GROUP = { kind: 'group', id: 'idle', list: 'idle' };
const alone = (asks: ConnectionSession, before?: CommandCase['before']): CommandCase => ({
  ...{ on: 'nothing', given: () => [], asks },
  ...(before && { before }),
});
const onIdle = (asks: ConnectionSession): CommandCase => ({ on: 'stream', given: ({ idle }) => [idle.id], asks });
const onLive = (asks: ConnectionSession): CommandCase => ({ on: 'stream', given: ({ live }) => [live.id], asks });
const onSession = (asks: ConnectionSession): CommandCase => ({
  on: 'session',
  given: ({ session }) => [session],
  asks,
});
const onWebhook = (asks: ConnectionSession, given: object = {}): CommandCase => ({
  on: 'webhook',
  given: ({ webhook }) => [{ id: webhook.id, ...given }],
  asks,
});
const onDelivery = (asks: ConnectionSession): CommandCase => ({
  on: 'webhook',
  given: ({ delivery: { webhookId, id }, localUrl }) => [{ webhookId, id, url: localUrl }],
  asks,
});
const having = (asks: ConnectionSession, ...given: readonly unknown[]): CommandCase => ({ given: () => given, asks });

async function addSpare({ product }: Scene): Promise<void> {
  const { baseUrl, apiKey } = product.service;
  await product.run('addConnection', { name: 'Spare', baseUrl, apiKey });
  await product.run('showOneConnection');
  await product.run('switchConnection', 'Production');
}

const listen = ({ product, localUrl }: Scene) => product.run('listenForEvents', { url: localUrl });

async function makePrivate({ product, live }: Scene): Promise<void> {
  product.service.control.setStream(live.id, { playbackPolicy: { type: 'jwt' } });
  await product.run('createSigningKey', { name: 'New' });
  await product.run('refresh');
}

async function writeEvent(): Promise<void> {
  const content = JSON.stringify({ event: 'stream.started', stream: {} });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'json' }));
}

/** Every command with arguments that work; what a box asks for is answered by `ANSWERS`. */
const DEEDS: Readonly<Record<string, CommandCase>> = {
  addConnection: alone('aloud'),
  switchConnection: having('never', 'Production'),
  renameConnection: { ...having('never', 'Spare', 'Spare part'), before: addSpare },
  removeConnection: { ...having('never', 'Spare'), before: addSpare },
  setApiKey: alone('aloud'),
  dismissConnection: alone('never'),
  setAddresses: { given: ({ product }) => [product.service.addresses], asks: 'never' },
  chooseNotifications: having('never', { kinds: [] }),
  startDemo: alone('never'),
  stopDemo: alone('never', ({ product }) => product.run('startDemo')),
  refresh: alone('aloud'),
  loadMore: having(FACE === 'full' ? 'aloud' : 'never', IDLE_GROUP),
  retry: having('aloud', IDLE_GROUP),
  goToStream: onIdle('aloud'),
  goToLiveStream: alone('aloud'),
  filterStreams: having('aloud', { text: 'e' }),
  clearFilter: alone('aloud', ({ product }) => product.run('filterStreams', { text: 'e' })),
  sortStreams: having('never', { by: 'name' }),
  createStream: having('aloud', { name: 'New', record: false }),
  editTags: { given: ({ idle }) => [{ id: idle.id, tags: { event: 'Summit' } }], asks: 'aloud' },
  editRenditions: { given: ({ idle }) => [{ id: idle.id, profiles: [] }], asks: 'aloud' },
  renameStream: { given: ({ idle }) => [idle.id, 'Other'], asks: 'aloud' },
  turnRecordingOn: onIdle('aloud'),
  turnRecordingOff: onIdle('aloud'),
  suspendStream: onIdle('aloud'),
  resumeStream: onIdle('aloud'),
  endBroadcast: onLive('aloud'),
  deleteStream: onIdle('aloud'),
  startTestBroadcast: { given: ({ idle }) => [{ id: idle.id, source: 'pattern', seconds: 5 }], asks: 'aloud' },
  stopTestBroadcast: alone('never'),
  copyStreamKey: onIdle('silently'),
  copyPlaybackId: onIdle('silently'),
  copyStreamId: onIdle('silently'),
  copyIngestServer: alone('never'),
  copyIngestUrl: onIdle('silently'),
  copyPlaybackUrl: onIdle('silently'),
  copyPlayerUrl: onIdle('silently'),
  showStream: { ...onIdle('aloud'), says: /Couldn't load the sessions\./ },
  showSession: onSession('aloud'),
  watchStream: onLive('aloud'),
  openPlayerPage: onIdle('never'),
  openJson: onIdle('aloud'),
  revealSecrets: alone('never'),
  openRecording: onSession('aloud'),
  searchRecordings: alone('aloud'),
  openRecordingInBrowser: onSession('aloud'),
  copyRecordingUrl: onSession('aloud'),
  downloadMp4: { given: (scene) => [{ id: scene.session, target: scene.newFile() }], asks: 'aloud' },
  copyMp4Url: onSession('aloud'),
  createClip: { given: ({ session }) => [{ id: session, from: 0, to: 1 }], asks: 'aloud' },
  openClip: having('aloud', { id: 'no-clip' }),
  downloadClip: having('aloud', { id: 'no-clip' }),
  copyClipUrl: having('aloud', { id: 'no-clip' }),
  deleteClip: having('aloud', { id: 'no-clip' }),
  copySessionId: onSession('aloud'),
  copyLink: onIdle('never'),
  copyValue: alone('never'),
  openDashboard: onIdle('never'),
  showRecordedSessions: alone('never'),
  showAllSessions: alone('never'),
  showAllConnections: alone('never'),
  showOneConnection: alone('never'),
  collapseStreams: alone('never'),
  collapseRecordings: alone('never'),
  openProxySettings: alone('never'),
  checkStream: onLive('silently'),
  inspectPlayback: { given: ({ live }) => [live.playbackId], asks: 'silently' },
  insertSnippet: onIdle('never'),
  insertWebhookHandler: alone('never'),
  insertTokenSigner: alone('never'),
  findLeakedKeys: alone('aloud'),
  createWebhook: having('aloud', { name: 'New', url: 'https://www.studio.example/hook', events: ['stream.started'] }),
  editWebhook: onWebhook('aloud', { name: 'Other', secret: WEBHOOK_SECRET }),
  refreshWebhooks: alone('silently'),
  collapseWebhooks: alone('never'),
  filterDeliveries: onWebhook('silently', { failedOnly: true }),
  clearDeliveryFilter: onWebhook('silently'),
  openDelivery: onDelivery('aloud'),
  resendDelivery: onDelivery('aloud'),
  replayDelivery: onDelivery('aloud'),
  copyDeliveryAsCurl: onDelivery('aloud'),
  copyDeliveryBody: onDelivery('aloud'),
  listenForEvents: { given: ({ localUrl }) => [{ url: localUrl }], asks: 'never' },
  stopListening: alone('never', listen),
  sendTestEvent: {
    given: ({ live, localUrl }) => [{ event: 'stream.started', id: live.id, url: localUrl }],
    asks: 'never',
  },
  sendEditedEvent: { given: ({ localUrl }) => [{ url: localUrl }], asks: 'never', before: writeEvent },
  copyWebhookSecret: {
    ...onWebhook('never'),
    before: ({ product, webhook }) => product.run('editWebhook', { id: webhook.id, secret: WEBHOOK_SECRET }),
  },
  // The last of these: what was deleted stays gone in this window.
  deleteWebhook: onWebhook('aloud'),
  setPlaybackPolicy: { given: ({ idle }) => [{ id: idle.id, type: 'jwt' }], asks: 'aloud' },
  addMultistreamTarget: { given: ({ idle }) => [{ id: idle.id, name: 'Elsewhere', url: TARGET_URL }], asks: 'aloud' },
  turnOnMultistreamTarget: { given: ({ idle }) => [{ id: idle.id, targetId: 'target' }], asks: 'aloud' },
  turnOffMultistreamTarget: { given: ({ idle }) => [{ id: idle.id, targetId: 'target' }], asks: 'aloud' },
  removeMultistreamTarget: { given: ({ idle }) => [{ id: idle.id, targetId: 'target' }], asks: 'aloud' },
  copyPlaybackUrlWithToken: {
    given: ({ live }) => [{ id: live.id, seconds: 3600 }],
    asks: 'never',
    before: makePrivate,
  },
  createSigningKey: having('aloud', { name: 'New' }),
  useSigningKey: having('aloud', { privateKey: PRIVATE_KEY }),
  savePrivateKey: { given: () => [{ id: 'no-such-key' }], asks: 'never', before: makePrivate },
  deleteSigningKey: having('aloud', { id: 'no-such-key' }),
  showLog: alone('never'),
};

export const COMMANDS: readonly (readonly [command: string, deed: CommandCase])[] = Object.entries(DEEDS);

/** Fails on a command that package.json declares and nobody runs here, and the other way round. */
export function assertComplete({ context }: Product): void {
  const { commands }: { commands: readonly { readonly command: string }[] } = context.extension.packageJSON.contributes;
  const declared = commands.map(({ command }) => command.replace('liveStreams.', ''));
  assert.deepEqual(Object.keys(DEEDS).sort(), declared.sort());
}

/** What a person answers where a command asks: the key is typed, as it was once. */
export function answersOf({ service }: Product): Answer {
  const answers: readonly (readonly [RegExp, string])[] = [
    [/Select a service/, 'Other Service'],
    [/Enter the base URL of the service's API/, service.baseUrl],
    [/API key/, service.apiKey],
    [/connection named .+ already exists/, `Typed ${service.control.requests.length}`],
    [/Rename/, 'Renamed'],
  ];
  return (asked) => answers.find(([words]) => words.test(asked))?.[1];
}

/** As it was for the command before, whatever that did: a connection that is new, with its lists loaded. */
export async function begin(scene: Scene, { before }: CommandCase): Promise<void> {
  const { product } = scene;
  restore(product.service.control, scene);
  await product.run('showOneConnection');
  await product.run('switchConnection', 'Production');
  await product.run('refresh');
  await eventually(async () => {
    const idleGroup = (await product.rows()).find(({ contextValue }) => contextValue === 'group.idle');
    assert.ok(idleGroup && (await product.rows(idleGroup)).length > 1, 'the idle streams');
  });
  await before?.(scene);
}

function restore(control: DemoControl, { live, idle, webhook, delivery }: Scene): void {
  control.addWebhook(webhook);
  control.setDeliveries(webhook.id, [delivery]);
  const there = new Set(control.streams().map(({ id }) => id));
  for (const stream of [live, idle]) {
    if (there.has(stream.id)) control.setStream(stream.id, stream);
    else control.addStream(stream);
  }
}
