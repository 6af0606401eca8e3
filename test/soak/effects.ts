import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type {
  DemoClip,
  DemoDelivery,
  DemoSession,
  DemoStream,
  DemoTarget,
  DemoWebhook,
} from '../../src/demo/demoState.ts';
import { fillTemplate } from '../../src/model/filledAddresses.ts';
import { eventually } from '../host/eventually.ts';
import type { HostRow, Product } from '../host/product.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { type RtmpServer, startRtmpServer } from '../support/service/rtmpServer.ts';
import { startServer } from '../support/service/testServer.ts';
import type { FaultyService } from './faultyService.ts';
import { press, rowsOnScreen } from './ownWindow.ts';
import { readSpoken, servedFacts } from './rowFacts.ts';

/** One connection without faults, of which only what the commands do is seen. Its own stream comes first by name. */
interface Calm {
  readonly product: Product;
  readonly service: FaultyService;
  /** Of its own stream. */
  readonly streamId: string;
  /** An absolute path nobody has used yet. */
  newFile(): string;
}

/** A machine five times slower keeps it. */
const WITHIN_MS = 30_000;
const NAME = '000 Calm';

type Effect = (calm: Calm) => Promise<unknown>;

/** Runs a command and looks at what came of it: at the service, on screen, on the clipboard. Fails where nothing did. */
export async function assertEffect(calm: Calm, command: string): Promise<void> {
  const effect = EFFECTS[command];
  assert.ok(effect, 'nobody looks at what it does');
  const { window } = calm.product;
  await vscode.env.clipboard.writeText('nothing yet');
  window.opened.length = 0;
  try {
    await effect(calm);
  } finally {
    window.choose = () => undefined;
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
}

/** Opens the groups of a connection on which everything is well, with a stream of which commands can be sure. */
export async function beginCalm(scene: Omit<Calm, 'streamId'>): Promise<Calm> {
  const { product, service } = scene;
  const { control } = service.demo;
  const { id } = control.addStream({ name: NAME, record: false, suspended: false, ...seenLast() });
  const times = { lastSeen: Date.now() - 60_000, sourceSegments: 30, sourceSegmentsDuration: 60 };
  const media = fieldsOfRecording(service);
  control.addSession(id, { ...times, record: true, recordingStatus: 'ready', ...media });
  control.addSession(id, { ...times, record: false });
  await vscode.commands.executeCommand('liveStreams.streams.focus');
  await product.run('switchConnection', service.name);
  for (const command of ['showOneConnection', 'clearFilter', 'showAllSessions', 'refresh']) await product.run(command);
  await openGroups(product);
  return { ...scene, streamId: id };
}

/** Where another connection was opened, groups may be closed. */
async function openGroups(product: Product): Promise<void> {
  await soon(async () => {
    for (const { node } of (await product.rows()).filter(({ contextValue }) => contextValue.startsWith('group'))) {
      await product.view.reveal(node, { expand: true, select: false });
    }
    await assertShown('Idle');
  });
}

/** Of one of the service's own recordings, so that there is something to play and to download. */
function fieldsOfRecording({ demo }: FaultyService): Partial<DemoSession> {
  const sessions = demo.control.streams().flatMap(({ id }) => demo.control.sessions(id));
  const found = sessions.find(({ recordingStatus, mp4Url }) => recordingStatus === 'ready' && mp4Url !== undefined);
  const { recordingUrl, mp4Url } = found ?? {};
  return { ...(recordingUrl && { recordingUrl }), ...(mp4Url && { mp4Url }) };
}

/** So that it is on the first page. */
const seenLast = () => ({ lastSeen: Date.now() });
const soon = (check: () => void | Promise<void>) => eventually(check, WITHIN_MS);

function calmStream(calm: Calm): DemoStream {
  const found = calm.service.demo.control.streams().find(({ id }) => id === calm.streamId);
  return found ?? assert.fail('The stream of the calm is gone');
}

function recorded(calm: Calm): DemoSession {
  const found = calm.service.demo.control.sessions(calmStream(calm).id).find(({ record }) => record);
  return found ?? assert.fail('It has no recording');
}

interface SoughtRow {
  /** Up to its first comma: no stream of the calm has one in its name. */
  readonly name: string;
  readonly ariaLabel: string;
}

/** Rows on screen by the group above them. Names are those for screen readers: drawn ones are shortened. */
async function rowsByGroup(): Promise<Readonly<Record<string, readonly SoughtRow[]>>> {
  const groups: Record<string, SoughtRow[]> = {};
  let group: SoughtRow[] = [];
  for (const { level, label, ariaLabel } of await rowsOnScreen('Streams')) {
    if (level === 1) groups[label] = group = [];
    else if (level === 2) group.push({ name: ariaLabel.split(', ')[0] ?? '', ariaLabel });
  }
  return groups;
}

async function namesIn(group: string): Promise<readonly string[]> {
  return ((await rowsByGroup())[group] ?? []).map(({ name }) => name);
}

async function assertShown(group: string, name = NAME): Promise<void> {
  const names = await namesIn(group);
  assert.ok(names.includes(name), `${name} is not in ${group}: ${names.join('; ')}`);
}

const untilShown = (group: string, name = NAME) => soon(() => assertShown(group, name));
const untilGone = (group: string, name: string) =>
  soon(async () => assert.ok(!(await namesIn(group)).includes(name), `${name} is still in ${group}`));

/** Changes the stream at the service and has the person look. */
async function has(calm: Calm, fields: Partial<DemoStream>): Promise<string> {
  const { id } = calmStream(calm);
  calm.service.demo.control.setStream(id, fields);
  await calm.product.run('retry', await nodeOf(calm));
  await untilTrue(calm);
  return id;
}

/** The row says what the service has. */
async function untilTrue(calm: Calm): Promise<void> {
  await soon(async () => {
    const stream = calmStream(calm);
    const rows = await rowsByGroup();
    const row = rows[stream.isActive ? 'Active' : 'Idle']?.find(({ name }) => name === stream.name);
    assert.equal(readSpoken(row?.ariaLabel ?? 'no row').facts, servedFacts(stream, calm.service.face, Date.now()));
    const isRecording = (rows['Recording On'] ?? []).some(({ name }) => name === stream.name);
    assert.equal(isRecording, stream.record, 'under Recording');
  });
}

async function groupOf({ product }: Calm, name: string): Promise<HostRow> {
  const found = (await product.rows()).find(({ label }) => label === name);
  return found ?? assert.fail(`There is no ${name}`);
}

async function rowOf(calm: Calm): Promise<HostRow> {
  const { id, isActive } = calmStream(calm);
  const rows = await calm.product.rows(await groupOf(calm, isActive ? 'Active' : 'Idle'));
  return rows.find(({ node }) => Reflect.get(Object(node), 'streamId') === id) ?? assert.fail('It has no row');
}

const nodeOf = async (calm: Calm): Promise<unknown> => (await rowOf(calm)).node;

async function soonShows(calm: Calm, words: RegExp): Promise<void> {
  await soon(async () => assert.match(String((await rowOf(calm)).description), words));
}

/** Broadcasts to a server of its own while something is looked at. */
async function broadcast(calm: Calm, look: (server: RtmpServer) => Promise<void>): Promise<void> {
  const server = await startRtmpServer();
  const { addresses } = calm.service.demo;
  try {
    await calm.product.run('setAddresses', { ...addresses, rtmp: `rtmp://127.0.0.1:${server.port}/live/{streamKey}` });
    confirm(calm);
    await calm.product.run('startTestBroadcast', { id: calm.streamId, source: 'pattern', seconds: 600 });
    await look(server);
  } finally {
    await server.close();
    await calm.product.run('setAddresses', addresses);
  }
}

const confirm = ({ product }: Calm): void => {
  product.window.choose = ([first]) => first;
};

/** A change of the stream: what it was before, and what is to be seen of it at the service; then the row says it. */
const changes =
  (command: string, before: Partial<DemoStream>, isDone: (stream: DemoStream) => boolean): Effect =>
  async (calm) => {
    const id = await has(calm, before);
    confirm(calm);
    await calm.product.run(command, id);
    await soon(() => assert.ok(isDone(calmStream(calm)), 'nothing has changed at the service'));
    await untilTrue(calm);
  };

const copies =
  (command: string, expected: (stream: DemoStream, calm: Calm) => string | undefined): Effect =>
  async (calm) => {
    await calm.product.run(command, calmStream(calm).id);
    await isCopied(expected(calmStream(calm), calm));
  };

const copiesOfSession =
  (command: string, expected: (session: DemoSession) => string | undefined): Effect =>
  async (calm) => {
    await calm.product.run(command, recorded(calm).id);
    await isCopied(expected(recorded(calm)));
  };

async function isCopied(expected: string | undefined): Promise<void> {
  await soon(async () => assert.equal(await vscode.env.clipboard.readText(), expected));
}

const opens =
  (command: string, expected: (stream: DemoStream, calm: Calm) => string | undefined): Effect =>
  async (calm) => {
    await calm.product.run(command, calmStream(calm).id);
    await areOpened(calm, expected(calmStream(calm), calm));
  };

const opensOfSession =
  (command: string, expected: (session: DemoSession) => string | undefined): Effect =>
  async (calm) => {
    await calm.product.run(command, recorded(calm).id);
    await areOpened(calm, expected(recorded(calm)));
  };

/** What is on this machine is reached by another origin from where the window is. */
async function areOpened({ product, service }: Calm, expected: string | undefined): Promise<void> {
  const path = expected?.replace(new URL(service.demo.baseUrl).origin, '') ?? 'no address';
  await soon(() => {
    const { opened } = product.window;
    assert.ok(opened.length === 1 && opened[0]?.endsWith(path), `${opened.join()} is not ${path}`);
  });
}

/** A tab of its own, named after the stream. */
const showsTab =
  (command: string, given: (calm: Calm) => string): Effect =>
  async (calm) => {
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
    await calm.product.run(command, given(calm));
    await soon(() => assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes(NAME)));
  };

