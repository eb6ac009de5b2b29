import type { Context } from 'hono';
import * as z from 'zod/mini';
import { DaySchema, IdSchema } from '#contract/common.ts';
import { type SailingsQuery, SailingsQuerySchema } from '#contract/sailings/schemas.ts';
import { addDays, daysBetween, isDay } from '#domain/days.ts';
import { ApiError } from '../http/api-error.ts';
import { check } from '../http/read.ts';

const MAX_PARAMS = 60;
const LONGEST_TIMETABLE_DAYS = 7;
const PASSENGERS = /^passengers\[([^[\]]*)\]$/;

const TimetableQuerySchema = z.strictObject({ from: z.optional(DaySchema), to: z.optional(DaySchema) });
const FaresQuerySchema = z.strictObject({ route_id: IdSchema, date: z.optional(DaySchema) });

/**
 * Query of a search for sailings, with `passengers[code]=n` folded into one field.
 * @throws {ApiError} invalid_input, unknown_field
 */
export function readSailingsQuery(c: Context): SailingsQuery {
  const fields = new Map<string, string>();
  const passengers = new Map<string, string>();
  for (const [name, value] of paramsOf(c)) {
    const code = PASSENGERS.exec(name)?.[1];
    if (code === undefined) fields.set(name, value);
    else passengers.set(code, value);
  }
  if (fields.has('passengers')) throw wrong('passengers');
  const folded = { ...Object.fromEntries(fields), passengers: Object.fromEntries(passengers) };
  const query = check(SailingsQuerySchema, folded);
  requireDay(query.date, 'date');
  return query;
}

/**
 * First and last day of a timetable: a week from today unless the query says otherwise.
 * @throws {ApiError} invalid_input, also for more than 7 days
 */
export function readTimetableQuery(c: Context, today: string): { from: string; to: string } {
  const query = check(TimetableQuerySchema, Object.fromEntries(paramsOf(c)));
  const from = requireDay(query.from ?? today, 'from');
  const to = requireDay(query.to ?? addDays(from, LONGEST_TIMETABLE_DAYS - 1), 'to');
  const days = daysBetween(from, to) + 1;
  if (days < 1 || days > LONGEST_TIMETABLE_DAYS) throw wrong('to');
  return { from, to };
}

/**
 * Route and service day fares are asked for; today unless the query says otherwise.
 * @throws {ApiError} invalid_input, unknown_field
 */
export function readFaresQuery(c: Context, today: string): { routeId: string; day: string } {
  const query = check(FaresQuerySchema, Object.fromEntries(paramsOf(c)));
  return { routeId: query.route_id, day: requireDay(query.date ?? today, 'date') };
}

/** The parameters in order; a name given twice is a mistake that would change what is asked. */
function paramsOf(c: Context): [string, string][] {
  const params = [...new URL(c.req.url).searchParams];
  if (params.length > MAX_PARAMS) throw new ApiError('invalid_input');
  const seen = new Set<string>();
  for (const [name] of params) {
    if (seen.has(name)) throw wrong(name.isWellFormed() ? name.slice(0, 64) : '');
    seen.add(name);
  }
  return params;
}

/** Days that do not exist, or lie outside of what a database can compare, are no days. */
function requireDay(day: string, field: string): string {
  if (!isDay(day) || day < '1900-01-01' || day > '2999-12-31') throw wrong(field);
  return day;
}

function wrong(field: string): ApiError {
  return new ApiError('invalid_input', field === '' ? {} : { field });
}
