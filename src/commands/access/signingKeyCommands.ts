import { t } from '@vscode/l10n';
import { describeError, nameService } from '../../api/describeError.ts';
import { isApiError } from '../../api/errors.ts';
import type { SigningKey } from '../../api/signingKeys.ts';
import { type EnvVariable, TOKEN_VARIABLES } from '../../code/envFile.ts';
import { EnvMoveError, ignoredText } from '../../code/envMove.ts';
import { readKeyFile } from '../../model/access/keyFile.ts';
import type { FoundKey, PrivateSigningKey } from '../../model/access/privateKey.ts';
import { type AccountSigningKeys, signingKeysOf } from '../../model/account/accountSigningKeys.ts';
import { mayHaveHappened } from '../../model/account/sentOnce.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { needsToken } from '../../model/store/streams.ts';
import { noSigningKey, privateKeyFaultText, signingKeyActions, signingKeysNotOffered } from '../../texts/access.ts';
import type { OfferedAction } from '../../texts/actions.ts';
import { createSigningKeyLabel, withoutDots } from '../../texts/lateLabels.ts';
import { listNames } from '../../texts/listedNames.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { serviceOf } from '../../texts/refusals.ts';
import { formatDateTime } from '../../util/dates.ts';
import { joinParts, joinTexts } from '../../util/text.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext, EnvPlace } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenField, givenId, givenText } from '../targets/commandArguments.ts';

/**
 * Creates a signing key and keeps its private half on this computer. Takes {name}, or asks for it. Returns whether it
 * was created.
 */
export async function createSigningKey(context: CommandContext, ...args: readonly unknown[]): Promise<boolean> {
  const { id: connectionId } = openConnectionInfo(context);
  const keys = signingKeysOf(context.connection.account);
  // Without it, the private key couldn't be kept.
  const access = await context.access();
  if (access === undefined) return false;
  if (!keys.isOffered) throw signingKeysNotOffered(context.connection.info?.name);
  const name = await nameFor(context, givenText(args[0], 'name'));
  if (name === undefined) return false;
  const created = await keys.create(name).catch(async (error: unknown) => {
    throw await failureToCreate(context, error);
  });
  const found = access.findKey(created, [created.key]);
  if (!found.ok) throw new Refusal(privateKeyFaultText(found.fault), { isOfConnection: true, severity: 'error' });
  await access.keep(connectionId, found.key);
  const sentence = t(
    'The signing key "{0}" was created. Its private key is stored on this computer, and the service won\'t show it again.',
    nameOf(created.key),
  );
  // Without a folder, there is no .env file.
  const canSave = (await context.leakSearch())?.hasFolder() === true;
  const save = { label: t('Save Private Key to .env'), command: 'savePrivateKey', args: [found.key.id] } as const;
  context.showMessage({ severity: 'info', sentence, actions: canSave ? [save] : [] });
  return true;
}

/** Whether the account has no signing key; also false if that can't be read. */
export async function lacksSigningKey({ connection }: CommandContext): Promise<boolean> {
  const keys = signingKeysOf(connection.account);
  const listed = keys.isOffered ? await keys.list().catch(() => undefined) : undefined;
  return listed?.length === 0;
}

async function nameFor({ ui }: CommandContext, given: string | undefined): Promise<string | undefined> {
  const problem = given === undefined ? undefined : sentenceOfName(given);
  if (problem !== undefined) throw new Refusal(problem);
  return (given ?? (await ui.input({ title: withoutDots(createSigningKeyLabel()), ...signingKeyNameBox() })))?.trim();
}

export function signingKeyNameBox() {
  return { prompt: t('Enter a name for the signing key'), value: 'VS Code', validate: sentenceOfName };
}

/** About as many keys as the public service allows, which doesn't report a number (src/api/README.md, Access). */
const MANY_KEYS = 10;

async function failureToCreate(context: CommandContext, error: unknown): Promise<unknown> {
  const { connection } = context;
  if (isApiError(error, 'notOffered')) return signingKeysNotOffered(connection.info?.name);
  if (!isApiError(error)) return error;
  if (error.reason === 'forbidden') return (await tooManyKeys(context)) ?? error;
  if (!mayHaveHappened(error)) return error;
  const sentence = describeError(error, { service: serviceOf(context, error) });
  return new Refusal(
    t('{0} A signing key may still have been created. If so, delete it, because its private key is lost.', sentence),
    {
      isOfConnection: true,
      severity: 'error',
      actions: [deleteKeyAction()],
    },
  );
}

