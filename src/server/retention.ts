import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Database } from './database/database.ts';

const DAY = 86_400_000;

/** Deletes the expired rows of one feature. `keepDays`: the times that the operator can set. */
export type RetentionRule = (db: Database, now: Date, keepDays: Config['keepDays']) => Promise<void>;

/** Registers the hourly job that applies every feature's rule. */
export async function registerRetention(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'jobs'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  await context.jobs.work('apply-retention', () => applyRetention(context, rules));
  await context.jobs.schedule('apply-retention', '17 * * * *');
}

export async function applyRetention(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  const now = clock.now();
  for (const rule of rules) await rule(db, now, config.keepDays);
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY);
}
