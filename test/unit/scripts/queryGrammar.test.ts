import assert from 'node:assert/strict';
import { findQueryGrammar } from '../../scripts/queryGrammar.ts';
import type { Sources } from '../../support/rules/importGraph.ts';

/** Sources by their path in src. */
function inSrc(files: Readonly<Record<string, string>>): Sources {
  return new Map(Object.entries(files).map(([path, source]) => [`src/${path}`, source]));
}

describe('The places with query grammar', () => {
  const placesOf = (source: string) => findQueryGrammar(inSrc({ 'host/a.ts': source }));

  const queries = {
    'passed to a list method': 'api.listStreams({ parentsOnly: true })',
    'passed with a condition': 'api.listSessions(id, cursor === undefined ? query : { ...query, cursor })',
    'spread into what is passed': 'api?.listUserSessions({ limit: 1, ...(all ? {} : { cursor }) })',
    'passed through a variable': "const query = { order: 'createdAt-true' } as const; api.eachStreamPage(query)",
    'passed through a variable and a function': 'const query = { filters }; api.listStreams(withCursor(query, cursor))',
    annotated: 'const FIRST: StreamQuery = { parentsOnly: true, filters: [{ id: "isActive", value: true }] }',
  };
  for (const [what, source] of Object.entries(queries)) {
    it(`count one query: ${what}`, () => assert.deepEqual(placesOf(source), ['src/host/a.ts:1: query']));
  }

  it('count a filter that stands alone', () => {
    assert.deepEqual(placesOf("const filters = [\n  { id: 'name', value: text },\n];"), ['src/host/a.ts:2: filter']);
  });

  it('count an order as a text, a template and a type', () => {
    const source = `let a = 'createdAt-true,id-true';\nlet b = \`\${field}-true,id-false\`;\ntype C = 'lastSeen-true';`;
    assert.deepEqual(placesOf(source), ['src/host/a.ts:1: order', 'src/host/a.ts:2: order', 'src/host/a.ts:3: order']);
  });

  const others = {
    'the filters of a dialog': "ui.saveFile({ fileName, filters: { Picture: ['png'] } })",
    'the cursor of a plot': 'const plot = { cursor: { show: false } };',
    'a bookmark': 'const BEGINNING: Bookmark = { paging: startPaging(), cursor: undefined };',
    'a query with a limit alone': 'api.listStreams({ limit: 1 })',
    'an object in a function that is passed by name': 'const read = () => show({ order: 1 }); api.listStreams(read)',
    'a row with more than id and value': "const row = { id: 'a', value: 1, label: 'A' };",
    'a text with more than an order': "let a = 'not createdAt-true';",
    'a comment': '// createdAt-true, { filters: [] }',
  };
  for (const [what, source] of Object.entries(others)) {
    it(`leave out ${what}`, () => assert.deepEqual(placesOf(source), []));
  }

  it('leave out the API, the account and the demo', () => {
    const source = 'api.listStreams({ parentsOnly: true })';
    const files = { 'api/a.ts': source, 'demo/a.ts': source, 'model/account/b.ts': source, 'model/c.ts': source };
    assert.deepEqual(findQueryGrammar(inSrc(files)), ['src/model/c.ts:1: query']);
  });
});
