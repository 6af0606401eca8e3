import * as vscode from 'vscode';
import { runCommand } from '../../commands/boundary.ts';
import type { CommandContext } from '../../commands/context.ts';
import { reportInterruptedDownloads, runAnnounced } from '../../commands/notificationActions.ts';
import { openLink } from '../../commands/openLink.ts';
import { runById } from '../../commands/runById.ts';
import { Downloader } from '../../model/downloads/download.ts';
import { createDownloadFiles } from '../../model/downloads/downloadFiles.ts';
import type { LinkParts } from '../../model/links.ts';
import type { AnnouncementsOptions } from '../../model/news/announcements.ts';
import { type Disposable, makeOwning } from '../../util/disposable.ts';
import { machineName } from '../boxes/localFiles.ts';
import type { BootContext, ViewsRuntime } from './viewsRuntime.ts';

// The user's actions. None rejects because a handler failed.
interface CommandsRuntime extends Disposable {
  run(id: string, args: readonly unknown[]): Promise<unknown>;
  openLink(parts: LinkParts): Promise<unknown>;
  reportInterruptedDownloads(): Promise<void>;
  readonly announced: AnnouncementsOptions['run'];
}

export function startCommandsRuntime(boot: BootContext, views: ViewsRuntime): CommandsRuntime {
  return makeOwning((owned) => {
    const { clock, log, settings, store, connections, current, demo, where } = boot;
    const { ui, loader, player, details, drawing, checkService, transport } = views;
    const files = owned.add(createDownloadFiles({ folder: boot.downloadNotes, clock, log }));
    const downloader = owned.add(new Downloader({ transport, files, clock, log, random: Math.random }));
    const context: CommandContext = {
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
      },
      runCommand: (id, ...args) => runById(context, id, { args }),
      machine: () => machineName(where),
      drawing,
      linkScheme: vscode.env.uriScheme,
    };
    return {
      run: (id, args) => runById(context, id, { args, isWanted: () => !owned.isDisposed }),
      openLink: (parts) => runCommand(context, (next) => openLink(next, parts)),
      reportInterruptedDownloads: async () => reportInterruptedDownloads(context, await files.clearLeft()),
      announced: (act, connection) => runAnnounced(context, act, connection),
      dispose: () => owned.dispose(),
    };
  });
}
