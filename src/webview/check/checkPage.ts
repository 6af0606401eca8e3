import { t } from '@vscode/l10n';
import { makeBanner } from '../banner.ts';
import { announceCopied, makeActButton, showCopied } from '../details/actButton.ts';
import { focusedIn, make } from '../makeElement.ts';
import { makeMark } from '../marks.ts';
import type { OpenPage } from '../openPage.ts';
import type {
  CheckButton,
  FromCheck,
  ShownCheck,
  ShownFinding,
  ShownGroup,
  ShownNotice,
  ShownReport,
  ToCheck,
} from './messages.ts';
import { makeTimelinePart } from './timelinePart.ts';

type PressCheck = (button: CheckButton) => void;

export function startCheckPage(page: OpenPage): void {
  const send: (said: FromCheck) => void = page.send;
  const check = new CheckPage(({ act, index }) =>
    send({ kind: 'press', act, ...(index === undefined ? {} : { index }) }),
  );
  let hasShown = false;
  page.listen<ToCheck>(
    (message) => {
      if (message.kind === 'copied') return check.confirmCopy(message);
      hasShown = true;
      check.show(message.shown);
    },
    () => hasShown,
  );
}

/** Leaves unchanged parts alone, so that focus, selection, and scroll position are kept. */
class CheckPage {
  readonly #press: PressCheck;
  readonly #title = make('h1', 'title');
  readonly #summary = make('p', 'summary');
  readonly #about = make('p', 'aboutLine');
  readonly #step = make('p', 'step');
  readonly #progress = make('div', 'progress', make('div', 'track'));
  readonly #notice = make('div', '');
  readonly #announced = make('p', 'quiet');
  readonly #buttons = make('div', 'buttons');
  readonly #body = make('div', 'report');
  #shownNotice = '';
  #shownButtons = '';
  #shownAbout = '';
  #shownReport: string | undefined;

