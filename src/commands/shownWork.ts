import { t } from '@vscode/l10n';
import { loadingLabel } from '../texts/labels.ts';
import { type Disposable, DisposableSlot } from '../util/disposable.ts';
import type { CommandContext } from './context.ts';
import type { CommandId } from './table.ts';

export type WorkingView = 'streams' | 'webhooks';

/**
 * Runs a handler and shows that it's running until it reports its result, except while it waits for the user, shows its
 * own progress, or waits for another command, which is shown separately.
 */
export async function runShown(
  context: CommandContext,
  show: () => Disposable,
  run: (context: CommandContext) => unknown,
): Promise<unknown> {
  const shown = new DisposableSlot();
  let pauses = 0;
  const paused = async <A>(wait: () => Promise<A>): Promise<A> => {
    pauses += 1;
    shown.set(undefined);
    try {
      return await wait();
    } finally {
      pauses -= 1;
      if (pauses === 0) shown.set(show());
    }
  };
  const { ui, runCommand, runBeside } = context;
  const own: CommandContext = {
    ...context,
    ui: {
      ...ui,
      pick: (options) => paused(() => ui.pick(options)),
      pickMany: (options) => paused(() => ui.pickMany(options)),
      input: (options) => paused(() => ui.input(options)),
      confirm: (question) => paused(() => ui.confirm(question)),
      progress: (title, task) => paused(() => ui.progress(title, task)),
      saveFile: (file) => paused(() => ui.saveFile(file)),
      saveTarget: (question) => paused(() => ui.saveTarget(question)),
      chooseFile: (question) => paused(() => ui.chooseFile(question)),
      openAddress: (url) => paused(() => ui.openAddress(url)),
      flash(done) {
        shown.set(undefined);
        ui.flash(done);
      },
    },
    runCommand: (...command) => paused(() => runCommand(...command)),
    runBeside: runBeside && ((...target) => paused(() => runBeside(...target))),
  };
  shown.set(show());
  try {
    return await run(own);
  } finally {
    shown.dispose();
  }
}

/** Commands that open a page, which shows by itself that it's loading, or run on one. */
const ON_PAGE: ReadonlySet<CommandId> = new Set<CommandId>([
  'checkStream',
  'createClip',
  'openDelivery',
  'openRecording',
  'showSession',
  'showStream',
  'watchStream',
]);

/** Returns the view that shows that a command is running, instead of its badge's count; undefined if a page does. */
export function workingView(command: CommandId): WorkingView | undefined {
  if (ON_PAGE.has(command)) return undefined;
  return /Webhook|Deliver|Event/.test(command) ? 'webhooks' : 'streams';
}

const WORK: Partial<Readonly<Record<CommandId, () => string>>> = {
  createStream: () => t('Creating stream…'),
  createWebhook: () => t('Creating webhook…'),
  refresh: loadingLabel,
  refreshWebhooks: loadingLabel,
  retry: loadingLabel,
  loadMore: loadingLabel,
};

/** "Creating stream…", "Suspend Stream…", or "Loading…" for what opens a page */
export function workText(command: CommandId, title: string): string {
  return WORK[command]?.() ?? (ON_PAGE.has(command) ? loadingLabel() : `${title}…`);
}
