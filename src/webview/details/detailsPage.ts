import { t } from '@vscode/l10n';
import { loadingLabel, watchLabel } from '../../texts/labels.ts';
import { recordingLabel } from '../../texts/lateLabels.ts';
import { focusedIn, make, makeButton } from '../makeElement.ts';
import { makeMark } from '../marks.ts';
import type { Tone } from '../messages.ts';
import type { OpenPage } from '../openPage.ts';
import { mountPlayer } from '../player/player.ts';
import { announceCopied, drawIcon, makeActButton, makeMenu, type Press, showCopied } from './actButton.ts';
import { makeAddress } from './address.ts';
import type {
  Button,
  Cell,
  Fact,
  FromDetails,
  Menu,
  PageSecrets,
  SecretName,
  Section,
  Shown,
  ShownDetails,
  StateWord,
  ToDetails,
} from './messages.ts';
import { createSessionsPart, type SessionsPart } from './sessionsPart.ts';

const NO_WARNING: NonNullable<ShownDetails['warning']> = { sentence: '', buttons: [] };

/** Leaves unchanged parts alone, so that focus, selection, and scroll position are kept. */
class DetailsPage {
  readonly #press: Press;
  readonly #title = make('h1', 'title');
  readonly #state = make('p', 'state');
  readonly #announced = make('p', 'quiet');
  readonly #warning = make('p', 'words');
  readonly #ways = make('div', 'ways');
  readonly #banner = make('div', 'warning', makeMark('warning'), this.#warning, this.#ways);
  readonly #issues = make('ul', 'texts');
  readonly #meaning = make('div', 'explanation');
  readonly #buttons = make('div', 'buttons');
  readonly #notice = make('p', 'notice');
  readonly #picture: ReturnType<typeof createPicture>;
  readonly #cards = make('div', 'cards');
  readonly #pictures = make('div', 'pictures');
  readonly #moreCards = make('div', 'cards');
  readonly #moreHeading = make('summary', 'summary');
  readonly #more = make('details', 'more', this.#moreHeading, this.#moreCards);
  readonly #sections = new Map<string, { readonly text: string; readonly element: HTMLElement }>();
  readonly #player: HTMLElement;
  #sessions: SessionsPart | undefined;
  #shownSessions = '';
  #shownButtons = '';
  #shownState = '';
  #shownIssues = '';
  #shownWays = '';
  #shownMeaning = '';
  #secrets: PageSecrets | undefined;

