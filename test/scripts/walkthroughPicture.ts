/** Of a step's picture, in CSS pixels. VS Code shows it up to 530 wide. */
export const STEP_SIZE = { width: 520, height: 320 };

/** Data URLs. */
export interface StepPictures {
  readonly dark: string;
  readonly light: string;
}

/**
 * Returns an SVG that shows the light picture in light themes and the dark one in all others. VS Code shows an SVG of a
 * walkthrough in a page with the theme's colors and without styles of its own, so a mask that is made of the editor's
 * background decides. The manifest could name a file per kind of theme instead, but the package may have few files.
 */
export function composeStep({ dark, light }: StepPictures): string {
  const { width, height } = STEP_SIZE;
  const size = `width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">
<!-- Made by npm run pictures. -->
<filter id="isLight" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB"><feColorMatrix values="${LUMINANCE}"/><feComponentTransfer>${STEPPED}</feComponentTransfer></filter>
<mask id="inLight"><rect ${size} fill="var(--vscode-editor-background)" filter="url(#isLight)"/></mask>
<clipPath id="corners"><rect ${size} rx="8"/></clipPath>
<g clip-path="url(#corners)">
<image ${size} href="${dark}"/>
<image ${size} href="${light}" mask="url(#inLight)"/>
</g>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="none" stroke="var(--vscode-contrastBorder, var(--vscode-panel-border))"/>
</svg>
`;
}

const TO_GRAY = '.2126 .7152 .0722 0 0';
const LUMINANCE = `${TO_GRAY} ${TO_GRAY} ${TO_GRAY} 0 0 0 1 0`;
/** Black below a half, white above. */
const STEPPED = ['R', 'G', 'B'].map((channel) => `<feFunc${channel} type="discrete" tableValues="0 1"/>`).join('');
