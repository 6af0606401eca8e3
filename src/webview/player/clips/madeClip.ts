import { t } from '@vscode/l10n';
import { setApiKeyLabel, watchLabel } from '../../../texts/labels.ts';
import { make, makeButton } from '../../makeElement.ts';
import { hasPopover } from '../../popovers.ts';
import { makeClose } from '../elements.ts';
import type { Action, ClipProblem } from '../messages.ts';

interface MadeClipHost {
  act(action: Action): void;
  createAnother(): void;
  setApiKey(): void;
  /** Takes focus from the dismissed message. */
  focus(): void;
}

const NOTICED_MS = 10_000;

/**
 * Says which clip was created, or why none was if the bar doesn't say so, until the next one is begun or the page is
 * hidden a while later.
 */
export class MadeClip {
  readonly element: HTMLElement;
  readonly #words = make('span', 'clipMadeWords');
  readonly #actions = make('span', 'actions');
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #setApiKey: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  #shownAt = 0;

  constructor({ act, createAnother, setApiKey, focus }: MadeClipHost) {
    const dismiss = (): void => {
      this.hide();
      focus();
    };
    this.#close = makeClose(dismiss);
    // Always there, so that what it says is announced.
    this.#words.setAttribute('role', 'status');
    this.element = make('div', 'clipMade', this.#words);
    const another = makeButton(t('Create Another…'), createAnother);
    another.classList.add('createAnother');
    this.#buttons = [
      makeButton(watchLabel(), () => act('openRecording')),
      makeButton(t('Copy URL'), () => act('copyClipUrl')),
      makeButton(t('Download…'), () => act('downloadMp4')),
      another,
    ];
    this.#setApiKey = makeButton(setApiKeyLabel(), setApiKey);
    this.element.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && !hasPopover()) dismiss();
    });
  }

  show(name: string): void {
    this.hide();
    this.#shownAt = performance.now();
    this.#words.textContent = t('Created the clip "{0}"', name);
    this.#words.title = this.#words.textContent;
    this.#offer(this.#buttons);
  }

  showProblem({ sentence, needsKey }: ClipProblem): void {
    this.hide();
    this.#words.textContent = sentence;
    this.#words.classList.add('isFault');
    this.#offer(needsKey ? [this.#setApiKey] : []);
  }

  #offer(buttons: readonly HTMLButtonElement[]): void {
    this.#actions.replaceChildren(...buttons);
    this.element.append(...(buttons.length > 0 ? [this.#actions] : []), this.#close);
  }

  /** Call when the page was hidden. A problem stays, and so does what the user may not have noticed yet. */
  hideNoticed(): void {
    const isNoticed = performance.now() - this.#shownAt > NOTICED_MS;
    if (isNoticed && !this.#words.classList.contains('isFault')) this.hide();
  }

  hide(): void {
    this.#words.textContent = '';
    this.#words.title = '';
    this.#words.classList.remove('isFault');
    this.#actions.remove();
    this.#close.remove();
  }

  focus(): void {
    this.#buttons[0]?.focus();
  }
}
