import type { CamelKey } from '#contract/camel-case.ts';

const CACHE_LIMIT = 100_000;
const CACHED_KEY_LENGTH = 100;

/** A wire type in camel case. */
export type CamelCased<Wire> = Wire extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Wire extends object
    ? { [Key in keyof Wire as Key extends string ? CamelKey<Key> : Key]: CamelCased<Wire[Key]> }
    : Wire;

const camelKeys = keyCache((key) =>
  // Only a single underscore inside a key separates words.
  key.replace(/_+[a-z0-9]/g, (match, at: number) =>
    match.length === 2 && at > 0 ? match.charAt(1).toUpperCase() : match,
  ),
);
const snakeKeys = keyCache((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

export function camelCased<Wire>(value: Wire): CamelCased<Wire> {
  return convertKeys(value, camelKeys.convert) as CamelCased<Wire>;
}

/** A value whose keys are sent unchanged, such as a passkey's response, which another standard defines. */
export class Verbatim {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export function snakeCased(value: unknown): unknown {
  return convertKeys(value, snakeKeys.convert);
}

export function snakeKey(key: string): string {
  return snakeKeys.convert(key);
}

export function camelKey(key: string): string {
  return camelKeys.convert(key);
}

/** Keys repeat all the time, so they are cached. The limit protects against hostile answers. */
export function keyCache(rule: (key: string) => string) {
  const cache = new Map<string, string>();
  return {
    size: () => cache.size,
    convert(key: string): string {
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const converted = rule(key);
      if (key.length < CACHED_KEY_LENGTH) {
        if (cache.size >= CACHE_LIMIT) cache.clear();
        cache.set(key, converted);
      }
      return converted;
    },
  };
}

function convertKeys(value: unknown, convert: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => convertKeys(item, convert));
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Verbatim) return value.value;
  const converted: [string, unknown][] = Object.entries(value).map(([key, item]) => [
    convert(key),
    convertKeys(item, convert),
  ]);
  return Object.fromEntries(converted);
}
