import { formatList } from '#messages/intl.ts';
import { textLanguage } from './page-language.ts';

/** "Orcas, Shaw", "Orcas, Shaw und Lopez" */
export function listNames(names: readonly string[]): string {
  return formatList(textLanguage(), names, { type: 'unit' });
}
