import * as vscode from 'vscode';
import { COMMANDS as CASES, type Subject } from '../host/everyCommand.ts';
import type { Product } from '../host/product.ts';
import type { FaultyService } from './faultyService.ts';
import { clickRow, press } from './ownWindow.ts';
import type { PaintedViews } from './paintedViews.ts';
import type { Chance } from './random.ts';

/** What the person has before them. */
export interface Scene {
  readonly product: Product;
  readonly services: readonly FaultyService[];
  readonly views: PaintedViews;
  readonly chance: Chance;
  /** An absolute path nobody has used yet. */
  newFile(): string;
}

type Act = (scene: Scene) => Thenable<unknown>;

const NAMES = ['Keynote', 'Town hall', 'a | b', '<b>bold</b>', 'x'.repeat(300), '日本語', '$(flame) hot'];
const SORTS = ['lastSeen', 'name', 'createdAt'];

const streamOf = ({ services, chance }: Scene): string | undefined =>
  chance.pick(chance.pick(services)?.demo.control.streams() ?? [])?.id;

function sessionOf({ services, chance }: Scene): string | undefined {
  const { control } = chance.pick(services)?.demo ?? {};
  const stream = chance.pick(control?.streams() ?? []);
  return stream && chance.pick(control?.sessions(stream.id) ?? [])?.id;
}

function clipOf({ services, chance }: Scene): string {
  return chance.pick(chance.pick(services)?.demo.control.clips() ?? [])?.id ?? 'none';
}

const EVENTS = ['stream.started', 'stream.idle', 'recording.ready', 'no.such.event'];

function webhookOf({ services, chance }: Scene): string {
  return chance.pick(chance.pick(services)?.demo.control.webhooks() ?? [])?.id ?? 'none';
}

function signingKeyOf({ services, chance }: Scene): string {
  return chance.pick(chance.pick(services)?.demo.control.signingKeys() ?? [])?.id ?? 'none';
}

/** One that a stream has, of this or another stream. */
function targetOf(scene: Scene): { readonly id: string; readonly targetId: string } {
  const targets = scene.chance.pick(scene.services)?.demo.control.targets() ?? [];
  return { id: streamOf(scene) ?? 'none', targetId: scene.chance.pick(targets)?.id ?? 'none' };
}

/** There is nothing for events at a service, which answers them with an error. */
const localUrlOf = (service: FaultyService | undefined): string => `${service?.baseUrl}/events`;

/** Take a row of a view. */
const OF_ROW = ['loadMore', 'retry'];
/** What keys of the Streams view run, with the arguments that package.json gives them. */
const BY_KEY: Readonly<Record<string, string>> = {
  'renames by key': 'renameStream',
  'deletes by key': 'deleteStream',
  'copies by key': 'copyPlaybackId',
  'opens details by key': 'showStream',
};
const RENDITION = { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 };

