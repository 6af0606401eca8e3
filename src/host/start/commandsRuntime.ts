import * as vscode from 'vscode';
import { type BoundaryContext, runAction, runCommand, showMessage } from '../../commands/boundary.ts';
import { HANDLERS } from '../../commands/handlers.ts';
import { formsOfRows } from '../../commands/insertSnippet.ts';
import { readDocument } from '../../commands/jsonDocuments.ts';
import { reportInterruptedDownloads, runAnnounced } from '../../commands/notificationActions.ts';
import { openLink } from '../../commands/openLink.ts';
import { Downloader } from '../../model/downloads/download.ts';
import { createDownloadFiles } from '../../model/downloads/downloadFiles.ts';
import type { LinkParts } from '../../model/links.ts';
import type { AnnouncementsOptions } from '../../model/news/announcements.ts';
import type { Log } from '../../services.ts';
import { describeId } from '../../tree/knownId.ts';
import { type Disposable, makeOwning } from '../../util/disposable.ts';
import { createCodeEditor } from '../boxes/codeEditor.ts';
import { machineName } from '../boxes/localFiles.ts';
import type { DefineId, FindId } from '../code/idLinks.ts';
import type { FormsOfRows } from '../code/rowDrops.ts';
import { showKnownId } from '../code/shownId.ts';
import type { BootContext, ViewsRuntime } from './viewsRuntime.ts';

// The user's actions. None rejects because a handler failed.
interface CommandsRuntime extends Disposable {
  run(id: string, args: readonly unknown[]): Promise<unknown>;
  openLink(parts: LinkParts): Promise<unknown>;
  reportInterruptedDownloads(): Promise<void>;
  readonly announced: AnnouncementsOptions['run'];
  readonly formsOfRows: FormsOfRows;
  readonly findId: FindId;
  readonly defineId: DefineId;
}

export function startCommandsRuntime(boot: BootContext, views: ViewsRuntime): CommandsRuntime {
  return makeOwning((owned) => {
    const { clock, log, settings, store, connections, current, demo, leakSearch, where } = boot;
    const { ui, loader, player, details, drawing, checkService, transport } = views;
    const files = owned.add(createDownloadFiles({ folder: boot.downloadNotes, clock, log }));
    const downloader = owned.add(new Downloader({ transport, files, clock, log, random: Math.random }));
    const context: BoundaryContext = {
      ...{
        ui,
        log,
        clock,
        settings,
        store,
        loader,
        connections,
        current,
        demo,
        player,
        details,
        downloader,
        checkService,
        transport,
        leakSearch,
        editor: createCodeEditor(),
      },
      handlers: HANDLERS,
      isDisposed: () => owned.isDisposed,
      runCommand: (id, ...args) => runCommand(context, id, args),
      showMessage: (message) => void showMessage(context, message),
      machine: () => machineName(where),
      drawing,
      linkScheme: vscode.env.uriScheme,
    };
    return {
      run: (id, args) => runCommand(context, id, args),
      openLink: (parts) => runAction(context, { run: (next) => openLink(next, parts) }),
      reportInterruptedDownloads: async () => reportInterruptedDownloads(context, await files.clearLeft()),
      announced: (act, connection) => runAnnounced(context, act, connection),
      formsOfRows: (...dropped) => orLogged(log, formsOfRows(context, ...dropped)),
      findId: async (text) => {
        const known = describeId(store.snapshot, text, drawing());
        return known && showKnownId(known);
      },
      defineId: (shown) =>
        orLogged(
          log,
          readDocument(context, shown).then((document) => document && boot.documents.provide(document)),
        ),
      dispose: () => owned.dispose(),
    };
  });
}

/** For what the editor asks by itself, for which a message would be out of place. */
async function orLogged<T>(log: Pick<Log, 'warn'>, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    log.warn(`Nothing can be shown in the editor: ${String(error)}`);
    return undefined;
  }
}
