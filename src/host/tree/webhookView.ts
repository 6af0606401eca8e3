import type * as vscode from 'vscode';
import type { WebhookNode, WebhookNodeOf } from '../../model/webhooks/webhookNodes.ts';
import type { Clock, Log } from '../../services.ts';
import type { RowTooltip } from '../../tree/row.ts';
import { createRedraws, Settling, startRelativeTimeTicker } from '../../tree/view/redraws.ts';
import type { WebhookTree } from '../../tree/webhooks/webhookTree.ts';
import { delay } from '../../util/clock.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { RowProvider } from './rowProvider.ts';
import { drawTreeItem, makeTooltip } from './treeItems.ts';

const MOST_TRIES = 25;
const TRY_AGAIN_MS = 200;

interface WebhookViewOptions {
  /** The registered view. Its rows come from the provider that `fillWebhookView` returns. */
  readonly view: vscode.TreeView<WebhookNode>;
  readonly tree: WebhookTree;
  /** Loads the webhooks if they aren't loaded yet. */
  readonly load: () => Promise<void>;
  /** Whether the user sees the view. */
  readonly onShown: (isShown: boolean) => void;
  readonly onClosed: (webhookId: string) => void;
  /** Loads the details of a delivery for its tooltip; undefined if they can't be loaded. */
  readonly hover: (node: WebhookNodeOf<'delivery'>, signal: AbortSignal) => Promise<RowTooltip | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

interface FilledWebhookView extends Disposable {
  readonly provider: RowProvider<WebhookNode>;
  /** Selects and expands the row of a listed webhook and shows the view. */
  revealWebhook(webhookId: string): Promise<void>;
}

export function fillWebhookView(options: WebhookViewOptions): FilledWebhookView {
  const { view, tree, clock, load, onShown, onClosed } = options;
  const owned = new DisposableStore();
  const settling = new Settling<WebhookNode>({ clock, parent: (node) => tree.parent(node) });
  const redraws = owned.add(createRedraws(settling.statesOf(tree), clock));
  owned.add(tree.onDidChange(redraws.add));
  owned.add(view.onDidChangeVisibility(({ visible }) => onShown(visible)));
  owned.add(
    view.onDidCollapseElement(({ element }) => {
      if (element.kind === 'webhook') onClosed(element.webhookId);
    }),
  );
  owned.add(startRelativeTimeTicker({ view, clock, drawTimes: () => tree.tick() }));
  onShown(view.visible);
  return {
    provider: makeProvider(options, redraws.onDidChange, settling),
    async revealWebhook(webhookId) {
      await load();
      // A closed view gets its rows once it's open, and only then finds one. VS Code doesn't report when that happens.
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        await tree.children();
        await redraws.drain();
        const node = tree.find(webhookId);
        if (node === undefined) return;
        try {
          await view.reveal(node, { select: true, expand: true });
          if (view.selection.includes(node)) return;
        } catch (error) {
          if (tries === MOST_TRIES) throw error;
        }
        await delay(clock, TRY_AGAIN_MS);
      }
    },
    dispose: () => owned.dispose(),
  };
}

function makeProvider(
  { tree, log, hover }: WebhookViewOptions,
  onDidChangeTreeData: RowProvider<WebhookNode>['onDidChangeTreeData'],
  settling: Settling<WebhookNode>,
): RowProvider<WebhookNode> {
  return {
    onDidChangeTreeData,
    getParent: (node) => tree.parent(node),
    getTreeItem: (node) => drawTreeItem(node, { draw: () => tree.row(node), scope: tree.scope, log }),
    async getChildren(node) {
      const given = settling.begin(node);
      try {
        return [...(await tree.children(node))];
      } finally {
        given();
      }
    },
    async resolveTreeItem(item, node, token) {
      const tooltip = tree.tooltip(node);
      if (tooltip === undefined) return item;
      item.tooltip = makeTooltip(tooltip);
      if (node.kind !== 'delivery') return item;
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const loaded = await hover(node, controller.signal);
      if (loaded !== undefined) item.tooltip = makeTooltip(loaded);
      return item;
    },
  };
}
