import type { ConnectionModel } from '../../model/connection/connectionModel.ts';
import { compareConnections } from '../../model/connection/connections.ts';
import type { OtherConnections, RemovedConnection } from '../../model/connection/otherConnections.ts';
import {
  type ConnectionNode,
  connectionNode,
  filterNode,
  type Node,
  noticeNode,
  type ViewNode,
} from '../../model/rows/nodes.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { isAccountEmpty } from '../../model/store/streams.ts';
import type { Clock, RowReference } from '../../services.ts';
import { delay } from '../../util/clock.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { drawFilterOf, matchesNothing } from '../filterRow.ts';
import { drawAct, isUnread } from '../noticeRows.ts';
import type { OpenRows } from '../openRows.ts';
import { type DrawingContext, GONE, type Row, type RowTooltip } from '../row.ts';
import type { TreeShape } from '../rowKind.ts';
import { streamsTree } from '../streamsTree.ts';
import { TreeModel } from '../treeModel.ts';
import { ExpandedRows } from '../view/expandedRows.ts';
import type { RowExpansion, RowsModel } from '../view/rowsModel.ts';
import { drawConnection, drawCreate, drawRemovedConnection, withRefusals } from './connectionRow.ts';

interface ConnectionsTreeOptions {
  readonly active: ConnectionModel;
  readonly others: OtherConnections;
  readonly clock: Clock;
  readonly drawing: () => DrawingContext;
}

/** A connection's row, and the rows below it. */
interface ShownConnection {
  readonly node: ConnectionNode;
  readonly model: ConnectionModel;
  readonly tree: TreeModel;
  readonly expanded: ExpandedRows;
  /** The row shown while a connection is slow to load. */
  readonly loading: Node;
  readonly owned: DisposableStore;
}

// A slower connection must not delay the others: VS Code draws rows that it requests together at the same time.
const WAITS_MS = 300;
// Redrawing a connection's row redraws all rows below it. With more rows, changes that aren't urgent wait for a pause.
const MANY_ROWS = 200;

/** The rows of all connections, each below its connection's row. A change in one connection never redraws another. */
export class ConnectionsTree implements RowsModel, RowExpansion, Disposable {
  readonly #options: ConnectionsTreeOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<ViewNode[] | undefined>());
  readonly #connections = new Map<string, ShownConnection>();
  /** Kept, because VS Code finds rows by their identity. */
  readonly #nodes = new Map<string, ConnectionNode>();
  readonly #removed = new Map<string, ConnectionNode>();
  /** Kept, because another connection may become the active one, with another store. */
  readonly #openRows = new Map<string, OpenRows>();
  #roots: readonly ConnectionNode[] = [];
  readonly #drawn = new Map<ConnectionNode, Row>();
  readonly #open = new Set<ConnectionNode>();
  readonly #closed = new Set<ConnectionNode>();
  /** The row as last drawn. */
  #filter: Row | undefined;
  #filterRows: readonly ViewNode[] = [];
  #wasRequested = false;

  readonly onDidChange: Event<ViewNode[] | undefined> = this.#changed.event;
  readonly hasOldRows = false;

