// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { queryString } from '#web/platform/api/query-string.ts';

const plain = (input: Parameters<typeof queryString>[0]) => decodeURIComponent(queryString(input));

describe('query strings', () => {
  test('are empty without parameters', () => {
    expect(queryString({})).toBe('');
    expect(queryString({ query: { a: undefined, b: null } })).toBe('');
  });

  test('write a filter as field, op and value', () => {
    expect(plain({ filters: [{ field: 'status', op: '==', value: 'confirmed' }] })).toBe(
      '?filters[0][field]=status&filters[0][op]===&filters[0][value]=confirmed',
    );
  });

  test.each(['in', 'not_in'] as const)('repeat the value of %s with brackets', (op) => {
    expect(plain({ filters: [{ field: 'status', op, value: ['confirmed', 'canceled'] }] })).toBe(
      `?filters[0][field]=status&filters[0][op]=${op}&filters[0][value][]=confirmed&filters[0][value][]=canceled`,
    );
  });

  test('number several filters and combine them with a page', () => {
    expect(
      plain({
        filters: [
          { field: 'departs_at', op: '>=', value: '2026-01-01' },
          { field: 'reference', op: 'ilike', value: 'K7' },
        ],
        page: 3,
      }),
    ).toBe(
      '?filters[0][field]=departs_at&filters[0][op]=>=&filters[0][value]=2026-01-01' +
        '&filters[1][field]=reference&filters[1][op]=ilike&filters[1][value]=K7&page=3',
    );
  });

  test('escape characters that would end a value', () => {
    expect(queryString({ filters: [{ field: 'a', op: '<', value: '1&page=2' }] })).toContain('1%26page%3D2');
  });

  test('write parameter names in snake case and a record as name[key]', () => {
    expect(plain({ query: { routeId: 'r', passengers: { adultPlus: 2 } } })).toBe(
      '?route_id=r&passengers[adultPlus]=2',
    );
  });
});
