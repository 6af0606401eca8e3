/** The browser's, for the functions that run in its pages. */
declare const self: {
  MediaSource?: { isTypeSupported(type: string): boolean };
  ManagedMediaSource?: unknown;
  readonly HTMLMediaElement: { readonly prototype: { canPlayType(type: string): string } };
};

/** In the page: as the desktop's editor, which cannot decode AAC. */
export function withoutAac(): void {
  const source = self.MediaSource;
  if (source === undefined) return;
  const isSupported = source.isTypeSupported.bind(source);
  source.isTypeSupported = (type) => !/mp4a/.test(type) && isSupported(type);
}

/** In the page: neither Media Source nor HLS by the browser itself. */
export function withoutHls(): void {
  delete self.MediaSource;
  delete self.ManagedMediaSource;
  const { prototype } = self.HTMLMediaElement;
  const canPlay = prototype.canPlayType;
  prototype.canPlayType = function (type) {
    return /mpegurl/.test(type) ? '' : canPlay.call(this, type);
  };
}
