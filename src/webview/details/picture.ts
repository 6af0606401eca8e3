import { t } from '@vscode/l10n';
import { make, makeButton } from '../makeElement.ts';

export interface LivePicture {
  readonly element: HTMLElement;
  /** Keeps a place for the picture, or removes it. */
  expect(isExpected: boolean): void;
  show(picture: string | undefined): void;
}

/** Most pixels on the longer side: twice the size that is shown. */
const LONGEST = 720;

/**
 * The picture of a broadcast. Drawn on a canvas, so that the page's policy need not allow images: the bytes come in a
 * message, and nothing is fetched.
 */
export function createPicture(watch: () => void): LivePicture {
  const canvas = make('canvas', 'canvas');
  const element = makeButton('', watch);
  element.className = 'picture';
  element.append(canvas);
  element.setAttribute('aria-label', t('Live preview. Watch'));
  element.title = t('Watch');
  element.hidden = true;
  let isExpected = false;
  let shows = 0;

  return {
    element,
    expect(isExpectedNow) {
      if (isExpected === isExpectedNow) return;
      isExpected = isExpectedNow;
      shows += 1;
      element.hidden = !isExpected;
      element.classList.remove('drawn');
    },
    async show(picture) {
      const show = ++shows;
      const image = picture === undefined ? undefined : await decode(picture);
      if (show !== shows || !isExpected) return image?.close();
      if (image === undefined) {
        // What was seen a minute ago is better than none.
        element.hidden = !element.classList.contains('drawn');
        return;
      }
      const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
      canvas.width = Math.round(image.width * scale);
      canvas.height = Math.round(image.height * scale);
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      element.classList.add('drawn');
      element.hidden = false;
    },
  };
}

async function decode(url: string): Promise<ImageBitmap | undefined> {
  const [, type = '', data = ''] = /^data:(image\/[a-z]+);base64,(.*)$/.exec(url) ?? [];
  try {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    return await createImageBitmap(new Blob([bytes], { type }));
  } catch {
    return undefined;
  }
}
