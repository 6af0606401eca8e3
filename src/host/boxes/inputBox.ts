import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { BoxLink, BoxProblem, InputOptions, TextCheck } from '../../services.ts';
import { DisposableStore, onDispose } from '../../util/disposable.ts';
import { withoutIcons, withoutLinks } from '../../util/markup.ts';
import { disposeSoon, showStep, whenBack } from './boxParts.ts';
import { showBox } from './openingBox.ts';

/** Shows an input box; `undefined` if dismissed. Stays open while the user works in another window. */
export async function showInput(options: InputOptions): Promise<string | undefined> {
  const owned = new DisposableStore();
  try {
    const box = owned.add(vscode.window.createInputBox());
    box.title = options.title;
    box.placeholder = options.placeholder;
    box.value = options.value ?? '';
    box.password = options.isPassword ?? false;
    box.ignoreFocusOut = true;
    showStep(box, options.step);
    const { back } = options;
    addButtons(box, options.buttons ?? [], owned);
    const wentBack = whenBack(box, owned, back && (() => back(box.value)));
    const { entered } = new InputSession(box, options, owned);
    showBox(box, owned);
    return await Promise.race([entered, wentBack]);
  } finally {
    disposeSoon(owned);
  }
}

interface Button extends vscode.QuickInputButton {
  readonly run: () => void;
}

function addButtons(box: vscode.InputBox, buttons: NonNullable<InputOptions['buttons']>, owned: DisposableStore): void {
  const shown = buttons.map(
    ({ icon, tooltip, run }): Button => ({ iconPath: new vscode.ThemeIcon(icon), tooltip, run }),
  );
  box.buttons = shown;
  owned.add(box.onDidTriggerButton((pressed) => shown.find((button) => button === pressed)?.run()));
}

/** Resolves `entered` with input that is valid and passed its check; with undefined if the box was dismissed. */
class InputSession {
  readonly #box: vscode.InputBox;
  readonly #options: InputOptions;
  readonly #line: BoxLine;
  readonly #done = Promise.withResolvers<string | undefined>();
  #checking: AbortController | undefined;
  #isTried = false;

  constructor(box: vscode.InputBox, options: InputOptions, owned: DisposableStore) {
    this.#box = box;
    this.#options = options;
    this.#line = owned.add(new BoxLine(box, (link) => this.#follow(link)));
    this.#showPrompt();
    this.#line.showProblem(options.problem);
    owned.add(box.onDidChangeValue((text) => this.#typed(text)));
    owned.add(box.onDidAccept(() => this.#accept()));
    owned.add(box.onDidHide(() => this.#done.resolve(undefined)));
    owned.add(onDispose(() => this.#stopChecking()));
  }

  get entered(): Promise<string | undefined> {
    return this.#done.promise;
  }

  #showPrompt(): void {
    this.#line.showPrompt(this.#options.prompt ?? '', this.#options.links);
  }

  /** Shows no message for an empty box before the first Enter. */
  #typed(text: string): void {
    this.#stopChecking();
    const { validate, warn, onDidType } = this.#options;
    onDidType?.(text);
    const sentence = text === '' && !this.#isTried ? undefined : validate?.(text);
    if (sentence === undefined) this.#line.showWarning(warn?.(text));
    else this.#showSentence(sentence);
  }

  #accept(): void {
    if (this.#checking !== undefined) return;
    this.#isTried = true;
    const text = this.#box.value;
    const { validate, check } = this.#options;
    const sentence = validate?.(text);
    this.#showSentence(sentence);
    if (sentence !== undefined) return;
    if (check === undefined) this.#done.resolve(text);
    else void this.#check(text, check(text));
  }

  async #check(text: string, { prompt, run }: TextCheck): Promise<void> {
    const checking = new AbortController();
    this.#checking = checking;
    this.#box.busy = true;
    this.#line.showPrompt(prompt);
    try {
      const problem = await run(checking.signal);
      if (checking.signal.aborted) return;
      if (problem === undefined) return this.#done.resolve(text);
      this.#stopChecking();
      this.#line.showProblem(problem);
    } catch (error) {
      if (!checking.signal.aborted) this.#done.reject(error);
    }
  }

  #stopChecking(): void {
    if (this.#checking === undefined) return;
    this.#checking.abort();
    this.#checking = undefined;
    this.#box.busy = false;
    this.#showPrompt();
  }

  #showSentence(sentence: string | undefined): void {
    this.#line.showProblem(sentence === undefined ? undefined : { sentence, links: [] });
  }

  #follow(link: BoxLink): void {
    const next = link.run(this.#box.value);
    if (next === 'leave') this.#done.resolve(undefined);
    if (next !== 'retry') return;
    // The link, which has focus, is about to disappear.
    void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
    this.#accept();
  }
}

/** The line below a box: its prompt, or the problem with its text. VS Code turns its links into commands. */
class BoxLine {
  readonly #box: vscode.InputBox;
  readonly #follow: (link: BoxLink) => void;
  readonly #command = `liveStreams.box.${randomUUID()}`;
  #registration: vscode.Disposable | undefined;
  #links: readonly BoxLink[] = [];
  #prompt: { readonly text: string; readonly links: readonly BoxLink[] } = { text: '', links: [] };

  constructor(box: vscode.InputBox, follow: (link: BoxLink) => void) {
    this.#box = box;
    this.#follow = follow;
  }

  showPrompt(text: string, links: readonly BoxLink[] = []): void {
    this.#prompt = { text, links };
    this.#links = links;
    this.#box.validationMessage = undefined;
    this.#box.prompt = [escaped(text), this.#render(links)].filter(Boolean).join(' · ');
  }

  /** undefined: the prompt is shown again. */
  showProblem(problem: BoxProblem | undefined): void {
    this.#links = (problem ?? this.#prompt).links;
    this.#box.validationMessage = problem && [escaped(problem.sentence), this.#render(problem.links)].join(' ').trim();
  }

  /** undefined: the prompt is shown again. */
  showWarning(sentence: string | undefined): void {
    const severity = vscode.InputBoxValidationSeverity.Warning;
    this.#links = this.#prompt.links;
    this.#box.validationMessage = sentence === undefined ? undefined : { message: escaped(sentence), severity };
  }

  readonly #run = (index: unknown): void => {
    const link = typeof index === 'number' ? this.#links[index] : undefined;
    if (link !== undefined) this.#follow(link);
  };

  dispose(): void {
    this.#registration?.dispose();
  }

  /** The title replaces VS Code's own, which names the command. */
  #render(links: readonly BoxLink[]): string {
    if (links.length > 0) this.#registration ??= vscode.commands.registerCommand(this.#command, this.#run);
    return links
      .map(({ label }, index) => {
        const words = label.replaceAll(/[[\]]/g, '');
        const command = `command:${this.#command}?${encodeURIComponent(JSON.stringify([index]))}`;
        return `[${unbroken(withoutIcons(words))}](${command} "${words.replaceAll('"', '')}")`;
      })
      .join(' · ');
  }
}

/** A link that breaks across lines looks like two. Chinese and Japanese may break anywhere. */
function unbroken(label: string): string {
  return label.replaceAll(' ', '\u00a0').replaceAll(/[-\u3000-\u9fff]/g, '$&\u2060');
}

/** Sentences can quote the service's response. */
function escaped(text: string): string {
  return withoutIcons(withoutLinks(text));
}
