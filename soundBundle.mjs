import { readFile } from 'node:fs/promises';

/** How esbuild bundles the worker that decodes sound; for esbuild.mjs, and for tests that run the worker. */
export const soundBundle = {
  bundle: true,
  entryPoints: [{ in: 'src/webview/player/sound/worker.ts', out: 'sound' }],
  format: 'iife',
  platform: 'browser',
  target: 'chrome140',
  inject: ['src/webview/player/sound/glueGlobals.ts'],
  // audio-file-decoder's own, for Node and for pages that may fetch: never reached here.
  external: ['fs', 'path'],
  logOverride: { 'empty-import-meta': 'silent' },
  plugins: [leaveOutWorker()],
};

/** FFmpeg, which the worker gets as bytes: a file of its own, so that it can be replaced, as the LGPL demands. */
export const SOUND_WASM = 'node_modules/audio-file-decoder/decode-audio.wasm';

/**
 * audio-file-decoder has all of its script a second time, as base64, for a worker of its own that isn't used here: a
 * third of sound.js.
 */
function leaveOutWorker() {
  return {
    name: 'leave-out-worker',
    setup(target) {
      target.onLoad({ filter: /audio-file-decoder\.js$/ }, async ({ path }) => {
        const script = await readFile(path, 'utf8');
        const contents = script.replace(/"[\w+/=]{50000,}"/, '""');
        if (contents === script) throw new Error(`${path} is not the version that this build knows`);
        return { contents };
      });
    },
  };
}
