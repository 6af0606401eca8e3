// npm run texts -- LANGUAGE          prints what the language has no text for: {"code": {…}, "manifest": {…}}
// npm run texts -- LANGUAGE FILE     adds a file of that form with translated texts, and removes what is not used any more
// LANGUAGE is a name that VS Code has for it ("de", "zh-cn"). English texts are keys; in both parts the values are to be translated.
import { readFileSync } from 'node:fs';
import {
  readEnglish,
  readTranslation,
  type Texts,
  type Translation,
  writeTranslation,
} from '../support/rules/texts.ts';

const [language, file] = process.argv.slice(2);
if (language === undefined || !/^[a-z]{2,3}(-[a-z]+)?$/.test(language)) {
  throw new Error('Name a language as VS Code does: npm run texts -- de');
}
const english = readEnglish();
const present = readTranslation(language);
if (file === undefined) {
  const missing = { code: without(english.code, present.code), manifest: without(english.manifest, present.manifest) };
  console.log(JSON.stringify(missing, undefined, 2));
} else {
  const added: Partial<Translation> = JSON.parse(readFileSync(file, 'utf8'));
  const all = {
    code: { ...present.code, ...added.code },
    manifest: { ...present.manifest, ...added.manifest },
  };
  writeTranslation(language, all, english);
}

function without(texts: Texts, known: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => known[key] === undefined));
}
