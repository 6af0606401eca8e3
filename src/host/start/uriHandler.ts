import * as vscode from 'vscode';
import type { LinkParts } from '../../model/links.ts';
import type { Disposable } from '../../util/disposable.ts';

export function readLinkScheme(): string {
  return vscode.env.uriScheme;
}

/** Passes on links to this extension, after VS Code has asked for confirmation. `open` must not throw. */
export function registerLinks(open: (parts: LinkParts) => unknown): Disposable {
  return vscode.window.registerUriHandler({
    handleUri({ authority, path, query }) {
      open({ authority, path, query });
    },
  });
}
