import { indent } from './changes.ts';
import type { Place } from './place.ts';
import type { Program } from './players.ts';

const CRYPTO = "import { createHmac, timingSafeEqual } from 'node:crypto';";

/** Returns an Express route that takes the body as bytes. */
export function express(place: Place, text: string): Program {
  const app = findName(text, /express\s*\(|(?:express\s*\.\s*)?Router\s*\(/);
  const code = `// Register this before express.json(): the signature covers the body as it was sent.
${app ?? 'app'}.post('/api/webhook', express.raw({ type: () => true }), (request, response) => {
  const body${typed(place, ': unknown')} = request.body;
  if (!Buffer.isBuffer(body) || !isSigned(body, request.get('Livepeer-Signature'))) {
    response.sendStatus(401);
    return;
  }
${readDelivery(place, 'response.sendStatus(400);\n    return;')}
${SWITCH}
  response.sendStatus(204);
});

${isSigned(place)}`;
  const imports = [CRYPTO, "import express from 'express';"];
  if (app !== undefined) return { imports, code };
  return { imports, code: `const app = express();\n\n${code}\n\napp.listen(3000);` };
}

/** Returns the function that Next.js calls for a POST. The file's folder is its path. */
export function nextRoute(place: Place): Program {
  const code = `${place.depth === 0 ? 'export ' : ''}async function POST(request${typed(place, ': Request')}) {
  const body = Buffer.from(await request.arrayBuffer());
  if (!isSigned(body, request.headers.get('Livepeer-Signature'))) {
    return new Response('Invalid signature', { status: 401 });
  }
${readDelivery(place, "return new Response('Invalid JSON', { status: 400 });")}
${SWITCH}
  return new Response(null, { status: 204 });
}

${isSigned(place, 'string | null')}`;
  return { imports: [CRYPTO], code };
}

/** Returns a Fastify plugin: its body parser applies only to its own routes. */
export function fastify(place: Place, text: string): Program {
  const app = findName(text, /(?:await\s+)?fastify\s*\(/i);
  const types = typed(place, "<{ Body: Buffer; Headers: { 'livepeer-signature'?: string } }>");
  const rest = indent(`${readDelivery(place, 'return reply.code(400).send();')}\n${SWITCH}`, '  ', '  ');
  const code = `${app ?? 'app'}.register(async (webhooks) => {
  // The signature covers the body as it was sent, so these routes don't parse it.
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => done(null, body));

  webhooks.post${types}('/api/webhook', async (request, reply) => {
    const { body } = request;
    if (!Buffer.isBuffer(body) || !isSigned(body, request.headers['livepeer-signature'])) {
      return reply.code(401).send();
    }
  ${rest}
    return reply.code(204).send();
  });
});

${isSigned(place)}`;
  if (app !== undefined) return { imports: [CRYPTO], code };
  const listen = `app.listen({ port: 3000 }, (error) => {
  if (error) throw error;
});`;
  const imports = [CRYPTO, "import Fastify from 'fastify';"];
  return { imports, code: `const app = Fastify();\n\n${code}\n\n${listen}` };
}

/** Returns a Hono route. Uses Web Crypto, which all runtimes of Hono have. */
export function hono(place: Place, text: string): Program {
  const app = findName(text, /new\s+(?:OpenAPI)?Hono\b/);
  const code = `${app ?? 'app'}.post('/api/webhook', async (c) => {
  const { LIVEPEER_WEBHOOK_SECRET: secret } = env${typed(place, '<{ LIVEPEER_WEBHOOK_SECRET?: string }>')}(c);
  if (!secret) throw new Error('LIVEPEER_WEBHOOK_SECRET is not set');
  const body = await c.req.arrayBuffer();
  if (!(await isSigned(body, c.req.header('Livepeer-Signature'), secret))) return c.text('Invalid signature', 401);
${readDelivery(place, "return c.text('Invalid JSON', 400);", 'await c.req.json()')}
${SWITCH}
  return c.body(null, 204);
});

${isSignedWithWebCrypto(place)}`;
  const environment = "import { env } from 'hono/adapter';";
  if (app !== undefined) return { imports: [environment], code };
  const whole = `const app = new Hono();\n\n${code}`;
  const canExport = place.depth === 0 && !/\bexport\s+default\b|\brequire\s*\(/.test(text);
  const imports = ["import { Hono } from 'hono';", environment];
  return { imports, code: canExport ? `${whole}\n\nexport default app;` : whole };
}

const SWITCH = `  switch (delivery.event) {
    case 'stream.started':
      console.log(\`\${delivery.stream?.name} is live\`);
      break;
    case 'stream.idle':
      console.log(\`\${delivery.stream?.name} has ended\`);
      break;
    case 'recording.ready':
      console.log(\`A recording of \${delivery.stream?.name} is ready\`);
      break;
    default:
      console.log(\`Unhandled event: \${delivery.event}\`);
  }`;

/** `refuse` runs if the body isn't JSON. */
function readDelivery(place: Place, refuse: string, parsed = 'JSON.parse(body.toString())'): string {
  return `  let delivery${typed(place, ': { event: string; stream?: { id: string; name: string } }')};
  try {
    delivery = ${parsed};
  } catch {
    ${refuse}
  }`;
}

function isSigned(place: Place, header = 'string | undefined'): string {
  return `function isSigned(body${typed(place, ': Buffer')}, header${typed(place, `: ${header}`)})${typed(place, ': boolean')} {
  const secret = process.env.LIVEPEER_WEBHOOK_SECRET;
  if (!secret) throw new Error('LIVEPEER_WEBHOOK_SECRET is not set');
  const expected = createHmac('sha256', secret).update(body).digest();
  const received = Buffer.from(header?.match(/\\bv1=([0-9a-f]{64})\\b/)?.[1] ?? '', 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}`;
}

function isSignedWithWebCrypto(place: Place): string {
  const parameters = ['body: ArrayBuffer', 'header: string | undefined', 'secret: string'];
  const list = parameters.map((each) => (isTyped(place) ? each : each.replace(/:.*/, ''))).join(', ');
  return `async function isSigned(${list})${typed(place, ': Promise<boolean>')} {
  const bytes = header?.match(/\\bv1=([0-9a-f]{64})\\b/)?.[1]?.match(/../g) ?? [];
  const received = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, received, body);
}`;
}

function isTyped({ languageId }: Place): boolean {
  return languageId.startsWith('typescript');
}

/** Returns the type where the language has types. */
export function typed(place: Place, type: string): string {
  return isTyped(place) ? type : '';
}

/** Returns the name of the variable that has such a value, or a parameter with a usual name for such values. */
function findName(text: string, value: RegExp): string | undefined {
  const declared = new RegExp(
    `\\b(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=\\n]+)?=\\s*(?:${value.source})`,
    value.flags,
  );
  const parameter = /[(,]\s*(app|router|server|fastify)\s*[:,)]/;
  return (declared.exec(text) ?? parameter.exec(text))?.[1];
}
