import * as vscode from 'vscode';
import type { InputOptions } from '../../services.ts';
import { DisposableStore } from '../../util/disposable.ts';

interface Button extends vscode.QuickInputButton {
  readonly run: () => void;
}

/** Shows an input box; `undefined` if dismissed. Stays open while the user works in another window. */
export async function showInput(options: InputOptions): Promise<string | undefined> {
  const owned = new DisposableStore();
  try {
    const box = owned.add(vscode.window.createInputBox());
    box.title = options.title;
    box.prompt = options.prompt;
    box.placeholder = options.placeholder;
    box.value = options.value ?? '';
    box.password = options.isPassword ?? false;
    box.ignoreFocusOut = true;
    addButtons(box, options.buttons ?? [], owned);
    const entered = whenEntered(box, options.validate ?? (() => undefined), owned);
    box.show();
    return await entered;
  } finally {
    owned.dispose();
  }
}

function addButtons(box: vscode.InputBox, buttons: NonNullable<InputOptions['buttons']>, owned: DisposableStore): void {
  const shown = buttons.map(
    ({ icon, tooltip, run }): Button => ({ iconPath: new vscode.ThemeIcon(icon), tooltip, run }),
  );
  box.buttons = shown;
  owned.add(box.onDidTriggerButton((pressed) => shown.find((button) => button === pressed)?.run()));
}

/** An empty box shows no validation message before the first Enter. */
function whenEntered(
  box: vscode.InputBox,
  validate: (text: string) => string | undefined,
  owned: DisposableStore,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let isTried = false;
  owned.add(
    box.onDidChangeValue((text) => {
      box.validationMessage = text === '' && !isTried ? undefined : validate(text);
    }),
  );
  owned.add(
    box.onDidAccept(() => {
      isTried = true;
      const problem = validate(box.value);
      box.validationMessage = problem;
      if (problem === undefined) resolve(box.value);
    }),
  );
  owned.add(box.onDidHide(() => resolve(undefined)));
  return promise;
}
