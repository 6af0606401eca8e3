import { t } from '@vscode/l10n';
import { makeBanner } from '../banner.ts';
import { announceCopied, makeActButton, showCopied } from '../details/actButton.ts';
import { focusedIn, make, makeButton } from '../makeElement.ts';
import { makeMark } from '../marks.ts';
import type { OpenPage } from '../openPage.ts';
import { type JsonToken, splitJson, splitLines } from './jsonTokens.ts';
import type {
  DeliveryAct,
  DeliveryButton,
  FromDelivery,
  ShownAnswer,
  ShownAttempt,
  ShownCode,
  ShownDelivery,
  ShownRequest,
  ShownSignature,
  ToDelivery,
} from './messages.ts';

type PressDelivery = (button: DeliveryButton) => void;

/** Like the headers, a long body stays expanded when the request is drawn again. */
interface Folding {
  isWhole: boolean;
}

// Keeps the signature close below a folded request.
const MOST_LINES = 40;
const FOLDED_LINES = 30;
const FOLDED_CHARACTERS = 2500;

export function startDeliveryPage(page: OpenPage): void {
  const send: (said: FromDelivery) => void = page.send;
  const delivery = new DeliveryPage(({ act, target }) => send({ kind: 'press', act, target }));
  let hasShown = false;
  page.listen<ToDelivery>(
    (message) => {
      if (message.kind === 'copied') return delivery.confirmCopy(message.act);
      hasShown = true;
      delivery.show(message.shown);
    },
    () => hasShown,
  );
}

/** Leaves unchanged parts alone, so that focus, selection, and scroll position are kept. */
class DeliveryPage {
  readonly #press: PressDelivery;
  readonly #header = make('div', 'about');
  readonly #announced = make('p', 'quiet');
  readonly #answers = make('div', 'part');
  readonly #request = make('div', 'part');
  readonly #signature = make('div', 'part');
  readonly #folding: Folding = { isWhole: false };
  readonly #shownParts = new Map<HTMLElement, string>();

