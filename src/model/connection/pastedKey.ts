import { t } from '@vscode/l10n';
import { type ParsedApiKey, parseApiKey, refuse, withoutQuotes } from './baseUrl.ts';

/** Like parseApiKey, but strips quotation marks and the prefix that a key has in a header or an .env file. */
export function parsePastedKey(text: string): ParsedApiKey {
  const plain = text.trim().replace(/^((authorization:\s*)?bearer\s+|(export\s+)?[A-Z]\w*KEY=(?=.))/i, '');
  if (/^["'`]?https?:\/\//i.test(plain)) return refuse(t('This is a URL. Paste an API key.'));
  return parseApiKey(withoutQuotes(plain));
}
