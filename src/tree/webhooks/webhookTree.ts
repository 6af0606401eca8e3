import type { Delivery } from '../../api/webhooks.ts';
import { noticeNode } from '../../model/rows/nodes.ts';
import { connectionIdOf } from '../../model/store/snapshot.ts';
import { isConnected, offersRetry } from '../../model/store/streams.ts';
import { isFiltered } from '../../model/webhooks/failures.ts';
import { localAttempts } from '../../model/webhooks/localAttempts.ts';
import type { PagedRows } from '../../model/webhooks/state.ts';
import {
  deliveryDayNode,
  deliveryFilterNode,
  deliveryNode,
  localDeliveryNode,
  thisComputerNode,
  type WebhookNode,
  webhookEndNode,
  webhookNode,
} from '../../model/webhooks/webhookNodes.ts';
import { dayNumber } from '../../util/dates.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { NodeRegistry } from '../nodeRegistry.ts';
import { failureNotice } from '../noticeRows.ts';
import { PaintedRows } from '../paintedRows.ts';
import type { DrawingContext, Row, RowTooltip } from '../row.ts';
import { drawWebhookRow, type WebhookFacts } from './webhookRows.ts';

interface WebhookTreeOptions {
  readonly read: () => WebhookFacts;
  /** Fires when the result of `read` has changed. */
  readonly onDidChange: Event<unknown>;
  readonly drawing: () => DrawingContext;
  /** Loads the deliveries of a webhook. A failure ends up in the result of `read`. */
  readonly openDeliveries: (webhookId: string) => Promise<void>;
}

/** The rows of the Webhooks view. There are few, so all that VS Code was given are compared after each change. */
export class WebhookTree implements Disposable {
  readonly #options: WebhookTreeOptions;
  readonly #nodes = new NodeRegistry<WebhookNode>();
  readonly #painted = new PaintedRows<WebhookNode>();
  readonly #changed = new Emitter<WebhookNode[] | undefined>();
  readonly #subscription: Disposable;
  #scope: string;
  /** Whether VS Code shows rows, which may be those of another connection. */
  #hasRows = false;

  constructor(options: WebhookTreeOptions) {
    this.#options = options;
    this.#scope = this.scope;
    this.#subscription = options.onDidChange(() => this.#compare());
  }

  /** Fires with the nodes to redraw, each with everything below it; undefined means the whole tree. */
  get onDidChange(): Event<WebhookNode[] | undefined> {
    return this.#changed.event;
  }

