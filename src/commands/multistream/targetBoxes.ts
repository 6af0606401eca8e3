import { t } from '@vscode/l10n';
import type { MultistreamTarget, NewTarget, ReusedTarget } from '../../api/multistream.ts';
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
import type { InputOptions } from '../../services.ts';
import { withoutDots } from '../../texts/lateLabels.ts';
import {
  profileName,
  TARGET_SERVICES,
  targetKeyFaultText,
  targetServerFaultText,
  targetUrlFaultText,
} from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { uniqueName } from '../../util/names.ts';
import { type Asked, askInSteps, askPick, askText, BACK, type StepBox, type Steps } from '../boxSteps.ts';
import { findSameName, sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';
import { choicesOfTarget, highlightedTarget, type TargetChoice } from './targetChoices.ts';

/** The user's input so far. Going back keeps it, only in memory. */
export interface TargetDraft {
  service?: TargetChoice;
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
  /** Returns the other targets of the stream, as far as they are known by now. */
  readonly others: () => readonly MultistreamTarget[];
  /** The targets that the stream has; none if those of the account aren't offered. */
  readonly used?: Stream['targets'];
}

/**
 * Returns the target that a command was given, and asks for what is missing; undefined if a box was dismissed. The key
 * is entered in a password box and isn't kept. Throws a Refusal for an invalid target.
 */
export async function askForTarget(
  context: CommandContext,
  given: unknown,
  stream: Stream,
): Promise<NewTarget | ReusedTarget | undefined> {
  const { profiles, targets = [] } = stream;
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
      others: () => targetsOfStream(context, stream),
      // If a name is given, it's for a new target.
      ...(asked.name === undefined && { used: targets }),
    },
  );
  if (entered === undefined) return undefined;
  const target = { ...entered, profile: asked.profile ?? entered.profile };
  return asked.url === undefined ? targetOf(target) : { ...newTarget(target), url: asked.url };
}

interface DraftBoxes extends Omit<Boxes, 'parts' | 'others' | 'used'> {
  readonly profiles: Stream['profiles'];
}

/** Asks for every part of a target whose stream has no other. Keeps the input in the draft. */
export function askForDraft(context: CommandContext, draft: TargetDraft, boxes: DraftBoxes): Promise<Asked> {
  const parts = missingParts({ name: undefined, url: undefined }, targetProfiles(boxes.profiles).length === 1);
  return askParts(context, draft, { ...boxes, parts, others: () => [], used: [] });
}

/** Returns the target of a draft whose boxes were all answered. */
export function targetOf(draft: TargetDraft): NewTarget | ReusedTarget {
  const { service, profile = SOURCE_PROFILE } = draft;
  if (typeof service === 'object') return { id: service.id, name: service.name, profile };
  return { ...newTarget(draft), url: placeOf(draft).url };
}

function newTarget({ name, profile = SOURCE_PROFILE }: TargetDraft) {
  return { name: name.trim(), profile };
}

/** Like `askForTarget`, for an existing target. Its URL can't be read back, so it has to be entered again. */
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
      others: () => targetsOfStream(context, stream).filter(({ id }) => id !== target.id),
    },
  );
  return entered && { name: entered.name, url: url ?? placeOf(entered).url };
}

/** A place where broadcasts are sent, and its default name. */
interface Place {
  readonly url: string;
  readonly name: string;
}

export function addTargetTitle(): string {
  return withoutDots(t('Add Multistream Target…'));
}

export function addedText(target: NewTarget | ReusedTarget, stream: Stream): string {
  return t('Added the target "{0}" to "{1}"', nameOf({ id: '', ...target }), nameOf(stream));
}

