/** What is used of a video element. */
interface Heard {
  muted: boolean;
  addEventListener(type: 'volumechange', listener: () => void): void;
}

/** Sound that the browser holds back until the person has clicked something; what the person turned off stays off. */
export class HeldSound {
  readonly #video: Heard;
  #isHeld = false;

  /** @param onFree is told when the sound is on again, whoever turned it on */
  constructor(video: Heard, onFree: () => void) {
    this.#video = video;
    video.addEventListener('volumechange', () => {
      if (!this.#isHeld || video.muted) return;
      this.#isHeld = false;
      onFree();
    });
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(): void {
    if (this.#video.muted) return;
    this.#isHeld = true;
    this.#video.muted = true;
  }

  /** Turns it on, as the person asks for. */
  free(): void {
    this.#video.muted = false;
  }

  /** The next source asks anew whether it may be heard. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#video.muted = false;
  }
}
