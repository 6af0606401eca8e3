import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitUntil } from '../page/waitUntil.ts';
import { type OwnProcess, startProcess } from '../process/ownProcess.ts';

export interface ObsOptions {
  /** For its configuration; empty. */
  readonly folder: string;
  /** As people enter it: 'rtmp://127.0.0.1:1935/live' */
  readonly server: string;
  readonly streamKey: string;
}

export const OBS_RATE = 30;

/** Starts OBS on a display of its own. It broadcasts a plain picture, with a key frame as seldom as OBS has it by default. */
export async function startObs({
  folder,
  server,
  streamKey,
}: ObsOptions): Promise<Pick<OwnProcess, 'output' | 'kill'>> {
  const profile = 'basic/profiles/Test';
  const files = {
    'global.ini': GLOBAL,
    [`${profile}/basic.ini`]: PROFILE,
    [`${profile}/service.json`]: JSON.stringify({ type: 'rtmp_custom', settings: { server, key: streamKey } }),
    'basic/scenes/Test.json': JSON.stringify(SCENES),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'obs-studio', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const display = startProcess('Xvfb', ['-displayfd', '1', '-screen', '0', '1024x768x24']);
  const [, number] = await waitUntil(() => /(\d+)\n/.exec(display.output()));
  const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder, DISPLAY: `:${number}` };
  const names = ['--profile', 'Test', '--collection', 'Test'];
  const obs = startProcess('obs', ['--startstreaming', '--multi', '--disable-updater', ...names], { env });
  return {
    output: () => obs.output(),
    async kill() {
      await obs.kill();
      await display.kill();
    },
  };
}

const GLOBAL = `[General]
FirstRun=true
EnableAutoUpdates=false
[Basic]
Profile=Test
ProfileDir=Test
SceneCollection=Test
SceneCollectionFile=Test
`;

const PROFILE = `[General]
Name=Test
[Output]
Mode=Simple
[SimpleOutput]
VBitrate=800
Preset=ultrafast
[Video]
BaseCX=640
BaseCY=360
OutputCX=640
OutputCY=360
FPSType=0
FPSCommon=${OBS_RATE}
`;

const SCENES = {
  ...{ name: 'Test', current_scene: 'Scene', current_program_scene: 'Scene', scene_order: [{ name: 'Scene' }] },
  sources: [
    {
      ...{ id: 'color_source', versioned_id: 'color_source_v3', name: 'Color' },
      settings: { color: 0xff00ff00, width: 640, height: 360 },
    },
    { id: 'scene', name: 'Scene', settings: { id_counter: 1, items: [{ name: 'Color', id: 1, visible: true }] } },
  ],
};
