/** The browser's, for the functions that run in its pages. */
declare const self: {
  MediaSource?: { isTypeSupported(type: string): boolean };
};

/** In the page: as the desktop's editor, which cannot decode AAC. */
export function withoutAac(): void {
  const source = self.MediaSource;
  if (source === undefined) return;
  const isSupported = source.isTypeSupported.bind(source);
  source.isTypeSupported = (type) => !/mp4a/.test(type) && isSupported(type);
}
