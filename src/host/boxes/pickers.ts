import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PickRows } from '../../commands/targets/pickRows.ts';
import type { Boxes, PickItem, PickManyOptions, PickOptions, PickSession } from '../../services.ts';
import { DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { withoutIcons } from '../../util/markup.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { disposeSoon, showStep, whenBack } from './boxParts.ts';
import { showInput } from './inputBox.ts';
import { showBox, untilDrawn } from './openingBox.ts';

export const BOXES: Boxes = { pick: showPick, pickMany: showPickMany, input: showInput };

const TYPING_PAUSE_MS = 200;
/** How long VS Code takes, at most, to show new rows and report the highlight. */
const SHOWN_WITHIN_MS = 200;

interface Row<T> extends vscode.QuickPickItem {
  readonly source: PickItem<T>;
}

interface OpenPick<T> {
  readonly box: vscode.QuickPick<Row<T>>;
  readonly places: PickRows<T>;
  readonly owned: DisposableStore;
  /** Aborted when the pick closes. */
  readonly signal: AbortSignal;
}

/** Shows a Quick Pick; `undefined` if dismissed. Rejects if the function that provides the items throws. */
export async function showPick<T>(options: PickOptions<T>): Promise<T | undefined> {
  const owned = new DisposableStore();
  const closing = new AbortController();
  try {
    const box = owned.add(vscode.window.createQuickPick<Row<T>>());
    box.title = options.title;
    box.placeholder = options.placeholder;
    box.matchOnDescription = options.matchOnDescription ?? false;
    box.keepScrollPosition = true;
    showStep(box, options.step);
    box.ignoreFocusOut = hasAnswers(options);
    const wentBack = whenBack(box, owned, options.back);
    const pick: OpenPick<T> = { box, places: new PickRows(), owned, signal: closing.signal };
    owned.add(box.onDidChangeActive(([row]) => options.onDidHighlight?.(row?.source.value)));
    const chosen = whenChosen(pick);
    fill(pick, options);
    showBox(box, owned);
    return (await Promise.race([chosen, wentBack]))?.value;
  } finally {
    closing.abort();
    disposeSoon(owned);
  }
}

/** Shows a Quick Pick with checkboxes; `undefined` if dismissed. */
export async function showPickMany<T>(options: PickManyOptions<T>): Promise<readonly T[] | undefined> {
  const owned = new DisposableStore();
  try {
    const box = owned.add(vscode.window.createQuickPick<Row<T> & { readonly value: T }>());
    box.title = options.title;
    box.placeholder = options.placeholder;
    box.canSelectMany = true;
    box.matchOnDescription = true;
    showStep(box, options.step);
    box.ignoreFocusOut = hasAnswers(options);
    const wentBack = whenBack(box, owned, options.back);
    const rows = options.items.map((item) => ({ ...makeRow(item), picked: item.isPicked, value: item.value }));
    box.items = rows;
    box.selectedItems = rows.filter(({ picked }) => picked);
    const { promise, resolve } = Promise.withResolvers<readonly T[] | undefined>();
    owned.add(box.onDidAccept(() => resolve(box.selectedItems.map(({ value }) => value))));
    owned.add(box.onDidHide(() => resolve(undefined)));
    showBox(box, owned);
    return await Promise.race([promise, wentBack]);
  } finally {
    disposeSoon(owned);
  }
}

/** Whether earlier boxes were answered: if this one closed when it lost the focus, the answers would be lost. */
function hasAnswers({ back }: Pick<PickOptions<unknown>, 'back'>): boolean {
  return back !== undefined;
}

function fill<T>(pick: OpenPick<T>, { items, highlighted }: PickOptions<T>): void {
  const { box, signal } = pick;
  if (typeof items !== 'function') {
    box.items = items.map(makeRow);
    if (highlighted !== undefined) box.activeItems = box.items.filter(({ source }) => source.value === highlighted);
    return;
  }
  const show = fillByItself(pick, highlighted);
  const session: PickSession<T> = {
    signal,
    onDidType: listenToPauses(pick).event,
    text: () => box.value,
    show(next, isBusy) {
      if (!signal.aborted) show(next, isBusy);
    },
  };
  box.busy = true;
  items(session);
}

function listenToPauses<T>({ box, owned }: OpenPick<T>): Emitter<string> {
  const typed = owned.add(new Emitter<string>());
  let timer: NodeJS.Timeout | undefined;
  owned.add({ dispose: () => clearTimeout(timer) });
  owned.add(
    box.onDidChangeValue((value) => {
      clearTimeout(timer);
      timer = setTimeout(() => typed.fire(value), TYPING_PAUSE_MS);
    }),
  );
  return typed;
}

/** Shows rows as they arrive. Enter opens the row that the user sees highlighted. */
function fillByItself<T>({ box, places, owned, signal }: OpenPick<T>, first: T | undefined): PickSession<T>['show'] {
  owned.add(box.onDidChangeValue((value) => places.typed(value)));
  owned.add(box.onDidChangeActive(([row]) => places.highlightMoved(row?.source)));
  let last: readonly PickItem<T>[] | undefined;
  return inTurn(signal, async (next, isBusy) => {
    box.busy = isBusy;
    // Setting the same rows again would undo a highlight that VS Code has yet to report.
    if (isSameJson(next, last)) return;
    const chosen = last === undefined && first !== undefined ? next.find(({ value }) => value === first) : undefined;
    last = next;
    const { items, highlighted } = places.show(next, chosen ?? box.activeItems[0]?.source);
    const rows = items.map(makeRow);
    box.items = rows;
    const row = highlighted && rows.find(({ source }) => source === highlighted);
    if (row !== undefined) box.activeItems = [row];
    // VS Code would highlight a sentence as if it could be chosen.
    else if (next.every(({ isSentence }) => isSentence)) box.activeItems = [];
    await untilDrawn();
    places.drawn();
  });
}

/** Shows an update only after VS Code has reported back on the last one. Skips all waiting updates but the newest. */
function inTurn<T>(
  signal: AbortSignal,
  show: (...next: Parameters<PickSession<T>['show']>) => Promise<void>,
): PickSession<T>['show'] {
  let waiting: Parameters<PickSession<T>['show']> | undefined;
  let isShowing = false;
  const showWaiting = async (): Promise<void> => {
    isShowing = true;
    try {
      for (; waiting !== undefined && !signal.aborted; await delay(SHOWN_WITHIN_MS)) {
        const next = waiting;
        waiting = undefined;
        await show(...next);
      }
    } finally {
      isShowing = false;
    }
  };
  return (...next) => {
    waiting = next;
    if (!isShowing) void showWaiting();
  };
}

function makeRow<T>(source: PickItem<T>): Row<T> {
  if (source.isSeparator) return { label: source.label, kind: vscode.QuickPickItemKind.Separator, source };
  const row: Row<T> = { label: withoutIcons(source.label), source };
  if (source.description !== undefined) row.description = withoutIcons(source.description);
  if (source.detail !== undefined) row.detail = withoutIcons(source.detail);
  if (source.icon !== undefined) row.iconPath = new vscode.ThemeIcon(source.icon);
  if (source.isAlwaysShown === true) row.alwaysShow = true;
  if (source.buttons !== undefined)
    row.buttons = source.buttons.map(({ icon, tooltip }) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip }));
  return row;
}

/** Resolves with the value of the chosen row, or of the pressed button of a row. */
function whenChosen<T>({ box, places, owned }: OpenPick<T>): Promise<{ readonly value: T } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ readonly value: T } | undefined>();
  owned.add(
    box.onDidAccept(() => {
      const [row] = box.selectedItems;
      const item = row && places.chosen(row.source);
      if (item !== undefined && item.isSeparator !== true && item.isSentence !== true) resolve(item);
    }),
  );
  owned.add(
    box.onDidTriggerItemButton(({ button, item }) => {
      const index = item.buttons?.indexOf(button) ?? -1;
      const pressed = places.chosen(item.source).buttons?.[index];
      if (pressed !== undefined) resolve(pressed);
    }),
  );
  owned.add(box.onDidHide(() => resolve(undefined)));
  return promise;
}
