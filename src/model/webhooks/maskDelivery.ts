import { type DeliveryDetails, MOST_OF_RESPONSE } from '../../api/webhooks.ts';
import { parseJson } from '../../util/parseJson.ts';
import { cut, truncate } from '../../util/text.ts';
import { createMask, MASK, print } from '../mask.ts';
import { isSignatureHeader } from './signature.ts';

/** The parts of a delivery, each cut to the length that a page shows at once. */
export interface DeliveryParts {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** JSON is formatted. */
  readonly body: string;
  readonly answer: string;
}

export interface MaskedDelivery {
  readonly masked: DeliveryParts;
  readonly revealed: DeliveryParts;
  readonly isJson: boolean;
  /** Whether the formatted body is cut in the parts. */
  readonly isCut: boolean;
}

export interface DeliverySecrets {
  /** Masked, but revealed at the user's request. */
  readonly known: readonly (string | undefined)[];
  /** The secret that signs the deliveries. Never in any part. */
  readonly signing: string | undefined;
}

export const SHOWN_CHARACTERS = 200_000;
/** Formatting and masking longer JSON would take too long. */
const MOST_PARSED = 1_000_000;
const MOST_HEADERS = 200;
const MOST_OF_LINE = 2000;
const SHORTEST_SECRET = 6;

// In a string that isn't JSON, such as a form, or JSON that was cut.
const NAMED_SECRETS =
  /((?:^|[\s"'{,?&])[\w-]{0,40}(?:keys?|secret|token|password|authorization)["']?\s{0,8}[:=]\s{0,8})("(?:[^"\\]|\\.)*|'[^'\n]*|[^\s"'&,}]+)/gi;

/** Returns the parts of a delivery for a page, with and without its secrets. The signature isn't a secret. */
export function maskDelivery(
  { request, response }: Pick<DeliveryDetails, 'request' | 'response'>,
  { known, signing }: DeliverySecrets,
): MaskedDelivery {
  const plain = (text: string) =>
    signing === undefined || signing.length < SHORTEST_SECRET ? text : text.replaceAll(signing, MASK);
  const given = plain(request?.body ?? '');
  const headers = Object.entries(request?.headers ?? {})
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ name: cut(name, MOST_OF_LINE), value: cut(plain(value), MOST_OF_LINE) }));
  const url = cut(plain(request?.url ?? ''), MOST_OF_LINE);
  const answer = truncate(plain(response?.body ?? ''), MOST_OF_RESPONSE);
  const json = readJson(given);
  const body = json === undefined ? given : print(json);
  const mask = createMask({ json, sent: secretHeaders(headers) }, known);
  const maskedBody =
    json === undefined ? maskNamed(mask.text('', truncate(body, SHOWN_CHARACTERS))) : print(mask.json(json));
  return {
    revealed: { url, headers, body: truncate(body, SHOWN_CHARACTERS), answer },
    masked: {
      url: mask.text('', url),
      headers: headers.map(({ name, value }) => ({
        name,
        value: isSignatureHeader(name) ? value : mask.text(name, value),
      })),
      body: truncate(maskedBody, SHOWN_CHARACTERS),
      answer: maskNamed(mask.text('', answer.length < MOST_OF_RESPONSE ? answer : withoutCutWord(answer))),
    },
    isJson: json !== undefined,
    isCut: body.length > SHOWN_CHARACTERS,
  };
}

/** Returns undefined unless it's an object or array that isn't too large or too deep to be printed. */
function readJson(text: string): object | undefined {
  if (text.length > MOST_PARSED) return undefined;
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return undefined;
  try {
    createMask(json).json(json);
    return json;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function secretHeaders(headers: DeliveryParts['headers']): object {
  return Object.fromEntries(
    headers.filter(({ name }) => !isSignatureHeader(name)).map(({ name, value }) => [name, value]),
  );
}

function maskNamed(text: string): string {
  return text.replace(NAMED_SECRETS, (_, before: string, value: string) => {
    const quote = /^["']/.exec(value)?.[0] ?? '';
    return `${before}${quote}${MASK}`;
  });
}

/** Replaces the last word of a string that was already cut, because it may be part of a secret. */
export function withoutCutWord(text: string): string {
  let end = text.length;
  while (end > 0 && /[\w.~+/=-]/.test(text.charAt(end - 1))) end -= 1;
  return end === text.length ? text : `${text.slice(0, end)}…`;
}
