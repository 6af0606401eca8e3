import { t } from '@vscode/l10n';
import { make, makeButton } from '../makeElement.ts';
import type { OpenPage } from '../openPage.ts';
import { mountPlayer } from '../player/player.ts';
import type { Button, Fact, FromDetails, SecretName, Section, Shown, ShownDetails, ToDetails } from './messages.ts';
import { createSessionsPart, type SessionsPart } from './sessionsPart.ts';
import { onThemeChange } from './theme.ts';

interface PageActs {
  readonly press: (button: Button) => void;
  readonly open: (sessionId: string) => void;
}

type Secrets = Readonly<Partial<Record<SecretName, string>>>;

/** Leaves unchanged parts alone, so that focus, selection and scroll position are kept. */
class DetailsPage {
  readonly #acts: PageActs;
  readonly #title = make('h1', 'title');
  readonly #state = make('p', 'state');
  readonly #warning = make('p', 'warning');
  readonly #buttons = make('div', 'buttons');
  readonly #notice = make('p', 'notice');
  readonly #cards = make('div', 'cards');
  readonly #pictures = make('div', 'pictures');
  readonly #sections = new Map<string, { readonly text: string; readonly element: HTMLElement }>();
  readonly #player: HTMLElement;
  #sessions: SessionsPart | undefined;
  #shownSessions = '';
  #shownButtons = '';
  #secrets: Secrets | undefined;