  /** The ID of the connection that the rows belong to; empty if there is none. */
  get scope(): string {
    return connectionIdOf(this.#options.read().snapshot) ?? '';
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async children(node?: WebhookNode): Promise<readonly WebhookNode[]> {
    if (node !== undefined && !this.#nodes.has(node)) return [];
    this.#painted.noteRequest(node);
    if (node?.kind === 'webhook') await this.#options.openDeliveries(node.webhookId);
    if (node === undefined && !this.#hasRows) await this.#untilLoaded();
    if (node !== undefined && !this.#nodes.has(node)) return [];
    const children = childrenOf(this.#options.read(), node, this.#options.drawing()).map((child) =>
      this.#nodes.keep(child),
    );
    this.#painted.noteChildren(node, children);
    if (node === undefined) {
      this.#nodes.keepOnly(this.#painted.held());
      this.#hasRows = children.length > 0;
    }
    return children;
  }

  /** In the meantime, VS Code shows its progress bar, as in the other views. */
  async #untilLoaded(): Promise<void> {
    const { read, onDidChange } = this.#options;
    // The row for loading is the last one.
    while (rootRows(read())[0]?.id === webhookEndNode('loading').id) {
      await new Promise<void>((resolve) => {
        const subscription = onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  }

  row(node: WebhookNode): Row {
    const { now } = this.#options.drawing();
    const row = this.#draw(node, now);
    if (this.#nodes.has(node)) this.#painted.noteRow(node, row, now);
    return row;
  }

  tooltip(node: WebhookNode): RowTooltip | undefined {
    return this.#draw(node).tooltip?.();
  }

  /** Returns the row of a webhook; undefined if the view doesn't list it. */
  find(webhookId: string): WebhookNode | undefined {
    const { state } = this.#options.read();
    return state.webhooks.items.some(({ id }) => id === webhookId)
      ? this.#nodes.keep(webhookNode(webhookId))
      : undefined;
  }

  parent(node: WebhookNode): WebhookNode | undefined {
    const parent = parentOf(this.#options.read(), node, this.#options.drawing());
    return parent && this.#nodes.keep(parent);
  }

  hasRow(node: WebhookNode): boolean {
    return this.#nodes.has(node) && this.#painted.has(node);
  }

  hasChildren(node: WebhookNode): boolean {
    return this.#painted.hasChildren(node);
  }

  /** Redraws rows whose times have changed, and lists with a part that's no longer from today. */
  tick(): void {
    const { now } = this.#options.drawing();
    this.#fire(this.#painted.rootRows.flatMap((node) => this.#outdatedFrom(node, now)));
  }

  #compare(): void {
    if (this.#scope !== this.scope) {
      this.#scope = this.scope;
      this.#nodes.clear();
      this.#painted.clear();
      this.#changed.fire(undefined);
      return;
    }
    if (this.#hasOtherChildren(undefined)) this.#changed.fire(undefined);
    else this.#fire(this.#painted.rootRows.flatMap((node) => this.#outdatedFrom(node)));
  }

  /** Returns the row itself if it or its list of children differs, otherwise the rows below it that differ. */
  #outdatedFrom(node: WebhookNode, now?: number): readonly WebhookNode[] {
    if (this.#isOutdated(node, now) || this.#hasOtherChildren(node)) return [node];
    return (this.#painted.children(node) ?? []).flatMap((child) => this.#outdatedFrom(child, now));
  }

  /** @param now Default: when VS Code was given the row. `tick` redraws rows that only time has changed. */
  #isOutdated(node: WebhookNode, now = this.#painted.time(node)): boolean {
    return this.#painted.differs(node, this.#draw(node, now));
  }

  #hasOtherChildren(node: WebhookNode | undefined): boolean {
    const given = this.#painted.children(node);
    if (given === undefined) return false;
    const now = childrenOf(this.#options.read(), node, this.#options.drawing());
    return now.length !== given.length || now.some(({ id }, index) => id !== given[index]?.id);
  }

  #draw(node: WebhookNode, now?: number): Row {
    const drawing = this.#options.drawing();
    return drawWebhookRow(this.#options.read(), node, now === undefined ? drawing : { ...drawing, now });
  }

  #fire(nodes: readonly WebhookNode[]): void {
    if (nodes.length > 0) this.#changed.fire([...nodes]);
  }
}

function childrenOf(
  facts: WebhookFacts,
  node: WebhookNode | undefined,
  drawing: DrawingContext,
): readonly WebhookNode[] {
  switch (node?.kind) {
    case undefined:
      return rootRows(facts);
    case 'thisComputer':
      if (facts.listening?.isUnanswered === true) {
        return [webhookEndNode('unanswered', node.id), ...listRows(facts, node.id, drawing)];
      }
      return facts.local.length === 0 ? [webhookEndNode('empty', node.id)] : listRows(facts, node.id, drawing);
    case 'webhook':
      return deliveryRows(facts, node.webhookId, drawing);
    case 'deliveryDay': {
      const { items, nodeOf } = listOf(facts, node.webhookId);
      return (deliveriesByDay(items, drawing).get(node.day) ?? []).map(nodeOf);
    }
    default:
      return [];
  }
}

function rootRows({ state, listening, local, snapshot }: WebhookFacts): readonly WebhookNode[] {
  const { items, trouble } = state.webhooks;
  const here = listening !== undefined || local.length > 0 ? [thisComputerNode()] : [];
  if (!isConnected(snapshot) || !state.isOffered) return here;
  return [
    ...noticesOf(failureNotice(snapshot, trouble, items)),
    ...here,
    ...items.map(({ id }) => webhookNode(id)),
    ...ends(state.webhooks),
  ];
}

function noticesOf(notice: ReturnType<typeof failureNotice>): readonly WebhookNode[] {
  if (notice === undefined) return [];
  return [notice === 'retry' ? webhookEndNode('retry') : noticeNode(notice, true)];
}

function deliveryRows(facts: WebhookFacts, webhookId: string, drawing: DrawingContext): readonly WebhookNode[] {
  const { state, snapshot } = facts;
  const rows = state.deliveries.get(webhookId);
  if (rows === undefined) return [webhookEndNode('loading', webhookId)];
  const { items, filter, isLoaded, trouble, hasNextPage } = rows;
  const isEmpty = isLoaded && items.length === 0 && !hasNextPage && trouble === undefined;
  return [
    ...(isFiltered(filter) ? [deliveryFilterNode(webhookId)] : []),
    ...listRows(facts, webhookId, drawing),
    ...(isEmpty ? [webhookEndNode('empty', webhookId)] : []),
    ...(trouble === undefined ? ends(rows, webhookId) : []),
    ...(trouble !== undefined && offersRetry(snapshot, rows) ? [webhookEndNode('retry', webhookId)] : []),
  ];
}

type Days = ReadonlyMap<number | undefined, readonly Delivery[]>;

interface DeliveryList {
  readonly items: readonly Delivery[];
  readonly nodeOf: (delivery: Delivery) => WebhookNode;
}

/** @param id of a webhook, or of the row for this computer */
function listOf({ state, local }: WebhookFacts, id: string): DeliveryList {
  return id === thisComputerNode().id
    ? { items: localAttempts(local).firsts, nodeOf: (delivery) => localDeliveryNode(delivery.id) }
    : { items: state.deliveries.get(id)?.items ?? [], nodeOf: (delivery) => deliveryNode(id, delivery.id) };
}

/** Returns the deliveries of a list, or its days unless all are from today. */
function listRows(facts: WebhookFacts, id: string, drawing: DrawingContext): readonly WebhookNode[] {
  const { items, nodeOf } = listOf(facts, id);
  if (areOfToday(items, drawing)) return items.map(nodeOf);
  return [...deliveriesByDay(items, drawing).keys()].map((day) => deliveryDayNode(id, day));
}

function areOfToday(items: readonly Delivery[], drawing: DrawingContext): boolean {
  const today = dayNumber(drawing.now, drawing);
  return [...deliveriesByDay(items, drawing).keys()].every((day) => day === today);
}

const daysOf = new WeakMap<readonly Delivery[], { readonly timeZone: string; readonly days: Days }>();

// Cached, because all rows are compared after each change.
function deliveriesByDay(items: readonly Delivery[], drawing: DrawingContext): Days {
  const known = daysOf.get(items);
  if (known?.timeZone === drawing.timeZone) return known.days;
  const days = Map.groupBy(items, ({ createdAt }) => dayNumber(createdAt, drawing));
  daysOf.set(items, { timeZone: drawing.timeZone, days });
  return days;
}

/** The last rows of a list. An empty list of webhooks has none: the view shows its welcome. */
function ends(list: PagedRows<unknown>, webhookId?: string): readonly WebhookNode[] {
  const { isLoaded, trouble, hasNextPage } = list;
  if (!isLoaded) return trouble === undefined ? [webhookEndNode('loading', webhookId)] : [];
  return hasNextPage ? [webhookEndNode('more', webhookId)] : [];
}

function parentOf(facts: WebhookFacts, node: WebhookNode, drawing: DrawingContext): WebhookNode | undefined {
  switch (node.kind) {
    case 'thisComputer':
    case 'webhook':
    case 'notice':
      return undefined;
    case 'localDelivery':
      return parentInList(facts, { list: thisComputerNode().id, deliveryId: node.deliveryId }, drawing);
    case 'delivery':
      return parentInList(facts, { list: node.webhookId, deliveryId: node.deliveryId }, drawing);
    case 'deliveryFilter':
      return webhookNode(node.webhookId);
    case 'deliveryDay':
      return rowOfList(node.webhookId);
    case 'webhookEnd':
      return node.webhookId === undefined ? undefined : rowOfList(node.webhookId);
    default:
      return node satisfies never;
  }
}

interface ListedDelivery {
  readonly list: string;
  readonly deliveryId: string;
}

function parentInList(facts: WebhookFacts, { list, deliveryId }: ListedDelivery, drawing: DrawingContext): WebhookNode {
  const { items } = listOf(facts, list);
  if (areOfToday(items, drawing)) return rowOfList(list);
  return deliveryDayNode(list, dayNumber(items.find(({ id }) => id === deliveryId)?.createdAt, drawing));
}

function rowOfList(id: string): WebhookNode {
  return id === thisComputerNode().id ? thisComputerNode() : webhookNode(id);
}
