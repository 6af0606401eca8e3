import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { inProject } from '../../support/projectFolder.ts';
import { readHostErrors } from '../../support/runner/hostErrors.ts';

/** As VS Code 1.139.1 wrote it for a rejection, a listener that threw, and an error of its own. */
const LOG = `2026-11-22T00:02:40.048Z [info] ExtensionService#_doActivateExtension live-streams.live-streams
2026-11-22T00:02:40.928Z [error] Error: rejected
	at Timeout._onTimeout (${inProject('dist/extension.js')}:1:159)
	at listOnTimeout (node:internal/timers:685:17)
2026-11-22T00:02:40.942Z [error] Error: thrown
	at T.fire (file:///vscode/out/vs/workbench/api/node/extensionHostProcess.js:28:3935)
	at act (/data/extensions/live-streams.live-streams-0.1.0/dist/acting.js:2:138)
2026-11-22T00:02:41.942Z [error] Error: no git
	at run (/vscode/extensions/git/dist/main.js:1:95)
2026-11-22T00:02:46.837Z [warn] live-streams.live-streams: Accessing a resource scoped configuration
`;

describe('What nobody handled in an extension host', () => {
  const logs = makeTemporaryFolder('logs');
  after(() => rmSync(logs, { recursive: true, force: true }));

  it('is found in its log, with its stack, where it is of the extension', async () => {
    mkdirSync(join(logs, '20261122T000154/exthost1'), { recursive: true });
    writeFileSync(join(logs, '20261122T000154/exthost1/remoteexthost.log'), LOG);
    const errors = await readHostErrors(logs);
    assert.deepEqual(
      errors.map((error) => error.split('\n')[0]?.slice(25)),
      ['[error] Error: rejected', '[error] Error: thrown'],
    );
    assert.match(errors[1] ?? '', /acting\.js:2:138\)$/);
  });
});