  /** @param player shown between the header and the cards of a session's page, if it has something to play. */
  constructor(press: Press, player: HTMLElement | undefined) {
    this.#press = press;
    this.#picture = createPicture(() => press({ label: '', act: 'watchStream' }));
    this.#player = make('section', 'playerPart', ...(player === undefined ? [] : [player]));
    this.#player.setAttribute('aria-label', recordingLabel());
    this.#player.hidden = true;
    for (const part of [this.#banner, this.#notice, this.#more]) part.hidden = true;
    this.#moreHeading.textContent = t('More Details');
    this.#announced.setAttribute('role', 'status');
    this.#warning.setAttribute('role', 'alert');
    this.#notice.setAttribute('role', 'status');
    const words = [this.#title, this.#state, this.#announced, this.#issues, this.#meaning, this.#notice];
    const header = make('header', 'top', this.#picture.element, make('div', 'about', ...words, this.#buttons));
    const main = make('main', 'page', header, this.#banner, this.#player, this.#cards, this.#pictures, this.#more);
    document.body.replaceChildren(main);
  }

  show(shown: Shown): void {
    setText(this.#title, shown.title);
    document.title = shown.title;
    const isNotice = shown.kind === 'notice';
    this.#showButtons(shown.buttons, isNotice ? [] : shown.menu);
    this.#notice.hidden = !isNotice;
    setText(this.#notice, isNotice ? shown.sentence : '');
    this.#notice.classList.toggle('sentence', isNotice && shown.sentence !== loadingLabel());
    this.#player.hidden = isNotice || shown.hasPlayer !== true || !this.#player.hasChildNodes();
    if (isNotice) this.#clear();
    else this.#showDetails(shown);
    this.#showSessions(shown.sessions);
  }

  /** Shows secrets in place of their dots until `hide` is called. */
  reveal(secrets: PageSecrets): void {
    this.#secrets = secrets;
    this.#showSecrets();
  }

  hide(): void {
    this.#secrets = undefined;
    this.#showSecrets();
  }

  confirmCopy(act: Button['act'], target: string | undefined): void {
    for (const button of document.querySelectorAll<HTMLElement>(`.copying[data-act=${act}]`)) {
      if (button.dataset.target === target) showCopied(button);
    }
    announceCopied(this.#announced);
  }

  scrollTo(section: string): void {
    const element = this.#sections.get(section)?.element;
    // In the middle: the content above may still grow.
    (element?.querySelector('[aria-current]') ?? element)?.scrollIntoView({ block: 'center' });
  }

  showPicture(picture: string | undefined): void {
    this.#picture.show(picture);
  }

  #clear(): void {
    this.hide();
    this.#shownState = '';
    this.#state.replaceChildren();
    this.#announced.textContent = '';
    delete this.#announced.dataset.state;
    this.#showWarning(undefined);
    this.#showIssues({ problems: [], issues: [] });
    this.#shownMeaning = '';
    this.#meaning.replaceChildren();
    this.#picture.expect(false);
    this.#sections.clear();
    this.#cards.replaceChildren();
    this.#moreCards.replaceChildren();
    this.#more.hidden = true;
  }

  #showDetails(shown: ShownDetails): void {
    const { problems = [], issues, meaning = [], before = '', sections, more, hasPicture = false } = shown;
    this.#showState(shown);
    this.#showWarning(shown.warning);
    this.#showIssues({ problems, issues });
    const said = JSON.stringify([meaning, before]);
    if (said !== this.#shownMeaning) {
      this.#shownMeaning = said;
      const sentences = meaning.map((sentence) => make('p', '', sentence));
      this.#meaning.replaceChildren(...sentences, ...(before === '' ? [] : [make('p', 'note', before)]));
    }
    this.#picture.expect(hasPicture);
    placeAll(
      this.#cards,
      sections.map((section) => this.#sectionOf(section)),
    );
    placeAll(
      this.#moreCards,
      more.map((section) => this.#sectionOf(section)),
    );
    this.#more.hidden = more.length === 0;
    this.#moreHeading.title = more.map(({ heading }) => heading).join(' · ');
    this.#showSecrets();
  }

  #showWarning({ sentence, buttons }: ShownDetails['warning'] = NO_WARNING): void {
    setText(this.#warning, sentence);
    this.#banner.hidden = sentence === '';
    const text = JSON.stringify(buttons);
    if (text === this.#shownWays) return;
    this.#shownWays = text;
    this.#ways.replaceChildren(...buttons.map((button) => makeActButton(button, this.#press)));
  }

  #showIssues({ problems, issues }: Required<Pick<ShownDetails, 'problems' | 'issues'>>): void {
    const text = JSON.stringify([problems, issues]);
    if (text === this.#shownIssues) return;
    this.#shownIssues = text;
    const items = (texts: readonly string[], tone: Tone) =>
      texts.map((each) => make('li', 'text', makeMark(tone), each));
    this.#issues.replaceChildren(...items(problems, 'warning'), ...items(issues, 'warning'));
  }

  #showState({ state, announced }: ShownDetails): void {
    const text = JSON.stringify(state);
    if (text === this.#shownState) return;
    this.#shownState = text;
    this.#state.replaceChildren(
      ...state.flatMap((word, at) => makeStateWord(word, { isFirst: at === 0, isLast: at === state.length - 1 })),
    );
    if (this.#announced.dataset.state === announced) return;
    this.#announced.dataset.state = announced;
    this.#announced.textContent = announced;
  }

  #showSessions(sessions: Shown['sessions']): void {
    const text = JSON.stringify(sessions) ?? '';
    if (text === this.#shownSessions) return;
    this.#shownSessions = text;
    if (sessions === undefined) {
      this.#sessions = undefined;
      this.#pictures.replaceChildren();
      return;
    }
    if (this.#sessions === undefined) {
      this.#sessions = createSessionsPart(this.#press);
      this.#pictures.replaceChildren(this.#sessions.element);
    }
    this.#sessions.show(sessions);
  }

  #sectionOf(section: Section): HTMLElement {
    const text = JSON.stringify(section);
    const known = this.#sections.get(section.id);
    if (known?.text === text) return known.element;
    const element = makeSection(section, this.#press);
    const focused = known && focusedIn(known.element);
    known?.element.replaceWith(element);
    if (focused !== undefined) focusAgain(element, focused);
    this.#sections.set(section.id, { text, element });
    return element;
  }

  #showButtons(buttons: readonly Button[], menu: Menu): void {
    const text = JSON.stringify([buttons, menu]);
    if (text === this.#shownButtons) return;
    this.#shownButtons = text;
    const focused = focusedIn(this.#buttons);
    const made: HTMLElement[] = buttons.map((button) => makeActButton(button, this.#press));
    if (menu.length > 0) made.push(makeMenu(menu, this.#press));
    this.#buttons.replaceChildren(...made);
    if (focused !== undefined) focusAgain(this.#buttons, focused);
  }

  #showSecrets(): void {
    for (const element of document.querySelectorAll<HTMLElement>('[data-secret]')) {
      const value = this.#secrets?.[element.dataset.secret as SecretName];
      element.textContent = value ?? element.dataset.masked ?? '';
      element.classList.toggle('isRevealed', value !== undefined);
    }
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-act=reveal], [data-act=hide]')) {
      const { isRevealed } = this;
      const label = isRevealed ? t('Hide the stream key') : t('Reveal the stream key for 30 seconds');
      button.dataset.act = isRevealed ? 'hide' : 'reveal';
      drawIcon(button, isRevealed ? 'eyeClosed' : 'eye', { label });
    }
  }

  get isRevealed(): boolean {
    return this.#secrets !== undefined;
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function placeAll(parent: HTMLElement, elements: readonly HTMLElement[]): void {
  const isSame = elements.length === parent.children.length;
  if (isSame && elements.every((element, at) => parent.children[at] === element)) return;
  parent.replaceChildren(...elements);
}

function focusAgain(element: HTMLElement, { dataset: { act, target } }: HTMLElement): void {
  const buttons = [...element.querySelectorAll('button')];
  buttons.find(({ dataset }) => dataset.act === act && dataset.target === target)?.focus();
}

interface PlaceInState {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A separator stays with the word before it, so that no line begins with one. */
function makeStateWord(words: StateWord, { isFirst, isLast }: PlaceInState): readonly (Node | string)[] {
  const word = make('span', isFirst ? 'word first' : 'word', ...makeWords(words));
  return isLast ? [word] : [make('span', 'joined', word, make('span', 'between', ' ·')), ' '];
}

function makeWords(words: string | StateWord): readonly (Node | string)[] {
  if (typeof words === 'string') return [words];
  return words.tone === undefined ? [words.text] : [makeMark(words.tone), words.text];
}

/** All strings are set as text: nothing from a service is ever parsed as HTML. */
function makeSection(shown: Section, press: Press): HTMLElement {
  const { heading, facts, rows, current, words, texts, note, buttons = [], isWide } = shown;
  const section = make('section', isWide === true ? 'card wide' : 'card', make('h2', 'heading', heading));
  if (facts !== undefined && facts.length > 0) section.append(makeFacts(facts, press));
  if (rows !== undefined) section.append(makeScroller(makeTable(rows, press, current), heading));
  if (words !== undefined) {
    section.append(make('ul', 'texts inRow', ...words.map((word) => make('li', 'text', ...makeWords(word)))));
  }
  if (texts !== undefined && texts.length > 0) {
    section.append(make('ul', 'texts', ...texts.map((text) => make('li', 'text', text))));
  }
  if (note !== undefined) section.append(make('p', 'note', note));
  if (buttons.length > 0) {
    section.append(make('div', 'sectionActs', ...buttons.map((button) => makeActButton(button, press))));
  }
  return section;
}

/** Makes the scroller focusable if the table has no controls of its own. */
function makeScroller(table: HTMLElement, label: string): HTMLElement {
  const scroller = make('div', 'scroll', table);
  if (table.querySelector('button') === null) scroller.tabIndex = 0;
  scroller.role = 'group';
  scroller.ariaLabel = label;
  return scroller;
}

function makeFacts(facts: readonly Fact[], press: Press): HTMLElement {
  return make('dl', 'facts', ...facts.map((fact) => makeFact(fact, press)));
}

function makeFact(fact: Fact, press: Press): HTMLElement {
  const { label, isName, secret, advice, note, buttons = [] } = fact;
  const text = makeValue(fact, press);
  if (secret !== undefined) markSecret(text, secret, fact.value);
  // The advice about a state is directly below it, even if its buttons have no room beside it.
  const texts = [advice, note].filter((each) => each !== undefined);
  const isAdvised = advice !== undefined;
  const shown = isAdvised ? make('div', 'advised', text, ...texts.map((each) => make('p', 'factNote', each))) : text;
  const cell = make('dd', 'cell', shown);
  if (buttons.length > 0) cell.append(makeActs(buttons, press));
  const notes = isAdvised ? [] : texts.map((each) => make('dd', 'factNote', each));
  return make('div', 'fact', make('dt', isName === true ? 'label named' : 'label', label), cell, ...notes);
}

function makeActs(buttons: readonly Button[], press: Press): HTMLElement {
  return make('span', 'acts', ...buttons.map((button) => makeActButton(button, press)));
}

function makeValue({ label, value, isCode, secret, tone, link }: Fact, press: Press): HTMLElement {
  if (link !== undefined) {
    const button = makeActButton(link, press);
    button.className = 'value link';
    return button;
  }
  if (isCode === true && secret === undefined && value.includes('://')) return makeAddress(label, value);
  const words = makeWords({ text: value, ...(tone && { tone }) });
  const text = make('span', isCode === true ? 'value code' : 'value', ...words);
  if (isCode === true) text.dir = 'ltr';
  if (secret === undefined) text.title = value;
  return text;
}

function markSecret(element: HTMLElement, secret: SecretName, masked: string): void {
  element.dataset.secret = secret;
  element.dataset.masked = masked;
}

/** More of them don't fit a narrow page. */
const MOST_COLUMNS = 3;

function makeTable(
  [head = [], ...rows]: NonNullable<Section['rows']>,
  press: Press,
  current: number | undefined,
): HTMLElement {
  const headRow = withRole('row', make('tr', '', ...head.map((cell) => makeCell('th', makeCellParts(cell, press)))));
  const body = rows.map((row) => {
    return withRole(
      'row',
      make('tr', '', ...row.map((cell, column) => makeCell('td', makeCellParts(cell, press), head[column]))),
    );
  });
  if (current !== undefined) body[current]?.setAttribute('aria-current', 'true');
  const groups = [make('thead', '', headRow), make('tbody', '', ...body)].map((group) => withRole('rowgroup', group));
  return withRole('table', make('table', head.length > MOST_COLUMNS ? 'table stacks' : 'table', ...groups));
}

function makeCellParts(cell: Cell, press: Press): readonly (Node | string)[] {
  if (typeof cell === 'string') return [cell];
  if ('text' in cell) {
    const { below } = cell;
    return below === undefined
      ? makeWords(cell)
      : [make('div', '', ...makeWords(cell), make('div', 'below', ...makeWords(below)))];
  }
  return [makeActs(cell, press)];
}

/** @param label shown in the cell where there is no room for the header row (details.css) */
function makeCell(tag: 'th' | 'td', parts: readonly (Node | string)[], label?: Cell): HTMLElement {
  const cell = withRole(tag === 'th' ? 'columnheader' : 'cell', make(tag, '', ...parts));
  if (typeof label === 'string') cell.dataset.label = label;
  return cell;
}

/** Sets the role, because elements of a table that is no longer drawn as one would lose theirs. */
function withRole(role: string, element: HTMLElement): HTMLElement {
  element.role = role;
  return element;
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
  const press = ({ act: pressed, session, target }: Button): void => {
    // Frames are easier to choose than times.
    if (pressed === 'createClip' && player?.openClipBar() === true) return;
    const act = pressed === 'reveal' && details.isRevealed ? 'hide' : pressed;
    const of = { ...(session !== undefined && { session }), ...(target !== undefined && { target }) };
    send({ kind: 'press', act, ...of });
  };
  const details = new DetailsPage(press, player?.element);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) details.hide();
  });
  if (player === undefined) document.addEventListener('scrollend', () => page.keep(window.scrollY));
  let shown: Shown | undefined;
  page.listen<ToDetails>(
    (message) => {
      if (message.kind === 'player') return player?.receive(message.message);
      if (message.kind === 'show') {
        const isFirst = shown === undefined || shown.kind === 'notice';
        shown = message.shown;
        details.show(shown);
        if (shown.kind === 'notice') player?.stop();
        else if (isFirst && player === undefined) window.scrollTo(0, page.position());
      } else if (message.kind === 'reveal') details.reveal(message.secrets);
      else if (message.kind === 'copied') details.confirmCopy(message.act, message.target);
      else if (message.kind === 'picture') details.showPicture(message.picture);
      else if (message.kind === 'scrollTo') details.scrollTo(message.section);
      else details.hide();
    },
    () => shown !== undefined && (shown.kind === 'notice' || player?.hasShown() !== false),
  );
}

interface LivePicture {
  readonly element: HTMLElement;
  /** Keeps a place for the picture, or removes it. */
  expect(isExpected: boolean): void;
  show(picture: string | undefined): void;
}

/** The most pixels on the longer side: twice the displayed size. */
const LONGEST = 720;

/**
 * Creates the picture of a broadcast. Drawn on a canvas, so that the page's policy need not allow images: the bytes
 * arrive in a message, and nothing is fetched.
 */
function createPicture(watch: () => void): LivePicture {
  const canvas = make('canvas', 'canvas');
  const element = makeButton('', watch);
  element.className = 'picture';
  element.append(canvas);
  element.setAttribute('aria-label', t('Watch stream, live preview'));
  element.title = watchLabel();
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
        // A picture from a minute ago is better than none.
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
