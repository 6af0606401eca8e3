import { t } from '@vscode/l10n';
import { isAbortError } from '../api/errors.ts';
import type { TextChange } from '../code/snippets/changes.ts';
import { readSnippetFacts, sessionSnippetFacts } from '../code/snippets/facts.ts';
import {
  lacksToken,
  type SnippetFacts,
  type SnippetForm,
  snippetForms,
  whyOnlyValues,
} from '../code/snippets/forms.ts';
import { findMainPlace, type OpenText, planInsertion } from '../code/snippets/insertion.ts';
import type { Place } from '../code/snippets/place.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import type { ViewNode } from '../model/rows/nodes.ts';
import { listNames } from '../texts/listedNames.ts';
import { Refusal } from '../texts/refusal.ts';
import { switchedConnections } from '../texts/refusals.ts';
import { isRecord } from '../util/isRecord.ts';
import { cut, joinParts } from '../util/text.ts';
import { applyChanges, openEditor, pickCode } from './codeEdits.ts';
import type { CodeEditor, CommandContext, MessageAction } from './context.ts';
import { givenRow, givenTargets } from './targets/commandArguments.ts';
import { streamNameOf } from './targets/pickSession.ts';
import { resolveSessions } from './targets/sessionTargets.ts';
import { resolveStreams } from './targets/streamTargets.ts';

/**
 * Inserts streams or sessions as code at the cursors of the active editor, in a form for its language. Doesn't ask for
 * the form if given {id, form}. Returns the inserted text, with the imports that it needs.
 */
export async function insertSnippet(context: CommandContext, ...args: readonly unknown[]): Promise<string | undefined> {
  openConnectionInfo(context);
  const rows = await readFacts(context, args);
  if (rows === undefined) return undefined;
  const editor = await openEditor(context, titleFor(rows));
  if (editor === undefined) return undefined;
  const file = editor.read();
  const place = findMainPlace(file);
  const forms = snippetForms(place, rows);
  const plan = ({ snippet }: SnippetForm) => planInsertion(editor.read(), place, snippet);
  const form = findForm(forms, args[0]) ?? (await chooseForm(context, { editor, forms, place, rows, plan }));
  if (form === undefined) return undefined;
  await applyChanges(editor, plan(form));
  const closed = rows.filter((row) => lacksToken(row, form.text));
  if (closed.length > 0) offerSigner(context, closed);
  return form.text;
}

function offerSigner({ showMessage }: CommandContext, rows: readonly SnippetFacts[]): void {
  const sentence = t(
    'Only viewers with a token can watch {0}. Have your server sign a token, and add it to the URL.',
    listNames(rows),
  );
  const insert: MessageAction = { label: t('Insert Token Signing Code'), command: 'insertTokenSigner' };
  showMessage({ severity: 'info', sentence, actions: [insert] });
}

const WRITTEN: ReadonlySet<ViewNode['kind'] | undefined> = new Set<ViewNode['kind']>([
  'stream',
  'child',
  'session',
  'recording',
]);

/** A form in which rows can be dropped, and the changes that insert it. */
interface DroppedForm {
  readonly id: string;
  readonly label: string;
  readonly changes: readonly TextChange[];
}

/** Returns a file's forms for rows; undefined without an open connection or rows. Throws as commands do. */
export async function formsOfRows(
  context: CommandContext,
  file: OpenText,
  rows: readonly unknown[],
): Promise<readonly DroppedForm[] | undefined> {
  if (context.connection.info === undefined) return undefined;
  const given = rows.filter((row) => WRITTEN.has(givenRow(row)?.kind));
  if (given.length === 0) return undefined;
  const facts = await readFacts(context, [given[0], given]);
  const place = findMainPlace(file);
  return (
    facts &&
    snippetForms(place, facts).map(({ id, label, snippet }) => {
      return { id, label, changes: planInsertion(file, place, snippet) };
    })
  );
}

/** Returns the form that an argument names; undefined if it names none. Throws a Refusal if there is no such form. */
function findForm(forms: readonly SnippetForm[], given: unknown): SnippetForm | undefined {
  const wanted = isRecord(given) && !('kind' in given) ? given.form : undefined;
  if (wanted === undefined) return undefined;
  const found = forms.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  throw new Refusal(
    t("This kind of snippet isn't available here. Use one of these: {0}.", forms.map(({ id }) => id).join(', ')),
  );
}

