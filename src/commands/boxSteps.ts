import type { InputOptions, PickOptions, Ui } from '../services.ts';

export const BACK = Symbol('back');

/** Shows an input box with a Back button; `keep` receives what was typed when it was pressed. */
export async function inputOrBack(
  ui: Pick<Ui, 'input'>,
  options: InputOptions,
  keep: (typed: string) => void,
): Promise<string | typeof BACK | undefined> {
  let isBack = false;
  const back = (typed: string) => {
    isBack = true;
    keep(typed);
  };
  const answer = await ui.input({ ...options, back });
  return isBack ? BACK : answer;
}

export async function pickOrBack<T>(
  ui: Pick<Ui, 'pick'>,
  options: PickOptions<T>,
): Promise<T | typeof BACK | undefined> {
  let isBack = false;
  const back = () => {
    isBack = true;
  };
  const answer = await ui.pick({ ...options, back });
  return isBack ? BACK : answer;
}
