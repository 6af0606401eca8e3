import type { Place } from './place.ts';
import { type Library, type ServerCode, writeServerCode } from './serverCode.ts';
import { netHttp } from './webhookHandlerGo.ts';
import { fastApi, flask } from './webhookHandlersPython.ts';
import { express, fastify, hono, nextRoute } from './webhookHandlersScript.ts';

export type FrameworkId = keyof typeof FRAMEWORKS;

const FRAMEWORKS = {
  express: { label: 'Express', named: /['"]express['"]/, write: express },
  next: { label: 'Next.js', named: /['"]next(?:\/[\w/-]+)?['"]/, write: nextRoute },
  fastify: { label: 'Fastify', named: /['"]fastify['"]/, write: fastify },
  hono: { label: 'Hono', named: /['"]hono(?:\/[\w/-]+)?['"]/, write: hono },
  flask: { label: 'Flask', named: /\bflask\b/i, write: flask },
  fastapi: { label: 'FastAPI', named: /\bfastapi\b/i, write: fastApi },
  netHttp: { label: 'net/http', named: /"net\/http"/, write: netHttp },
} as const satisfies Readonly<Record<string, Library>>;

const SCRIPT = ['express', 'next', 'fastify', 'hono'] as const;

const OF_LANGUAGE: Readonly<Record<string, readonly FrameworkId[]>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: ['fastapi', 'flask'],
  go: ['netHttp'],
};

/** Returns code that receives events of a webhook, checks their signature, and switches over them. */
export function webhookHandlers(
  place: Place,
  text: string,
  manifests?: readonly string[],
): readonly ServerCode<FrameworkId>[] {
  return writeServerCode({ libraries: FRAMEWORKS, ofLanguage: OF_LANGUAGE }, place, { text, manifests });
}
