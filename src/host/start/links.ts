import * as vscode from 'vscode';
import type { LinkParts } from '../../model/links.ts';
import type { Disposable } from '../../util/disposable.ts';

/** The scheme of addresses that this editor opens by itself, such as `vscode`. */
export function readLinkScheme(): string {
  return vscode.env.uriScheme;
}

/** Hands over the links that are opened for this extension; the editor has asked the person before. `open` must not throw. */
export function registerLinks(open: (parts: LinkParts) => unknown): Disposable {
  return vscode.window.registerUriHandler({
    handleUri({ authority, path, query }) {
      open({ authority, path, query });
    },
  });
}
