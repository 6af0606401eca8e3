import * as vscode from 'vscode';
import type { DetailsTabs } from '../../commands/context.ts';
import { nameOf } from '../../commands/messages.ts';
import { DETAILS_VIEW, readPanelSubject } from '../../model/pages/panelState.ts';
import { type DetailsOptions, DetailsPanel, type DetailsSeams } from '../../panels/detailsPanel.ts';
import type { PanelSubject } from '../../panels/playerFinder.ts';
import { titleOfSession } from '../../panels/shownDetails.ts';
import { detailsTab } from '../../panels/tabTitles.ts';
import type { Disposable } from '../../util/disposable.ts';
import { PanelPage } from './panelPage.ts';
import { editorActs } from './playerActions.ts';
import { runOwnCommand } from './runCommand.ts';
import { createTabs } from './webviewTabs.ts';

export interface DetailsPanels extends DetailsTabs, Disposable {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export interface EditorTabsOptions extends DetailsOptions {
  readonly extensionUri: vscode.Uri;
}

export function createDetailsPanels(options: EditorTabsOptions): DetailsPanels {
  const { current, store, drawing, extensionUri, clock, log, ui } = options;
  const tabs = createTabs<PanelSubject>({
    open: (title) => vscode.window.createWebviewPanel(DETAILS_VIEW, title, vscode.ViewColumn.Active),
    make: (panel, target) => {
      const makePage: DetailsSeams['makePage'] = (events) =>
        new PanelPage({ ...events, panel, extensionUri, name: 'details', subject: target, clock, log, ui });
      return new DetailsPanel(target, {
        ...options,
        title: panel.title,
        makePage,
        acts: editorActs,
        runCommand: runOwnCommand,
      });
    },
  });
  const connection = (): string => current.info?.id ?? '';
  return {
    openStream: (stream) => {
      const target = { connection: connection(), kind: 'stream', id: stream.id } as const;
      return tabs.show(target, detailsTab(nameOf(stream)));
    },
    openSession: (session) => {
      const target = { connection: connection(), kind: 'session', id: session.id, session } as const;
      return tabs.show(target, detailsTab(titleOfSession(session, store.snapshot, drawing())));
    },
    restore: (panel, state) => tabs.restore(panel, readPanelSubject(state)),
    dispose: () => tabs.dispose(),
  };
}
