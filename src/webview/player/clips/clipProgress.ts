import { t } from '@vscode/l10n';
import { make, makeButton } from '../../makeElement.ts';

/** Shows the progress of a clip, if the service reports it. Not announced: it changes every few seconds. */
export class ClipProgress {
  readonly element: HTMLElement;
  readonly #bar = make('progress', 'clipProgressBar');
  readonly #percent = make('span', 'clipPercent');

  constructor() {
    this.#bar.ariaLabel = t('Creating clip…');
    this.element = make('span', 'clipProgress', this.#bar, this.#percent);
  }

  /** @param progress from 0 to 1; 0 if it isn't known */
  show(progress: number): void {
    this.#percent.textContent = progress > 0 ? t('{0}%', Math.floor(progress * 100)) : '';
    if (progress > 0) this.#bar.value = progress;
    else this.#bar.removeAttribute('value');
  }
}

/** Says that clips that the bar doesn't show are being created. */
export class ClipsUnderWay {
  readonly element: HTMLElement;
  readonly #words = make('span', 'clipUnderWayWords');
  readonly #progress = new ClipProgress();
  readonly #another: HTMLButtonElement;

  constructor(createAnother: () => void) {
    // Always there, so that what it says is announced.
    this.#words.setAttribute('role', 'status');
    this.#another = makeButton(t('Create Another…'), createAnother);
    this.element = make('div', 'clipUnderWay', this.#words);
  }

  /** @param progress of each of them */
  show(progress: readonly number[], isBarOpen: boolean): void {
    const { length } = progress;
    const said = length > 1 ? t('Creating {0} clips…', length) : length === 1 ? t('Creating clip…') : '';
    if (this.#words.textContent !== said) this.#words.textContent = said;
    this.#progress.show(progress.reduce((sum, each) => sum + each, 0) / length);
    const parts = [
      ...(length === 0 ? [] : [this.#progress.element]),
      ...(length === 0 || isBarOpen ? [] : [this.#another]),
    ];
    for (const part of [this.#progress.element, this.#another]) if (!parts.includes(part)) part.remove();
    for (const part of parts) if (part.parentElement === null) this.element.append(part);
  }
}