/** Returns undefined if the account doesn't have that many, or if the keys can't be read. */
async function tooManyKeys({ connection }: CommandContext): Promise<Refusal | undefined> {
  const listed = await signingKeysOf(connection.account)
    .list()
    .catch((error: unknown) => {
      if (!isApiError(error)) throw error;
    });
  if (listed === undefined || listed.length < MANY_KEYS) return undefined;
  return new Refusal(
    nameService(connection.info?.name, (service) =>
      t(
        "Your account has {0} signing keys, and {1} doesn't allow more. Delete one that you no longer use.",
        listed.length,
        service,
      ),
    ),
    { isOfConnection: true, actions: [deleteKeyAction()] },
  );
}

function deleteKeyAction(): OfferedAction {
  return { label: t('Delete Signing Key…'), command: 'deleteSigningKey' };
}

/**
 * Keeps the private half of a signing key on this computer. Takes {privateKey, publicKey?}, or asks whether to paste it
 * or to read a file.
 */
export async function useSigningKey(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const keys = signingKeysOf(context.connection.account);
  const access = await context.access();
  if (access === undefined) return;
  const listed = await listKeys(context, keys);
  const privateKey = givenText(args[0], 'privateKey');
  const find = (text: string): FoundKey =>
    access.findKey({ privateKey: text, publicKey: givenText(args[0], 'publicKey') }, listed);
  const text = privateKey ?? (await askForKey(context, find));
  if (text === undefined) return;
  const found = find(text);
  if (!found.ok) throw new Refusal(privateKeyFaultText(found.fault), { isOfConnection: true });
  await access.keep(connectionId, found.key);
  flashDone(context, t('The signing key "{0}" is now used to play private streams', nameOf(found.key)));
}

async function askForKey(context: CommandContext, find: (text: string) => FoundKey): Promise<string | undefined> {
  const { ui } = context;
  const title = withoutDots(t('Import Signing Key…'));
  const how = await ui.pick({
    title,
    placeholder: t('Select how to provide the private key'),
    items: [
      { label: t('Paste Private Key…'), icon: 'clippy', value: 'paste' },
      { label: t('Open File…'), icon: 'file', value: 'file' },
    ],
  });
  if (how === undefined) return undefined;
  if (how === 'file') return chooseKeyFile(context, title);
  return ui.input({
    title,
    prompt: t("Paste the private key of a signing key. It's stored on this computer."),
    placeholder: '-----BEGIN PRIVATE KEY-----',
    isPassword: true,
    validate: (text) => {
      const found = find(text);
      return found.ok ? undefined : privateKeyFaultText(found.fault);
    },
  });
}

/** Throws a Refusal if the file can't be read. */
async function chooseKeyFile({ ui }: CommandContext, title: string): Promise<string | undefined> {
  const filters = { [t('Key')]: ['pem', 'key', 'txt', '*'] };
  const path = await ui.chooseFile({ title, act: t('Select'), filters });
  if (path === undefined) return undefined;
  const text = await readKeyFile(path);
  if (text === undefined) throw new Refusal(t("Couldn't read the file. It may be too large for a private key."));
  return text;
}

/**
 * Saves both halves of a signing key on this computer to an .env file, in the variables that token signers use. Takes
 * an ID or {id}, or asks if there are several.
 */
export async function savePrivateKey(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const [access, search] = [await context.access(), await context.leakSearch()];
  if (access === undefined || search === undefined) return;
  if (!search.hasFolder()) throw new Refusal(t('Open a folder first.'));
  const key = await resolveKeptKey(context, args[0], await access.keysOf(connectionId));
  if (key === undefined) return;
  const place = await pickEnvPlace(context, search.envPlaces());
  if (place === undefined) return;
  const written = await place.save(variablesOf(key)).catch((error: unknown) => {
    throw error instanceof EnvMoveError ? new Refusal(error.message, { severity: 'error' }) : error;
  });
  const { shownPath, open } = written;
  const [publicName = '', privateName = ''] = written.names;
  const saved = t(
    'Saved the signing key "{0}" in {1} as {2} and {3}. Make sure that your server loads {1}.',
    nameOf(key),
    shownPath,
    publicName,
    privateName,
  );
  context.showMessage({
    severity: 'info',
    sentence: joinTexts(saved, ignoredText(written)),
    actions: [{ label: t('Open .env'), run: open }],
  });
}

/** Returns both halves as a PEM in Base64, as the service sends them. */
function variablesOf({ publicKey, privateKey }: PrivateSigningKey): readonly EnvVariable[] {
  return [
    { name: TOKEN_VARIABLES.publicKey, value: publicKey },
    { name: TOKEN_VARIABLES.privateKey, value: btoa(privateKey) },
  ];
}

