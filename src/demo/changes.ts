import { isRecord } from '../util/isRecord.ts';
import { addStream, type DemoState, type DemoStream, hideFromReaders } from './demoState.ts';
import { type Answer, empty, failure, json } from './http.ts';
import { stopBroadcast, stopBroadcastSoon } from './simulation.ts';

const TERMINATE_PAUSE_MS = 5000;

export function answerCreate(state: DemoState, body: string): Answer {
  const read = readBody(body, NEW_STREAM);
  if ('refusal' in read) return read.refusal;
  const made = addStream(state, { ...(read.value as Partial<DemoStream>), projectId: state.projectId });
  hideFromReaders(state, made.id);
  return json(201, made);
}

export function answerPatch(state: DemoState, stream: DemoStream, body: string): Answer {
  const read = readBody(body, STREAM_PATCH);
  if ('refusal' in read) return read.refusal;
  const patch = read.value as Partial<DemoStream>;
  if (patch.record !== undefined && stream.isActive)
    return failure(400, 'record cannot be changed while the stream is active');
  Object.assign(stream, patch);
  if (patch.suspended && stream.isActive) stopBroadcastSoon(state, stream);
  return empty(204);
}

export function answerTerminate(state: DemoState, stream: DemoStream): Answer {
  const now = state.clock.now();
  const wait = (state.terminatedAt.get(stream.id) ?? Number.NEGATIVE_INFINITY) + TERMINATE_PAUSE_MS - now;
  if (wait > 0) {
    const seconds = String(Math.ceil(wait / 1000));
    return json(429, { errors: ['The stream was terminated a moment ago'] }, { 'retry-after': seconds });
  }
  state.terminatedAt.set(stream.id, now);
  stopBroadcast(state, stream);
  return empty(204);
}

export function answerDelete(state: DemoState, stream: DemoStream): Answer {
  stopBroadcast(state, stream);
  state.streams.delete(stream.id);
  state.deletedStreams.set(stream.id, stream);
  state.terminatedAt.delete(stream.id);
  return empty(204);
}

type Type = 'string' | 'boolean' | 'array';

interface BodyRule {
  readonly fields: Readonly<Record<string, Type>>;
  readonly required: readonly string[];
}

const NEW_STREAM: BodyRule = {
  fields: { name: 'string', record: 'boolean', profiles: 'array' },
  required: ['name'],
};
const STREAM_PATCH: BodyRule = {
  fields: { name: 'string', record: 'boolean', suspended: 'boolean' },
  required: [],
};

type ReadBody = { readonly value: Readonly<Record<string, unknown>> } | { readonly refusal: Answer };

/**
 * Reads a JSON body. Refuses with 400 if it is not JSON, and with 422 and a JSON-encoded entry per error if it breaks
 * the rule.
 */
function readBody(text: string, rule: BodyRule): ReadBody {
  const value = parse(text);
  if (value === undefined) return { refusal: failure(400, 'The body is not JSON') };
  if (!isRecord(value)) return { refusal: refuse([{ keyword: 'type', dataPath: '', message: 'should be object' }]) };
  const errors = [...findMissing(value, rule), ...findWrong(value, rule)];
  return errors.length > 0 ? { refusal: refuse(errors) } : { value };
}

interface Finding {
  readonly keyword: string;
  readonly dataPath: string;
  readonly message: string;
}

function refuse(findings: readonly Finding[]): Answer {
  return failure(422, ...findings.map((finding) => JSON.stringify(finding)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findMissing(value: Record<string, unknown>, rule: BodyRule): Finding[] {
  const missing = rule.required.filter((name) => !Object.hasOwn(value, name));
  return missing.map((name) => ({
    keyword: 'required',
    dataPath: '',
    message: `should have required property '${name}'`,
  }));
}

function findWrong(value: Record<string, unknown>, rule: BodyRule): Finding[] {
  return Object.entries(value).flatMap(([name, field]): Finding[] => {
    const type = Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
    if (type === undefined) {
      return [
        { keyword: 'additionalProperties', dataPath: `.${name}`, message: 'should NOT have additional properties' },
      ];
    }
    const isRight = type === 'array' ? Array.isArray(field) : typeof field === type;
    return isRight ? [] : [{ keyword: 'type', dataPath: `.${name}`, message: `should be ${type}` }];
  });
}
