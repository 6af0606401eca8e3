import assert from 'node:assert/strict';
import {
  filesOf,
  findMissingTexts,
  findTranslationFaults,
  findUnusedTexts,
  readCalls,
  readEnglish,
  readLanguages,
  readTranslation,
} from '../support/rules/texts.ts';

describe('The texts of a source', () => {
  const read = (body: string) => readCalls('src/a.ts', `import { t } from '@vscode/l10n';\n${body}`);

  it('are what it gives to t, wherever that is', () => {
    const { texts, faults } = read(
      "const a = () => t('One {0}', t('Two'));\nclass B { c = t('Three'); d() { return t('Four'); } }",
    );
    assert.deepEqual(Object.values(texts), ['One {0}', 'Two', 'Three', 'Four']);
    assert.deepEqual(faults, []);
  });

  it('have their comment in the key, as VS Code looks them up', () => {
    const { texts } = read("const a = () => t({ message: 'Open {0}', args: [1], comment: 'verb' });");
    assert.deepEqual(texts, { 'Open {0}/verb': 'Open {0}' });
  });

  const unreadable = {
    'a template': 'const a = () => t(`One`);',
    'a variable': 'const a = (b) => t(b);',
    'a choice': "const a = (b) => t(b ? 'One' : 'Two');",
    'an object without a comment': "const a = () => t({ message: 'One' });",
    't as a value': 'const a = (b) => b.map(t);',
    'a tagged template': 'const a = () => t`One`;',
  };
  for (const [what, body] of Object.entries(unreadable)) {
    it(`fail on what cannot be read from it: ${what}`, () => {
      assert.deepEqual(read(body).faults, ['src/a.ts:2 gives t something else than a text that is written there']);
    });
  }

  it('fail on a placeholder without a value, and on a value without a placeholder', () => {
    for (const call of ["t('{0} of {1}', b)", "t('One', b)", "t({ message: '{0}', comment: 'a number' })"]) {
      const { faults } = read(`const a = (b) => ${call};`);
      assert.deepEqual(faults, ['src/a.ts:2 gives t more or fewer values than placeholders']);
    }
  });

  it('fail on a text that is made before the language is known', () => {
    const early = ["const A = { b: t('One') };", "class A { static b = t('One'); }"];
    for (const body of early) {
      assert.deepEqual(read(body).faults, ['src/a.ts:2 calls t while it is imported, before the language is known']);
    }
  });

  it('fail on another name for t, under which no text would be found', () => {
    const { faults } = readCalls('src/a.ts', "import { t as translate } from '@vscode/l10n';");
    assert.deepEqual(faults, ['src/a.ts:1 gives t another name']);
  });

  it('are not those of another t', () => {
    assert.deepEqual(read("const a = (b: { t: (c: string) => void }) => b.t('One');").texts, {});
    assert.deepEqual(readCalls('src/a.ts', "const t = (a) => a; t('One');").texts, {});
  });
});

describe('A translation', () => {
  const faults = (english: string, translated: string) =>
    findTranslationFaults('de', { a: english }, { a: translated });

  it('may lack texts and hold unused ones, which are listed', () => {
    const english = { code: { a: 'A', b: 'B' }, manifest: { d: 'D' } };
    const translated = { code: { b: 'B', c: 'C' }, manifest: {} };
    assert.deepEqual(findTranslationFaults('de', english.code, translated.code), []);
    assert.deepEqual(findMissingTexts(english, translated), { code: { a: 'A' }, manifest: { d: 'D' } });
    assert.deepEqual(findUnusedTexts(english, translated), { code: { c: 'C' }, manifest: {} });
  });

  const different: readonly (readonly [string, string, string])[] = [
    ['{0} of {1}', '{0} von {2}', 'other placeholders'],
    ['{0} of {1}', '{0} von', 'other placeholders'],
    ['See\n[Log](command:a.b)', 'Siehe\n[Protokoll](command:a.c)', 'other links'],
    ['`0` turns it off', '0 schaltet es aus', 'other code'],
    ['One\n[Two](command:a)', 'Eins [Zwei](command:a)', 'another number of lines'],
    ['Rename…', 'Umbenennen...', 'another end'],
    ['Rename', '', 'no text'],
  ];
  for (const [english, translated, what] of different) {
    it(`fails with ${what}: ${JSON.stringify(translated)}`, () => {
      assert.deepEqual(faults(english, translated), [`de has ${what} in: a`]);
    });
  }

  it('may order and repeat placeholders as its language wants', () => {
    assert.deepEqual(faults('{0} of {1}', '{1} 件中 {0} 件 ({1})'), []);
  });
});

describe('This project', () => {
  const english = readEnglish();

  it('has every text where a translation finds it', () => {
    assert.ok(Object.keys(english.code).length > 500, 'the texts were not found');
    assert.deepEqual(english.faults, []);
  });

  it('is there in five languages', () => {
    assert.deepEqual(readLanguages(), ['de', 'es', 'fr', 'ja', 'zh-cn']);
  });

  for (const language of readLanguages()) {
    it(`is well formed in ${language}`, () => {
      const files = filesOf(language);
      const { code, manifest } = readTranslation(language);
      assert.deepEqual(
        [
          ...findTranslationFaults(files.code, english.code, code),
          ...findTranslationFaults(files.manifest, english.manifest, manifest),
        ],
        [],
      );
    });

    it(`is complete in ${language}, and has nothing that is no longer used`, () => {
      const translation = readTranslation(language);
      const none = { code: {}, manifest: {} };
      assert.deepEqual(findMissingTexts(english, translation), none);
      assert.deepEqual(findUnusedTexts(english, translation), none);
    });
  }
});
