import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { detailsFrame, factValue, openMore } from '../support/page/detailsPage.ts';
import type { PageElement } from '../support/page/pageElement.ts';
import { playerFrame, untilPlaying } from '../support/page/playerPage.ts';
import { settingsFor } from '../support/page/playerService.ts';
import { answerQuickInput, pickQuickItem, quickInput } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { inProject } from '../support/projectFolder.ts';
import { readEnglish, readTranslation } from '../support/rules/texts.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';

describe('An editor whose display language is German', () => {
  const streams = { view: 'Streams' };
  let service: DemoService;
  const workbench = suiteWorkbench(async () => {
    const options = { streamCount: 1300, liveCount: 1, seed: 7, isLively: false };
    service = await startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), ...options });
    return { ...settingsFor(service), language: 'de', size: { width: 1400, height: 1000 } };
  });
  after(() => service?.dispose());

  it('welcomes in German', async () => {
    const { page } = workbench();
    await tree.showContainer(page);
    await tree.welcomeAction(page, 'Mit einem Dienst verbinden').waitFor();
    await tree.welcomeAction(page, 'Demo ausprobieren').waitFor();
    assert.equal(await tree.paneOf(page, 'Aufzeichnungen').count(), 1);
  });

  it('asks in German for what a connection needs', async () => {
    const { page } = workbench();
    await tree.pressWelcomeButton(page, 'Mit einem Dienst verbinden');
    await pickQuickItem(page, 'Anderer Dienst…');
    for (const [words, answer] of [
      ['Basis-URL der API des Diensts', service.baseUrl],
      ['API-Schlüssel von', service.apiKey],
    ] as const) {
      await quickInput(page).filter({ hasText: words }).waitFor();
      await answerQuickInput(page, answer);
    }
  });

  it('has German rows, numbers and tooltips', async () => {
    const { page } = workbench();
    await tree.untilRows(page, (rows) => rows.some(({ label }) => label === 'Keynote'));
    await tree.expandRow(page, 'Inaktiv');
    const idle = /^500 von 1\.\d{3}$/;
    const rows = await tree.untilRows(page, (all) => all.some(({ description }) => idle.test(description)));
    const groups = rows.filter(({ level }) => level === 1).map(({ label }) => label);
    assert.deepEqual(groups.slice(0, 2), ['Aktiv', 'Inaktiv']);
    const keynote = rows.find(({ label }) => label === 'Keynote');
    assert.equal(keynote?.description, 'zeichnet auf');
    assert.match(
      await tree.readTooltip(page, 'Keynote'),
      /Live seit \d+ \S+[\s\S]*Wiedergabe-ID[\s\S]*Stream-Schlüssel kopieren/,
    );
  });

  it('offers its commands in German', async () => {
    const { page } = workbench();
    const items = await tree.readContextMenu(page, 'Keynote', streams);
    for (const title of [
      'Stream ansehen',
      'Stream-Details anzeigen',
      'Stream-Schlüssel kopieren',
      'Stream prüfen',
      'Bearbeiten',
    ]) {
      assert.ok(items.includes(title), `${title} is not among ${items.join(', ')}`);
    }
  });

  it('has a German details page, dates included', async () => {
    const { page } = workbench();
    await tree.chooseFromContextMenu(page, 'Keynote', 'Stream-Details anzeigen', streams);
    await factValue(page, 'Stream-Schlüssel').waitFor();
    await detailsFrame(page).locator('.strip').waitFor();
    await openMore(page);
    assert.equal(await detailsFrame(page).locator('html').getAttribute('lang'), 'de');
    assert.match(await factValue(page, 'Erstellt').innerText(), /^\d{1,2}\. \S+ \d{4}, \d\d:\d\d:\d\d$/);
    await takeScreenshot(page, 'details-german');
    assert.deepEqual(await englishIn(detailsFrame(page)), []);
  });

  it('has a German player', async () => {
    const { page } = workbench();
    await tree.pressRowAction(page, 'Keynote', 'Stream ansehen');
    await untilPlaying(page);
    const frame = playerFrame(page);
    await frame.getByRole('button', { name: /^(An der Live-Position|Zur Live-Position)$/ }).waitFor();
    assert.match(await frame.locator('.controls').innerText(), /Geschwindigkeit[\s\S]*1,25×/);
    await takeScreenshot(page, 'player-german');
    assert.deepEqual(await englishIn(frame), []);
  });
});

/**
 * What of a page is in English although there is a German text for it: words, tooltips, names for screen readers. VS Code
 * doesn't translate the names of keys.
 */
async function englishIn(frame: FrameLocator): Promise<string[]> {
  const { code } = readTranslation('de');
  const english = new Set(
    Object.entries(readEnglish().code).flatMap(([key, text]) => (code[key] === text ? [] : text)),
  );
  const shown = await frame
    .locator('body :not(.keycap)')
    .evaluateAll((all: readonly PageElement[]) =>
      all.flatMap((element) => [
        ...(element.querySelector('*') === null ? [element.textContent ?? ''] : []),
        ...['title', 'aria-label', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ]),
    );
  const words = shown.map((text) => text.trim()).filter((text) => text !== '');
  assert.ok(words.length > 15, `only ${words.length} texts were found`);
  return words.filter((text) => english.has(text));
}
