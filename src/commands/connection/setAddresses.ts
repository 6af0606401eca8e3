import { t } from '@vscode/l10n';
import { isApiError } from '../../api/errors.ts';
import type { Account } from '../../model/account/account.ts';
import type { SaidTemplates } from '../../model/account/serviceAddresses.ts';
import { addressesFor } from '../../model/addresses.ts';
import {
  exampleTemplate,
  guessTemplate,
  isOfService,
  type ParsedTemplate,
  parseTemplate,
  type StreamingPurpose,
  type TemplateContext,
} from '../../model/addressTemplates.ts';
import { parseBaseUrl } from '../../model/connection/baseUrl.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { publicAddress } from '../../model/filledAddresses.ts';
import { type LocateProblem, locateMedia } from '../../model/playback/locateMedia.ts';
import { liveStreams } from '../../model/store/streams.ts';
import type { InputOptions, Log } from '../../services.ts';
import { retryLabel } from '../../texts/labels.ts';
import { openSettingsLabel } from '../../texts/lateLabels.ts';
import { quotedName } from '../../texts/listedNames.ts';
import { Refusal } from '../../texts/refusal.ts';
import { BACK, inputOrBack } from '../boxSteps.ts';
import type { CommandContext, MessageAction, RecoveryAction } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';

/** How long the second box waits for the service's response. The request was sent before the first box. */
const FOUND_WITHIN_MS = 1000;

/** The service whose URLs are set: that of the open connection, unless another was given. */
interface Service extends TemplateContext {
  readonly host: string;
  /** The account of the open connection, if that is to this service. */
  readonly account: Account | undefined;
}

interface Templates {
  /** Empty if the service has none. */
  readonly rtmp: string;
  readonly hls: string;
}

type Tested = { readonly kind: 'plays' | 'untested' } | { readonly kind: 'fails'; readonly sentence: string };

/**
 * Sets the URLs where a service ingests and plays streams. Takes {rtmp, hls} and prompts for what is missing; {baseUrl}
 * names a service other than that of the open connection. Not needed if the service reports its own. Asks for
 * confirmation before a host other than the service's receives keys. Tests a typed HLS URL with a live stream.
 */
export async function setAddresses(context: CommandContext, argument?: unknown): Promise<void> {
  const service = await serviceOf(context, givenText(argument, 'baseUrl'));
  const [rtmp, hls] = [givenText(argument, 'rtmp'), givenText(argument, 'hls')];
  if (rtmp !== undefined && hls !== undefined) {
    const given = {
      rtmp: checked(parseTemplate('rtmp', rtmp, service)),
      hls: checked(parseTemplate('hls', hls, service)),
    };
    if (await acceptOtherHosts(context, service, given)) await save(context, service, given);
  } else {
    const known = addressesFor(service.baseUrl, context.settings.addresses(), context.demo.running);
    if (await saysOwn(context, service)) throw notNeeded(service);
    await promptAndSave(context, service, { rtmp: rtmp ?? known.rtmp, hls: hls ?? known.hls });
  }
}

/** Whether the service reports both where it ingests streams and where it plays them. */
async function saysOwn({ log }: CommandContext, { account }: Service): Promise<boolean> {
  if (account === undefined) return false;
  const { rtmp, hls } = await readSaid(account, log);
  return rtmp !== undefined && hls !== undefined;
}

async function readSaid(account: Account, log: Log): Promise<SaidTemplates> {
  try {
    return await account.readTemplates();
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.info(`The service's own URLs couldn't be read (${error.reason})`);
    return {};
  }
}

function notNeeded({ host }: Service): Refusal {
  return new Refusal(
    t('{0} provides its own streaming URLs. To override them, change the liveStreams.addresses setting.', host),
    {
      severity: 'info',
      actions: [{ label: openSettingsLabel(), setting: 'liveStreams.addresses' }],
    },
  );
}

async function promptAndSave(
  context: CommandContext,
  service: Service,
  typed: { readonly [Purpose in StreamingPurpose]?: string | undefined },
): Promise<void> {
  const { baseUrl } = service;
  const found = typed.hls === undefined ? hlsTemplateOfStream(context, service) : Promise.resolve(typed.hls);
  const hls = async () => (await soonOrNot(context, found)) ?? guessTemplate('hls', baseUrl);
  const templates = await promptForBoth(context, service, { rtmp: typed.rtmp ?? guessTemplate('rtmp', baseUrl), hls });
  if (templates === undefined) return;
  const tested = await testPlayback(context, service, templates.hls);
  if (tested.kind === 'fails') await offerToSave(context, service, { templates, problem: tested.sentence });
  else await save(context, service, { ...templates, isUntested: tested.kind === 'untested' });
}

