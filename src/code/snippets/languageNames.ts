import { ownValue } from '../../util/ownValue.ts';

/** VS Code's names of the languages that snippets support. */
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

/** Returns undefined for a language without its own code. */
export function languageName(languageId: string): string | undefined {
  return ownValue(NAMES, languageId);
}
