import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { inProject } from './projectFolder.ts';
import { pickQuickItem, runCommand, typeInQuickInput } from './quickInput.ts';
import { createTestClock } from './testClock.ts';
import type { WorkbenchOptions } from './workbench.ts';

/** A service with recordings to play, the same each time; nothing happens on it by itself. */
export function startPlayerService(): Promise<DemoService> {
  return startDemo({ clock: createTestClock(), mediaRoot: inProject('media/demo'), seed: 7, isLively: false });
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
export async function openRecordingOf(page: Page, name: string): Promise<void> {
  await runCommand(page, 'liveStreams.openRecording');
  await typeInQuickInput(page, name, 'Open Recording');
  await pickQuickItem(page, name, 'Open Recording');
}

/** Opens what a stream broadcasts, from the palette. */
export async function watchStream(page: Page, name: string): Promise<void> {
  await runCommand(page, 'liveStreams.watchStream');
  await typeInQuickInput(page, name, 'Watch');
  await pickQuickItem(page, name, 'Watch');
}
