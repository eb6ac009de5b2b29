import { CODE_LENGTH } from '#contract/limits.ts';
import { parseTranslationKey, type Translations } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';

/** The columns that an import sets. */
export type Planned<Table extends { $inferSelect: object }> = Omit<Table['$inferSelect'], 'id' | 'active'>;
/** The range of measures in centimeters. */
export const CM = { min: 1, max: 100_000 };

/** Codes are used in queries and in fares.csv, so they are short and simple. */
export function typeCode(row: Row): string {
  const code = row.required('code');
  if (code !== '' && (!/^[a-z][a-z0-9_]*$/.test(code) || code.length > CODE_LENGTH)) {
    row.problem(
      'code',
      `A code is 1 to ${CODE_LENGTH} small letters, digits or underscores, beginning with a letter.`,
    );
  }
  return code;
}

/** Notes names that are longer than their limit, in any language. */
export function requireShortNames(
  row: Row,
  { name, translations }: { name: string; translations: Translations },
  limit: number,
): void {
  for (const [column, text] of Object.entries({ name, ...translations })) {
    const field = parseTranslationKey(column)?.field ?? column;
    if (field === 'name' && text.length > limit) {
      row.problem(column, `A name has ${limit} characters at most.`);
    }
  }
}

export function addUnique<Value>(map: Map<string, Value>, row: Row, column: string, value: Value): void {
  const key = row.required(column);
  if (map.has(key)) row.problem(column, `${key} is there twice.`);
  map.set(key, value);
}
