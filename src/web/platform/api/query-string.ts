import type { Filter } from '#contract/common.ts';
import { snakeKey } from './case-conversion.ts';

type QueryValue = string | number | boolean | null | undefined;
export type QueryInput = {
  query?: Readonly<Record<string, QueryValue | Readonly<Record<string, QueryValue>>>> | undefined;
  filters?: readonly Filter[] | undefined;
  page?: number | undefined;
};

/** `?…`, or an empty string. Empty values are left out; a record is written as `name[key]=value`. */
export function queryString({ query = {}, filters = [], page }: QueryInput): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isRecord = typeof value === 'object' && value !== null;
    const entries = isRecord
      ? Object.entries(value).map(([key, item]) => [`${snakeKey(name)}[${key}]`, item] as const)
      : [[snakeKey(name), value] as const];
    for (const [key, item] of entries) {
      if (item !== undefined && item !== null) pairs.append(key, String(item));
    }
  }
  filters.forEach(({ field, op, value }, index) => {
    pairs.append(`filters[${index}][field]`, field);
    pairs.append(`filters[${index}][op]`, op);
    for (const [suffix, item] of listValues(op, value))
      pairs.append(`filters[${index}][value]${suffix}`, item);
  });
  if (page !== undefined) pairs.append('page', String(page));
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

function listValues(op: Filter['op'], value: Filter['value']): [suffix: string, item: string][] {
  const values = typeof value === 'object' ? value : [value];
  const repeats = op === 'in' || op === 'not_in';
  return values.map((item) => [repeats ? '[]' : '', String(item)]);
}
