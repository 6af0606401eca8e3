import { t } from '@vscode/l10n';
import type { MultistreamTarget, NewTarget } from '../../api/multistream.ts';
import type { Stream } from '../../api/types.ts';
import {
  checkTargetServer,
  checkTargetUrl,
  faultOfServerKey,
  faultOfTargetKey,
  isSrt,
  joinTargetUrl,
  SOURCE_PROFILE,
  splitTargetUrl,
  type TargetService,
  targetProfiles,
  targetUrlOf,
} from '../../model/multistream/targetUrl.ts';
import type { InputOptions, PickItem, Ui } from '../../services.ts';
import {
  profileName,
  TARGET_SERVICES,
  targetKeyFaultText,
  targetServerFaultText,
  targetUrlFaultText,
} from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { type Asked, askInSteps, askPick, askText, BACK, type StepBox, type Steps } from '../boxSteps.ts';
import { findSameName, sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';

const SERVICES = Object.entries(TARGET_SERVICES) as readonly [TargetService, string][];

/** What is entered in the boxes. Going back keeps it, in memory alone. */
export interface TargetDraft {
  /** 'none' if the target is to be removed. */
  service?: TargetService | 'other' | 'none';
  /** The URL of another server. */
  server?: string;
  key?: string | undefined;
  profile?: string | undefined;
  name: string;
  /** The name that was proposed last, which follows the service. */
  proposed?: string;
}

type Part = 'service' | 'server' | 'key' | 'profile' | 'name';

interface Asking {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly profiles: Stream['profiles'];
  /** The other targets of the stream. */
  readonly others: readonly MultistreamTarget[];
}

/**
 * Returns the target that a command was given, and asks for what is missing; undefined if a box was dismissed. The key is
 * asked for in a password box, and kept nowhere. Throws a Refusal for what can't be a target.
 */
export async function askForTarget(
  context: CommandContext,
  given: unknown,
  stream: Stream,
): Promise<NewTarget | undefined> {
  const { profiles } = stream;
  const asked = { name: givenName(given), url: givenUrl(given), profile: givenProfile(given, profiles) };
  const isComplete = asked.name !== undefined && asked.url !== undefined;
  const hasProfile = asked.profile !== undefined || isComplete || targetProfiles(profiles).length === 1;
  const entered = await ask(
    context,
    { name: asked.name ?? '' },
    {
      title: addTargetTitle(),
      parts: missingParts(asked, hasProfile),
      profiles,
      others: targetsOfStream(context, stream),
    },
  );
  if (entered === undefined) return undefined;
  const { name, profile = SOURCE_PROFILE } = entered;
  return { name, url: asked.url ?? placeOf(entered).url, profile: asked.profile ?? profile };
}

interface DraftBoxes extends Omit<Boxes, 'parts' | 'others'> {
  readonly profiles: Stream['profiles'];
}

/** Asks for all of a target whose stream has no other. What is entered is kept in the draft. */
export function askForDraft({ ui }: CommandContext, draft: TargetDraft, boxes: DraftBoxes): Promise<Asked> {
  const parts = missingParts({ name: undefined, url: undefined }, targetProfiles(boxes.profiles).length === 1);
  return askParts(ui, draft, { ...boxes, parts, others: [] });
}

/** Returns the target of a draft whose boxes were all answered. */
export function targetOf(draft: TargetDraft): NewTarget {
  return { name: draft.name.trim(), url: placeOf(draft).url, profile: draft.profile ?? SOURCE_PROFILE };
}

/** Like `askForTarget`, of a target that is to be changed: its URL, which nobody can read back, is asked for anew. */
export async function askForNewPlace(
  context: CommandContext,
  given: unknown,
  { stream, target }: { readonly stream: Stream; readonly target: MultistreamTarget },
): Promise<Place | undefined> {
  const url = givenUrl(given);
  const name = givenName(given) ?? (url === undefined ? undefined : target.name);
  const entered = await ask(
    context,
    { name: name ?? target.name },
    {
      title: changeTargetTitle(),
      parts: missingParts({ name, url }, true),
      profiles: [],
      others: targetsOfStream(context, stream).filter(({ id }) => id !== target.id),
    },
  );
  return entered && { name: entered.name, url: url ?? placeOf(entered).url };
}

/** Where broadcasts are sent, and how that is called if nobody says otherwise. */
interface Place {
  readonly url: string;
  readonly name: string;
}

export function targetLabel(): string {
  return t('Multistream Target');
}

export function addTargetTitle(): string {
  return t('Add Multistream Target');
}

export function changeTargetTitle(): string {
  return t('Change Multistream Target');
}

function givenName(given: unknown): string | undefined {
  const name = givenText(given, 'name');
  const problem = name === undefined ? undefined : sentenceOfName(name);
  if (problem !== undefined) throw new Refusal(problem);
  return name;
}

function givenUrl(given: unknown): string | undefined {
  const text = givenText(given, 'url');
  if (text === undefined) return undefined;
  const checked = checkTargetUrl(text);
  if (!checked.ok) throw new Refusal(targetUrlFaultText(checked.fault));
  return checked.url;
}

function givenProfile(given: unknown, profiles: Stream['profiles']): string | undefined {
  const profile = givenText(given, 'profile');
  if (profile === undefined) return undefined;
  const known = targetProfiles(profiles);
  if (known.includes(profile)) return profile;
  throw new Refusal(t('The stream has no rendition "{0}". It has: {1}.', profileName(profile), known.join(', ')));
}

function missingParts(
  { name, url }: { readonly name: string | undefined; readonly url: string | undefined },
  hasProfile: boolean,
): readonly Part[] {
  const ofPlace: readonly Part[] = url === undefined ? ['service', 'server', 'key'] : [];
  return [...ofPlace, ...(hasProfile ? [] : ['profile' as const]), ...(name === undefined ? ['name' as const] : [])];
}

function targetsOfStream({ store }: CommandContext, { targets = [] }: Stream): readonly MultistreamTarget[] {
  return targets.flatMap(({ id }) => store.snapshot.targets.get(id) ?? []);
}

/** Returns undefined if a box was dismissed. */
async function ask({ ui }: CommandContext, draft: TargetDraft, asking: Asking): Promise<TargetDraft | undefined> {
  const asked = await askParts(ui, draft, asking);
  return asked === 'done' ? { ...draft, name: draft.name.trim() } : undefined;
}

interface Boxes extends Asking, Omit<Steps<Part>, 'title' | 'parts'> {
  readonly canRemove?: boolean;
  /** Why the service didn't take what was entered, which the first box says. */
  readonly problem?: string;
}

function askParts(ui: Ui, draft: TargetDraft, { parts, profiles, others, canRemove, problem, ...boxes }: Boxes) {
  let isFirst = true;
  const needed = () => (draft.service === 'none' ? [] : parts.filter((part) => isNeeded(part, draft)));
  return askInSteps({ isCounted: true, ...boxes, parts: needed }, (part, box) => {
    const shown = isFirst && problem !== undefined ? { problem: { sentence: problem, links: [] } } : {};
    isFirst = false;
    return ASKS[part](ui, draft, { ...box, ...shown, profiles, others, canRemove: canRemove === true });
  });
}

/** Only another server than those of the known services has to be entered. */
function isNeeded(part: Part, { service }: TargetDraft): boolean {
  return part !== 'server' || service === 'other';
}

interface TargetBox extends StepBox, Pick<Asking, 'profiles' | 'others'>, Pick<InputOptions, 'problem'> {
  readonly canRemove: boolean;
}

type Ask = (ui: Ui, draft: TargetDraft, box: TargetBox) => Promise<Asked>;

const ASKS: Readonly<Record<Part, Ask>> = {
  async service(ui, draft, box) {
    const service = await askPick(ui, box, {
      placeholder: t('Select where to send the broadcasts'),
      items: serviceItems(draft, box.canRemove),
      highlighted: draft.service,
    });
    if (service === undefined || service === BACK) return service;
    // The key of one service is none of another.
    if (service !== draft.service) draft.key = undefined;
    draft.service = service;
    return 'done';
  },
  server: (ui, draft, { problem, ...box }) =>
    askText(ui, box, { ...serverOptions(draft), problem }, (text) => {
      const { server, key } = splitTargetUrl(text);
      // The stream ID of an SRT URL is nothing but the key.
      const isSplit = isSrt(text) && key !== '';
      draft.server = isSplit ? server : text.trim();
      if (isSplit) draft.key = key;
    }),
  async key(ui, draft, { problem, ...box }) {
    const options = isKnown(draft.service) ? serviceKeyOptions(draft.service) : serverKeyOptions(draft);
    const typed = draft.key === undefined ? {} : { value: draft.key };
    const asked = await askText(ui, box, { ...options, ...typed, isPassword: true, problem }, (text) => {
      draft.key = text;
    });
    // From now on, the key is shown nowhere, not even if the box for the URL is shown again.
    if (asked === 'done' && draft.key?.trim() === '') Object.assign(draft, splitTargetUrl(draft.server ?? ''));
    return asked;
  },
  async profile(ui, draft, box) {
    const profile = await askPick(ui, box, {
      placeholder: t('Select the rendition to send'),
      items: targetProfiles(box.profiles).map((value) => ({
        label: profileName(value),
        ...(value === SOURCE_PROFILE && { detail: t('What the encoder sends, unchanged.') }),
        ...(draft.profile !== undefined && { icon: draft.profile === value ? 'check' : 'blank' }),
        value,
      })),
      highlighted: draft.profile,
    });
    if (profile === undefined || profile === BACK) return profile;
    draft.profile = profile;
    return 'done';
  },
  name(ui, draft, box) {
    const isProposed = draft.name === '' || draft.name === draft.proposed;
    draft.proposed = draft.service === undefined ? '' : placeOf(draft).name;
    const options = {
      prompt: t('Enter a name for the target'),
      value: isProposed ? draft.proposed : draft.name,
      validate: sentenceOfName,
      warn: (text: string) => {
        const taken = findSameName(box.others, text);
        return taken && t('Another target of this stream is named "{0}".', nameOf(taken));
      },
    };
    return askText(ui, box, options, (text) => {
      draft.name = text;
    });
  },
};

type Service = NonNullable<TargetDraft['service']>;

function serviceItems({ service }: TargetDraft, canRemove: boolean): readonly PickItem<Service>[] {
  return [
    ...SERVICES.map(([value, label]) => ({ label, icon: service === value ? 'check' : 'broadcast', value })),
    {
      label: t('Other…'),
      detail: t('A URL that starts with rtmp://, rtmps://, or srt://'),
      icon: service === 'other' ? 'check' : 'link',
      value: 'other',
    },
    ...(canRemove ? [{ label: t('Remove Target'), icon: 'trash', value: 'none' as const }] : []),
  ];
}

type TextOptions = Omit<InputOptions, 'title' | 'step' | 'problem'>;

/** A URL can't show whether its last part belongs to the server, or is the key of a URL that was pasted whole. */
function mayHaveKey(server: string): boolean {
  return splitTargetUrl(server).key !== '';
}

function serverOptions(draft: TargetDraft): TextOptions {
  return {
    prompt: t('Enter the URL of the server, without the stream key'),
    placeholder: 'rtmps://example.com/live',
    value: draft.server ?? '',
    kept: { box: 'server', text: () => draft.server ?? '' },
    validate: (text) => {
      const checked = checkTargetServer(text);
      return checked.ok ? undefined : targetServerFaultText(checked.fault);
    },
    warn: (text) =>
      mayHaveKey(text) ? t('If the URL ends with the stream key, remove the key. You enter it next.') : undefined,
  };
}

function isKnown(service: TargetDraft['service']): service is TargetService {
  return service !== undefined && service !== 'other' && service !== 'none';
}

function serviceKeyOptions(service: TargetService): TextOptions {
  return {
    prompt: keyPrompt(TARGET_SERVICES[service]),
    validate: (text) => {
      const fault = faultOfTargetKey(text);
      return fault && targetKeyFaultText(fault);
    },
  };
}

function serverKeyOptions(draft: TargetDraft): TextOptions {
  const { server = '' } = draft;
  const host = URL.parse(server)?.hostname ?? '';
  const isOptional = mayHaveKey(server);
  const prompt = isSrt(server) ? streamIdPrompt : keyPrompt;
  return {
    prompt: isOptional ? optionalKeyPrompt(host) : prompt(host),
    kept: { box: 'key', text: () => draft.key ?? '' },
    validate: (text) => {
      if (isOptional && text.trim() === '') return undefined;
      const fault = faultOfServerKey(server, text);
      if (fault !== undefined) return targetKeyFaultText(fault);
      const checked = checkTargetUrl(joinTargetUrl(server, text));
      return checked.ok ? undefined : targetUrlFaultText(checked.fault);
    },
  };
}

function keyPrompt(name: string): string {
  return t("Enter the stream key of {0}. It's sent to the service, but not stored on this computer.", name);
}

function streamIdPrompt(host: string): string {
  return t(
    "Enter the stream ID of {0}, which is its stream key. It's sent to the service, but not stored on this computer.",
    host,
  );
}

function optionalKeyPrompt(host: string): string {
  return t(
    "Enter the stream key of {0}, or leave the box empty if the URL ends with it. It's sent to the service, but not stored on this computer.",
    host,
  );
}

/** Of what was entered, which was checked in its box. */
function placeOf({ service, server = '', key = '' }: TargetDraft): Place {
  if (isKnown(service)) return { url: targetUrlOf(service, key), name: TARGET_SERVICES[service] };
  const checked = checkTargetUrl(joinTargetUrl(server, key));
  if (!checked.ok) throw new Refusal(targetUrlFaultText(checked.fault));
  return { url: checked.url, name: new URL(checked.url).hostname };
}
