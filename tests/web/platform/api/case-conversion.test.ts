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
  test('gives screens camel case keys at every depth and leaves values alone', () => {
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

  test('sends snake case keys at every depth', () => {
    expect(snakeCased({ holdId: '1', contact: { pendingEmail: '' }, list: [{ lastFour: '4242' }] })).toEqual({
      hold_id: '1',
      contact: { pending_email: '' },
      list: [{ last_four: '4242' }],
    });
  });

  test('leaves alone what another standard spells', () => {
    const response = { rawId: 'a', response: { clientDataJSON: 'b' } };
    expect(snakeCased({ firstKey: 1, response: new Verbatim(response) })).toEqual({ first_key: 1, response });
  });

  test.each(['id', 'pending_email', 'a_b_c', 'max_vehicle_length_cm', 'mfa_required'])(
    'brings %s back as it was',
    (key) => expect(snakeKey(camelKey(key))).toBe(key),
  );

  test('remembers a key it has converted', () => {
    let runs = 0;
    const cache = keyCache((key) => {
      runs += 1;
      return key;
    });
    cache.convert('a');
    cache.convert('a');
    expect(runs).toBe(1);
  });

  test('never remembers more than 100000 keys', () => {
    const cache = keyCache((key) => key);
    for (let index = 0; index < 100_005; index += 1) cache.convert(`key${index}`);
    expect(cache.size()).toBeLessThanOrEqual(100_000);
    expect(cache.convert('key1')).toBe('key1');
  });

  test('remembers keys under 100 characters only, and converts longer ones all the same', () => {
    const cache = keyCache((key) => key.toUpperCase());
    cache.convert('k'.repeat(99));
    expect(cache.size()).toBe(1);
    expect(cache.convert('k'.repeat(100))).toBe('K'.repeat(100));
    expect(cache.size()).toBe(1);
  });

  test('is not misled by keys that objects have of their own', () => {
    expect(camelCased(JSON.parse('{"__proto__": {"is_admin": true}}') as object)).not.toHaveProperty(
      'isAdmin',
    );
    expect(camelKey('constructor')).toBe('constructor');
  });
});
