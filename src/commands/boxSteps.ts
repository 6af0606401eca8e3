import type { InputOptions, PickItem, PickOptions, PickSession, Step, Ui } from '../services.ts';

export const BACK = Symbol('back');

/** Shows a box that has a Back button if it's given `back`. */
export async function orBack<T>(show: (back: () => void) => Promise<T>): Promise<T | typeof BACK> {
  let isBack = false;
  const answer = await show(() => {
    isBack = true;
  });
  return isBack ? BACK : answer;
}

/** @param keep Receives what was typed when Back was pressed. */
export function inputOrBack(
  ui: Ui,
  options: InputOptions,
  keep: (typed: string) => void,
): Promise<string | typeof BACK | undefined> {
  return orBack((back) => {
    const keepAndGoBack = (typed: string) => {
      keep(typed);
      back();
    };
    return ui.input({ ...options, back: keepAndGoBack });
  });
}

export function pickOrBack<T>(ui: Ui, options: PickOptions<T>): Promise<T | typeof BACK | undefined> {
  return orBack((back) => ui.pick({ ...options, back }));
}

/** Fills a picker with rows that depend on the typed text. */
export function showAsTyped<T>(
  { signal, onDidType, show }: PickSession<T>,
  rowsFor: (text: string) => readonly PickItem<T>[],
  first = '',
): void {
  const showRows = (text: string) => show(rowsFor(text), false);
  const typing = onDidType(showRows);
  signal.addEventListener('abort', () => typing.dispose());
  showRows(first);
}

/** One of a command's boxes, and whether it has a Back button. */
export interface StepBox {
  readonly title: string;
  readonly step: Step | undefined;
  readonly canGoBack: boolean;
}

export type Asked = typeof BACK | 'done' | undefined;

export interface Steps<P> {
  readonly title: string;
  /** A function if the input decides which parts follow, so that their number isn't known yet. */
  readonly parts: readonly P[] | (() => readonly P[]);
  /** Whether to count the boxes that are known so far. Default: true unless `parts` is a function. */
  readonly isCounted?: boolean;
  /** Whether the first box has a Back button. */
  readonly canGoBack?: boolean;
  /** The index of the part whose box is shown first. */
  readonly from?: number;
}

/** Shows a box for each part, with a Back button from the second one on. */
export async function askInSteps<P>(
  { title, parts, isCounted = typeof parts !== 'function', canGoBack = false, from = 0 }: Steps<P>,
  ask: (part: P, box: StepBox) => Promise<Asked>,
): Promise<Asked> {
  for (let at = from; ; ) {
    const all = typeof parts === 'function' ? parts() : parts;
    const part = all[at];
    if (part === undefined) return 'done';
    const step = isCounted && all.length > 1 ? { current: at + 1, total: all.length } : undefined;
    const asked = await ask(part, { title, step, canGoBack: canGoBack || at > 0 });
    if (asked === undefined) return undefined;
    at += asked === BACK ? -1 : 1;
    if (at < 0) return BACK;
  }
}

/** @param keep Receives what was typed, also when Back was pressed. */
export async function askText(
  ui: Ui,
  { title, step, canGoBack }: StepBox,
  options: Omit<InputOptions, 'title' | 'step'>,
  keep: (text: string) => void,
): Promise<Asked> {
  const box = { ...options, title, step };
  const text = await (canGoBack ? inputOrBack(ui, box, keep) : ui.input(box));
  if (text === undefined || text === BACK) return text;
  keep(text);
  return 'done';
}

export function askPick<T>(
  ui: Ui,
  { title, step, canGoBack }: StepBox,
  options: Pick<PickOptions<T>, 'placeholder' | 'items' | 'highlighted' | 'isKept'>,
): Promise<T | typeof BACK | undefined> {
  const box = { ...options, title, step };
  return canGoBack ? pickOrBack(ui, box) : ui.pick(box);
}
