import { t } from '@vscode/l10n';
import type { MultistreamTarget, NewTarget } from '../../api/multistream.ts';
import type { Stream } from '../../api/types.ts';
import {
  checkTargetUrl,
  faultOfTargetKey,
  SOURCE_PROFILE,
  type TargetService,
  targetProfiles,
  targetUrlOf,
} from '../../model/multistream/targetUrl.ts';
import type { Ui } from '../../services.ts';
import { profileName, TARGET_SERVICES, targetKeyFaultText, targetUrlFaultText } from '../../texts/multistream.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { type Asked, askInSteps, askPick, askText, BACK, type StepBox } from '../boxSteps.ts';
import { findSameName, sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';

const SERVICES = Object.entries(TARGET_SERVICES) as readonly [TargetService, string][];

/** What is entered in the boxes. Going back keeps it, in memory alone. */
interface Draft {
  service?: TargetService | 'other';
  /** The stream key, or the URL with it. */
  secret?: string | undefined;
  profile?: string;
  name: string;
  /** The name that was proposed last, which follows the service. */
  proposed?: string;
}

type Part = 'service' | 'secret' | 'profile' | 'name';

interface Asking {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly profiles: Stream['profiles'];
  /** The other targets of the stream. */
  readonly others: readonly MultistreamTarget[];
}

/**
 * Returns the target that a command was given, and asks for what is missing; undefined if a box was dismissed. The URL and
 * the key are asked for in password boxes, and kept nowhere. Throws a Refusal for what can't be a target.
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
  const ofPlace: readonly Part[] = url === undefined ? ['service', 'secret'] : [];
  return [...ofPlace, ...(hasProfile ? [] : ['profile' as const]), ...(name === undefined ? ['name' as const] : [])];
}

function targetsOfStream({ store }: CommandContext, { targets = [] }: Stream): readonly MultistreamTarget[] {
  return targets.flatMap(({ id }) => store.snapshot.targets.get(id) ?? []);
}

/** Returns undefined if a box was dismissed. */
async function ask(context: CommandContext, draft: Draft, { title, parts, ...asking }: Asking) {
  const asked = await askInSteps({ title, parts }, (part, box) => ASKS[part](context.ui, draft, { ...box, ...asking }));
  return asked === 'done' ? { ...draft, name: draft.name.trim() } : undefined;
}

type Ask = (ui: Ui, draft: Draft, box: StepBox & Pick<Asking, 'profiles' | 'others'>) => Promise<Asked>;

const ASKS: Readonly<Record<Part, Ask>> = {
  async service(ui, draft, box) {
    const service = await askPick<TargetService | 'other'>(ui, box, {
      placeholder: t('Select where to send the broadcasts'),
      items: [
        ...SERVICES.map(([value, label]) => ({ label, icon: draft.service === value ? 'check' : 'broadcast', value })),
        {
          label: t('Other…'),
          detail: t('A URL that starts with rtmp://, rtmps://, or srt://'),
          icon: draft.service === 'other' ? 'check' : 'link',
          value: 'other',
        },
      ],
    });
    if (service === undefined || service === BACK) return service;
    // The key of one service is none of another.
    if (service !== draft.service) draft.secret = undefined;
    draft.service = service;
    return 'done';
  },
  secret: (ui, draft, box) =>
    askText(ui, box, secretOptions(draft), (text) => {
      draft.secret = text;
    }),
  async profile(ui, draft, box) {
    const profile = await askPick(ui, box, {
      placeholder: t('Select the rendition to send'),
      items: targetProfiles(box.profiles).map((value) => ({
        label: profileName(value),
        ...(value === SOURCE_PROFILE && { detail: t('What the encoder sends, unchanged.') }),
        value,
      })),
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

function secretOptions({ service = 'other', secret }: Draft) {
  const typed = secret === undefined ? {} : { value: secret };
  if (service === 'other') {
    return {
      prompt: t("Enter the URL with the stream key. It's sent to the service, but not stored on this computer."),
      placeholder: 'rtmps://example.com/live/KEY',
      isPassword: true,
      ...typed,
      validate: (text: string) => {
        const checked = checkTargetUrl(text);
        return checked.ok ? undefined : targetUrlFaultText(checked.fault);
      },
    };
  }
  return {
    prompt: t(
      "Enter the stream key of {0}. It's sent to the service, but not stored on this computer.",
      TARGET_SERVICES[service],
    ),
    isPassword: true,
    ...typed,
    validate: (text: string) => {
      const fault = faultOfTargetKey(text);
      return fault && targetKeyFaultText(fault);
    },
  };
}

/** Of what was entered, which was checked in its box. */
function placeOf({ service = 'other', secret = '' }: Draft): Place {
  if (service !== 'other') return { url: targetUrlOf(service, secret), name: TARGET_SERVICES[service] };
  const checked = checkTargetUrl(secret);
  if (!checked.ok) throw new Refusal(targetUrlFaultText(checked.fault));
  return { url: checked.url, name: new URL(checked.url).hostname };
}