const WITH_WORDS: Readonly<Record<string, Act>> = {
  createStream: ({ product, chance }) =>
    product.run('createStream', { name: chance.pick(NAMES), record: chance.below(2) === 0 }),
  editTags: (scene) =>
    scene.product.run('editTags', { id: streamOf(scene), tags: { event: scene.chance.pick(NAMES) } }),
  editRenditions: (scene) =>
    scene.product.run('editRenditions', { id: streamOf(scene), profiles: scene.chance.pick([[], [RENDITION]]) }),
  renameStream: (scene) => scene.product.run('renameStream', streamOf(scene), scene.chance.pick(NAMES)),
  filterStreams: ({ product, chance }) => product.run('filterStreams', { text: chance.pick(['e', 'Renamed', 'zzz']) }),
  sortStreams: ({ product, chance }) => product.run('sortStreams', { by: chance.pick(SORTS) }),
  switchConnection: ({ product, chance, services }) => product.run('switchConnection', chance.pick(services)?.name),
  addConnection: ({ product, chance, services }) => {
    const [service] = services;
    const apiKey = chance.below(3) === 0 ? 'another-key' : service?.demo.apiKey;
    return product.run('addConnection', { name: 'Extra', baseUrl: service?.baseUrl, apiKey });
  },
  renameConnection: ({ product, chance }) => product.run('renameConnection', 'Extra', chance.pick(['Extra', 'Other'])),
  removeConnection: ({ product }) => product.run('removeConnection', 'Extra'),
  setApiKey: ({ product, chance }) => product.run('setApiKey', { apiKey: `another-key-${chance.below(9)}` }),
  setAddresses: ({ product, chance, services }) => {
    const service = chance.pick(services);
    return product.run('setAddresses', { baseUrl: service?.baseUrl, ...service?.demo.addresses });
  },
  chooseNotifications: ({ product }) => product.run('chooseNotifications', { kinds: [] }),
  // Of an idle stream, it would wait for a broadcast.
  checkStream: (scene) => {
    const streams = scene.chance.pick(scene.services)?.demo.control.streams() ?? [];
    return scene.product.run(
      'checkStream',
      scene.chance.pick(streams.filter(({ isActive }) => isActive))?.id ?? 'none',
    );
  },
  inspectPlayback: (scene) => {
    const streams = scene.chance.pick(scene.services)?.demo.control.streams() ?? [];
    return scene.product.run('inspectPlayback', scene.chance.pick(streams)?.playbackId ?? 'none');
  },
  insertSnippet: (scene) =>
    inText('', () =>
      scene.product.run('insertSnippet', { id: streamOf(scene), form: scene.chance.pick(['id', 'link']) }),
    ),
  insertWebhookHandler: ({ product, chance }) =>
    inText('', () => product.run('insertWebhookHandler'), chance.pick(['go', 'plaintext'])),
  insertTokenSigner: ({ product, chance }) =>
    inText('', () => product.run('insertTokenSigner'), chance.pick(['go', 'plaintext'])),
  createWebhook: ({ product, chance }) =>
    product.run('createWebhook', {
      ...{ name: chance.pick(NAMES), url: 'https://www.studio.example/hook' },
      events: [chance.pick(EVENTS)],
    }),
  editWebhook: (scene) => scene.product.run('editWebhook', { id: webhookOf(scene), name: scene.chance.pick(NAMES) }),
  filterDeliveries: (scene) =>
    scene.product.run('filterDeliveries', { id: webhookOf(scene), failedOnly: scene.chance.below(2) === 0 }),
  listenForEvents: ({ product, services, chance }) =>
    product.run('listenForEvents', { url: localUrlOf(chance.pick(services)) }),
  sendTestEvent: (scene) =>
    scene.product.run('sendTestEvent', {
      ...{ event: scene.chance.pick(EVENTS), id: streamOf(scene) ?? 'none' },
      url: localUrlOf(scene.chance.pick(scene.services)),
    }),
  sendEditedEvent: ({ product, services, chance }) =>
    inText(JSON.stringify({ event: chance.pick(EVENTS) }), () =>
      product.run('sendEditedEvent', { url: localUrlOf(chance.pick(services)) }),
    ),
  setPlaybackPolicy: (scene) =>
    scene.product.run('setPlaybackPolicy', {
      ...{ id: streamOf(scene), type: scene.chance.pick(['public', 'jwt', 'no such policy']) },
      allowedOrigins: scene.chance.pick([[], ['https://www.studio.example']]),
    }),
  addMultistreamTarget: (scene) =>
    scene.product.run('addMultistreamTarget', {
      ...{ id: streamOf(scene), name: scene.chance.pick(NAMES), profile: scene.chance.pick(['source', 'no such']) },
      url: scene.chance.pick(['rtmps://live.example/app/key-of-nobody', 'https://live.example/app/key']),
    }),
  turnOnMultistreamTarget: (scene) => scene.product.run('turnOnMultistreamTarget', targetOf(scene)),
  turnOffMultistreamTarget: (scene) => scene.product.run('turnOffMultistreamTarget', targetOf(scene)),
  removeMultistreamTarget: (scene) => scene.product.run('removeMultistreamTarget', targetOf(scene)),
  copyPlaybackUrlWithToken: (scene) =>
    scene.product.run('copyPlaybackUrlWithToken', { id: streamOf(scene) ?? 'none', seconds: 3600 }),
  createSigningKey: ({ product, chance }) => product.run('createSigningKey', { name: chance.pick(NAMES) }),
  useSigningKey: ({ product }) => product.run('useSigningKey', { privateKey: 'no key' }),
  savePrivateKey: (scene) => scene.product.run('savePrivateKey', { id: signingKeyOf(scene) }),
  deleteSigningKey: (scene) => scene.product.run('deleteSigningKey', { id: signingKeyOf(scene) }),
  startTestBroadcast: (scene) =>
    scene.product.run('startTestBroadcast', {
      id: streamOf(scene),
      source: 'pattern',
      seconds: 1 + scene.chance.below(9),
    }),
  createClip: (scene) =>
    scene.product.run('createClip', {
      ...{ id: scene.chance.pick([streamOf(scene), sessionOf(scene)]), name: scene.chance.pick(NAMES) },
      ...scene.chance.pick([{ seconds: 5 }, { from: 1, to: 3 }, { from: 3, to: 1 }, { seconds: 100_000 }]),
    }),
  openClip: (scene) => scene.product.run('openClip', { id: clipOf(scene) }),
  downloadClip: (scene) => scene.product.run('downloadClip', { id: clipOf(scene), target: scene.newFile() }),
  copyClipUrl: (scene) => scene.product.run('copyClipUrl', { id: clipOf(scene) }),
  deleteClip: (scene) => scene.product.run('deleteClip', { id: clipOf(scene) }),
  downloadMp4: (scene) => scene.product.run('downloadMp4', { id: sessionOf(scene), target: scene.newFile() }),
};

