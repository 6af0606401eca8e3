import type { SessionLook } from './messages.ts';

/** The editor's colours, as they are now. */
export interface Theme {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  /** Of lines in the background, on and off in CSS pixels; empty for whole ones. */
  readonly dash: readonly number[];
  readonly background: string;
  readonly font: string;
  readonly looks: Readonly<Record<SessionLook, string>>;
  readonly source: string;
  readonly transcoded: string;
}

/** Reads the theme from the page's style; what a theme does not say has the text's colour. */
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

/** Runs whenever the editor's theme changes: it writes its colours into the page's style, and its kind into the body's classes. */
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
