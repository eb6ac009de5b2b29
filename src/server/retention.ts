import type { Context } from './context.ts';
import type { Database } from './database/database.ts';

const DAY = 86_400_000;

/** Deletes the expired rows of one feature. */
export type RetentionRule = (db: Database, now: Date) => Promise<void>;

/** Registers the hourly job that applies every feature's rule. */
export async function registerRetention(
  context: Pick<Context, 'db' | 'clock' | 'jobs'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  await context.jobs.work('apply-retention', () => applyRetention(context, rules));
  await context.jobs.schedule('apply-retention', '17 * * * *');
}

export async function applyRetention(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  const now = clock.now();
  for (const rule of rules) await rule(db, now);
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY);
}