async function untilDocument(isRight: (json: unknown, text: string) => boolean): Promise<void> {
  await soon(() => {
    const text = shownText();
    assert.ok(text !== '' && isRight(JSON.parse(text), text), text.slice(0, 300) || 'no document');
  });
}

const tabLabel = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
const shownText = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';

const idOf = (json: unknown): unknown => Reflect.get(Object(json), 'id');

/** Has the first row of the box chosen, once there is one. */
async function accepting(run: Promise<unknown>): Promise<void> {
  let isOpen = true;
  const ended = run.finally(() => {
    isOpen = false;
  });
  const end = Date.now() + WITHIN_MS;
  while (isOpen && Date.now() < end) {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await Promise.race([ended, wait(100)]);
  }
  await ended;
}

async function typing(run: Promise<unknown>, key: string): Promise<void> {
  let isOpen = true;
  const ended = run.finally(() => {
    isOpen = false;
  });
  const end = Date.now() + WITHIN_MS;
  // What is typed before the box is there goes to the tree.
  await Promise.race([ended, wait(500)]);
  while (isOpen && Date.now() < end) {
    for (const each of ['ControlOrMeta+a', key, 'Enter']) await press(each);
    await Promise.race([ended, wait(200)]);
  }
  await ended;
}

const selected = ({ product }: Calm): unknown => Reflect.get(Object(product.view.selection[0]), 'streamId');
const context = ({ product }: Calm, key: string): unknown => product.window.contexts.get(`liveStreams.${key}`);

