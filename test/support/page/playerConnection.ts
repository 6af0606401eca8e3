import type { Page } from 'playwright-core';
import type { DemoService } from '../demo/demoService.ts';
import { answerQuickInput, pickQuickItem, quickInput } from './quickInput.ts';
import { pressWelcomeButton, showContainer, untilRows } from './treeView.ts';

/** Connects a fresh workbench to a service by typing, as a person does, and waits for its rows. */
export async function connectTo(page: Page, service: Pick<DemoService, 'baseUrl' | 'apiKey'>): Promise<void> {
  await showContainer(page);
  await pressWelcomeButton(page, 'Connect to a Service');
  await typeConnection(page, service);
  await untilRows(page, (rows) => rows.some((row) => row.label === 'Keynote'));
}

/** Answers all that Connect to a Service asks; what it does then is not waited for. */
export async function typeConnection(
  page: Page,
  { baseUrl, apiKey }: Pick<DemoService, 'baseUrl' | 'apiKey'>,
): Promise<void> {
  await pickQuickItem(page, 'Other Service…');
  await answerStep(page, "Enter the base URL of the service's API", baseUrl);
  await answerStep(page, 'Paste an API key', apiKey);
}

async function answerStep(page: Page, words: string, answer: string): Promise<void> {
  await quickInput(page).filter({ hasText: words }).waitFor();
  await answerQuickInput(page, answer);
}
