import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import type { Field } from '../../../src/agents/input.ts';
import { TOOLS } from '../../../src/agents/tools.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { inProject } from '../../support/projectFolder.ts';

const { languageModelTools: declared, chatSkills: skills } = manifest.contributes;

function schemaOf(field: Field): Readonly<Record<string, unknown>> {
  switch (field.kind) {
    case 'text':
      return { type: 'string', minLength: 1, maxLength: field.longest };
    case 'id':
      return { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
    case 'boolean':
      return { type: 'boolean' };
    case 'word':
      return { type: 'string', enum: field.words };
    case 'wholeNumber':
      return { type: 'integer', minimum: field.least, maximum: field.most };
  }
}

describe('The tools that package.json declares', () => {
  it('are those that there are', () => {
    assert.deepEqual(fieldsOf(declared, 'name'), Object.keys(TOOLS));
  });

  for (const { name, inputSchema, when, canBeReferencedInPrompt, toolReferenceName } of declared) {
    it(`have the input of ${name}`, () => {
      const { fields = {}, isChange } = TOOLS[name] ?? {};
      const properties = Object.entries(inputSchema.properties).map(([key, { description, ...schema }]) => {
        assert.match(description, /\.$/, `${key} is described`);
        return [key, schema];
      });
      assert.deepEqual(
        properties,
        Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]),
      );
      const required = Object.keys(fields).filter((key) => fields[key]?.isRequired);
      assert.deepEqual('required' in inputSchema ? inputSchema.required : [], required);
      assert.equal(inputSchema.additionalProperties, false);
      const [setting, allowed] = ['config.liveStreams.agentTools', isChange ? '== readAndChange' : '!= off'];
      assert.equal(when, `${setting} ${allowed}`);
      assert.ok(canBeReferencedInPrompt && /^[\w-]+$/.test(toolReferenceName));
    });
  }

  it('are not among what ends, deletes, or suspends', () => {
    for (const { name } of declared) assert.doesNotMatch(name, /delete|end|suspend|remove|key/i);
  });
});

describe('The skill for agents', () => {
  it('is a file of less than 4 KB with the name of its folder, and names tools that there are', () => {
    for (const { path } of skills) {
      const text = readFileSync(inProject(path), 'utf8');
      assert.ok(Buffer.byteLength(text) < 4 * 1024);
      const [, name, description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
      assert.deepEqual([name, basename(path)], [basename(dirname(path)), 'SKILL.md']);
      assert.ok(description.length > 50 && description.length <= 1024);
      const named = [...text.matchAll(/\bliveStreams_\w+/g)].map(([tool]) => tool);
      const references = [...text.matchAll(/`#(\w+)`/g)].map(([, reference]) => reference);
      const known = declared.map(({ toolReferenceName }) => toolReferenceName);
      assert.deepEqual(
        [...named.filter((tool) => !(tool in TOOLS)), ...references.filter((each = '') => !known.includes(each))],
        [],
      );
    }
    assert.equal(skills.length, 1);
  });
});
