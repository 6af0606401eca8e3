import { t } from '@vscode/l10n';
import type { CommandContext } from '../../commands/context.ts';
import { Thumbnails } from '../../model/pages/thumbnails.ts';
import { isLive } from '../../model/store/streams.ts';
import type { Transport } from '../../services.ts';
import type { Node } from '../../tree/nodes.ts';

type Context = Pick<CommandContext, 'store' | 'current' | 'clock' | 'log'> & { readonly transport: Transport };

/** CSS pixels. VS Code reads the size from the end of the address. */
const WIDTH = 320;

/**
 * Returns the picture of a live stream's row for its tooltip, as Markdown; undefined for all other rows. Sends a
 * request only when called. Resolves with undefined if the service has no picture, or it cannot be shown.
 */
export function createPictures(
  context: Context,
): (node: Node, signal: AbortSignal) => Promise<string | undefined> | undefined {
  const { store, current } = context;
  const thumbnails = new Thumbnails(context);
  return (node, signal) => {
    const fact = node.kind === 'stream' ? store.snapshot.streams.get(node.streamId) : undefined;
    const { connection } = store.snapshot;
    if (fact === undefined || !isLive(fact) || connection.kind !== 'open') return undefined;
    const { playbackId } = fact.stream;
    if (playbackId === undefined) return undefined;
    const { id, baseUrl } = connection.info;
    const found = thumbnails.get({ account: current.account, connection: { id, baseUrl }, playbackId }, signal);
    return found.then((picture) => picture && `![${t('Live preview')}](${picture}|width=${WIDTH})`);
  };
}