// Asks with a picker where there is no such thing.
const OF_STREAM = commandsOn('stream');
const OF_SESSION = commandsOn('session');
const OF_WEBHOOK = commandsOn('webhook');
const ALONE = [...commandsOn('nothing'), 'openJson'];

/** Those that need nothing else, nor words of their own. */
function commandsOn(subject: Subject): readonly string[] {
  return CASES.filter(([command, { on }]) => on === subject && !(command in WITH_WORDS)).map(([command]) => command);
}

const run = (command: string) => vscode.commands.executeCommand(command);
const focus: Act = ({ chance }) =>
  run(chance.below(4) === 0 ? 'liveStreams.recordings.focus' : 'liveStreams.streams.focus');
const KEYS = ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'PageDown', 'Home', 'End'];
const RARE_KEYS = ['Enter', 'F2', 'Delete', 'Escape', 'Shift+ArrowDown'];

const TO_AND_FRO = 'switches to another connection and back at once';

/** What is done in the window beside commands, and at once with others. */
const IN_WINDOW: Readonly<Record<string, Act>> = {
  [TO_AND_FRO]: ({ product, chance, services }) => {
    const [one, other] = [chance.pick(services)?.name, chance.pick(services)?.name];
    return Promise.all([one, other, one].map((name) => product.run('switchConnection', name)));
  },
  'pastes a stream key, and undoes it': ({ services, chance }) => {
    const { streamKey = '' } = chance.pick(chance.pick(services)?.demo.control.streams() ?? []) ?? {};
    return inText('const key = ', async () => {
      await vscode.commands.executeCommand('type', { text: `"${streamKey}"` });
      await run('undo');
    });
  },
  'looks at a view': focus,
  'presses a key of the tree': async (scene) => {
    await focus(scene);
    for (let turn = 0; turn < 4; turn++) await press(scene.chance.pick(KEYS) ?? 'End');
  },
  'presses a key that acts': async (scene) => {
    await focus(scene);
    await press(scene.chance.pick(RARE_KEYS) ?? 'Enter');
  },
  'clicks on a row': async (scene) => {
    await focus(scene);
    await clickRow('Streams', scene.chance.fraction());
  },
  'points at a row': async (scene) => {
    await focus(scene);
    await press('ArrowDown');
    await run('list.showHover');
  },
  'has a row revealed': async ({ product, views, chance }) => {
    const node = chance.pick(views.nodes('liveStreams.streams'));
    if (node !== undefined)
      await product.view.reveal(node, { expand: chance.below(2) === 0, select: true, focus: true });
  },
  'hides the views': () => run('workbench.view.explorer'),
  'hides the side bar': () => run('workbench.action.toggleSidebarVisibility'),
  'closes an editor': () => run('workbench.action.closeActiveEditor'),
  'closes all editors': () => run('workbench.action.closeAllEditors'),
  'turns deprecated child streams on or off': ({ chance }) =>
    vscode.workspace
      .getConfiguration('liveStreams')
      .update('showHistoricChildStreams', chance.below(2) === 0, vscode.ConfigurationTarget.Global),
};