  constructor(press: PressDelivery) {
    this.#press = press;
    this.#announced.setAttribute('role', 'status');
    const parts = make('div', 'parts', this.#answers, this.#request, this.#signature);
    const header = make('header', 'top', this.#header);
    document.body.replaceChildren(make('main', 'page delivery', header, this.#announced, parts));
  }

  show({ answers, request, signature, ...top }: ShownDelivery): void {
    const press = this.#press;
    document.title = top.title;
    const announced = top.notice?.text ?? top.attempts[0]?.text ?? '';
    if (this.#announced.textContent !== announced) this.#announced.textContent = announced;
    this.#place(this.#header, top, () => makeTop(top, press));
    this.#place(this.#answers, answers, (shown) => shown.map((each) => makeAnswer(each, press)));
    const areOpen = this.#request.querySelector('details')?.open === true;
    this.#place(this.#request, request, (shown) => [makeRequest(shown, press, this.#folding)]);
    const headers = this.#request.querySelector('details');
    if (headers !== null) headers.open = areOpen;
    this.#place(this.#signature, signature, (shown) => [makeSignature(shown, press)]);
  }

  confirmCopy(act: DeliveryAct): void {
    for (const button of document.querySelectorAll<HTMLElement>(`[data-act=${act}]`)) showCopied(button);
    announceCopied(this.#announced);
  }

  #place<T>(part: HTMLElement, shown: T | undefined, makeAll: (shown: T) => readonly Node[]): void {
    const text = JSON.stringify(shown) ?? '';
    if (this.#shownParts.get(part) === text) return;
    this.#shownParts.set(part, text);
    const act = focusedIn(part)?.dataset.act;
    part.replaceChildren(...(shown === undefined ? [] : makeAll(shown)));
    if (act !== undefined) focusAgain(part, act);
  }
}

/** "Reveal Secrets" becomes "Hide Secrets", and focus stays on it. */
function focusAgain(part: HTMLElement, act: string): void {
  const twin = { reveal: 'hide', hide: 'reveal' }[act] ?? act;
  const button = part.querySelector<HTMLElement>(`[data-act=${twin}]`) ?? part.querySelector<HTMLElement>(`[data-act]`);
  button?.focus();
}

type Top = Omit<ShownDelivery, 'answers' | 'request' | 'signature'>;

function makeTop({ title, notice, attempts, links, origin, buttons, isDone }: Top, press: PressDelivery) {
  const [newest, ...others] = attempts.map((attempt) => makeAttempt(attempt, press));
  const parts = [make('h1', 'title', title), ...(newest === undefined ? [] : [newest])];
  const facts = make('p', 'aboutLine');
  for (const { label, button } of links) {
    facts.append(make('span', 'fact', label, ' ', makeLink(button, press)));
  }
  if (origin !== undefined) facts.append(make('span', 'fact', origin));
  if (facts.childNodes.length > 0) parts.push(facts);
  if (notice?.isFailure === false) parts.push(make('p', 'notice', notice.text));
  if (buttons.length > 0) {
    const row = make('div', 'buttons', ...buttons.map((button) => makeActButton(button, press)));
    row.classList.toggle('isDone', isDone);
    parts.push(row);
  }
  if (notice?.isFailure === true) {
    const ways = notice.buttons.map((button) => makeActButton(button, press));
    parts.push(makeBanner(notice.text, ways));
  }
  // Below the buttons, which stay in place when the event is sent again.
  return [...parts, ...others];
}

function makeLink(button: DeliveryButton, press: PressDelivery): HTMLElement {
  const link = makeActButton(button, press);
  link.classList.add('link');
  return link;
}

function makeAttempt({ tone, text, meaning, button }: ShownAttempt, press: PressDelivery): HTMLElement {
  // "Failed · 500 · 1.2 s": as in the state of a stream, the outcome stands out.
  const [word = '', ...rest] = text.split(' · ');
  const words = make('span', '', make('strong', '', word), rest.map((each) => ` · ${each}`).join(''));
  if (button !== undefined) words.append(' ', makeLink(button, press));
  if (meaning !== undefined) words.append(make('span', 'meaning', meaning));
  return make('p', 'summary', makeMark(tone), words);
}

function makeRequest(shown: ShownRequest, press: PressDelivery, folding: Folding): HTMLElement {
  const { heading, line, headersHeading, headers, body, note } = shown;
  const card = makeCard(heading);
  if (line !== '') card.append(makeLine(line));
  if (headersHeading !== undefined) {
    const rows = headers.flatMap(({ name, value }) => [make('dt', 'name', name), isolated('dd', 'cell', value)]);
    card.append(make('details', 'folded', make('summary', 'summary', headersHeading), make('dl', 'headers', ...rows)));
  }
  if (note !== undefined) card.append(make('p', 'note', note));
  else if (body !== undefined) card.append(...makeCode(body, press, folding));
  return card;
}

function makeAnswer({ heading, line, body, note }: ShownAnswer, press: PressDelivery): HTMLElement {
  const card = makeCard(heading);
  if (line !== undefined) card.append(makeLine(line));
  if (note !== undefined) card.append(make('p', 'note', note));
  if (body !== undefined) card.append(...makeCode(body, press));
  return card;
}

function makeSignature({ heading, tone, verdict, value, buttons }: ShownSignature, press: PressDelivery): HTMLElement {
  const sign = tone === undefined ? [] : [makeMark(tone)];
  const words = make('span', '', verdict);
  const card = makeCard(heading, make('p', 'verdict', ...sign, words));
  if (value === undefined) words.append(...buttons.flatMap((button) => [' ', makeLink(button, press)]));
  else card.append(makeLine(value), makeActs(buttons, press));
  return card;
}

function makeCard(heading: string, ...children: readonly Node[]): HTMLElement {
  return make('section', 'card', make('h2', 'heading', heading), ...children);
}

/** All strings are set as text: nothing from outside is ever parsed as HTML. */
function makeCode(
  { text, note, buttons = [] }: ShownCode,
  press: PressDelivery,
  folding?: Folding,
): readonly HTMLElement[] {
  const code = isolated('pre', 'code', '');
  const fill = (shown: string) => {
    const tokens = splitJson(shown);
    code.replaceChildren(...(tokens.length > 1 ? splitLines(tokens).map(makeCodeLine) : [shown]));
  };
  const folded = folding === undefined || folding.isWhole ? text : foldText(text);
  fill(folded);
  return [
    ...(note === undefined ? [] : [make('p', 'note', note)]),
    make('div', 'codeBox', ...(buttons.length === 0 ? [] : [makeActs(buttons, press)]), code),
    ...(folded === text ? [] : [makeShowAll(code, () => fill(text), folding)]),
  ];
}

/** Returns the beginning of a long text. */
function foldText(text: string): string {
  const lines = text.split('\n', MOST_LINES + 1);
  const shown = lines.length > MOST_LINES ? lines.slice(0, FOLDED_LINES).join('\n') : text;
  return shown.length > FOLDED_CHARACTERS ? `${shown.slice(0, FOLDED_CHARACTERS).toWellFormed()}…` : shown;
}

/** Makes a button that is removed when clicked. The focus moves to the text. */
function makeShowAll(code: HTMLElement, fill: () => void, folding: Folding | undefined): HTMLElement {
  const acts = make(
    'div',
    'acts',
    makeButton(t('Show All'), () => {
      if (folding !== undefined) folding.isWhole = true;
      fill();
      acts.remove();
      code.tabIndex = -1;
      code.focus({ preventScroll: true });
    }),
  );
  return acts;
}

function makeActs(buttons: readonly DeliveryButton[], press: PressDelivery): HTMLElement {
  return make('div', 'acts', ...buttons.map((button) => makeActButton(button, press)));
}

/** Where a line wraps, it continues further in than it begins, as in the editor. */
function makeCodeLine(tokens: readonly JsonToken[]): HTMLElement {
  const line = make('span', 'codeLine');
  const [indent = ''] = /^ */.exec(tokens[0]?.text ?? '') ?? [];
  line.style.setProperty('--indent', String(indent.length));
  const [first, second, ...others] = tokens;
  // An indented name isn't separated from its indentation.
  if (first !== undefined && second?.kind === 'name') {
    line.append(make('span', 'unbroken', makeToken(first), makeToken(second)), ...others.map(makeToken));
  } else line.append(...tokens.map(makeToken));
  return line;
}

function makeToken({ text, kind }: JsonToken): Node | string {
  return kind === undefined ? text : make('span', `${kind}Token`, text);
}

/** A line with a URL, which wraps between the parts of its path. */
function makeLine(text: string): HTMLElement {
  const line = isolated('p', 'code line', '');
  line.append(...text.split(/(?<=[/?&,])/).flatMap((part, at) => (at === 0 ? [part] : [make('wbr', ''), part])));
  return line;
}

function isolated<K extends 'p' | 'pre' | 'dd'>(tag: K, className: string, text: string): HTMLElementTagNameMap[K] {
  const element = make(tag, className, text);
  element.dir = 'ltr';
  return element;
}
