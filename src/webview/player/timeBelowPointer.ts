/** As in player.css. */
const THUMB_WIDTH = 12;

/** Shows the time below the pointer, above a slider. */
export class TimeBelowPointer {
  readonly #slider: HTMLInputElement;
  readonly #bubble: HTMLElement;
  readonly #timeAt: (position: number) => string;
  /** In pixels from the left of the page; undefined while the pointer is elsewhere. */
  #pointer: number | undefined;

  constructor(slider: HTMLInputElement, bubble: HTMLElement, timeAt: (position: number) => string) {
    this.#slider = slider;
    this.#bubble = bubble;
    this.#timeAt = timeAt;
    slider.addEventListener('pointermove', ({ clientX }) => this.#follow(clientX));
    for (const event of ['pointerleave', 'pointercancel']) slider.addEventListener(event, () => this.#follow());
  }

  #follow(pointer?: number): void {
    this.#pointer = pointer;
    this.draw();
  }

  /** Call when the slider's range has changed. */
  draw(): void {
    const pointer = this.#slider.disabled ? undefined : this.#pointer;
    this.#bubble.hidden = pointer === undefined;
    if (pointer !== undefined) this.#drawAt(pointer);
  }

  #drawAt(pointer: number): void {
    const { min, max, offsetLeft } = this.#slider;
    const { left, width } = this.#slider.getBoundingClientRect();
    const x = pointer - left;
    const portion = Math.min(1, Math.max(0, (x - THUMB_WIDTH / 2) / (width - THUMB_WIDTH)));
    this.#bubble.textContent = this.#timeAt(Number(min) + portion * (Number(max) - Number(min)));
    this.#bubble.style.left = `max(0px, ${offsetLeft + x - this.#bubble.offsetWidth / 2}px)`;
  }
}
