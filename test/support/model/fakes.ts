import type { RunningDemo } from '../../../src/model/addresses.ts';
import { type Settings, settingsFrom } from '../../../src/model/settingValues.ts';
import type {
  BoxProblem,
  InputOptions,
  Log,
  MaskedDocument,
  Memento,
  NewFile,
  PickItem,
  PickOptions,
  Question,
  RowReference,
  SaveQuestion,
  Secrets,
  Severity,
  Step,
  Ui,
} from '../../../src/services.ts';
import { Emitter } from '../../../src/util/events.ts';

/** What a person answers, in order; when a queue is empty, boxes are dismissed. */
export interface Answers {
  /** Labels; 'Label > Tooltip' presses a button of the row, '(back)' the Back button. */
  picks: string[];
  /** Labels of all items to be checked. */
  picksMany: string[][];
  /**
   * '(as suggested)' leaves what is there; '(back) text' types a text and presses the Back button; '(link) Label' follows
   * a link below the box.
   */
  inputs: string[];
  confirms: boolean[];
  /** Buttons of messages. */
  presses: string[];
  /** Typed into a picker that fills by itself, before its answer is given. */
  typed: string[];
  /** Paths of files to save to. */
  targets: string[];
  /** Paths of files to read. */
  files: string[];
}

export interface Said {
  readonly severity: Severity;
  readonly message: string;
  readonly actions: readonly string[];
}

/** What a person saw. */
interface Seen {
  readonly said: Said[];
  /** Of what was said. */
  readonly messages: readonly string[];
  readonly flashes: string[];
  readonly copied: string[];
  readonly opened: string[];
  readonly documents: MaskedDocument[];
  /** Files that were opened to be edited. */
  readonly edited: { readonly fileName: string; readonly text: string; readonly languageId?: string }[];
  readonly reveals: RowReference[];
  readonly collapsed: string[];
  readonly questions: Question[];
  readonly inputs: InputOptions[];
  /** Sentences of boxes that would not take an answer, with the links that were offered: 'No. [Retry]'. */
  readonly corrections: string[];
  /** Titles and items of pickers, as they were when they were answered. */
  readonly picks: {
    readonly title: string;
    readonly placeholder: string | undefined;
    readonly items: readonly PickItem<unknown>[];
    readonly step?: Step | undefined;
  }[];
  readonly settings: string[];
  readonly saved: NewFile[];
  readonly saveQuestions: SaveQuestion[];
  readonly revealedFiles: string[];
  readonly openedFiles: string[];
  readonly logShown: number[];
}

export type FakeUi = Ui & { readonly answers: Answers; readonly seen: Seen };

/** A person: answers from queues, and remembers all that was shown. */
export function fakeUi(answers: Partial<Answers> = {}, overrides: Partial<Ui> = {}): FakeUi {
  const none: Answers = {
    picks: [],
    picksMany: [],
    inputs: [],
    confirms: [],
    presses: [],
    typed: [],
    targets: [],
    files: [],
  };
  // A copy: a test that runs again is answered the same.
  const queue: Answers = { ...none, ...structuredClone(answers) };
  const seen = nothingSeen();
  const copied = new Emitter<void>();
  return {
    answers: queue,
    seen,
    pick: (options) => answerPick(options, queue, seen),
    pickMany: async ({ title, placeholder, items }) => {
      seen.picks.push({ title, placeholder, items });
      const labels = queue.picksMany.shift();
      return labels && items.filter(({ label }) => labels.includes(label)).map(({ value }) => value);
    },
    input: async (options) => answerInput(options, queue, seen),
    async confirm(question) {
      seen.questions.push(question);
      return queue.confirms.shift() === true;
    },
    progress: (_title, task) => task(() => {}, new AbortController().signal),
    async notify(severity, message, ...actions) {
      seen.said.push({ severity, message, actions });
      const next = queue.presses[0];
      return next !== undefined && actions.includes(next) ? queue.presses.shift() : undefined;
    },
    flash: (message) => void seen.flashes.push(message),
    countEdits: () => 0,
    catchUp: async () => {},
    async copy(text) {
      seen.copied.push(text);
      copied.fire();
    },
    onDidCopy: copied.event,
    openAddress: async (url) => void seen.opened.push(url),
    openSettings: async (id) => void seen.settings.push(id),
    saveFile: async (file) => seen.saved.push(file) > 0,
    async saveTarget(question) {
      seen.saveQuestions.push(question);
      return queue.targets.shift();
    },
    chooseFile: async () => queue.files.shift(),
    revealFile: async (path) => void seen.revealedFiles.push(path),
    openFile: async (path) => void seen.openedFiles.push(path),
    showDocument: async (document) => void seen.documents.push(document),
    editText: async (fileName, text, languageId) =>
      void seen.edited.push({ fileName, text, ...(languageId !== undefined && { languageId }) }),
    revealSecrets: () => seen.documents.length > 0,
    reveal: async (row) => void seen.reveals.push(row),
    collapseRows: async (view) => void seen.collapsed.push(view),
    showLog: () => void seen.logShown.push(1),
    ...overrides,
  };
}

function nothingSeen(): Seen {
  return {
    ...{ said: [], flashes: [], copied: [], opened: [], documents: [], edited: [], reveals: [], collapsed: [] },
    ...{ questions: [], inputs: [], corrections: [], picks: [], settings: [], saved: [], logShown: [] },
    ...{ saveQuestions: [], revealedFiles: [], openedFiles: [] },
    get messages() {
      return this.said.map(({ message }) => message);
    },
  };
}

