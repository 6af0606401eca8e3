import { make, makeButton } from '../makeElement.ts';
import type { Button, Fact, SecretName, Section } from './messages.ts';

export type Press = (button: Button) => void;

/** All texts are set as text: nothing from a service is ever parsed as HTML. */
export function makeSection({ heading, facts, rows, texts }: Section, press: Press): HTMLElement {
  const section = make('section', 'card', make('h2', 'heading', heading));
  if (facts !== undefined && facts.length > 0) section.append(makeFacts(facts, press));
  if (rows !== undefined) section.append(make('div', 'scroll', makeTable(rows)));
  if (texts !== undefined && texts.length > 0) {
    section.append(make('ul', 'texts', ...texts.map((text) => make('li', 'text', text))));
  }
  return section;
}

export function makeActButton(button: Button, press: Press): HTMLButtonElement {
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