/** Shows it again if what is done at once closed its editor while it opened. */
async function showText(document: vscode.TextDocument): Promise<void> {
  try {
    await vscode.window.showTextDocument(document);
  } catch {
    await vscode.window.showTextDocument(document);
  }
}

/** Acts in a text that is closed without being saved, since a dirty one would ask when all editors are closed. */
async function inText(content: string, act: () => Thenable<unknown>, language = 'plaintext'): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await showText(document);
  try {
    await act();
  } finally {
    await showText(document);
    await run('workbench.action.revertAndCloseActiveEditor');
  }
}

const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  ...[
    'switchConnection',
    'addConnection',
    'renameConnection',
    'removeConnection',
    'setApiKey',
    'startDemo',
    'stopDemo',
    TO_AND_FRO,
  ],
]);

function runWith(commands: readonly string[], given: (scene: Scene) => unknown): Readonly<Record<string, Act>> {
  const actOf =
    (command: string): Act =>
    (scene) =>
      scene.product.run(command, given(scene));
  return Object.fromEntries(commands.map((command) => [command, actOf(command)]));
}

function byKey(command: string): Act {
  return ({ product, views, chance }) => product.run(command, [chance.pick(views.nodes('liveStreams.streams')), 'key']);
}

const ACTS: Readonly<Record<string, Act>> = {
  ...runWith(OF_STREAM, streamOf),
  ...runWith(OF_SESSION, sessionOf),
  ...runWith(OF_WEBHOOK, (scene) => ({ id: webhookOf(scene) })),
  ...runWith(OF_ROW, ({ views, chance }) => chance.pick(views.nodes())),
  ...Object.fromEntries(Object.entries(BY_KEY).map(([what, command]) => [what, byKey(command)])),
  ...runWith(ALONE, () => undefined),
  ...WITH_WORDS,
  ...IN_WINDOW,
};

/** All commands of the extension that are known here. */
export const COMMANDS: readonly string[] = [
  ...OF_STREAM,
  ...OF_SESSION,
  ...OF_WEBHOOK,
  ...OF_ROW,
  ...ALONE,
  ...Object.keys(WITH_WORDS),
];

/** Which command there is without an act: none, unless one was added that nobody does here. */
export function commandsLeftOut(declared: readonly string[]): readonly string[] {
  return declared.filter((command) => !COMMANDS.includes(command));
}

/** Something that a person does. */
export interface CommandCase {
  readonly what: string;
  /** A row to be revealed may be gone by then; and VS Code cannot select a row for a key when no list has the focus. */
  readonly mayFail: boolean;
  readonly done: Promise<unknown>;
}

/** What there is to do, in kinds that are as likely as each other. */
export const KINDS_OF_STEPS: readonly (readonly string[])[] = [
  ...[OF_STREAM, OF_STREAM, OF_SESSION, OF_WEBHOOK, [...OF_ROW, ...Object.keys(BY_KEY)], ALONE],
  ...[WITH_WORDS, WITH_WORDS, IN_WINDOW, IN_WINDOW, IN_WINDOW].map(Object.keys),
];

/** Without those after which another connection is open, or none that answers. */
export const KINDS_ON_ONE_CONNECTION = KINDS_OF_STEPS.map((kind) => kind.filter((what) => !OF_CONNECTIONS.has(what)));

export function act(scene: Scene, what: string): CommandCase {
  const doIt = ACTS[what];
  if (doIt === undefined) throw new Error(`Nobody knows how to do ${what}`);
  return { what, mayFail: what in IN_WINDOW || what in BY_KEY, done: Promise.resolve(doIt(scene)) };
}

/**
 * Answers the box that is open, if one is: with what it says, with another row, or not at all. Nothing is typed: a key could be
 * sent to a service that is not one of these.
 */
export async function answerBox(chance: Chance): Promise<void> {
  const how = chance.below(3);
  if (how === 0) await press('ArrowDown');
  await run(how < 2 ? 'workbench.action.acceptSelectedQuickOpenItem' : 'workbench.action.closeQuickOpen');
}
