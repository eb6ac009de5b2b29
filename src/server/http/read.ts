import * as z from 'zod/mini';
import { IdSchema } from '#contract/common.ts';
import type { HttpContext } from './api.ts';
import { ApiError, notFound, type Problem } from './api-error.ts';
import { isListParam } from './list-query.ts';

const BODY_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 20;

/**
 * Parses a JSON body of at most 64 KiB, or another limit, with a schema.
 * @throws {ApiError} unsupported_media_type, payload_too_large, malformed_request, invalid_input, unknown_field
 */
export async function readJson<Schema extends z.ZodMiniType>(
  c: HttpContext,
  schema: Schema,
  limit = BODY_LIMIT,
): Promise<z.infer<Schema>> {
  const type = c.req.header('content-type') ?? '';
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (!/^application\/json\s*(;|$)/i.test(type) || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type');
  }
  return check(schema, parseJson(await readText(c, limit)));
}

/**
 * Validates a value with a schema.
 * @throws {ApiError} invalid_input or unknown_field, with one error per problem and its field
 */
export function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    const unstorable = findUnstorable(result.data);
    if (unstorable === null) return result.data;
    throw new ApiError('invalid_input', unstorable === '' ? {} : { field: unstorable });
  }
  const problems = result.error.issues.flatMap(listProblems);
  const [first, ...more] = problems;
  throw new ApiError(
    first?.code ?? 'invalid_input',
    { ...(first?.field ? { field: first.field } : {}) },
    more,
  );
}

/**
 * Reads a body as text, at most 64 KiB regardless of Content-Length.
 * @throws {ApiError} payload_too_large, malformed_request
 */
export async function readText(c: HttpContext, limit = BODY_LIMIT): Promise<string> {
  const bytes = await readBytes(c, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('malformed_request');
  }
}

/**
 * The path of a text that PostgreSQL stores in no column: with a NUL character or a lone surrogate. Null if there is none.
 */
function findUnstorable(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path.join('.');
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const invalidPath = isStorable(key) ? findUnstorable(inside, [...path, key]) : path.join('.');
    if (invalidPath !== null) return invalidPath;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

async function readBytes(c: HttpContext, limit: number): Promise<Uint8Array> {
  try {
    return await readAtMost(c, limit);
  } catch (error) {
    // The caller has ended the connection. Its error would look like that of a lost database.
    throw error instanceof ApiError ? error : new ApiError('malformed_request');
  }
}

async function readAtMost(c: HttpContext, limit: number): Promise<Uint8Array> {
  const length = c.req.header('content-length');
  if (length !== undefined) {
    if (Number(length) > limit) throw new ApiError('payload_too_large');
    // Node delivers no more than that. A stream of the body would cost several times as much.
    const bytes = new Uint8Array(await c.req.raw.arrayBuffer());
    if (bytes.byteLength > limit) throw new ApiError('payload_too_large');
    return bytes;
  }
  const { body } = c.req.raw;
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new ApiError('payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(text: string): unknown {
  try {
    if (measureDepth(text) > DEPTH_LIMIT) throw new ApiError('malformed_request');
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request');
  }
}

/** Deepest nesting, counted before parsing, because a parser may not return from 15,000 brackets. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

function listProblems(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => problem('unknown_field', [...path, key]));
  }
  return [problem('invalid_input', path)];
}

function problem(code: Problem['code'], path: readonly string[]): Problem {
  return { code, ...(path.length > 0 ? { field: path.join('.') } : {}) };
}

const MAX_PAIRS = 60;
const ENTRY = /^(\w+)\[([^[\]]*)\]$/;

/** The names of a path's `{name}` parts. */
export function listParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * The values of a path's parts. An invalid id is not found and never reaches the database.
 * @throws {ApiError} not_found
 */
export function readParams(c: HttpContext, names: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of names) {
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
