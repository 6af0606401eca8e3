import type { Ui } from '../services.ts';
import { withConnection } from '../texts/listedNames.ts';
import type { NamesConnection } from '../texts/names.ts';

export function flashDone(context: NamesConnection & { readonly ui: Ui }, done: string): void {
  context.ui.flash(withConnection(context, done));
}
