import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Clock, Log, RowReference } from '../../services.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { RowTooltip } from '../../tree/row.ts';
import type { TreeState } from '../../tree/treeState.ts';
import type { HoverLoading } from '../../tree/view/hovers.ts';
import { keepSelection } from '../../tree/view/keptSelection.ts';
import type { LoadHover } from '../../tree/view/lateHovers.ts';
import {
  createLateRun,
  createPause,
  createPointing,
  createRedraws,
  drawGivenRow,
  type Redraws,
  revealRow,
  Settling,
  ShownTooltips,
  startRelativeTimeTicker,
} from '../../tree/view/redraws.ts';
import type { RowExpansion, RowsModel } from '../../tree/view/rowsModel.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import type { Event } from '../../util/events.ts';
import type { RowProvider } from './rowProvider.ts';
import { drawTreeItem, makeTooltip } from './treeItems.ts';

/** After this time, a tooltip is shown without the parts that are still loading. */
const LOADED_WITHIN_MS = 2000;

interface ViewOptions {
  /** The registered view. Its rows come from the provider that `fillView` returns. */
  readonly view: vscode.TreeView<ViewNode>;
  readonly model: RowsModel;
  readonly expanded: RowExpansion;
  readonly texts: () => TreeState;
  readonly onDidChangeTexts: Event<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  /** Loads more for a row's tooltip when the user points at the row; undefined for rows without more. */
  readonly hover: LoadHover;
}

export interface FilledView extends Disposable {
  readonly provider: RowProvider;
  /** Reveals the row and selects it unless it's a group. Throws a Refusal if there is no such stream or session. */
  reveal(row: RowReference): Promise<void>;
}

export function fillView(options: ViewOptions): FilledView {
  const { view, model, expanded, texts, onDidChangeTexts, clock } = options;
  const owned = new DisposableStore();
  const settling = new Settling<ViewNode>({ clock, parent: (node) => model.parent(node) });
  const pointing = createPointing(clock);
  const isSettling = (node: ViewNode) => settling.has(node) || pointing.mayMoveRows(node);
  const redraws = owned.add(createRedraws({ ...settling.statesOf(model), isSettling }, clock));
  const tooltips = new ShownTooltips<ViewNode>(clock);
  const badgeTimer = owned.add(new DisposableSlot());
  // The group that shows the same number hides it at the same time.
  const hideCount = (): void => {
    model.tick();
    drawTexts();
  };
  const drawTexts = (): void => {
    const state = texts();
    applyMessage(view, state);
    // VS Code draws the title immediately, but the rows of another connection only once it has requested them.
    if (!model.hasOldRows || !view.visible) applyTitle(view, state);
    const { badgeHidesAt: hidesAt } = state;
    badgeTimer.set(hidesAt === undefined ? undefined : clock.setTimeout(hideCount, hidesAt - clock.now()));
  };
  owned.add(model.onDidChange(redraws.add));
  owned.add(onDidChangeTexts(owned.add(createLateRun(clock, drawTexts)).plan));
  owned.add(view.onDidChangeVisibility(drawTexts));
  const pause = owned.add(createPause({ clock, run: () => model.redrawOverdue() }));
  owned.add(onDidChangeTexts(() => pause.plan()));
  for (const onDidUse of [view.onDidChangeSelection, view.onDidExpandElement, view.onDidCollapseElement])
    owned.add(onDidUse(() => pause.prolong()));
  owned.add(keepSelection(view, model, expanded));
  owned.add(view.onDidExpandElement(({ element }) => expanded.opened(element)));
  owned.add(view.onDidCollapseElement(({ element }) => expanded.closed(element)));
  const drawTimes = (): void => {
    model.tick();
    redraws.add(tooltips.takeOutdated((node) => model.tooltip(node)?.markdown));
  };
  owned.add(startRelativeTimeTicker({ view, clock, drawTimes }));
  let top: string | undefined;
  // The row about a key is above all others, out of sight if the user has scrolled. It may no longer be there by then.
  const noteTop = (node: ViewNode | undefined): void => {
    if (node?.id.startsWith('+key') && node.id !== top && view.visible)
      view.reveal(node, { select: false }).then(undefined, () => undefined);
    top = node?.id;
  };
  drawTexts();
  return {
    provider: makeProvider(options, {
      redraws,
      settling,
      tooltips,
      noteRoots(rows) {
        drawTexts();
        noteTop(rows[0]);
      },
      noteHover() {
        pause.prolong();
        pointing.note();
      },
    }),
    async reveal(row) {
      if (row.keepsFocus && !view.visible) return;
      const show = async (node: ViewNode): Promise<boolean> => {
        const select = row.kind !== 'group';
        await view.reveal(node, { select, focus: select && !row.keepsFocus, expand: !select });
        return select ? view.selection.includes(node) : expanded.has(node);
      };
      const isFound = await revealRow({ model, drain: redraws.drain, show }, row);
      if (!isFound && row.kind !== 'group') throw new Refusal(t("This item isn't in the view."));
    },
    dispose: () => owned.dispose(),
  };
}

