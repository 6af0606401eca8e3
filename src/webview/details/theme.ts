import type { SessionLook } from './messages.ts';

export interface Theme {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  /** Dashes of grid lines, on and off in CSS pixels; empty for solid lines. */
  readonly dash: readonly number[];
  readonly background: string;
  readonly font: string;
  readonly looks: Readonly<Record<SessionLook, string>>;
  readonly source: string;
  readonly transcoded: string;
}

/** Reads the theme from the page's style. Colors that the theme does not define get the text color. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.body);
  const read = (...names: readonly string[]): string => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== '') return value;
    }
    return style.color;
  };
  const isHighContrast = document.body.classList.contains('vscode-high-contrast');
  return {
    text: read('foreground'),
    quiet: isHighContrast ? read('foreground') : read('descriptionForeground', 'foreground'),
    line: isHighContrast ? read('contrastBorder') : read('widget-border', 'panel-border', 'editorWidget-border'),
    dash: isHighContrast ? [1, 5] : [],
    background: read('editor-background'),
    font: `11px ${style.fontFamily}`,
    looks: {
      running: read('liveStreams-liveForeground', 'charts-green'),
      ready: read('charts-blue'),
      processing: read('liveStreams-staleForeground', 'charts-yellow'),
      lost: read('liveStreams-recordingForeground', 'charts-red'),
      recorded: read('charts-blue'),
      notRecorded: isHighContrast ? read('foreground') : read('descriptionForeground', 'foreground'),
    },
    source: read('charts-blue'),
    transcoded: read('charts-purple', 'charts-orange'),
  };
}

/** VS Code writes the theme's colors into the style of the page, and its kind into the classes of the body. */
export function onThemeChange(run: () => void): void {
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      run();
    });
  };
  const observer = new MutationObserver(plan);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
