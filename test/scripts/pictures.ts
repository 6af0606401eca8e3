// npm run pictures: takes all pictures of the real workbench on the demo service into media/: those of the README in a
// dark and in a light theme, its animation, and those of the walkthrough. Needs ffmpeg.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { connectTo } from '../support/page/playerConnection.ts';
import { settingsFor } from '../support/page/playerService.ts';
import { dismissQuickInput } from '../support/page/quickInput.ts';
import { inProject, inTestFolder } from '../support/projectFolder.ts';
import { packageForTests } from '../support/vscode/vsix.ts';
import { withWorkbench } from '../support/vscode/workbench.ts';
import { recordAnimation } from './animation.ts';
import { writeInPalette, writeWebp } from './ffmpeg.ts';
import { makePictureClip } from './pictureClip.ts';
import { startPicturedService } from './picturedService.ts';
import { type Clip, scenes, steps } from './pictureScenes.ts';
import { composeStep, type StepPictures } from './walkthroughPicture.ts';

const themes = { dark: 'Dark 2026', light: 'Light 2026' } as const;
/** They are loaded by everyone who opens the project's page. */
const MOST_BYTES = 150_000;
/** They are in the package. */
const MOST_STEP_BYTES = 45_000;
const MOST_ANIMATION_BYTES = 1_500_000;
const SCALE = 1.25;
/** What a browser's workbench has in its status bar and a desktop's has not. */
const HIDDEN = '.statusbar-item:is([id*=forwardedPorts], [aria-label^=Layout]) { display: none !important; }';

await packageForTests();
const clip = await makePictureClip();
const stepPictures: Record<string, Partial<StepPictures>> = {};
for (const [kind, theme] of Object.entries(themes) as [keyof StepPictures, string][]) {
  const service = await startPicturedService(clip);
  // Not changed while the workbench is open: webviews and icons would follow one after the other.
  const options = settingsFor(service, {
    ...{ 'workbench.colorTheme': theme, 'window.title': 'Live Streams' },
    // Where the font of the editor is missing, code has that of texts.
    'editor.fontFamily': 'DejaVu Sans Mono, monospace',
  });
  try {
    await withWorkbench({ ...options, scale: SCALE }, async ({ page }) => {
      await page.addStyleTag({ content: HIDDEN });
      const addStep = async (name: string) => {
        const step = steps[name];
        if (step === undefined) throw new Error(`There is no step ${name}`);
        await resize(page, step.size);
        const taken = await takeStep(page, await step.show(page, service), step.colors);
        stepPictures[name] = { ...stepPictures[name], [kind]: taken };
      };
      await addStep('connect');
      await dismissQuickInput(page);
      await connectTo(page, service);
      for (const name of ['look', 'encoder', 'watch']) await addStep(name);
      for (const [name, { size, show }] of Object.entries(scenes)) {
        await resize(page, size);
        await takePicture(page, inProject('media', `${name}-${kind}.png`), await show(page, service));
      }
      await addStep('webhooks');
    });
  } finally {
    await service.dispose();
  }
}
for (const [name, pictures] of Object.entries(stepPictures)) {
  const path = inProject('media/walkthrough', `${name}.svg`);
  writeFileSync(path, composeStep(pictures as StepPictures));
  checkSize(path, MOST_STEP_BYTES);
}
const animation = inProject('media/demo.gif');
await recordAnimation(animation, themes.dark);
checkSize(animation, MOST_ANIMATION_BYTES);

/** The workbench is laid out again, which closes menus. */
async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForTimeout(500);
}

async function takePicture(page: Page, path: string, clip: Clip): Promise<void> {
  const taken = inTestFolder('picture.png');
  await page.screenshot({ path: taken, clip });
  writeInPalette(['-i', taken], path);
  checkSize(path, MOST_BYTES);
}

function checkSize(path: string, most: number): void {
  const { size } = statSync(path);
  console.log(`${path}: ${Math.round(size / 1000)} kB`);
  if (size > most) throw new Error(`${path} is larger than ${most / 1000} kB`);
}

/** Returns a picture as a data URL, small enough for the package. */
async function takeStep(page: Page, clip: Clip, colors: number | undefined): Promise<string> {
  const [taken, encoded] = [inTestFolder('picture.png'), inTestFolder('picture.webp')];
  await page.screenshot({ path: taken, clip });
  if (colors === undefined) writeWebp(['-i', taken], encoded, 36);
  else writeInPalette(['-i', taken], encoded, colors);
  return `data:image/webp;base64,${readFileSync(encoded, 'base64')}`;
}