async function soonOrNot<T>({ clock }: CommandContext, found: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.setTimeout(() => late.resolve(undefined), FOUND_WITHIN_MS);
  return Promise.race([found, late.promise]).finally(() => timer.dispose());
}

async function serviceOf(context: CommandContext, given: string | undefined): Promise<Service> {
  const baseUrl = given === undefined ? openConnectionInfo(context).baseUrl : baseUrlIn(given);
  const isOpen = isOpenAt(context, { baseUrl });
  if (isOpen && context.connection.info?.isDemo === true)
    throw new Refusal(t("You can't change the demo's URLs."), { severity: 'info' });
  const account = isOpen && context.connection.isOpen ? context.connection.account : undefined;
  const streams = isOpen ? [...context.store.snapshot.streams.values()].map(({ stream }) => stream) : [];
  const all = await context.connections.list();
  return { baseUrl, host: new URL(baseUrl).host, account, streams, others: all.map((each) => each.baseUrl) };
}

function isOpenAt({ connection }: CommandContext, { baseUrl }: { readonly baseUrl: string }): boolean {
  return connection.info !== undefined && new URL(connection.info.baseUrl).origin === new URL(baseUrl).origin;
}

function baseUrlIn(given: string): string {
  const parsed = parseBaseUrl(given);
  if (!parsed.ok) throw new Refusal(parsed.sentence);
  return parsed.url;
}

/** Some services report where each stream plays. Doesn't throw. */
async function hlsTemplateOfStream(context: CommandContext, service: Service): Promise<string | undefined> {
  const stream = service.streams.find(({ playbackId }) => playbackId !== undefined);
  if (stream?.playbackId === undefined) return undefined;
  try {
    const url = await service.account?.readHlsUrl(stream.playbackId);
    const parsed = url === undefined ? undefined : parseTemplate('hls', url, service);
    return parsed?.ok ? parsed.template : undefined;
  } catch (error) {
    context.log.info(`The HLS URL of a stream wasn't found (${isApiError(error) ? error.reason : String(error)})`);
    return undefined;
  }
}

async function promptForBoth(
  context: CommandContext,
  service: Service,
  suggested: { readonly rtmp: string; readonly hls: () => Promise<string> },
): Promise<Templates | undefined> {
  let { rtmp } = suggested;
  let hls: string | undefined;
  for (;;) {
    const first = await context.ui.input(boxFor(context, 'rtmp', { service, value: rtmp }));
    if (first === undefined) return undefined;
    rtmp = checked(parseTemplate('rtmp', first, service));
    hls ??= await suggested.hls();
    const second = await inputOrBack(context.ui, boxFor(context, 'hls', { service, value: hls }), (text) => {
      hls = text;
    });
    if (second === undefined) return undefined;
    if (second === BACK) continue;
    hls = checked(parseTemplate('hls', second, service));
    if (await acceptOtherHosts(context, service, { rtmp, hls })) return { rtmp, hls };
  }
}

function boxFor(
  { ui }: CommandContext,
  purpose: StreamingPurpose,
  { service, value }: { readonly service: Service; readonly value: string },
): InputOptions {
  return {
    title: t('Set Streaming URLs for {0}', service.host),
    prompt:
      purpose === 'rtmp'
        ? t("Enter the RTMP URL for encoders, including {0}, or clear the box if there isn't one", '{streamKey}')
        : t("Enter the HLS URL for players, including {0}, or clear the box if there isn't one", '{playbackId}'),
    placeholder: exampleTemplate(purpose),
    value,
    step: { current: purpose === 'rtmp' ? 1 : 2, total: 2 },
    buttons: [
      {
        icon: 'settings-gear',
        tooltip: t('Show All URLs in Settings'),
        run: () => void ui.openSettings('liveStreams.addresses'),
      },
    ],
    validate: (text) => {
      const parsed = parseTemplate(purpose, text, service);
      return parsed.ok ? undefined : parsed.sentence;
    },
  };
}