export function changeTargetTitle(): string {
  return t('Edit Multistream Target');
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
  throw new Refusal(
    t('The stream has no rendition "{0}". Available renditions: {1}.', profileName(profile), known.join(', ')),
  );
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
async function ask(context: CommandContext, draft: TargetDraft, asking: Asking): Promise<TargetDraft | undefined> {
  const asked = await askParts(context, draft, asking);
  return asked === 'done' ? { ...draft, name: draft.name.trim() } : undefined;
}

interface Boxes extends Asking, Omit<Steps<Part>, 'title' | 'parts'> {
  readonly canRemove?: boolean;
  /** Why the service rejected the input, shown in the first box. */
  readonly problem?: string;
}

function askParts(context: CommandContext, draft: TargetDraft, asking: Boxes) {
  const { parts, profiles, others, used, canRemove, problem, ...boxes } = asking;
  let isFirst = true;
  const needed = () => (draft.service === 'none' ? [] : parts.filter((part) => isNeeded(part, draft)));
  return askInSteps({ isCounted: true, ...boxes, parts: needed }, (part, box) => {
    const shown = isFirst && problem !== undefined ? { problem: { sentence: problem, links: [] } } : {};
    isFirst = false;
    // The choice of the service decides how many boxes follow.
    const step = part === 'service' ? undefined : box.step;
    return ASKS[part](context, draft, {
      ...box,
      ...shown,
      step,
      profiles,
      others,
      used,
      canRemove: canRemove === true,
    });
  });
}

/** A target of the account lacks only its rendition. For a new one, the server of a known service is known. */
function isNeeded(part: Part, { service }: TargetDraft): boolean {
  if (typeof service === 'object') return part === 'service' || part === 'profile';
  return part !== 'server' || service === 'other';
}

interface TargetBox extends StepBox, Pick<Asking, 'profiles' | 'others'>, Pick<InputOptions, 'problem'> {
  readonly used: Asking['used'] | undefined;
  readonly canRemove: boolean;
}

type Ask = (context: CommandContext, draft: TargetDraft, box: TargetBox) => Promise<Asked>;

const ASKS: Readonly<Record<Part, Ask>> = {
  async service(context, draft, box) {
    const service = await askPick<TargetChoice>(context.ui, box, {
      placeholder: t('Select where to send the broadcasts'),
      items: choicesOfTarget(context, draft.service, box),
      highlighted: highlightedTarget(context, draft.service),
      isKept: true,
    });
    if (service === undefined || service === BACK) return service;
    // The key for one service isn't valid for another.
    if (service !== draft.service) draft.key = undefined;
    draft.service = service;
    return 'done';
  },
  server: ({ ui }, draft, { problem, ...box }) =>
    askText(ui, box, { ...serverOptions(draft), problem }, (text) => {
      const { server, key } = splitTargetUrl(text);
      // The stream ID of an SRT URL consists only of the key.
      const isSplit = isSrt(text) && key !== '';
      draft.server = isSplit ? server : text.trim();
      if (isSplit) draft.key = key;
    }),
  async key({ ui }, draft, { problem, ...box }) {
    const options = isKnown(draft.service) ? serviceKeyOptions(draft.service) : serverKeyOptions(draft);
    const typed = draft.key === undefined ? {} : { value: draft.key };
    const asked = await askText(ui, box, { ...options, ...typed, isPassword: true, problem }, (text) => {
      draft.key = text;
    });
    // From now on, the key is shown nowhere, not even if the box for the URL is shown again.
    if (asked === 'done' && draft.key?.trim() === '') Object.assign(draft, splitTargetUrl(draft.server ?? ''));
    return asked;
  },
  async profile({ ui }, draft, box) {
    const profile = await askPick(ui, box, {
      placeholder: t('Select the rendition to send'),
      items: targetProfiles(box.profiles).map((value) => ({
        label: profileName(value),
        ...(value === SOURCE_PROFILE && { description: t('What the encoder sends, unchanged') }),
        ...(draft.profile !== undefined && { icon: draft.profile === value ? 'check' : 'blank' }),
        value,
      })),
      highlighted: draft.profile,
    });
    if (profile === undefined || profile === BACK) return profile;
    draft.profile = profile;
    return 'done';
  },
  name(context, draft, box) {
    const isProposed = draft.name === '' || draft.name === draft.proposed;
    draft.proposed = draft.service === undefined ? '' : unusedName(context, placeOf(draft).name);
    const options = {
      prompt: t('Enter a name for the target'),
      value: isProposed ? draft.proposed : draft.name,
      validate: sentenceOfName,
      warn: (text: string) => {
        const taken = findSameName(box.others(), text);
        return taken && t('This stream already has a target named "{0}". You can still use this name.', nameOf(taken));
      },
    };
    return askText(context.ui, box, options, (text) => {
      draft.name = text;
    });
  },
};

/** "Twitch", or "Twitch 2" if the account has a target with that name. */
function unusedName({ store }: CommandContext, name: string): string {
  const taken = [...store.snapshot.targets.values()].map((target) => target.name.trim());
  return uniqueName(name, taken);
}

type TextOptions = Omit<InputOptions, 'title' | 'step' | 'problem'>;

/** Whether a URL's last part may be the key of a URL that was pasted whole. It may also belong to the server. */
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
      mayHaveKey(text)
        ? t("If the URL ends with the stream key, remove the key. You'll enter it in the next step.")
        : undefined,
  };
}

function isKnown(service: TargetDraft['service']): service is TargetService {
  return typeof service === 'string' && service !== 'other' && service !== 'none';
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
  return t("Enter your {0} stream key. It's sent to your streaming service, but not stored on this computer.", name);
}

function streamIdPrompt(host: string): string {
  return t(
    "Enter the SRT stream ID for {0}, which serves as the stream key. It's sent to your streaming service, but not stored on this computer.",
    host,
  );
}

function optionalKeyPrompt(host: string): string {
  return t(
    "Enter your {0} stream key, or leave the box empty if the URL ends with it. It's sent to your streaming service, but not stored on this computer.",
    host,
  );
}

/** Returns the place that was entered, which was checked in its box. */
function placeOf({ service, server = '', key = '' }: TargetDraft): Place {
  if (isKnown(service)) return { url: targetUrlOf(service, key), name: TARGET_SERVICES[service] };
  const checked = checkTargetUrl(joinTargetUrl(server, key));
  if (!checked.ok) throw new Refusal(targetUrlFaultText(checked.fault));
  return { url: checked.url, name: new URL(checked.url).hostname };
}
