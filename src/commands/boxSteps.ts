import type { InputOptions, PickOptions, Ui } from '../services.ts';

export const BACK = Symbol('back');

/** Shows a box that has a Back button if it is given `back`. */
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