interface FormChoice {
  readonly editor: CodeEditor;
  readonly forms: readonly SnippetForm[];
  readonly place: Place;
  readonly rows: readonly SnippetFacts[];
  readonly plan: (form: SnippetForm) => readonly TextChange[];
}

async function chooseForm(
  { ui }: CommandContext,
  { editor, forms, place, rows, plan }: FormChoice,
): Promise<SnippetForm | undefined> {
  const items = forms.map((value) => ({ label: value.label, description: describeForm(value, rows), value }));
  return pickCode(ui, editor, {
    title: titleFor(rows),
    languageId: place.languageId,
    placeholder: describePlace(place),
    items,
    plan,
  });
}

function titleFor(rows: readonly SnippetFacts[]): string {
  return t('Insert Code Snippet for {0}', listNames(rows));
}

function describePlace(place: Place): string {
  const why = whyOnlyValues(place);
  if (why === 'string') return t('Inside a string, you can insert only a URL or an ID');
  return why === 'language' ? t('In this language, you can insert only a URL or an ID') : t('Select what to insert');
}

function describeForm({ text }: SnippetForm, rows: readonly SnippetFacts[]): string | undefined {
  const lines = text.split('\n');
  const needsToken = rows.some((row) => lacksToken(row, text));
  return joinParts(lines.length === 1 ? cut(text, 60) : t('{0} lines', lines.length), needsToken && t('needs a token'));
}

async function readFacts(
  context: CommandContext,
  args: readonly unknown[],
): Promise<readonly SnippetFacts[] | undefined> {
  const kinds = givenTargets(args).map((given) => givenRow(given)?.kind);
  const areSessions = kinds.some((kind) => kind === 'session' || kind === 'recording');
  if (areSessions) {
    const sessions = await resolveSessions(context, args, { title: t('Insert Code Snippet') });
    return sessions?.map((session) => sessionSnippetFacts(context, session, streamNameOf(context, session)));
  }
  const streams = await resolveStreams(context, args, t('Insert Code Snippet'));
  if (streams === undefined) return undefined;
  const facts: SnippetFacts[] = [];
  // One after the other: each URL may need a request to the service.
  for (const stream of streams) facts.push(await readSnippetFacts(context, stream));
  return facts;
}

/** Marks the keys of this account in all text files of the open folders. Returns how many there are. */
export async function findLeakedKeys({
  ui,
  connection,
  leakSearch,
  drawing,
  showMessage,
}: CommandContext): Promise<unknown> {
  connection.requireOpen();
  const search = await leakSearch();
  if (search === undefined) return undefined;
  if (!search.hasFolder()) throw new Refusal(t('Open a folder first.'));
  const number = (count: number) => count.toLocaleString(drawing().locale);
  const { info } = connection;
  const finding = ui.progress(t('Finding leaked keys'), (report, signal) =>
    search.findInFolders(
      (done, total) => report(t('{0} of {1} files', number(done), number(total)), (done / total) * 100),
      signal,
    ),
  );
  const found = await finding.catch((error: unknown) => {
    if (!isAbortError(error) || connection.info?.id === info?.id) throw error;
    throw switchedConnections();
  });
  const skipped = found.tooLarge === 0 ? '' : ` ${t('Files over 5 MB were skipped: {0}.', number(found.tooLarge))}`;
  if (found.leaks === 0) {
    const sentence =
      t(
        'No leaked keys found. Files searched: {0}. Only API keys of your connections, stream keys of connections that you used in this window, and private keys and tokens of the current connection are detected.',
        number(found.files),
      ) + skipped;
    showMessage({ severity: 'info', sentence, actions: [] });
    return found;
  }
  const count = found.leaks === 1 ? t('Found 1 leaked key.') : t('Found {0} leaked keys.', number(found.leaks));
  const show = { label: t('Show Problems'), run: () => search.showMarks() };
  showMessage({ severity: 'warning', sentence: count + skipped, actions: [show] });
  return found;
}
