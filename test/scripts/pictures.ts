// npm run pictures: takes the README's pictures of the real workbench on the demo service into media/.
import { statSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { connectTo } from '../support/page/playerConnection.ts';
import { settingsFor } from '../support/page/playerService.ts';
import { inProject } from '../support/projectFolder.ts';
import { packageForTests } from '../support/vscode/vsix.ts';
import { withWorkbench } from '../support/vscode/workbench.ts';
import { startPicturedService } from './picturedService.ts';
import { type Clip, scenes } from './pictureScenes.ts';

const themes = { dark: 'Dark Modern', light: 'Light Modern' } as const;
/** They are loaded by everyone who looks at the extension's page. */
const MOST_BYTES = 150_000;

await packageForTests();
for (const [name, theme] of Object.entries(themes)) {
  const service = await startPicturedService();
  // Not changed while the workbench is open: webviews and icons would follow one after the other.
  const settings = { 'workbench.colorTheme': theme };
  try {
    await withWorkbench({ ...settingsFor(service, settings), scale: 1.25 }, async ({ page }) => {
      await connectTo(page, service, 'Studio');
      for (const [scene, { size, show }] of Object.entries(scenes)) {
        await page.setViewportSize(size);
        await takePicture(page, inProject('media', `${scene}-${name}.png`), await show(page, service));
      }
    });
  } finally {
    await service.dispose();
  }
}

async function takePicture(page: Page, path: string, clip: Clip): Promise<void> {
  await page.screenshot({ path, clip });
  const { size } = statSync(path);
  console.log(`${path}: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES / 1000} kB`);
}
