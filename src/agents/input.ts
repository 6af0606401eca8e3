import { isId } from '../api/ids.ts';
import { isRecord } from '../util/isRecord.ts';
import { isBlank, joinTexts } from '../util/text.ts';
import { ToolProblem } from './answers.ts';

/** A property of a tool's input. `inputSchema` in package.json describes the same to models; VS Code checks nothing. */
export type Field = {
  readonly isRequired?: true;
} & (
  | { readonly kind: 'text'; readonly longest: number }
  | { readonly kind: 'id' | 'boolean' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'wholeNumber'; readonly least: number; readonly most: number }
);

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { readonly words: readonly (infer W)[] }
  ? W
  : F extends { readonly kind: 'wholeNumber' }
    ? number
    : F extends { readonly kind: 'boolean' }
      ? boolean
      : string;

export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly isRequired: true }
    ? ValueOf<F[Name]>
    : ValueOf<F[Name]> | undefined;
};

/** Returns the input if it matches the fields. Throws a ToolProblem that describes them without repeating the input. */
export function readInput<F extends Fields>(fields: F, given: unknown): InputOf<F> {
  const isInput = isRecord(given) && Object.keys(given).every((key) => Object.hasOwn(fields, key));
  if (!isInput || !Object.entries(fields).every(([name, field]) => accepts(field, ownValue(given, name)))) {
    throw wrongInput(fields);
  }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, ownValue(given, name)])) as InputOf<F>;
}

/** @param rule A rule that the fields alone don't express. */
export function wrongInput(fields: Fields, rule?: string): ToolProblem {
  const expected = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describeField(field)]));
  return new ToolProblem('The tool input is invalid.', {
    expected,
    next: joinTexts('Call the tool again with these properties and no others.', rule),
  });
}

function ownValue(given: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function accepts(field: Field, value: unknown): boolean {
  if (value === undefined) return field.isRequired !== true;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && value.length <= field.longest && !isBlank(value);
    case 'id':
      return isId(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'word':
      return field.words.some((word) => word === value);
    case 'wholeNumber':
      return Number.isInteger(value) && Number(value) >= field.least && Number(value) <= field.most;
  }
}

function describeField(field: Field): string {
  return `${describeKind(field)}${field.isRequired === true ? ', required' : ''}`;
}

function describeKind(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `text of 1 to ${field.longest} characters`;
    case 'id':
      return 'an ID: letters, digits, hyphens, and underscores';
    case 'boolean':
      return 'true or false';
    case 'word':
      return `one of ${field.words.map((word) => `"${word}"`).join(', ')}`;
    case 'wholeNumber':
      return `a whole number from ${field.least} to ${field.most}`;
  }
}