async function answerPick<T>(options: PickOptions<T>, queue: Answers, seen: Seen): Promise<T | undefined> {
  const closing = new AbortController();
  const items = await itemsOf(options, queue, closing.signal);
  closing.abort();
  const { title, placeholder, step } = options;
  seen.picks.push({ title, placeholder, items, step });
  const label = queue.picks.shift();
  if (label === undefined) return undefined;
  if (label === '(back)') return void options.back?.();
  const [row, button] = label.split(' > ');
  const found = items.find((item) => item.label === (button === undefined ? label : row) && item.isSeparator !== true);
  if (found === undefined) throw new Error(`No item "${label}" among: ${items.map((item) => item.label).join(', ')}`);
  if (found.isSentence === true) throw new Error(`"${label}" can't be picked`);
  if (button === undefined) return found.value;
  const pressed = found.buttons?.find(({ tooltip }) => tooltip === button);
  if (pressed === undefined) throw new Error(`No button "${button}" on "${row}"`);
  return pressed.value;
}

/** The items once the picker has them all; what is typed waits for the answers to it. */
async function itemsOf<T>(
  { items }: PickOptions<T>,
  queue: Answers,
  signal: AbortSignal,
): Promise<readonly PickItem<T>[]> {
  if (typeof items !== 'function') return items;
  const typing = new Emitter<string>();
  let shown: readonly PickItem<T>[] = [];
  let isFilling = true;
  let typed = '';
  await new Promise<void>((resolve) => {
    items({
      signal,
      onDidType: typing.event,
      text: () => typed,
      show(next, isBusy) {
        shown = next;
        isFilling = isBusy;
        if (!isBusy) resolve();
      },
    });
  });
  for (const text of queue.typed.splice(0)) {
    typed = text.replace(/^\(quick\) /, '');
    if (typed !== text) continue;
    typing.fire(text);
    await new Promise((resolve) => setTimeout(resolve, 60));
    // Some answers never come.
    for (let turn = 0; turn < 500 && isFilling; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // What is to be picked may still be on its way.
  const [wanted] = queue.picks;
  for (let turn = 0; turn < 200 && wanted !== undefined; turn++) {
    if (shown.some(({ label }) => label === wanted?.split(' > ')[0])) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return shown;
}

/** Like the real box: what is not valid, or fails its check, is corrected and asked again. */
async function answerInput(options: InputOptions, queue: Answers, seen: Seen): Promise<string | undefined> {
  seen.inputs.push(options);
  let links = options.problem?.links ?? options.links ?? [];
  let value = options.value ?? '';
  for (let typed = queue.inputs.shift(); typed !== undefined; typed = queue.inputs.shift()) {
    if (typed.startsWith('(back)')) {
      const left = typed.slice('(back)'.length).trim();
      return void options.back?.(left === '' ? value : left);
    }
    if (typed.startsWith('(link) ')) {
      const link = links.find(({ label }) => label === typed?.slice('(link) '.length));
      if (link === undefined) throw new Error(`No "${typed}" among: ${links.map(({ label }) => label).join(', ')}`);
      const next = link.run(value);
      if (next === 'leave') return undefined;
      if (next === 'stay') continue;
    } else if (typed !== '(as suggested)') value = typed;
    const problem = await problemIn(options, value);
    if (problem === undefined) return value;
    ({ links } = problem);
    seen.corrections.push([problem.sentence, ...links.map(({ label }) => `[${label}]`)].join(' '));
  }
  return undefined;
}

async function problemIn({ validate, check }: InputOptions, text: string): Promise<BoxProblem | undefined> {
  const sentence = validate?.(text);
  return sentence === undefined ? check?.(text).run(new AbortController().signal) : { sentence, links: [] };
}

export interface SecretStore {
  readonly values: Map<string, string>;
  /** One window's view of the store; all windows hear of every change. */
  window(overrides?: Partial<Secrets>): Secrets;
}

export function fakeSecrets(values = new Map<string, string>()): SecretStore {
  const changes = new Emitter<string>();
  return {
    values,
    window: (overrides = {}) => ({
      get: async (key) => values.get(key),
      keys: async () => [...values.keys()],
      async store(key, value) {
        values.set(key, value);
        changes.fire(key);
      },
      async delete(key) {
        values.delete(key);
        changes.fire(key);
      },
      onDidChange: changes.event,
      ...overrides,
    }),
  };
}

export function fakeMemento(values = new Map<string, unknown>(), overrides: Partial<Memento> = {}): Memento {
  return {
    get: (key) => values.get(key),
    keys: () => [...values.keys()],
    async set(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
    ...overrides,
  };
}

export function fakeSettings(overrides: Partial<Settings> = {}): Settings {
  return {
    ...settingsFrom((_, decode) => decode(undefined).value),
    networkTimeout: () => 5000,
    writeAddresses: async () => {},
    writeNotifications: async () => {},
    onDidChange: new Emitter<void>().event,
    ...overrides,
  };
}

export function fakeLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (message: string, error?: unknown): void => {
    lines.push(error === undefined ? message : `${message}: ${String(error)}`);
  };
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** The demo as pages know it, while a service runs as that. `stop` ends it for those who ask and those who listen. */
export function runningDemo({ baseUrl, addresses }: Omit<RunningDemo, 'onDidStop'>) {
  const stopped = new Emitter<void>();
  const running: RunningDemo = { baseUrl, addresses, onDidStop: stopped.event };
  const demo: { readonly name: string; running: RunningDemo | undefined } = { name: 'Demo', running };
  const stop = (): void => {
    demo.running = undefined;
    stopped.fire();
  };
  return { demo, stop };
}
