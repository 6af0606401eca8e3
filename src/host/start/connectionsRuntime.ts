import type * as vscode from 'vscode';
import { type ConnectionModel, type ModelParts, serveConnection } from '../../model/connection/connectionModel.ts';
import type { Connections, DemoAccess } from '../../model/connection/connections.ts';
import { OtherConnections } from '../../model/connection/otherConnections.ts';
import type { ModelContext } from '../../model/context.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Transport } from '../../services.ts';
import { allConnectionsState, allConnectionsStatus } from '../../tree/connections/allConnectionsStatus.ts';
import { ConnectionsTree } from '../../tree/connections/connectionsTree.ts';
import type { StatusText } from '../../tree/statusText.ts';
import { createLateHovers, type LoadHover } from '../../tree/view/lateHovers.ts';
import { DisposableStore } from '../../util/disposable.ts';
import { either } from '../../util/events.ts';
import { type FilledView, fillView } from '../tree/treeView.ts';

export interface StreamsViewParts extends ModelContext {
  readonly connections: Connections;
  readonly demo: { readonly name: string; readonly running: DemoAccess | undefined };
  /** The model of the active connection. */
  readonly model: ConnectionModel;
  readonly modelParts: ModelParts;
  readonly transport: Transport;
  readonly views: { readonly streams: vscode.TreeView<ViewNode> };
}

export interface AllConnections extends FilledView {
  readonly others: OtherConnections;
  readonly readStatus: () => StatusText | undefined;
}

/** Opens the other connections and fills the Streams view with the rows of all, for as long as they're shown. */
export function fillWithAll(parts: StreamsViewParts, onDidChangeOthers: () => void): AllConnections {
  const { store, model, modelParts, drawing, clock, views } = parts;
  const owned = new DisposableStore();
  const others = owned.add(
    new OtherConnections({ ...parts, active: model, serve: (made) => serveConnection(made, modelParts) }),
  );
  const readOthers = () => others.all.map((other) => other.store.snapshot);
  owned.add(others.onDidChange(onDidChangeOthers));
  const tree = owned.add(new ConnectionsTree({ active: model, others, clock, drawing }));
  const hoverOfActive = createLateHovers(parts);
  const hovers = new WeakMap<object, LoadHover>();
  const filled = owned.add(
    fillView({
      ...parts,
      view: views.streams,
      model: tree,
      expanded: tree,
      texts: () => allConnectionsState(store.snapshot, readOthers(), drawing()),
      onDidChangeTexts: either(store.onDidChange, others.onDidUpdate),
      async hover(node, signal) {
        const other = node.connection === undefined ? undefined : others.get(node.connection);
        if (other === undefined)
          return node.connection === parts.connection.info?.id ? hoverOfActive(node, signal) : undefined;
        const hover = hovers.get(other) ?? createLateHovers({ ...parts, ...other });
        hovers.set(other, hover);
        return hover(node, signal);
      },
    }),
  );
  const readStatus = () => allConnectionsStatus([store.snapshot, ...readOthers()], drawing());
  return { ...filled, others, readStatus, dispose: () => owned.dispose() };
}
