import type { ConnectionModel } from '../../model/connection/connectionModel.ts';
import { Webhooks } from '../../model/webhooks/webhooks.ts';
import { type BoundaryContext, runAction, showMessage } from '../boundary.ts';

/** Makes the contexts of connections that are shown beside the active one, each once. */
export function createContextsBeside(
  active: () => BoundaryContext,
  findModel: (connectionId: string) => ConnectionModel | undefined,
): BoundaryContext['contextBeside'] {
  const made = new WeakMap<ConnectionModel, BoundaryContext>();
  return (id) => {
    const model = findModel(id);
    if (model === undefined) return undefined;
    const own = made.get(model) ?? makeContextBeside(active(), model);
    made.set(model, own);
    return own;
  };
}

/**
 * Returns the context of a connection that is shown beside the active one. Everything that commands read, change, open,
 * or report in it is for that connection, even after it was closed.
 */
function makeContextBeside(active: BoundaryContext, model: ConnectionModel): BoundaryContext {
  const { store, loader, connection } = model;
  const { info } = connection;
  if (info === undefined) throw new Error('The connection is not open');
  const { id } = info;
  const { ui, player, details, clock, log } = active;
  const own: BoundaryContext = {
    ...active,
    ...{ activeContext: active, store, loader, connection },
    ui: { ...ui, reveal: (row) => ui.reveal({ ...row, connection: id }) },
    player: {
      openStream: (stream, _, isForClip) => player.openStream(stream, id, isForClip),
      openRecording: (session, _, isForClip) => player.openRecording(session, id, isForClip),
      openClip: (clip) => player.openClip(clip, id),
    },
    details: {
      openStream: (stream) => details.openStream(stream, id),
      openSession: (session, _, clipId) => details.openSession(session, id, clipId),
    },
    // The window's own webhooks are for the active connection. These load on demand and never poll.
    webhooks: new Webhooks({ connection, store, clock, log }),
    runCommand: (command, ...args) => runAction(own, { command, args, connection: info }),
    showMessage: (message) => void showMessage(own, message, info),
  };
  return own;
}
