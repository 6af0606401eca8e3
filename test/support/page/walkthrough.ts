import type { Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';

interface WalkthroughStep {
  readonly title: string;
  readonly isDone: boolean;
}

/** The steps of the walkthrough that is open; none while there is none. */
export function readSteps(page: Page): Promise<readonly WalkthroughStep[]> {
  return page.locator('.gettingStartedContainer .getting-started-step').evaluateAll((steps: readonly PageElement[]) =>
    steps.map((step) => ({
      title: step.querySelector('.step-title')?.textContent ?? '',
      isDone: step.querySelector('[role=checkbox]')?.getAttribute('aria-checked') === 'true',
    })),
  );
}
