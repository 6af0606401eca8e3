import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { isAbortError, isApiError } from '../../api/errors.ts';
import type { WebhookParts } from '../../commands/context.ts';
import { webhooksOf } from '../../model/account/accountWebhooks.ts';
import { readAccountLog } from '../../model/webhooks/accountLog.ts';
import { EventListener } from '../../model/webhooks/eventListener.ts';
import { countFailing } from '../../model/webhooks/failures.ts';
import type { Listening, WebhooksState } from '../../model/webhooks/state.ts';
import type { WebhookNode, WebhookNodeOf } from '../../model/webhooks/webhookNodes.ts';
import { WebhookSecrets } from '../../model/webhooks/webhookSecrets.ts';
import { Webhooks } from '../../model/webhooks/webhooks.ts';
import { withNote } from '../../texts/names.ts';
import { failingText } from '../../texts/webhooks.ts';
import type { RowTooltip } from '../../tree/row.ts';
import { ownDescription, ownMessage } from '../../tree/treeState.ts';
import { createLateRun } from '../../tree/view/redraws.ts';
import { deliveryHover } from '../../tree/webhooks/webhookRows.ts';
import { WebhookTree } from '../../tree/webhooks/webhookTree.ts';
import { type Disposable, type DisposableStore, makeOwning } from '../../util/disposable.ts';
import { either } from '../../util/events.ts';
import { keepListenItem } from '../boxes/listenItem.ts';
import { type ContextKeys, keepContextKeys } from '../tree/contextKeys.ts';
import type { RowProvider } from '../tree/rowProvider.ts';
import { fillWebhookView } from '../tree/webhookView.ts';
import type { BootContext, ViewsRuntime } from './viewsRuntime.ts';

export interface WebhooksBoot extends BootContext {
  readonly webhooksView: vscode.TreeView<WebhookNode>;
}

export interface WebhooksRuntime extends Disposable, WebhookParts {
  readonly webhookSecrets: WebhookSecrets;
  readonly rows: RowProvider<WebhookNode>;
}

// A broadcast that restarted, the one before it, and one more for an encoder that reconnects often.
const NEWEST_SESSIONS = 3;

/** The part of the composition root that is loaded when the Webhooks view is opened or a command runs. */
export function startWebhooksRuntime(boot: WebhooksBoot, views: ViewsRuntime): WebhooksRuntime {
  return makeOwning((owned) => createWebhooks(boot, views, owned));
}

function createWebhooks(boot: WebhooksBoot, views: ViewsRuntime, owned: DisposableStore): WebhooksRuntime {
  const { clock, log, workspace, secrets } = boot;
  const known = views.secrets;
  const webhookSecrets = owned.add(new WebhookSecrets({ secrets, workspace, newId: randomUUID, clock, log, known }));
  const webhooks = owned.add(new Webhooks(boot));
  const openLog = () => (boot.connection.isOpen ? readAccountLog(webhooksOf(boot.connection.account)) : undefined);
  const readSessions = async (streamId: string, signal: AbortSignal) => {
    const query = { recordedOnly: false, limit: NEWEST_SESSIONS, signal };
    return boot.connection.isOpen ? (await boot.connection.account.listSomeSessions(streamId, query)).items : [];
  };
  const { loader, interest, presence } = views;
  owned.add(presence.watch(boot.webhooksView));
  const findWebhookAt = (handler: string) => webhooks.findAt(handler)?.id;
  const eventListener = owned.add(
    new EventListener({
      ...boot,
      loader,
      interest,
      presence,
      secrets: webhookSecrets,
      readSessions,
      readStream: (id, signal) => boot.connection.account.readStream(id, { signal }),
      openLog,
      findWebhookAt,
      newId: randomUUID,
      clean: (text) => (boot.connection.isOpen ? boot.connection.account.withoutSecrets(text) : text),
    }),
  );
  owned.add(keepListenItem({ listener: eventListener, store: boot.store }));
  const onDidChange = either(webhooks.onDidChange, eventListener.onDidChange);
  const readKeys = () => webhookKeysOf(webhooks.state, eventListener.listening);
  owned.add(keepContextKeys({ read: readKeys, onDidChange, log }));
  const { provider, revealWebhook } = fillView(boot, { views, owned, webhooks, eventListener });
  return {
    ...{ webhooks, eventListener, webhookSecrets },
    revealWebhook,
    isWebhooksViewVisible: () => boot.webhooksView.visible,
    rows: provider,
    dispose: () => owned.dispose(),
  };
}

interface WebhookViewOptions {
  readonly views: ViewsRuntime;
  readonly owned: DisposableStore;
  readonly webhooks: Webhooks;
  readonly eventListener: EventListener;
}

function fillView(boot: WebhooksBoot, { views, owned, webhooks, eventListener }: WebhookViewOptions) {
  const { clock, log, store, webhooksView } = boot;
  const read = () => {
    const { listening, deliveries: local } = eventListener;
    return { state: webhooks.state, listening, local, snapshot: store.snapshot };
  };
  const onDidChange = either(either(webhooks.onDidChange, eventListener.onDidChange), store.onDidChange);
  const openDeliveries = (webhookId: string) => webhooks.openDeliveries(webhookId);
  const tree = owned.add(new WebhookTree({ read, onDidChange, drawing: views.drawing, openDeliveries }));
  const hover = async (node: WebhookNodeOf<'delivery'>, signal: AbortSignal): Promise<RowTooltip | undefined> => {
    try {
      const details = await webhooks.readDelivery(node.webhookId, node.deliveryId, signal);
      return deliveryHover(read(), details, views.drawing(), details);
    } catch (error) {
      if (!isApiError(error) && !isAbortError(error)) log.error("A delivery couldn't be read", error);
      return undefined;
    }
  };
  const name = webhooksView.title ?? '';
  const describe = (): void => {
    const { snapshot } = store;
    const { isOffered, webhooks: list } = webhooks.state;
    // VS Code hides the description of a collapsed view. In an open one, the rows show failures.
    const failing = webhooksView.visible ? undefined : failingText(countFailing(webhooks.state), views.drawing());
    const title = withNote(name, failing);
    if (webhooksView.title !== title) webhooksView.title = title;
    const description = ownDescription(snapshot, list.items) ?? '';
    if ((webhooksView.description ?? '') !== description) webhooksView.description = description;
    const message = (isOffered && ownMessage(snapshot, list, views.drawing())) || '';
    if ((webhooksView.message ?? '') !== message) webhooksView.message = message;
  };
  owned.add(onDidChange(owned.add(createLateRun(clock, describe)).plan));
  owned.add(webhooksView.onDidChangeVisibility(describe));
  describe();
  const onShown = (isShown: boolean) => webhooks.setShown(isShown);
  const onClosed = (webhookId: string) => webhooks.closeDeliveries(webhookId);
  const load = () => (webhooks.state.webhooks.isLoaded ? Promise.resolve() : webhooks.refresh());
  return owned.add(fillWebhookView({ view: webhooksView, tree, load, onShown, onClosed, hover, clock, log }));
}

function webhookKeysOf({ isOffered, webhooks }: WebhooksState, listening: Listening | undefined): Partial<ContextKeys> {
  return {
    lacksWebhooks: !isOffered,
    hasNoWebhooks: isOffered && webhooks.isLoaded && webhooks.items.length === 0 && !webhooks.hasNextPage,
    isListening: listening !== undefined,
  };
}
