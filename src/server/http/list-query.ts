import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { FILTER_OPERATORS, type FilterOperator, InstantSchema, type PageMeta } from '#contract/common.ts';
import type { FilterField } from '#contract/endpoint.ts';
import type { HttpContext } from './api.ts';
import { ApiError } from './api-error.ts';

const MAX_FILTERS = 20;
const MAX_VALUES = 100;
const MAX_TEXT = 200;
const MAX_PAIRS = 200;
const PAGE = /^[1-9]\d{0,8}$/;
const FILTER_KEY = /^filters\[(0|[1-9]\d{0,2})\]\[(field|op|value)\](\[\])?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A validated condition: values have the field's type; several only for in and not_in. */
export type ListFilter<Field extends string = string> = {
  field: Field;
  op: FilterOperator;
  values: readonly string[];
};
export type ListQuery<Field extends string = string> = {
  page: number;
  pageSize: number;
  offset: number;
  filters: readonly ListFilter<Field>[];
};

const OPERATORS: Record<FilterField['type'], readonly FilterOperator[]> = {
  text: ['==', 'ilike', 'in', 'not_in'],
  instant: ['==', '<', '>', '<=', '>='],
  choice: ['==', 'in', 'not_in'],
};

/**
 * Parses `page` and `filters[i][field|op|value]` of a list.
 * @throws {ApiError} invalid_input, naming the parameter, for anything else
 */
export function readListQuery<Field extends string>(
  c: HttpContext,
  { fields, pageSize }: { fields: Readonly<Record<Field, FilterField>>; pageSize: number },
): ListQuery<Field> {
  const pairs = [...new URL(c.req.url).searchParams];
  if (pairs.length > MAX_PAIRS) throw wrong('filters');
  const page = readPage(pairs);
  const filters = collectFilters(pairs).map((raw, index) => readFilter(raw, index, fields));
  if (filters.reduce((sum, filter) => sum + filter.values.length, 0) > MAX_VALUES) throw wrong('filters');
  return { page, pageSize, offset: (page - 1) * pageSize, filters };
}

/** Whether a query parameter belongs to the list rather than the call's own query. */
export function isListParam(name: string): boolean {
  return name === 'page' || name.startsWith('filters');
}

const COMPARISONS = { '==': sql`=`, '<': sql`<`, '>': sql`>`, '<=': sql`<=`, '>=': sql`>=` };

/** The SQL of one filter on a column or expression. */
export function filterCondition(column: SQLWrapper, { op, values }: Omit<ListFilter, 'field'>): SQL {
  const [first = ''] = values;
  switch (op) {
    case 'ilike':
      return sql`${column} ilike ${`%${escapeWildcards(first)}%`} escape '\\'`;
    case 'in':
      return sql`${column} in (${toSqlList(values)})`;
    case 'not_in':
      return sql`${column} not in (${toSqlList(values)})`;
    default:
      return sql`${column} ${COMPARISONS[op]} ${first}`;
  }
}

/** Position of the response within the list. */
export function pageMeta({ page, pageSize }: ListQuery, totalCount: number): PageMeta {
  return {
    page,
    page_size: pageSize,
    total_pages: Math.ceil(totalCount / pageSize),
    total_count: totalCount,
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];
type RawFilter = { field?: string; op?: string; values: string[]; isList: boolean };

function readPage(pairs: Pairs): number {
  const given = pairs.filter(([name]) => name === 'page');
  const [only] = given;
  if (!only) return 1;
  if (given.length > 1 || !PAGE.test(only[1])) throw wrong('page');
  return Number(only[1]);
}

/** Filters by index, which must run 0, 1, 2…: a gap is a client's mistake that would change the result. */
function collectFilters(pairs: Pairs): RawFilter[] {
  const byIndex = new Map<number, RawFilter>();
  for (const [name, value] of pairs) {
    if (!name.startsWith('filters')) continue;
    const [matched, index, part, list] = FILTER_KEY.exec(name) ?? [];
    if (matched === undefined || CONTROL.test(value) || value.length > MAX_TEXT || !value.isWellFormed()) {
      throw wrong('filters');
    }
    const filter: RawFilter = byIndex.get(Number(index)) ?? { values: [], isList: false };
    byIndex.set(Number(index), filter);
    addPart(filter, part as 'field' | 'op' | 'value', value, list !== undefined);
  }
  const filters = Array.from({ length: byIndex.size }, (_, index) => byIndex.get(index));
  if (filters.length > MAX_FILTERS || filters.includes(undefined)) throw wrong('filters');
  return filters as RawFilter[];
}

function addPart(filter: RawFilter, part: 'field' | 'op' | 'value', value: string, isList: boolean): void {
  if (part === 'value') {
    if (filter.values.length > 0 && !(isList && filter.isList)) throw wrong('filters');
    filter.values.push(value);
    filter.isList = isList;
    return;
  }
  if (isList || filter[part] !== undefined) throw wrong('filters');
  filter[part] = value;
}

function readFilter<Field extends string>(
  { field, op, values, isList }: RawFilter,
  index: number,
  fields: Readonly<Record<Field, FilterField>>,
): ListFilter<Field> {
  const at = (part: string) => wrong(`filters.${index}.${part}`);
  if (field === undefined || !Object.hasOwn(fields, field)) throw at('field');
  const definition = fields[field as Field];
  const operator = FILTER_OPERATORS.find((each) => each === op);
  if (operator === undefined || !OPERATORS[definition.type].includes(operator)) throw at('op');
  const takesList = operator === 'in' || operator === 'not_in';
  if (values.length === 0 || isList !== takesList) throw at('value');
  if (!values.every((value) => isValidValue(definition, value))) throw at('value');
  // JavaScript accepts February 30 as a day in March; PostgreSQL would refuse it.
  const read = definition.type === 'instant' ? values.map((value) => new Date(value).toISOString()) : values;
  return { field: field as Field, op: operator, values: read };
}

function isValidValue(field: FilterField, value: string): boolean {
  if (field.type === 'text') return true;
  if (field.type === 'choice') return field.values.includes(value);
  // PostgreSQL has no year 0.
  return InstantSchema.safeParse(value).success && Date.parse(value) >= Date.parse('0001-01-01T00:00:00Z');
}

function toSqlList(values: readonly string[]): SQL {
  return sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
}

function escapeWildcards(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function wrong(field: string): ApiError {
  return new ApiError('invalid_input', { field });
}