async function renamesByKey(calm: Calm): Promise<void> {
  const { id } = calmStream(calm);
  const { control } = calm.service.demo;
  const nameNow = () => control.streams().find((stream) => stream.id === id)?.name;
  await typing(calm.product.run('renameStream', [await nodeOf(calm), 'key']), 'q');
  assert.equal(nameNow(), 'q');
  await untilShown('Idle', 'q');
  await calm.product.run('renameStream', id, NAME);
  await untilShown('Idle');
}

/** By the command: lists do not outweigh for a while what was read back of a stream. */
async function remove(calm: Calm, group: string, name: string, id: string | undefined): Promise<void> {
  confirm(calm);
  await calm.product.run('deleteStream', id);
  await untilGone(group, name);
}

const deletes =
  (given: (calm: Calm, id: string) => Promise<unknown>): Effect =>
  async (calm) => {
    const { control } = calm.service.demo;
    const name = `${NAME} doomed`;
    const { id } = control.addStream({ name, ...seenLast() });
    await calm.product.run('refresh');
    await untilShown('Idle', name);
    confirm(calm);
    await calm.product.run('deleteStream', await given(calm, id));
    await soon(() => assert.ok(!control.streams().some((stream) => stream.id === id), 'still there'));
    await untilGone('Idle', name);
  };

async function rowOfId(calm: Calm, id: string): Promise<unknown> {
  const rows = await calm.product.rows(await groupOf(calm, 'Idle'));
  return rows.find(({ node }) => Reflect.get(Object(node), 'streamId') === id)?.node;
}

const extraConnection = async (calm: Calm): Promise<number> => {
  const { product, service } = calm;
  const before = (await product.secretKeys()).length;
  const { baseUrl, demo } = service;
  await product.run('addConnection', { name: 'Extra', baseUrl, apiKey: demo.apiKey });
  await soon(async () => assert.equal((await product.secretKeys()).length, before + 1));
  await soon(() => assert.match(product.view.description ?? '', /^Extra/));
  return before;
};

async function removeExtra(calm: Calm, name: string): Promise<void> {
  const before = (await calm.product.secretKeys()).length;
  confirm(calm);
  await calm.product.run('removeConnection', name);
  await soon(async () => assert.equal((await calm.product.secretKeys()).length, before - 1));
  await calm.product.run('switchConnection', calm.service.name);
  await openGroups(calm.product);
}

/**
 * Renamed at the service: idle streams are looked at only when somebody wants that. What was read back of a stream after a
 * change outweighs lists for as long as this waits, so it is one that no command has changed.
 */
const looksAgain =
  (run: (calm: Calm) => Promise<unknown>): Effect =>
  async (calm) => {
    const { control } = calm.service.demo;
    const [name, other] = [`${NAME} unchanged`, `${NAME} renamed there`];
    const { id } = control.addStream({ name, ...seenLast() });
    await calm.product.run('refresh');
    await untilShown('Idle', name);
    control.setStream(id, { name: other });
    await run(calm);
    await untilShown('Idle', other);
    await remove(calm, 'Idle', other, id);
  };

async function filtered(calm: Calm): Promise<void> {
  await calm.product.run('filterStreams', { text: NAME });
  await soon(async () => assert.deepEqual(await namesIn('Idle'), [NAME]));
}

/** After Collapse All, VS Code collapses rows that come back. */
async function unfiltered(calm: Calm): Promise<void> {
  await soon(async () => assert.ok((await rowsByGroup())['Recording On']));
  await openGroups(calm.product);
  await soon(async () => assert.ok((await namesIn('Idle')).length > 5));
}

/** By command: what it must have brought about. */
const DELIVERED = JSON.stringify({ event: 'stream.started', stream: {} });

function addWebhook({ service }: Calm, name = 'Website'): DemoWebhook {
  const url = 'https://www.studio.example/hook';
  return service.demo.control.addWebhook({ name, url, events: ['stream.started'] });
}

const TARGET_URL = 'rtmps://live.example/app/key-of-nobody';

/** On the stream of the calm, beside those that it has. Returns its id. */
function addTarget(calm: Calm, fields: { readonly name: string; readonly disabled?: boolean }): string {
  const { control } = calm.service.demo;
  const { id } = control.addTarget({ ...fields, url: TARGET_URL });
  const targets = [...(calmStream(calm).multistream?.targets ?? []), { id, profile: 'source' }];
  control.setStream(calm.streamId, { multistream: { targets } });
  return id;
}

/** Of the recording of the calm, ready at the next request. */
function addClip(calm: Calm, name: string): DemoClip {
  const createdAt = Date.now() - 10_000;
  return calm.service.demo.control.addClip(recorded(calm).id, { name, createdAt, excerpt: { from: 0, to: 2 } });
}

function clipsOf(calm: Calm): readonly DemoClip[] {
  return calm.service.demo.control.clips();
}

function targetsOfCalm(calm: Calm): readonly DemoTarget[] {
  const ids = new Set(calmStream(calm).multistream?.targets.map(({ id }) => id));
  return calm.service.demo.control.targets().filter(({ id }) => ids.has(id));
}

