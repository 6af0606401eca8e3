import type { Ui } from '../services.ts';
import { type NamesConnection, withConnection } from '../texts/names.ts';

export function flashDone(context: NamesConnection & { readonly ui: Ui }, done: string): void {
  context.ui.flash(withConnection(context, done));
}
