import assert from 'node:assert/strict';
import type { DemoService } from '../support/demo/demoService.ts';
import { connectTo } from '../support/page/playerConnection.ts';
import { closeTabs, countDecodedAudio, playerFrame, untilPlaying } from '../support/page/playerPage.ts';
import { addRecording, openRecordingOf, settingsFor, startPlayerService } from '../support/page/playerService.ts';
import { noSoundNotice } from '../support/page/playerSound.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { type MediaServer, startMediaServer } from '../support/service/mediaServer.ts';
import { BROADCAST, RECORDED, serveFormats } from '../support/service/soundFormats.ts';
import { type Desktop, openDesktop } from '../support/vscode/desktop.ts';

describe('A player in desktop VS Code', () => {
  let service: DemoService;
  let media: MediaServer;
  let desktop: Desktop;

  before(async () => {
    [service, media] = await Promise.all([startPlayerService(), startMediaServer()]);
    await serveFormats(media);
    desktop = await openDesktop(settingsFor(service).settings ?? {});
    await connectTo(desktop.page, service);
  });
  afterEach(() => closeTabs(desktop.page));
  after(async () => {
    await desktop?.close();
    service.dispose();
    media.close();
  });

  for (const [kind, formats] of Object.entries({ recording: RECORDED, broadcast: BROADCAST })) {
    for (const [path, format] of Object.entries(formats)) {
      it(`shows and sounds: a ${kind} in ${format}`, async () => {
        const { page } = desktop;
        addRecording(service, path, { recordingUrl: `${media.origin}/${path}.m3u8` });
        await openRecordingOf(page, path);
        await untilPlaying(page);
        // Sound that is muted until a click is decoded all the same.
        const first = await waitUntil(() => countDecodedAudio(page));
        await waitUntil(async () => (await countDecodedAudio(page)) > first);
        assert.ok(await noSoundNotice(page).isHidden(), 'no notice');
        assert.ok(await playerFrame(page).locator('.problem').isHidden(), 'no problem');
      });
    }
  }
});