/** Keys and playback IDs go to these hosts, so the user confirms one that isn't the service's. */
async function acceptOtherHosts(
  { ui }: CommandContext,
  { baseUrl, host }: Service,
  typed: Templates,
): Promise<boolean> {
  const isOther = (template: string) => template !== '' && !isOfService(template, baseUrl);
  const others = [typed.rtmp, typed.hls].filter(isOther);
  if (others.length === 0) return true;
  const hosts = [...new Set(others.map((template) => new URL(template).host))];
  return ui.confirm({
    message: t('Use URLs on {0} for streams from {1}?', hosts.join(', '), host),
    detail: isOther(typed.rtmp)
      ? t("The RTMP URL isn't on the service's host. Encoders send stream keys to it, so make sure that you trust it.")
      : t("The HLS URL isn't on the service's host. Players load your streams from it."),
    act: t('Use URL'),
  });
}

/** Loads the playlist of a live stream, if there is one. */
async function testPlayback(context: CommandContext, service: Service, hls: string): Promise<Tested> {
  if (hls === '' || !isOpenAt(context, service)) return { kind: 'untested' };
  const { ui, store, loader, transport } = context;
  return ui.progress(t('Testing the HLS URL'), async (_, signal) => {
    if (!store.snapshot.lists.active.isLoaded) await loader.refreshActive();
    const live = liveStreams(store.snapshot).find(({ stream }) => stream.playbackId !== undefined)?.stream;
    const url = live && publicAddress(hls, live);
    if (live === undefined || url === undefined) return { kind: 'untested' };
    const located = await locateMedia({ url, kind: 'hls', isOwn: true, connection: service, transport, signal });
    if (located.ok) return { kind: 'plays' };
    return {
      kind: 'fails',
      sentence: t("Couldn't play {0} with this URL. {1}", quotedName(live), reasonOf(located.problem)),
    };
  });
}

function reasonOf(problem: LocateProblem): string {
  switch (problem.kind) {
    case 'status':
      return t('{0} responded with {1}.', problem.host, problem.status);
    case 'htmlPlaylist':
    case 'htmlMedia':
      return t('The URL points to a web page, not a playlist.');
    case 'emptyPlaylist':
      return t('The playlist is empty.');
    case 'malformedPlaylist':
    case 'endlessPlaylist':
      return t("The URL doesn't point to a playlist.");
    case 'foreignScheme':
      return t('The playlist points to a URL that starts with "{0}:", which isn\'t supported.', problem.scheme);
    case 'tooManyRedirects':
      return t('Too many redirects.');
    case 'refusedAddress':
    case 'unreachable':
      return problem.sentence;
    default:
      return problem satisfies never;
  }
}

/** Nothing typed is lost: a dismissed picker becomes a message with the same choices. */
async function offerToSave(
  context: CommandContext,
  service: Service,
  { templates, problem }: { readonly templates: Templates; readonly problem: string },
): Promise<void> {
  const ways: readonly RecoveryAction<CommandContext>[] = [
    { label: t('Change URLs…'), run: (next) => promptAndSave(next, service, templates) },
    { label: t('Save Anyway'), run: (next) => save(next, service, templates) },
  ];
  const title = t('Set Streaming URLs for {0}', service.host);
  const items = ways.map((way) => ({ label: way.label, value: way }));
  const picked = await context.ui.pick({ title, placeholder: problem, items });
  if (picked === undefined) throw new Refusal(problem, { actions: ways });
  await picked.run(context);
}

async function save(
  context: CommandContext,
  service: Service,
  { rtmp, hls, isUntested = false }: Templates & { readonly isUntested?: boolean },
): Promise<void> {
  try {
    await context.settings.writeAddresses(new URL(service.baseUrl).origin, {
      rtmp: rtmp || undefined,
      hls: hls || undefined,
    });
  } catch (error) {
    context.log.error("The streaming URLs couldn't be saved", error);
    const args = [{ baseUrl: service.baseUrl, rtmp, hls }];
    const again: MessageAction = { label: retryLabel(), command: 'setAddresses', args };
    const sentence = t("Couldn't save the URLs. Check your settings file for errors, and then try again.");
    throw new Refusal(sentence, { severity: 'error', actions: [again] });
  }
  context.ui.flash(
    isUntested && hls !== ''
      ? t('Saved the streaming URLs for {0}. To test the HLS URL, watch a live stream.', service.host)
      : t('Saved the streaming URLs for {0}', service.host),
  );
}

function checked(parsed: ParsedTemplate): string {
  if (!parsed.ok) throw new Refusal(parsed.sentence);
  return parsed.template;
}
