import { isRecord } from '../../../src/util/isRecord.ts';

/** What the rules read of package.json. */
export interface Manifest {
  readonly enabledApiProposals?: unknown;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus?: Readonly<Record<string, readonly MenuItem[]>>;
    readonly submenus?: readonly { readonly id: string }[];
    readonly keybindings?: readonly { readonly command: string }[];
    readonly views?: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly walkthroughs?: readonly { readonly id: string; readonly steps: readonly WalkthroughStep[] }[];
    readonly configuration?: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
}

interface WalkthroughStep {
  readonly id: string;
  readonly media: { readonly svg: string };
  readonly completionEvents?: readonly string[];
}

const PREFIX = 'liveStreams.';

/** Every command has a handler, and every handler a command. @param handlers ids without the prefix. */
export function findCommandFaults({ contributes }: Manifest, handlers: readonly string[]): string[] {
  const declared = contributes.commands.map(({ command }) => command);
  return [
    ...repeated(declared).map((id) => `The command ${id} is declared twice`),
    ...missing(declared, prefixed(handlers)).map((id) => `The command ${id} has no handler`),
    ...missing(prefixed(handlers), declared).map((id) => `The handler of ${id} has no command`),
  ];
}

/** What menus, keybindings and links in texts name is declared. */
export function findMenuFaults(manifest: Manifest, texts: Readonly<Record<string, string>>): string[] {
  const { commands, menus = {}, submenus = [], keybindings = [] } = manifest.contributes;
  const declared = commands.map(({ command }) => command);
  const items = Object.values(menus).flat();
  const named = [...items, ...keybindings].flatMap(({ command }) => command ?? []);
  const linked = [...JSON.stringify([manifest, texts]).matchAll(/command:(liveStreams\.\w+(?:\.\w+)*)/g)].flatMap(
    ([, id]) => id ?? [],
  );
  const focusing = viewIds(manifest).map((id) => `${id}.focus`);
  const places = items.flatMap((item) => item.submenu ?? []);
  return [
    ...missing(named, declared).map((id) => `A menu or keybinding names ${id}, which is no command`),
    ...missing(linked, [...declared, ...focusing]).map((id) => `A text links to ${id}, which is no command`),
    ...missing(
      places,
      submenus.map(({ id }) => id),
    ).map((id) => `A menu names the submenu ${id}, which is not declared`),
  ];
}

/** Every viewItem in a when-clause fits a row that can be. */
export function findViewItemFaults(manifest: Manifest, contextValues: readonly string[]): string[] {
  return whenClauses(manifest).flatMap((clause) => {
    const tests = [...clause.matchAll(/viewItem\s*(=~\s*\/((?:\\.|[^/\\])+)\/([a-z]*)|(==|!=)\s*'?([\w.-]+)'?)/g)];
    if (tests.length !== (clause.match(/\bviewItem\b/g) ?? []).length)
      return [`"${clause}" asks of viewItem what this test cannot read`];
    return tests
      .filter(([, , pattern, flags, , value]) =>
        pattern === undefined
          ? !contextValues.includes(value ?? '')
          : !contextValues.some((known) => new RegExp(pattern, flags).test(known)),
      )
      .map(([test]) => `No row has what "${test}" asks for`);
  });
}

/**
 * Every context key of ours in a when-clause is set by somebody, or is that of a setting.
 * @param keys those that are set, without the prefix.
 */
export function findContextKeyFaults(manifest: Manifest, keys: readonly string[]): string[] {
  const settings = Object.keys(manifest.contributes.configuration?.properties ?? {}).map((key) => `config.${key}`);
  const known = [...prefixed(keys), ...viewIds(manifest).map((id) => `${id}.visible`), ...settings];
  const used = [...whenClauses(manifest), ...completions(manifest, 'onContext')].flatMap((clause) => {
    const asked = clause.replace(/(?:=~|==|!=)\s*(?:\/(?:\\.|[^/\\])+\/|\S+)/g, '');
    return asked.match(/\b(?:config\.)?liveStreams(?:\.\w+)+/g) ?? [];
  });
  return missing(used, known).map((key) => `Nobody sets the context key ${key}`);
}

