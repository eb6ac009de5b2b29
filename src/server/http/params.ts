import * as z from 'zod/mini';
import { IdSchema } from '#contract/common.ts';
import type { HttpContext } from './api.ts';
import { ApiError, notFound } from './api-error.ts';
import { isListParam } from './list-query.ts';
import { check } from './read.ts';

const MAX_PAIRS = 60;
const ENTRY = /^(\w+)\[([^[\]]*)\]$/;

/**
 * The values of a path's `{name}` parts. An invalid id is not found and never reaches the database.
 * @throws {ApiError} not_found
 */
export function readParams(c: HttpContext, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = c.req.param(name) ?? '';
    if (/^(.+_)?id$/.test(name) && !IdSchema.safeParse(value).success) throw notFound();
    params[name] = value;
  }
  return params;
}

/**
 * Parses the query, merging `name[key]=value` into the schema's records. A repeated name is refused, because its
 * meaning would be ambiguous.
 * @throws {ApiError} invalid_input, unknown_field
 */
export function readQuery<Schema extends z.ZodMiniObject>(
  c: HttpContext,
  schema: Schema,
  { isList }: { isList: boolean },
): z.infer<Schema> {
  const records = new Map<string, [string, string][]>();
  for (const [name, property] of Object.entries(schema.def.shape)) {
    if (isRecord(property)) records.set(name, []);
  }
  const fields = new Map<string, string>();
  const pairs = [...new URL(c.req.url).searchParams].filter(([name]) => !(isList && isListParam(name)));
  if (pairs.length > MAX_PAIRS) throw new ApiError('invalid_input');
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (seen.has(name)) throw wrong(name);
    seen.add(name);
    const [, record = '', key = ''] = ENTRY.exec(name) ?? [];
    const entries = records.get(record);
    if (entries) entries.push([key, value]);
    else if (records.has(name)) throw wrong(name);
    else fields.set(name, value);
  }
  const folded = [...records].map(([name, entries]): [string, unknown] => [
    name,
    Object.fromEntries(entries),
  ]);
  return check(schema, { ...Object.fromEntries(fields), ...Object.fromEntries(folded) });
}

function isRecord(schema: z.core.$ZodType): boolean {
  const inner = schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema;
  return inner instanceof z.ZodMiniRecord;
}

function wrong(name: string): ApiError {
  const field = name.isWellFormed() ? name.slice(0, 64) : '';
  return new ApiError('invalid_input', field === '' ? {} : { field });
}