  constructor(options: ConnectionsTreeOptions) {
    this.#options = options;
    // Before the connections follow their stores, so that rows are never drawn from the data of another connection.
    this.#owned.add(
      options.active.store.onDidChange(({ previous, current }) => {
        if (previous.generation !== current.generation) this.#update();
      }),
    );
    this.#owned.add(options.others.onDidChange(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    for (const { owned } of this.#connections.values()) owned.dispose();
    this.#connections.clear();
    this.#owned.dispose();
  }

  async children(node?: ViewNode): Promise<readonly ViewNode[]> {
    if (node === undefined) return this.#rootRows();
    const shown = this.#connectionOf(node);
    if (shown === undefined) return [];
    return node.kind === 'connection' ? this.#rowsBelow(shown) : shown.tree.children(node);
  }

  async load(node?: ViewNode): Promise<readonly ViewNode[]> {
    if (node === undefined) return this.#roots;
    const shown = this.#connectionOf(node);
    if (shown === undefined) return [];
    return shown.tree.load(node.kind === 'connection' ? undefined : node);
  }

  scopeOf({ connection = '' }: ViewNode): string {
    return connection;
  }

  row(node: ViewNode): Row {
    if (node === FILTER) return this.#filter ?? GONE;
    if (node === CLEAR_FILTER) return drawAct('clearFilter');
    if (isOfRemoved(node)) return drawRemovedConnection(node.removed);
    const shown = this.#connectionOf(node);
    if (shown?.model.connection.info === undefined) return GONE;
    if (node.kind !== 'connection') return rowOf(shown, node);
    const row = this.#draw(shown);
    this.#drawn.set(node, row);
    return row;
  }

  tooltip(node: ViewNode): RowTooltip | undefined {
    if (isOfRemoved(node)) return drawRemovedConnection(node.removed).tooltip?.();
    const shown = this.#connectionOf(node);
    if (shown?.model.connection.info === undefined) return undefined;
    return node.kind === 'connection' ? this.#draw(shown).tooltip?.() : shown.tree.tooltip(node);
  }

  parent(node: ViewNode): ViewNode | undefined {
    const shown = this.#connectionOf(node);
    if (shown === undefined || node.kind === 'connection') return undefined;
    return shown.tree.parent(node) ?? shown.node;
  }

  find(row: RowReference): ViewNode | undefined {
    const id = row.connection ?? this.#activeId();
    return id === undefined ? undefined : this.#connections.get(id)?.tree.find(row);
  }

  hasRow(node: ViewNode): boolean {
    if (node === FILTER || node === CLEAR_FILTER) return this.#filterRows.includes(node);
    if (node.kind === 'connection') return this.#drawn.has(node);
    return this.#connectionOf(node)?.tree.hasRow(node) === true;
  }

  hasChildren(node: ViewNode): boolean {
    if (node.kind === 'connection') return this.#open.has(node);
    return this.#connectionOf(node)?.tree.hasChildren(node) === true;
  }

  tick(): void {
    for (const { tree } of this.#connections.values()) tree.tick();
  }

  redrawOverdue(): void {
    for (const shown of this.#connections.values()) {
      if (this.#isOutdated(shown)) this.#fire([shown.node]);
      else shown.tree.redrawOverdue();
    }
  }

  requested(node: ViewNode | undefined): void {
    if (node === undefined) {
      this.#open.clear();
      for (const { expanded } of this.#connections.values()) expanded.requested(undefined);
      return;
    }
    if (node.kind === 'connection') this.opened(node);
    this.#connectionOf(node)?.expanded.requested(node.kind === 'connection' ? undefined : node);
  }

  returned(): void {
    for (const { expanded } of this.#connections.values()) expanded.returned();
  }

  opened(node: ViewNode): void {
    if (node.kind === 'connection') {
      this.#open.add(node);
      this.#closed.delete(node);
    } else this.#connectionOf(node)?.expanded.opened(node);
  }

  closed(node: ViewNode): void {
    const expanded = this.#connectionOf(node)?.expanded;
    if (node.kind === 'connection') {
      this.#open.delete(node);
      this.#closed.add(node);
      // The rows below it get no additional polling.
      expanded?.requested(undefined);
    } else expanded?.closed(node);
  }

  has(node: ViewNode): boolean {
    return node.kind === 'connection' ? this.#open.has(node) : this.#connectionOf(node)?.expanded.has(node) === true;
  }

  async #rootRows(): Promise<readonly ViewNode[]> {
    this.#wasRequested = true;
    // Waits briefly, so that the rows have their counts.
    await this.#soon(Promise.all([...this.#connections.values()].map(({ tree }) => tree.load())));
    this.#filter = this.#filterRow();
    this.#filterRows = this.#rowsOfFilter();
    return [...this.#filterRows, ...this.#roots];
  }

  async #rowsBelow(shown: ShownConnection): Promise<readonly Node[]> {
    const loading = shown.tree.children();
    const rows = await this.#soon(loading);
    if (rows !== undefined) return rows;
    void loading.then(() => this.#fire([shown.node]));
    return [shown.loading];
  }

  /** Resolves with undefined if the work takes longer than the other connections may wait. */
  #soon<T>(work: Promise<T>): Promise<T | undefined> {
    const { clock } = this.#options;
    return Promise.race([work, delay(clock, WAITS_MS).then(() => undefined)]);
  }

  #connectionOf({ connection }: ViewNode): ShownConnection | undefined {
    return connection === undefined ? undefined : this.#connections.get(connection);
  }

  #activeId(): string | undefined {
    return this.#options.active.connection.info?.id;
  }

  #update(): void {
    const { active, others } = this.#options;
    const { locale } = active.store.snapshot;
    const wanted = [active, ...others.all].flatMap((model) => {
      return model.connection.info === undefined ? [] : [{ model, info: model.connection.info }];
    });
    const before = [...this.#connections];
    this.#connections.clear();
    for (const { model, info } of wanted) {
      const known = before.find(([id, shown]) => id === info.id && shown.model === model)?.[1];
      this.#connections.set(info.id, known ?? this.#makeConnection(info.id, model));
    }
    for (const [id, shown] of before) if (this.#connections.get(id) !== shown) shown.owned.dispose();
    const isSame = before.every(([id, shown]) => this.#connections.get(id) === shown);
    const rootsBefore = this.#roots;
    // Without a connection, the view's welcome explains how to add one.
    const removed = wanted.length === 0 ? [] : others.removed.filter(({ id }) => !this.#connections.has(id));
    this.#roots = [
      ...[...this.#connections].map(([id, { node, model }]) => ({ id, node, name: model.connection.info?.name ?? '' })),
      ...removed.map((each) => ({ ...each, node: this.#removedNode(each) })),
    ]
      .sort((a, b) => compareConnections(a, b, locale))
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

  #makeConnection(id: string, model: ConnectionModel): ShownConnection {
    const { store, loader, interest } = model;
    const owned = new DisposableStore();
    const ofStreams = streamsTree(store, loader);
    const shape: TreeShape = {
      ...ofStreams,
      rootRows: (snapshot, drawing) => {
        const rows = ofStreams
          .rootRows(snapshot, drawing)
          .filter((row) => row.kind !== 'filter' && row.id !== CLEAR_FILTER.id);
        return rows.length === 0 && isAccountEmpty(snapshot) ? [noticeNode('noStreams')] : rows;
      },
    };
    const { drawing } = this.#options;
    const tree = owned.add(new TreeModel({ store, shape, drawing, connection: id, openRows: this.#openRows }));
    const node = this.#nodes.get(id) ?? connectionNode(id);
    this.#nodes.set(id, node);
    const loading = { ...noticeNode('loading'), connection: id };
    const shown: ShownConnection = { node, model, tree, expanded: new ExpandedRows(interest, tree), loading, owned };
    owned.add(tree.onDidChange((rows) => this.#fire(rows ?? [node])));
    owned.add(store.onDidChange(() => this.#follow(shown)));
    return shown;
  }

  /** Undefined if no filter is set. */
  #filterRow(): Row | undefined {
    const { filter, locale } = this.#options.active.store.snapshot;
    const shown = this.#snapshots;
    return filter === '' || shown.length === 0 ? undefined : drawFilterOf(shown, filter, locale);
  }

  #rowsOfFilter(): readonly ViewNode[] {
    if (this.#filter === undefined) return [];
    return matchesNothing(this.#snapshots) ? [FILTER, CLEAR_FILTER] : [FILTER];
  }

  get #snapshots(): readonly Snapshot[] {
    return [...this.#connections.values()].map(({ model }) => model.store.snapshot);
  }

  #followFilter(): void {
    const before = { label: this.#filter?.label, count: this.#filterRows.length };
    this.#filter = this.#filterRow();
    this.#filterRows = this.#rowsOfFilter();
    if (before.count !== this.#filterRows.length) this.#fire(undefined);
    else if (before.label !== this.#filter?.label) this.#fire([FILTER]);
  }

  #follow(shown: ShownConnection): void {
    this.#followFilter();
    const drawn = this.#drawn.get(shown.node);
    if (drawn === undefined || !this.#isOutdated(shown)) return;
    const now = this.#draw(shown);
    const isUrgent =
      now.icon?.id !== drawn.icon?.id || now.label !== drawn.label || now.collapsible !== drawn.collapsible;
    if (now.label !== drawn.label) this.#update();
    if (isUrgent || !this.#open.has(shown.node) || shown.tree.nodeCount <= MANY_ROWS) this.#fire([shown.node]);
  }

  #isOutdated(shown: ShownConnection): boolean {
    const drawn = this.#drawn.get(shown.node);
    if (drawn === undefined || shown.model.connection.info === undefined) return false;
    const { label, description, icon, contextValue } = this.#draw(shown);
    return (
      label !== drawn.label ||
      description !== drawn.description ||
      icon?.id !== drawn.icon?.id ||
      contextValue !== drawn.contextValue
    );
  }

  #draw({ node, model }: ShownConnection): Row {
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

function rowOf({ tree, model }: ShownConnection, node: Node): Row {
  const row = tree.row(node);
  if (node.kind === 'stream') return { ...row, contextValue: withRefusals(row.contextValue, model.store.snapshot) };
  if (node.kind !== 'notice' || node.notice === 'loading') return row;
  if (node.notice === 'noStreams') return model.store.snapshot.abilities.create ? drawCreate(node) : row;
  // Next to groups, VS Code would misalign the icon.
  return isUnread(model.store.snapshot) ? row : { ...row, icon: undefined };
}

/** One row for all connections. It has a connection ID, like all rows while all connections are shown. */
const FILTER: ViewNode = { ...filterNode(), connection: '' };
const CLEAR_FILTER: ViewNode = { ...noticeNode('clearFilter'), connection: '' };
