import { ownValue } from '../../util/ownValue.ts';
import { wholeText } from './forms.ts';
import { forModuleSystem } from './imports.ts';
import type { Place } from './place.ts';
import type { Program } from './players.ts';
import { netHttp } from './webhookHandlerGo.ts';
import { fastApi, flask } from './webhookHandlersPython.ts';
import { express, fastify, hono, nextRoute } from './webhookHandlersScript.ts';

/** Code that receives events of a webhook, checks their signature, and switches over them. */
export interface WebhookHandler {
  readonly id: FrameworkId;
  readonly label: string;
  /** All of it, as in a file of its own. */
  readonly text: string;
  readonly program: Program;
}

export type FrameworkId = keyof typeof FRAMEWORKS;

interface Framework {
  readonly label: string;
  /** How a file or a manifest names its package. */
  readonly named: RegExp;
  /** `text` is the file's: what it declares is used. */
  readonly write: (place: Place, text: string) => Program;
}

const FRAMEWORKS = {
  express: { label: 'Express', named: /['"]express['"]/, write: express },
  next: { label: 'Next.js', named: /['"]next(?:\/[\w/-]+)?['"]/, write: nextRoute },
  fastify: { label: 'Fastify', named: /['"]fastify['"]/, write: fastify },
  hono: { label: 'Hono', named: /['"]hono(?:\/[\w/-]+)?['"]/, write: hono },
  flask: { label: 'Flask', named: /\bflask\b/i, write: flask },
  fastapi: { label: 'FastAPI', named: /\bfastapi\b/i, write: fastApi },
  netHttp: { label: 'net/http', named: /"net\/http"/, write: netHttp },
} as const satisfies Readonly<Record<string, Framework>>;

const SCRIPT = ['express', 'next', 'fastify', 'hono'] as const;
const PYTHON = ['fastapi', 'flask'] as const;

const OF_LANGUAGE: Readonly<Record<string, readonly FrameworkId[]>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: PYTHON,
  go: ['netHttp'],
};

const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  javascript: ['package.json'],
  javascriptreact: ['package.json'],
  typescript: ['package.json'],
  typescriptreact: ['package.json'],
  python: ['pyproject.toml', 'requirements.txt'],
};

/** Returns the names of the files that say which packages a program of the language uses. */
export function manifestNames(languageId: string): readonly string[] {
  return ownValue(MANIFESTS, languageId) ?? [];
}

/**
 * Returns the handlers for a place in a file: first those of frameworks that the file names, then those that a manifest
 * names. There is none in the script of a page, whose visitors would read the secret.
 */
export function webhookHandlers(
  place: Place,
  text: string,
  manifests: readonly string[] = [],
): readonly WebhookHandler[] {
  if (place.languageId !== place.fileLanguageId) return [];
  const rank = (id: FrameworkId) => {
    const name = FRAMEWORKS[id].named;
    return name.test(text) ? 0 : manifests.some((manifest) => name.test(manifest)) ? 1 : 2;
  };
  const ids = ownValue(OF_LANGUAGE, place.languageId) ?? [];
  return ids.toSorted((one, other) => rank(one) - rank(other)).map((id) => writeHandler(id, place, text));
}

function writeHandler(id: FrameworkId, place: Place, text: string): WebhookHandler {
  const { label, write }: Framework = FRAMEWORKS[id];
  const { imports, code } = write(place, text);
  const program = { imports: forModuleSystem(place.languageId, text, imports), code };
  return { id, label, program, text: wholeText({ kind: 'program', ...program }, place) };
}
