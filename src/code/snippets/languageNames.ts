import { ownValue } from '../../util/ownValue.ts';

/** As VS Code names them, of those that code can be written in. */
const NAMES: Readonly<Record<string, string>> = {
  html: 'HTML',
  markdown: 'Markdown',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  javascriptreact: 'JavaScript JSX',
  typescriptreact: 'TypeScript JSX',
  vue: 'Vue',
  svelte: 'Svelte',
  python: 'Python',
  go: 'Go',
  swift: 'Swift',
  kotlin: 'Kotlin',
  dart: 'Dart',
  shellscript: 'Shell Script',
  json: 'JSON',
  jsonc: 'JSON with Comments',
  yaml: 'YAML',
};

/** The IDs of these languages. */
export const LANGUAGES: readonly string[] = Object.keys(NAMES);

/** Returns undefined for a language that has no code of its own. */
export function languageName(languageId: string): string | undefined {
  return ownValue(NAMES, languageId);
}