/** Of a webhook of its own, with this delivery alone. */
function deliveryOf(calm: Calm): { readonly webhookId: string; readonly id: string } {
  const { id: webhookId, url } = addWebhook(calm);
  const id = `delivered-${webhookId}`;
  const delivery: DemoDelivery = {
    ...{ id, webhookId, event: 'stream.started', createdAt: Date.now(), duration: 0.1, success: true },
    resourceId: calm.streamId,
    request: { url, method: 'POST', headers: { 'content-type': 'application/json' }, body: DELIVERED },
    response: { status: 200, statusText: 'OK', body: '' },
  };
  calm.service.demo.control.setDeliveries(webhookId, [delivery]);
  return { webhookId, id };
}

/** A handler gets one event, and accepts it. */
async function handling(calm: Calm, send: (url: string) => Promise<unknown>): Promise<void> {
  const handler = await startServer((_request, response) => response.end('ok'));
  try {
    await send(`${handler.url}/events`);
    await soon(() => assert.deepEqual(fieldsOf(handler.requests, 'url'), ['/events']));
    await soon(async () => assert.match(calm.product.window.flashes.join('\n'), / to 127\.0\.0\.1:\d+\/events/));
  } finally {
    await handler.close();
  }
}

/** Whether the log of the webhook was asked for with such a query. */
function asked({ service }: Calm, webhookId: string, query: RegExp): boolean {
  return service.demo.control.requests.some(
    (request) => request.path.endsWith(`/${webhookId}/log`) && query.test(decodeURIComponent(request.query)),
  );
}

