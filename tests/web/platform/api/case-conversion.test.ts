// @vitest-environment node
import { describe, expect, test } from 'vitest';
import {
  camelCased,
  camelKey,
  keyCache,
  snakeCased,
  snakeKey,
  Verbatim,
} from '#web/platform/api/case-conversion.ts';

describe('case conversion', () => {
  test('converts the keys of responses to camel case at every depth and does not change values', () => {
    const wire = {
      pending_email: 'a_b',
      legs: [{ departs_at: '2026-01-01T00:00:00Z', lat: null }],
      as_of: 1,
    };
    expect(camelCased(wire)).toEqual({
      pendingEmail: 'a_b',
      legs: [{ departsAt: '2026-01-01T00:00:00Z', lat: null }],
      asOf: 1,
    });
  });

  test('converts the keys of requests to snake case at every depth', () => {
    expect(snakeCased({ holdId: '1', contact: { pendingEmail: '' }, list: [{ lastFour: '4242' }] })).toEqual({
      hold_id: '1',
      contact: { pending_email: '' },
      list: [{ last_four: '4242' }],
    });
  });

  test('does not change the keys inside a Verbatim value', () => {
    const response = { rawId: 'a', response: { clientDataJSON: 'b' } };
    expect(snakeCased({ firstKey: 1, response: new Verbatim(response) })).toEqual({ first_key: 1, response });
  });

  test.each(['id', 'pending_email', 'a_b_c', 'max_vehicle_length_cm', 'mfa_required'])(
    'restores %s after both conversions',
    (key) => expect(snakeKey(camelKey(key))).toBe(key),
  );

  test('caches a converted key', () => {
    let runs = 0;
    const cache = keyCache((key) => {
      runs += 1;
      return key;
    });
    cache.convert('a');
    cache.convert('a');
    expect(runs).toBe(1);
  });

  test('never caches more than 100000 keys', () => {
    const cache = keyCache((key) => key);
    for (let index = 0; index < 100_005; index += 1) cache.convert(`key${index}`);
    expect(cache.size()).toBeLessThanOrEqual(100_000);
    expect(cache.convert('key1')).toBe('key1');
  });

  test('caches only keys under 100 characters, and converts longer ones too', () => {
    const cache = keyCache((key) => key.toUpperCase());
    cache.convert('k'.repeat(99));
    expect(cache.size()).toBe(1);
    expect(cache.convert('k'.repeat(100))).toBe('K'.repeat(100));
    expect(cache.size()).toBe(1);
  });

  test('handles keys that every object inherits, such as constructor', () => {
    expect(camelCased(JSON.parse('{"__proto__": {"is_admin": true}}') as object)).not.toHaveProperty(
      'isAdmin',
    );
    expect(camelKey('constructor')).toBe('constructor');
  });
});
