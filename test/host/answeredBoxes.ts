import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../src/util/disposable.ts';
import { replace } from './replace.ts';

/** What a person types into a box, or a part of the row that is chosen; undefined: the first row, and no text. Told its title and prompt. */
export type Answer = (asked: string) => string | undefined;

/** What is kept of a row: `source` never leaves the extension host. */
const rowText = ({ label, description, detail }: vscode.QuickPickItem) => [label, description, detail];

/**
 * Stands in for VS Code's boxes, each of which is answered as soon as it can be; one without an answer is closed. What they
 * show goes to `shown`. That the real ones work is for other tests.
 */
export function answerBoxes(answer: Answer, shown: string[]): Disposable {
  const owned = new DisposableStore();
  owned.add(replace(vscode.window, 'createQuickPick', () => makeBox(shown, choose(answer))));
  owned.add(replace(vscode.window, 'createInputBox', () => makeBox(shown, type(answer))));
  return owned;
}

interface Fields {
  title?: string;
  prompt?: string;
  placeholder?: string;
  value: string;
  validationMessage?: unknown;
  busy: boolean;
  buttons: readonly vscode.QuickInputButton[];
  items: readonly vscode.QuickPickItem[];
  activeItems: readonly vscode.QuickPickItem[];
  selectedItems: readonly vscode.QuickPickItem[];
}

/** Answers what it can: 'wait' for rows that are still to come. */
type Person = (fields: Fields) => 'accept' | 'close' | 'wait';

const askedBy = ({ title, prompt, placeholder }: Fields) => [title, prompt, placeholder].filter(Boolean).join(' · ');

function choose(answer: Answer): Person {
  return (fields) => {
    const rows = fields.items.filter((row) => row.kind !== vscode.QuickPickItemKind.Separator && !isSentence(row));
    const wished = answer(askedBy(fields));
    const row = wished === undefined ? rows[0] : rows.find(({ label }) => label.includes(wished));
    if (fields.busy) return 'wait';
    if (row === undefined) return 'close';
    fields.selectedItems = [row];
    return 'accept';
  };
}

/** Whether choosing it does nothing. */
function isSentence({
  source,
}: vscode.QuickPickItem & { readonly source?: { readonly isSentence?: boolean } }): boolean {
  return source?.isSentence === true;
}

function type(answer: Answer): Person {
  return (fields) => {
    const text = answer(askedBy(fields));
    if (text !== undefined) fields.value = text;
    // A name that is suggested is taken; a text that will not do is not tried twice.
    return fields.value === '' || fields.validationMessage !== undefined ? 'close' : 'accept';
  };
}

function makeBox(shown: string[], person: Person) {
  const owned = new DisposableStore();
  const [accepted, hidden] = [owned.add(new vscode.EventEmitter<void>()), owned.add(new vscode.EventEmitter<void>())];
  const never = owned.add(new vscode.EventEmitter<unknown>());
  const fields: Fields = { value: '', busy: false, buttons: [], items: [], activeItems: [], selectedItems: [] };
  let isShown = false;
  const act = () => {
    if (!isShown || owned.isDisposed) return;
    const done = person(fields);
    if (done === 'accept') accepted.fire();
    // A text that would not do leaves the box open.
    if (done === 'close' || (done === 'accept' && fields.validationMessage !== undefined)) hidden.fire();
  };
  const methods = {
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    ...{ onDidChangeValue: never.event, onDidChangeActive: never.event, onDidTriggerButton: never.event },
    onDidTriggerItemButton: never.event,
    show: () => {
      isShown = true;
      setImmediate(act);
    },
    hide: () => hidden.fire(),
    dispose: () => owned.dispose(),
  };
  return new Proxy(Object.assign(fields, methods), {
    set(target, key, value) {
      shown.push(`${String(key)}: ${JSON.stringify(key === 'items' ? fieldsOf(value) : value)}`);
      const isSet = Reflect.set(target, key, value);
      setImmediate(act);
      return isSet;
    },
  });
}

function fieldsOf(items: readonly vscode.QuickPickItem[]): unknown {
  return items.map(rowText);
}
