import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { JOB_NAMES } from './jobs.ts';

export type UnfinishedJob = { job: string; data: Record<string, string> };

/**
 * The jobs that wait or run and name what they are about. Jobs without data find their work in the tables, and are
 * scheduled or sent when a server starts. The queue's own jobs, of which there are some at the start of each minute, belong
 * to its process.
 */
export async function listUnfinishedJobs(tx: Database): Promise<UnfinishedJob[]> {
  const [queue] = await queryRows<{ exists: boolean }>(
    tx,
    sql`select to_regclass('pgboss.job') is not null as exists`,
  );
  if (!queue?.exists) return [];
  return queryRows<UnfinishedJob>(
    tx,
    sql`
      select name as job, data from pgboss.job
      where name in ${JOB_NAMES} and state in ('created', 'retry', 'active') and data - 'request_id' <> '{}'::jsonb
      order by created_on, id`,
  );
}
