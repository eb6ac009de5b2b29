import { expect, test } from 'vitest';
import type { FilterField } from '#contract/endpoint.ts';
import { createRouter } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import { type ListQuery, readListQuery } from '#server/http/list-query.ts';

const fields = {
  status: { type: 'choice', values: ['open', 'closed'] },
  reference: { type: 'text' },
  inserted_at: { type: 'instant' },
} as const satisfies Record<string, FilterField>;

async function read(search: string): Promise<ListQuery | string> {
  let outcome: ListQuery | string = 'not read';
  const app = createRouter().get('/', (c) => {
    try {
      outcome = readListQuery(c, { fields, pageSize: 10 });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      outcome = error.code;
    }
    return c.body(null);
  });
  await app.fetch(new Request(`http://localhost/?${search}`));
  return outcome;
}

function filter(index: number | string, field: string, op: string, ...values: string[]): string {
  const isList = op === 'in' || op === 'not_in';
  const pairs = new URLSearchParams();
  pairs.append(`filters[${index}][field]`, field);
  pairs.append(`filters[${index}][op]`, op);
  for (const value of values) pairs.append(`filters[${index}][value]${isList ? '[]' : ''}`, value);
  return pairs.toString();
}

test('A query without parameters is the first page of everything', async () => {
  expect(await read('')).toEqual({ page: 1, pageSize: 10, offset: 0, filters: [] });
});

test('Page and filters can be combined, lists repeat their value, and other parameters are ignored', async () => {
  const search = [
    'page=3',
    't=1',
    filter(0, 'status', 'in', 'open', 'closed'),
    filter(1, 'reference', 'ilike', 'K7%_\\'),
    filter(2, 'inserted_at', '>=', '2026-06-01T00:00:00Z'),
  ].join('&');
  expect(await read(search)).toEqual({
    page: 3,
    pageSize: 10,
    offset: 20,
    filters: [
      { field: 'status', op: 'in', values: ['open', 'closed'] },
      { field: 'reference', op: 'ilike', values: ['K7%_\\'] },
      { field: 'inserted_at', op: '>=', values: ['2026-06-01T00:00:00.000Z'] },
    ],
  });
});

test.each(['0', '-1', 'abc', '1.5', '1e9', '', ' 1', '+1', '01', '99999999999999999999', '１'])(
  'Page %j is refused',
  async (page) => {
    expect(await read(new URLSearchParams({ page }).toString())).toBe('invalid_input');
  },
);

test('Two pages are refused', async () => {
  expect(await read('page=1&page=2')).toBe('invalid_input');
});

test.each([
  ['an unknown field', filter(0, 'password_hash', '==', 'x')],
  ['a field of the prototype', filter(0, '__proto__', '==', 'x')],
  ['a field named constructor', filter(0, 'constructor', '==', 'x')],
  ['SQL as a field', filter(0, 'status; drop table orders', '==', 'x')],
  ['an unknown operator', filter(0, 'status', '= 1 or', 'open')],
  ['an operator of another type of field', filter(0, 'status', 'ilike', 'open')],
  ['an order among texts', filter(0, 'reference', '<', 'K')],
  ['a value that is no choice', filter(0, 'status', '==', 'ajar')],
  ['a value that is no instant', filter(0, 'inserted_at', '>', 'yesterday')],
  ['an instant in no year', filter(0, 'inserted_at', '>', '0000-01-01T00:00:00Z')],
  ['a month that is none', filter(0, 'inserted_at', '>', '2026-13-01T00:00:00Z')],
  ['no value', 'filters[0][field]=status&filters[0][op]=%3D%3D'],
  ['no operator', 'filters[0][field]=status&filters[0][value]=open'],
  ['two values where one goes', `${filter(0, 'status', '==', 'open')}&filters[0][value]=closed`],
  ['one value where a list goes', 'filters[0][field]=status&filters[0][op]=in&filters[0][value]=open'],
  ['a field twice', `${filter(0, 'status', '==', 'open')}&filters[0][field]=reference`],
  ['a hole in the numbering', `${filter(0, 'status', '==', 'open')}&${filter(2, 'status', '==', 'open')}`],
  ['a numbering that starts late', filter(1, 'status', '==', 'open')],
  ['a number that is none', filter('x', 'status', '==', 'open')],
  ['a padded number', filter('00', 'status', '==', 'open')],
  ['nesting', 'filters[0][field][x]=status'],
  ['no index', 'filters=status'],
  ['a NUL', filter(0, 'reference', '==', 'a\0b')],
  ['a very long value', filter(0, 'reference', '==', 'x'.repeat(201))],
  ['21 filters', Array.from({ length: 21 }, (_, index) => filter(index, 'status', '==', 'open')).join('&')],
  ['1,000 filters', Array.from({ length: 1000 }, (_, i) => filter(i, 'status', '==', 'open')).join('&')],
  ['101 values', filter(0, 'reference', 'in', ...Array.from({ length: 101 }, String))],
  ['10,000 values', filter(0, 'reference', 'in', ...Array.from({ length: 10_000 }, String))],
  ['2,000 parameters', Array.from({ length: 2000 }, (_, index) => `p${index}=1`).join('&')],
])('A filter with %s is refused', async (_, search) => {
  expect(await read(search)).toBe('invalid_input');
});

test('20 filters and 100 values are accepted', async () => {
  const twenty = Array.from({ length: 20 }, (_, index) => filter(index, 'status', '==', 'open')).join('&');
  expect(await read(twenty)).toMatchObject({ page: 1 });
  expect(await read(filter(0, 'reference', 'in', ...Array.from({ length: 100 }, String)))).toMatchObject({
    page: 1,
  });
});

test('The 30th of February is read as the 2nd of March', async () => {
  expect(await read(filter(0, 'inserted_at', '<', '2026-02-30T00:00:00Z'))).toMatchObject({
    filters: [{ values: ['2026-03-02T00:00:00.000Z'] }],
  });
});
