import type { Context } from 'hono';
import { IdSchema } from '#contract/common.ts';
import { notFound } from './api-error.ts';

/**
 * An id in the path. What cannot be one is not there, and never reaches the database.
 * @throws {ApiError} not_found
 */
export function readId(c: Context, name = 'id'): string {
  const id = IdSchema.safeParse(c.req.param(name));
  if (!id.success) throw notFound();
  return id.data;
}
