import type { ConnectionModel } from '../../model/connection/connectionModel.ts';
import type { OtherConnections, RemovedConnection } from '../../model/connection/otherConnections.ts';
import { type ConnectionNode, connectionNode, type Node, noticeNode, type ViewNode } from '../../model/rows/nodes.ts';
import type { Clock, RowReference } from '../../services.ts';
import { delay } from '../../util/clock.ts';
import { compareNames } from '../../util/compareNames.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import type { DrawingContext, Row, RowTooltip } from '../row.ts';
import { streamsTree } from '../streamsTree.ts';
import { TreeModel } from '../treeModel.ts';
import { ExpandedRows } from '../view/expandedRows.ts';
import type { RowExpansion, RowsModel } from '../view/rowsModel.ts';
import { drawConnection, drawRemovedConnection, withRefusals } from './connectionRow.ts';

interface ConnectionsTreeOptions {
  readonly active: ConnectionModel;
  readonly others: OtherConnections;
  readonly clock: Clock;
  readonly drawing: () => DrawingContext;
}

/** A connection's row, and the rows below it. */
interface Part {
  readonly node: ConnectionNode;
  readonly model: ConnectionModel;
  readonly tree: TreeModel;
  readonly expanded: ExpandedRows;
  /** In place of the rows of a connection that is slow. */
  readonly loading: Node;
  readonly owned: DisposableStore;
}

// A connection that takes longer must not hold up the others: VS Code draws all rows that it requests together at once.
const WAITS_MS = 300;
// Redrawing a connection's row redraws all rows below it. What isn't urgent waits for a pause if there are more.
const MANY_ROWS = 200;

/** The rows of all connections, each below a row of its own. What changes in one never redraws another. */
export class ConnectionsTree implements RowsModel, RowExpansion, Disposable {
  readonly #options: ConnectionsTreeOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<ViewNode[] | undefined>());
  readonly #parts = new Map<string, Part>();
  /** Kept, because VS Code finds rows by their identity. */
  readonly #nodes = new Map<string, ConnectionNode>();
  readonly #removed = new Map<string, ConnectionNode>();
  #roots: readonly ConnectionNode[] = [];
  readonly #drawn = new Map<ConnectionNode, Row>();
  readonly #open = new Set<ConnectionNode>();
  readonly #closed = new Set<ConnectionNode>();
  #wasRequested = false;

  readonly onDidChange: Event<ViewNode[] | undefined> = this.#changed.event;
  readonly hasOldRows = false;

