import type * as z from 'zod/mini';
import type { CamelKey } from '#contract/camel-case.ts';

/** The fields of a sent object under their names in the code; instants may be dates, and optional fields undefined. */
type Presentable<Sent> = {
  [Key in keyof Sent as CamelKey<Key & string>]: Sent[Key] | DateFor<Sent[Key]> | OptionalAs<Sent[Key]>;
};
type DateFor<Value> = string extends Value ? Date : never;
type OptionalAs<Value> = undefined extends Value ? undefined : never;

/**
 * Picks what a schema describes from a row: its fields by their names in camel case, dates as ISO UTC. Other fields of
 * the row are not sent.
 */
export function present<Schema extends z.ZodMiniObject>(
  schema: Schema,
  row: Presentable<z.infer<Schema>>,
): z.infer<Schema> {
  const sent: Record<string, unknown> = {};
  for (const [name, field] of listFields(schema)) {
    const value = (row as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined) sent[name] = value instanceof Date ? value.toISOString() : value;
  }
  return sent as z.infer<Schema>;
}

const fieldsOfSchemas = new WeakMap<z.ZodMiniObject, [name: string, field: string][]>();

function listFields(schema: z.ZodMiniObject): [name: string, field: string][] {
  const cached = fieldsOfSchemas.get(schema);
  if (cached) return cached;
  const fields = Object.keys(schema.shape).map((name): [string, string] => [
    name,
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ]);
  fieldsOfSchemas.set(schema, fields);
  return fields;
}