  /** @param player shown between the header and the cards of a session's page, but not beside a notice. */
  constructor(acts: PageActs, player: HTMLElement | undefined) {
    this.#acts = acts;
    this.#player = make('section', 'playerPart', ...(player === undefined ? [] : [player]));
    this.#player.setAttribute('aria-label', t('Recording'));
    this.#player.hidden = true;
    this.#state.setAttribute('role', 'status');
    this.#warning.setAttribute('role', 'alert');
    this.#notice.setAttribute('role', 'status');
    const header = make('header', 'top', this.#title, this.#state, this.#warning, this.#notice, this.#buttons);
    document.body.replaceChildren(make('main', 'page', header, this.#player, this.#cards, this.#pictures));
    onThemeChange(() => this.#sessions?.redraw());
  }

  show(shown: Shown): void {
    this.#title.textContent = shown.title;
    document.title = shown.title;
    this.#showButtons(shown.buttons);
    const isNotice = shown.kind === 'notice';
    this.#notice.hidden = !isNotice;
    this.#notice.textContent = isNotice ? shown.sentence : '';
    this.#player.hidden = isNotice || !this.#player.hasChildNodes();
    if (isNotice) this.#clear();
    else this.#showDetails(shown);
  }

  /** Shows secrets in place of their dots until `hide` is called. */
  reveal(secrets: Secrets): void {
    this.#secrets = secrets;
    this.#showSecrets();
  }

  hide(): void {
    this.#secrets = undefined;
    this.#showSecrets();
  }

  #clear(): void {
    this.hide();
    this.#state.replaceChildren();
    this.#warning.hidden = true;
    this.#sections.clear();
    this.#cards.replaceChildren();
    this.#pictures.replaceChildren();
    this.#sessions = undefined;
    this.#shownSessions = '';
  }

  #showDetails({ state, tone, warning = '', sections, sessions }: ShownDetails): void {
    const [first = '', ...others] = state;
    const text = [first, ...others].join(' · ');
    if (this.#state.textContent !== text || this.#state.dataset.tone !== tone) {
      this.#state.dataset.tone = tone;
      this.#state.replaceChildren(
        make('span', 'pill', first),
        ...others.map((word) => make('span', 'word', ` · ${word}`)),
      );
    }
    if (this.#warning.textContent !== warning) this.#warning.textContent = warning;
    this.#warning.hidden = warning === '';
    this.#place(sections.map((section) => this.#sectionOf(section)));
    this.#showSecrets();
    this.#showSessions(sessions);
  }

  #showSessions(sessions: ShownDetails['sessions']): void {
    const text = JSON.stringify(sessions);
    if (sessions === undefined || text === this.#shownSessions) return;
    this.#shownSessions = text;
    if (this.#sessions === undefined) {
      this.#sessions = createSessionsPart({ open: this.#acts.open, press: this.#acts.press });
      this.#pictures.replaceChildren(this.#sessions.element);
    }
    this.#sessions.show(sessions);
  }

  #sectionOf(section: Section): HTMLElement {
    const text = JSON.stringify(section);
    const known = this.#sections.get(section.id);
    if (known?.text === text) return known.element;
    const element = makeSection(section, this.#acts.press);
    const focused = known?.element.contains(document.activeElement) ? document.activeElement : null;
    known?.element.replaceWith(element);
    if (focused instanceof HTMLElement) focusAgain(element, focused);
    this.#sections.set(section.id, { text, element });
    return element;
  }

  #place(elements: readonly HTMLElement[]): void {
    const isSame = elements.length === this.#cards.children.length;
    if (isSame && elements.every((element, at) => this.#cards.children[at] === element)) return;
    this.#cards.replaceChildren(...elements);
  }

  #showButtons(buttons: readonly Button[]): void {
    const text = JSON.stringify(buttons);
    if (text === this.#shownButtons) return;
    this.#shownButtons = text;
    this.#buttons.replaceChildren(...buttons.map((button) => makeActButton(button, this.#acts.press)));
  }

  #showSecrets(): void {
    for (const element of this.#cards.querySelectorAll<HTMLElement>('[data-secret]')) {
      const value = this.#secrets?.[element.dataset.secret as SecretName];
      element.textContent = value ?? element.dataset.masked ?? '';
    }
    for (const button of this.#cards.querySelectorAll<HTMLElement>('[data-act=reveal], [data-act=hide]')) {
      const isRevealed = this.#secrets !== undefined;
      button.dataset.act = isRevealed ? 'hide' : 'reveal';
      button.textContent = isRevealed ? t('Hide') : t('Reveal');
      const hint = isRevealed ? t('Hide the stream key') : t('Reveal the stream key for 30 seconds');
      button.title = hint;
      button.setAttribute('aria-label', hint);
    }
  }

  get isRevealed(): boolean {
    return this.#secrets !== undefined;
  }
}

function focusAgain(element: HTMLElement, focused: HTMLElement): void {
  const label = focused.getAttribute('aria-label') ?? focused.textContent;
  const same = [...element.querySelectorAll('button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent) === label,
  );
  same?.focus();
}

type Press = (button: Button) => void;

/** All texts are set as text: nothing from a service is ever parsed as HTML. */
function makeSection({ heading, facts, rows, texts }: Section, press: Press): HTMLElement {
  const section = make('section', 'card', make('h2', 'heading', heading));
  if (facts !== undefined && facts.length > 0) section.append(makeFacts(facts, press));
  if (rows !== undefined) section.append(make('div', 'scroll', makeTable(rows)));
  if (texts !== undefined && texts.length > 0) {
    section.append(make('ul', 'texts', ...texts.map((text) => make('li', 'text', text))));
  }
  return section;
}

function makeActButton(button: Button, press: Press): HTMLButtonElement {
  const made = makeButton(button.label, () => press(button));
  made.dataset.act = button.act;
  if (button.hint !== undefined) {
    made.title = button.hint;
    made.setAttribute('aria-label', button.hint);
  }
  return made;
}

function makeFacts(facts: readonly Fact[], press: Press): HTMLElement {
  return make('dl', 'facts', ...facts.map((fact) => makeFact(fact, press)));
}

function makeFact({ label, value, isCode, secret, tone, buttons = [] }: Fact, press: Press): HTMLElement {
  const text = make('span', ['value', isCode === true ? 'code' : '', tone ?? ''].join(' ').trim(), value);
  if (secret !== undefined) markSecret(text, secret, value);
  const cell = make('dd', 'cell', text);
  if (buttons.length > 0) cell.append(make('span', 'acts', ...buttons.map((button) => makeActButton(button, press))));
  return make('div', 'fact', make('dt', 'label', label), cell);
}

function markSecret(element: HTMLElement, secret: SecretName, masked: string): void {
  element.dataset.secret = secret;
  element.dataset.masked = masked;
}

function makeTable([head = [], ...rows]: readonly (readonly string[])[]): HTMLElement {
  const headRow = make('tr', '', ...head.map((text) => make('th', '', text)));
  const body = rows.map((row) => make('tr', '', ...row.map((text) => make('td', '', text))));
  return make('table', 'table', make('thead', '', headRow), make('tbody', '', ...body));
}

export function startDetailsPage(page: OpenPage): void {
  const send: (said: FromDetails) => void = page.send;
  const player =
    page.subject.kind === 'session'
      ? mountPlayer({
          isStream: false,
          isPart: true,
          position: page.position,
          keep: page.keep,
          send: (said) => send({ kind: 'player', said }),
        })
      : undefined;
  const press = ({ act }: Button): void => {
    send({ kind: 'press', act: act === 'reveal' && details.isRevealed ? 'hide' : act });
  };
  const open = (session: string): void => send({ kind: 'press', act: 'openRecording', session });
  const details = new DetailsPage({ press, open }, player?.element);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) details.hide();
  });
  let shown: Shown | undefined;
  page.listen<ToDetails>(
    (message) => {
      if (message.kind === 'player') return player?.receive(message.message);
      if (message.kind === 'show') {
        shown = message.shown;
        details.show(shown);
        if (shown.kind === 'notice') player?.stop();
      } else if (message.kind === 'reveal') details.reveal(message.secrets);
      else details.hide();
    },
    () => shown !== undefined && (shown.kind === 'notice' || player?.hasShown() !== false),
  );
}