  constructor(options: ConnectionsTreeOptions) {
    this.#options = options;
    // Before the parts follow their stores: rows of one connection are never drawn from what is known of another.
    this.#owned.add(
      options.active.store.onDidChange(({ previous, current }) => {
        if (previous.generation !== current.generation) this.#update();
      }),
    );
    this.#owned.add(options.others.onDidChange(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    for (const { owned } of this.#parts.values()) owned.dispose();
    this.#parts.clear();
    this.#owned.dispose();
  }

  async children(node?: ViewNode): Promise<readonly ViewNode[]> {
    if (node === undefined) return this.#rootRows();
    const part = this.#partOf(node);
    if (part === undefined) return [];
    return node.kind === 'connection' ? this.#rowsBelow(part) : part.tree.children(node);
  }

  async load(node?: ViewNode): Promise<readonly ViewNode[]> {
    if (node === undefined) return this.#roots;
    const part = this.#partOf(node);
    if (part === undefined) return [];
    return part.tree.load(node.kind === 'connection' ? undefined : node);
  }

  scopeOf({ connection = '' }: ViewNode): string {
    return connection;
  }

  row(node: ViewNode): Row {
    if (isOfRemoved(node)) return drawRemovedConnection(node.removed);
    const part = this.#partOf(node);
    if (part?.model.current.info === undefined) return GONE;
    if (node.kind !== 'connection') return rowOf(part, node);
    const row = this.#draw(part);
    this.#drawn.set(node, row);
    return row;
  }

  tooltip(node: ViewNode): RowTooltip | undefined {
    if (isOfRemoved(node)) return drawRemovedConnection(node.removed).tooltip?.();
    const part = this.#partOf(node);
    if (part?.model.current.info === undefined) return undefined;
    return node.kind === 'connection' ? this.#draw(part).tooltip?.() : part.tree.tooltip(node);
  }

  parent(node: ViewNode): ViewNode | undefined {
    const part = this.#partOf(node);
    if (part === undefined || node.kind === 'connection') return undefined;
    return part.tree.parent(node) ?? part.node;
  }

  find(row: RowReference): ViewNode | undefined {
    const id = row.connection ?? this.#activeId();
    return id === undefined ? undefined : this.#parts.get(id)?.tree.find(row);
  }

  hasRow(node: ViewNode): boolean {
    if (node.kind === 'connection') return this.#drawn.has(node);
    return this.#partOf(node)?.tree.hasRow(node) === true;
  }

  hasChildren(node: ViewNode): boolean {
    if (node.kind === 'connection') return this.#open.has(node);
    return this.#partOf(node)?.tree.hasChildren(node) === true;
  }

  tick(): void {
    for (const { tree } of this.#parts.values()) tree.tick();
  }

  redrawOverdue(): void {
    for (const part of this.#parts.values()) {
      if (this.#isOutdated(part)) this.#fire([part.node]);
      else part.tree.redrawOverdue();
    }
  }

  requested(node: ViewNode | undefined): void {
    if (node === undefined) {
      this.#open.clear();
      for (const { expanded } of this.#parts.values()) expanded.requested(undefined);
      return;
    }
    if (node.kind === 'connection') this.opened(node);
    this.#partOf(node)?.expanded.requested(node.kind === 'connection' ? undefined : node);
  }

  returned(): void {
    for (const { expanded } of this.#parts.values()) expanded.returned();
  }

  opened(node: ViewNode): void {
    if (node.kind === 'connection') {
      this.#open.add(node);
      this.#closed.delete(node);
    } else this.#partOf(node)?.expanded.opened(node);
  }

  closed(node: ViewNode): void {
    const expanded = this.#partOf(node)?.expanded;
    if (node.kind === 'connection') {
      this.#open.delete(node);
      this.#closed.add(node);
      // Nothing below it is polled in addition.
      expanded?.requested(undefined);
    } else expanded?.closed(node);
  }

  has(node: ViewNode): boolean {
    return node.kind === 'connection' ? this.#open.has(node) : this.#partOf(node)?.expanded.has(node) === true;
  }

  async #rootRows(): Promise<readonly ConnectionNode[]> {
    this.#wasRequested = true;
    // With their numbers, if those are known soon.
    await this.#soon(Promise.all([...this.#parts.values()].map(({ tree }) => tree.load())));
    return this.#roots;
  }

  async #rowsBelow(part: Part): Promise<readonly Node[]> {
    const loading = part.tree.children();
    const rows = await this.#soon(loading);
    if (rows !== undefined) return rows;
    void loading.then(() => this.#fire([part.node]));
    return [part.loading];
  }

  /** Resolves with undefined if it takes longer than the others may wait. */
  #soon<T>(work: Promise<T>): Promise<T | undefined> {
    const { clock } = this.#options;
    return Promise.race([work, delay(clock, WAITS_MS).then(() => undefined)]);
  }

  #partOf({ connection }: ViewNode): Part | undefined {
    return connection === undefined ? undefined : this.#parts.get(connection);
  }

  #activeId(): string | undefined {
    return this.#options.active.current.info?.id;
  }

  #update(): void {
    const { active, others } = this.#options;
    const { locale } = active.store.snapshot;
    const wanted = [active, ...others.all].flatMap((model) => {
      return model.current.info === undefined ? [] : [{ model, info: model.current.info }];
    });
    const before = [...this.#parts];
    this.#parts.clear();
    for (const { model, info } of wanted) {
      const known = before.find(([id, part]) => id === info.id && part.model === model)?.[1];
      this.#parts.set(info.id, known ?? this.#makePart(info.id, model));
    }
    for (const [id, part] of before) if (this.#parts.get(id) !== part) part.owned.dispose();
    const isSame = before.every(([id, part]) => this.#parts.get(id) === part);
    const rootsBefore = this.#roots;
    // Without a connection, the view's welcome says how to get one.
    const removed = wanted.length === 0 ? [] : others.removed.filter(({ id }) => !this.#parts.has(id));
    this.#roots = [
      ...[...this.#parts.values()].map(({ node, model }) => ({ node, name: model.current.info?.name ?? '' })),
      ...removed.map((each) => ({ node: this.#removedNode(each), name: each.name })),
    ]
      .sort((a, b) => compareNames(a.name, b.name, locale) || (a.node.connection < b.node.connection ? -1 : 1))
      .map(({ node }) => node);
    const isInPlace =
      this.#roots.length === rootsBefore.length && this.#roots.every((node, at) => node === rootsBefore[at]);
    if (!isSame || !isInPlace) this.#fire(undefined);
  }

  #removedNode({ id, name, baseUrl }: RemovedConnection): ConnectionNode {
    const node = this.#removed.get(id) ?? { ...connectionNode(id), removed: { name, baseUrl } };
    this.#removed.set(id, node);
    return node;
  }

  #makePart(id: string, model: ConnectionModel): Part {
    const { store, loader, interest } = model;
    const owned = new DisposableStore();
    const shape = streamsTree(store, loader);
    const tree = owned.add(new TreeModel({ store, shape, drawing: this.#options.drawing, connection: id }));
    const node = this.#nodes.get(id) ?? connectionNode(id);
    this.#nodes.set(id, node);
    const loading = { ...noticeNode('loading'), connection: id };
    const part: Part = { node, model, tree, expanded: new ExpandedRows(interest, tree), loading, owned };
    owned.add(tree.onDidChange((rows) => this.#fire(rows ?? [node])));
    owned.add(store.onDidChange(() => this.#follow(part)));
    return part;
  }

  #follow(part: Part): void {
    const drawn = this.#drawn.get(part.node);
    if (drawn === undefined || !this.#isOutdated(part)) return;
    const now = this.#draw(part);
    const isUrgent =
      now.icon?.id !== drawn.icon?.id || now.label !== drawn.label || now.collapsible !== drawn.collapsible;
    if (now.label !== drawn.label) this.#update();
    if (isUrgent || !this.#open.has(part.node) || part.tree.nodeCount <= MANY_ROWS) this.#fire([part.node]);
  }

  #isOutdated(part: Part): boolean {
    const drawn = this.#drawn.get(part.node);
    if (drawn === undefined || part.model.current.info === undefined) return false;
    const { label, description, icon, contextValue } = this.#draw(part);
    return (
      label !== drawn.label ||
      description !== drawn.description ||
      icon?.id !== drawn.icon?.id ||
      contextValue !== drawn.contextValue
    );
  }

  #draw({ node, model }: Part): Row {
    const state = { isActive: node.connection === this.#activeId(), isClosed: this.#closed.has(node) };
    return drawConnection(model.store.snapshot, state, this.#options.drawing());
  }

  #fire(rows: ViewNode[] | undefined): void {
    if (this.#wasRequested) this.#changed.fire(rows);
  }
}

type OfRemoved = ConnectionNode & Required<Pick<ConnectionNode, 'removed'>>;

function isOfRemoved(node: ViewNode): node is OfRemoved {
  return node.kind === 'connection' && node.removed !== undefined;
}

function rowOf({ tree, model }: Part, node: Node): Row {
  const row = tree.row(node);
  const isChangeable = node.kind === 'stream';
  return isChangeable ? { ...row, contextValue: withRefusals(row.contextValue, model.store.snapshot) } : row;
}

/** What VS Code still asks about for a moment, though its connection is no longer shown. */
const GONE: Row = { label: '', contextValue: '', collapsible: 'none', accessibilityLabel: '' };
