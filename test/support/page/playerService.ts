import type { Page } from 'playwright-core';
import { formatDayAndClock } from '../../../src/util/dates.ts';
import { type DemoOptions, type DemoService, startDemo } from '../demo/demoService.ts';
import { createTestClock } from '../model/testClock.ts';
import { inProject } from '../projectFolder.ts';
import type { WorkbenchOptions } from '../vscode/workbench.ts';
import { chooseWith } from './quickInput.ts';

/** A service with recordings to play, the same each time; nothing happens on it by itself. */
export function startPlayerService(options: Pick<DemoOptions, 'account'> = {}): Promise<DemoService> {
  const clock = createTestClock();
  return startDemo({ clock, mediaRoot: inProject('media/demo'), seed: 7, isLively: false, ...options });
}

/** How rows name Keynote's last recording, which began on the evening before the service was started. */
export function lastEvening({ control }: DemoService): string {
  const keynote = control.streams().find(({ name }) => name === 'Keynote');
  const [, evening] = control.sessions(keynote?.id ?? '');
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const label = formatDayAndClock(evening?.createdAt, { now: Date.now(), locale: 'en', timeZone });
  if (label === undefined) throw new Error('Keynote has no recording');
  return label;
}

/** A workbench that knows where the service plays its streams. */
export function settingsFor(service: DemoService, settings: WorkbenchOptions['settings'] = {}): WorkbenchOptions {
  const addresses = { [new URL(service.baseUrl).origin]: service.addresses };
  return { settings: { 'liveStreams.addresses': addresses, 'liveStreams.refreshInterval': 5, ...settings } };
}

/** Adds a recorded session at an address to a new stream of this name; it is the newest of all. */
export function addRecording(
  { control }: DemoService,
  name: string,
  fields: Parameters<DemoService['control']['addSession']>[1],
): { readonly streamId: string; readonly sessionId: string } {
  const stream = control.addStream({ name });
  const now = Date.now();
  const base = { record: true, recordingStatus: 'ready' as const, createdAt: now - 60_000, lastSeen: now - 1000 };
  const session = control.addSession(stream.id, { ...base, ...fields });
  return { streamId: stream.id, sessionId: session.id };
}

/** Opens the newest recording of a stream by its name, from the palette. */
export function openRecordingOf(page: Page, name: string): Promise<void> {
  return pickStream(page, name, { command: 'liveStreams.openRecording', title: 'Watch Recording' });
}

/** Opens what a stream broadcasts, from the palette. */
export function watchStream(page: Page, name: string): Promise<void> {
  return pickStream(page, name, { command: 'liveStreams.watchStream', title: 'Watch Stream' });
}

interface PickerCommand {
  readonly command: string;
  /** Of its box. */
  readonly title: string;
}

async function pickStream(page: Page, name: string, { command, title }: PickerCommand): Promise<void> {
  // The palette gives the focus back to a page that had it, and where that page tells so late, the box closes.
  await page.locator('.part.sidebar .monaco-list').first().focus();
  await chooseWith(page, command, { item: name, title });
}
