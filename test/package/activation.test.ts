import assert from 'node:assert/strict';
import { inProject } from '../support/projectFolder.ts';
import { Built, type BuiltFile } from '../support/rules/bundle.ts';
import { listZipEntries } from '../support/rules/zipEntries.ts';
import { vsixFile } from '../support/vscode/vsix.ts';

/** Bytes of minified script. */
const ACTIVATION_AT_MOST = 100 * 1024;
/** With the view on screen and a connection: activation, and what the first look adds. */
const FIRST_LOOK_AT_MOST = 208 * 1024;
/** All that sends test broadcasts, in one file; what the demo's ingest shares with it may be in another. */
const BROADCASTER_AT_MOST = 35 * 1024;
/** Each file is found, read and compiled by itself. */
const FILES_AT_MOST = 3;

/**
 * All that activation loads, by folder. What is needed once somebody looks or acts has no place here: it is reached through
 * import() of src/host/start/viewsRuntime.ts or src/host/start/commandsRuntime.ts.
 */
const LOADED_AT_ONCE: Readonly<Record<string, readonly string[]>> = {
  'node_modules/@vscode/l10n/dist': ['main.js'],
  // Made by esbuild.mjs.
  'one-l10n:l10n': ['index.js'],
  src: ['extension.ts'],
  'src/util': [
    'async.ts',
    'clock.ts',
    'collections.ts',
    'disposable.ts',
    'errorCode.ts',
    'events.ts',
    'hasTag.ts',
    'isProcessRunning.ts',
    'isRecord.ts',
    'lazyParts.ts',
    'memoize.ts',
    'names.ts',
    'parseJson.ts',
    'sameJson.ts',
    'text.ts',
  ],
  'src/api': ['errors.ts', 'ids.ts', 'loopback.ts', 'types.ts'],
  'src/model': ['addresses.ts', 'settingValues.ts', 'walkthroughSteps.ts'],
  'src/model/childStreams': ['childStreams.ts'],
  'src/model/connection': [
    'baseUrl.ts',
    'connection.ts',
    'connections.ts',
    'demoSwitch.ts',
    'knownAddresses.ts',
    'secretWaits.ts',
    'windowConnection.ts',
  ],
  'src/model/downloads': ['partialFiles.ts'],
  'src/model/pages': ['panelState.ts'],
  'src/model/store': [
    'facts.ts',
    'recordings.ts',
    'sessions.ts',
    'snapshot.ts',
    'store.ts',
    'streams.ts',
    'viewChoices.ts',
    'writer.ts',
  ],
  'src/tree': ['viewContext.ts'],
  'src/tree/view': ['rowGate.ts'],
  'src/commands': ['treeKeys.ts'],
  'src/code': ['tokens.ts'],
  'src/host/agents': ['agentFeatures.ts'],
  'src/host/boxes': ['documents.ts', 'externalAddress.ts'],
  'src/host/code': ['codeFeatures.ts', 'idLinks.ts', 'keyWatch.ts', 'rowDrops.ts'],
  'src/host/start': ['demoSwitch.ts', 'registrations.ts', 'walkthroughMarks.ts'],
  'src/host/storage': ['log.ts', 'settings.ts', 'storage.ts'],
  'src/host/tree': ['contextKeys.ts', 'drawing.ts', 'rowProvider.ts', 'treeKeys.ts'],
};