async function insertsGo({ product }: Calm, command: string, code: RegExp): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: '', language: 'go' });
  await vscode.window.showTextDocument(document);
  await product.run(command);
  try {
    await soon(() => assert.match(document.getText(), code));
  } finally {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

const EFFECTS: Readonly<Record<string, Effect>> = {
  goToStream: async (calm) => {
    await calm.product.run('goToStream', calmStream(calm).id);
    await soon(() => assert.equal(selected(calm), calmStream(calm).id));
  },
  goToLiveStream: async (calm) => {
    await accepting(calm.product.run('goToLiveStream'));
    const live = calm.service.demo.control.streams().filter(({ isActive }) => isActive);
    await soon(() =>
      assert.ok(
        live.some(({ id }) => id === selected(calm)),
        'no live stream is selected',
      ),
    );
  },
  turnRecordingOn: changes('turnRecordingOn', { record: false }, ({ record }) => record),
  turnRecordingOff: changes('turnRecordingOff', { record: true }, ({ record }) => !record),
  suspendStream: changes('suspendStream', { suspended: false }, ({ suspended }) => suspended),
  resumeStream: changes('resumeStream', { suspended: true }, ({ suspended }) => !suspended),
  endBroadcast: async (calm) => {
    const { control } = calm.service.demo;
    const name = `${NAME} live`;
    const { id } = control.addStream({ name, ...seenLast() });
    control.startBroadcast(id);
    await calm.product.run('refresh');
    await untilShown('Active', name);
    confirm(calm);
    await calm.product.run('endBroadcast', id);
    await soon(() => assert.equal(control.streams().find((stream) => stream.id === id)?.isActive, false));
    await untilGone('Active', name);
    await remove(calm, 'Idle', name, id);
  },
  deleteStream: async (calm) => {
    await deletes(async (_, id) => id)(calm);
    await deletes(async (_, id) => [await rowOfId(calm, id), 'key'])(calm);
  },
  renameStream: async (calm) => {
    const { id } = calmStream(calm);
    await calm.product.run('renameStream', id, `${NAME} renamed`);
    await soon(() => assert.equal(calmStream(calm).name, `${NAME} renamed`));
    await untilTrue(calm);
    await calm.product.run('renameStream', id, NAME);
    await untilTrue(calm);
    await renamesByKey(calm);
    // What was read back outweighs lists until one agrees: the next effect may rename it at the service.
    await calm.product.run('refresh');
  },
  createStream: async (calm) => {
    const name = `${NAME} created`;
    await calm.product.run('createStream', { name, record: false });
    const { control } = calm.service.demo;
    const made = () => control.streams().find((stream) => stream.name === name);
    await soon(() => assert.ok(made()));
    await untilShown('Idle', name);
    await remove(calm, 'Idle', name, made()?.id);
  },
  copyStreamKey: copies('copyStreamKey', ({ streamKey }) => streamKey),
  copyPlaybackId: async (calm) => {
    await copies('copyPlaybackId', ({ playbackId }) => playbackId)(calm);
    await vscode.env.clipboard.writeText('');
    await calm.product.run('copyPlaybackId', [await nodeOf(calm), 'key']);
    await isCopied(calmStream(calm).playbackId);
  },
  copyStreamId: copies('copyStreamId', ({ id }) => id),
  copyIngestServer: copies('copyIngestServer', (_, { service }) =>
    service.demo.addresses.rtmp?.replace('/{streamKey}', ''),
  ),
  copyIngestUrl: copies('copyIngestUrl', ({ streamKey }, { service }) =>
    fillTemplate(service.demo.addresses.rtmp ?? '', { streamKey }),
  ),
  copyPlaybackUrl: copies('copyPlaybackUrl', ({ playbackId }, { service }) =>
    fillTemplate(service.demo.addresses.hls ?? '', { playbackId }),
  ),
  copyPlayerUrl: copies('copyPlayerUrl', ({ playbackId }, { service }) =>
    fillTemplate(service.demo.addresses.player ?? '', { playbackId }),
  ),
  copyValue: async (calm) => {
    await vscode.env.clipboard.writeText('');
    await accepting(calm.product.run('copyValue'));
    const { control, addresses } = calm.service.demo;
    const urls = control.streams().map(({ playbackId }) => fillTemplate(addresses.hls ?? '', { playbackId }));
    await soon(async () =>
      assert.ok(urls.includes(await vscode.env.clipboard.readText()), 'the first that is offered'),
    );
  },
  copyLink: async (calm) => {
    await calm.product.run('copyLink', calmStream(calm).id);
    await soon(async () => assert.ok((await vscode.env.clipboard.readText()).includes(calmStream(calm).id)));
  },
  showStream: showsTab('showStream', (calm) => calmStream(calm).id),
  watchStream: showsTab('watchStream', (calm) => calmStream(calm).id),
  showSession: showsTab('showSession', (calm) => recorded(calm).id),
  openRecording: showsTab('openRecording', (calm) => recorded(calm).id),
  searchRecordings: async (calm) => {
    await accepting(calm.product.run('searchRecordings'));
    await soon(() => assert.notEqual(vscode.window.tabGroups.activeTabGroup.activeTab, undefined));
  },
  openPlayerPage: opens('openPlayerPage', ({ playbackId }, { service }) =>
    fillTemplate(service.demo.addresses.player ?? '', { playbackId }),
  ),
  openDashboard: opens('openDashboard', ({ id }, { service }) =>
    fillTemplate(service.demo.addresses.dashboard ?? '', { id }),
  ),
  openRecordingInBrowser: opensOfSession('openRecordingInBrowser', ({ mp4Url }) => mp4Url),
  copyRecordingUrl: copiesOfSession('copyRecordingUrl', ({ recordingUrl }) => recordingUrl),
  copyMp4Url: copiesOfSession('copyMp4Url', ({ mp4Url }) => mp4Url),
  copySessionId: copiesOfSession('copySessionId', ({ id }) => id),
  openJson: async (calm) => {
    await calm.product.run('openJson', calmStream(calm).id);
    await untilDocument((json) => idOf(json) === calmStream(calm).id);
    await calm.product.run('openJson', recorded(calm).id);
    await untilDocument((json) => idOf(json) === recorded(calm).id);
    await calm.product.run('openJson', { which: 'all', historicChildStreams: false });
    const count = calm.service.demo.control.streams().filter(({ parentId }) => parentId === undefined).length;
    await untilDocument((json) => Array.isArray(json) && json.length === count);
  },
  revealSecrets: async (calm) => {
    const { id, streamKey = '' } = calmStream(calm);
    await calm.product.run('openJson', id);
    await untilDocument((json, text) => idOf(json) === id && !text.includes(streamKey));
    await calm.product.run('revealSecrets');
    await untilDocument((_, text) => text.includes(streamKey));
  },
  refresh: looksAgain(({ product }) => product.run('refresh')),
  loadMore: async (calm) => {
    const idle = await groupOf(calm, 'Idle');
    const more = (await calm.product.rows(idle)).find(({ contextValue }) => contextValue.startsWith('more'));
    assert.ok(more, 'everything is loaded');
    const { length: before } = await namesIn('Idle');
    await calm.product.run('loadMore', more.node);
    await soon(async () => assert.ok((await namesIn('Idle')).length > before));
  },
  retry: async (calm) => {
    const idle = await groupOf(calm, 'Idle');
    const retryRow = async () =>
      (await calm.product.rows(idle)).find(({ node }) => Reflect.get(Object(node), 'kind') === 'retry');
    calm.service.fail(
      (path, query) => path.endsWith('/stream') && query.includes('%22isActive%22%2C%22value%22%3Afalse'),
    );
    await calm.product.run('retry', idle.node);
    await soon(async () => assert.ok(await retryRow(), 'no row says that it failed'));
    await calm.service.recover();
    await calm.product.run('retry', (await retryRow())?.node);
    await soon(async () => assert.equal(await retryRow(), undefined));
  },
  filterStreams: async (calm) => {
    await filtered(calm);
    await calm.product.run('filterStreams', { text: '' });
    await unfiltered(calm);
  },
  clearFilter: async (calm) => {
    await filtered(calm);
    await calm.product.run('clearFilter');
    await unfiltered(calm);
  },
  sortStreams: async (calm) => {
    const names = () => namesIn('Idle');
    const byName = async () => (await names()).filter((name) => /^[\da-z]/i.test(name) && name !== 'Load More');
    const before = await names();
    await calm.product.run('sortStreams', { by: 'name' });
    await soon(async () => {
      assert.notDeepEqual(await names(), before);
      assert.deepEqual(await byName(), (await byName()).toSorted(new Intl.Collator('en').compare));
    });
    await calm.product.run('sortStreams', { by: 'lastSeen' });
    // The list is requested anew, which fills its page again.
    const known = async () => (await names()).filter((name) => before.includes(name));
    await soon(async () => assert.deepEqual(await known(), before));
  },
  showRecordedSessions: async (calm) => {
    await calm.product.run('showRecordedSessions');
    await soon(() => assert.equal(context(calm, 'recordingsRecordedOnly'), true));
  },
  showAllSessions: async (calm) => {
    await calm.product.run('showRecordedSessions');
    await calm.product.run('showAllSessions');
    await soon(() => assert.equal(context(calm, 'recordingsRecordedOnly'), false));
  },
  showAllConnections: async (calm) => {
    await calm.product.run('showAllConnections');
    await soon(() => assert.equal(context(calm, 'showsAllConnections'), true));
    await calm.product.run('showOneConnection');
    await openGroups(calm.product);
  },
  showOneConnection: async (calm) => {
    await calm.product.run('showOneConnection');
    await soon(() => assert.equal(context(calm, 'showsAllConnections'), false));
  },
  collapseStreams: async (calm) => {
    await calm.product.run('collapseStreams');
    await soon(async () => assert.deepEqual((await rowsByGroup()).Idle, []));
    await openGroups(calm.product);
  },
  collapseRecordings: (calm) => calm.product.run('collapseRecordings'),
  switchConnection: async (calm) => {
    await calm.product.run('switchConnection', 'Strict');
    await soon(() => assert.match(calm.product.view.description ?? '', /^Strict/));
    await calm.product.run('switchConnection', calm.service.name);
    await openGroups(calm.product);
  },
  addConnection: async (calm) => {
    await extraConnection(calm);
    await removeExtra(calm, 'Extra');
  },
  renameConnection: async (calm) => {
    await extraConnection(calm);
    await calm.product.run('renameConnection', 'Extra', 'Other');
    await soon(() => assert.match(calm.product.view.description ?? '', /^Other/));
    await removeExtra(calm, 'Other');
  },
  dismissConnection: async (calm) => {
    const { product } = calm;
    const connectionKeys = async () => (await product.secretKeys()).filter((key) => key.startsWith('connection/'));
    const before = await connectionKeys();
    await extraConnection(calm);
    const [key = ''] = (await connectionKeys()).filter((each) => !before.includes(each));
    await product.run('switchConnection', calm.service.name);
    await product.run('showAllConnections');
    const roots = async () => (await product.rows()).map(({ node }) => Object(node));
    const shown = async () => (await roots()).filter(({ kind }) => kind === 'connection').length;
    await soon(async () => assert.equal(await shown(), (await connectionKeys()).length));
    // As another window removes it.
    const { globalState, secrets } = product.context;
    const notes = globalState.keys().filter((each) => each.endsWith(key.slice(key.indexOf('/'))));
    for (const note of notes) await globalState.update(note, undefined);
    await secrets.delete(key);
    const removed = async () => (await roots()).find((node) => node.removed !== undefined);
    await soon(async () => assert.ok(await removed()));
    await product.run('dismissConnection', await removed());
    await soon(async () => assert.equal(await removed(), undefined));
    await product.run('showOneConnection');
    await openGroups(product);
  },
  removeConnection: async (calm) => {
    await extraConnection(calm);
    await removeExtra(calm, 'Extra');
  },
  setApiKey: async (calm) => {
    const { demo } = calm.service;
    const notice = async () =>
      (await calm.product.rows()).some(({ node }) => Reflect.get(Object(node), 'kind') === 'notice');
    demo.control.revokeKey();
    await calm.product.run('refresh');
    await soon(async () => assert.ok(await notice(), 'no row says that the key is refused'));
    demo.control.restoreKey();
    await calm.product.run('setApiKey', { apiKey: demo.apiKey });
    await soon(async () => assert.ok(!(await notice())));
    await openGroups(calm.product);
  },
  setAddresses: async (calm) => {
    const { baseUrl, demo } = calm.service;
    const written = () =>
      Object(vscode.workspace.getConfiguration('liveStreams').get('addresses'))[new URL(baseUrl).origin];
    await calm.product.run('setAddresses', { rtmp: 'rtmp://127.0.0.1/other', hls: demo.addresses.hls });
    await soon(() => assert.equal(written().rtmp, 'rtmp://127.0.0.1/other/{streamKey}'));
    await calm.product.run('setAddresses', demo.addresses);
    await soon(() => assert.deepEqual(written(), demo.addresses));
  },
  chooseNotifications: async (calm) => {
    const written = () => vscode.workspace.getConfiguration('liveStreams').get('notifications');
    await calm.product.run('chooseNotifications', { kinds: ['streamEnded'] });
    await soon(() => assert.deepEqual(written(), ['streamEnded']));
    await calm.product.run('chooseNotifications', { kinds: [] });
    await soon(() => assert.deepEqual(written(), []));
  },
  startDemo: async (calm) => {
    await calm.product.run('startDemo');
    await soon(() => assert.equal(context(calm, 'isDemo'), true));
    await calm.product.run('switchConnection', calm.service.name);
    await calm.product.run('stopDemo');
    await soon(() => assert.equal(context(calm, 'isDemo'), false));
    await openGroups(calm.product);
  },
  stopDemo: async (calm) => {
    await calm.product.run('startDemo');
    await soon(() => assert.equal(context(calm, 'isDemo'), true));
    await calm.product.run('stopDemo');
    await soon(() => assert.equal(context(calm, 'isDemo'), false));
    await openGroups(calm.product);
  },
  createClip: async (calm) => {
    // The service makes no clips of a suspended stream.
    calm.service.demo.control.setStream(calm.streamId, { suspended: false });
    await calm.product.run('createClip', { id: recorded(calm).id, from: 1, to: 3, name: 'Created' });
    await soon(() => {
      const made = clipsOf(calm).filter(({ name }) => name === 'Created');
      assert.partialDeepStrictEqual(made, [{ status: { phase: 'ready' } }]);
    });
  },
  openClip: async (calm) => {
    const { id, name } = addClip(calm, 'Opened');
    await calm.product.run('openClip', { id });
    await soon(() => assert.equal(tabLabel(), name));
  },
  downloadClip: async (calm) => {
    const target = calm.newFile();
    await calm.product.run('downloadClip', { id: addClip(calm, 'Downloaded').id, target });
    await soon(() => assert.ok(existsSync(target) && statSync(target).size > 1000, 'no file'));
  },
  copyClipUrl: async (calm) => {
    const { id } = addClip(calm, 'Copied');
    await calm.product.run('copyClipUrl', { id });
    await isCopied(clipsOf(calm).find((clip) => clip.id === id)?.downloadUrl);
  },
  deleteClip: async (calm) => {
    const { id } = addClip(calm, 'Deleted');
    confirm(calm);
    await calm.product.run('deleteClip', { id });
    await soon(() => assert.equal(clipsOf(calm).find((clip) => clip.id === id)?.isDeleted, true));
  },
  downloadMp4: async (calm) => {
    const target = calm.newFile();
    await calm.product.run('downloadMp4', { id: recorded(calm).id, target });
    await soon(() => assert.ok(existsSync(target) && statSync(target).size > 1000, 'no file'));
  },
  checkStream: async (calm) => {
    const streams = calm.service.demo.control.streams();
    const { id, name } =
      streams.find(({ isActive, parentId }) => isActive && parentId === undefined) ?? calmStream(calm);
    await calm.product.run('checkStream', id);
    await soon(() => assert.equal(tabLabel(), `${name} (Check)`));
  },
  inspectPlayback: async (calm) => {
    await calm.product.run('inspectPlayback', calmStream(calm).playbackId);
    await soon(() => assert.match(tabLabel(), / \(Check\)$/));
  },
  startTestBroadcast: async (calm) => {
    await broadcast(calm, async (server) => {
      await soon(() => assert.ok(server.received().length > 20, 'the server receives little'));
      await soonShows(calm, /test broadcast/);
      await calm.product.run('stopTestBroadcast', calm.streamId);
    });
  },
  stopTestBroadcast: async (calm) => {
    await broadcast(calm, async (server) => {
      await calm.product.run('stopTestBroadcast');
      await soon(() => assert.ok(server.sockets.every(({ destroyed }) => destroyed)));
    });
  },
  insertSnippet: async (calm) => {
    const document = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
    await calm.product.run('insertSnippet', { id: calm.streamId, form: 'id' });
    try {
      await soon(() => assert.equal(document.getText(), calm.streamId));
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  },
  insertWebhookHandler: (calm) =>
    insertsGo(calm, 'insertWebhookHandler', /^package main\n[\s\S]*"LIVEPEER_WEBHOOK_SECRET"/),
  insertTokenSigner: (calm) => insertsGo(calm, 'insertTokenSigner', /^package main\n[\s\S]*"LIVEPEER_PRIVATE_KEY"/),
  findLeakedKeys: async (calm) => {
    const key = calm.service.demo.control.streams().find(({ id }) => id === calm.streamId)?.streamKey ?? '';
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
    const uri = vscode.Uri.joinPath(folder, 'leaked.txt');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`${key}\n`));
    try {
      await calm.product.run('findLeakedKeys');
      await soon(() => assert.equal(vscode.languages.getDiagnostics(uri).length, 1));
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  },
  createWebhook: async (calm) => {
    const url = 'https://www.studio.example/created';
    await calm.product.run('createWebhook', { name: 'Created', url, events: ['stream.idle'] });
    await soon(() => assert.ok(calm.service.demo.control.webhooks().some((webhook) => webhook.url === url)));
  },
  editWebhook: async (calm) => {
    const { id } = addWebhook(calm);
    await calm.product.run('editWebhook', { id, name: 'Edited' });
    const { control } = calm.service.demo;
    await soon(() => assert.equal(control.webhooks().find((webhook) => webhook.id === id)?.name, 'Edited'));
  },
  deleteWebhook: async (calm) => {
    const { id } = addWebhook(calm);
    confirm(calm);
    await calm.product.run('deleteWebhook', { id });
    await soon(() => assert.ok(!calm.service.demo.control.webhooks().some((webhook) => webhook.id === id)));
  },
  refreshWebhooks: async (calm) => {
    const { control } = calm.service.demo;
    control.clearRequests();
    await calm.product.run('refreshWebhooks');
    await soon(() => assert.ok(control.requests.some(({ path }) => path.endsWith('/webhook'))));
  },
  collapseWebhooks: (calm) => calm.product.run('collapseWebhooks'),
  filterDeliveries: async (calm) => {
    const { id } = addWebhook(calm);
    await calm.product.run('filterDeliveries', { id, failedOnly: true });
    await soon(() => assert.ok(asked(calm, id, /success/), 'the service was not asked for failed ones'));
  },
  clearDeliveryFilter: async (calm) => {
    const { id } = addWebhook(calm);
    await calm.product.run('filterDeliveries', { id, failedOnly: true });
    await calm.product.run('clearDeliveryFilter', { id });
    await soon(() => assert.ok(asked(calm, id, /^(?!.*success)/), 'the service was not asked for all'));
  },
  openDelivery: async (calm) => {
    await calm.product.run('openDelivery', deliveryOf(calm));
    await soon(() => assert.match(tabLabel() ?? '', /^stream\.started · .* · .*\d:\d\d.* \(Delivery\)$/));
  },
  resendDelivery: async (calm) => {
    const delivery = deliveryOf(calm);
    confirm(calm);
    await calm.product.run('resendDelivery', delivery);
    await soon(() => assert.equal(calm.service.demo.control.deliveries(delivery.webhookId).length, 2));
  },
  copyDeliveryAsCurl: async (calm) => {
    await calm.product.run('copyDeliveryAsCurl', deliveryOf(calm));
    await soon(async () => assert.match(await vscode.env.clipboard.readText(), /^curl /));
  },
  copyDeliveryBody: async (calm) => {
    await calm.product.run('copyDeliveryBody', deliveryOf(calm));
    await isCopied(DELIVERED);
  },
  replayDelivery: (calm) => handling(calm, (url) => calm.product.run('replayDelivery', { ...deliveryOf(calm), url })),
  sendTestEvent: (calm) =>
    handling(calm, (url) => calm.product.run('sendTestEvent', { event: 'stream.started', id: calm.streamId, url })),
  sendEditedEvent: (calm) =>
    handling(calm, async (url) => {
      const document = await vscode.workspace.openTextDocument({ content: DELIVERED, language: 'json' });
      await vscode.window.showTextDocument(document);
      await calm.product.run('sendEditedEvent', { url });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }),
  listenForEvents: async (calm) => {
    await calm.product.run('listenForEvents', { url: 'http://127.0.0.1:9/events' });
    await soon(() => assert.equal(context(calm, 'isListening'), true));
    await calm.product.run('stopListening');
  },
  stopListening: async (calm) => {
    await calm.product.run('listenForEvents', { url: 'http://127.0.0.1:9/events' });
    await calm.product.run('stopListening');
    await soon(() => assert.equal(context(calm, 'isListening'), false));
  },
  copyWebhookSecret: async (calm) => {
    const { id } = addWebhook(calm);
    confirm(calm);
    await calm.product.run('editWebhook', { id, secret: 'kept-by-the-calm' });
    await calm.product.run('copyWebhookSecret', { id });
    await isCopied('kept-by-the-calm');
  },
  editTags: async (calm) => {
    await calm.product.run('editTags', { id: calm.streamId, tags: { event: 'Summit' } });
    await soon(() => assert.deepEqual(calmStream(calm).userTags, { event: 'Summit' }));
    await calm.product.run('editTags', { id: calm.streamId, tags: {} });
    await soon(() => assert.deepEqual(calmStream(calm).userTags, {}));
  },
  editRenditions: async (calm) => {
    const { profiles } = calmStream(calm);
    const other = [{ name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 }];
    await calm.product.run('editRenditions', { id: calm.streamId, profiles: other });
    await soon(() => assert.deepEqual(calmStream(calm).profiles, other));
    await calm.product.run('editRenditions', { id: calm.streamId, profiles });
    await soon(() => assert.deepEqual(calmStream(calm).profiles, profiles));
  },
  setPlaybackPolicy: async (calm) => {
    await calm.product.run('setPlaybackPolicy', { id: calm.streamId, type: 'jwt' });
    await soon(() => assert.equal(calmStream(calm).playbackPolicy?.type, 'jwt'));
    await calm.product.run('setPlaybackPolicy', { id: calm.streamId, type: 'public' });
    await soon(() => assert.equal(calmStream(calm).playbackPolicy?.type, 'public'));
  },
  addMultistreamTarget: async (calm) => {
    await calm.product.run('addMultistreamTarget', { id: calm.streamId, name: 'Added', url: TARGET_URL });
    await soon(() => assert.ok(targetsOfCalm(calm).some(({ name }) => name === 'Added')));
  },
  turnOnMultistreamTarget: async (calm) => {
    const targetId = addTarget(calm, { name: 'Turned on', disabled: true });
    await calm.product.run('turnOnMultistreamTarget', { id: calm.streamId, targetId });
    await soon(() => assert.equal(targetsOfCalm(calm).find(({ id }) => id === targetId)?.disabled, false));
  },
  turnOffMultistreamTarget: async (calm) => {
    const targetId = addTarget(calm, { name: 'Turned off' });
    await calm.product.run('turnOffMultistreamTarget', { id: calm.streamId, targetId });
    await soon(() => assert.equal(targetsOfCalm(calm).find(({ id }) => id === targetId)?.disabled, true));
  },
  removeMultistreamTarget: async (calm) => {
    const targetId = addTarget(calm, { name: 'Removed' });
    confirm(calm);
    await calm.product.run('removeMultistreamTarget', { id: calm.streamId, targetId });
    await soon(() => assert.ok(!targetsOfCalm(calm).some(({ id }) => id === targetId)));
  },
  copyPlaybackUrlWithToken: async (calm) => {
    await calm.product.run('createSigningKey', { name: 'Signs' });
    await calm.product.run('setPlaybackPolicy', { id: calm.streamId, type: 'jwt' });
    await calm.product.run('copyPlaybackUrlWithToken', { id: calm.streamId, seconds: 3600 });
    await soon(async () => assert.match(await vscode.env.clipboard.readText(), /index\.m3u8\?jwt=eyJ[\w.-]+$/));
    await calm.product.run('setPlaybackPolicy', { id: calm.streamId, type: 'public' });
  },
  createSigningKey: async (calm) => {
    await calm.product.run('createSigningKey', { name: 'Created' });
    await soon(() => assert.ok(calm.service.demo.control.signingKeys().some(({ name }) => name === 'Created')));
  },
  useSigningKey: async (calm) => {
    const { privateKey } = calm.service.demo.control.addSigningKey('Given');
    await calm.product.run('useSigningKey', { privateKey });
    await soon(() => assert.match(calm.product.window.flashes.join('\n'), /signing key "Given"/));
  },
  savePrivateKey: async (calm) => {
    const { privateKey, id } = calm.service.demo.control.addSigningKey('Saved');
    await calm.product.run('useSigningKey', { privateKey });
    await calm.product.run('savePrivateKey', { id });
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
    const uri = vscode.Uri.joinPath(folder, '.env');
    try {
      await soon(async () => assert.ok(Buffer.from(await vscode.workspace.fs.readFile(uri)).includes(privateKey)));
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  },
  deleteSigningKey: async (calm) => {
    const { id } = calm.service.demo.control.addSigningKey('Deleted');
    confirm(calm);
    await calm.product.run('deleteSigningKey', { id });
    await soon(() => assert.ok(!calm.service.demo.control.signingKeys().some((key) => key.id === id)));
  },
  showLog: async (calm) => {
    await calm.product.run('showLog');
    await soon(() =>
      assert.ok(vscode.window.visibleTextEditors.some(({ document }) => document.uri.scheme === 'output')),
    );
    await vscode.commands.executeCommand('workbench.action.closePanel');
  },
  openProxySettings: async (calm) => {
    await calm.product.run('openProxySettings');
    await soon(() => assert.match(tabLabel(), /Settings/));
  },
};
