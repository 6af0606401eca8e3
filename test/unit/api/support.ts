import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { StreamApi, type StreamApiOptions } from '../../../src/api/streamApi.ts';
import type { HttpRequest, HttpResponse, Log, Transport } from '../../../src/services.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { createPatientClock } from '../../support/model/testClock.ts';

export const KEY = 'secret-key-0123456789';
export const BASE = 'https://service.test/api';
/** What recording transports' clocks stand at. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** Half of what a test may take. */
const LONGEST_WAIT = 30_000;

export const patientClock = createPatientClock();

/** A log that can be read. */
export function recordingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (message: string, error?: unknown) =>
    void lines.push(`${level} ${message}${error === undefined ? '' : ` ${String(error)}`}`);
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export interface Canned {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string as it is, anything else as JSON; nothing: no body. */
  readonly body?: unknown;
}

/** Answers each request with what `answer` makes of it, or throws it when that is an error. */
function recordingTransport(answer: (request: HttpRequest, count: number) => Canned | Error) {
  const requests: HttpRequest[] = [];
  const transport: Transport = {
    async send(request): Promise<HttpResponse> {
      requests.push(request);
      const canned = answer(request, requests.length);
      if (canned instanceof Error) throw canned;
      const { status = 200, headers = {}, body } = canned;
      const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
      return { status, headers, body: new TextEncoder().encode(text) };
    },
  };
  /** Method and address below the base URL. */
  const asked = () => requests.map(({ method, url }) => `${method} ${url.replace(BASE, '')}`);
  return { transport, requests, asked };
}

export function apiOver(
  answer: (request: HttpRequest, count: number) => Canned | Error,
  options: Partial<StreamApiOptions> = {},
) {
  const recorded = recordingTransport(answer);
  const log = recordingLog();
  const { transport } = recorded;
  const api = new StreamApi({ baseUrl: BASE, apiKey: KEY, transport, clock: heldClock(NOW), log, ...options });
  return { ...recorded, api, log };
}

/** Waits until it is so, which takes little; fails with what never became so. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + LONGEST_WAIT;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`Not within ${LONGEST_WAIT / 1000} s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What it was rejected with. */
export function failureOf(sent: Promise<unknown>): Promise<unknown> {
  return sent.then(
    () => assert.fail('It was answered'),
    (error: unknown) => error,
  );
}

/** The reason of the ApiError that it was rejected with, and why. */
export async function reasonsOf(sent: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await failureOf(sent);
  assert.ok(isApiError(error), String(error));
  return [error.reason, error.why];
}