/** Throws a Refusal if the key isn't on this computer, or if there are none. */
async function resolveKeptKey(
  { ui }: CommandContext,
  given: unknown,
  kept: readonly PrivateSigningKey[],
): Promise<PrivateSigningKey | undefined> {
  const [only, ...others] = kept;
  if (only === undefined) throw noSigningKey();
  if (hasGivenId(given)) {
    const id = givenId(given);
    const found = kept.find((key) => key.id === id);
    if (found === undefined) throw new Refusal(t("The private key of this signing key isn't on this computer."));
    return found;
  }
  if (others.length === 0) return only;
  return ui.pick({
    title: t('Save Private Key to .env'),
    placeholder: t('Select a signing key'),
    items: kept.map((key) => ({ label: nameOf(key), icon: 'key', value: key })),
  });
}

/** Throws a Refusal if there is none. */
async function pickEnvPlace({ ui }: CommandContext, places: readonly EnvPlace[]): Promise<EnvPlace | undefined> {
  const [only, ...others] = places;
  if (only === undefined) throw new Refusal(t("Couldn't write to {0}. The key wasn't saved.", '.env'));
  if (others.length === 0) return only;
  return ui.pick({
    title: t('Save Private Key to .env'),
    placeholder: t('Select a folder'),
    items: places.map((place) => ({ label: place.folder, icon: 'folder', value: place })),
  });
}

/** Deletes a signing key after a modal confirmation. Takes an ID or {id}, or shows a picker. */
export async function deleteSigningKey(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const keys = signingKeysOf(context.connection.account);
  const access = await context.access();
  if (access === undefined) return;
  const kept = new Set((await access.keysOf(connectionId)).map(({ id }) => id));
  const key = await resolveKey(context, { keys, given: args[0], kept });
  if (key === undefined) return;
  const name = nameOf(key);
  const isConfirmed = await context.ui.confirm({
    message: t('Delete the signing key "{0}"?', name),
    detail: whatStops(context, kept.has(key.id)).join('\n'),
    act: t('Delete'),
  });
  if (!isConfirmed) return;
  await keys.delete(key.id);
  await access.forget(connectionId, key.id);
  flashDone(context, t('Deleted the signing key "{0}"', name));
}

function whatStops({ store }: CommandContext, isHere: boolean): readonly string[] {
  const streams = [...store.snapshot.streams.values()].map(({ stream }) => stream);
  const shut = streams.filter(needsToken);
  return [
    t('Tokens signed with it will stop working, including those that your servers sign.'),
    ...(isHere ? [t('Its private key will be deleted from this computer.')] : []),
    ...(shut.length === 0 ? [] : [t('Streams that need a token: {0}.', listNames(shut))]),
    t("You can't undo this."),
  ];
}

/** Throws a Refusal if it's gone, or if there are none. */
async function resolveKey(
  context: CommandContext,
  {
    keys,
    given,
    kept,
  }: { readonly keys: AccountSigningKeys; readonly given: unknown; readonly kept: ReadonlySet<string> },
): Promise<SigningKey | undefined> {
  const id = hasGivenId(given) ? givenId(given) : undefined;
  const listed = await listKeys(context, keys);
  const found = listed.find((key) => key.id === id);
  if (found !== undefined) return found;
  if (id !== undefined) throw new Refusal(t('This signing key no longer exists.'));
  if (listed.length === 0)
    throw new Refusal(t('There are no signing keys yet.'), {
      severity: 'info',
      actions: signingKeyActions().slice(0, 1),
    });
  const { ui, drawing } = context;
  return ui.pick({
    title: withoutDots(t('Delete Signing Key…')),
    placeholder: t('Select a signing key'),
    items: listed.map((key) => ({
      label: nameOf(key),
      description: joinParts(kept.has(key.id) && t('on this computer'), formatDateTime(key.createdAt, drawing())),
      icon: 'key',
      value: key,
    })),
  });
}

function hasGivenId(given: unknown): boolean {
  return typeof given === 'string' || givenField(given, 'id') !== undefined;
}

/** Throws a Refusal if the service has no signing keys, and ApiError. */
async function listKeys(context: CommandContext, keys: AccountSigningKeys): Promise<readonly SigningKey[]> {
  if (!keys.isOffered) throw signingKeysNotOffered(context.connection.info?.name);
  try {
    return await keys.list();
  } catch (error) {
    throw isApiError(error, 'notOffered') ? signingKeysNotOffered(context.connection.info?.name) : error;
  }
}

/** Deletes the private keys of a connection that is being removed. Logs a failure instead of throwing. */
export async function forgetSigningKeys({ access, log }: CommandContext, connectionId: string): Promise<void> {
  try {
    await (await access())?.forgetAll(connectionId);
  } catch (error) {
    log.error("The signing keys of a removed connection couldn't be deleted", error);
  }
}
