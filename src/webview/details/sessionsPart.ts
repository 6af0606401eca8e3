import { t } from '@vscode/l10n';
import { watchLabel, watchRecordingLabel } from '../../texts/labels.ts';
import { downloadMp4Label, recordingLabel } from '../../texts/lateLabels.ts';
import { joinWords } from '../../util/text.ts';
import { focusedIn, make, makeButton } from '../makeElement.ts';
import { makeMark } from '../marks.ts';
import type { Tone } from '../messages.ts';
import { makeActButton, type Press } from './actButton.ts';
import type { Button, ShownDay, ShownSession, ShownSessions } from './messages.ts';

export interface SessionsPart {
  readonly element: HTMLElement;
  show(shown: ShownSessions): void;
}

/** Creates the list of a stream's sessions: a strip of the last days, and a table that says the same in words. */
export function createSessionsPart(press: Press): SessionsPart {
  const summary = make('p', 'summaryLine');
  const notes = make('div', 'notes');
  const days = make('div', 'strip');
  days.setAttribute('role', 'img');
  const axis = make('div', 'axis');
  const strip = make('div', 'stripHolder', days, axis);
  const table = createTable(press);
  const heading = make('h2', 'heading', t('Sessions'));
  const element = make(
    'section',
    'card sessions',
    make('div', 'headLine', heading, summary),
    strip,
    table.element,
    notes,
  );
  let shown: ShownSessions | undefined;

  function noteOf({ text, button }: ShownSessions['notes'][number]): HTMLElement {
    const line = make('p', 'note', text);
    if (button !== undefined) line.append(makeActButton(button, press));
    return line;
  }

  return {
    element,
    show(next) {
      // No line begins with a separator.
      summary.textContent = next.isLoading ? t('Loading…') : next.summary.replaceAll(' · ', '\u00a0· ');
      days.setAttribute('aria-label', next.summary);
      strip.hidden = next.days.every(({ bars }) => bars.length === 0);
      if (JSON.stringify(next.notes) !== JSON.stringify(shown?.notes)) notes.replaceChildren(...next.notes.map(noteOf));
      if (JSON.stringify(next.days) !== JSON.stringify(shown?.days)) {
        days.replaceChildren(...next.days.map((day) => makeDay(day, (session) => table.reveal(session))));
        axis.replaceChildren(
          make('span', '', next.firstDay),
          make('span', 'legend', ...next.legend.map(({ tone, label }) => make('span', 'key', makeSwatch(tone), label))),
          make('span', '', next.lastDay),
        );
      }
      table.show(next.sessions);
      shown = next;
    },
  };
}

function makeDay({ words, bars, session }: ShownDay, reveal: (session: number) => void): HTMLElement {
  const column = make('span', 'day', ...bars.map(makeBar));
  column.title = words;
  if (session !== undefined) {
    column.classList.add('used');
    column.addEventListener('click', () => reveal(session));
  }
  return column;
}

function makeBar({ tone, share }: ShownDay['bars'][number]): HTMLElement {
  const bar = make('span', 'slice');
  bar.dataset.tone = tone;
  bar.style.height = `${Math.round(share * 100)}%`;
  return bar;
}

/** Makes a swatch that looks like the bars. */
function makeSwatch(tone: Tone): HTMLElement {
  const swatch = make('span', 'slice swatch');
  swatch.dataset.tone = tone;
  return swatch;
}

function createTable(press: Press) {
  const body = make('tbody', '');
  const head = [t('Start'), t('Duration'), recordingLabel()].map((text) => make('th', '', text));
  const headRow = make('tr', '', ...head, make('td', ''));
  const caption = make('caption', 'quiet', t('Sessions, newest first'));
  const table = make('table', 'table', caption, make('thead', '', headRow), body);
  const holder = make('div', 'scroll', table);
  /** Unchanged rows are reused. */
  let rows = new Map<string, { readonly text: string; readonly element: HTMLElement }>();

  return {
    element: holder,
    /** Scrolls to a session and puts focus on it. */
    reveal(session: number) {
      const row = [...rows.values()][session]?.element;
      row?.scrollIntoView({ block: 'nearest' });
      row?.querySelector('button')?.focus();
    },
    show(sessions: readonly ShownSession[]) {
      holder.hidden = sessions.length === 0;
      const made = sessions.map((session) => {
        const text = JSON.stringify(session);
        const known = rows.get(session.id);
        return [session.id, known?.text === text ? known : { text, element: makeRow(session, press) }] as const;
      });
      const focused = focusedIn(body);
      const [id, row] = [...rows].find(([, { element }]) => element.contains(focused ?? null)) ?? [];
      const at = buttonsOf(row?.element).indexOf(focused as HTMLButtonElement);
      rows = new Map(made);
      placeChildren(
        body,
        [...rows.values()].map(({ element }) => element),
      );
      // The row of a live session changes every minute.
      buttonsOf(rows.get(id ?? '')?.element)[at]?.focus({ preventScroll: true });
    },
  };
}

function buttonsOf(row: HTMLElement | undefined): readonly HTMLButtonElement[] {
  return [...(row?.querySelectorAll('button') ?? [])];
}

function makeRow(session: ShownSession, press: Press) {
  const { id, start, duration, isLive, recording, tone, canPlay, canDownload } = session;
  const details = makeButton(start, () => press({ label: start, act: 'showSession', session: id }));
  details.className = 'link';
  details.title = t('Show Session Details');
  const acts = make('td', 'rowActs');
  if (canDownload) {
    const download: Button = {
      label: downloadMp4Label(),
      hint: t('Download MP4: {0}', start),
      act: 'downloadMp4',
      session: id,
      icon: 'download',
    };
    acts.append(makeActButton(download, press));
  }
  if (canPlay) {
    const play: Button = isLive
      ? { label: watchLabel(), hint: joinWords(watchLabel(), start), act: 'watchStream', icon: 'play' }
      : {
          label: watchRecordingLabel(),
          hint: t('Watch Recording: {0}', start),
          act: 'openRecording',
          session: id,
          icon: 'play',
        };
    acts.append(makeActButton(play, press));
  }
  const length = make('td', '', ...(isLive ? [makeMark('live')] : []), duration);
  return make('tr', '', make('td', '', details), length, make('td', '', makeMark(tone), recording), acts);
}

/** Replaces the children without moving those that are in place already. */
function placeChildren(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  for (const [at, child] of children.entries()) {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  }
}
