import { t } from '@vscode/l10n';
import type { Connection } from '../../model/connection/connection.ts';
import type { StreamLoader } from '../../model/loading/loader.ts';
import { LateThumbnails } from '../../model/pages/lateThumbnails.ts';
import type { ThumbnailsOptions } from '../../model/pages/thumbnails.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { StreamStore } from '../../model/store/store.ts';
import { isLive, isOutdated } from '../../model/store/streams.ts';

interface Context extends ThumbnailsOptions {
  readonly store: Pick<StreamStore, 'snapshot'>;
  readonly connection: Pick<Connection, 'account'>;
  readonly loader: Pick<StreamLoader, 'ensureSessions' | 'readHealth'>;
}

/** What a tooltip shows beside what is known at once. Neither promise rejects, unless the code cannot be loaded. */
export interface HoverLoading {
  /** Markdown. Undefined if the service has no picture, or it cannot be shown. */
  readonly picture: Promise<string | undefined>;
  /** Settles when the snapshot says since when the stream is live, and whether it reaches its targets, or does not know it. */
  readonly facts: Promise<unknown>;
}

// CSS pixels. VS Code reads the size from the end of the address.
const WIDTH = 320;

/** Loads for live streams only, while the service can be reached. Sends requests only when called. */
export function createHovers(context: Context): (node: ViewNode, signal: AbortSignal) => HoverLoading | undefined {
  const { store, loader } = context;
  const thumbnails = new LateThumbnails(context);
  return (node, signal) => {
    const { snapshot } = store;
    const fact = node.kind === 'stream' ? snapshot.streams.get(node.streamId) : undefined;
    const { connection } = snapshot;
    if (fact === undefined || !isLive(fact) || connection.kind !== 'open' || isOutdated(snapshot)) return undefined;
    const { id: streamId, playbackId, playbackPolicy, targets = [] } = fact.stream;
    const { id, baseUrl } = connection.info;
    const { account } = context.connection;
    const findPicture = async (): Promise<string | undefined> => {
      if (playbackId === undefined) return undefined;
      const of = { account, connection: { id, baseUrl }, playbackId, playbackPolicy };
      const picture = await thumbnails.get(of, signal);
      return picture && `![${t('Live preview')}](${picture}|width=${WIDTH})`;
    };
    return {
      picture: findPicture(),
      facts: Promise.all([
        loader.ensureSessions(streamId),
        targets.length > 0 ? loader.readHealth([streamId]) : undefined,
      ]),
    };
  };
}
