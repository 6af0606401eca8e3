interface Heard {
  muted: boolean;
  addEventListener(type: 'volumechange', listener: () => void): void;
}

/** Mutes the video while the browser blocks sound until the user clicks. Sound that the user turned off stays off. */
export class HeldSound {
  readonly #video: Heard;
  #isHeld = false;

  /** @param onFree called when the sound is on again, whether through `free` or the video's own controls */
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

  free(): void {
    this.#video.muted = false;
  }

  /** Call before the next source, which may be allowed to play sound. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#video.muted = false;
  }
}
