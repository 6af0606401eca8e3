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
import { profileName, TARGET_SERVICES, targetKeyFaultText, targetUrlFaultText } from '../../texts/multistream.ts';
import { Refusal } from '../../texts/refusal.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';
import { givenText } from '../targets/commandArguments.ts';

const SERVICES = Object.entries(TARGET_SERVICES) as readonly [TargetService, string][];

/**
 * Returns the target that a command was given, and asks for what is missing; undefined if a box was dismissed. The URL and
 * the key are asked for in password boxes, and kept nowhere. Throws a Refusal for what can't be a target.
 */
export async function askForTarget(
  context: CommandContext,
  given: unknown,
  { profiles }: Stream,
): Promise<NewTarget | undefined> {
  const asked = { name: givenName(given), url: givenUrl(given), profile: givenProfile(given, profiles) };
  const title = addTargetTitle();
  const place = asked.url === undefined ? await askPlace(context, title) : { url: asked.url, name: '' };
  if (place === undefined) return undefined;
  const isComplete = asked.name !== undefined && asked.url !== undefined;
  const profile = asked.profile ?? (isComplete ? SOURCE_PROFILE : await askProfile(context, profiles));
  if (profile === undefined) return undefined;
  const name = asked.name ?? (await askName(context, title, place.name));
  return name === undefined ? undefined : { name: name.trim(), url: place.url, profile };
}

/** Like `askForTarget`, of a target that is to be changed: its URL, which nobody can read back, is asked for anew. */
export async function askForNewPlace(
  context: CommandContext,
  given: unknown,
  target: MultistreamTarget,
): Promise<Place | undefined> {
  const asked = { name: givenName(given), url: givenUrl(given) };
  const title = changeTargetTitle();
  const place = asked.url === undefined ? await askPlace(context, title) : { url: asked.url, name: '' };
  if (place === undefined) return undefined;
  const isComplete = asked.url !== undefined;
  const name = asked.name ?? (isComplete ? target.name : await askName(context, title, target.name || place.name));
  return name === undefined ? undefined : { name: name.trim(), url: place.url };
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

function askName({ ui }: CommandContext, title: string, value: string): Promise<string | undefined> {
  const prompt = t('Enter a name for the target');
  return ui.input({ title, prompt, value, validate: sentenceOfName });
}

async function askPlace(context: CommandContext, title: string): Promise<Place | undefined> {
  const { ui } = context;
  const service = await ui.pick<TargetService | 'other'>({
    title,
    placeholder: t('Select where to send the broadcasts'),
    items: [
      ...SERVICES.map(([value, label]) => ({ label, icon: 'broadcast', value })),
      {
        label: t('Other…'),
        detail: t('A URL that starts with rtmp://, rtmps://, or srt://'),
        icon: 'link',
        value: 'other',
      },
    ],
  });
  if (service === undefined) return undefined;
  if (service === 'other') return askOtherPlace(context, title);
  const key = await ui.input({
    title,
    prompt: t(
      "Enter the stream key of {0}. It's sent to the service, but not stored on this computer.",
      TARGET_SERVICES[service],
    ),
    isPassword: true,
    validate: (text) => {
      const fault = faultOfTargetKey(text);
      return fault && targetKeyFaultText(fault);
    },
  });
  return key === undefined ? undefined : { url: targetUrlOf(service, key), name: TARGET_SERVICES[service] };
}

async function askOtherPlace({ ui }: CommandContext, title: string): Promise<Place | undefined> {
  const text = await ui.input({
    title,
    prompt: t("Enter the URL with the stream key. It's sent to the service, but not stored on this computer."),
    placeholder: 'rtmps://example.com/live/KEY',
    isPassword: true,
    validate: (typed) => {
      const checked = checkTargetUrl(typed);
      return checked.ok ? undefined : targetUrlFaultText(checked.fault);
    },
  });
  const checked = text === undefined ? undefined : checkTargetUrl(text);
  return checked?.ok === true ? { url: checked.url, name: new URL(checked.url).hostname } : undefined;
}

async function askProfile({ ui }: CommandContext, profiles: Stream['profiles']): Promise<string | undefined> {
  const known = targetProfiles(profiles);
  if (known.length === 1) return SOURCE_PROFILE;
  return ui.pick({
    title: addTargetTitle(),
    placeholder: t('Select the rendition to send'),
    items: known.map((value) => ({
      label: profileName(value),
      ...(value === SOURCE_PROFILE && { detail: t('What the encoder sends, unchanged.') }),
      value,
    })),
  });
}
