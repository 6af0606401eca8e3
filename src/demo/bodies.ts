import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { type DemoResponse, failure } from './http.ts';

type Type = 'string' | 'boolean' | 'number' | 'object' | 'array';

/** The allowed fields of a JSON body. */
export interface BodyRule {
  readonly fields: Readonly<Record<string, Type>>;
  readonly required: readonly string[];
}

export type ReadBody = { readonly value: Readonly<Record<string, unknown>> } | { readonly refusal: DemoResponse };

// Like the public service: 400 if it isn't JSON; 422, with a JSON-encoded entry per error, if it breaks the rule.
export function readJsonBody(text: string, rule: BodyRule): ReadBody {
  const value = parseJson(text);
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

function refuse(findings: readonly Finding[]): DemoResponse {
  return failure(422, ...findings.map((finding) => JSON.stringify(finding)));
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
    const isRight = isOfType(field, type);
    return isRight ? [] : [{ keyword: 'type', dataPath: `.${name}`, message: `should be ${type}` }];
  });
}

function isOfType(field: unknown, type: Type): boolean {
  if (type === 'object') return isRecord(field);
  return type === 'array' ? Array.isArray(field) : typeof field === type;
}

const PROFILE: BodyRule = {
  fields: {
    ...{ name: 'string', width: 'number', height: 'number', bitrate: 'number', fps: 'number', fpsDen: 'number' },
    ...{ quality: 'number', gop: 'string', profile: 'string', encoder: 'string' },
  },
  required: ['width', 'name', 'height', 'bitrate', 'fps'],
};
const LEAST: Readonly<Record<string, number>> = { width: 128, height: 128, bitrate: 400, fps: 0 };

/** Returns why renditions can't be set; undefined if they can. */
export function refuseProfiles(profiles: readonly unknown[]): DemoResponse | undefined {
  const findings = profiles.flatMap((profile, at): Finding[] => {
    const path = `.profiles[${at}]`;
    if (!isRecord(profile)) return [{ keyword: 'type', dataPath: path, message: 'should be object' }];
    const small = Object.entries(LEAST).filter(([name, least]) => Number(profile[name]) < least);
    return [
      ...[...findMissing(profile, PROFILE), ...findWrong(profile, PROFILE)].map((finding) => ({
        ...finding,
        dataPath: path + finding.dataPath,
      })),
      ...small.map(([name, least]) => ({
        keyword: 'minimum',
        dataPath: `${path}.${name}`,
        message: `should be >= ${least}`,
      })),
    ];
  });
  return findings.length > 0 ? refuse(findings) : undefined;
}

/** Returns why tags can't be set; undefined if they can. */
export function refuseTags(tags: Readonly<Record<string, unknown>>): DemoResponse | undefined {
  const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const isTag = (value: unknown) => isPlain(value) || (Array.isArray(value) && value.every(isPlain));
  const wrong = Object.keys(tags).filter((name) => !isTag(tags[name]));
  const message = 'should match exactly one schema in oneOf';
  if (wrong.length > 0) {
    return refuse(wrong.map((name) => ({ keyword: 'oneOf', dataPath: `.userTags['${name}']`, message })));
  }
  return JSON.stringify(tags).length > 2048
    ? failure(400, 'userTags object is too large. Max size is 2048 characters')
    : undefined;
}

export function refuseFormat(dataPath: string, message: string): DemoResponse {
  return failure(422, JSON.stringify({ keyword: 'format', dataPath, message }));
}
