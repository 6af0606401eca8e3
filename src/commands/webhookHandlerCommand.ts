import { t } from '@vscode/l10n';
import { findMainPlace, type OpenText, planInsertion } from '../code/snippets/insertion.ts';
import { manifestNames, type WebhookHandler, webhookHandlers } from '../code/snippets/webhookHandlers.ts';
import { Refusal } from '../texts/refusal.ts';
import { isRecord } from '../util/isRecord.ts';
import { applyChanges, openEditor, pickCode } from './codeEdits.ts';
import type { CodeEditor, CommandContext } from './context.ts';

/**
 * Inserts code that receives the events of a webhook, and checks their signature, at the cursor of the active editor.
 * Given {framework}, doesn't ask for it. Returns the inserted text, with what it needs to import.
 */
export async function insertWebhookHandler(
  context: Pick<CommandContext, 'editor' | 'ui'>,
  given?: unknown,
): Promise<string | undefined> {
  const editor = openEditor(context);
  const handlers = await handlersFor(editor);
  const handler = findHandler(handlers, given) ?? (await chooseHandler(context, editor, handlers));
  if (handler === undefined) return undefined;
  const { file, place } = placeIn(editor);
  await applyChanges(editor, planInsertion(file, place, { kind: 'program', ...handler.program }));
  return handler.text;
}

/** The likeliest first. Throws a Refusal if there is none for the place. */
async function handlersFor(editor: CodeEditor): Promise<readonly WebhookHandler[]> {
  const { file, place } = placeIn(editor);
  const manifests = await Promise.all(manifestNames(place.languageId).map((name) => editor.readNearest(name)));
  const known = manifests.filter((text) => text !== undefined);
  const handlers = webhookHandlers(place, file.text, known);
  if (handlers.length === 0) {
    throw new Refusal(
      t('There is no webhook handler for this language. Open a JavaScript, TypeScript, Python, or Go file.'),
    );
  }
  if (place.isInString) throw new Refusal(t('The cursor is inside a string. Move it to where the handler belongs.'));
  return handlers;
}

/** At the first cursor only: a second handler would declare the same names. */
function placeIn(editor: CodeEditor) {
  const read = editor.read();
  const file: OpenText = { ...read, cursors: read.cursors.slice(0, 1) };
  return { file, place: findMainPlace(file) };
}

/** Returns the handler that an argument names; undefined if it names none. Throws a Refusal if that isn't there. */
function findHandler(handlers: readonly WebhookHandler[], given: unknown): WebhookHandler | undefined {
  const wanted = isRecord(given) ? given.framework : undefined;
  if (wanted === undefined) return undefined;
  const found = handlers.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  const ids = handlers.map(({ id }) => id).join(', ');
  throw new Refusal(t("This framework isn't available here. Use one of these: {0}.", ids));
}

async function chooseHandler(
  { ui }: Pick<CommandContext, 'ui'>,
  editor: CodeEditor,
  handlers: readonly WebhookHandler[],
): Promise<WebhookHandler | undefined> {
  const [only, other] = handlers;
  if (other === undefined) return only;
  const items = handlers.map((value) => {
    return { label: value.label, description: t('{0} lines', value.text.split('\n').length), value };
  });
  return pickCode(ui, editor, { title: t('Insert Webhook Handler'), placeholder: t('Select a framework'), items });
}