function makeProvider(
  { model, expanded, clock, log, hover }: ViewOptions,
  drawn: {
    readonly redraws: Redraws<ViewNode>;
    readonly settling: Settling<ViewNode>;
    readonly tooltips: ShownTooltips<ViewNode>;
    readonly noteRoots: (rows: readonly ViewNode[]) => void;
    readonly noteHover: () => void;
  },
): RowProvider {
  return {
    onDidChangeTreeData: drawn.redraws.onDidChange,
    getParent: (node) => model.parent(node),
    getTreeItem: (node) =>
      drawTreeItem(node, { draw: () => drawGivenRow(model, drawn.redraws, node), scope: model.scopeOf(node), log }),
    // A failed request has a row of its own: an error here is a bug and must not appear as an empty list.
    async getChildren(node) {
      expanded.requested(node);
      const given = drawn.settling.begin(node);
      try {
        const rows = await model.children(node);
        expanded.returned();
        if (node === undefined) drawn.noteRoots(rows);
        return [...rows];
      } catch (error) {
        log.error(`Couldn't list rows below ${node?.id ?? 'the root'}`, error);
        throw error;
      } finally {
        given();
      }
    },
    async resolveTreeItem(item, node, token) {
      drawn.noteHover();
      const tooltip = model.tooltip(node);
      if (tooltip === undefined) return item;
      item.tooltip = makeTooltip(tooltip);
      drawn.tooltips.note(node, tooltip.markdown);
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const loading = await untilLate(hover(node, controller.signal), clock);
      if (loading === undefined) return item;
      drawn.tooltips.note(node, undefined);
      return withLoaded(item, loading, { clock, tooltip: () => model.tooltip(node) });
    },
  };
}

/** VS Code keeps the result until the row is redrawn, and drops a result that arrives after the pointer has left. */
async function withLoaded(
  item: vscode.TreeItem,
  { more, facts }: HoverLoading,
  { clock, tooltip }: { readonly clock: Clock; readonly tooltip: () => RowTooltip | undefined },
): Promise<vscode.TreeItem> {
  const [loaded] = await Promise.all([untilLate(more, clock), untilLate(Promise.resolve(facts), clock)]);
  const now = tooltip();
  if (now !== undefined) item.tooltip = makeTooltip(now, loaded);
  return item;
}

/** Resolves with undefined if it takes too long. */
function untilLate<T>(waiting: Promise<T>, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(undefined), LOADED_WITHIN_MS);
    waiting
      .catch(() => undefined)
      .then(resolve)
      .finally(() => timer.dispose());
  });
}

/** Assigns only changed values: every assignment is a message to the window. */
function applyMessage(view: vscode.TreeView<ViewNode>, { message = '' }: TreeState): void {
  if ((view.message ?? '') !== message) view.message = message;
}

/** Like `applyMessage`. */
function applyTitle(view: vscode.TreeView<ViewNode>, { description = '', badge }: TreeState): void {
  if ((view.description ?? '') !== description) view.description = description;
  if (view.badge?.value !== badge?.value || view.badge?.tooltip !== badge?.tooltip) view.badge = badge;
}
