import { appendFileSync } from 'node:fs';
import pg from 'pg';

/*
 * Loaded into the server's process before anything else: notes every statement that it sends to PostgreSQL, with
 * its values, one JSON line each, in the file that RECORD_STATEMENTS names.
 */

const file = process.env.RECORD_STATEMENTS ?? '';
const send = pg.Client.prototype.query;

pg.Client.prototype.query = function record(this: pg.Client, ...given: unknown[]) {
  const [statement, values] = given as [string | { text: string; values?: unknown[] }, unknown];
  const text = typeof statement === 'string' ? statement : statement.text;
  const sent = Array.isArray(values) ? values : typeof statement === 'string' ? [] : (statement.values ?? []);
  appendFileSync(file, `${JSON.stringify({ text, values: sent })}\n`);
  return Reflect.apply(send, this, given);
} as typeof send;
