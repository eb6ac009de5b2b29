import fc from 'fast-check';

type Schema = Record<string, unknown>;

/** Values that often match a JSON schema, for the kinds of schema that the contract uses. */
export function fittingJson(schema: Schema): fc.Arbitrary<unknown> {
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return fc.oneof(...options.map(fittingJson));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (schema.type) {
    case 'string':
      return fittingText(schema);
    case 'integer':
    case 'number':
      return fc.integer({
        min: (schema.minimum as number | undefined) ?? -1000,
        max: Math.min((schema.maximum as number | undefined) ?? 1000, 2 ** 31 - 1),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fittingJson((schema.items as Schema | undefined) ?? {}), {
        minLength: (schema.minItems as number | undefined) ?? 0,
        maxLength: Math.min((schema.maxItems as number | undefined) ?? 3, 4),
      });
    case 'object':
      return fittingObject(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Invalid values of every kind, accidental and malicious. */
export function hostileJson(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...HOSTILE) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.double() },
  );
}

/** A matching object in which one field, or an additional one, is invalid. */
export function damagedJson(schema: Schema): fc.Arbitrary<unknown> {
  const names = [...Object.keys((schema.properties as Schema | undefined) ?? {}), 'role', '__proto__', ''];
  return fc
    .tuple(fittingJson(schema), fc.constantFrom(...names), hostileJson())
    .map(([value, name, hostile]) =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries([...Object.entries(value), [name, hostile]])
        : hostile,
    );
}

const HOSTILE: readonly unknown[] = [
  null,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  "' or 1=1 --",
  '%00',
  '../../x',
  '<img src=x onerror=alert(1)>',
  'x'.repeat(5000),
  '２',
  '1e9',
  'NaN',
  0,
  -1,
  1.5,
  1e9,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  [],
  {},
  [[]],
  [null],
  { $ne: null },
  { toString: 1 },
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '0000-01-01',
  '9999-12-31T23:59:59Z',
];

function fittingText(schema: Schema): fc.Arbitrary<string> {
  const pattern = schema.pattern as string | undefined;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return fc.string({
    minLength: (schema.minLength as number | undefined) ?? 0,
    maxLength: Math.min((schema.maxLength as number | undefined) ?? 40, 60),
  });
}

function fittingObject(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
  const required = ((schema.required as string[] | undefined) ?? []).filter((name) =>
    properties.some(([property]) => property === name),
  );
  return fc.record(Object.fromEntries(properties.map(([name, each]) => [name, fittingJson(each)])), {
    requiredKeys: required,
  });
}
