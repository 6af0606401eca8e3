import { t } from '@vscode/l10n';
import { make, makeButton } from '../makeElement.ts';
import type { Button, SessionLook, ShownSession, ShownSessions } from './messages.ts';
import { createComparisonPlot, createTimelinePlot } from './plots.ts';
import { hatched, paintSession, readTheme } from './theme.ts';

export interface SessionsPart {
  readonly element: HTMLElement;
  show(shown: ShownSessions): void;
  redraw(): void;
}

interface SessionsActs {
  readonly open: (sessionId: string) => void;
  readonly press: (button: Button) => void;
}

/** A stream's sessions as plots, and as a table for users who can't see them. */
export function createSessionsPart({ open, press }: SessionsActs): SessionsPart {
  const [timeline, comparison] = [createTimelinePlot(open), createComparisonPlot()];
  const [words, comparisonWords] = [make('p', 'words'), make('p', 'words')];
  const [legend, comparisonLegend] = [make('ul', 'legend'), make('ul', 'legend')];
  const notes = make('div', 'notes');
  const table = createTable(open);
  const element = make(
    'div',
    'sessions',
    make('section', 'card wide', make('h2', 'heading', t('Last 30 days')), words, notes, legend, timeline.element),
    make(
      'section',
      'card wide',
      make('h2', 'heading', t('Source and transcoded duration')),
      comparisonWords,
      comparisonLegend,
      comparison.element,
    ),
    table.element,
  );
  let shown: ShownSessions | undefined;

  function noteOf({ text, button }: ShownSessions['notes'][number]): HTMLElement {
    const line = make('p', 'note', text);
    if (button !== undefined) line.append(makeButton(button.label, () => press(button)));
    return line;
  }

  function showLegends({ sessions, bars }: ShownSessions): void {
    const looks = new Set(bars.flatMap(({ session }) => sessions[session]?.look ?? []));
    const used = Object.entries(lookWords()).filter(([look]) => looks.has(look as SessionLook));
    legend.replaceChildren(...used.map(([look, label]) => legendItem(label, swatchOf(look as SessionLook))));
    comparisonLegend.replaceChildren(
      legendItem(t('Source'), durationSwatch('source')),
      legendItem(t('Transcoded'), durationSwatch('transcoded')),
    );
  }

  return {
    element,
    show(next) {
      words.textContent = next.isLoading ? t('Loading…') : next.timeline;
      comparisonWords.textContent = next.comparison;
      comparison.element.hidden = next.compared.length === 0;
      comparisonLegend.hidden = next.compared.length === 0;
      if (JSON.stringify(next.notes) !== JSON.stringify(shown?.notes)) notes.replaceChildren(...next.notes.map(noteOf));
      shown = next;
      showLegends(next);
      timeline.show(next);
      comparison.show(next);
      table.show(next.sessions);
    },
    redraw() {
      if (shown !== undefined) showLegends(shown);
      timeline.redraw();
      comparison.redraw();
    },
  };
}

/** In the order of the legend: most informative about the recording first. */
function lookWords(): Readonly<Record<SessionLook, string>> {
  return {
    running: t('Live'),
    ready: t('Recording ready'),
    processing: t('Processing'),
    recorded: t('Recorded'),
    lost: t('No recording (failed, deleted, or not created)'),
    notRecorded: t('Not recorded'),
  };
}

function legendItem(label: string, swatch: HTMLElement): HTMLElement {
  return make('li', 'legendItem', swatch, label);
}

function swatchOf(look: SessionLook): HTMLElement {
  return paintedSwatch((context, box, ratio) => paintSession({ context, theme: readTheme(), ratio }, box, look));
}

function durationSwatch(which: 'source' | 'transcoded'): HTMLElement {
  return paintedSwatch((context, { width, height }, ratio) => {
    const color = readTheme()[which];
    context.fillStyle = which === 'source' ? color : hatched(context, color, ratio);
    context.fillRect(0, 0, width, height);
    context.strokeStyle = color;
    context.lineWidth = ratio;
    context.strokeRect(ratio / 2, ratio / 2, width - ratio, height - ratio);
  });
}

function paintedSwatch(
  paint: (
    context: CanvasRenderingContext2D,
    box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
    ratio: number,
  ) => void,
): HTMLElement {
  const canvas = make('canvas', 'swatch');
  const ratio = devicePixelRatio;
  canvas.width = Math.round(18 * ratio);
  canvas.height = Math.round(12 * ratio);
  const context = canvas.getContext('2d');
  if (context !== null) paint(context, { left: 0, top: 0, width: canvas.width, height: canvas.height }, ratio);
  canvas.setAttribute('aria-hidden', 'true');
  return canvas;
}

/**
 * All sessions as a table. Screen readers always find it. It is visible on demand only, and while it is hidden its
 * buttons are not in the tab order.
 */
function createTable(open: (sessionId: string) => void) {
  const body = make('tbody', '');
  const head = [t('Start'), t('Duration'), t('Recording'), t('Source'), t('Transcoded'), ''];
  const caption = make('caption', 'caption', t('Sessions, newest first'));
  const headRow = make('tr', '', ...head.map((text) => make(text === '' ? 'td' : 'th', '', text)));
  const table = make('table', 'table', caption, make('thead', '', headRow), body);
  const holder = make('div', 'holder quiet', table);
  const toggle = makeButton(t('Show Sessions as Table'), () => setVisible(holder.classList.contains('quiet')));
  toggle.setAttribute('aria-expanded', 'false');

  /** Unchanged rows are reused, so that the focus stays on their buttons. */
  let rows = new Map<string, { readonly text: string; readonly element: HTMLElement }>();

  function setVisible(isVisible: boolean): void {
    holder.classList.toggle('quiet', !isVisible);
    toggle.setAttribute('aria-expanded', String(isVisible));
    toggle.textContent = isVisible ? t('Hide Table') : t('Show Sessions as Table');
    for (const button of body.querySelectorAll('button')) button.tabIndex = isVisible ? 0 : -1;
  }

  function rowOf({ id, start, duration, recording, sourceText, transcodedText, canOpen }: ShownSession): HTMLElement {
    const last = make('td', '');
    if (canOpen) {
      const button = makeButton(t('Open'), () => open(id));
      button.setAttribute('aria-label', t('Watch the recording of {0}', start));
      button.tabIndex = holder.classList.contains('quiet') ? -1 : 0;
      last.append(button);
    }
    const cells = [start, duration, recording, sourceText, transcodedText].map((text) => make('td', '', text));
    return make('tr', '', ...cells, last);
  }

  return {
    element: make('section', 'card wide', toggle, holder),
    show(sessions: readonly ShownSession[]) {
      const made = sessions.map((session) => {
        const text = JSON.stringify(session);
        const known = rows.get(session.id);
        return [session.id, known?.text === text ? known : { text, element: rowOf(session) }] as const;
      });
      rows = new Map(made);
      place(
        body,
        [...rows.values()].map(({ element }) => element),
      );
    },
  };
}

/** Replaces the children without moving those that are in place already. */
function place(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  for (const [at, child] of children.entries()) {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  }
}