  constructor(press: PressCheck) {
    this.#press = press;
    this.#progress.setAttribute('role', 'progressbar');
    this.#announced.setAttribute('role', 'status');
    this.#showProgress(undefined);
    const about = [this.#title, this.#summary, this.#about, this.#notice, this.#step, this.#progress];
    const header = make('header', 'top', make('div', 'about', ...about, this.#buttons));
    document.body.replaceChildren(make('main', 'page check', header, this.#announced, this.#body));
  }

  show({ title, progress, about, notice, buttons, report }: ShownCheck): void {
    setText(this.#title, title);
    document.title = title;
    this.#showProgress(progress);
    this.#buttons.classList.toggle('running', progress !== undefined);
    const hadFocus = [this.#notice, this.#buttons].some((part) => focusedIn(part) !== undefined);
    this.#showNotice(notice);
    this.#showButtons(buttons);
    if (hadFocus && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.about button')?.focus();
    this.#showAbout(about);
    this.#showReport(report);
    // The steps aren't announced: there may be many.
    const isRunning = progress !== undefined;
    setText(this.#announced, isRunning ? t('Checking…') : (notice?.text ?? report?.summary ?? ''));
  }

  #showNotice(notice: ShownNotice | undefined): void {
    const text = JSON.stringify(notice) ?? '';
    if (text === this.#shownNotice) return;
    this.#shownNotice = text;
    this.#notice.replaceChildren(...(notice === undefined ? [] : [this.#makeNotice(notice)]));
  }

  #makeNotice({ text, isFailure, buttons }: ShownNotice): HTMLElement {
    if (!isFailure) return make('p', 'notice', text);
    const ways = buttons.map((button) => this.#makeButton(button));
    return makeBanner(text, ways);
  }

  confirmCopy({ act, index }: Extract<ToCheck, { readonly kind: 'copied' }>): void {
    const which = index === undefined ? '' : `[data-index="${index}"]`;
    for (const button of document.querySelectorAll<HTMLElement>(`[data-act=${act}]${which}`)) showCopied(button);
    announceCopied(this.#announced);
  }

  #showProgress(progress: string | undefined): void {
    this.#step.hidden = progress === undefined;
    this.#progress.hidden = progress === undefined;
    setText(this.#step, progress ?? '');
    this.#progress.ariaLabel = progress ?? '';
  }

  #showButtons(buttons: readonly CheckButton[]): void {
    const text = JSON.stringify(buttons);
    if (text === this.#shownButtons) return;
    this.#shownButtons = text;
    this.#buttons.replaceChildren(...buttons.map((button) => this.#makeButton(button)));
  }

  #showAbout(about: ShownCheck['about']): void {
    const text = JSON.stringify(about);
    if (text === this.#shownAbout) return;
    this.#shownAbout = text;
    this.#about.hidden = about.length === 0;
    this.#about.replaceChildren(...about.map(makeAboutPart));
  }

  #showReport(report: ShownReport | undefined): void {
    const text = JSON.stringify(report) ?? '';
    if (text === this.#shownReport) return;
    this.#shownReport = text;
    const isOpen = this.#body.querySelector('details')?.open === true;
    this.#summary.hidden = report === undefined;
    this.#summary.replaceChildren(...(report === undefined ? [] : summaryOf(report)));
    this.#body.replaceChildren(...(report === undefined ? [] : this.#partsOf(report)));
    const details = this.#body.querySelector('details');
    if (details !== null) details.open = isOpen;
  }

  #partsOf({ problems, warnings, timeline, facts, passed }: ShownReport): readonly HTMLElement[] {
    return [
      ...(problems === undefined ? [] : [this.#makeFindings(problems)]),
      ...(warnings === undefined ? [] : [this.#makeFindings(warnings)]),
      ...(timeline === undefined ? [] : [makeTimelinePart(timeline)]),
      ...(passed === undefined ? [] : [makePassed(passed)]),
      ...(facts.length === 0 ? [] : [makeFacts(facts)]),
    ];
  }

  #makeFindings({ heading, findings }: ShownGroup): HTMLElement {
    const items = findings.map((finding) => this.#makeFinding(finding));
    return make('section', 'findings', make('h2', 'heading', heading), make('ul', 'list', ...items));
  }

  #makeFinding(finding: ShownFinding): HTMLElement {
    const { tone, label, figure, meaning, advice, line, button } = finding;
    const words = make('div', 'words', make('h3', 'what', label, ' ', make('span', 'figure', figure)));
    if (meaning !== undefined) words.append(make('p', 'meaning', meaning));
    if (advice !== undefined) words.append(make('p', 'advice', advice));
    const acts = button === undefined ? [] : [make('div', 'acts', this.#makeButton(button))];
    if (line !== undefined) {
      const code = make('code', 'code', line);
      code.dir = 'ltr';
      words.append(make('div', 'line', code, ...acts.splice(0)));
    }
    const item = make('li', 'finding card', makeMark(tone), make('div', 'content', words, ...acts));
    item.dataset.tone = tone;
    return item;
  }

  #makeButton(button: CheckButton): HTMLButtonElement {
    const made = makeActButton(button, this.#press);
    if (button.index !== undefined) made.dataset.index = String(button.index);
    return made;
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function summaryOf({ summary, tone }: ShownReport): readonly Node[] {
  return [makeMark(tone), make('strong', '', summary)];
}

function makeAboutPart({ text, isCode = false }: ShownCheck['about'][number]): HTMLElement {
  const part = make('span', isCode ? 'part code' : 'part', text);
  if (isCode) part.dir = 'ltr';
  return part;
}

function makeFacts(facts: ShownReport['facts']): HTMLElement {
  const items = facts.map(({ label, value }) =>
    make('div', 'fact', make('dt', 'label', label), make('dd', 'cell', make('span', 'value', value))),
  );
  const list = make('dl', 'facts', ...items);
  return make('section', 'card wide', make('h2', 'heading', t('Details')), list);
}

function makePassed({ heading, groups }: NonNullable<ShownReport['passed']>): HTMLElement {
  const summary = make('summary', 'summary', heading);
  return make('details', 'more passed', summary, make('div', 'cards', ...groups.map(makePassedGroup)));
}

function makePassedGroup({ heading, findings }: ShownGroup): HTMLElement {
  const items = findings.map(({ label, figure }) => {
    return make('li', 'pass', makeMark('good'), make('span', 'words', make('span', 'label', label), ' ', figure));
  });
  return make('section', 'card', make('h2', 'heading', heading), make('ul', 'list', ...items));
}
