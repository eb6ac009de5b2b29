import { findOfferedLanguage } from '#messages/languages.ts';
import { type Translations, translationKey } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';

/** A name in the feed. `field`: its column. */
type NameInFeed = { table: 'stops' | 'routes'; field: string; id: string; value: string };

/** The translations of a name, for the field `name`; those of the record before those of every equal name. */
export type FindTranslations = (name: NameInFeed) => Translations;

/**
 * Parses translations.txt: rows that name a record, rows that name a text, and rows of the older form, which has the text
 * in `trans_id` and no table.
 */
export function readTranslations(source: FeedInput): FindTranslations {
  const texts = new Map<string, Record<string, string>>();
  const unknown = new Set<string>();
  for (const row of readFeedTable(source, 'translations.txt')) {
    const key = findKey(row);
    const tag = row.text('language') || row.text('lang');
    if (tag === '') row.problem('language', 'A value is needed here.');
    const language = findOfferedLanguage(tag);
    const text = row.text('translation');
    if (language === null && tag !== '') unknown.add(tag);
    if (key === null || language === null || text === '') continue;
    texts.set(key, { ...texts.get(key), [translationKey('name', language)]: text });
  }
  if (unknown.size > 0) {
    source.problems.note(
      `not read: languages of translations.txt that the product does not have: ${[...unknown].join(', ')}`,
    );
  }
  return ({ table, field, id, value }) => ({
    ...texts.get(keyOf(value)),
    ...texts.get(keyOf(table, field, 'value', value)),
    ...texts.get(keyOf(table, field, 'record', id)),
  });
}

/** What a row translates; null if nothing can be found by it. */
function findKey(row: Row): string | null {
  const original = row.text('trans_id');
  if (original !== '') return keyOf(original);
  const [table, field] = [row.required('table_name'), row.required('field_name')];
  const id = row.text('record_id');
  if (id !== '') return keyOf(table, field, 'record', id);
  const value = row.text('field_value');
  return value === '' ? null : keyOf(table, field, 'value', value);
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}
