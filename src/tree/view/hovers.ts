import { t } from '@vscode/l10n';
import { asSentence } from '../../api/describeError.ts';
import type { Account } from '../../model/account/account.ts';
import { clipsOfAccount } from '../../model/account/accountClips.ts';
import type { StreamLoader } from '../../model/loading/loader.ts';
import { Thumbnails, type ThumbnailsOptions } from '../../model/pages/thumbnails.ts';
import type { ViewNode } from '../../model/rows/nodes.ts';
import { findRecording, findSession } from '../../model/store/sessions.ts';
import type { StreamFact } from '../../model/store/snapshot.ts';
import type { StreamStore } from '../../model/store/store.ts';
import { isLive, isOutdated } from '../../model/store/streams.ts';
import { escapeMarkdown } from '../../util/markup.ts';
import type { Loaded } from '../row.ts';

export interface HoversContext extends ThumbnailsOptions {
  readonly store: Pick<StreamStore, 'snapshot'>;
  readonly connection: { readonly account: Account };
  readonly loader: Pick<StreamLoader, 'ensureSessions' | 'readHealth'>;
}

/** The parts of a tooltip that have to be loaded. Neither promise rejects. */
export interface HoverLoading {
  /** Undefined if the service has nothing to show. */
  readonly more: Promise<Loaded | undefined>;
  /** Settles when the snapshot has the stream's start and the state of its targets, or they couldn't be loaded. */
  readonly facts?: Promise<unknown>;
}

// In CSS pixels. VS Code reads the size from the end of the URL.
const WIDTH = 320;

/** Loads more for live streams and failed recordings, if the service is reachable. Sends requests only when called. */
export class Hovers {
  readonly #context: HoversContext;
  readonly #thumbnails: Thumbnails;

  constructor(context: HoversContext) {
    this.#context = context;
    this.#thumbnails = new Thumbnails(context);
  }

  load(node: ViewNode, signal: AbortSignal): HoverLoading | undefined {
    const { snapshot } = this.#context.store;
    if (snapshot.connection.kind !== 'open' || isOutdated(snapshot)) return undefined;
    if (node.kind === 'stream') {
      const fact = snapshot.streams.get(node.streamId);
      return fact !== undefined && isLive(fact) ? this.#loadStream(fact, snapshot.connection.info, signal) : undefined;
    }
    const session =
      node.kind === 'session'
        ? findSession(snapshot, node.streamId, node.sessionId)
        : node.kind === 'recording' && findRecording(snapshot, node.sessionId);
    return session && session.recordingStatus === 'failed' ? { more: this.#readFailure(session.id) } : undefined;
  }

  #loadStream(
    { stream }: StreamFact,
    connection: { readonly id: string; readonly baseUrl: string },
    signal: AbortSignal,
  ): HoverLoading {
    const { loader } = this.#context;
    const { account } = this.#context.connection;
    const { id, playbackId, playbackPolicy, targets = [] } = stream;
    const findPicture = async (): Promise<Loaded | undefined> => {
      if (playbackId === undefined) return undefined;
      const picture = await this.#thumbnails.get({ account, connection, playbackId, playbackPolicy }, signal);
      return picture === undefined ? undefined : { above: `![${t('Live preview')}](${picture}|width=${WIDTH})` };
    };
    const health = targets.length > 0 ? loader.readHealth([id]) : undefined;
    return { more: findPicture(), facts: Promise.all([loader.ensureSessions(id), health]) };
  }

  async #readFailure(sessionId: string): Promise<Loaded | undefined> {
    const why = await clipsOfAccount(this.#context.connection.account).readFailure(sessionId);
    return why === undefined ? undefined : { below: escapeMarkdown(t('The service reports: {0}', asSentence(why))) };
  }
}