/** What is loaded at its first use, by a module of each; where it is: the extension itself, or a webview. */
const LOADED_LATER: Readonly<Record<string, readonly [folder: string, module: RegExp]>> = {
  'the signing of tokens': ['dist', /^node_modules\/jose\//],
  undici: ['dist', /^node_modules\/undici\//],
  'hls.js': ['dist/webview', /^node_modules\/hls\.js\//],
  'the demo': ['dist', /^src\/demo\//],
  'the commands': ['dist', /^src\/commands\/table\.ts$/],
  'the API': ['dist', /^src\/api\/streamApi\.ts$/],
  'the transport': ['dist', /^src\/api\/transport\/undiciTransport\.ts$/],
  'the rows': ['dist', /^src\/tree\/streamRow\.ts$/],
  'the player and the details page': ['dist', /^src\/host\/panels\/editorPanels\.ts$/],
  'the tools for agents': ['dist', /^src\/agents\/tools\.ts$/],
  'what marks keys': ['dist', /^src\/host\/code\/leakGuard\.ts$/],
  'the notifications': ['dist', /^src\/model\/news\/announcements\.ts$/],
  'the downloads': ['dist', /^src\/model\/downloads\/download\.ts$/],
};

const sum = (files: Iterable<BuiltFile>) => [...files].reduce((bytes, file) => bytes + file.bytes, 0);

function assertAtMost(files: Iterable<BuiltFile>, most: number): void {
  const list = [...files].map(({ name, bytes }) => `${name} ${bytes}`);
  assert.ok(sum(files) <= most, `${sum(files)} bytes instead of ${most} at most: ${list.join(', ')}`);
}

describe('What activation loads', () => {
  const built = new Built(inProject('dist'));
  const atOnce = built.loadedWith('extension.js');
  const modules = [...atOnce].flatMap((file) => file.modules);

  it('is in the package under these names', () => {
    const names = listZipEntries(vsixFile);
    const missing = [...built.files.keys()].filter((name) => !names.includes(`extension/dist/${name}`));
    assert.deepEqual(missing, []);
  });

  it('is at most 100 KB in 3 files', () => {
    assertAtMost(atOnce, ACTIVATION_AT_MOST);
    assert.ok(atOnce.size <= FILES_AT_MOST, [...atOnce].map(({ name }) => name).join());
  });

  it('is with a view on screen, and so with all that asks and draws, at most 208 KB', () => {
    const looking = built.loadedWith(built.fileOf('src/host/start/viewsRuntime.ts').name);
    assertAtMost(new Set([...atOnce, ...looking]), FIRST_LOOK_AT_MOST);
  });

  it('is these modules and no others', () => {
    const listed = Object.entries(LOADED_AT_ONCE).flatMap(([folder, files]) =>
      files.map((file) => `${folder}/${file}`),
    );
    const faults = [
      ...modules
        .filter((module) => !listed.includes(module))
        .map(
          (module) =>
            `Activation loads ${module} now. Reach it through import(), as src/extension.ts does; if activation has to have it, add it to LOADED_AT_ONCE.`,
        ),
      ...listed
        .filter((module) => !modules.includes(module))
        .map((module) => `Activation does not load ${module} any more: take it out of LOADED_AT_ONCE.`),
    ];
    assert.deepEqual(faults, []);
  });

  for (const [what, [folder, form]] of Object.entries(LOADED_LATER)) {
    it(`leaves ${what} for its first use`, () => {
      const all = [...new Built(inProject(folder)).files.values()].flatMap((file) => file.modules);
      assert.ok(
        all.some((module) => form.test(module)),
        `nothing in ${folder} is ${form}: what is looked for here has another name now`,
      );
      assert.deepEqual(
        modules.filter((module) => form.test(module)),
        [],
      );
    });
  }

  it('is not followed by the commands, the panels, undici, the notifications or the demo when somebody looks', () => {
    const looking = built.loadedWith(built.fileOf('src/host/start/viewsRuntime.ts').name);
    const late = ['src/commands/handlers.ts', 'src/host/panels/editorPanels.ts', 'src/api/transport/undici.ts'];
    for (const module of [
      ...late,
      'src/demo/demoServer.ts',
      'src/model/downloads/download.ts',
      'src/model/news/announcements.ts',
    ]) {
      assert.ok(!looking.has(built.fileOf(module)), `${module} is loaded when somebody looks`);
    }
  });

  it('leaves what sends test broadcasts, which is at most 35 KB, for the first one', () => {
    const { name } = built.fileOf('src/host/start/commandsRuntime.ts');
    const before = new Set([...atOnce, ...built.loadedWith(name)]);
    const sending = [...built.loadedWith(built.fileOf('src/broadcast/sender.ts').name)];
    const added = sending.filter((file) => !before.has(file));
    assert.ok(added.some(({ modules: files }) => files.includes('src/broadcast/sender.ts')));
    assertAtMost(added, BROADCASTER_AT_MOST);
  });

  it('is never what tests alone have of the demo: its strict face, and its control', () => {
    const all = [...built.files.values()].flatMap((file) => file.modules);
    assert.ok(all.includes('src/demo/demoServer.ts'));
    const forTests = [
      'test/support/demo/demoService.ts',
      'test/support/demo/strictApi.ts',
      'test/support/demo/control.ts',
    ];
    assert.deepEqual(
      forTests.filter((module) => all.includes(module)),
      [],
    );
  });
});
