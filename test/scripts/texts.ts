// npm run texts                      lists for each language what has no translation, and translations that nothing uses
// npm run texts -- LANGUAGE          prints the texts without a translation: {"code": {…}, "manifest": {…}}
// npm run texts -- LANGUAGE FILE     adds the translations in a file of that form, and removes those that nothing uses
// LANGUAGE is VS Code's name for it ("de", "zh-cn"). The English texts are the keys of "code"; translate the values in both.
import { readFileSync } from 'node:fs';
import {
  findMissingTexts,
  findUnusedTexts,
  readEnglish,
  readLanguages,
  readTranslation,
  type Translation,
  writeTranslation,
} from '../support/rules/texts.ts';

const [language, file] = process.argv.slice(2);
const english = readEnglish();

if (language === undefined) listAll();
else if (!/^[a-z]{2,3}(-[a-z]+)?$/.test(language)) {
  throw new Error('Name the language as VS Code does: npm run texts -- de');
} else if (file === undefined) {
  console.log(JSON.stringify(findMissingTexts(english, readTranslation(language)), undefined, 2));
} else addTexts(language, JSON.parse(readFileSync(file, 'utf8')));

function listAll(): void {
  for (const each of readLanguages()) {
    const present = readTranslation(each);
    const missing = keysOf(findMissingTexts(english, present));
    const unused = keysOf(findUnusedTexts(english, present));
    console.log(`${each}: ${missing.length} texts without a translation, ${unused.length} translations without a use`);
    for (const key of missing) console.log(`  missing: ${key}`);
    for (const key of unused) console.log(`  unused: ${key}`);
  }
}

function keysOf({ code, manifest }: Translation): readonly string[] {
  return [...Object.keys(code), ...Object.keys(manifest)];
}

function addTexts(name: string, added: Partial<Translation>): void {
  const { code, manifest } = readTranslation(name);
  const all = { code: { ...code, ...added.code }, manifest: { ...manifest, ...added.manifest } };
  writeTranslation(name, all, english);
}
