import { t } from '@vscode/l10n';
import type { TextChange } from '../code/snippets/changes.ts';
import { findMainPlace, type OpenText, planInsertion } from '../code/snippets/insertion.ts';
import type { Place } from '../code/snippets/place.ts';
import { manifestNames, type ServerCode } from '../code/snippets/serverCode.ts';
import { tokenSigners } from '../code/snippets/tokenSigners.ts';
import { webhookHandlers } from '../code/snippets/webhookHandlers.ts';
import { Refusal } from '../texts/refusal.ts';
import { applyChanges, openEditor, pickCode } from './codeEdits.ts';
import type { CodeEditor, CommandContext } from './context.ts';
import { givenText } from './targets/commandArguments.ts';

const SERVER_LANGUAGES = ['javascript', 'typescript', 'python', 'go'];

type Code = ServerCode<string>;

/** The code to insert, and the words about it. */
interface CodeKind {
  readonly write: (place: Place, text: string, manifests: readonly string[]) => readonly Code[];
  /** The argument that names a framework or library. */
  readonly argument: string;
  readonly title: string;
  readonly placeholder: string;
  readonly noneForLanguage: string;
  readonly isInString: string;
  readonly notHere: (ids: string) => string;
  /** The user's next step. */
  readonly next: string;
}

/**
 * Inserts code that receives a webhook's events and checks their signatures, at the cursor of the active editor. Given
 * {framework}, doesn't ask for it. Returns the inserted text, with the imports that it needs.
 */
export function insertWebhookHandler(context: CommandContext, given?: unknown): Promise<string | undefined> {
  return insertServerCode(context, given, {
    write: webhookHandlers,
    argument: 'framework',
    title: t('Insert Webhook Handler'),
    placeholder: t('Select a framework'),
    noneForLanguage: t(
      "Webhook handlers aren't available for this language. Open a JavaScript, TypeScript, Python, or Go file.",
    ),
    isInString: t('The cursor is inside a string. Move it to where the handler belongs.'),
    notHere: (ids) => t("This framework isn't available here. Use one of these: {0}.", ids),
    next: t("Set LIVEPEER_WEBHOOK_SECRET to the webhook's secret"),
  });
}

/**
 * Inserts code with which a server signs tokens for viewers of private streams. Given {library}, doesn't ask for it.
 * Returns the inserted text, with the imports that it needs.
 */
export function insertTokenSigner(context: CommandContext, given?: unknown): Promise<string | undefined> {
  return insertServerCode(context, given, {
    write: tokenSigners,
    argument: 'library',
    title: t('Insert Token Signing Code'),
    placeholder: t('Select a library'),
    noneForLanguage: t(
      "Token signing code isn't available for this language. Open a JavaScript, TypeScript, Python, or Go file from your server's code.",
    ),
    isInString: t('The cursor is inside a string. Move it to where the function belongs.'),
    notHere: (ids) => t("This library isn't available here. Use one of these: {0}.", ids),
    next: t('Set LIVEPEER_PUBLIC_KEY and LIVEPEER_PRIVATE_KEY to a signing key pair'),
  });
}

async function insertServerCode(context: CommandContext, given: unknown, kind: CodeKind): Promise<string | undefined> {
  const editor = await openEditor(context, kind.title, SERVER_LANGUAGES);
  if (editor === undefined) return undefined;
  const codes = await codesFor(editor, kind);
  const code = findCode(codes, given, kind) ?? (await chooseCode(context, editor, codes, kind));
  if (code === undefined) return undefined;
  await applyChanges(editor, planCode(editor, code));
  context.ui.flash(kind.next);
  return code.text;
}

function planCode(editor: CodeEditor, { program }: Code): readonly TextChange[] {
  const { file, place } = placeIn(editor);
  return withFinalNewline(file, planInsertion(file, place, { kind: 'program', ...program }));
}

function withFinalNewline({ text }: OpenText, changes: readonly TextChange[]): readonly TextChange[] {
  const needsOne = (change: TextChange) => change.end === text.length && !change.text.endsWith('\n');
  return changes.map((change) => (needsOne(change) ? { ...change, text: `${change.text}\n` } : change));
}

/** Returns the code for the place, most likely first. Throws a Refusal if there is none. */
async function codesFor(editor: CodeEditor, kind: CodeKind): Promise<readonly Code[]> {
  const { file, place } = placeIn(editor);
  const manifests = await Promise.all(manifestNames(place.languageId).map((name) => editor.readNearest(name)));
  const known = manifests.filter((text) => text !== undefined);
  const codes = kind.write(place, file.text, known);
  if (codes.length === 0) throw new Refusal(kind.noneForLanguage);
  if (place.isInString) throw new Refusal(kind.isInString);
  return codes;
}

/** Uses only the first cursor: a second one would declare the same names. */
function placeIn(editor: CodeEditor) {
  const read = editor.read();
  const file: OpenText = { ...read, cursors: read.cursors.slice(0, 1) };
  return { file, place: findMainPlace(file) };
}

/** Returns the code that an argument names; undefined if it names none. Throws a Refusal if there is no such code. */
function findCode(codes: readonly Code[], given: unknown, { argument, notHere }: CodeKind): Code | undefined {
  const wanted = givenText(given, argument);
  if (wanted === undefined) return undefined;
  const found = codes.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  throw new Refusal(notHere(codes.map(({ id }) => id).join(', ')));
}

async function chooseCode(
  { ui }: CommandContext,
  editor: CodeEditor,
  codes: readonly Code[],
  { title, placeholder }: CodeKind,
): Promise<Code | undefined> {
  const [only, other] = codes;
  if (other === undefined) return only;
  const items = codes.map((value) => {
    return { label: value.label, description: t('{0} lines', value.text.split('\n').length), value };
  });
  const { languageId } = placeIn(editor).place;
  const plan = (code: Code) => planCode(editor, code);
  return pickCode(ui, editor, { title, languageId, placeholder, items, plan });
}