/** The steps of a walkthrough have pictures that ship, and end by what can happen. @param files those of the package. */
export function findWalkthroughFaults(manifest: Manifest, files: readonly string[]): string[] {
  const { commands, walkthroughs = [] } = manifest.contributes;
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const pictures = steps.map(({ media }) => media.svg);
  const declared = commands.map(({ command }) => command);
  const endless = steps.filter(({ completionEvents = [] }) => completionEvents.length === 0);
  const all = steps.flatMap(({ completionEvents = [] }) => completionEvents);
  const unknown = all.filter((event) => !/^on(Command|View|Context):/.test(event));
  return [
    ...missing(pictures, files).map((file) => `A step shows "${file}", which is not in the package`),
    ...endless.map(({ id }) => `The step ${id} never ends`),
    ...unknown.map((event) => `A step ends by ${event}, which this test does not know`),
    ...missing(completions(manifest, 'onCommand'), declared).map((id) => `A step ends by ${id}, which is no command`),
    ...missing(completions(manifest, 'onView'), viewIds(manifest)).map(
      (id) => `A step ends by ${id}, which is no view`,
    ),
  ];
}

function completions({ contributes }: Manifest, kind: 'onCommand' | 'onView' | 'onContext'): string[] {
  const steps = (contributes.walkthroughs ?? []).flatMap((walkthrough) => walkthrough.steps);
  const events = steps.flatMap(({ completionEvents = [] }) => completionEvents);
  return events.filter((event) => event.startsWith(`${kind}:`)).map((event) => event.slice(kind.length + 1));
}

function viewIds({ contributes }: Manifest): string[] {
  return Object.values(contributes.views ?? {})
    .flat()
    .map(({ id }) => id);
}

/** The context keys that an interface of the sources names. */
export function readContextKeys(source: string): string[] {
  const body = /interface ContextKeys \{(.*?)\n\}/s.exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+):/gm)].flatMap(([, key]) => key ?? []);
}

/** Every setting that is read is declared, and every declared one is read. @param read keys without the prefix. */
export function findSettingFaults({ contributes }: Manifest, read: readonly string[]): string[] {
  const declared = Object.keys(contributes.configuration?.properties ?? {});
  return [
    ...missing(prefixed(read), declared).map((key) => `The setting ${key} is read and not declared`),
    ...missing(declared, prefixed(read)).map((key) => `The setting ${key} is declared and not read`),
  ];
}

/** The keys that a settings module reads: the first argument of its calls of `read` or `get`. */
export function readSettingKeys(source: string): string[] {
  const calls = source.matchAll(/\b(?:read|get(?:<[^>]*>)?)\(\s*'([\w.]+)'/g);
  return [...new Set([...calls].flatMap(([, key]) => key ?? []))];
}

/** Every %key% has its text, and every text is used. */
export function findTextFaults(manifest: unknown, texts: Readonly<Record<string, string>>): string[] {
  const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].flatMap(([, key]) => key ?? []);
  return [
    ...missing(used, Object.keys(texts)).map((key) => `%${key}% has no text`),
    ...missing(Object.keys(texts), used).map((key) => `The text ${key} is not used`),
  ];
}

/** An extension with proposed API cannot be published. */
export function findProposalFaults(manifest: Manifest): string[] {
  return manifest.enabledApiProposals === undefined ? [] : ['package.json enables proposed API'];
}

function whenClauses(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(whenClauses);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'string' && (key === 'when' || key === 'enablement') ? [child] : whenClauses(child),
  );
}

function prefixed(ids: readonly string[]): string[] {
  return ids.map((id) => PREFIX + id);
}

function missing(wanted: readonly string[], there: readonly string[]): string[] {
  return [...new Set(wanted)].filter((id) => !there.includes(id));
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
